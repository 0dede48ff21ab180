//! Who plays.
//!
//! [`set_up`] makes the engine to use for a game, and for what is to be done with it. A
//! [`player`] is asked for moves by whoever runs a match, and [`search`] chooses them by Monte Carlo
//! tree search, or with a neural network. [`ggp`] runs matches between programs: seats, protocol, manager. [`rbg_match`] has the
//! protocol of Regular Boardgames.
//!
//! This crate is a part of the crate `gdlr`, and no stable interface by itself.
#![forbid(unsafe_code)]

pub mod ggp;
pub mod player;
pub mod rbg_match;
pub mod search;
pub mod set_up;
mod tuning;
#[cfg(feature = "value-net")]
pub mod value_net;
