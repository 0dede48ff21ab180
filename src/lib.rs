//! `gdlr`: a reasoner for the Game Description Language.
#![warn(missing_docs)]

pub mod diagnostic;
pub mod engine;
pub mod gdl;
pub mod kif;
pub mod play;
