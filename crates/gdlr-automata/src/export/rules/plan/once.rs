//! Searches that find each of their answers once.
//!
//! A move is a walk, and two walks to the same move would be two moves. A search through a recursive relation
//! finds an answer once if the static conditions of the rules leave one way to it: of a queen that slides over a
//! board, the squares where it starts and ends tell its direction and each square between them.
//!
//! ```text
//! (<= (glide ?s ?d ?t) (to ?d ?s ?t) (free ?t))                     a1 e d1: a1, b1, c1, d1
//! (<= (glide ?s ?d ?t) (glide ?s ?d ?u) (to ?d ?u ?t) (free ?t))
//! ```
//!
//! Conditions about the state only take ways away.

use super::Planner;
use super::through::recursive;
use crate::export::rules::analysis::{Answer, is_variable};
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use gdlr_text::budget::Exhausted;
use hashbrown::{HashMap, HashSet};

/// The most rows that are followed.
const MOST_ROWS: usize = 1 << 14;

impl Planner<'_> {
    /// Whether one way at most leads to each row of a relation, if rows are told apart by these columns alone.
    /// Each rule must give each of its rows once. `false` if it is not known.
    pub(super) fn finds_once(
        &self,
        relation: RelationId,
        in_key: &[bool],
    ) -> Result<bool, Exhausted> {
        let rules = self.relations.rules_of(relation);
        let (mut first, mut round) = (None, None);
        for rule in &rules {
            let of_kind = match recursive(rule, relation) {
                Some(_) => &mut round,
                None => &mut first,
            };
            if of_kind.replace(rule).is_some() {
                return Ok(false);
            }
        }
        let Some(first) = first else { return Ok(false) };
        let Some(answers) = self.static_answers(first)? else { return Ok(false) };
        let rows: Option<HashSet<Vec<Symbol>>> =
            answers.iter().map(|answer| answer.row(&first.head)).collect();
        let Some(rows) = rows else { return Ok(false) };
        let mut open: Vec<Vec<Symbol>> = rows.into_iter().collect();
        let steps = match round {
            None => None,
            Some(round) => match self.steps(round, relation)? {
                Some(steps) => Some(steps),
                None => return Ok(false),
            },
        };
        let mut seen: HashSet<Vec<Symbol>> = HashSet::new();
        while let Some(row) = open.pop() {
            let key = row.iter().zip(in_key).filter(|(_, in_key)| **in_key);
            if seen.len() == MOST_ROWS || !seen.insert(key.map(|(&symbol, _)| symbol).collect()) {
                return Ok(false);
            }
            if let Some(steps) = &steps {
                let next = steps.from(&row);
                self.input.meter.spend(1 + next.len())?;
                open.extend(next);
            }
        }
        Ok(true)
    }

    /// The answers to the static conditions of a rule. `None` if there are too many.
    fn static_answers(&self, rule: &FlatRule) -> Result<Option<Vec<Answer>>, Exhausted> {
        let is_static = |literal: &FlatLiteral| match literal {
            FlatLiteral::Positive(atom) if self.relations.rows(atom.relation).is_some() => {
                Some(atom.clone())
            }
            _ => None,
        };
        let atoms: Vec<FlatAtom> = rule.body.iter().filter_map(is_static).collect();
        let variables = usize::from(rule.variables);
        self.relations.all_answers(&atoms, variables, 0, &self.analysis.shapes)
    }

    /// The steps of a recursive rule. `None` if its static conditions do not tell its rows.
    fn steps(&self, rule: &FlatRule, relation: RelationId) -> Result<Option<Steps>, Exhausted> {
        let place = recursive(rule, relation);
        let Some(FlatLiteral::Positive(asked)) = place.map(|place| &rule.body[place]) else {
            return Ok(None);
        };
        let Some(answers) = self.static_answers(rule)? else { return Ok(None) };
        let has = |term: &FlatTerm| answers.iter().all(|answer| answer.symbol(term).is_some());
        let is_told =
            |term: &FlatTerm| !is_variable(term) || has(term) || asked.args.contains(term);
        if !rule.head.args.iter().all(is_told) {
            return Ok(None);
        }
        let shared: Vec<usize> =
            (0..asked.args.len()).filter(|&column| has(&asked.args[column])).collect();
        let mut by: HashMap<Vec<Symbol>, HashSet<Vec<Option<Symbol>>>> = HashMap::new();
        for answer in &answers {
            let key: Option<Vec<Symbol>> =
                shared.iter().map(|&column| answer.symbol(&asked.args[column])).collect();
            let next = rule.head.args.iter().map(|term| answer.symbol(term)).collect();
            if let Some(key) = key {
                by.entry(key).or_default().insert(next);
            }
        }
        let from = |term: &FlatTerm| asked.args.iter().position(|other| other == term);
        let kept = rule.head.args.iter().map(from).collect();
        Ok(Some(Steps { shared, by, kept }))
    }
}

/// The rows to which a recursive rule leads from a row.
struct Steps {
    /// The columns of a row by which steps are looked up.
    shared: Vec<usize>,
    /// By the symbols in these columns: the next rows, without columns that only the row itself tells.
    by: HashMap<Vec<Symbol>, HashSet<Vec<Option<Symbol>>>>,
    /// By column of the next row: the column of the row that has the same symbol.
    kept: Vec<Option<usize>>,
}

impl Steps {
    fn from(&self, row: &[Symbol]) -> Vec<Vec<Symbol>> {
        let key: Vec<Symbol> = self.shared.iter().map(|&column| row[column]).collect();
        let next = self.by.get(&key).into_iter().flatten();
        let full = |next: &Vec<Option<Symbol>>| {
            let columns = next.iter().zip(&self.kept);
            columns.map(|(own, kept)| own.or(kept.map(|column| row[column]))).collect()
        };
        next.filter_map(full).collect()
    }
}
