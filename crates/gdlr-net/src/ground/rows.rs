//! Interned rows: the tuples that the fixpoint moves about are numbers.

use gdlr_rules::gdl::Symbol;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::{BuildHasher, Hasher};

/// A set of rows of one width, numbered in the order of their arrival.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    width: usize,
    symbols: Vec<Symbol>,
    count: u32,
    /// Hashes and numbers: one table, or [`SHARDS`] of them. A table that grows moves all that is
    /// in it; so nobody waits for more than a part of the rows.
    shards: Vec<HashTable<(u32, u32)>>,
    /// For how many numbers there is room in the tables.
    room: usize,
    hasher: DefaultHashBuilder,
}

/// How many tables there are for many rows.
const SHARDS: usize = 64;

/// How many rows are many.
const MANY: u32 = 1 << 16;

/// The hash of a row. Four symbols at once take a quarter of the time that each alone takes.
fn hash_of(hasher: &DefaultHashBuilder, row: &[Symbol]) -> u32 {
    let mut state = hasher.build_hasher();
    for symbols in row.chunks(4) {
        let pack = |word, symbol: &Symbol| word << 16 | u64::from(symbol.index());
        state.write_u64(symbols.iter().fold(0, pack));
    }
    state.finish() as u32
}

/// A hash as tables want it: they look at the lowest and at the highest bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// The table in which a hash is, of a power of two of them, by bits that tables look at last.
fn shard(hash: u32, shards: usize) -> usize {
    (hash >> 19) as usize & shards.saturating_sub(1)
}

impl Rows {
    pub fn new(width: usize) -> Rows {
        Rows { width, ..Rows::default() }
    }

    pub fn width(&self) -> usize {
        self.width
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
        let hash = hash_of(&self.hasher, row);
        if let Some(number) = self.find(hash, row) {
            return (number, false);
        }
        if self.count == 0 {
            self.shards = vec![HashTable::new()];
        } else if self.count == MANY {
            self.shards = vec![HashTable::new(); SHARDS];
            self.room = 0;
            (0..MANY)
                .for_each(|number| self.enter(hash_of(&self.hasher, self.row(number)), number));
        }
        let number = self.count;
        self.enter(hash, number);
        self.symbols.extend_from_slice(row);
        self.count += 1;
        (number, true)
    }

    fn enter(&mut self, hash: u32, number: u32) {
        let place = shard(hash, self.shards.len());
        let table = &mut self.shards[place];
        let before = table.capacity();
        table.insert_unique(spread(hash), (hash, number), |&(hash, _)| spread(hash));
        self.room += table.capacity() - before;
    }

    fn find(&self, hash: u32, row: &[Symbol]) -> Option<u32> {
        let table = self.shards.get(shard(hash, self.shards.len()))?;
        let is_row = |&(other, number): &(u32, u32)| other == hash && self.row(number) == row;
        table.find(spread(hash), is_row).map(|&(_, number)| number)
    }

    /// The number of a row that is there.
    pub fn get(&self, row: &[Symbol]) -> Option<u32> {
        self.find(hash_of(&self.hasher, row), row)
    }

    /// About how much memory the rows take. Room that a list has to grow is no memory until it
    /// is written to; tables are written to everywhere.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.symbols[..]) + self.room * 9 * 8 / 7
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
