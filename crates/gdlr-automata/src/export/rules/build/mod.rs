mod builder;
mod constants;
mod exclude;
mod operands;
mod registers;

pub use builder::Builder;
pub use constants::{MOST_ENTRIES, nested};
pub use operands::{Condition, demand};
pub use registers::{Operand, Register};
