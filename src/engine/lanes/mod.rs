//! Many games of one rulesheet, stepped together from outside: for those who learn and search.
//!
//! Whoever trains an agent, or expands a tree, gives moves and wants to know after each step what
//! is legal, who is to move, what is seen. [`Lanes`] are games that run beside each other, one in
//! each *lane*, and take and give all of that in arrays of the caller, a row for each lane.
//! Nothing is computed that is not asked for. `BatchLanes` of the module `batch` plays hundreds of
//! them by the same instructions, where there is a net.
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
//! Observations are of the state. Where rules for `sees` hide it, [`Lanes::percepts`] says what
//! each role saw of the last step. A role knows its own actions beside that, and, in a well-formed
//! game, its legal moves and the end.

mod contract;
mod signals;

pub use contract::Lanes;
pub use signals::{CUT, Ended, Illegal, NO_GOAL, REFUSED, Refusal, SKIP, STUCK, TERMINAL};
