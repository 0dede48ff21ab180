//! The input of the code of a step: the programs that it is made of, and the slots where it reads values of the loop.

use super::layout::Phase;
use super::program::Slot;
use super::width::Width;

/// The values that the loop passes to the code of a step, by slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where a playout begins.
    pub begins: Slot,
    /// Where a step is made, if lanes wait for their turn.
    pub here: Slot,
    /// The first of some slots that nobody else uses.
    pub free: Slot,
    /// The slot with the first value of the first latch, where a playout begins; those of the others
    /// follow.
    pub first: Slot,
}

/// The programs of which the code of a step is made.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(any(feature = "cranelift", all(feature = "native", target_arch = "x86_64"))),
    expect(dead_code, reason = "no code is made")
)]
pub(super) struct StepSource<'p> {
    pub width: Width,
    /// The phase in which the step is made.
    pub phase: &'p Phase,
    pub entry: Entry,
    /// Whether lanes may be in other phases, where they wait.
    pub waits: bool,
    /// By latch: its value in the game's initial state.
    pub initial: &'p [bool],
    /// Whether moves that are made in no lane are passed over, where that can be done.
    pub pays: bool,
}
