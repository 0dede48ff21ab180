//! Propositional nets: the game as a circuit (RG, appendix D.2).
//!
//! 1. [`net`] is the circuit itself: And and Or gates over latches (the bits of a state) and
//!    inputs (the moves), with complements on the wires.
//! 2. [`from_ground`] builds it from ground rules: a gate a rule, a gate a fact.
//! 3. [`passes`] make it smaller, each with the machinery of [`rebuild`]; [`evaluate`] is the
//!    obvious evaluation that their tests compare with, [`feedback`] finds the cycles,
//!    [`statistics`] counts, [`print`] writes text and drawings.
//! 4. [`modes`] copies the net for each phase of the game, where that saves work as
//!    [`activity`] counts it, [`frames`] takes what computes the next state apart,
//!    [`circuit`] lays it all out for play, [`propagate`] runs changes through it, and
//!    [`engine`] is the engine `propnet`.
//!
//! Invariants: legal moves, terminal and goals depend on latches only; the successors of
//! latches are read with exactly one legal move a role; recursion among facts is a cycle of
//! gates, whose value is the least fixpoint.

mod activity;
mod circuit;
mod engine;
mod evaluate;
mod feedback;
mod frames;
mod from_ground;
mod invariants;
mod modes;
mod net;
mod passes;
mod print;
mod propagate;
mod rebuild;
mod statistics;

pub use engine::{Propnet, State};
pub use evaluate::{Evaluation, evaluate, read};
pub use feedback::Feedback;
pub(crate) use frames::Frame;
pub use invariants::Invariants;
pub(crate) use modes::Unrolled;
pub use net::{FluentBit, GateId, Goal, Input, Latch, Net, Operation, Signal};
#[cfg(test)]
pub(crate) use passes::random::net as random_net;
pub use passes::{PASSES, Pass, Stage, optimise, pass};
pub use print::Names;
pub use propagate::Scratch;
pub use rebuild::{Rebuild, Replaced, rebuild, replace, simplify};
pub use statistics::Statistics;

impl Net {
    /// The net copied for each phase of the game, as it suits play.
    pub(crate) fn unrolled(&self) -> Unrolled {
        circuit::Circuit::unrolled(self)
    }

    /// The net of a ground game, as its rules stand: a gate for each rule and each fact.
    pub fn from_ground(ground: &crate::ground::Ground) -> Net {
        from_ground::from_ground(ground)
    }
}
