//! Moves: their tags, and what they change.
//!
//! A move is kept as the difference that it makes, which is short, and not as the state that it
//! leads to. Two moves are the same if their tags are; their differences must be the same then.

use super::memory::{Change, are_same, hash};
use super::program::{NodeId, Symbol};
use super::state::State;
use crate::rg::name::Name;
use std::ops::Range;

/// From how many moves on a table finds those with the same tags.
const SCANNED: usize = 8;

/// The moves of whoever's turn it is in a state, each once; storage for them.
#[derive(Debug, Default)]
pub struct Moves {
    items: Vec<Item>,
    tags: Vec<Name>,
    /// By tag, and then by 64 players: whom it is hidden from. Rows of this kind grow and shrink
    /// with the tags of a walk, as no set of bits with a length of its own does.
    hidden: Vec<u64>,
    /// Words in `hidden` for a tag; none if visibility never changes.
    pub(super) words: usize,
    changes: Vec<Change>,
    /// Bits that hashes of tags have, while there is no table: most are new at a glance.
    seen: u64,
    /// By hash of the tags: indices of moves plus one, 0 where there is none. Empty while there
    /// are few moves.
    table: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    hash: u64,
    node: NodeId,
    /// Where its tags and changes end; they begin where those of the move before it end.
    tags: u32,
    changes: u32,
}

/// Moves that differ in the last piece of their names, and in one change.
pub(super) struct Family<'f> {
    /// The pieces before it.
    tags: &'f [Name],
    node: NodeId,
    changes: &'f [Change],
    /// The hash of these pieces.
    hash: u64,
}

impl Family<'_> {
    pub fn new<'f>(tags: &'f [Name], node: NodeId, changes: &'f [Change]) -> Family<'f> {
        Family { tags, node, changes, hash: Moves::hash_of(tags) }
    }
}

/// Two moves with the same tags lead to different states.
pub(super) struct Ambiguous;

/// One of 64 bits for a hash.
fn bit(hash: u64) -> u64 {
    1 << (hash >> 58)
}

impl Clone for Moves {
    fn clone(&self) -> Moves {
        let mut clone = Moves::default();
        clone.clone_from(self);
        clone
    }

    /// Allocates only where the storage is too small.
    fn clone_from(&mut self, other: &Moves) {
        let Moves { items, tags, hidden, words, changes, seen, table } = other;
        self.items.clone_from(items);
        self.tags.clone_from(tags);
        self.hidden.clone_from(hidden);
        self.words = *words;
        self.changes.clone_from(changes);
        self.seen = *seen;
        self.table.clone_from(table);
    }
}

impl Moves {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The tags of a move, which are its name.
    ///
    /// # Panics
    ///
    /// When there is no such move.
    pub fn tags(&self, index: usize) -> &[Name] {
        &self.tags[self.tag_range(index)]
    }

    /// The place of the move with these tags.
    pub fn position(&self, tags: &[Name]) -> Option<usize> {
        self.find(Moves::hash_of(tags), |known| known == tags).ok()
    }

    /// What a move takes in memory at least: that of one piece and one change.
    pub(super) const LEAST: usize = size_of::<Item>() + size_of::<Name>() + size_of::<Change>();

    /// A hash of tags.
    pub fn hash_of(tags: &[Name]) -> u64 {
        tags.iter().fold(0, |seed, tag| hash(seed, tag.index() as u64 + 1))
    }

    /// The same of the tags of a move.
    pub fn hash(&self, index: usize) -> u64 {
        self.items[index].hash
    }

    /// Plays a move: makes its successor of the state that the moves were listed for.
    ///
    /// # Panics
    ///
    /// When there is no such move; maybe for a state of another game. For another state of the
    /// same game the result has no meaning.
    pub fn play(&self, index: usize, state: &mut State) {
        state.node = self.items[index].node;
        for &(register, symbol) in self.changes(index) {
            state.values[register as usize] = symbol;
        }
    }

    /// The state that a move leads to from the one that the moves were listed for. Allocates.
    ///
    /// # Panics
    ///
    /// As [`Moves::play`].
    pub fn successor(&self, index: usize, state: &State) -> State {
        let mut successor = state.clone();
        self.play(index, &mut successor);
        successor
    }

    fn tag_range(&self, index: usize) -> Range<usize> {
        let end = self.items[index].tags as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.items[before].tags as usize);
        start..end
    }

    pub(super) fn changes(&self, index: usize) -> &[Change] {
        let end = self.items[index].changes as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.items[before].changes as usize);
        &self.changes[start..end]
    }

    /// The tags of a move, each with the words that say whom it is hidden from.
    pub(super) fn tags_and_hidden(&self, index: usize) -> impl Iterator<Item = (Name, &[u64])> {
        let words = self.words;
        self.tag_range(index)
            .map(move |tag| (self.tags[tag], &self.hidden[tag * words..(tag + 1) * words]))
    }

    /// Forgets all; storage is kept.
    pub fn make_empty(&mut self) {
        self.clear(self.words);
    }

    pub(super) fn clear(&mut self, words: usize) {
        self.items.clear();
        self.tags.clear();
        self.hidden.clear();
        self.words = words;
        self.changes.clear();
        self.seen = 0;
        self.table.clear();
    }

    /// How much memory they take, about.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Item>() * self.items.len()
            + size_of::<Name>() * self.tags.len()
            + size_of::<u64>() * self.hidden.len()
            + size_of::<Change>() * self.changes.len()
    }

    /// Adds a move unless it is known. `write` writes down how the registers have changed.
    #[inline]
    pub(super) fn add(
        &mut self,
        (tags, hidden): (&[Name], &[u64]),
        node: NodeId,
        registers: &[Symbol],
        write: impl FnOnce(&mut Vec<Change>),
    ) -> Result<(), Ambiguous> {
        let first = self.changes.len();
        write(&mut self.changes);
        let hash = Moves::hash_of(tags);
        let place = match self.find(hash, |known| known == tags) {
            Ok(known) => {
                let count = self.changes.len() - first;
                self.changes.truncate(first);
                let same = self.items[known].node == node
                    && are_same(self.changes(known), count, registers);
                return if same { Ok(()) } else { Err(Ambiguous) };
            }
            Err(place) => place,
        };
        self.tags.extend_from_slice(tags);
        if self.words > 0 {
            self.hidden.extend_from_slice(hidden);
        }
        self.put(hash, place, node);
        Ok(())
    }

    /// Adds a move of a family unless it is known: with the last piece of its name, and what it
    /// changes besides.
    #[inline]
    pub(super) fn add_to(
        &mut self,
        family: &Family,
        tag: Name,
        change: Option<Change>,
    ) -> Result<(), Ambiguous> {
        let &Family { tags, node, changes, hash: first } = family;
        let hash = hash(first, tag.index() as u64 + 1);
        let place = match self.find(hash, |known| known.split_last() == Some((&tag, tags))) {
            Ok(known) => {
                let all = || changes.iter().chain(&change);
                let same = self.items[known].node == node
                    && self.changes(known).len() == all().count()
                    && all().all(|change| self.changes(known).contains(change));
                return if same { Ok(()) } else { Err(Ambiguous) };
            }
            Err(place) => place,
        };
        tags.iter().for_each(|&tag| self.tags.push(tag));
        self.tags.push(tag);
        changes.iter().chain(&change).for_each(|&change| self.changes.push(change));
        self.put(hash, place, node);
        Ok(())
    }

    /// Adds the move whose tags and changes were added last.
    #[inline]
    fn put(&mut self, hash: u64, place: Option<usize>, node: NodeId) {
        let (tags, changes) = (self.tags.len() as u32, self.changes.len() as u32);
        self.seen |= bit(hash);
        self.items.push(Item { hash, node, tags, changes });
        if let Some(place) = place {
            self.table[place] = self.items.len() as u32;
        }
        if self.items.len() > SCANNED && self.items.len() * 2 > self.table.len() {
            self.rebuild();
        }
    }

    /// The move with these tags, or else where in the table it belongs.
    #[inline]
    fn find(&self, hash: u64, is: impl Fn(&[Name]) -> bool) -> Result<usize, Option<usize>> {
        let same = |index: usize| self.items[index].hash == hash && is(self.tags(index));
        if self.table.is_empty() {
            if self.seen & bit(hash) == 0 {
                return Err(None);
            }
            return (0..self.items.len()).find(|&index| same(index)).ok_or(None);
        }
        let mask = self.table.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            match self.table[place] {
                0 => return Err(Some(place)),
                index if same(index as usize - 1) => return Ok(index as usize - 1),
                _ => place = (place + 1) & mask,
            }
        }
    }

    fn rebuild(&mut self) {
        let size = (self.items.len() * 4).next_power_of_two();
        self.table.clear();
        self.table.resize(size, 0);
        for (index, item) in self.items.iter().enumerate() {
            let mut place = item.hash as usize & (size - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = index as u32 + 1;
        }
    }
}
