//! What at most one row answers (a functional dependency), and what changes nothing, as the net proves.
//!
//! The rows that may answer the conditions of a rule are compared in pairs: no state has both if a
//! fact that the one needs and a fact that the other needs are never true together. Which facts are
//! is asked of the net.
//!
//! ```text
//! (<= (legal ?p (drop ?c)) (true (cell ?c ?h free)) (lies ?c ?h) …)      one height for each column
//! (<= (next (cell ?c ?h ?p)) (does ?p (drop ?c)) (true (cell ?c ?h free)) (lies ?c ?h))
//! ```
//!
//! So the walk of a move keeps the row that it has found, and what the move does need not look for it
//! again.

use super::Planner;
use super::body::Plan;
use crate::export::rules::Stop;
use crate::export::rules::analysis::{Groups, variable};
use crate::export::rules::build::Operand;
use gdlr_net::net::{Signal, never_together};
use gdlr_rules::gdl::{Symbol, Variable};
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// How many rows may answer the conditions of a rule, and how many are compared with others for that.
const MOST_ROWS: usize = 1 << 12;
const MOST_COMPARED: usize = 1 << 20;
/// How many pairs of facts the net is asked about at once.
const MOST_PAIRS: usize = 1 << 12;
/// How deep derived relations are looked into.
const DEEPEST: usize = 3;

/// Atoms of which is known which row answers them.
pub(super) type Found = Vec<Row>;

/// A row of a relation: by column, where its symbol is, and whether the row was looked for to know it.
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

/// What the net has been asked.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    /// By pair of facts, the smaller signal first: whether no state has both.
    apart: HashMap<[Signal; 2], bool>,
}

/// Facts of which one at least holds.
type Clause = Vec<Signal>;

/// One way in which conditions may be answered.
#[derive(Clone, Debug)]
struct Answer {
    /// By variable.
    values: Vec<Option<Symbol>>,
    /// What holds then.
    clauses: Vec<Clause>,
}

/// The rows of a relation, each with what holds if it does.
type Rows = Vec<(Vec<Symbol>, Option<Clause>)>;

impl Planner<'_> {
    /// The conditions that a rule asks about other variables than those of its head, with the row that
    /// answers them, if that is at most one for each head.
    pub(super) fn only_answer(
        &mut self,
        rule: &FlatRule,
        plan: &Plan,
    ) -> Result<Option<Found>, Stop> {
        let is_open = |atom: &FlatAtom| {
            let mut terms = atom.args.iter();
            terms.any(|term| is_variable(term) && !rule.head.args.contains(term))
        };
        let open: Vec<FlatAtom> =
            positive(&rule.body).filter(|atom| is_open(atom)).cloned().collect();
        let mut found = Found::new();
        for atom in &open {
            let column = |term: &FlatTerm| {
                let is_open = is_variable(term) && !rule.head.args.contains(term);
                Some((plan.value(*term)?, is_open))
            };
            match atom.args.iter().map(column).collect() {
                Some(columns) => found.push(Row { relation: atom.relation, columns }),
                None => return Ok(None),
            }
        }
        let Some(answers) = self.all_answers(&open, usize::from(rule.variables), 0)? else {
            return Ok(None);
        };
        let head: Vec<Variable> = rule.head.args.iter().copied().filter_map(variable).collect();
        let mut by: BTreeMap<Vec<Option<Symbol>>, Vec<&Answer>> = BTreeMap::new();
        for answer in &answers {
            let key = head.iter().map(|v| answer.values[usize::from(v.0)]).collect();
            by.entry(key).or_default().push(answer);
        }
        let mut asked: Vec<[&[Clause]; 2]> = Vec::new();
        for group in by.values() {
            for (place, one) in group.iter().enumerate() {
                self.input.meter.spend(1)?;
                asked.extend(group[..place].iter().map(|other| [&one.clauses[..], &other.clauses]));
                if asked.len() > MOST_PAIRS {
                    return Ok(None);
                }
            }
        }
        let are_apart = self.are_apart(&asked)?;
        Ok(are_apart.then_some(found))
    }

    /// Lets the row that a move has found answer conditions of what it does: what is left of these, and
    /// the plan in which the row is known. `None` if they ask for less than the move did.
    pub(super) fn answered(
        &self,
        body: &[FlatLiteral],
        plan: &Plan,
        found: &[Row],
    ) -> Option<(Vec<FlatLiteral>, Plan)> {
        (!found.is_empty()).then_some(())?;
        self.matched(found, body.to_vec(), plan)
    }

    fn matched(
        &self,
        found: &[Row],
        body: Vec<FlatLiteral>,
        plan: &Plan,
    ) -> Option<(Vec<FlatLiteral>, Plan)> {
        let Some((row, rest)) = found.split_first() else {
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
                    // What the move says must be known from the move.
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

    /// Whether a rule gives entries of which one value always holds no other value than they have.
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
        let Some(answers) = self.all_answers(&atoms, usize::from(rule.variables), 0)? else {
            return Ok(false);
        };
        let mut asked: Vec<(Vec<Clause>, Vec<Clause>)> = Vec::new();
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
                asked.push((answer.clauses.clone(), vec![vec![*signal]]));
            }
            if asked.len() > MOST_PAIRS {
                return Ok(false);
            }
        }
        let asked: Vec<[&[Clause]; 2]> =
            asked.iter().map(|(one, other)| [&one[..], other]).collect();
        self.are_apart(&asked)
    }

    fn asks_moves(&self, relation: RelationId) -> bool {
        relation == self.input.normal.does || self.relations.info(relation).asks_moves
    }

    /// Whether for each two lists of clauses no state has all of both: the facts of a clause of the one
    /// are never true together with those of a clause of the other.
    fn are_apart(&mut self, asked: &[[&[Clause]; 2]]) -> Result<bool, Stop> {
        let groups = Groups::of(self.input.net);
        let mut new: HashSet<[Signal; 2]> = HashSet::new();
        for [ones, others] in asked {
            for (one, other) in ones.iter().flat_map(|one| others.iter().map(move |o| (one, o))) {
                for pair in
                    one.iter().flat_map(|&a| other.iter().map(move |&b| [a.min(b), a.max(b)]))
                {
                    self.input.meter.spend(1)?;
                    if self.proofs.apart.contains_key(&pair) {
                        continue;
                    }
                    let known = match pair[0].gate() == pair[1].gate() {
                        true => Some(pair[0] != pair[1]),
                        false => groups.exclusive(&pair).then_some(true),
                    };
                    match known {
                        Some(known) => drop(self.proofs.apart.insert(pair, known)),
                        None => drop(new.insert(pair)),
                    }
                }
            }
            if new.len() > MOST_PAIRS {
                return Ok(false);
            }
        }
        let mut new: Vec<[Signal; 2]> = new.into_iter().collect();
        new.sort_unstable();
        let proven = never_together(self.input.net, &new, self.input.meter)?;
        self.proofs.apart.extend(new.into_iter().zip(proven));
        let apart = &self.proofs.apart;
        let never = |one: &Clause, other: &Clause| {
            one.iter().all(|&a| other.iter().all(|&b| apart[&[a.min(b), a.max(b)]]))
        };
        Ok(asked.iter().all(|[ones, others]| {
            ones.iter().any(|one| others.iter().any(|other| never(one, other)))
        }))
    }

    /// The ways in which atoms may all be answered. `None` if there are too many.
    fn all_answers(
        &mut self,
        atoms: &[FlatAtom],
        variables: usize,
        depth: usize,
    ) -> Result<Option<Vec<Answer>>, Stop> {
        let mut left: Vec<(&FlatAtom, Rows)> = Vec::new();
        for atom in atoms {
            match self.rows_that_may(atom.relation, depth)? {
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
    fn rows_that_may(&mut self, relation: RelationId, depth: usize) -> Result<Option<Rows>, Stop> {
        if let Some(rows) = self.relations.rows(relation) {
            return Ok(Some(rows.iter().map(|row| (row.clone(), None)).collect()));
        }
        if let Some(shape) = self.analysis.shapes.get(&relation) {
            let facts = shape.facts.iter();
            let clause = |signal: Signal| (signal != Signal::TRUE).then(|| vec![signal]);
            return Ok(Some(facts.map(|(row, signal)| (row.clone(), clause(*signal))).collect()));
        }
        let info = self.relations.info(relation).clone();
        let is_known = info.is_derived() && info.group.is_none() && !info.asks_moves;
        if !is_known || depth == DEEPEST || self.relations.origin(relation) != relation {
            return Ok(None);
        }
        // If a row holds, something that one of its rules needs does.
        let mut by: BTreeMap<Vec<Symbol>, Option<Clause>> = BTreeMap::new();
        for number in info.rules {
            let rule = self.relations.rules[number].clone();
            let atoms: Vec<FlatAtom> = positive(&rule.body).cloned().collect();
            let count = usize::from(rule.variables);
            let Some(answers) = self.all_answers(&atoms, count, depth + 1)? else {
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
fn positive(body: &[FlatLiteral]) -> impl Iterator<Item = &FlatAtom> {
    body.iter().filter_map(|literal| match literal {
        FlatLiteral::Positive(atom) => Some(atom),
        _ => None,
    })
}

fn is_variable(term: &FlatTerm) -> bool {
    variable(*term).is_some()
}
