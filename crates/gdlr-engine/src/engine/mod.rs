//! The contract of engines: the interface that players, managers and searches are written against.
//!
//! A compiled game is an [`Engine`]: immutable, shared between threads. The memory of an
//! evaluation is a [`Engine::Scratch`], which belongs to the caller, one a thread, and always
//! speaks of one state. Nothing here is tied to GDL: roles, the names of moves and the facts of
//! a state are asked of the engine.
//!
//! | file | what it is for |
//! |---|---|
//! | `contract` | the trait [`Engine`], and the one loop that plays random moves |
//! | `ids` | moves and roles as numbers, with names |
//! | `error` | why a question has no answer |
//! | `playout` | random moves: how far, and how they ended |
//! | `choice` | drawing them, exactly uniform |
//! | `erased` | [`AnyEngine`]: an engine whose type is not known |
//! | `hash` | a hash of facts |
//! | `position` | a state as text |
//! | `kind` | the names of engines |
//! | `lanes` | the trait [`Lanes`]: many games stepped together, on any engine |
//!
//! # What holds for every engine
//!
//! * **Moves.** A [`MoveId`] is one move of one role, and means the same in every scratch,
//!   thread and clone of an engine. Another engine of the same game has numbers of its own;
//!   between engines, moves travel as terms ([`Engine::move_term`], [`Engine::move_id`]).
//! * **Order.** [`Engine::legal`] gives the legal moves of a state in an order that depends on
//!   the state alone, not on the way there nor on what was asked before.
//! * **Terminal states.** No role has a legal move there, whatever the rules say, and no joint
//!   move can be played. Goals can be asked for in every state, terminal or not.
//! * **Errors.** A question that takes more work or memory than a state may have fails with a
//!   [`WorkLimit`]. The scratch still speaks of the same state; its questions may go on to
//!   fail, until it enters a state.
//! * **Allocation.** Asking, stepping, entering and saving allocate nothing once the tables of
//!   the scratch have grown to the size that the game needs.

mod contract;
mod erased;
mod error;
mod hash;
mod ids;
mod kind;
mod lanes;
mod playout;
mod position;

pub use contract::Engine;
pub use erased::{AnyEngine, AnyScratch, AnyState};
pub use error::{FactError, GoalError, StepError, WorkLimit};
pub use gdlr_text::random::{choose, seeded};
pub use hash::fact_hash;
pub use ids::{MoveId, RoleId, Roles};
pub use kind::{EngineKind, UnknownEngine};
#[allow(deprecated, reason = "the former name is there for those who use it")]
pub use lanes::Asked;
pub use lanes::{
    CUT, ChildOutputs, Children, Encoded, Ended, EngineLanes, ExpandError, FAILED, Illegal, Lanes,
    Moment, NO_GOAL, NumberedEngine, Output, REFUSED, Refusal, SKIP, STUCK, TERMINAL, Vocabulary,
};
pub use playout::{DEFAULT_MAX_STEPS, End, Playout};
pub use position::{Position, PositionError, enter_written, written_term};
