//! What follows from the rules of a relation, gone through on a walk.

use super::Planner;
use super::body::{How, Plan, UNKNOWN};
use super::scope::Context;
use crate::export::program::{Search, Statement};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{Relations, atoms};
use crate::export::rules::build::{Operand, demand};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};

impl Relations<'_> {
    /// Whether what follows from the rules of a relation can be gone through: it does not depend
    /// on itself, or each rule that asks for it asks once.
    pub fn can_go_through(&self, relation: RelationId) -> bool {
        let info = &self.infos[relation.index()];
        if info.group.is_none() {
            return info.is_derived();
        }
        info.rules.iter().all(|&rule| {
            let body = &self.rules[rule].body;
            let asks = |literal: &FlatLiteral| {
                let mut own = 0;
                atoms(literal, &mut |atom| {
                    own += usize::from(self.infos[atom.relation.index()].group == info.group);
                });
                own
            };
            let positive = body.iter().filter(|literal| {
                matches!(literal, FlatLiteral::Positive(atom) if atom.relation == relation)
            });
            body.iter().map(asks).sum::<usize>() == positive.count()
                && body.iter().map(asks).sum::<usize>() <= 1
        })
    }
}

impl Planner<'_> {
    /// Goes through what follows from the rules of a relation: from those that do not ask for it,
    /// and then again and again from those that do. `false` if nothing ever follows.
    pub(super) fn go_through(
        &mut self,
        atom: &FlatAtom,
        plan: &mut Plan,
        context: &Context,
    ) -> Result<bool, Stop> {
        let rules = self.relations.rules_of(atom.relation);
        let recursive = |rule: &FlatRule| {
            rule.body.iter().position(|literal| {
                matches!(literal, FlatLiteral::Positive(other) if other.relation == atom.relation)
            })
        };
        // What is the same in all rounds can be what is asked for.
        let stays = |column: usize| {
            rules.iter().all(|rule| match recursive(rule) {
                None => true,
                Some(place) => {
                    let FlatLiteral::Positive(asked) = &rule.body[place] else {
                        unreachable!("just seen")
                    };
                    asked.args[column] == rule.head.args[column]
                }
            })
        };
        let mut args = Vec::new();
        let mut fixed = Vec::new();
        for (column, &term) in atom.args.iter().enumerate() {
            let known = plan.value(term);
            fixed.push(known.is_some() && stays(column));
            args.push(match known {
                Some(operand) if stays(column) => operand,
                _ => {
                    let set = self.column_set(atom.relation, column);
                    let hint = self.relations.hint(self.relations.origin(atom.relation), column);
                    Operand::Register(self.out.register(&hint, set, &mut plan.used))
                }
            });
        }
        let (mut first, mut rounds) = (Vec::new(), Vec::new());
        for rule in &rules {
            let mut inner = Plan::new(usize::from(rule.variables));
            inner.used.clone_from(&plan.used);
            let mut body = rule.body.clone();
            let mut fits = true;
            if let Some(place) = recursive(rule) {
                let FlatLiteral::Positive(asked) = body.remove(place) else {
                    unreachable!("just seen")
                };
                for (&term, &operand) in asked.args.iter().zip(&args) {
                    fits = fits && inner.unify(term, operand, &mut self.out);
                }
            } else {
                for ((&term, &operand), _) in
                    rule.head.args.iter().zip(&args).zip(&fixed).filter(|(_, fixed)| **fixed)
                {
                    fits = fits && inner.unify(term, operand, &mut self.out);
                }
            }
            if !fits {
                continue;
            }
            let mut wanted: Vec<Variable> = Vec::new();
            for term in &rule.head.args {
                if let FlatTerm::Variable(v) = *term
                    && inner.env[usize::from(v.0)].is_none()
                    && !wanted.contains(&v)
                {
                    wanted.push(v);
                }
            }
            for (found, _) in self.plans(&body, &inner, How::Walk(&wanted), context)? {
                let mut ops = found.ops;
                let mut copies = Vec::new();
                let mut possible = true;
                for (&term, &arg) in rule.head.args.iter().zip(&args) {
                    let operand = match term {
                        FlatTerm::Constant(symbol) => Operand::Symbol(symbol),
                        FlatTerm::Variable(v) => found.env[usize::from(v.0)].ok_or(UNKNOWN)?,
                    };
                    if let Operand::Register(register) = arg
                        && operand != arg
                    {
                        let to = self.out.registers.set_of(register);
                        possible = possible && self.out.demand_in(operand, to, &mut ops);
                        copies.push((register, operand));
                    }
                }
                if !possible {
                    continue;
                }
                self.out.copy_all(copies, &mut ops);
                plan.used.extend(found.used);
                match recursive(rule) {
                    Some(_) => rounds.push(ops),
                    None => first.push(ops),
                }
            }
        }
        if first.is_empty() {
            return Ok(false);
        }
        let mut exit = Plan::new(plan.env.len());
        std::mem::swap(&mut exit.env, &mut plan.env);
        std::mem::swap(&mut exit.targets, &mut plan.targets);
        exit.used.clone_from(&plan.used);
        let mut fits = true;
        for ((&term, &arg), &fixed) in atom.args.iter().zip(&args).zip(&fixed) {
            if fixed {
                continue;
            }
            match exit.value(term) {
                Some(known) => {
                    let condition = self.out.compare(known, arg, true);
                    fits = fits && demand(&mut exit.ops, condition);
                }
                None => {
                    let FlatTerm::Variable(variable) = term else { unreachable!("it is open") };
                    if exit.targets[usize::from(variable.0)].is_some() {
                        let (expr, set) = (self.out.operand(arg), self.out.set_of(arg));
                        fits = fits && self.read(&mut exit, variable, expr, (set, false), "value");
                    } else {
                        exit.env[usize::from(variable.0)] = Some(arg);
                    }
                }
            }
        }
        if !fits {
            exit.ops.push(Statement::Never);
            for (term, &arg) in atom.args.iter().zip(&args) {
                if let FlatTerm::Variable(v) = *term {
                    exit.env[usize::from(v.0)].get_or_insert(arg);
                }
            }
        }
        plan.env = exit.env;
        plan.targets = exit.targets;
        plan.used = exit.used;
        plan.ops.push(Statement::Search(Search { first, rounds, exit: exit.ops }));
        Ok(true)
    }
}
