//! The contents of slots if not all is known, and the writes of walks to them.

use super::sheet::Slot;
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use hashbrown::HashMap;
use std::rc::Rc;

/// The content of a slot: its possible symbols in order, each with its signal. Exactly one signal
/// is true in states in which the slot matters.
pub(super) type Held = Rc<[(Name, Signal)]>;

/// The signal that a content is a symbol.
pub(super) fn holds(held: &[(Name, Signal)], symbol: Name) -> Signal {
    let place = held.binary_search_by_key(&symbol, |&(symbol, _)| symbol);
    place.map_or(Signal::FALSE, |place| held[place].1)
}

/// The number of a [`Held`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct HeldId(u32);

/// The number of a list of writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct MemoryId(u32);

impl MemoryId {
    /// The memory without writes.
    pub const NOTHING: MemoryId = MemoryId(0);
}

/// The contents from which a content was chosen, in order, each with its signal. Exactly one signal
/// is true in states in which the content matters. Empty if it was not chosen.
pub(super) type Chosen = Rc<[(HeldId, Signal)]>;

/// All contents and memories so far.
pub(super) struct Contents {
    held: Vec<(Held, Chosen)>,
    numbers: HashMap<(Held, Chosen), HeldId>,
    memories: Vec<Written>,
    memory_numbers: HashMap<Written, MemoryId>,
    /// An estimate of their memory, in bytes.
    pub bytes: usize,
}

/// The writes, by slot in order.
pub(super) type Written = Rc<[(Slot, HeldId)]>;

impl Contents {
    pub fn new() -> Contents {
        let nothing: Written = Rc::from([]);
        Contents {
            held: Vec::new(),
            numbers: HashMap::new(),
            memories: vec![nothing.clone()],
            memory_numbers: HashMap::from([(nothing, MemoryId::NOTHING)]),
            bytes: 0,
        }
    }

    /// The number of a content. Symbols that are never held have the signal `FALSE`.
    pub fn hold(&mut self, held: Vec<(Name, Signal)>) -> HeldId {
        self.hold_chosen(held, Vec::new())
    }

    /// The number of a content that was chosen from others.
    pub fn hold_chosen(
        &mut self,
        mut held: Vec<(Name, Signal)>,
        chosen: Vec<(HeldId, Signal)>,
    ) -> HeldId {
        held.retain(|&(_, signal)| signal != Signal::FALSE);
        held.sort_unstable_by_key(|&(symbol, _)| symbol);
        let key: (Held, Chosen) = (held.into(), chosen.into());
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let number = HeldId(self.held.len() as u32);
        self.bytes += 2 * (size_of_val(&key.0[..]) + size_of_val(&key.1[..])) + 96;
        self.held.push(key.clone());
        self.numbers.insert(key, number);
        number
    }

    /// The content of a number.
    pub fn held(&self, id: HeldId) -> &Held {
        &self.held[id.0 as usize].0
    }

    /// The contents from which a content was chosen, or the content itself.
    pub fn chosen(&self, id: HeldId) -> Chosen {
        match &self.held[id.0 as usize].1 {
            chosen if chosen.is_empty() => Rc::new([(id, Signal::TRUE)]),
            chosen => chosen.clone(),
        }
    }

    /// The writes of a memory.
    pub fn written(&self, memory: MemoryId) -> &Written {
        &self.memories[memory.0 as usize]
    }

    /// The last write to a slot, if there is one.
    pub fn get(&self, memory: MemoryId, slot: Slot) -> Option<HeldId> {
        let written = self.written(memory);
        let place = written.binary_search_by_key(&slot, |&(slot, _)| slot).ok()?;
        Some(written[place].1)
    }

    /// The memory with further writes.
    pub fn write(&mut self, memory: MemoryId, changes: &[(Slot, HeldId)]) -> MemoryId {
        if changes.is_empty() {
            return memory;
        }
        let mut written = self.written(memory).to_vec();
        for &(slot, held) in changes {
            match written.binary_search_by_key(&slot, |&(slot, _)| slot) {
                Ok(place) => written[place].1 = held,
                Err(place) => written.insert(place, (slot, held)),
            }
        }
        self.memory(written)
    }

    /// The writes of a memory to some slots.
    pub fn only(&mut self, memory: MemoryId, of: impl Fn(Slot) -> bool) -> MemoryId {
        let written = self.written(memory);
        if written.iter().all(|&(slot, _)| of(slot)) {
            return memory;
        }
        let part = written.iter().copied().filter(|&(slot, _)| of(slot)).collect();
        self.memory(part)
    }

    fn memory(&mut self, written: Vec<(Slot, HeldId)>) -> MemoryId {
        let written: Written = written.into();
        if let Some(&known) = self.memory_numbers.get(&written) {
            return known;
        }
        let number = MemoryId(self.memories.len() as u32);
        self.bytes += 2 * size_of_val(&written[..]) + 64;
        self.memories.push(written.clone());
        self.memory_numbers.insert(written, number);
        number
    }
}
