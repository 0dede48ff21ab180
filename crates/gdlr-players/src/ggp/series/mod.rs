//! Series of matches: who meets whom at what, and what comes of it.
//!
//! | file | what it is for |
//! |---|---|
//! | [`schedule`] | the [`Fixture`]s: every choice of players at every game, from all sides |
//! | [`run`](mod@run) | fixtures on several threads, one match at a time for players that play no more |
//! | [`scores`](mod@scores) | mean goals with their intervals; matches won, drawn and lost |
//! | [`elo`] | ratings of the largest likelihood, from what players scored against each other |
//!
//! Players and games are numbers here, so that all of it is of use for whatever plays: a
//! program brings the matches, with [`manager::run`](super::manager::run) or otherwise.

pub mod elo;
pub mod run;
pub mod schedule;
pub mod scores;

pub use elo::{Points, Rating, ratings};
pub use run::run;
pub use schedule::{Fixture, Schedule};
pub use scores::{Outcome, Score, mean_and_interval, points, scores};
