//! Play straight from the rules, move by move, as the definition says (RBG, "Semantics").
//!
//! A move is here what it is in the paper: a word of modifiers, each with the square where it
//! applies, up to a switch. Other programs speak of moves so, and whether a game is proper is a
//! question about such words. Random play by the million goes on the automaton instead.
//!
//! | file | what it is for |
//! |---|---|
//! | `position` | what a game is like between two actions |
//! | `machine` | the moves of a position |
//! | `search` | words of modifiers, patterns |
//! | `words` | a move as text, for people and for other programs |
//! | `tags` | what a move is called on the automaton |
//! | `explore` | whether a game is proper |
//! | `counterexample` | what is not proper, in words |

mod counterexample;
mod explore;
mod machine;
mod position;
mod search;
mod tags;
mod words;

#[cfg(test)]
mod tests;

pub use counterexample::{Improper, Violation};
pub use explore::{Exploration, NeverValid, explore};
pub use machine::{Machine, Move};
pub use position::Position;
pub use search::{Application, Trouble, Work};
pub use tags::Tags;
pub use words::NotAWord;
