//! Propositional nets: the game as a circuit.
//!
//! [`net`] is the circuit itself.

mod net;

pub use net::{FluentBit, GateId, Goal, Input, Latch, Net, Operation, Signal};
