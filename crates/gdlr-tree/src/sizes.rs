//! How large relations are in a typical state, as far as that is known.

use super::table::Table;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{FlatAtom, FlatTerm, RelationId};
use hashbrown::HashMap;

/// The rows to expect a free column, of a relation that has not been measured.
const UNKNOWN_ROWS: f64 = 6.0;
/// Likewise of a relation that is too large to count.
const HUGE_ROWS: f64 = 1000.0;
/// How often such a relation holds when all its columns are bound.
const UNKNOWN_TEST: f64 = 0.4;

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

/// The size of a relation, as far as it is known.
#[derive(Clone, Debug)]
enum KnownSize {
    Nothing,
    /// Too large to count.
    Huge,
    Counted(Size),
}

/// The sizes of the relations, as far as they are known.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    known: Vec<KnownSize>,
}

impl Sizes {
    pub(super) fn new(relations: usize) -> Self {
        Sizes { known: vec![KnownSize::Nothing; relations] }
    }

    pub(super) fn set(&mut self, relation: RelationId, size: Size) {
        self.known[relation.index()] = KnownSize::Counted(size);
    }

    /// Notes that a relation is too large to count, and to be asked for all its rows.
    pub(super) fn set_huge(&mut self, relation: RelationId) {
        self.known[relation.index()] = KnownSize::Huge;
    }

    /// How many rows of an atom to expect for given symbols in its bound columns.
    pub(super) fn matches(&self, atom: &FlatAtom, bound: &[bool]) -> f64 {
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
            KnownSize::Nothing => return guess(UNKNOWN_ROWS),
            KnownSize::Huge => return guess(HUGE_ROWS),
            KnownSize::Counted(size) => size,
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

/// The mean size of a relation over several tables of it.
pub(super) fn size_of<'a>(tables: impl Iterator<Item = &'a Table>) -> Size {
    let mut size = Size { rows: 0.0, distinct: Vec::new(), frequency: HashMap::new() };
    let mut count = 0.0;
    for table in tables {
        count += 1.0;
        let width = table.rows().width();
        size.distinct.resize(width, 0.0);
        size.rows += table.len() as f64;
        let mut seen: HashMap<(u16, Symbol), f64> = HashMap::new();
        for row in table.rows().iter() {
            for (column, &symbol) in row.iter().enumerate() {
                *seen.entry((column as u16, symbol)).or_default() += 1.0;
            }
        }
        for ((column, symbol), rows) in seen {
            size.distinct[usize::from(column)] += 1.0;
            *size.frequency.entry((column, symbol)).or_default() += rows;
        }
    }
    size.rows /= count;
    size.distinct.iter_mut().for_each(|d| *d /= count);
    size.frequency.values_mut().for_each(|rows| *rows /= count);
    size
}
