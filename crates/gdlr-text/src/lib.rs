//! Texts of games, and what is said about them.
//!
//! A rulesheet is a text before it is a game. This crate reads texts into s-expressions
//! ([`kif`], [`infix`], [`operations`], each by [`notation`]), writes them back in one layout, and
//! says what is wrong with them: a [`diagnostic`] has a stable code, a place in the text and help. It also holds
//! what all layers above share and what knows nothing of games: [`syntax`] (what readers of
//! languages do alike), [`budget`] (how much time and memory set-up may take), [`decisions`] (what it
//! chooses, and by what), [`graph`]
//! (components and orders) and [`random`] (streams of random numbers).
//!
//! This crate is a part of the crate `gdlr`, and no stable interface by itself.
#![forbid(unsafe_code)]

pub mod budget;
#[doc(hidden)]
pub mod classes;
pub mod decisions;
pub mod diagnostic;
#[doc(hidden)]
pub mod dialect;
#[doc(hidden)]
pub mod findings;
pub mod graph;
#[doc(hidden)]
pub mod heap;
pub mod infix;
pub mod kif;
pub mod nearest;
pub mod notation;
pub mod operations;
pub mod random;
pub mod syntax;
