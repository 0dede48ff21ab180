//! Rulesheets of the Game Description Language.
//!
//! [`gdl`] makes rules of s-expressions: symbols, terms, roles, dependencies, strata. [`check`]
//! says what is wrong with a rulesheet and what is odd about it. [`normal`] makes rules over flat
//! rows of symbols, from which engines start. [`explain`] derives a sentence in the rules as they
//! are written, and [`obfuscate`] writes the same game under names that say nothing.
//! A [`bundled`] rulesheet comes with a program.
//!
//! This crate is a part of the crate `gdlr`, and no stable interface by itself.
#![forbid(unsafe_code)]

pub mod bundled;
pub mod check;
#[cfg(feature = "explain")]
pub mod explain;
pub mod gdl;
pub mod normal;
pub mod obfuscate;
