//! Searches as machine code, by the compiler Cranelift (RG, 3.4 compiles automata, too).
//!
//! The code of a program is compiled to functions, one for each landmark and each thing that is looked
//! for: moves, or the end of a reachability check. A function follows all ways from its landmark. A choice
//! is a loop, a landmark ahead is a call, and the end of a way is a jump to the next alternative. So
//! nothing is kept on a stack of its own: what an assignment overwrites is a value of the function,
//! and whoever goes back writes it again.
//!
//! ```text
//! turn, at: here = Square(*);        for each square: here = square
//! at, from: board[here] == pawn;         if board[here] != pawn: next square
//! from, to: board[here] = empty;         old = board[here]; board[here] = empty
//!                                        call to(…); board[here] = old
//! ```
//!
//! Machine code has no memory of where it was, and gives no messages. Where it goes on for too long or
//! too deep, or where an action is not valid, it gives up, and the [interpreter](super::run) begins anew.
//!
//! | file | what it is for |
//! |---|---|
//! | `code` | all functions of a program, and the memory that they are in |
//! | `function` | one function: operations as blocks |
//! | `registers` | registers in a function: read, assigned to, given back |
//! | `host` | running the functions, and what they call |

#![allow(unsafe_code, reason = "machine code is called, and calls back")]

mod code;
mod function;
mod host;
mod registers;

pub(super) use code::Native;
pub(super) use host::{Listing, Memory, Outcome, list};
