//! The circuit road.
//!
//! [`ground`] finds the facts that play can reach, and instantiates rules about them. [`net`] makes a circuit of the ground
//! rules, a propositional net, and makes it small. [`propnet`] plays single states on the net.
//!
//! This crate is a part of the crate `gdlr`, and no stable interface by itself.
#![forbid(unsafe_code)]

pub mod ground;
pub mod net;
pub mod propnet;
mod tuning;
