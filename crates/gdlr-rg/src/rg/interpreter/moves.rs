//! Moves: their tags, and the changes that they make.
//!
//! A move is stored as the difference that it makes, which is shorter than the state that it leads
//! to. Two moves are the same if their tags are equal. Their differences must then be equal, too.

use super::memory::{Change, are_same, hash};
use super::program::{NodeId, Symbol};
use super::state::State;
use crate::rg::name::Name;
use std::ops::Range;

/// The number of moves from which on a hash table finds equal tags.
const SCANNED: usize = 8;

/// The moves of the current player in a state, each once. Owns their storage.
#[derive(Debug, Default)]
pub struct Moves {
    items: Vec<Item>,
    tags: Vec<Name>,
    /// By tag, and then by 64 players: the players from whom the tag is hidden. These rows grow and
    /// shrink with the tags of a walk; a set of bits with its own length would not.
    hidden: Vec<u64>,
    /// The number of words in `hidden` for a tag; 0 if visibility never changes.
    pub(super) words: usize,
    changes: Vec<Change>,
    /// A Bloom filter of the hashes of tags, while there is no table. It shows of most moves that
    /// they are new.
    seen: u64,
    /// By hash of the tags: indices of moves plus one; 0 is empty. Empty while there are few moves.
    table: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    hash: u64,
    node: NodeId,
    /// The ends of its tags and changes. They begin at the ends of the move before it.
    tags: u32,
    changes: u32,
}

/// Moves that differ in their last tag, and in one change.
pub(super) struct Family<'f> {
    /// The tags before the last one.
    tags: &'f [Name],
    node: NodeId,
    changes: &'f [Change],
    /// The hash of these tags.
    hash: u64,
}

impl Family<'_> {
    pub fn new<'f>(tags: &'f [Name], node: NodeId, changes: &'f [Change]) -> Family<'f> {
        Family { tags, node, changes, hash: Moves::hash_of(tags) }
    }
}

/// Two moves with the same tags lead to different states.
pub(super) struct Ambiguous;

/// One bit of 64 for a hash.
fn bit(hash: u64) -> u64 {
    1 << (hash >> 58)
}

impl Clone for Moves {
    fn clone(&self) -> Moves {
        let mut clone = Moves::default();
        clone.clone_from(self);
        clone
    }

    /// Allocates only if the storage is too small.
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
    /// The number of moves.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no moves.
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

    /// The index of the move with these tags.
    pub fn position(&self, tags: &[Name]) -> Option<usize> {
        self.find(Moves::hash_of(tags), |other| other == tags).ok()
    }

    /// The least memory that a move takes, in bytes: one tag and one change.
    pub(super) const LEAST: usize = size_of::<Item>() + size_of::<Name>() + size_of::<Change>();

    /// A hash of tags.
    pub fn hash_of(tags: &[Name]) -> u64 {
        tags.iter().fold(0, |seed, tag| hash(seed, tag.index() as u64 + 1))
    }

    /// The hash of the tags of a move.
    pub fn hash(&self, index: usize) -> u64 {
        self.items[index].hash
    }

    /// Plays a move: makes the state that the moves were listed for into its successor.
    ///
    /// # Panics
    ///
    /// When there is no such move; perhaps for a state of another game. For another state of the
    /// same game the result has no meaning.
    pub fn play(&self, index: usize, state: &mut State) {
        state.node = self.items[index].node;
        for &(register, symbol) in self.changes(index) {
            state.values[register as usize] = symbol;
        }
    }

    /// The successor of the state that the moves were listed for. Allocates.
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

    /// The tags of a move, each with the words that hold the players from whom it is hidden.
    pub(super) fn tags_and_hidden(&self, index: usize) -> impl Iterator<Item = (Name, &[u64])> {
        let words = self.words;
        self.tag_range(index)
            .map(move |tag| (self.tags[tag], &self.hidden[tag * words..(tag + 1) * words]))
    }

    /// Removes all moves, and keeps the storage.
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

    /// The memory that the moves take, in bytes, about.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Item>() * self.items.len()
            + size_of::<Name>() * self.tags.len()
            + size_of::<u64>() * self.hidden.len()
            + size_of::<Change>() * self.changes.len()
    }

    /// Adds a move unless it is there already. `write` appends the changes of the registers.
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
        let place = match self.find(hash, |other| other == tags) {
            Ok(existing) => {
                let count = self.changes.len() - first;
                self.changes.truncate(first);
                let same = self.items[existing].node == node
                    && are_same(self.changes(existing), count, registers);
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

    /// Adds a move of a family unless it is there already. `tag` is its last tag; `change` is its
    /// own change.
    #[inline]
    pub(super) fn add_to(
        &mut self,
        family: &Family,
        tag: Name,
        change: Option<Change>,
    ) -> Result<(), Ambiguous> {
        let &Family { tags, node, changes, hash: first } = family;
        let hash = hash(first, tag.index() as u64 + 1);
        let place = match self.find(hash, |other| other.split_last() == Some((&tag, tags))) {
            Ok(existing) => {
                let all = || changes.iter().chain(&change);
                let same = self.items[existing].node == node
                    && self.changes(existing).len() == all().count()
                    && all().all(|change| self.changes(existing).contains(change));
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

    /// Adds the move whose tags and changes were appended last.
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

    /// The index of the move with these tags, or else its place in the table.
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
