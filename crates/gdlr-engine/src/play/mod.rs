//! Playing: what can be done with any engine.
//!
//! Everything here is generic over [`Engine`](crate::engine::Engine) and knows no engine by
//! name. One loop plays random moves, [`Engine::playout`](crate::engine::Engine::playout); the
//! rest is built upon it:
//!
//! * [`FlatMonteCarlo`] counts random playouts from the initial state, on several threads:
//!   the measure by which reasoners are compared (FI, VIII). An engine that plays many at
//!   once has a loop of its own, as a [`RandomPlay`].
//! * [`information_sets()`] counts the information sets of the roles;
//! * [`perft`] counts the sequences of joint moves of each length: the measure by which
//!   they are checked; [`divide`] those behind each first move.
//! * [`verify`](mod@verify) replays recorded play, a [`trace`].
//! * [`crosscheck`] takes several engines through the same states and compares a [`View`] of
//!   each.
//! * [`well_formed`] looks for defects of a game (SPEC, definitions 21 to 24).
//! * [`thinker`] chooses moves: at random, by flat Monte Carlo or by [`uct`];
//!   `gdlr::play::player` is the interface of players to whoever runs a match, [`report`] their
//!   evaluations; [`test_positions`] are states whose good moves are known.
//!
//! Everywhere a choice is exactly uniform, a seed gives the same play again
//! (see [`seeded`]), long work looks at a stop flag at every step, and a defect of the game
//! (a role without a legal move or without a proper goal value) is a result, not a panic.

pub mod crosscheck;
pub mod exploitability;
mod flat_mc;
mod information_sets;
pub mod joint_moves;
mod perft;
pub mod report;
pub mod sampler;
mod sight;
mod statistics;
pub mod test_positions;
pub mod thinker;
mod thinking_time;
pub mod trace;
pub mod uct;
pub mod verify;
mod view;
pub mod well_formed;

pub use crate::engine::{DEFAULT_MAX_STEPS, End, Playout, choose, seeded};
pub use flat_mc::{Control, FlatMonteCarlo, Progress, RandomPlay, Share};
pub use information_sets::{
    Dark, DepthCount, InformationSets, RoleCount, Unfinished, Untold, information_sets,
};
pub use perft::{Branch, Divided, Perft, divide, perft, perft_from};
pub use sight::{LookAlike, Sight};
pub use statistics::{Defect, DefectKind, RoleStatistics, Statistics};
pub use view::View;
