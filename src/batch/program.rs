//! Gates in the order in which they are computed: what a batch does in a step.
//!
//! A program is a list of *runs*: gates of one shape, one after the other, so that the loop
//! over them is straight code. The value of each gate goes to a *slot*, a plane of memory;
//! the slot of a gate that nobody reads any more is used again.

use super::plane::Plane;
use crate::net::Operation;
use std::ops::Range;

/// The number of a slot.
pub(super) type Slot = u32;

/// The slot that is true in every lane.
pub(super) const TRUE: Slot = 0;

/// What the gates of a run have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Shape {
    pub operation: Operation,
    /// How many operands are read as they are.
    pub plain: u32,
    /// How many, after those, are read as their complements.
    pub negated: u32,
    /// How many, after those, belong to another operand: an Or of them for an And, an And of
    /// them for an Or; none if there is no such operand.
    pub inner: u32,
    /// How many, after those, belong to it as their complements.
    pub inner_negated: u32,
}

impl Shape {
    /// How many slots a gate names: its own, then its operands.
    fn width(self) -> usize {
        1 + (self.plain + self.negated + self.inner + self.inner_negated) as usize
    }
}

/// Gates of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    shape: Shape,
    /// Where the slots of the gates are, one gate after the other.
    slots: Range<usize>,
}

/// Gates that are computed one after the other, or again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    runs: Range<usize>,
    /// If the gates depend on each other.
    repeated: Option<Repeated>,
}

/// Gates that depend on each other have their least fixpoint as values: what is reached from
/// false, if they are computed until none changes. Nothing else uses their slots, so they
/// still have their values of the last step. Where nothing that they read has become less
/// since, the new fixpoint is not below the old one and is reached from there, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Repeated {
    /// The slots of the gates.
    pub own: Vec<Slot>,
    /// Slots that they read of others, whether as complements, and the slots where the values
    /// of the last step are kept.
    pub read: Vec<(Slot, bool, Slot)>,
}

impl Repeated {
    /// Makes the gates false where they must begin again.
    #[inline(always)]
    fn begin<P: Plane>(&self, memory: &mut [P]) {
        let mut less = P::none();
        for &(slot, negated, kept) in &self.read {
            let (now, before) = (memory[slot as usize], memory[kept as usize]);
            less = less.or(if negated { now.without(before) } else { before.without(now) });
            memory[kept as usize] = now;
        }
        if !less.is_zero() {
            for &slot in &self.own {
                memory[slot as usize] = memory[slot as usize].without(less);
            }
        }
    }
}

/// Gates in the order in which they are computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Program {
    parts: Vec<Part>,
    runs: Vec<Run>,
    slots: Vec<Slot>,
    /// One more than the largest slot.
    size: usize,
}

impl Program {
    /// Adds a gate at the end.
    pub fn push(&mut self, shape: Shape, slots: &[Slot]) {
        debug_assert_eq!(slots.len(), shape.width());
        if self.parts.last().is_none_or(|part| part.repeated.is_some()) {
            self.parts.push(Part { runs: self.runs.len()..self.runs.len(), repeated: None });
        }
        self.add(shape, slots);
    }

    /// Adds gates that depend on each other.
    pub fn push_repeated(&mut self, repeated: Repeated, gates: &[(Shape, Vec<Slot>)]) {
        let runs = self.runs.len()..self.runs.len();
        let kept = repeated.read.iter().map(|&(_, _, kept)| kept);
        self.size = kept.fold(self.size, |size, slot| size.max(slot as usize + 1));
        self.parts.push(Part { runs, repeated: Some(repeated) });
        for (shape, slots) in gates {
            self.add(*shape, slots);
        }
    }

    fn add(&mut self, shape: Shape, slots: &[Slot]) {
        let start = self.slots.len();
        self.slots.extend_from_slice(slots);
        self.size = slots.iter().fold(self.size, |size, &slot| size.max(slot as usize + 1));
        let Some(part) = self.parts.last_mut() else { return };
        match self.runs[part.runs.clone()].last_mut() {
            Some(run) if run.shape == shape => run.slots.end = self.slots.len(),
            _ => {
                self.runs.push(Run { shape, slots: start..self.slots.len() });
                part.runs.end += 1;
            }
        }
    }

    /// How many gates there are.
    pub fn gates(&self) -> usize {
        let gates = |run: &Run| run.slots.len() / run.shape.width();
        self.runs.iter().map(gates).sum()
    }

    /// Computes all gates.
    ///
    /// # Panics
    ///
    /// When there are fewer slots than the gates name.
    #[inline(never)]
    pub fn execute<P: Plane>(&self, memory: &mut [P]) {
        assert!(self.size <= memory.len(), "the gates have their slots");
        P::enable(
            #[inline(always)]
            || {
                for part in &self.parts {
                    let runs = &self.runs[part.runs.clone()];
                    match &part.repeated {
                        None => {
                            for run in runs {
                                self.compute::<P, false>(run, memory);
                            }
                        }
                        Some(repeated) => {
                            repeated.begin(memory);
                            self.repeat(runs, memory);
                        }
                    }
                }
            },
        );
    }

    /// Computes runs until nothing changes.
    #[inline(always)]
    fn repeat<P: Plane>(&self, runs: &[Run], memory: &mut [P]) {
        loop {
            let mut changed = P::none();
            for run in runs {
                changed = changed.or(self.compute::<P, true>(run, memory));
            }
            if changed.is_zero() {
                return;
            }
        }
    }

    /// Computes the gates of a run; if `TRACE`, tells in which lanes any has changed.
    #[inline(always)]
    fn compute<P: Plane, const TRACE: bool>(&self, run: &Run, memory: &mut [P]) -> P {
        let slots = &self.slots[run.slots.clone()];
        let Shape { operation, plain, negated, inner, inner_negated } = run.shape;
        let is_and = operation == Operation::And;
        macro_rules! shapes {
            ($($and:literal $plain:literal $negated:literal $inner:literal $inner_negated:literal,)*) => {
                match (is_and, plain, negated, inner, inner_negated) {
                    $(($and, $plain, $negated, $inner, $inner_negated) => {
                        let counts = [$plain, $negated, $inner, $inner_negated];
                        each::<P, $and, TRACE>(slots, counts, memory)
                    })*
                    _ => {
                        let counts = [plain, negated, inner, inner_negated].map(|n| n as usize);
                        match is_and {
                            true => each::<P, true, TRACE>(slots, counts, memory),
                            false => each::<P, false, TRACE>(slots, counts, memory),
                        }
                    }
                }
            };
        }
        shapes! {
            true 1 0 0 0, true 0 1 0 0,
            true 2 0 0 0, true 1 1 0 0, true 0 2 0 0,
            true 3 0 0 0, true 2 1 0 0, true 1 2 0 0, true 0 3 0 0,
            true 4 0 0 0, true 3 1 0 0, true 2 2 0 0, true 1 3 0 0, true 0 4 0 0,
            true 1 0 2 0, true 0 1 2 0, true 1 0 1 1, true 0 1 1 1, true 1 0 0 2,
            false 2 0 0 0, false 1 1 0 0, false 0 2 0 0,
            false 3 0 0 0, false 2 1 0 0, false 1 2 0 0, false 0 3 0 0,
            false 4 0 0 0, false 3 1 0 0, false 2 2 0 0, false 1 3 0 0, false 0 4 0 0,
            false 1 0 2 0, false 0 1 2 0, false 1 0 1 1, false 0 1 1 1, false 1 0 0 2,
        }
    }
}

/// Computes gates of one shape. Where the shape is known at compile time, the inner loops are
/// straight code.
#[inline(always)]
fn each<P: Plane, const AND: bool, const TRACE: bool>(
    slots: &[Slot],
    counts: [usize; 4],
    memory: &mut [P],
) -> P {
    let mut changed = P::none();
    let [plain, negated, inner, inner_negated] = counts;
    for gate in slots.chunks_exact(1 + plain + negated + inner + inner_negated) {
        let (own, operands) = (gate[0], &gate[1..]);
        let (outer, of_inner) = operands.split_at(plain + negated);
        let mut value = all_of::<P, AND>(&outer[..plain], &outer[plain..], memory);
        if inner + inner_negated > 0 {
            value = match AND {
                true => {
                    value.and(all_of::<P, false>(&of_inner[..inner], &of_inner[inner..], memory))
                }
                false => {
                    value.or(all_of::<P, true>(&of_inner[..inner], &of_inner[inner..], memory))
                }
            };
        }
        // SAFETY: `execute` has seen that all slots of the program are in memory.
        let own = unsafe { memory.get_unchecked_mut(own as usize) };
        if TRACE {
            changed = changed.or(value.xor(*own));
        }
        *own = value;
    }
    changed
}

/// The And or the Or of some slots and the complements of others.
#[inline(always)]
fn all_of<P: Plane, const AND: bool>(plain: &[Slot], negated: &[Slot], memory: &[P]) -> P {
    let mut value = if AND { P::all() } else { P::none() };
    for &slot in plain {
        // SAFETY: `execute` has seen that all slots of the program are in memory.
        let operand = unsafe { *memory.get_unchecked(slot as usize) };
        value = if AND { value.and(operand) } else { value.or(operand) };
    }
    for &slot in negated {
        // SAFETY: as above.
        let operand = unsafe { *memory.get_unchecked(slot as usize) };
        value = if AND { value.without(operand) } else { value.or(operand.not()) };
    }
    value
}
