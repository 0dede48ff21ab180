//! The moves of a game, numbered as they are met, the same for all scratches.
//!
//! A tree does not know all moves beforehand. The first scratch that meets one gives it the
//! next number, under a lock, in a table that all share. Every scratch keeps a copy of that
//! table as far as it needs it: a move that it has met before is found there, without a lock,
//! so play that has gone on for a while takes none.

use super::table::Table;
use crate::engine::MoveId;
use crate::gdl::Symbol;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The rows of `legal` met so far, by the numbers of the moves.
#[derive(Debug)]
pub(super) struct Moves(Mutex<Table>);

impl Moves {
    /// No moves yet, in rows of this width.
    pub(super) fn new(width: usize) -> Moves {
        Moves(Mutex::new(Table::new(width, &[])))
    }

    fn all(&self) -> MutexGuard<'_, Table> {
        // A table is whole again before any code that could panic runs.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a row, in the copy of a scratch if it is there.
    #[inline]
    pub(super) fn number(&self, copy: &mut Table, row: &[Symbol]) -> MoveId {
        match copy.position(row) {
            Some(place) => MoveId(place as u32),
            None => self.number_new(copy, row),
        }
    }

    #[cold]
    fn number_new(&self, copy: &mut Table, row: &[Symbol]) -> MoveId {
        let mut all = self.all();
        let number = all.number(row);
        copy_to(&all, copy);
        MoveId(number as u32)
    }

    /// The number of a row, for those who have no scratch.
    pub(super) fn number_of(&self, row: &[Symbol]) -> MoveId {
        MoveId(self.all().number(row) as u32)
    }

    /// Whether a move with this number has been met; if so it is then in the copy.
    #[inline]
    pub(super) fn knows(&self, copy: &mut Table, id: MoveId) -> bool {
        if id.index() >= copy.len() {
            copy_to(&self.all(), copy);
        }
        id.index() < copy.len()
    }

    /// The row of a move that has been met.
    pub(super) fn row(&self, id: MoveId) -> Option<Box<[Symbol]>> {
        let all = self.all();
        (id.index() < all.len()).then(|| all.rows().row(id.index()).into())
    }
}

/// Copies what is new.
fn copy_to(all: &Table, copy: &mut Table) {
    for place in copy.len()..all.len() {
        copy.insert(all.rows().row(place));
    }
}

/// How many columns of a row fit into a number beside that of the move.
const PACKED: usize = 6;

/// Puts moves in the order of their rows from a column on, in which alone they differ.
/// `packed` is memory to use. Rows that fit are compared as numbers: with rows, breakthrough
/// and chess take 6 % more instructions a state.
pub(super) fn sort(copy: &Table, from: usize, moves: &mut [MoveId], packed: &mut Vec<u128>) {
    let row = |id: MoveId| &copy.rows().row(id.index())[from..];
    if copy.rows().width() - from > PACKED {
        return moves.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
    }
    packed.clear();
    packed.extend(moves.iter().map(|&id| {
        let columns = row(id).iter();
        let packed = columns.fold(0, |packed, symbol| packed << 16 | u128::from(symbol.index()));
        packed << 32 | u128::from(id.0)
    }));
    packed.sort_unstable();
    for (id, packed) in moves.iter_mut().zip(packed) {
        *id = MoveId(*packed as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn copies_agree_whoever_meets_a_move_first() {
        let row = |index: u16| [Symbol::from_index(index)];
        let moves = Moves::new(1);
        let (mut one, mut two) = (Table::new(1, &[]), Table::new(1, &[]));
        assert_eq!(moves.number(&mut one, &row(7)), MoveId(0));
        assert_eq!(moves.number(&mut two, &row(5)), MoveId(1));
        assert_eq!(moves.number(&mut two, &row(7)), MoveId(0));
        assert_eq!(moves.number_of(&row(9)), MoveId(2));
        assert!(moves.knows(&mut one, MoveId(2)) && !moves.knows(&mut one, MoveId(3)));
        assert_eq!(moves.number(&mut one, &row(5)), MoveId(1));
        assert_eq!(moves.row(MoveId(2)).as_deref(), Some(&row(9)[..]));
        assert_eq!(moves.row(MoveId(3)), None);
    }

    #[test]
    fn moves_are_sorted_by_their_rows() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for width in 1..12 {
            let mut table = Table::new(width, &[]);
            for _ in 0..50 {
                let mut symbol = || Symbol::from_index(random.random_range(0..3));
                let mut row: Vec<Symbol> = (0..width).map(|_| symbol()).collect();
                row[0] = Symbol::from_index(9);
                table.insert(&row);
            }
            let mut moves: Vec<MoveId> = (0..table.len() as u32).map(MoveId).collect();
            sort(&table, 1, &mut moves, &mut Vec::new());
            assert!(moves.is_sorted_by(|a, b| {
                table.rows().row(a.index()) < table.rows().row(b.index())
            }));
        }
    }
}
