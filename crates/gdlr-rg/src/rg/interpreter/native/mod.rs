//! The search for the walks of an automaton, compiled to machine code by Cranelift (RG, 3.4 compiles
//! automata to C++).
//!
//! A *landmark* is a node that begins a function, such as a node that several edges enter, or a
//! node where a walk begins or ends. The code of a program becomes functions: one for each pair of
//! a landmark and a task. A task is to list moves, to play a move, or to look for the end of a
//! reachability check. A function follows the walks from its landmark. A choice is a loop, a
//! landmark ahead is a call (or its code, if there is little), and the end of a walk is a jump to the
//! next alternative. So there is no stack besides that of the processor. A variable that is no map
//! is a value of the function. Of an entry of a map, a value holds the symbol that an assignment
//! overwrites, and backtracking writes it again.
//!
//! ```text
//! turn, at: here = Square(*);        for each square: here = square
//! at, from: board[here] == pawn;         if board[here] != pawn: next square
//! from, to: board[here] = empty;         old = board[here]; board[here] = empty
//!                                        call to(…); board[here] = old
//! ```
//!
//! Moves are listed with their names and their assignments, as the interpreter lists them. Random
//! playouts have tasks of their own: one function lists moves by their tags alone, and another
//! plays the move that is drawn ([`words`]).
//!
//! A check whose walks go in circles [remembers](visits) where they have been, if a few variables
//! say all about it. Other searches have no memory. Machine code makes no error messages either. It
//! gives up if it runs for too long or too deep, or if an action is not valid. Then the
//! [interpreter](super::run) begins anew.
//!
//! | file | content |
//! |---|---|
//! | `code` | all functions of a program, and the memory that they are in |
//! | `functions` | the functions that a program becomes |
//! | `function` | one function: operations as blocks |
//! | `choice_sets` | sets of choices that random playouts keep from one move to the next |
//! | `choices` | any-assignments: loops through symbols |
//! | `filters` | loops through the symbols for which a comparison holds |
//! | `leaves` | moves that end right behind a comparison |
//! | `branches` | comparisons, and jumps that depend on a value |
//! | `registers` | registers in a function: read, assigned to, given back |
//! | `visits` | the memory of checks |
//! | `host` | running the functions, and the functions that they call |
//! | `walks` | questions about the walks of a program |
//! | `told_apart` | whether tags tell all walks apart |
//! | `words` | moves as words, for random playouts |
//! | `word_list` | the words of the moves of a state |
//! | `playing` | random playouts |
//! | `listing` | their place in the search for moves, and the interpreter where they give up |

#![allow(unsafe_code, reason = "machine code is called, and calls back")]

mod branches;
mod choice_sets;
mod choices;
mod code;
mod filters;
mod function;
mod functions;
mod host;
mod leaves;
mod listing;
mod playing;
mod registers;
mod told_apart;
mod visits;
mod walks;
mod word_list;
mod words;

pub(super) use code::Native;
pub(super) use host::Memory;
