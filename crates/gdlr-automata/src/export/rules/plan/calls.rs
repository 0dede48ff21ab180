//! Derived relations, each written once, with its arguments in registers.
//!
//! A check of a relation sets its registers and goes through its rules. A recursive condition comes
//! last in its rule. So it becomes a loop: the registers get new values, and the rules begin again.

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

/// The most conditions of a rule that is asked in place, if only one of them is left to ask.
const MOST_INLINED: usize = 4;

/// A derived relation that has been written.
#[derive(Clone, Debug)]
pub(super) struct Routine {
    block: BlockId,
    /// By column: the register of the argument, or the only symbol.
    args: Vec<Operand>,
    /// Whether no rule can hold.
    is_empty: bool,
}

impl Planner<'_> {
    /// The condition that a relation holds of some operands.
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

    /// The condition of a relation that needs no routine: its only rule comes down to one test, or
    /// its rules name all values of an entry but one.
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

    /// Sets the registers of a routine to the operands. `None` if the relation never holds of them.
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

    /// The routine of a relation, which is written when it is asked for the first time.
    fn routine(&mut self, relation: RelationId, context: &Context) -> Result<Routine, Stop> {
        let asks_moves = self.relations.info(relation).asks_moves;
        // A relation that does not ask for moves has one routine for all scopes.
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
            false => self.anew.registers_of_new_facts(relation),
        };
        let routine = self.new_routine(relation, &mut used);
        // A recursive rule finds the routine here.
        self.routines.insert((relation, moves), routine.clone());
        let (ways, is_empty) = self.ways(relation, &routine, &used, &context.within(scope))?;
        let body = match &ways[..] {
            // The walk goes back as far as it can, and then forth.
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

    /// The ways in which the rules of a relation hold of the arguments of its routine, and whether
    /// no rule can ever hold.
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
                // The program goes on to a check that comes last.
                if let Some(&Statement::Test(Test::Check(check, true))) = ops.last() {
                    ops.pop();
                    ops.extend(self.out.program.gone_through(check));
                }
                ways.push(ops);
                // A rule that asks for its own head alone never holds.
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

/// Whether statements are tests and assignments without a choice, up to a jump at their end.
fn is_decided(body: &[Statement]) -> bool {
    let Some((Statement::Go(_), before)) = body.split_last() else { return false };
    before.iter().all(|statement| match statement {
        Statement::Test(_) => true,
        Statement::Do(act) => !matches!(act, Act::Any(..)),
        _ => false,
    })
}

/// Goes on with `body` if all its tests hold, and with `otherwise` if one does not.
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
