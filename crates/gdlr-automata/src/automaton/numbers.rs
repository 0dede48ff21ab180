//! The numbers of the moves of an automaton. All scratches share them.
//!
//! The moves are not known before play. A move is a list of tags, and only walks tell which tags
//! occur together. The first scratch that meets a move gives it the next number, under a lock, in a
//! table that all scratches share. Every scratch keeps a copy of the table. So play takes no lock
//! once it has met its moves.

use gdlr_engine::engine::{MoveId, RoleId};
use gdlr_rg::rg::{Moves, Name};
use hashbrown::HashTable;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The place of the move without tags in the table.
const WITHOUT_TAGS: u32 = 0;

/// Lists of tags, each once.
#[derive(Clone, Debug)]
pub struct Table {
    places: HashTable<u32>,
    tags: Vec<Name>,
    /// By place: the hash of the tags, and the end of the list in `tags`.
    lists: Vec<(u64, u32)>,
}

impl Table {
    /// A table with the move without tags only.
    pub fn new() -> Table {
        let mut table = Table { places: HashTable::new(), tags: Vec::new(), lists: Vec::new() };
        let hash = Moves::hash_of(&[]);
        table.add(hash, &[]);
        table
    }

    fn tags(&self, place: u32) -> &[Name] {
        let place = place as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.lists[before].1);
        &self.tags[start as usize..self.lists[place].1 as usize]
    }

    #[inline]
    fn find(&self, hash: u64, tags: &[Name]) -> Option<u32> {
        let same = |&place: &u32| self.lists[place as usize].0 == hash && self.tags(place) == tags;
        self.places.find(spread(hash), same).copied()
    }

    fn add(&mut self, hash: u64, tags: &[Name]) -> u32 {
        let place = self.lists.len() as u32;
        self.tags.extend_from_slice(tags);
        self.lists.push((hash, self.tags.len() as u32));
        let lists = &self.lists;
        self.places.insert_unique(spread(hash), place, |&of| spread(lists[of as usize].0));
        place
    }

    /// Copies the new entries of another table.
    fn follow(&mut self, all: &Table) {
        for place in self.lists.len()..all.lists.len() {
            self.add(all.lists[place].0, all.tags(place as u32));
        }
    }
}

/// Spreads a hash over all bits, since tables also use the highest ones.
fn spread(hash: u64) -> u64 {
    let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}

/// The moves that have been met so far.
#[derive(Debug)]
pub(super) struct Numbers {
    all: Mutex<Table>,
    roles: u32,
}

impl Numbers {
    /// The numbers for a game with this number of roles.
    pub fn new(roles: usize) -> Numbers {
        Numbers { all: Mutex::new(Table::new()), roles: roles.max(1) as u32 }
    }

    fn all(&self) -> MutexGuard<'_, Table> {
        // A table is never left half written by code that could panic.
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn id(&self, place: u32, role: RoleId) -> MoveId {
        MoveId(place * self.roles + u32::from(role.0))
    }

    /// The number of the move without tags of a role.
    pub fn noop(&self, role: RoleId) -> MoveId {
        self.id(WITHOUT_TAGS, role)
    }

    /// The number of the move of a role at a place of `moves`.
    #[inline]
    pub fn of(&self, copy: &mut Table, role: RoleId, moves: &Moves, index: usize) -> MoveId {
        let (hash, tags) = (moves.hash(index), moves.tags(index));
        match copy.find(hash, tags) {
            Some(place) => self.id(place, role),
            None => self.of_new(copy, role, hash, tags),
        }
    }

    #[cold]
    fn of_new(&self, copy: &mut Table, role: RoleId, hash: u64, tags: &[Name]) -> MoveId {
        let mut all = self.all();
        let place = all.find(hash, tags).unwrap_or_else(|| all.add(hash, tags));
        copy.follow(&all);
        self.id(place, role)
    }

    /// The number of the move of a role with these tags.
    pub fn of_tags(&self, role: RoleId, tags: &[Name]) -> MoveId {
        let hash = Moves::hash_of(tags);
        let mut all = self.all();
        let place = all.find(hash, tags).unwrap_or_else(|| all.add(hash, tags));
        self.id(place, role)
    }

    /// The tags of a move of a role. `None` if no scratch has met it.
    pub fn tags<'c>(&self, copy: &'c mut Table, role: RoleId, id: MoveId) -> Option<&'c [Name]> {
        let (of, place) = self.parts(id);
        if place as usize >= copy.lists.len() {
            copy.follow(&self.all());
        }
        (of == role && (place as usize) < copy.lists.len()).then(|| copy.tags(place))
    }

    /// The role and the tags of a move. `None` if no scratch has met it.
    pub fn of_id(&self, id: MoveId) -> Option<(RoleId, Vec<Name>)> {
        let (role, place) = self.parts(id);
        let all = self.all();
        ((place as usize) < all.lists.len()).then(|| (role, all.tags(place).to_vec()))
    }

    fn parts(&self, id: MoveId) -> (RoleId, u32) {
        (RoleId((id.0 % self.roles) as u16), id.0 / self.roles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_rg::rg::Names;

    #[test]
    fn copies_agree_whoever_meets_a_move_first() {
        let mut names = Names::default();
        let [a, b] = ["a", "b"].map(|text| names.intern(text).unwrap());
        let numbers = Numbers::new(2);
        let (white, black) = (RoleId(0), RoleId(1));
        let ab = numbers.of_tags(white, &[a, b]);
        let mut copy = Table::new();
        assert_eq!(numbers.tags(&mut copy, white, ab), Some(&[a, b][..]));
        assert_eq!(numbers.tags(&mut copy, black, ab), None);
        assert_eq!(numbers.tags(&mut copy, white, MoveId(u32::MAX)), None);
        let others = [&[a][..], &[b], &[b, a], &[a, b, a]];
        for tags in others {
            assert_ne!(numbers.of_tags(white, tags), ab);
            assert_ne!(numbers.of_tags(black, tags), numbers.of_tags(white, tags));
        }
        assert_eq!(numbers.of_tags(white, &[a, b]), ab);
        assert_eq!(numbers.of_tags(black, &[]), numbers.noop(black));
        assert_eq!(numbers.of_id(ab), Some((white, vec![a, b])));
        assert_eq!(numbers.of_id(MoveId(u32::MAX)), None);
    }
}
