//! What a person who plays sees: the boards of a game as they become known, and what moves name.
//!
//! [`Boards`](crate::board::Boards) are found in all facts that a game can have. A net knows them;
//! elsewhere they are those that play has shown, so that boards change while more is seen. Which
//! squares a move names is learned from steps of play ([`Targets`](crate::board::Targets)). A
//! [`Viewer`] holds both, and shows states as text and as pictures.
//!
//! [`walk`] plays at random for it, such that moves of all forms are seen soon.

mod viewer;
mod walk;

pub use viewer::Viewer;
