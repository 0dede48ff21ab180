//! Merging rows with the results of a condition: the innermost loops of a proof.
//!
//! A condition's results are looked up in an index, or all of them are looked at. Whatever makes rows is
//! broken off by [`Limits`].

use super::index::{Index, NONE, pack};
use super::limits::{MOST_ROWS, MOST_SYMBOLS};
use super::looks::Looks;
use super::plan::*;
use super::row_set::RowSet;
use super::scratch::Scratch;
use super::table::{Access, Table};
use gdlr_rules::gdl::Symbol;

/// The symbol of an operand, given the row at hand.
#[inline]
pub(super) fn value(operand: Operand, row: &[Symbol]) -> Symbol {
    match operand {
        Operand::Constant(symbol) => symbol,
        Operand::Column(column) => row[column as usize],
    }
}

/// The most rows that a merge may make.
pub(super) fn most_rows(merge: &Merge) -> usize {
    MOST_ROWS.min(MOST_SYMBOLS / merge.width.max(1))
}

#[inline]
pub(super) fn differ(pairs: &[(Operand, Operand)], row: &[Symbol]) -> bool {
    pairs.iter().any(|&(a, b)| value(a, row) != value(b, row))
}

#[inline]
pub(super) fn equal_columns(query: &Query, result: &[Symbol]) -> bool {
    query.equal.iter().all(|&(a, b)| result[a as usize] == result[b as usize])
}

#[inline]
fn agrees(query: &Query, row: &[Symbol], result: &[Symbol]) -> bool {
    query.key.iter().all(|&(column, operand)| result[column as usize] == value(operand, row))
        && equal_columns(query, result)
}

/// Whether a query finds a row. An index that lags behind is not used.
#[inline]
pub(super) fn finds(query: &Query, table: &Table, row: &[Symbol]) -> bool {
    let mut access = query.access;
    if table.lag(access) > 0 {
        access = Access::Scan;
    }
    match table.index(access) {
        None => table.rows().iter().any(|result| agrees(query, row, result)),
        Some(index) => {
            let mut result = last(query, index, table, row);
            if query.equal.is_empty() {
                return result != NONE;
            }
            while result != NONE {
                if equal_columns(query, table.rows().row(result as usize)) {
                    return true;
                }
                result = index.before(result);
            }
            false
        }
    }
}

/// Writes the row that a row and a result make together.
#[inline]
pub(super) fn emit(merge: &Merge, row: &[Symbol], result: &[Symbol], merged: &mut RowSet) {
    let spare = merged.spare();
    for run in &merge.left {
        copy(spare, row, run);
    }
    for run in &merge.right {
        copy(spare, result, run);
    }
    merged.keep();
}

#[inline]
fn copy(to: &mut [Symbol], from: &[Symbol], run: &Columns) {
    let (a, b, len) = (run.from as usize, run.to as usize, run.len as usize);
    let (from, to) = (&from[a..a + len], &mut to[b..b + len]);
    // A call of `memcpy` would cost more than these few symbols.
    match (from, &mut *to) {
        (&[x], [a]) => *a = x,
        (&[x, y], [a, b]) => (*a, *b) = (x, y),
        (&[x, y, z], [a, b, c]) => (*a, *b, *c) = (x, y, z),
        _ => to.copy_from_slice(from),
    }
}

/// The last result that has the symbols a query knows, for the row at hand.
#[inline]
fn last(query: &Query, index: &Index, table: &Table, row: &[Symbol]) -> u32 {
    let key = match &query.packed {
        Some(packed) => packed.columns.iter().fold(packed.constants, |key, &(column, shift)| {
            key | u64::from(row[column as usize].index()) << shift
        }),
        None => pack(query.key.iter().map(|&(_, operand)| value(operand, row))),
    };
    index.last(key, |result| {
        let result = table.rows().row(result as usize);
        query.key.iter().all(|&(column, operand)| result[column as usize] == value(operand, row))
    })
}

/// Merges one row with the results that agree with it, by looking at all of them.
#[inline]
fn scan(merge: &Merge, table: &Table, row: &[Symbol], merged: &mut RowSet) {
    for result in table.rows().iter() {
        if agrees(&merge.query, row, result) {
            emit(merge, row, result, merged);
            if merge.right.is_empty() {
                return;
            }
        }
    }
}

/// Merges one row with the results that agree with it, by an index.
#[inline]
fn look_up(
    merge: &Merge,
    access: Access,
    index: &Index,
    table: &Table,
    row: &[Symbol],
    merged: &mut RowSet,
) {
    let query = &merge.query;
    let mut place = last(query, index, table, row);
    while place != NONE {
        let result = table.rows().row(place as usize);
        if equal_columns(query, result) {
            emit(merge, row, result, merged);
            if merge.right.is_empty() {
                return;
            }
        }
        if access == Access::Unique {
            return;
        }
        place = index.before(place);
    }
}

/// Merges one row with the results that agree with it.
pub(super) fn matches(
    merge: &Merge,
    access: Access,
    table: &Table,
    row: &[Symbol],
    merged: &mut RowSet,
) {
    match table.index(access) {
        None => scan(merge, table, row, merged),
        Some(index) => look_up(merge, access, index, table, row, merged),
    }
}

/// When a merge is broken off.
pub(super) struct Limits {
    /// When it has made more rows than this.
    pub(super) rows: u64,
    /// When it has looked at more than this, where there is no index.
    scans: u64,
    /// When it is late.
    pub(super) looks: Looks,
}

impl Limits {
    /// Those of a merge that begins now.
    #[inline]
    pub(super) fn new(s: &Scratch, merge: &Merge) -> Limits {
        let left = s.work_limit.saturating_sub(s.work);
        let rows = left.min(most_rows(merge) as u64);
        Limits { rows, scans: left, looks: Looks::new(s.until) }
    }

    /// Those of a recurrent condition: what is left of the work is looked at afterwards. To
    /// break off sooner would tell set-up less about where the work is, and amazonsTorus would
    /// be half as fast.
    #[inline]
    pub(super) fn recurrent(s: &Scratch, merge: &Merge) -> Limits {
        Limits { rows: most_rows(merge) as u64, ..Limits::new(s, merge) }
    }

    /// Whether to break off after so many rows, of which these were made.
    #[inline]
    pub(super) fn are_reached(&mut self, rows: usize, made: &RowSet) -> bool {
        made.len() as u64 > self.rows || self.looks.is_late(rows + made.len())
    }
}

/// Merges all rows with a condition's results, within limits. Returns the work done.
pub(super) fn merge_rows(
    merge: &Merge,
    access: Access,
    table: &Table,
    current: &RowSet,
    merged: &mut RowSet,
    limits: &mut Limits,
) -> u64 {
    merged.clear(merge.width);
    if table.is_empty() {
        return 1;
    }
    let enough = if merge.width == 0 { 1 } else { limits.rows.saturating_add(1) };
    match table.index(access) {
        None => {
            let mut scanned = 0;
            for row in current.iter() {
                scan(merge, table, row, merged);
                scanned += table.len() as u64;
                let late = limits.looks.is_late(scanned as usize + merged.len());
                if merged.len() as u64 >= enough || scanned > limits.scans || late {
                    break;
                }
            }
            scanned + merged.len() as u64
        }
        Some(index) => {
            for (before, row) in current.iter().enumerate() {
                look_up(merge, access, index, table, row, merged);
                if merged.len() as u64 >= enough || limits.looks.is_late(before + merged.len()) {
                    break;
                }
            }
            (current.len() + merged.len()) as u64
        }
    }
}
