//! The order of a rule's conditions.
//!
//! FI keeps the order of the text. Here a condition comes the earlier the fewer rows it is
//! likely to leave, going by how large the relations were in states of sample play, and
//! tests come as soon as their variables are bound.

use crate::gdl::{Symbol, Variable};
use crate::normal::{FlatAtom, FlatLiteral, FlatRule, FlatTerm, RelationId};
use hashbrown::HashMap;

/// How large a relation is in a typical state.
#[derive(Clone, Debug)]
pub(super) struct Size {
    /// Its rows.
    pub(super) rows: f64,
    /// By column: its different symbols.
    pub(super) distinct: Vec<f64>,
    /// The rows that have a symbol in a column.
    pub(super) frequency: HashMap<(u16, Symbol), f64>,
}

/// What is known of a relation's size.
#[derive(Clone, Debug)]
enum Known {
    Nothing,
    /// Too large to count.
    Huge,
    Counted(Size),
}

/// The sizes of the relations, as far as they are known.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    known: Vec<Known>,
}

impl Sizes {
    pub(super) fn new(relations: usize) -> Self {
        Sizes { known: vec![Known::Nothing; relations] }
    }

    pub(super) fn set(&mut self, relation: RelationId, size: Size) {
        self.known[relation.index()] = Known::Counted(size);
    }

    /// Notes that a relation is too large to count, and to be asked for all its rows.
    pub(super) fn set_huge(&mut self, relation: RelationId) {
        self.known[relation.index()] = Known::Huge;
    }

    /// How many rows of an atom to expect for given symbols in its bound columns.
    fn matches(&self, atom: &FlatAtom, bound: &[bool]) -> f64 {
        // Where nothing is counted: the more is bound, the better, but never as good as a
        // relation that is known to be small.
        let guess = |a_column: f64| {
            let free = |arg: &&FlatTerm| match arg {
                FlatTerm::Constant(_) => false,
                FlatTerm::Variable(v) => !bound[usize::from(v.0)],
            };
            UNKNOWN_TEST * a_column.powi(atom.args.iter().filter(free).count().min(50) as i32)
        };
        let size = match &self.known[atom.relation.index()] {
            Known::Nothing => return guess(UNKNOWN_ROWS),
            Known::Huge => return guess(HUGE_ROWS),
            Known::Counted(size) => size,
        };
        let total = size.rows.max(0.05);
        let mut rows = total;
        for (column, arg) in atom.args.iter().enumerate() {
            let distinct = size.distinct[column].max(1.0);
            match arg {
                FlatTerm::Variable(v) if bound[usize::from(v.0)] => rows /= distinct,
                FlatTerm::Variable(_) => {}
                FlatTerm::Constant(symbol) => {
                    rows *= match size.frequency.get(&(column as u16, *symbol)) {
                        Some(&with) => (with / total).clamp(0.002, 1.0),
                        None => 0.2 / distinct,
                    };
                }
            }
        }
        rows
    }
}

/// The rows to expect a free column, of a relation that has not been measured.
const UNKNOWN_ROWS: f64 = 6.0;
/// Likewise of a relation that is too large to count.
const HUGE_ROWS: f64 = 1000.0;
/// How often such a relation holds when all its columns are bound.
const UNKNOWN_TEST: f64 = 0.4;

/// The variables of a literal.
pub(super) fn variables(literal: &FlatLiteral, visit: &mut impl FnMut(Variable)) {
    let mut term = |term: &FlatTerm| {
        if let FlatTerm::Variable(v) = term {
            visit(*v);
        }
    };
    match literal {
        FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
            atom.args.iter().for_each(term);
        }
        FlatLiteral::Distinct(pairs) | FlatLiteral::Same(pairs) => {
            for (a, b) in pairs {
                term(a);
                term(b);
            }
        }
        FlatLiteral::Any(branches) => {
            branches.iter().flatten().for_each(|literal| variables(literal, visit));
        }
    }
}

/// The places of a rule's conditions in the order to prove them, given the variables that
/// are bound to begin with. `proved` says of a relation whether it has rules to prove.
pub(super) fn order(
    rule: &FlatRule,
    mut bound: Vec<bool>,
    sizes: &Sizes,
    proved: &dyn Fn(RelationId) -> bool,
) -> Vec<usize> {
    let binds = |literal: &FlatLiteral| matches!(literal, FlatLiteral::Positive(_));
    // Variables that some positive condition binds, now or later.
    let mut bindable = bound.clone();
    for literal in rule.body.iter().filter(|literal| binds(literal)) {
        variables(literal, &mut |v| bindable[usize::from(v.0)] = true);
    }
    let mut left: Vec<usize> = (0..rule.body.len()).collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let ready = |place: usize, bound: &[bool]| {
            let mut ready = true;
            variables(&rule.body[place], &mut |v| {
                let v = usize::from(v.0);
                ready &= bound[v] || !bindable[v];
            });
            ready
        };
        // Tests that cost little.
        if let Some(found) = left.iter().position(|&place| {
            !binds(&rule.body[place]) && is_cheap(&rule.body[place], proved) && ready(place, &bound)
        }) {
            order.push(left.remove(found));
            continue;
        }
        let best = left
            .iter()
            .enumerate()
            .filter_map(|(at, &place)| match &rule.body[place] {
                FlatLiteral::Positive(atom) => {
                    let mut matches = sizes.matches(atom, &bound);
                    if proved(atom.relation) {
                        matches = matches * 1.5 + 0.5;
                    }
                    Some((matches, at))
                }
                _ => None,
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        // Tests that cost something come before rows are multiplied.
        let test = left.iter().position(|&place| !binds(&rule.body[place]) && ready(place, &bound));
        let next = match (best, test) {
            (Some((matches, at)), Some(_)) if matches < 1.0 => at,
            (_, Some(test)) => test,
            (Some((_, at)), None) => at,
            (None, None) => 0,
        };
        let place = left.remove(next);
        if binds(&rule.body[place]) {
            variables(&rule.body[place], &mut |v| bound[usize::from(v.0)] = true);
        }
        order.push(place);
    }
    order
}

/// Whether a test only looks at rows that are there anyway.
fn is_cheap(literal: &FlatLiteral, proved: &dyn Fn(RelationId) -> bool) -> bool {
    match literal {
        FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => !proved(atom.relation),
        FlatLiteral::Distinct(_) | FlatLiteral::Same(_) => true,
        FlatLiteral::Any(branches) => branches.iter().flatten().all(|l| is_cheap(l, proved)),
    }
}
