//! Automata of games: written from rules and nets, and read as engines and nets.
//!
//! [`export`] writes a game as an automaton of Regular Games, and plays it. [`automaton`] makes an
//! engine of any automaton, and a net.
//!
//! This crate is a part of the crate `gdlr`. It is no stable interface by itself.
#![forbid(unsafe_code)]

pub mod automaton;
pub mod export;
mod tuning;
#[cfg(test)]
mod tuning_tests;
