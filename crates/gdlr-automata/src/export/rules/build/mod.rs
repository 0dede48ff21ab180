//! The program under construction: registers, constant maps, comparisons and blocks. Each is made
//! when it is needed.
//!
//! | file | what it is for |
//! |---|---|
//! | [`builder`] | the program with its declarations |
//! | [`registers`] | variables that are no part of the state |
//! | [`constants`] | constant maps, and their limits |
//! | [`operands`] | symbols and registers as expressions, and comparisons of them |
//! | [`exclude`] | checks that exclude each other |

mod builder;
mod constants;
mod exclude;
mod operands;
mod registers;

pub use builder::Builder;
pub use constants::{MOST_ENTRIES, nested};
pub use operands::{Condition, demand};
pub use registers::{Operand, Register};
