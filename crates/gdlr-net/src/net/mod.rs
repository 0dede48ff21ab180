//! The net compiler: a ground game as a circuit, its propositional net (RG, appendix D.2).
//!
//! 1. `gates` is the circuit itself. It has latches (the bits of a state), inputs (the moves), and
//!    And and Or gates over them. A wire may complement its value. Such a circuit is an
//!    and-inverter graph (Biere, *The AIGER And-Inverter Graph Format*, 2007), extended by Or
//!    gates and by gates of many operands.
//! 2. `from_ground` builds the circuit from ground rules, with a gate for each rule and each fact.
//! 3. `passes` make the circuit smaller; each pass uses `rebuild`. `evaluate` computes each gate by
//!    its definition. The tests evaluate a net before and after a pass, and compare the values. `feedback` finds the cycles.
//!    `invariants` proves properties of all reachable states. `size` counts gates. [`print`]
//!    writes text and drawings, and `rules` writes a rulesheet.
//! 4. `phases` finds the phases of a game. A *phase* is a part of play in which some latches have
//!    known values, such as the turn of one player.
//! 5. `position` goes from latches to facts and back. `moves` goes from inputs to moves.
//!    `percepts` computes the percepts of roles in a step.
//! 6. `compile` makes the optimised net of a game. It grounds the game, builds the circuit and
//!    runs the passes.
//!
//! Three properties always hold:
//!
//! - Legal moves, the end of play and goals depend on latches only.
//! - The next values of latches are read only when exactly one input of each role is true, and this
//!   input is a legal move.
//! - Facts that depend on each other are a cycle of gates. The value of the cycle is its least
//!   fixpoint.

mod compile;
mod evaluate;
mod feedback;
mod from_ground;
pub(crate) mod gates;
mod invariants;
mod moves;
mod passes;
mod percepts;
pub(crate) mod phases;
mod position;
mod print;
mod rebuild;
mod rules;
mod size;
pub(crate) mod structural_hash;

pub use crate::tuning::Tuning;
pub use gates::{
    FluentBit, GateId, Goal, Input, InputId, Latch, LatchId, Net, Operation, Output, Percept,
    Signal,
};
pub use invariants::{never_all, never_together};
pub use passes::{PASSES, Pass, Stage, optimise, optimise_tuned};
pub use print::Names;
pub use size::NetSize;

/// Items for the crates above, and no part of the interface.
mod inner {
    pub use super::evaluate::evaluate;
    pub use super::evaluate::{Evaluation, read};
    pub use super::feedback::Feedback;
    pub use super::moves::InputsByMove;
    #[cfg(any(test, feature = "testing"))]
    pub use super::passes::random::net as random_net;
    pub use super::passes::{ABSORPTION, CHOICES, DUPLICATES, SHARED, fast_extract};
    pub use super::percepts::{LANES, Percepts};
    #[cfg(any(test, feature = "testing"))]
    pub use super::phases::GOES_ON;
    pub use super::phases::choices::Choices;
    pub use super::phases::{Indicator, Mover, Phases, movers};
    pub use super::rebuild::{Rebuild, Replaced, rebuild, replace, simplify};
}
#[doc(hidden)]
pub use inner::*;

use crate::ground::Ground;
use gdlr_text::budget::{Exhausted, Meter};

impl Net {
    /// The net of a ground game, as its rules stand: a gate for each rule and each fact.
    ///
    /// # Errors
    ///
    /// When the budget runs out.
    pub fn from_ground(ground: &Ground, meter: &Meter<'_>) -> Result<Net, Exhausted> {
        from_ground::from_ground(ground, meter)
    }
}
