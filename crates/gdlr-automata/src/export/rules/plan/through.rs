//! Rows that follow from the rules of a relation, gone through on a walk.

use super::Planner;
use super::body::{How, Plan, UNKNOWN};
use super::scope::Context;
use crate::export::program::{Body, Search, Statement};
use crate::export::rules::Stop;
use crate::export::rules::analysis::{Relations, atoms};
use crate::export::rules::build::{Operand, demand};
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};

impl Relations<'_> {
    /// Whether the rows of a relation can be gone through. A recursive relation must occur once at
    /// most in each of its rules.
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

/// A relation whose rows are gone through in rounds, one row in each.
struct Through {
    rules: Vec<FlatRule>,
    /// By column: the operand that holds its value in a round.
    args: Vec<Operand>,
    /// By column: whether its value is the same in all rounds, and is the value that is asked for.
    fixed: Vec<bool>,
}

/// The place of the recursive condition of a rule.
pub(super) fn recursive(rule: &FlatRule, relation: RelationId) -> Option<usize> {
    rule.body.iter().position(
        |literal| matches!(literal, FlatLiteral::Positive(atom) if atom.relation == relation),
    )
}

impl Planner<'_> {
    /// Goes through the rows that follow from the rules of a relation: first by rules that are not
    /// recursive, and then again and again by those that are. `false` if no row ever follows.
    pub(super) fn go_through(
        &mut self,
        atom: &FlatAtom,
        plan: &mut Plan,
        is_wanted: impl Fn(Variable) -> bool,
        context: &Context,
    ) -> Result<bool, Stop> {
        let is_told = |term: &FlatTerm| match *term {
            FlatTerm::Variable(v) => plan.env[usize::from(v.0)].is_some() || is_wanted(v),
            FlatTerm::Constant(_) => true,
        };
        let told_by: Vec<bool> = atom.args.iter().map(is_told).collect();
        let through = self.prepare_through(atom, plan);
        let (mut first, mut rounds) = (Vec::new(), Vec::new());
        for rule in &through.rules {
            let ways = self.rounds_of(rule, atom.relation, &through, plan, context)?;
            match recursive(rule, atom.relation) {
                Some(_) => rounds.extend(ways),
                None => first.extend(ways),
            }
        }
        if first.is_empty() {
            return Ok(false);
        }
        plan.repeats |=
            first.len() > 1 || rounds.len() > 1 || !self.finds_once(atom.relation, &told_by)?;
        let exit = self.leave_through(atom, &through, plan);
        plan.ops.push(Statement::Search(Search { first, rounds, exit }));
        Ok(true)
    }

    /// Prepares the registers for the rounds of a relation.
    fn prepare_through(&mut self, atom: &FlatAtom, plan: &mut Plan) -> Through {
        let rules = self.relations.rules_of(atom.relation);
        // A column that is the same in all rounds can be the argument of the condition.
        let stays = |column: usize| {
            rules.iter().all(|rule| match recursive(rule, atom.relation) {
                None => true,
                Some(place) => {
                    let FlatLiteral::Positive(asked) = &rule.body[place] else {
                        unreachable!("just seen")
                    };
                    asked.args[column] == rule.head.args[column]
                }
            })
        };
        let (mut args, mut fixed) = (Vec::new(), Vec::new());
        for (column, &term) in atom.args.iter().enumerate() {
            let operand = plan.value(term);
            fixed.push(operand.is_some() && stays(column));
            args.push(match operand {
                Some(operand) if stays(column) => operand,
                _ => {
                    let set = self.column_set(atom.relation, column);
                    let hint = self.relations.hint(self.relations.origin(atom.relation), column);
                    Operand::Register(self.out.register(&hint, set, &mut plan.used))
                }
            });
        }
        Through { rules, args, fixed }
    }

    /// The ways in which a rule gives its row. A recursive rule starts from the row of the round
    /// before.
    fn rounds_of(
        &mut self,
        rule: &FlatRule,
        relation: RelationId,
        Through { args, fixed, .. }: &Through,
        plan: &mut Plan,
        context: &Context,
    ) -> Result<Vec<Body>, Stop> {
        let mut inner = Plan::new(usize::from(rule.variables));
        inner.used.clone_from(&plan.used);
        let mut body = rule.body.clone();
        let mut fits = true;
        if let Some(place) = recursive(rule, relation) {
            let FlatLiteral::Positive(asked) = body.remove(place) else {
                unreachable!("just seen")
            };
            for (&term, &operand) in asked.args.iter().zip(args) {
                fits = fits && inner.unify(term, operand, &mut self.out);
            }
        } else {
            let fixed_args =
                rule.head.args.iter().zip(args).zip(fixed).filter(|(_, fixed)| **fixed);
            for ((&term, &operand), _) in fixed_args {
                fits = fits && inner.unify(term, operand, &mut self.out);
            }
        }
        if !fits {
            return Ok(Vec::new());
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
        let mut ways = Vec::new();
        for (solution, _) in self.plans(&body, &inner, How::Walk(&wanted), context)? {
            plan.repeats |= solution.repeats;
            if let Some(ops) = self.answer_into(&solution, &rule.head, args)? {
                plan.used.extend(solution.used);
                ways.push(ops);
            }
        }
        Ok(ways)
    }

    /// The statements of a plan, followed by copies of the arguments of a head to registers. `None`
    /// if a register cannot hold its argument.
    pub(super) fn answer_into(
        &mut self,
        solution: &Plan,
        head: &FlatAtom,
        args: &[Operand],
    ) -> Result<Option<Body>, Stop> {
        let mut ops = solution.ops.clone();
        let mut copies = Vec::new();
        for (&term, &arg) in head.args.iter().zip(args) {
            let operand = solution.value(term).ok_or(UNKNOWN)?;
            if let Operand::Register(register) = arg
                && operand != arg
            {
                let to = self.out.registers.set_of(register);
                if !self.out.demand_in(operand, to, &mut ops) {
                    return Ok(None);
                }
                copies.push((register, operand));
            }
        }
        self.out.copy_all(copies, &mut ops);
        Ok(Some(ops))
    }

    /// The statements at the end of the search: the row of the last round answers the condition.
    fn leave_through(
        &mut self,
        atom: &FlatAtom,
        Through { args, fixed, .. }: &Through,
        plan: &mut Plan,
    ) -> Body {
        // These statements are collected apart from those before the search.
        let before = std::mem::take(&mut plan.ops);
        let mut fits = true;
        for ((&term, &arg), _) in
            atom.args.iter().zip(args).zip(fixed).filter(|(_, fixed)| !**fixed)
        {
            match plan.value(term) {
                Some(known) => {
                    let condition = self.out.compare(known, arg, true);
                    fits = fits && demand(&mut plan.ops, condition);
                }
                None => {
                    let FlatTerm::Variable(variable) = term else { unreachable!("it is open") };
                    if plan.targets[usize::from(variable.0)].is_some() {
                        let (expr, set) = (self.out.operand(arg), self.out.set_of(arg));
                        fits = fits && self.read(plan, variable, expr, (set, false), "value");
                    } else {
                        plan.env[usize::from(variable.0)] = Some(arg);
                    }
                }
            }
        }
        if !fits {
            plan.ops.push(Statement::Never);
            for (term, &arg) in atom.args.iter().zip(args) {
                if let FlatTerm::Variable(v) = *term {
                    plan.env[usize::from(v.0)].get_or_insert(arg);
                }
            }
        }
        std::mem::replace(&mut plan.ops, before)
    }
}
