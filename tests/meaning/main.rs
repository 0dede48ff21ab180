//! The meaning of rules: every engine against an evaluator that follows the definitions, against each
//! other, and on rules that somebody worked out by hand.

mod budget;
mod contract;
mod crosscheck;
mod explain;
mod gdl_ii;
mod lesser_errors;
mod oracle;
mod play;
mod random_programs;
mod safety;
mod tree;
mod verify;

#[path = "../compare/mod.rs"]
mod compare;
#[path = "../derivation/mod.rs"]
mod derivation;
#[path = "../naive/mod.rs"]
mod naive;
#[path = "../programs/mod.rs"]
mod programs;
