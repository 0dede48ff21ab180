//! Programs that play, on any engine.
//!
//! This module is generic over [`Engine`](crate::engine::Engine), and knows no engine by name. One loop
//! plays random moves, [`Engine::playout`](crate::engine::Engine::playout), and the other parts use it:
//!
//! * [`FlatMonteCarlo`] counts random playouts from the initial state, on several threads. This is the
//!   measure by which reasoners are compared (FI, VIII). An engine that plays many games at once has a
//!   loop of its own, as a [`RandomPlay`].
//! * [`information_sets()`] counts the information sets of the roles.
//! * [`perft`] counts the sequences of joint moves of each length. The counts of different engines are
//!   compared. [`divide`] counts the sequences after each first move.
//! * [`verify`](mod@verify) replays a recorded play, a [`trace`].
//! * [`crosscheck`] takes several engines through the same states and compares a [`View`] of each.
//! * [`well_formed`] searches for defects of a game (SPEC, definitions 21 to 24).
//! * [`thinker`] chooses moves: at random, by flat Monte Carlo or by [`uct`].
//!   `gdlr::play::player` is the interface of players for the program that runs a match. [`report`] has
//!   the evaluations of players.
//! * [`test_positions`] are states with known good moves.
//!
//! These properties hold for all parts. Every random choice is exactly uniform. The same seed gives the
//! same play ([`seeded`]). Long work looks at a stop flag at every step. A defect of the game, such as a
//! role without a legal move or without a proper goal value, is a result and not a panic.

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
