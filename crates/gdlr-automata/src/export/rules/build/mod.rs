//! The program under construction: registers, constant maps, comparisons and blocks, each made when it
//! is asked for.
//!
//! | file | what it is for |
//! |---|---|
//! | [`builder`] | the program with all that it declares |
//! | [`registers`] | variables that are no part of the state |
//! | [`constants`] | constant maps, and how large they may be |
//! | [`operands`] | symbols and registers as expressions, and what is said of them |
//! | [`exclude`] | which checks exclude each other |

mod builder;
mod constants;
mod exclude;
mod operands;
mod registers;

pub use builder::Builder;
pub use constants::{MOST_ENTRIES, nested};
pub use operands::{Condition, demand};
pub use registers::{Operand, Register};
