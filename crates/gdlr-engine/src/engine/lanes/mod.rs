//! Many games of one rulesheet, stepped together from outside: for those who learn and search.
//!
//! Whoever trains an agent, or expands a tree, gives moves and wants to know after each step what
//! is legal, who is to move, what is seen. [`Lanes`] are games that run beside each other, one in
//! each *lane*, and take and give all of that in arrays of the caller, a row for each lane.
//! Nothing is computed that is not asked for. `BatchLanes` of the module `batch` plays hundreds of
//! them by the same instructions, where there is a net; [`EngineLanes`] plays one after the other
//! on any engine, which is as slow as that engine is.
//!
//! # Without a net
//!
//! A net knows all moves and facts, and whose turn it is. Other engines only know what comes up,
//! but columns of arrays have to be the same from the first step on. So [`NumberedEngine`] is given
//! a [`Vocabulary`], from which nothing may be missing and in which there may be more than ever
//! comes up; `ground::vocabulary` finds one from the rules. Whether roles take turns is seen in some
//! random plays. Where play shows that to be wrong, or a state is too much work for the engine, the
//! lane is over ([`FAILED`]).
//!
//! # Actions
//!
//! An action is a move by name, the same for every role and in every state. In a game in which
//! one role chooses at a time, a step takes one action a lane, of the role that is to move, and
//! the others wait; in a game in which several may choose at once, one action of every role.
//! Chance, the role `random` of GDL-II, is drawn by the lane itself.
//!
//! # Ends
//!
//! A lane is over when its state is terminal; when a role has no legal move, which does not
//! happen in a well-formed game; when it was cut; or by an action that was not legal, where the
//! caller wants that. It then stays as it is or begins again with the next step, as
//! the caller says ([`Ended`]); what is asked about it in between is of its last state.
//!
//! # What roles see
//!
//! Observations are of the state. Where rules for `sees` hide it, [`Output::Percepts`] says what
//! each role saw of the last step. A role knows its own actions beside that, and, in a well-formed
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
