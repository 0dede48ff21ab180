//! Gates in the order in which they are computed: what is done with many lanes in a step.
//!
//! A program is a list of *runs*: gates of one shape, one after the other, so that the loop
//! over them is straight code. The value of each gate goes to a *slot*, a place of memory for
//! one bit of every lane; the slot of a gate that nobody reads any more is used again.
//!
//! A program is data. It does not know how many lanes there are nor what runs it:
//! [`execute`](super::execute) does on planes of any width, [`native`](super::native) makes
//! instructions of it.

use super::native::Code;
use gdlr_net::net::Operation;
use std::ops::Range;

/// The number of a slot.
pub(super) type Slot = u32;

/// The slot that is true in every lane.
pub(super) const TRUE: Slot = 0;

/// The value of a slot, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub slot: Slot,
    pub negated: bool,
}

/// The shape that the gates of a run have in common.
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
pub(super) struct Run {
    shape: Shape,
    /// Where the slots of the gates are, one gate after the other.
    slots: Range<usize>,
}

impl Run {
    /// The shape of all gates.
    #[inline(always)]
    pub fn shape(&self) -> Shape {
        self.shape
    }
}

/// Gates that are computed one after the other, or again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    runs: Range<usize>,
    fixpoint: Option<Fixpoint>,
}

impl Block {
    /// How the gates are computed if they depend on each other.
    #[inline(always)]
    pub fn fixpoint(&self) -> Option<&Fixpoint> {
        self.fixpoint.as_ref()
    }
}

/// Gates that depend on each other have their least fixpoint as values: what is reached from
/// false, if they are computed until none changes. Nothing else uses their slots, so they
/// still have their values of the last step. Where nothing that they read has become less
/// since, the new fixpoint is not below the old one and is reached from there, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fixpoint {
    /// The slots of the gates.
    pub own: Vec<Slot>,
    /// The slots of other gates that they read.
    pub read: Vec<Remembered>,
}

/// An operand, and the slot in which its value of the last step is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Remembered {
    pub operand: Operand,
    /// Of the slot as it is, not of its complement.
    pub kept: Slot,
}

/// Gates in the order in which they are computed.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    blocks: Vec<Block>,
    runs: Vec<Run>,
    slots: Vec<Slot>,
    /// One more than the largest slot.
    size: usize,
    /// The same as machine code, for the width that has it.
    pub(super) code: Option<Code>,
}

impl Program {
    /// Adds a gate at the end.
    pub fn push(&mut self, shape: Shape, slots: &[Slot]) {
        debug_assert_eq!(slots.len(), shape.width());
        if self.blocks.last().is_none_or(|block| block.fixpoint.is_some()) {
            self.blocks.push(Block { runs: self.runs.len()..self.runs.len(), fixpoint: None });
        }
        self.add(shape, slots);
    }

    /// Adds the copy of an operand.
    pub fn push_copy(&mut self, to: Slot, from: Operand) {
        let negated = u32::from(from.negated);
        let shape = Shape {
            operation: Operation::And,
            plain: 1 - negated,
            negated,
            inner: 0,
            inner_negated: 0,
        };
        self.push(shape, &[to, from.slot]);
    }

    /// Adds gates that depend on each other.
    pub fn push_fixpoint(&mut self, fixpoint: Fixpoint, gates: &[(Shape, Vec<Slot>)]) {
        let runs = self.runs.len()..self.runs.len();
        let kept = fixpoint.read.iter().map(|read| read.kept);
        self.size = kept.fold(self.size, |size, slot| size.max(slot as usize + 1));
        self.blocks.push(Block { runs, fixpoint: Some(fixpoint) });
        for (shape, slots) in gates {
            self.add(*shape, slots);
        }
    }

    fn add(&mut self, shape: Shape, slots: &[Slot]) {
        let start = self.slots.len();
        self.slots.extend_from_slice(slots);
        self.size = slots.iter().fold(self.size, |size, &slot| size.max(slot as usize + 1));
        let Some(block) = self.blocks.last_mut() else { return };
        match self.runs[block.runs.clone()].last_mut() {
            Some(run) if run.shape == shape => run.slots.end = self.slots.len(),
            _ => {
                self.runs.push(Run { shape, slots: start..self.slots.len() });
                block.runs.end += 1;
            }
        }
    }

    /// How many gates there are.
    pub fn gates(&self) -> usize {
        let gates = |run: &Run| run.slots.len() / run.shape.width();
        self.runs.iter().map(gates).sum()
    }

    /// How many slots the gates name, their own and those of their operands.
    pub fn named(&self) -> usize {
        self.runs.iter().map(|run| run.slots.len()).sum()
    }

    /// Names the slots of all gates in the order in which they are computed: those that are read,
    /// with `false`, then the gate's own, with `true`.
    pub fn visit(&self, mut slot: impl FnMut(Slot, bool)) {
        for run in &self.runs {
            for gate in self.gates_of(run) {
                gate[1..].iter().for_each(|&operand| slot(operand, false));
                slot(gate[0], true);
            }
        }
    }

    /// How many slots memory must have: all that are named are below.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The blocks, in the order in which they are computed.
    #[inline(always)]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The runs of a block.
    #[inline(always)]
    pub fn runs(&self, block: &Block) -> &[Run] {
        &self.runs[block.runs.clone()]
    }

    /// The gates of a run, each with its own slot and those of its operands.
    pub fn gates_of(&self, run: &Run) -> impl Iterator<Item = &[Slot]> {
        self.slots(run).chunks_exact(run.shape.width())
    }

    /// The slots of a run: for each gate its own, then its operands, as its shape has them.
    #[inline(always)]
    pub fn slots(&self, run: &Run) -> &[Slot] {
        &self.slots[run.slots.clone()]
    }
}
