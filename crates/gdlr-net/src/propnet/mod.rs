//! The engine `propnet`: one state at a time, on a propositional net.
//!
//! `unrolled` copies the net for each phase of play. `circuit` lays the copies out for incremental evaluation, in which each gate
//! counts its true operands. `propagate` carries changes through the circuit. `engine` is the engine.

pub(crate) mod circuit;
mod count;
mod engine;
pub(crate) mod propagate;
mod queue;
#[cfg(test)]
mod tests;
mod unrolled;

pub use engine::{Propnet, State};
pub use propagate::Scratch;

/// Items for the crates above, and no part of the interface.
mod inner {
    pub use super::unrolled::{Effect, Frame, PhaseCopy, Unrolled};
}
#[doc(hidden)]
pub use inner::*;
