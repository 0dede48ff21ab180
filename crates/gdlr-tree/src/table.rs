//! A set of rows with the indexes that queries ask for.

use super::index::{Index, pack};
use super::looks::Looks;
use super::row_set::RowSet;
use gdlr_rules::gdl::Symbol;
use std::sync::Arc;

/// Rows without duplicates, in the order of their arrival.
#[derive(Clone, Debug)]
pub(super) struct Table {
    rows: RowSet,
    /// On all columns.
    unique: Index,
    /// On the columns that queries ask for; they may lag behind.
    indexes: Vec<Index>,
}

/// Which index of a table a query uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// None: every row is looked at.
    Scan,
    /// The one on all columns in order.
    Unique,
    /// This one.
    Index(u16),
}

impl Table {
    /// An empty table with an index for each set of columns.
    pub(super) fn new(width: usize, columns: &[Vec<u16>]) -> Self {
        let all: Vec<u16> = (0..width as u16).collect();
        Table {
            rows: RowSet::new(width),
            unique: Index::new(&all, false),
            indexes: columns.iter().map(|columns| Index::new(columns, true)).collect(),
        }
    }

    #[inline]
    pub(super) fn rows(&self) -> &RowSet {
        &self.rows
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear(self.rows.width());
        self.unique.clear();
        self.indexes.iter_mut().for_each(Index::clear);
    }

    /// Adds the row that `write` writes. Returns whether it is new.
    #[inline]
    pub(super) fn insert_with(&mut self, write: impl FnOnce(&mut [Symbol])) -> bool {
        write(self.rows.spare());
        let new = self.unique.insert_spare(&mut self.rows);
        if new {
            self.rows.keep();
        }
        new
    }

    pub(super) fn insert(&mut self, row: &[Symbol]) -> bool {
        self.insert_with(|spare| spare.copy_from_slice(row))
    }

    pub(super) fn contains(&self, row: &[Symbol]) -> bool {
        self.position(row).is_some()
    }

    /// The place of a row.
    pub(super) fn position(&self, row: &[Symbol]) -> Option<usize> {
        let key = pack(row.iter().copied());
        let row_number = self.unique.last(key, |other| self.rows.row(other as usize) == row);
        (row_number != super::index::NONE).then_some(row_number as usize)
    }

    /// The place of a row, which is added if it is not there.
    #[inline]
    pub(super) fn number(&mut self, row: &[Symbol]) -> usize {
        match self.position(row) {
            Some(place) => place,
            None => {
                self.insert(row);
                self.len() - 1
            }
        }
    }

    /// The index on these columns, made and brought up to date if there is none yet.
    pub(super) fn hash_on(table: &mut Arc<Table>, columns: &[u16]) -> Access {
        debug_assert!(table.indexes.iter().all(|index| index.len() == table.len()));
        let present = table.indexes.iter().position(|index| index.columns() == columns);
        let place = present.unwrap_or_else(|| {
            let table = Arc::make_mut(table);
            let mut index = Index::new(columns, true);
            index.extend(&table.rows, table.rows.len(), &mut Looks::new(None));
            table.indexes.push(index);
            table.indexes.len() - 1
        });
        Access::Index(place as u16)
    }

    /// Brings an index up to date, unless it gets late.
    #[inline]
    pub(super) fn prepare(&mut self, access: Access, looks: &mut Looks) {
        if let Access::Index(place) = access {
            self.indexes[usize::from(place)].extend(&self.rows, self.rows.len(), looks);
        }
    }

    /// How many rows [`Table::prepare`] would take in.
    #[inline]
    pub(super) fn lag(&self, access: Access) -> usize {
        match access {
            Access::Scan | Access::Unique => 0,
            Access::Index(place) => self.rows.len() - self.indexes[usize::from(place)].len(),
        }
    }

    /// An index that is up to date, or `None` for [`Access::Scan`].
    #[inline]
    pub(super) fn index(&self, access: Access) -> Option<&Index> {
        match access {
            Access::Scan => None,
            Access::Unique => Some(&self.unique),
            Access::Index(place) => Some(&self.indexes[usize::from(place)]),
        }
    }

    /// Exchanges the rows of two tables of one width; other indexes start anew.
    pub(super) fn swap_rows(&mut self, other: &mut Table) {
        std::mem::swap(&mut self.rows, &mut other.rows);
        std::mem::swap(&mut self.unique, &mut other.unique);
        self.indexes.iter_mut().for_each(Index::clear);
        other.indexes.iter_mut().for_each(Index::clear);
    }

    /// Bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes()
            + self.unique.bytes()
            + self.indexes.iter().map(Index::bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_unique() {
        let mut table = Table::new(2, &[vec![1]]);
        let row = |a, b| [Symbol::from_index(a), Symbol::from_index(b)];
        for i in 0..500 {
            assert!(table.insert(&row(i, i % 5)));
        }
        assert!((0..500).all(|i| !table.insert(&row(i, i % 5))));
        assert_eq!(table.len(), 500);
        assert!(table.contains(&row(7, 2)) && !table.contains(&row(7, 3)));
        assert_eq!(table.lag(Access::Index(0)), 500);
        table.prepare(Access::Index(0), &mut Looks::new(None));
        assert_eq!(table.lag(Access::Index(0)), 0);
        assert_eq!(table.index(Access::Index(0)).unwrap().len(), 500);
        table.clear();
        assert!(!table.contains(&row(7, 2)));
        assert!(table.insert(&row(7, 2)));
    }

    #[test]
    fn a_table_without_columns_holds_at_most_one_row() {
        let mut table = Table::new(0, &[]);
        assert!(table.insert(&[]) && !table.insert(&[]));
        assert_eq!(table.len(), 1);
    }
}
