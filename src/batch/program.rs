//! Gates in the order in which they are computed: what a batch does in a step.
//!
//! A program is a list of *runs*: gates of one shape, one after the other, so that the loop
//! over them is straight code. The value of each gate goes to a *slot*, a plane of memory;
//! the slot of a gate that nobody reads any more is used again.

use super::plane::Plane;
use crate::propnet::Operation;
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
}

impl Shape {
    /// How many slots a gate names: its own, then its operands.
    fn width(self) -> usize {
        1 + (self.plain + self.negated) as usize
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
    /// If the gates depend on each other: their slots, which begin false. They are computed
    /// until none changes.
    repeated: Option<Box<[Slot]>>,
}

/// Gates in the order in which they are computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Program {
    parts: Vec<Part>,
    runs: Vec<Run>,
    slots: Vec<Slot>,
    gates: usize,
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
    pub fn push_repeated<'a>(&mut self, gates: impl Iterator<Item = (Shape, &'a [Slot])>) {
        let runs = self.runs.len()..self.runs.len();
        let mut own = Vec::new();
        self.parts.push(Part { runs, repeated: Some(Box::default()) });
        for (shape, slots) in gates {
            own.push(slots[0]);
            self.add(shape, slots);
        }
        if let Some(part) = self.parts.last_mut() {
            part.repeated = Some(own.into());
        }
    }

    fn add(&mut self, shape: Shape, slots: &[Slot]) {
        let start = self.slots.len();
        self.slots.extend_from_slice(slots);
        self.gates += 1;
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
        self.gates
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Computes all gates.
    ///
    /// # Panics
    ///
    /// When there are fewer slots than the gates name.
    #[inline(always)]
    pub fn execute<P: Plane>(&self, memory: &mut [P]) {
        assert!(self.size <= memory.len(), "the gates have their slots");
        for part in &self.parts {
            let runs = &self.runs[part.runs.clone()];
            match &part.repeated {
                None => {
                    for run in runs {
                        self.compute::<P, false>(run, memory);
                    }
                }
                Some(own) => {
                    for &slot in own {
                        memory[slot as usize] = P::none();
                    }
                    loop {
                        let mut changed = P::none();
                        for run in runs {
                            changed = changed.or(self.compute::<P, true>(run, memory));
                        }
                        if changed.is_zero() {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Computes the gates of a run; if `TRACE`, tells in which lanes any has changed.
    #[inline(always)]
    fn compute<P: Plane, const TRACE: bool>(&self, run: &Run, memory: &mut [P]) -> P {
        let slots = &self.slots[run.slots.clone()];
        macro_rules! shapes {
            ($($operation:ident $plain:literal $negated:literal,)*) => {
                match (run.shape.operation, run.shape.plain, run.shape.negated) {
                    $((Operation::$operation, $plain, $negated) => {
                        const AND: bool = matches!(Operation::$operation, Operation::And);
                        each::<P, AND, TRACE>(slots, $plain, $negated, memory)
                    })*
                    (Operation::And, plain, negated) => {
                        each::<P, true, TRACE>(slots, plain as usize, negated as usize, memory)
                    }
                    (_, plain, negated) => {
                        each::<P, false, TRACE>(slots, plain as usize, negated as usize, memory)
                    }
                }
            };
        }
        shapes! {
            And 1 0, And 0 1,
            And 2 0, And 1 1, And 0 2,
            And 3 0, And 2 1, And 1 2, And 0 3,
            And 4 0, And 3 1, And 2 2, And 1 3, And 0 4,
            Or 2 0, Or 1 1, Or 0 2,
            Or 3 0, Or 2 1, Or 1 2, Or 0 3,
            Or 4 0, Or 3 1, Or 2 2, Or 1 3, Or 0 4,
        }
    }
}

/// Computes gates of one shape. Where the shape is known at compile time, the inner loops are
/// straight code.
#[inline(always)]
fn each<P: Plane, const AND: bool, const TRACE: bool>(
    slots: &[Slot],
    plain: usize,
    negated: usize,
    memory: &mut [P],
) -> P {
    let mut changed = P::none();
    for gate in slots.chunks_exact(1 + plain + negated) {
        let mut value = if AND { P::all() } else { P::none() };
        for &slot in &gate[1..1 + plain] {
            // SAFETY: `execute` has seen that all slots of the program are in memory.
            let operand = unsafe { *memory.get_unchecked(slot as usize) };
            value = if AND { value.and(operand) } else { value.or(operand) };
        }
        for &slot in &gate[1 + plain..] {
            // SAFETY: as above.
            let operand = unsafe { *memory.get_unchecked(slot as usize) };
            value = if AND { value.without(operand) } else { value.or(operand.not()) };
        }
        // SAFETY: as above.
        let own = unsafe { memory.get_unchecked_mut(gate[0] as usize) };
        if TRACE {
            changed = changed.or(value.xor(*own));
        }
        *own = value;
    }
    changed
}
