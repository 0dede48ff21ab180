//! Languages of automata.
//!
//! [`rg`] is the language Regular Games itself: its reader, checks, optimiser and pragmas. [`hrg`]
//! is High-level Regular Games, the language in which people write such automata. Games in [`rbg`]
//! (Regular Boardgames) and [`abg`] (Abstract Board Games) become such automata.
//!
//! This crate is a part of the crate `gdlr`, and no stable interface by itself.
#![deny(unsafe_code)]
#![cfg_attr(not(feature = "native"), forbid(unsafe_code))]

pub mod abg;
pub mod hrg;
pub mod rbg;
pub mod rg;
