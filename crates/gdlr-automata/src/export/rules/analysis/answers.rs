//! The rows that may answer conditions, each with what holds if it does.

use super::relations::Relations;
use super::state::Shapes;
use super::unfold::variable;
use gdlr_net::net::Signal;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatTerm, RelationId};
use gdlr_text::budget::Exhausted;
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// How many rows may answer the conditions of a rule, and how many are compared with others for that.
const MOST_ROWS: usize = 1 << 12;
const MOST_COMPARED: usize = 1 << 20;
/// How deep derived relations are looked into.
const DEEPEST: usize = 3;

/// Facts of which one at least holds.
pub type Clause = Vec<Signal>;

/// One way in which conditions may be answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// By variable.
    pub values: Vec<Option<Symbol>>,
    /// What holds then.
    pub clauses: Vec<Clause>,
}

/// The rows of a relation, each with what holds if it does.
type Rows = Vec<(Vec<Symbol>, Option<Clause>)>;

impl Relations<'_> {
    /// The ways in which atoms may all be answered. `None` if there are too many.
    pub fn all_answers(
        &self,
        atoms: &[FlatAtom],
        variables: usize,
        depth: usize,
        shapes: &Shapes,
    ) -> Result<Option<Vec<Answer>>, Exhausted> {
        let mut left: Vec<(&FlatAtom, Rows)> = Vec::new();
        for atom in atoms {
            match self.rows_that_may(atom.relation, depth, shapes)? {
                Some(rows) => left.push((atom, rows)),
                None => return Ok(None),
            }
        }
        let mut answers = vec![Answer { values: vec![None; variables], clauses: Vec::new() }];
        let mut known: HashSet<FlatTerm> = HashSet::new();
        while !left.is_empty() {
            // What leaves least open comes first.
            let open = |atom: &FlatAtom| {
                atom.args.iter().filter(|term| is_variable(term) && !known.contains(*term)).count()
            };
            let next = (0..left.len()).min_by_key(|&at| (open(left[at].0), left[at].1.len()));
            let (atom, rows) = left.remove(next.unwrap_or(0));
            if answers.len().saturating_mul(rows.len()) > MOST_COMPARED {
                return Ok(None);
            }
            self.input.meter.spend(answers.len() * rows.len())?;
            let mut longer = Vec::new();
            for answer in &answers {
                longer.extend(rows.iter().filter_map(|(row, clause)| {
                    let mut answer = answer.clone();
                    for (term, &symbol) in atom.args.iter().zip(row) {
                        match *term {
                            FlatTerm::Constant(own) if own == symbol => {}
                            FlatTerm::Constant(_) => return None,
                            FlatTerm::Variable(v) => {
                                let own = answer.values[usize::from(v.0)].get_or_insert(symbol);
                                (*own == symbol).then_some(())?;
                            }
                        }
                    }
                    answer.clauses.extend(clause.clone());
                    Some(answer)
                }));
                if longer.len() > MOST_ROWS {
                    return Ok(None);
                }
            }
            known.extend(atom.args.iter().copied());
            answers = longer;
        }
        Ok(Some(answers))
    }

    /// The rows of a relation that may hold, with what holds then.
    fn rows_that_may(
        &self,
        relation: RelationId,
        depth: usize,
        shapes: &Shapes,
    ) -> Result<Option<Rows>, Exhausted> {
        if let Some(rows) = self.rows(relation) {
            return Ok(Some(rows.iter().map(|row| (row.clone(), None)).collect()));
        }
        if let Some(shape) = shapes.get(&relation) {
            let facts = shape.facts.iter();
            let clause = |signal: Signal| (signal != Signal::TRUE).then(|| vec![signal]);
            return Ok(Some(facts.map(|(row, signal)| (row.clone(), clause(*signal))).collect()));
        }
        let info = self.info(relation).clone();
        let is_known = info.is_derived() && info.group.is_none() && !info.asks_moves;
        if !is_known || depth == DEEPEST || self.origin(relation) != relation {
            return Ok(None);
        }
        // If a row holds, something that one of its rules needs does.
        let mut by: BTreeMap<Vec<Symbol>, Option<Clause>> = BTreeMap::new();
        for number in info.rules {
            let rule = self.rules[number].clone();
            let atoms: Vec<FlatAtom> = positive(&rule.body).cloned().collect();
            let count = usize::from(rule.variables);
            let Some(answers) = self.all_answers(&atoms, count, depth + 1, shapes)? else {
                return Ok(None);
            };
            for answer in answers {
                let symbol = |term: &FlatTerm| match *term {
                    FlatTerm::Constant(symbol) => Some(symbol),
                    FlatTerm::Variable(v) => answer.values[usize::from(v.0)],
                };
                let Some(row) = rule.head.args.iter().map(symbol).collect() else {
                    return Ok(None);
                };
                let needs = answer.clauses.into_iter().min_by_key(Vec::len);
                let all = by.entry(row).or_insert_with(|| Some(Vec::new()));
                match (all.as_mut(), needs) {
                    (Some(all), Some(needs)) => all.extend(needs),
                    _ => *all = None,
                }
            }
        }
        Ok(Some(by.into_iter().collect()))
    }
}

/// The atoms among conditions that are to hold.
pub fn positive(body: &[FlatLiteral]) -> impl Iterator<Item = &FlatAtom> {
    body.iter().filter_map(|literal| match literal {
        FlatLiteral::Positive(atom) => Some(atom),
        _ => None,
    })
}

pub fn is_variable(term: &FlatTerm) -> bool {
    variable(*term).is_some()
}
