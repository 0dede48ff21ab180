//! Propositional nets: the game as a circuit.
//!
//! [`net`] is the circuit itself.

mod circuit;
mod engine;
mod evaluate;
mod feedback;
mod from_ground;
mod net;
mod passes;
mod print;
mod propagate;
mod rebuild;
mod statistics;

pub use engine::{Propnet, State};
pub use evaluate::{Evaluation, evaluate, read};
pub use feedback::Feedback;
pub use net::{FluentBit, GateId, Goal, Input, Latch, Net, Operation, Signal};
pub use passes::{PASSES, Pass, Stage, optimise, pass};
pub use print::Names;
pub use propagate::Scratch;
pub use rebuild::{Rebuild, Replaced, rebuild, replace, simplify};
pub use statistics::Statistics;

impl Net {
    /// The net of a ground game, as its rules stand: a gate for each rule and each fact.
    pub fn from_ground(ground: &crate::ground::Ground) -> Net {
        from_ground::from_ground(ground)
    }
}
