//! The known sizes of relations, and the size of a join that follows from them.
//!
//! Values are taken to be spread evenly, and columns not to depend on each other.

use super::program::{Atom, RelationIndex, variable};
use super::rows::Rows;
use fixedbitset::FixedBitSet;
use gdlr_text::budget::{Exhausted, Meter};

/// The known sizes of relations.
#[derive(Debug)]
pub(super) struct Sizes {
    /// By relation: how many rows.
    pub rows: Vec<f64>,
    /// By relation and column: how many different symbols.
    pub distinct: Vec<Vec<f64>>,
}

impl Sizes {
    /// Takes in what is known exactly of a relation.
    pub fn know(
        &mut self,
        relation: RelationIndex,
        rows: &Rows,
        width: usize,
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        self.rows[relation.index()] = rows.len() as f64;
        for column in 0..width {
            let mut seen = FixedBitSet::with_capacity(1 << 16);
            rows.iter().for_each(|row| seen.insert(usize::from(row[column].index())));
            self.distinct[relation.index()][column] = seen.count_ones(..) as f64;
            meter.spend(rows.len())?;
        }
        Ok(())
    }
}

/// A join under way.
#[derive(Clone, Debug)]
pub(super) struct Join {
    pub rows: f64,
    /// By variable: how many different values, once it is bound.
    pub distinct: Vec<Option<f64>>,
}

impl Join {
    pub fn new(variables: usize) -> Join {
        Join { rows: 1.0, distinct: vec![None; variables] }
    }

    /// How many times as many rows there are once an atom is joined.
    pub fn factor(&self, sizes: &Sizes, atom: &Atom) -> f64 {
        let columns = &sizes.distinct[atom.relation.index()];
        let mut rows = sizes.rows[atom.relation.index()];
        for (place, (&arg, &here)) in atom.args.iter().zip(columns).enumerate() {
            let repeated = atom.args[..place].contains(&arg);
            rows /= match variable(arg) {
                None => here,
                Some(_) if repeated => here,
                Some(v) => match self.distinct[usize::from(v.0)] {
                    Some(there) => here.max(there),
                    None => 1.0,
                },
            }
            .max(1.0);
        }
        rows
    }

    pub fn add(&mut self, sizes: &Sizes, atom: &Atom) {
        self.rows *= self.factor(sizes, atom);
        let columns = &sizes.distinct[atom.relation.index()];
        for (&arg, &here) in atom.args.iter().zip(columns) {
            if let Some(v) = variable(arg) {
                let value = &mut self.distinct[usize::from(v.0)];
                *value = Some(value.map_or(here, |there| there.min(here)));
            }
        }
    }
}
