//! `gdlr`: a reasoner for the Game Description Language.
#![warn(missing_docs)]

pub mod check;
pub mod diagnostic;
pub mod engine;
pub mod gdl;
pub mod kif;
pub mod normal;
pub mod play;
pub mod tree;
