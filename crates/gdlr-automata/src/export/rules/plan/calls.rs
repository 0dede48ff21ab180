//! Derived relations, each written once, with its arguments in registers.
//!
//! A relation is asked by a check that sets the registers and goes through its rules. Where a rule
//! asks the relation itself, or one that it depends on in turn, that comes last, and so it is a
//! loop: the registers are set anew and the rules begin again.

use super::Planner;
use super::body::{How, Plan};
use super::scope::Context;
use crate::export::program::{Act, BlockId, Body, If, Statement, Target, Test};
use crate::export::rules::Stop;
use crate::export::rules::analysis::SetId;
use crate::export::rules::build::{Condition, Operand, Register};
use gdlr_rules::normal::{FlatLiteral, RelationId};
use hashbrown::HashSet;
use std::rc::Rc;

/// How many conditions a rule may have to be asked in place, if only one of them is left to ask.
const MOST_INLINED: usize = 4;

/// A derived relation that has been written.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    block: BlockId,
    /// By column: the register, or the only symbol.
    args: Vec<Operand>,
    /// Whether no rule can hold.
    is_empty: bool,
}

impl Planner<'_> {
    /// That a relation holds of operands.
    pub(super) fn call(
        &mut self,
        relation: RelationId,
        operands: &[Operand],
        plan: &Plan,
        context: &Context,
    ) -> Result<Condition, Stop> {
        if let Some(condition) = self.inlined(relation, operands, plan, context)? {
            return Ok(condition);
        }
        let routine = self.routine(relation, context)?;
        if routine.is_empty {
            return Ok(Condition::Never);
        }
        let Some(mut ops) = self.pass(&routine, operands) else { return Ok(Condition::Never) };
        ops.push(Statement::Go(Target::Block(routine.block)));
        Ok(Condition::Test(Test::Check(self.out.program.check(vec![ops]), true)))
    }

    /// A relation with one rule that asks one thing is asked as that, and so is one whose rules leave out
    /// one value of an entry.
    fn inlined(
        &mut self,
        relation: RelationId,
        operands: &[Operand],
        plan: &Plan,
        context: &Context,
    ) -> Result<Option<Condition>, Stop> {
        if self.relations.info(relation).group.is_some() {
            return Ok(None);
        }
        let rules = self.relations.rules_of(relation);
        let is_short = match &rules[..] {
            [] => false,
            [only] => only.body.len() <= MOST_INLINED,
            rules => rules.iter().all(|rule| match &rule.body[..] {
                [FlatLiteral::Positive(atom)] => self.analysis.shapes.contains_key(&atom.relation),
                _ => false,
            }),
        };
        if !is_short {
            return Ok(None);
        }
        let mut plans = Vec::new();
        for rule in &rules {
            let mut inner = Plan::new(usize::from(rule.variables));
            inner.used.clone_from(&plan.used);
            let mut terms = rule.head.args.iter().zip(operands);
            if terms.all(|(term, &operand)| inner.unify(*term, operand, &mut self.out)) {
                plans.extend(self.plans(&rule.body, &inner, How::Check(None), context)?);
            }
        }
        if rules.len() > 1 {
            let ways: Vec<Body> = plans.into_iter().map(|(plan, _)| plan.ops).collect();
            return Ok(self.one_of(&ways));
        }
        Ok(match &plans[..] {
            [] => Some(Condition::Never),
            [(plan, _)] => match plan.ops[..] {
                [] => Some(Condition::Always),
                [Statement::Test(test)] => Some(Condition::Test(test)),
                [Statement::Never] => Some(Condition::Never),
                _ => None,
            },
            _ => None,
        })
    }

    /// Sets the arguments of a relation. `None` if it never holds of them.
    fn pass(&mut self, routine: &Routine, operands: &[Operand]) -> Option<Body> {
        let mut ops = Vec::new();
        let mut copies: Vec<(Register, Operand)> = Vec::new();
        for (&arg, &operand) in routine.args.iter().zip(operands) {
            match arg {
                Operand::Symbol(_) => match self.out.compare(arg, operand, true) {
                    Condition::Always => {}
                    Condition::Never => return None,
                    Condition::Test(test) => ops.push(Statement::Test(test)),
                },
                Operand::Register(register) => {
                    let to = self.out.registers.set_of(register);
                    match self.out.is_in(operand, to) {
                        Condition::Always => {}
                        Condition::Never => return None,
                        Condition::Test(test) => ops.push(Statement::Test(test)),
                    }
                    if operand != arg {
                        copies.push((register, operand));
                    }
                }
            }
        }
        self.out.copy_all(copies, &mut ops);
        Some(ops)
    }

    /// The rules of a relation, written, for what asks for it.
    fn routine(&mut self, relation: RelationId, context: &Context) -> Result<Routine, Stop> {
        let asks_moves = self.relations.info(relation).asks_moves;
        // What does not ask for moves is the same everywhere.
        let scope = match asks_moves {
            true => context.scope.clone(),
            false => Rc::default(),
        };
        let moves = scope.moves.as_ref().map(|(id, _)| *id);
        if asks_moves && moves.is_none() {
            return Err(Stop::unsuited("a move is asked for where there is none"));
        }
        if let Some(routine) = self.routines.get(&(relation, moves)) {
            return Ok(routine.clone());
        }
        let mut used = match asks_moves {
            true => scope.registers(),
            false => self.anew.registers_of_news(relation),
        };
        let routine = self.new_routine(relation, &mut used);
        // Where it asks for itself it is there.
        self.routines.insert((relation, moves), routine.clone());
        let (ways, is_empty) = self.ways(relation, &routine, &used, &context.within(scope))?;
        let body = match &ways[..] {
            // It goes on from where the walk cannot go back.
            [back, forth] if self.relations.lines.goes_back(relation) && is_decided(back) => {
                decision(back, forth)
            }
            _ => vec![Statement::Choice(ways)],
        };
        self.out.program.fill(routine.block, body);
        let routine = Routine { is_empty, ..routine };
        self.routines.insert((relation, moves), routine.clone());
        Ok(routine)
    }

    /// A block for a relation, with the rules for it, and registers for its arguments.
    fn new_routine(&mut self, relation: RelationId, used: &mut HashSet<Register>) -> Routine {
        let origin = self.relations.origin(relation);
        let mut args = Vec::new();
        for column in 0..self.relations.columns_of(origin).len() {
            let set = self.column_set(relation, column);
            args.push(match self.out.symbols.sets.members(set)[..] {
                [only] => Operand::Symbol(only),
                _ => {
                    let hint = self.relations.hint(origin, column);
                    Operand::Register(self.out.register(&hint, set, used))
                }
            });
        }
        let wanted = self.relations.plain_name(relation);
        let name = self.out.node_name(&format!("is_{wanted}"));
        let parameters = args.iter().filter_map(|&arg| self.out.registers.slot_of(arg)).collect();
        let block = self.out.program.block(name, parameters);
        match origin == relation {
            true => self.quote_all(block, |other| other == relation),
            false => self.quote_anew(block, relation),
        }
        if let Some(text) = self.relations.lines.text(relation) {
            self.out.program.comment(block, text);
        }
        let how = match self.relations.info(relation).group {
            Some(_) => "a check, with a loop where it asks for itself",
            None => "a check",
        };
        let how = match origin == relation {
            true => how.to_owned(),
            false => format!("{how} of what has just become true"),
        };
        let what = match self.relations.lines.name(relation) {
            Some(name) => name.to_owned(),
            None => self.input.normal.relation_name(origin),
        };
        self.notes.add(&what, how);
        Routine { block, args, is_empty: false }
    }

    /// The ways in which the rules of a relation hold of the arguments of its routine, and whether there
    /// is none.
    fn ways(
        &mut self,
        relation: RelationId,
        routine: &Routine,
        used: &HashSet<Register>,
        context: &Context,
    ) -> Result<(Vec<Body>, bool), Stop> {
        let group = self.relations.info(relation).group;
        let mut is_empty = true;
        let mut ways: Vec<Body> = Vec::new();
        for rule in self.relations.rules_of(relation) {
            let mut plan = Plan::new(usize::from(rule.variables));
            plan.used.clone_from(used);
            let fits = (rule.head.args.iter().zip(&routine.args))
                .all(|(&term, &operand)| plan.unify(term, operand, &mut self.out));
            if !fits {
                continue;
            }
            for (plan, _) in self.plans(&rule.body, &plan, How::Check(group), context)? {
                let mut ops = plan.ops;
                let mut is_own = false;
                if let Some((asked, operands)) = plan.jump {
                    let next = self.routine(asked, context)?;
                    let Some(pass) = self.pass(&next, &operands) else { continue };
                    ops.extend(pass);
                    ops.push(Statement::Go(Target::Block(next.block)));
                    is_own = asked == relation;
                }
                // A check that comes last goes on instead.
                if let Some(&Statement::Test(Test::Check(check, true))) = ops.last() {
                    ops.pop();
                    ops.extend(self.out.program.gone_through(check));
                }
                ways.push(ops);
                // What follows from itself alone never holds.
                is_empty &= is_own;
            }
        }
        Ok((ways, is_empty))
    }

    /// The symbols of a column of a relation.
    pub(super) fn column_set(&mut self, relation: RelationId, column: usize) -> SetId {
        let shapes = &self.analysis.shapes;
        self.out.symbols.column_set(relation, column, &self.relations, shapes)
    }
}

/// Whether things are done one after the other, without a choice, before it goes on elsewhere.
fn is_decided(body: &[Statement]) -> bool {
    let Some((Statement::Go(_), before)) = body.split_last() else { return false };
    before.iter().all(|statement| match statement {
        Statement::Test(_) => true,
        Statement::Do(act) => !matches!(act, Act::Any(..)),
        _ => false,
    })
}

/// Does one thing if all tests among its statements hold, and otherwise another one.
fn decision(body: &[Statement], otherwise: &[Statement]) -> Body {
    let count =
        body.iter().rposition(|one| matches!(one, Statement::Test(_))).map_or(0, |at| at + 1);
    let (tests, then) = body.split_at(count);
    match tests {
        [] => then.to_vec(),
        _ => vec![Statement::If(If {
            tests: tests.to_vec(),
            then: then.to_vec(),
            otherwise: otherwise.to_vec(),
        })],
    }
}
