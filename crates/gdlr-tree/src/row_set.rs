//! Rows of symbols in one block of memory (FI, V and figure 2).
//!
//! A [`RowSet`] is what every node of a tree stores its results in: rows of one width, one
//! behind the other, two bytes a symbol. Clearing it is one assignment, deleting rows moves
//! the rows behind them up once at the end, and the block is never given back, so a game
//! that has been played for a while allocates nothing any more.

use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::EMPTY;

/// Rows of one width. Duplicates are allowed; see [`super::table::Table`].
#[derive(Clone, Debug, Default)]
pub(super) struct RowSet {
    width: usize,
    len: usize,
    /// At least `len * width` symbols; what lies behind is of no meaning.
    block: Vec<Symbol>,
}

impl RowSet {
    pub(super) fn new(width: usize) -> Self {
        RowSet { width, len: 0, block: Vec::new() }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all rows and sets the width of those to come.
    #[inline]
    pub(super) fn clear(&mut self, width: usize) {
        self.width = width;
        self.len = 0;
    }

    #[inline]
    pub(super) fn row(&self, index: usize) -> &[Symbol] {
        let start = index * self.width;
        &self.block[start..start + self.width]
    }

    /// The row behind the last one, to be written and then kept by [`RowSet::keep`].
    #[inline]
    pub(super) fn spare(&mut self) -> &mut [Symbol] {
        let start = self.len * self.width;
        let end = start + self.width;
        if end > self.block.len() {
            self.grow(end);
        }
        &mut self.block[start..end]
    }

    /// Whether the spare row, which must have been written, is equal to another.
    #[inline]
    pub(super) fn equals_spare(&self, index: usize) -> bool {
        let start = self.len * self.width;
        self.row(index) == &self.block[start..start + self.width]
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.block.resize(end.next_power_of_two().max(64), EMPTY);
    }

    /// Keeps the row that was written to [`RowSet::spare`].
    #[inline]
    pub(super) fn keep(&mut self) {
        self.len += 1;
    }

    #[inline]
    pub(super) fn push(&mut self, row: &[Symbol]) {
        self.spare().copy_from_slice(row);
        self.len += 1;
    }

    /// Deletes the rows that `keep` refuses, moving up those behind them.
    #[inline]
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&[Symbol]) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let start = index * self.width;
            if keep(&self.block[start..start + self.width]) {
                if kept != index {
                    self.block.copy_within(start..start + self.width, kept * self.width);
                }
                kept += 1;
            }
        }
        self.len = kept;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[Symbol]> {
        (0..self.len).map(|index| self.row(index))
    }

    /// Bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.block.capacity() * size_of::<Symbol>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(index: u16) -> Symbol {
        Symbol::from_index(index)
    }

    #[test]
    fn rows_are_kept_in_order() {
        let mut rows = RowSet::new(2);
        for i in 0..100 {
            rows.push(&[symbol(i), symbol(i + 1)]);
        }
        assert_eq!(rows.len(), 100);
        assert_eq!(rows.row(99), [symbol(99), symbol(100)]);
        rows.retain(|row| row[0].index() % 10 == 3);
        let firsts: Vec<u16> = rows.iter().map(|row| row[0].index()).collect();
        assert_eq!(firsts, [3, 13, 23, 33, 43, 53, 63, 73, 83, 93]);
        rows.clear(1);
        assert!(rows.is_empty());
    }

    #[test]
    fn rows_of_no_columns_count() {
        let mut rows = RowSet::new(0);
        rows.push(&[]);
        rows.push(&[]);
        assert_eq!((rows.len(), rows.row(1).len()), (2, 0));
    }
}
