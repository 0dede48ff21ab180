//! Where the code of a step reads what the loop knows.

use super::program::Slot;

/// What the code of a step is told, by slots.
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
