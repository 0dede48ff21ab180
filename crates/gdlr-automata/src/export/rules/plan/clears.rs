//! Facts that no rule keeps.

use super::Planner;
use super::body::{How, Plan};
use super::scope::{Context, Scope};
use super::write::{Loop, Write};
use crate::export::program::{Statement, Test};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{SetId, Sets, Shape, variables};
use crate::export::rules::build::{Condition, Operand};
use gdlr_rg::rg::{Expr, Ident, Name};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::HashSet;
use std::rc::Rc;

const KEEPS_NOTHING: Stop = Stop::Broken("a rule that keeps nothing");

/// The place of the condition that makes a rule one of the frame of a base relation: the fact
/// itself.
pub(super) fn keeps(rule: &FlatRule, base: RelationId) -> Option<usize> {
    rule.body.iter().position(|literal| match literal {
        FlatLiteral::Positive(atom) => atom.relation == base && atom.args == rule.head.args,
        _ => false,
    })
}

/// Whether a head stands for all facts of a base relation. Each column must be a variable of its
/// own without a value, or the only symbol of the column.
fn is_general(head: &FlatAtom, shape: &Shape, sets: &Sets, plan: &Plan) -> bool {
    let mut seen = HashSet::new();
    head.args.iter().zip(&shape.columns).all(|(term, &column)| match *term {
        FlatTerm::Variable(v) => seen.insert(v) && plan.env[usize::from(v.0)].is_none(),
        FlatTerm::Constant(symbol) => *sets.members(column) == [symbol],
    })
}

/// Whether a condition shares with others only variables that the head or the moves bind.
fn is_single(literal: &FlatLiteral, head: &FlatAtom, plan: &Plan, all: &[FlatLiteral]) -> bool {
    let mut single = true;
    variables(literal, &mut |v| {
        let is_bound =
            head.args.contains(&FlatTerm::Variable(v)) || plan.env[usize::from(v.0)].is_some();
        let mut shared = false;
        for other in all.iter().filter(|other| !std::ptr::eq(*other, literal)) {
            variables(other, &mut |o| shared |= o == v);
        }
        single &= is_bound || !shared;
    });
    single
}

/// Conditions that all hold if and only if `literal` does not. `None` if there are none.
fn negated(literal: &FlatLiteral) -> Option<Vec<FlatLiteral>> {
    Some(match literal {
        FlatLiteral::Positive(atom) => vec![FlatLiteral::Negative(atom.clone())],
        FlatLiteral::Negative(atom) => vec![FlatLiteral::Positive(atom.clone())],
        FlatLiteral::Distinct(pairs) => vec![FlatLiteral::Same(pairs.clone())],
        FlatLiteral::Same(pairs) => vec![FlatLiteral::Distinct(pairs.clone())],
        FlatLiteral::Any(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                let [only] = &branch[..] else { return None };
                all.extend(negated(only)?);
            }
            all
        }
    })
}

impl Planner<'_> {
    /// Adds the writes that clear facts which no rule keeps.
    pub(super) fn clears(
        &mut self,
        base: RelationId,
        frames: Vec<FlatRule>,
        scope: &Rc<Scope>,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let shape = self.analysis.shapes[&base].clone();
        let mut kept: Vec<(FlatRule, Vec<FlatLiteral>, Plan)> = Vec::new();
        let mut simple = true;
        for rule in frames {
            let place = keeps(&rule, base).ok_or(KEEPS_NOTHING)?;
            let mut rest = rule.body.clone();
            rest.remove(place);
            let mut plan = Plan::new(usize::from(rule.variables));
            plan.used = scope.registers();
            let mut variants = self.variants(&rest, &plan, scope)?;
            match variants.len() {
                0 => continue,
                1 => {
                    let (plan, rest) = variants.remove(0);
                    simple &= plan.ops.is_empty()
                        && is_general(&rule.head, &shape, &self.out.symbols.sets, &plan);
                    if simple && rest.is_empty() {
                        return Ok(());
                    }
                    kept.push((rule, rest, plan));
                }
                _ => {
                    simple = false;
                    kept.push((rule.clone(), rest, plan));
                }
            }
        }
        if kept.is_empty() {
            writes.push(self.clear_all(base, &shape)?);
            return Ok(());
        }
        if let (true, [(rule, rest, plan)]) = (simple, &kept[..])
            && rest.iter().all(|literal| {
                negated(literal).is_some() && is_single(literal, &rule.head, plan, rest)
            })
        {
            for literal in rest {
                let Some(mut body) = negated(literal) else {
                    return Err(Stop::Broken("a condition without an opposite"));
                };
                let value = shape.value.and_then(|column| match rule.head.args[column] {
                    FlatTerm::Variable(v) => Some(v),
                    FlatTerm::Constant(_) => None,
                });
                let mut asks = false;
                body.iter().for_each(|l| variables(l, &mut |v| asks |= Some(v) == value));
                if asks {
                    let args = rule.head.args.clone();
                    body.insert(0, FlatLiteral::Positive(FlatAtom { relation: base, args }));
                }
                let clear = FlatRule { body, ..rule.clone() };
                self.write_rule(base, clear, plan, true, scope, writes)?;
            }
            return Ok(());
        }
        self.clear_each(base, &shape, kept, scope, writes)
    }

    /// A write that clears the whole variable.
    fn clear_all(&mut self, base: RelationId, shape: &Shape) -> Result<Write, Stop> {
        let absent = self.analysis.shapes[&base].absent(&mut self.out.symbols);
        let value = match shape.keys.is_empty() {
            true => Expr::from(Ident::from(absent)),
            false => {
                let wanted = format!("no_{}", self.out.symbols.naming.names.text(shape.name));
                let keys: Vec<SetId> = shape.keys.iter().map(|&c| shape.columns[c]).collect();
                let type_ = match shape.type_.value {
                    gdlr_rg::rg::SimpleType::Named(name) => name.name,
                    gdlr_rg::rg::SimpleType::Set(_) => {
                        return Err(Stop::Broken("a type without a name"));
                    }
                };
                let map = self.out.constant(&wanted, &keys, Vec::new(), absent, type_);
                Expr::from(Ident::from(map))
            }
        };
        Ok(Write {
            base,
            loops: Vec::new(),
            ops: Vec::new(),
            keys: shape.keys.is_empty().then(Vec::new),
            value,
            otherwise: None,
            clears: true,
            reads: HashSet::new(),
            row: Vec::new(),
            tells: Vec::new(),
            finds: false,
            instead: Vec::new(),
            source: None,
        })
    }

    /// Goes through all entries and clears those that no rule keeps.
    fn clear_each(
        &mut self,
        base: RelationId,
        shape: &Shape,
        kept: Vec<(FlatRule, Vec<FlatLiteral>, Plan)>,
        scope: &Rc<Scope>,
        writes: &mut Vec<Write>,
    ) -> Result<(), Stop> {
        let mut used = scope.registers();
        let mut loops = Vec::new();
        let mut columns: Vec<Operand> = Vec::new();
        for (column, &set) in shape.columns.iter().enumerate() {
            columns.push(match self.out.symbols.sets.members(set)[..] {
                [only] => Operand::Symbol(only),
                _ => {
                    let hint = self.relations.hint(base, column);
                    let register = self.out.register(&hint, set, &mut used);
                    if shape.keys.contains(&column) {
                        loops.push(Loop::Values(register, set));
                    }
                    Operand::Register(register)
                }
            });
        }
        let keys: Vec<Expr> = shape.keys.iter().map(|&c| self.out.operand(columns[c])).collect();
        let slot = self.out.expr(shape.name, keys.clone());
        let mut ops = Vec::new();
        match shape.value {
            None => ops.push(Statement::Test(Test::Is(slot, Name::ONE, true))),
            Some(column) => {
                let none = self.out.symbols.none();
                ops.push(Statement::Test(Test::Is(slot, none, false)));
                if let Operand::Register(register) = columns[column] {
                    let expr = self.out.program.slots.expr(slot).clone();
                    let from = (shape.columns[column], true);
                    ops.push(Statement::Do(self.out.assign(register, expr, from)));
                }
            }
        }
        let mut bodies = Vec::new();
        let mut reads = HashSet::from([base]);
        let mut ways = Vec::new();
        for (rule, ..) in &kept {
            let mut plan = Plan::new(usize::from(rule.variables));
            plan.used.clone_from(&used);
            let fits = (rule.head.args.iter().zip(&columns))
                .all(|(&term, &operand)| plan.unify(term, operand, &mut self.out));
            if !fits {
                continue;
            }
            let place = keeps(rule, base).ok_or(KEEPS_NOTHING)?;
            let mut rest = rule.body.clone();
            rest.remove(place);
            reads.extend(self.reads(&rest, scope));
            bodies.push((rest, plan));
        }
        for (rest, plan) in bodies {
            for (solution, _) in self.plans(&rest, &plan, How::Check(None), &Context::of(scope))? {
                ways.push(solution.ops);
            }
        }
        match self.out.any_of(ways) {
            Condition::Always => return Ok(()),
            Condition::Never => {}
            Condition::Test(test) => ops.push(Statement::Test(test.opposite())),
        }
        let value =
            Expr::from(Ident::from(self.analysis.shapes[&base].absent(&mut self.out.symbols)));
        let plain = Write::new(base, keys, value, reads);
        writes.push(Write { loops, ops, clears: true, ..plain });
        Ok(())
    }
}
