//! Hashing of rows on the columns asked for (FI, VII.A).
//!
//! FI hashes constant and state facts with a tree of first and last positions, built before
//! use. Here an [`Index`] is an open-addressing table from the symbols in some columns to
//! the rows that have them, chained from the last row to the first. It follows a growing
//! [`RowSet`] row by row, and forgetting everything is one addition: a slot counts only if
//! it bears the current epoch. Both costs are linear in the rows added, none in the size of
//! the table.

use super::row_set::RowSet;
use crate::gdl::Symbol;

/// The end of a chain.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    epoch: u32,
    row: u32,
}

/// From the symbols in some columns to the rows that have them.
#[derive(Clone, Debug)]
pub(super) struct Index {
    columns: Box<[u16]>,
    /// Whether rows with equal symbols are chained. If not, the first one counts.
    chained: bool,
    slots: Vec<Slot>,
    /// 64 less the number of bits of a slot's place.
    shift: u32,
    epoch: u32,
    /// By row: the row before it with the same symbols.
    before: Vec<u32>,
    /// How many rows are in.
    len: usize,
}

const FIRST_BITS: u32 = 4;

#[inline]
fn mix(hash: u64, four: u64) -> u64 {
    (hash.rotate_left(23) ^ four).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline]
fn hash(symbols: impl Iterator<Item = Symbol>) -> u64 {
    let mut result = 0;
    let mut four = 0u64;
    let mut count = 0;
    for symbol in symbols {
        four = four << 16 | u64::from(symbol.index());
        count += 1;
        if count == 4 {
            result = mix(result, four);
            (four, count) = (0, 0);
        }
    }
    if count > 0 { mix(result, four) } else { result }
}

impl Index {
    pub(super) fn new(columns: &[u16], chained: bool) -> Self {
        Index {
            columns: columns.into(),
            chained,
            slots: vec![Slot::default(); 1 << FIRST_BITS],
            shift: 64 - FIRST_BITS,
            epoch: 1,
            before: Vec::new(),
            len: 0,
        }
    }

    pub(super) fn columns(&self) -> &[u16] {
        &self.columns
    }

    /// How many rows are in.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.before.clear();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.slots.fill(Slot::default());
            self.epoch = 1;
        }
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }

    /// The last row whose columns have the symbols of `key`, or [`NONE`]. The symbols are
    /// asked for twice, so that nobody needs to keep them.
    #[inline]
    pub(super) fn last(
        &self,
        rows: &RowSet,
        key: impl Iterator<Item = (u16, Symbol)> + Clone,
    ) -> u32 {
        let mask = self.slots.len() - 1;
        let mut place = self.place(hash(key.clone().map(|(_, symbol)| symbol)));
        loop {
            let slot = self.slots[place];
            if slot.epoch != self.epoch {
                return NONE;
            }
            let row = rows.row(slot.row as usize);
            if key.clone().all(|(column, symbol)| row[column as usize] == symbol) {
                return slot.row;
            }
            place = (place + 1) & mask;
        }
    }

    /// The row before `row` with the same key, or [`NONE`].
    #[inline]
    pub(super) fn before(&self, row: u32) -> u32 {
        self.before[row as usize]
    }

    /// Takes in the rows up to, not including, number `end`.
    pub(super) fn extend(&mut self, rows: &RowSet, end: usize) {
        if self.len < end {
            self.reserve(rows, end);
        }
        while self.len < end {
            let row = rows.row(self.len);
            let hash = hash(self.columns.iter().map(|&column| row[column as usize]));
            self.add(rows, hash);
        }
    }

    /// Takes in the spare row of `rows` if there is none like it, which the caller then has
    /// to keep. Returns whether it did.
    #[inline]
    pub(super) fn insert_spare(&mut self, rows: &mut RowSet) -> bool {
        debug_assert_eq!(self.len, rows.len());
        if (self.len + 1) * 2 > self.slots.len() {
            self.reserve(rows, self.len + 1);
        }
        let mask = self.slots.len() - 1;
        let width = rows.width();
        let start = rows.len();
        let spare = rows.spare();
        debug_assert_eq!(spare.len(), width);
        let mut place = self.place(hash(spare.iter().copied()));
        loop {
            let slot = self.slots[place];
            if slot.epoch != self.epoch {
                self.slots[place] = Slot { epoch: self.epoch, row: start as u32 };
                self.len += 1;
                return true;
            }
            if rows.equals_spare(slot.row as usize) {
                return false;
            }
            place = (place + 1) & mask;
        }
    }

    /// Adds row number `self.len` of `rows`, whose key has this hash.
    #[inline]
    fn add(&mut self, rows: &RowSet, hash: u64) {
        let mask = self.slots.len() - 1;
        let row = rows.row(self.len);
        let number = self.len as u32;
        let mut place = self.place(hash);
        self.len += 1;
        loop {
            let slot = self.slots[place];
            if slot.epoch != self.epoch {
                self.slots[place] = Slot { epoch: self.epoch, row: number };
                if self.chained {
                    self.before.push(NONE);
                }
                return;
            }
            let other = rows.row(slot.row as usize);
            if self.columns.iter().all(|&column| other[column as usize] == row[column as usize]) {
                if self.chained {
                    self.before.push(slot.row);
                    self.slots[place].row = number;
                }
                return;
            }
            place = (place + 1) & mask;
        }
    }

    /// Makes room for `len` rows, placing those that are in anew if need be.
    #[cold]
    fn reserve(&mut self, rows: &RowSet, len: usize) {
        if len * 2 <= self.slots.len() {
            return;
        }
        let bits = (len * 2).next_power_of_two().trailing_zeros();
        self.slots.clear();
        self.slots.resize(1 << bits, Slot::default());
        self.shift = 64 - bits;
        let known = self.len;
        self.clear();
        while self.len < known {
            let row = rows.row(self.len);
            let hash = hash(self.columns.iter().map(|&column| row[column as usize]));
            self.add(rows, hash);
        }
    }

    /// Bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>() + self.before.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(index: u16) -> Symbol {
        Symbol::from_index(index)
    }

    fn rows() -> RowSet {
        let mut rows = RowSet::new(2);
        for i in 0..1000 {
            rows.push(&[symbol(i % 7), symbol(i)]);
        }
        rows
    }

    #[test]
    fn chains_hold_every_row_once() {
        let rows = rows();
        let mut index = Index::new(&[0], true);
        index.extend(&rows, 500);
        index.extend(&rows, 1000);
        let mut row = index.last(&rows, [(0, symbol(3))].into_iter());
        let mut found = 0;
        while row != NONE {
            assert_eq!(rows.row(row as usize)[0], symbol(3));
            found += 1;
            row = index.before(row);
        }
        assert_eq!(found, (0..1000).filter(|i| i % 7 == 3).count());
        assert_eq!(index.last(&rows, [(0, symbol(9))].into_iter()), NONE);
    }

    #[test]
    fn clearing_forgets_everything() {
        let rows = rows();
        let mut index = Index::new(&[1], true);
        index.extend(&rows, 1000);
        index.clear();
        assert_eq!(index.last(&rows, [(1, symbol(5))].into_iter()), NONE);
        index.epoch = u32::MAX;
        index.extend(&rows, 10);
        index.clear();
        assert_eq!(index.last(&rows, [(1, symbol(5))].into_iter()), NONE);
    }
}
