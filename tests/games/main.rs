//! Properties of every rulesheet, the bundled and the public ones, and of the nets, batches, boards
//! and other notations that are made of them.

mod batch;
mod boards;
mod bundled;
mod checks;
mod engine_lanes;
mod foreign;
mod format;
mod ground;
mod infix;
mod lanes;
#[cfg(feature = "lexpr")]
mod lexpr;
mod mutated;
mod obfuscate;
mod operations;
mod positions;
mod prolog;
mod propnet;
mod targets;

#[path = "../compare/mod.rs"]
mod compare;
#[path = "../programs/mod.rs"]
mod programs;
#[path = "../rulesheets/mod.rs"]
mod rulesheets;
