//! The net compiler: a ground game as a circuit (RG, appendix D.2).
//!
//! 1. [`gates`] is the circuit itself: And and Or gates over latches (the bits of a state) and
//!    inputs (the moves), with complements on the wires.
//! 2. [`from_ground`] builds it from ground rules: a gate a rule, a gate a fact.
//! 3. [`passes`] make it smaller, each with the machinery of [`rebuild`]; [`evaluate`] is the
//!    obvious evaluation that their tests compare with, [`feedback`] finds the cycles,
//!    [`invariants`] proves what holds in every reachable state, [`statistics`] counts,
//!    [`print`] writes text and drawings.
//! 4. [`modes`] copies the net for each phase of the game, where that saves work as
//!    [`activity`] counts it; [`frames`] takes what computes the next state apart.
//! 5. [`position`] goes from latches to facts and back.
//! 6. [`compile`] goes the whole road from a game to its optimised net.
//!
//! Invariants: legal moves, terminal and goals depend on latches only; the successors of
//! latches are read with exactly one legal move a role; recursion among facts is a cycle of
//! gates, whose value is the least fixpoint.

mod activity;
mod compile;
mod evaluate;
mod feedback;
mod frames;
mod from_ground;
pub(crate) mod gates;
mod invariants;
pub(crate) mod modes;
mod passes;
mod position;
mod print;
mod rebuild;
mod statistics;

pub(crate) use activity::Activity;
pub use evaluate::{Evaluation, evaluate, read};
pub use feedback::Feedback;
pub(crate) use frames::{Effect, Frame};
pub use gates::{FluentBit, GateId, Goal, Input, Latch, Net, Operation, Signal};
pub use invariants::Invariants;
pub(crate) use modes::Unrolled;
#[cfg(test)]
pub(crate) use passes::random::net as random_net;
pub use passes::{PASSES, Pass, Stage, optimise, pass};
pub use print::Names;
pub use rebuild::{Rebuild, Replaced, rebuild, replace, simplify};
pub use statistics::Statistics;

use crate::budget::{Exhausted, Meter};
use crate::ground::Ground;

impl Net {
    /// The net copied for each phase of the game, as it suits play.
    pub(crate) fn unrolled(&self, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        crate::propnet::circuit::Circuit::unrolled(self, meter)
    }

    /// The net of a ground game, as its rules stand: a gate for each rule and each fact.
    ///
    /// # Errors
    ///
    /// When the budget runs out.
    pub fn from_ground(ground: &Ground, meter: &Meter<'_>) -> Result<Net, Exhausted> {
        from_ground::from_ground(ground, meter)
    }
}
