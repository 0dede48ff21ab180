//! Hash index: rows, found by the symbols in some columns (FI, VII.A).
//!
//! FI hashes constant facts and facts of the state with a tree of first and last positions, which is built before use. Here an
//! [`Index`] is an open-addressing table. A slot leads from the symbols in some columns to the last row that has them, and
//! each row leads to the row before. An index follows a growing [`RowSet`] row by row. It forgets all rows by one
//! addition: a slot counts only if it has the number of the current epoch. The cost of both is linear in the rows that are
//! added, and does not depend on the size of the table.

use super::looks::Looks;
use super::row_set::RowSet;
use gdlr_rules::gdl::Symbol;

/// The end of a chain.
pub(super) const NONE: u32 = u32::MAX;

/// The most columns whose symbols fit into a packed key.
const PACKED: usize = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The packed key of the row.
    key: u64,
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
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The symbols as one number: exactly, if there are at most [`PACKED`]; otherwise mixed, so
/// that different symbols may give the same number.
#[inline]
pub(super) fn pack(symbols: impl ExactSizeIterator<Item = Symbol>) -> u64 {
    if symbols.len() <= PACKED {
        return symbols.fold(0, |key, symbol| key << 16 | u64::from(symbol.index()));
    }
    let mut key = 0u64;
    for symbol in symbols {
        key = (key.rotate_left(16) ^ u64::from(symbol.index())).wrapping_mul(GOLDEN);
    }
    key
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
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(GOLDEN) >> self.shift) as usize
    }

    /// The last row with this packed key, or [`NONE`]. Where the key is not exact, `agrees`
    /// tells whether a row is meant.
    #[inline]
    pub(super) fn last(&self, key: u64, mut agrees: impl FnMut(u32) -> bool) -> u32 {
        let mask = self.slots.len() - 1;
        let mut place = self.place(key);
        loop {
            let slot = &self.slots[place & mask];
            if slot.epoch != self.epoch {
                return NONE;
            }
            if slot.key == key && (self.columns.len() <= PACKED || agrees(slot.row)) {
                return slot.row;
            }
            place += 1;
        }
    }

    /// The row before `row` with the same key, or [`NONE`].
    #[inline]
    pub(super) fn before(&self, row: u32) -> u32 {
        self.before[row as usize]
    }

    /// Takes in the rows up to, not including, number `end`, unless it gets late.
    pub(super) fn extend(&mut self, rows: &RowSet, end: usize, looks: &mut Looks) {
        if self.len < end {
            self.reserve(end);
        }
        let first = self.len;
        while self.len < end && !looks.is_late(self.len - first) {
            self.add(rows);
        }
    }

    /// Takes in the spare row of `rows` if there is none like it, which the caller then has
    /// to keep. Returns whether it did.
    #[inline]
    pub(super) fn insert_spare(&mut self, rows: &mut RowSet) -> bool {
        debug_assert_eq!(self.len, rows.len());
        if (self.len + 1) * 2 > self.slots.len() {
            self.reserve(self.len + 1);
        }
        let mask = self.slots.len() - 1;
        let number = self.len as u32;
        let key = pack(rows.spare().iter().copied());
        let mut place = self.place(key);
        loop {
            let slot = &mut self.slots[place & mask];
            if slot.epoch != self.epoch {
                *slot = Slot { key, epoch: self.epoch, row: number };
                self.len += 1;
                return true;
            }
            if slot.key == key
                && (self.columns.len() <= PACKED || rows.equals_spare(slot.row as usize))
            {
                return false;
            }
            place += 1;
        }
    }

    /// Adds row number `self.len` of `rows`.
    #[inline]
    fn add(&mut self, rows: &RowSet) {
        let mask = self.slots.len() - 1;
        let row = rows.row(self.len);
        let number = self.len as u32;
        let key = pack(self.columns.iter().map(|&column| row[column as usize]));
        let mut place = self.place(key);
        self.len += 1;
        loop {
            let slot = &mut self.slots[place & mask];
            if slot.epoch != self.epoch {
                *slot = Slot { key, epoch: self.epoch, row: number };
                if self.chained {
                    self.before.push(NONE);
                }
                return;
            }
            let equal = || {
                let other = rows.row(slot.row as usize);
                self.columns.iter().all(|&column| other[column as usize] == row[column as usize])
            };
            if slot.key == key && (self.columns.len() <= PACKED || equal()) {
                if self.chained {
                    self.before.push(slot.row);
                    slot.row = number;
                }
                return;
            }
            place += 1;
        }
    }

    /// Makes room for `len` rows. Slots move as they are: no row is looked at again.
    #[cold]
    fn reserve(&mut self, len: usize) {
        if len * 2 <= self.slots.len() {
            return;
        }
        let bits = (len * 2).next_power_of_two().trailing_zeros();
        let slots = std::mem::replace(&mut self.slots, vec![Slot::default(); 1 << bits]);
        self.shift = 64 - bits;
        let mask = self.slots.len() - 1;
        for slot in slots.into_iter().filter(|slot| slot.epoch == self.epoch) {
            let mut place = self.place(slot.key);
            while self.slots[place & mask].epoch == self.epoch {
                place += 1;
            }
            self.slots[place & mask] = slot;
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

    fn last(index: &Index, number: u16) -> u32 {
        index.last(pack([symbol(number)].into_iter()), |_| unreachable!("one column is exact"))
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
        index.extend(&rows, 500, &mut Looks::new(None));
        index.extend(&rows, 1000, &mut Looks::new(None));
        let mut row = last(&index, 3);
        let mut count = 0;
        while row != NONE {
            assert_eq!(rows.row(row as usize)[0], symbol(3));
            count += 1;
            row = index.before(row);
        }
        assert_eq!(count, (0..1000).filter(|i| i % 7 == 3).count());
        assert_eq!(last(&index, 9), NONE);
    }

    #[test]
    fn wide_keys_are_compared() {
        let mut rows = RowSet::new(6);
        for i in 0..600u16 {
            rows.push(&[i % 3, i % 5, i % 7, 1, 2, i % 11].map(symbol));
        }
        let columns = [0, 1, 2, 3, 4, 5];
        let mut index = Index::new(&columns, true);
        index.extend(&rows, 600, &mut Looks::new(None));
        let key = [2, 4, 6, 1, 2, 10].map(symbol);
        let mut row = index.last(pack(key.iter().copied()), |row| rows.row(row as usize) == key);
        let mut count = 0;
        while row != NONE {
            assert_eq!(rows.row(row as usize), key);
            count += 1;
            row = index.before(row);
        }
        let same = |i: &u16| i % 3 == 2 && i % 5 == 4 && i % 7 == 6 && i % 11 == 10;
        assert_eq!(count, (0..600).filter(same).count());
    }

    #[test]
    fn clearing_forgets_everything() {
        let rows = rows();
        let mut index = Index::new(&[1], true);
        index.extend(&rows, 1000, &mut Looks::new(None));
        index.clear();
        assert_eq!(last(&index, 5), NONE);
        index.epoch = u32::MAX;
        index.extend(&rows, 10, &mut Looks::new(None));
        index.clear();
        assert_eq!(last(&index, 5), NONE);
    }
}
