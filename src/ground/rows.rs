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
    /// Numbers by hash: one table, or [`SHARDS`] of them. A table that grows moves all that is
    /// in it; so nobody waits for more than a part of the rows.
    shards: Vec<HashTable<u32>>,
    /// For how many numbers there is room in the tables.
    room: usize,
    hasher: DefaultHashBuilder,
}

/// How many tables there are for many rows.
const SHARDS: usize = 64;

/// How many rows are many.
const MANY: u32 = 1 << 16;

/// The table in which a hash is, of a power of two of them.
fn shard(hash: u64, shards: usize) -> usize {
    // Tables look at the lowest and the highest bits.
    (hash >> 32) as usize & shards.saturating_sub(1)
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
        let hash = self.hasher.hash_one(row);
        if let Some(number) = self.find(hash, row) {
            return (number, false);
        }
        if self.count == 0 {
            self.shards = vec![HashTable::new()];
        } else if self.count == MANY {
            self.shards = vec![HashTable::new(); SHARDS];
            self.room = 0;
            (0..MANY).for_each(|number| self.enter(self.hasher.hash_one(self.row(number)), number));
        }
        let number = self.count;
        self.enter(hash, number);
        self.symbols.extend_from_slice(row);
        self.count += 1;
        (number, true)
    }

    fn enter(&mut self, hash: u64, number: u32) {
        let Rows { width, symbols, shards, room, hasher, .. } = self;
        let row = |number: u32| &symbols[number as usize * *width..(number as usize + 1) * *width];
        let place = shard(hash, shards.len());
        let table = &mut shards[place];
        let before = table.capacity();
        table.insert_unique(hash, number, |&number| hasher.hash_one(row(number)));
        *room += table.capacity() - before;
    }

    fn find(&self, hash: u64, row: &[Symbol]) -> Option<u32> {
        let table = self.shards.get(shard(hash, self.shards.len()))?;
        table.find(hash, |&number| self.row(number) == row).copied()
    }

    /// The number of a row that is there.
    pub fn get(&self, row: &[Symbol]) -> Option<u32> {
        self.find(self.hasher.hash_one(row), row)
    }

    /// About how much memory the rows take. Room that a list has to grow is no memory until it
    /// is written to; tables are written to everywhere.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.symbols[..]) + self.room * 5 * 8 / 7
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
                self.bytes = self.bytes + rows.bytes() - before;
                number
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_rows_keep_their_numbers() {
        let row = |number: u32| [number, number >> 8].map(|n| Symbol::from_index(n as u16 & 0x3ff));
        let mut rows = Rows::new(2);
        let count = MANY + 1000;
        for number in 0..count {
            assert_eq!(rows.get(&row(number)), None);
            assert_eq!(rows.insert(&row(number)), (number, true));
            if number == 999 || number == MANY {
                assert_eq!(rows.insert(&row(number / 2)), (number / 2, false));
            }
        }
        assert!((0..count).all(|number| rows.get(&row(number)) == Some(number)));
        let tables: usize = rows.shards.iter().map(HashTable::capacity).sum();
        assert_eq!((rows.shards.len(), rows.room), (SHARDS, tables));
    }
}
