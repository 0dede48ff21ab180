//! The contract of engines, and all that plays with any engine.
//!
//! [`engine`] is the contract: a compiled game is an [`Engine`](engine::Engine), and the memory of
//! an evaluation, its scratch, belongs to the caller. [`Lanes`](engine::Lanes) are many games
//! stepped together. [`play`] is what can be done with any engine: random playouts, perft, replay
//! of recorded play, comparison of engines, samplers of hidden states.
//!
//! This crate is a part of the crate `gdlr`, and no stable interface by itself.
#![forbid(unsafe_code)]

pub mod engine;
pub mod play;
