//! The circuit road.
//!
//! [`ground`] instantiates rules: which facts can be reached, and rules about them. [`net`] makes
//! a circuit of those, a propositional net, and makes it small. [`propnet`] plays single states on
//! it.
//!
//! This crate is a part of the crate `gdlr`, and no stable interface by itself.
#![forbid(unsafe_code)]

pub mod ground;
pub mod net;
pub mod propnet;
mod tuning;
