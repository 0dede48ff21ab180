//! `gdlr`: a reasoner for the Game Description Language.
#![warn(missing_docs)]
// The essays at the head of the modules name the files that they are about.
#![allow(rustdoc::private_intra_doc_links)]
// A library never prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod check;
pub mod diagnostic;
pub mod engine;
pub mod gdl;
pub mod kif;
pub mod normal;
pub mod play;
pub mod tree;
