//! The transposition table: what is known of states that were searched, in bounded memory.
//!
//! A place is chosen by the hash of a state, and two states share it. What is settled stays, and of
//! the rest what was searched deeper. The table doubles as it fills, as far as its memory goes.
//! States are told apart by 64 bits of hash.

use super::value::{Outcome, Value, farther_from_zero, nearer_zero};
use gdlr_engine::engine::MoveId;

/// Whether a value is exact, from the view of the first role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// The true value is that or more.
    Lower,
    /// The true value is that or less.
    Upper,
}

impl Bound {
    /// The bound from the view of the other role.
    pub fn turned(self) -> Bound {
        match self {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        }
    }
}

/// An entry of the table: the result of a search for a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// As seen from the state itself.
    value: Value,
    /// The move that was best.
    pub best: MoveId,
    /// The iteration that found it: estimates of others are not comparable.
    iteration: u32,
    depth: u16,
    bound: Bound,
    settled: bool,
}

/// A result that is to be stored for a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewEntry {
    pub key: u64,
    pub outcome: Outcome,
    pub bound: Bound,
    pub best: MoveId,
    pub iteration: u32,
    /// How deep it was searched.
    pub depth: usize,
    /// How many steps it is from the root.
    pub steps: usize,
}

impl Entry {
    fn of(entry: &NewEntry) -> Entry {
        let &NewEntry { key, outcome, bound, best, iteration, depth, steps } = entry;
        let value = farther_from_zero(outcome.value, steps);
        let depth = depth.min(usize::from(u16::MAX)) as u16;
        Entry { key, value, best, iteration, depth, bound, settled: outcome.settled }
    }

    /// The value for a search so deep, in this iteration, so many steps from the root, if it is
    /// exact or falls outside the window.
    pub fn answer(
        &self,
        iteration: u32,
        depth: usize,
        steps: usize,
        window: (Value, Value),
    ) -> Option<Outcome> {
        let deep = self.iteration == iteration && usize::from(self.depth) >= depth;
        let value = nearer_zero(self.value, steps);
        let suits = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= window.1,
            Bound::Upper => value <= window.0,
        };
        (suits && (self.settled || deep)).then_some(Outcome { value, settled: self.settled })
    }

    /// How much it is worth to keep.
    fn worth(&self, iteration: u32) -> (bool, bool, u16) {
        (self.settled, self.iteration == iteration, self.depth)
    }
}

type Bucket = [Option<Entry>; 2];

/// The table at first, in buckets: a power of two.
const FIRST: usize = 1 << 10;

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    filled: usize,
    /// In bytes.
    memory: usize,
}

impl Table {
    pub fn new() -> Table {
        Table { buckets: vec![[None; 2]; FIRST], filled: 0, memory: 0 }
    }

    /// From now on it may take so much memory, in bytes; it never takes less than at first.
    pub fn set_memory(&mut self, memory: usize) {
        self.memory = memory;
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// How many states it knows.
    pub fn len(&self) -> usize {
        self.filled
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    /// The entry of a state, if there is one.
    pub fn get(&self, key: u64) -> Option<&Entry> {
        self.buckets[self.place(key)].iter().flatten().find(|entry| entry.key == key)
    }

    /// Remembers something of a state.
    pub fn put(&mut self, entry: &NewEntry) {
        // While it doubles, both are there.
        if self.filled > self.buckets.len() && 3 * self.bytes() <= self.memory {
            self.double();
        }
        self.insert(Entry::of(entry), entry.iteration);
    }

    fn insert(&mut self, entry: Entry, iteration: u32) {
        let place = self.place(entry.key);
        let [first, second] = &mut self.buckets[place];
        for slot in [&mut *first, &mut *second] {
            if let Some(old) = slot
                && old.key == entry.key
            {
                match old.settled && !entry.settled {
                    true => old.best = entry.best,
                    false => *old = entry,
                }
                return;
            }
        }
        let slot = match (&first, &second) {
            (None, _) => first,
            (_, None) => second,
            (Some(one), Some(other)) if one.worth(iteration) < other.worth(iteration) => first,
            _ => second,
        };
        self.filled += usize::from(slot.is_none());
        *slot = Some(entry);
    }

    fn double(&mut self) {
        let twice = vec![[None; 2]; 2 * self.buckets.len()];
        let old = std::mem::replace(&mut self.buckets, twice);
        self.filled = 0;
        for entry in old.into_iter().flatten().flatten() {
            self.insert(entry, entry.iteration);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, value: Value, settled: bool) -> NewEntry {
        let (outcome, bound) = (Outcome { value, settled }, Bound::Exact);
        NewEntry { key, outcome, bound, best: MoveId(0), iteration: 1, depth: 3, steps: 0 }
    }

    #[test]
    fn memory_is_bounded_and_what_is_settled_stays() {
        let memory = 1 << 20;
        let mut table = Table::new();
        table.set_memory(memory);
        table.put(&entry(5, 42, true));
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 << 63;
        (0..200_000).for_each(|number| table.put(&entry(spread(number), 7, false)));
        assert!(table.bytes() <= memory && 3 * table.bytes() > memory, "{}", table.bytes());
        assert!(table.len() <= 2 * table.buckets.len() && table.len() > table.buckets.len());
        let kept = table.get(5).and_then(|entry| entry.answer(9, 9, 0, (0, 0)));
        assert_eq!(kept, Some(Outcome { value: 42, settled: true }));
        // It never shrinks below its first size, and grows by no byte beyond its memory.
        let mut small = Table::new();
        let first = small.bytes();
        (0..100_000).for_each(|number| small.put(&entry(spread(number), 7, false)));
        assert_eq!(small.bytes(), first);
    }

    #[test]
    fn estimates_answer_in_their_iteration_and_depth_only_and_bounds_outside_the_window() {
        let mut table = Table::new();
        table.put(&NewEntry { bound: Bound::Lower, ..entry(1, 10, false) });
        let answer = |iteration, depth, window| {
            table.get(1).and_then(|entry| entry.answer(iteration, depth, 0, window))
        };
        assert!(answer(1, 3, (0, 10)).is_some());
        assert!(answer(1, 3, (0, 11)).is_none());
        assert!(answer(1, 4, (0, 10)).is_none());
        assert!(answer(2, 3, (0, 10)).is_none());
        assert!(table.get(2).is_none());
    }
}
