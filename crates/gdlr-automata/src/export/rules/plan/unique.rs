//! Functional dependency: conditions that one row answers at most, and rules that change nothing,
//! as the net proves.
//!
//! The rows that may answer the conditions of a rule are compared in pairs. Each row needs some
//! facts. No state has both rows if a fact of one and a fact of the other are never true together.
//! The net proves which facts are never true together.
//!
//! ```text
//! (<= (legal ?p (drop ?c)) (true (cell ?c ?h free)) (lies ?c ?h) …)      one height for each column
//! (<= (next (cell ?c ?h ?p)) (does ?p (drop ?c)) (true (cell ?c ?h free)) (lies ?c ?h))
//! ```
//!
//! So the walk of a move keeps the row that it has found. The effects of the move need not search
//! for the row again.

use super::Planner;
use super::body::Plan;
use crate::export::rules::Stop;
use crate::export::rules::analysis::{Answer, Clause, is_variable, positive, variable};
use crate::export::rules::build::Operand;
use gdlr_net::net::Signal;
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use std::collections::BTreeMap;

/// The most pairs of facts about which the net is asked at once.
const MOST_PAIRS: usize = 1 << 12;
/// Rows that answer conditions, each the only one.
pub(super) type OnlyRows = Vec<Row>;

/// A row of a relation. By column: the operand that holds its symbol, and whether only a search for
/// the row finds it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    relation: RelationId,
    columns: Vec<(Operand, bool)>,
}

impl Row {
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.columns.iter().map(|(operand, _)| operand)
    }
}

impl Planner<'_> {
    /// The rows that answer the conditions of a rule about variables that its head lacks. `None` if
    /// some head has several such rows.
    pub(super) fn only_answer(
        &mut self,
        rule: &FlatRule,
        plan: &Plan,
    ) -> Result<Option<OnlyRows>, Stop> {
        let is_open = |atom: &FlatAtom| {
            let mut terms = atom.args.iter();
            terms.any(|term| is_variable(term) && !rule.head.args.contains(term))
        };
        let open: Vec<FlatAtom> =
            positive(&rule.body).filter(|atom| is_open(atom)).cloned().collect();
        let mut rows = OnlyRows::new();
        for atom in &open {
            let column = |term: &FlatTerm| {
                let is_open = is_variable(term) && !rule.head.args.contains(term);
                Some((plan.value(*term)?, is_open))
            };
            match atom.args.iter().map(column).collect() {
                Some(columns) => rows.push(Row { relation: atom.relation, columns }),
                None => return Ok(None),
            }
        }
        let Some(answers) = self.relations.all_answers(
            &open,
            usize::from(rule.variables),
            0,
            &self.analysis.shapes,
        )?
        else {
            return Ok(None);
        };
        let head: Vec<Variable> = rule.head.args.iter().copied().filter_map(variable).collect();
        let mut by: BTreeMap<Vec<Option<Symbol>>, Vec<&Answer>> = BTreeMap::new();
        for answer in &answers {
            let key = head.iter().map(|v| answer.values[usize::from(v.0)]).collect();
            by.entry(key).or_default().push(answer);
        }
        let mut pairs: Vec<[&[Clause]; 2]> = Vec::new();
        for group in by.values() {
            for (place, one) in group.iter().enumerate() {
                self.input.meter.spend(1)?;
                pairs.extend(group[..place].iter().map(|other| [&one.clauses[..], &other.clauses]));
                if pairs.len() > MOST_PAIRS {
                    return Ok(None);
                }
            }
        }
        let are_apart = self.proofs.are_apart(&pairs, self.input.net, self.input.meter)?;
        Ok(are_apart.then_some(rows))
    }

    /// Answers conditions by the rows that a move has found: the conditions that are left, and the
    /// plan in which the rows are known. `None` if the conditions do not include those of the move.
    pub(super) fn answered(
        &self,
        body: &[FlatLiteral],
        plan: &Plan,
        rows: &[Row],
    ) -> Option<(Vec<FlatLiteral>, Plan)> {
        (!rows.is_empty()).then_some(())?;
        self.matched(rows, body.to_vec(), plan)
    }

    fn matched(
        &self,
        rows: &[Row],
        body: Vec<FlatLiteral>,
        plan: &Plan,
    ) -> Option<(Vec<FlatLiteral>, Plan)> {
        let Some((row, rest)) = rows.split_first() else {
            return Some((body, plan.clone()));
        };
        (0..body.len()).find_map(|place| {
            let FlatLiteral::Positive(atom) = &body[place] else { return None };
            if atom.relation != row.relation {
                return None;
            }
            let mut plan = plan.clone();
            for (term, (operand, is_open)) in atom.args.iter().zip(&row.columns) {
                match (plan.value(*term), *term) {
                    (Some(known), _) if known == *operand => {}
                    // An argument that the head of the move has must be known from the move.
                    (None, FlatTerm::Variable(v)) if *is_open => {
                        plan.env[usize::from(v.0)] = Some(*operand);
                    }
                    _ => return None,
                }
            }
            let mut body = body.clone();
            body.remove(place);
            self.matched(rest, body, &plan)
        })
    }

    /// Whether a rule only repeats values that entries already have, if each entry has exactly one
    /// value.
    pub(super) fn changes_nothing(
        &mut self,
        rule: &FlatRule,
        base: RelationId,
    ) -> Result<bool, Stop> {
        let shape = self.analysis.shapes[&base].clone();
        let Some(column) = shape.value.filter(|_| shape.covered) else { return Ok(false) };
        let atoms: Vec<FlatAtom> = positive(&rule.body).cloned().collect();
        if atoms.iter().any(|atom| self.asks_moves(atom.relation)) {
            return Ok(false);
        }
        let Some(answers) = self.relations.all_answers(
            &atoms,
            usize::from(rule.variables),
            0,
            &self.analysis.shapes,
        )?
        else {
            return Ok(false);
        };
        let mut pairs: Vec<(Vec<Clause>, Vec<Clause>)> = Vec::new();
        for answer in answers {
            let symbol = |term: &FlatTerm| match *term {
                FlatTerm::Constant(symbol) => Some(symbol),
                FlatTerm::Variable(v) => answer.values[usize::from(v.0)],
            };
            let row: Option<Vec<Symbol>> = rule.head.args.iter().map(symbol).collect();
            let Some(row) = row else { return Ok(false) };
            let is_other = |fact: &&(Vec<Symbol>, Signal)| {
                let mut columns = fact.0.iter().zip(&row).enumerate();
                columns.all(|(at, (own, symbol))| (own == symbol) != (at == column))
            };
            self.input.meter.spend(shape.facts.len())?;
            for (_, signal) in shape.facts.iter().filter(is_other) {
                pairs.push((answer.clauses.clone(), vec![vec![*signal]]));
            }
            if pairs.len() > MOST_PAIRS {
                return Ok(false);
            }
        }
        let pairs: Vec<[&[Clause]; 2]> =
            pairs.iter().map(|(one, other)| [&one[..], other]).collect();
        Ok(self.proofs.are_apart(&pairs, self.input.net, self.input.meter)?)
    }

    fn asks_moves(&self, relation: RelationId) -> bool {
        relation == self.input.normal.does || self.relations.info(relation).asks_moves
    }
}
