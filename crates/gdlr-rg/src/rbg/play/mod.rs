//! Play by the rules themselves, move by move, as the definition says (RBG, "Semantics").
//!
//! A move is a word, as in the paper: modifiers up to a switch, each with the square on which it
//! applies. Other programs write moves in this form, and the conditions of a proper game are about
//! such words. The automaton is for random play by the million.
//!
//! | file | content |
//! |---|---|
//! | `position` | the state of a game between two actions |
//! | `machine` | the moves of a position |
//! | `search` | words of modifiers, patterns |
//! | `words` | a move as text, for people and for other programs |
//! | `tags` | the tags of a move on the automaton |
//! | `explore` | whether a game is proper |
//! | `counterexample` | violations of its conditions, in words |

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
