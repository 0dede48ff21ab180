//! The contract of engines: the interface for players, managers and searches.
//!
//! A compiled game is an [`Engine`]. It is immutable, and threads share it. The working memory of an
//! evaluation is an [`Engine::Scratch`]. It belongs to the caller, there is one for each thread, and it
//! always has a current state. The contract does not depend on GDL: the engine gives the roles, the
//! names of moves and the facts of a state.
//!
//! | file | content |
//! |---|---|
//! | `contract` | the trait [`Engine`], and the one loop that plays random moves |
//! | `ids` | moves and roles as numbers, with names |
//! | `error` | errors of questions and steps |
//! | `playout` | the length and the end of random playouts |
//! | `choice` | exactly uniform choices of moves |
//! | `erased` | [`AnyEngine`]: an engine of any type |
//! | `hash` | a hash of facts |
//! | `position` | a state as text |
//! | `kind` | the names of engines |
//! | `lanes` | the trait [`Lanes`]: many games stepped together, on any engine |
//!
//! # Properties of every engine
//!
//! * **Moves.** A [`MoveId`] is one move of one role. It means the same in every scratch, thread and
//!   clone of an engine. Another engine of the same game has other numbers. Terms carry moves from one
//!   engine to another ([`Engine::move_term`], [`Engine::move_id`]).
//! * **Order.** [`Engine::legal`] gives the legal moves of a state in an order that depends on the
//!   state alone. The order does not depend on the earlier states, nor on earlier questions.
//! * **Terminal states.** In a terminal state no role has a legal move, whatever the rules say, and no
//!   joint move can be played. Goals can be asked for in every state, terminal or not.
//! * **Errors.** A question that needs more work or memory than the limit of a state fails with a
//!   [`WorkLimit`]. The scratch keeps its state. Further questions may fail, too, until the scratch
//!   enters another state.
//! * **Allocation.** When the tables of the scratch have the size that the game needs, questions, steps,
//!   `enter` and `save` allocate nothing.

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
