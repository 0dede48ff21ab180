//! Many games of one rulesheet that the caller steps together, for programs that learn or search.
//!
//! A program that trains an agent or expands a tree gives moves. After each step it needs the legal
//! moves, the roles that have a choice, and the observations. [`Lanes`] are games that run side by
//! side, each in a *lane*. They read and write arrays of the caller, with a row for each lane. They
//! compute only the outputs that the caller asks for. `BatchLanes` of the crate `gdlr-batch` needs a
//! net, and plays hundreds of games by the same instructions. [`EngineLanes`] plays on any engine, one
//! game after the other, at the speed of that engine.
//!
//! # Without a net
//!
//! A net has a list of all moves and facts, and says whose turn it is. Other engines only know the moves
//! and facts of the states that they have met. But an array has the same columns in all steps. So
//! [`NumberedEngine`] gets a [`Vocabulary`]: a list of all moves and facts that can occur. It may have
//! more, but nothing may be missing. `ground::vocabulary` makes the list from the rules. Some random
//! plays show whether roles take turns. If later play contradicts this, or if a state is too much work
//! for the engine, the lane ends ([`FAILED`]).
//!
//! # Actions
//!
//! An action is the name of a move, and means the same for every role and in every state. If one role
//! chooses at a time, a step takes one action for each lane, and the other roles wait. If several roles
//! may choose at once, a step takes one action for each role. The lane itself draws the moves of chance
//! (the role `random` of GDL-II).
//!
//! # Ends
//!
//! There are four ways in which a lane ends: its state is terminal; a role has no legal move (which
//! does not happen in a well-formed game); the game is cut after a number of steps; or an action was
//! not legal, if the caller wants such an end. The caller chooses what an ended lane does at the next
//! step ([`Ended`]): it stays as it is, or it begins a new game. Until then all outputs are about the
//! last state.
//!
//! # Observations of roles
//!
//! Observations are about the state. If rules for `sees` hide the state, [`Output::Percepts`] has the
//! percepts of each role in the last step. A role also knows its own actions and, in a well-formed
//! game, its legal moves and the end.

mod children;
mod contract;
mod numbered;
mod outputs;
mod signals;
mod single;
mod vocabulary;

#[allow(deprecated, reason = "the former name is there for those who use it")]
pub use children::Asked;
pub use children::{ChildOutputs, Children, ExpandError};
pub use contract::Lanes;
pub use numbered::NumberedEngine;
pub use outputs::{Encoded, Moment, Output};
pub use signals::{CUT, Ended, FAILED, Illegal, NO_GOAL, REFUSED, Refusal, SKIP, STUCK, TERMINAL};
pub use single::EngineLanes;
pub use vocabulary::Vocabulary;
