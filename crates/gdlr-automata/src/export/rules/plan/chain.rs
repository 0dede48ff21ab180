//! Relations in which one row leads to the next.
//!
//! A recursive relation may have one rule for its first row and one rule for each further row. If
//! each rule gives one row at most, a loop visits all rows, and no value is tried out. So a write
//! can stand in the loop, for each row.
//!
//! ```text
//! (<= (turned ?d ?x ?y) (does ?p (place ?a ?b)) (ray ?d ?a ?b ?x ?y) (held ?p ?d ?x ?y))
//! (<= (turned ?d ?x ?y) (turned ?d ?a ?b) (ray ?d ?a ?b ?x ?y) (held ?p ?d ?x ?y))
//!
//! for each d: x, y = ray[d][a][b]; while held: …, x, y = ray[d][x][y]
//! ```

use super::Planner;
use super::body::{How, Plan, Solved};
use super::scope::Context;
use super::write::Loop;
use crate::export::program::Body;
use crate::export::rules::Stop;
use crate::export::rules::analysis::is_acyclic;
use crate::export::rules::build::Operand;
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};

/// The conditions that are left, the plan in which the rows are known, and the loops that visit
/// them.
type Followed = (Vec<FlatLiteral>, Plan, Vec<Loop>);

impl Planner<'_> {
    /// Follows the rows of a relation that a condition asks for and that has this variable. `None`
    /// if no row leads to the next.
    pub(super) fn follow(
        &mut self,
        body: &[FlatLiteral],
        start: &Plan,
        variable: Variable,
        context: &Context,
    ) -> Result<Option<Followed>, Stop> {
        for (place, literal) in body.iter().enumerate() {
            let FlatLiteral::Positive(atom) = literal else { continue };
            let has = atom.args.contains(&FlatTerm::Variable(variable));
            let in_group = self.relations.info(atom.relation).group.is_some();
            if !has || !in_group || !self.relations.can_go_through(atom.relation) {
                continue;
            }
            if let Some((plan, loops)) = self.chain(atom, start, context)? {
                let mut rest = body.to_vec();
                rest.remove(place);
                return Ok(Some((rest, plan, loops)));
            }
        }
        Ok(None)
    }

    fn chain(
        &mut self,
        atom: &FlatAtom,
        start: &Plan,
        context: &Context,
    ) -> Result<Option<(Plan, Vec<Loop>)>, Stop> {
        let rules = self.relations.rules_of(atom.relation);
        let mut plan = start.clone();
        let mut loops = Vec::new();
        let mut args: Vec<Operand> = Vec::new();
        let mut fixed = Vec::new();
        for (column, &term) in atom.args.iter().enumerate() {
            let stays = rules.iter().all(|rule| match asked(rule, atom.relation) {
                None => true,
                Some(place) => of(&rule.body[place]).args[column] == rule.head.args[column],
            });
            fixed.push(stays);
            let value = plan.value(term);
            if let (Some(operand), true) = (value, stays) {
                args.push(operand);
                continue;
            }
            let FlatTerm::Variable(own) = term else { return Ok(None) };
            if value.is_some() {
                return Ok(None);
            }
            let set = self.column_set(atom.relation, column);
            let hint = self.relations.hint(atom.relation, column);
            let register = self.out.register(&hint, set, &mut plan.used);
            plan.env[usize::from(own.0)] = Some(Operand::Register(register));
            args.push(Operand::Register(register));
            if stays {
                loops.push(Loop::Values(register, set));
            }
        }
        let (mut first, mut step) = (None, None);
        for rule in &rules {
            let recursive = asked(rule, atom.relation);
            for ops in self.leads(rule, recursive, (&args, &fixed), &plan, context)? {
                let Some(ops) = ops else { return Ok(None) };
                let one = if recursive.is_some() { &mut step } else { &mut first };
                if one.replace(ops).is_some() {
                    return Ok(None);
                }
            }
        }
        let (Some(first), Some(step)) = (first, step) else { return Ok(None) };
        if !rules.iter().all(|rule| self.ends(rule, atom.relation, &fixed, context.scope.mode)) {
            return Ok(None);
        }
        loops.push(Loop::Chain(first, step));
        Ok(Some((plan, loops)))
    }

    /// For each way to answer conditions about moves: the statements by which a rule comes from the
    /// row that it asks for to its own row. `None` for a way that would try out a value.
    fn leads(
        &mut self,
        rule: &FlatRule,
        recursive: Option<usize>,
        (args, fixed): (&[Operand], &[bool]),
        outer: &Plan,
        context: &Context,
    ) -> Result<Vec<Option<Body>>, Stop> {
        let mut inner = Plan::new(usize::from(rule.variables));
        inner.used.clone_from(&outer.used);
        let mut body = rule.body.clone();
        let pairs: Vec<(FlatTerm, Operand)> = match recursive {
            Some(place) => {
                let own = body.remove(place);
                of(&own).args.iter().copied().zip(args.iter().copied()).collect()
            }
            None => {
                let pairs = rule.head.args.iter().copied().zip(args.iter().copied());
                pairs.zip(fixed).filter(|(_, fixed)| **fixed).map(|(pair, _)| pair).collect()
            }
        };
        if !pairs.into_iter().all(|(term, operand)| inner.unify(term, operand, &mut self.out)) {
            return Ok(Vec::new());
        }
        let wanted: Vec<Variable> = (rule.head.args.iter())
            .filter_map(|term| match *term {
                FlatTerm::Variable(v) => Some(v),
                FlatTerm::Constant(_) => None,
            })
            .collect();
        let mut ways = Vec::new();
        for (solution, solved) in self.plans(&body, &inner, How::Decide(&wanted), context)? {
            if solved != Solved::Done {
                ways.push(None);
                continue;
            }
            if let Some(ops) = self.answer_into(&solution, &rule.head, args)? {
                ways.push(Some(ops));
            }
        }
        Ok(ways)
    }

    /// Whether the chain of a rule ends: one condition whose rows are known before play tells the
    /// next row, and these rows form no cycle.
    fn ends(
        &self,
        rule: &FlatRule,
        relation: RelationId,
        fixed: &[bool],
        mode: Option<usize>,
    ) -> bool {
        let Some(place) = asked(rule, relation) else { return true };
        let from = of(&rule.body[place]).args.clone();
        for literal in &rule.body {
            let FlatLiteral::Positive(atom) = literal else { continue };
            let rows = self.relations.rows_in(atom.relation, mode);
            let Some(rows) = rows else { continue };
            let place = |term: &FlatTerm| atom.args.iter().position(|other| other == term);
            let places = |terms: &[FlatTerm]| -> Option<Vec<usize>> {
                let open = terms.iter().zip(fixed).filter(|(_, fixed)| !**fixed);
                open.map(|(term, _)| place(term)).collect()
            };
            // Arguments that stay are part of both rows, as far as the condition has them.
            let stay: Vec<usize> = (from.iter().zip(fixed))
                .filter(|(_, fixed)| **fixed)
                .filter_map(|(term, _)| place(term))
                .collect();
            let (Some(before), Some(after)) = (places(&from), places(&rule.head.args)) else {
                continue;
            };
            let end = |columns: &[usize], row: &[Symbol]| -> Vec<Symbol> {
                stay.iter().chain(columns).map(|&column| row[column]).collect()
            };
            let edges = rows.iter().map(|row| (end(&before, row), end(&after, row)));
            if is_acyclic(edges) {
                return true;
            }
        }
        false
    }
}

/// The place of the condition that asks for a relation.
fn asked(rule: &FlatRule, relation: RelationId) -> Option<usize> {
    rule.body.iter().position(
        |literal| matches!(literal, FlatLiteral::Positive(atom) if atom.relation == relation),
    )
}

fn of(literal: &FlatLiteral) -> &FlatAtom {
    match literal {
        FlatLiteral::Positive(atom) => atom,
        _ => unreachable!("an atom"),
    }
}
