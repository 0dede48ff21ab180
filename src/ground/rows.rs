//! Interned rows: the tuples that the fixpoint moves about are numbers.

use crate::gdl::Symbol;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// A set of rows of one width, numbered in the order of their arrival.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    width: usize,
    symbols: Vec<Symbol>,
    count: u32,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Rows {
    pub fn new(width: usize) -> Rows {
        Rows { width, ..Rows::default() }
    }

    pub fn len(&self) -> usize {
        self.count as usize
    }

    pub fn row(&self, number: u32) -> &[Symbol] {
        let start = number as usize * self.width;
        &self.symbols[start..start + self.width]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[Symbol]> {
        (0..self.count).map(|number| self.row(number))
    }

    /// The number of a row, and whether it is new.
    pub fn insert(&mut self, row: &[Symbol]) -> (u32, bool) {
        debug_assert_eq!(row.len(), self.width);
        let Rows { width, symbols, count, numbers, hasher } = self;
        let at = |number: u32| &symbols[number as usize * *width..(number as usize + 1) * *width];
        let hash = hasher.hash_one(row);
        if let Some(&number) = numbers.find(hash, |&number| at(number) == row) {
            return (number, false);
        }
        let number = *count;
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(at(number)));
        symbols.extend_from_slice(row);
        *count += 1;
        (number, true)
    }

    /// The number of a row that is there.
    pub fn get(&self, row: &[Symbol]) -> Option<u32> {
        let hash = self.hasher.hash_one(row);
        self.numbers.find(hash, |&number| self.row(number) == row).copied()
    }

    /// About how much memory the rows take. Room that a list has to grow is no memory until it
    /// is written to; tables are written to everywhere.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.symbols[..]) + self.numbers.capacity() * 5 * 8 / 7
    }
}

/// Keys of joins: the values of some columns as one number. Up to two columns are packed,
/// more are interned.
#[derive(Debug, Default)]
pub(super) struct Keys {
    wide: Vec<Rows>,
    bytes: usize,
}

impl Keys {
    pub fn key(&mut self, columns: &[Symbol]) -> u32 {
        match *columns {
            [] => 0,
            [a] => u32::from(a.index()),
            [a, b] => u32::from(a.index()) << 16 | u32::from(b.index()),
            _ => {
                while self.wide.len() <= columns.len() {
                    self.wide.push(Rows::new(self.wide.len()));
                }
                let rows = &mut self.wide[columns.len()];
                let before = rows.bytes();
                let (number, _) = rows.insert(columns);
                self.bytes += rows.bytes() - before;
                number
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
