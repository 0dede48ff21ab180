//! The engine `propnet`: one state at a time, on a propositional net.
//!
//! `circuit` lays the net out for incremental evaluation, where each node counts its
//! true operands, `propagate` runs changes through it, and `engine` is the engine on top.

pub(crate) mod circuit;
mod count;
mod engine;
pub(crate) mod propagate;
mod queue;
#[cfg(test)]
mod tests;

pub use engine::{Propnet, State};
pub use propagate::Scratch;
