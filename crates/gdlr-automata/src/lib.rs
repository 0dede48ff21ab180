//! Between rules, nets and automata.
//!
//! [`export`] writes a game as an automaton of Regular Games, and plays it. [`automaton`] makes any
//! automaton an engine, and a net.
//!
//! It is a part of the crate `gdlr`, and no stable interface by itself.
#![forbid(unsafe_code)]

pub mod automaton;
pub mod export;
mod tuning;
#[cfg(test)]
mod tuning_tests;
