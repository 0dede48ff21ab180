//! The moves of a game, numbered as they are met, the same for all scratches.
//!
//! A tree does not know all moves beforehand. The first scratch that meets one gives it the
//! next number, under a lock, in a table that all share. Every scratch keeps a copy of that
//! table as far as it needs it: a move that it has met before is found there, without a lock,
//! so play that has gone on for a while takes none.

use super::row_set::RowSet;
use super::table::Table;
use gdlr_engine::engine::{MoveId, RoleId};
use gdlr_rules::gdl::Symbol;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many columns of a row fit into a number beside that of the move.
const PACKED: usize = 6;

/// The moves met so far: rows without the columns of the role. A row that is a move of several
/// roles is there once.
#[derive(Debug)]
pub(super) struct Moves {
    all: Mutex<Table>,
    roles: u32,
}

impl Moves {
    /// No moves yet, in rows of this width, of so many roles.
    pub(super) fn new(width: usize, roles: usize) -> Moves {
        Moves { all: Mutex::new(Table::new(width, &[])), roles: roles.max(1) as u32 }
    }

    fn all(&self) -> MutexGuard<'_, Table> {
        // A table is whole again before any code that could panic runs.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn id(&self, place: usize, role: RoleId) -> MoveId {
        MoveId(place as u32 * self.roles + u32::from(role.0))
    }

    /// The role of a move, and the place of its row.
    fn parts(&self, id: MoveId) -> (RoleId, usize) {
        (RoleId((id.0 % self.roles) as u16), (id.0 / self.roles) as usize)
    }

    /// The number of a role's move, in the copy of a scratch if it is there.
    #[inline]
    pub(super) fn number(&self, copy: &mut Table, role: RoleId, row: &[Symbol]) -> MoveId {
        match copy.position(row) {
            Some(place) => self.id(place, role),
            None => self.number_new(copy, role, row),
        }
    }

    #[cold]
    fn number_new(&self, copy: &mut Table, role: RoleId, row: &[Symbol]) -> MoveId {
        let mut all = self.all();
        let place = all.number(row);
        copy_to(&all, copy);
        self.id(place, role)
    }

    /// The number of a role's move, for those who have no scratch.
    pub(super) fn number_of(&self, role: RoleId, row: &[Symbol]) -> MoveId {
        let place = self.all().number(row);
        self.id(place, role)
    }

    /// The row of a role's move; `None` if this is no move of the role that has been met.
    #[inline]
    pub(super) fn row_of<'c>(
        &self,
        copy: &'c mut Table,
        role: RoleId,
        id: MoveId,
    ) -> Option<&'c [Symbol]> {
        let (of, place) = self.parts(id);
        if place >= copy.len() {
            copy_to(&self.all(), copy);
        }
        (of == role && place < copy.len()).then(|| copy.rows().row(place))
    }

    /// The role and the row of a move that has been met.
    pub(super) fn row(&self, id: MoveId) -> Option<(RoleId, Box<[Symbol]>)> {
        let (role, place) = self.parts(id);
        let all = self.all();
        (place < all.len()).then(|| (role, all.rows().row(place).into()))
    }

    /// Puts moves of one role in the order of their rows. `packed` is memory to use: rows of a
    /// few columns are sorted as numbers, which saves 6 % of the instructions of a state in
    /// breakthrough and chess.
    pub(super) fn sort(&self, copy: &Table, moves: &mut [MoveId], packed: &mut Vec<u128>) {
        let row = |id: MoveId| copy.rows().row(self.parts(id).1);
        if moves.len() < 2 {
            return;
        }
        if copy.rows().width() > PACKED {
            return moves.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
        }
        packed.clear();
        packed.extend(moves.iter().map(|&id| pack(row(id)) << 32 | u128::from(id.0)));
        packed.sort_unstable();
        for (id, packed) in moves.iter_mut().zip(packed) {
            *id = MoveId(*packed as u32);
        }
    }
}

/// One of the rows that begin with `prefix`, each with the same chance: the one that would be
/// drawn if they were put in order first. That is not done: 4 % of the instructions of a state
/// in breakthrough. `packed` is memory to use.
pub(super) fn random_row<'r>(
    rows: &'r RowSet,
    prefix: &[Symbol],
    packed: &mut Vec<u128>,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<&'r [Symbol]> {
    let is_packed = rows.width() - prefix.len() <= PACKED;
    packed.clear();
    for (place, row) in rows.iter().enumerate().filter(|(_, row)| row.starts_with(prefix)) {
        let number = if is_packed { pack(&row[prefix.len()..]) } else { 0 };
        packed.push(number << 32 | place as u128);
    }
    let row = |packed: u128| rows.row(packed as u32 as usize);
    let drawn = match packed.len() {
        0 => return None,
        1 => 0,
        count => rng.random_range(0..count),
    };
    let (_, drawn, _) = match is_packed {
        true => packed.select_nth_unstable(drawn),
        false => packed.select_nth_unstable_by(drawn, |&a, &b| row(a).cmp(row(b))),
    };
    Some(&row(*drawn)[prefix.len()..])
}

/// A number for a row of a few columns, in the order of the rows.
fn pack(row: &[Symbol]) -> u128 {
    row.iter().fold(0, |number, symbol| number << 16 | u128::from(symbol.index()))
}

/// Copies what is new.
fn copy_to(all: &Table, copy: &mut Table) {
    for place in copy.len()..all.len() {
        copy.insert(all.rows().row(place));
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
        let (a, b) = (RoleId(0), RoleId(1));
        let moves = Moves::new(1, 2);
        let (mut one, mut two) = (Table::new(1, &[]), Table::new(1, &[]));
        let seven = moves.number(&mut one, a, &row(7));
        let five = moves.number(&mut two, a, &row(5));
        assert_eq!(moves.number(&mut two, a, &row(7)), seven);
        let other = moves.number_of(b, &row(7));
        assert!(seven != five && seven != other);
        let nine = moves.number_of(b, &row(9));
        assert_eq!(moves.row_of(&mut one, b, nine), Some(&row(9)[..]));
        assert_eq!(moves.row_of(&mut one, a, nine), None);
        assert_eq!(moves.row_of(&mut one, a, MoveId(u32::MAX)), None);
        assert_eq!(moves.number(&mut one, a, &row(5)), five);
        assert_eq!(moves.row(other), Some((b, row(7).into())));
        assert_eq!(moves.row(MoveId(u32::MAX)), None);
    }

    #[test]
    fn moves_are_sorted_by_their_rows() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for width in 1..12 {
            let moves = Moves::new(width, 3);
            let mut copy = Table::new(width, &[]);
            let mut moves_of_rows: Vec<(Vec<Symbol>, MoveId)> = Vec::new();
            for _ in 0..50 {
                let mut symbol = || Symbol::from_index(random.random_range(0..3));
                let row: Vec<Symbol> = (0..width).map(|_| symbol()).collect();
                let id = moves.number(&mut copy, RoleId(2), &row);
                if !moves_of_rows.iter().any(|(_, known)| *known == id) {
                    moves_of_rows.push((row, id));
                }
            }
            let mut sorted: Vec<MoveId> = moves_of_rows.iter().map(|&(_, id)| id).collect();
            moves.sort(&copy, &mut sorted, &mut Vec::new());
            moves_of_rows.sort();
            assert!(moves_of_rows.iter().map(|&(_, id)| id).eq(sorted));
        }
    }
}
