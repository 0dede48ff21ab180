//! The rows that may answer conditions, each with the facts that hold then.

use super::relations::Relations;
use super::state::Shapes;
use super::unfold::{variable, variables};
use gdlr_net::net::Signal;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use gdlr_text::budget::Exhausted;
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// The most rows that may answer the conditions of a rule, and the most comparisons of rows for
/// them.
const MOST_ROWS: usize = 1 << 12;
const MOST_COMPARED: usize = 1 << 20;
/// The most levels of derived relations that are opened.
const DEEPEST: usize = 3;

/// Facts, at least one of which holds.
pub type Clause = Vec<Signal>;

/// A possible answer to conditions.
#[derive(Clone, Debug)]
pub struct Answer {
    /// By variable: its value, if a condition determines it.
    pub values: Vec<Option<Symbol>>,
    /// Clauses that hold with the answer, one for each condition.
    pub clauses: Vec<Clause>,
    /// All clauses that are known to hold with the answer. Negative conditions are included.
    pub all: Vec<Clause>,
}

/// A row that may hold, with one clause that holds then, and all clauses that are known to hold
/// then.
#[derive(Clone, Debug)]
struct MayHold {
    row: Vec<Symbol>,
    clause: Option<Clause>,
    all: Vec<Clause>,
}

impl Relations<'_> {
    /// The possible answers to all atoms. `None` if there are too many.
    pub fn all_answers(
        &self,
        atoms: &[FlatAtom],
        variables: usize,
        depth: usize,
        shapes: &Shapes,
    ) -> Result<Option<Vec<Answer>>, Exhausted> {
        let mut left: Vec<(&FlatAtom, Vec<MayHold>)> = Vec::new();
        for atom in atoms {
            match self.rows_that_may(atom.relation, depth, shapes)? {
                Some(rows) => left.push((atom, rows)),
                None => return Ok(None),
            }
        }
        let mut answers =
            vec![Answer { values: vec![None; variables], clauses: Vec::new(), all: Vec::new() }];
        let mut bound: HashSet<FlatTerm> = HashSet::new();
        while !left.is_empty() {
            // An atom that shares a variable with the ones before it comes first: no product of rows
            // that have nothing in common. Of several, the one with the fewest open variables.
            let order = |at: &usize| {
                let (atom, rows) = &left[*at];
                let open = |term: &&FlatTerm| is_variable(term) && !bound.contains(*term);
                let is_apart = !atom.args.iter().any(|term| bound.contains(term));
                (is_apart, atom.args.iter().filter(open).count(), rows.len())
            };
            let next = (0..left.len()).min_by_key(order);
            let (atom, rows) = left.remove(next.unwrap_or(0));
            if answers.len().saturating_mul(rows.len()) > MOST_COMPARED {
                return Ok(None);
            }
            self.input.meter.spend(answers.len() * rows.len())?;
            let mut longer = Vec::new();
            for answer in &answers {
                longer.extend(rows.iter().filter_map(|may| answer.with(atom, may)));
                if longer.len() > MOST_ROWS {
                    return Ok(None);
                }
            }
            bound.extend(atom.args.iter().copied());
            answers = longer;
        }
        Ok(Some(answers))
    }

    /// The possible rows of a relation, each with its clauses.
    fn rows_that_may(
        &self,
        relation: RelationId,
        depth: usize,
        shapes: &Shapes,
    ) -> Result<Option<Vec<MayHold>>, Exhausted> {
        let may_hold = |row: &Vec<Symbol>, clause: Option<Clause>| MayHold {
            row: row.clone(),
            all: clause.iter().cloned().collect(),
            clause,
        };
        if let Some(rows) = self.rows(relation) {
            return Ok(Some(rows.iter().map(|row| may_hold(row, None)).collect()));
        }
        if let Some(shape) = shapes.get(&relation) {
            let facts = shape.facts.iter();
            let clause = |signal: Signal| (signal != Signal::TRUE).then(|| vec![signal]);
            return Ok(Some(facts.map(|(row, signal)| may_hold(row, clause(*signal))).collect()));
        }
        let info = self.info(relation).clone();
        let is_known = info.is_derived() && info.group.is_none() && !info.asks_moves;
        if !is_known || depth == DEEPEST || self.origin(relation) != relation {
            return Ok(None);
        }
        // If a row holds, a fact that one of its rules needs holds. If it has one rule, all its
        // facts hold.
        let mut by: BTreeMap<Vec<Symbol>, Vec<Answer>> = BTreeMap::new();
        for number in info.rules {
            let rule = self.rules[number].clone();
            let atoms: Vec<FlatAtom> = positive(&rule.body).cloned().collect();
            let count = usize::from(rule.variables);
            let Some(answers) = self.all_answers(&atoms, count, depth + 1, shapes)? else {
                return Ok(None);
            };
            for mut answer in answers {
                let Some(row) = answer.row(&rule.head) else { return Ok(None) };
                self.deny(&rule.body, &mut answer, shapes);
                by.entry(row).or_default().push(answer);
            }
        }
        let may_hold = |(row, ways): (Vec<Symbol>, Vec<Answer>)| {
            let needs = ways.iter().map(|way| way.clauses.iter().min_by_key(|clause| clause.len()));
            let clause: Option<Vec<&Clause>> = needs.collect();
            let clause = clause.map(|all| all.into_iter().flatten().copied().collect::<Clause>());
            let all = match &ways[..] {
                [only] => only.all.clone(),
                _ => clause.iter().cloned().collect(),
            };
            MayHold { row, clause, all }
        };
        Ok(Some(by.into_iter().map(may_hold).collect()))
    }

    /// The possible answers to the conditions of a rule, with negative conditions. `None` if there
    /// are too many.
    pub fn answers_of(
        &self,
        body: &[FlatLiteral],
        variables: usize,
        shapes: &Shapes,
    ) -> Result<Option<Vec<Answer>>, Exhausted> {
        let atoms: Vec<FlatAtom> = positive(body).cloned().collect();
        let mut answers = self.all_answers(&atoms, variables, 0, shapes)?;
        answers.iter_mut().flatten().for_each(|answer| self.deny(body, answer, shapes));
        Ok(answers)
    }

    /// Adds the clauses of negative conditions whose variables are known.
    fn deny(&self, body: &[FlatLiteral], answer: &mut Answer, shapes: &Shapes) {
        for literal in body {
            let FlatLiteral::Negative(atom) = literal else { continue };
            let Some(row) = answer.row(atom) else { continue };
            match shapes.get(&atom.relation) {
                Some(shape) => answer.all.extend(shape.signals.get(&row).map(|s| vec![!*s])),
                None => {
                    let rules = self.info(atom.relation).rules.iter();
                    let ways =
                        rules.filter_map(|&rule| self.refutation(&self.rules[rule], &row, shapes));
                    answer.all.extend(ways);
                }
            }
        }
    }

    /// The clause that holds if a rule does not give a row: one of its conditions fails. `None` if
    /// that is not known, or if the rule never gives the row.
    fn refutation(&self, rule: &FlatRule, row: &[Symbol], shapes: &Shapes) -> Option<Clause> {
        let values = vec![None; usize::from(rule.variables)];
        let mut answer = Answer { values, clauses: Vec::new(), all: Vec::new() };
        for (term, &symbol) in rule.head.args.iter().zip(row) {
            match *term {
                FlatTerm::Constant(own) => (own == symbol).then_some(())?,
                FlatTerm::Variable(v) => {
                    let own = answer.values[usize::from(v.0)].get_or_insert(symbol);
                    (*own == symbol).then_some(())?;
                }
            }
        }
        let mut clause = Clause::new();
        for (place, literal) in rule.body.iter().enumerate() {
            let (FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom)) = literal else {
                return None;
            };
            let holds = matches!(literal, FlatLiteral::Positive(_));
            if let Some(rows) = self.rows(atom.relation) {
                let is_asked_elsewhere = |term: &FlatTerm| {
                    let others = rule.body.iter().enumerate().filter(|(other, _)| *other != place);
                    let mut asked = false;
                    others.for_each(|(_, other)| {
                        variables(other, &mut |v| asked |= FlatTerm::Variable(v) == *term);
                    });
                    asked
                };
                let is_open = |term: &FlatTerm| answer.symbol(term).is_none();
                let mut open = atom.args.iter().filter(|term| is_open(term));
                if open.any(is_asked_elsewhere) {
                    return None;
                }
                let fits = |row: &Vec<Symbol>| {
                    let mut columns = atom.args.iter().zip(row);
                    columns
                        .all(|(term, symbol)| answer.symbol(term).is_none_or(|own| own == *symbol))
                };
                (rows.iter().any(fits) == holds).then_some(())?;
                continue;
            }
            let signal = shapes.get(&atom.relation)?.signals.get(&answer.row(atom)?);
            match signal {
                Some(signal) => clause.push(signal.negated_if(holds)),
                // The condition never holds.
                None if holds => return None,
                None => {}
            }
        }
        Some(clause)
    }
}

impl Answer {
    /// The answer if an atom is also the row. `None` if both contradict each other.
    fn with(&self, atom: &FlatAtom, may: &MayHold) -> Option<Answer> {
        // Most rows do not fit. They cost no copy.
        let value = |term: &FlatTerm| self.symbol(term);
        let fits =
            |(term, symbol): (&FlatTerm, &Symbol)| value(term).is_none_or(|own| own == *symbol);
        if !atom.args.iter().zip(&may.row).all(fits) {
            return None;
        }
        let mut answer = self.clone();
        for (term, &symbol) in atom.args.iter().zip(&may.row) {
            if let FlatTerm::Variable(v) = *term {
                let own = answer.values[usize::from(v.0)].get_or_insert(symbol);
                (*own == symbol).then_some(())?;
            }
        }
        answer.clauses.extend(may.clause.clone());
        answer.all.extend_from_slice(&may.all);
        Some(answer)
    }

    /// The value of a term, if it is known.
    pub fn symbol(&self, term: &FlatTerm) -> Option<Symbol> {
        match *term {
            FlatTerm::Constant(symbol) => Some(symbol),
            FlatTerm::Variable(v) => self.values[usize::from(v.0)],
        }
    }

    /// The row of an atom, if the values of all its terms are known.
    pub fn row(&self, atom: &FlatAtom) -> Option<Vec<Symbol>> {
        atom.args.iter().map(|term| self.symbol(term)).collect()
    }
}

/// The atoms of positive conditions.
pub fn positive(body: &[FlatLiteral]) -> impl Iterator<Item = &FlatAtom> {
    body.iter().filter_map(|literal| match literal {
        FlatLiteral::Positive(atom) => Some(atom),
        _ => None,
    })
}

pub fn is_variable(term: &FlatTerm) -> bool {
    variable(*term).is_some()
}
