//! How a match is run.

use crate::ggp::message::Dialect;
use gdlr_engine::engine::DEFAULT_MAX_STEPS;
use std::time::Duration;

/// How a match is run.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The identifier that the players are told: one symbol of KIF.
    pub id: String,
    /// How much time players have to get ready.
    pub start_clock: Duration,
    /// How much time they have for a move.
    pub play_clock: Duration,
    /// The seed of the moves that the manager chooses.
    pub seed: u64,
    /// The most joint moves.
    pub max_steps: u64,
    /// A player with so many answers that did not count is not asked for moves any more. A message
    /// that nobody took until its clock was over counts once, however often it was sent. A player
    /// that was given up for that, and answers INFO, is asked again.
    pub max_errors: u32,
    /// How players elsewhere are told of a step; `None` for the joint move where all see it, and
    /// percepts where rules for `sees` say what roles see. There nobody is told another role's
    /// move, whatever stands here.
    pub dialect: Option<Dialect>,
}

impl Default for Conditions {
    /// 30 seconds to get ready, 10 for a move, ten errors, the dialect that the game needs.
    fn default() -> Conditions {
        Conditions {
            id: "match".to_owned(),
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_secs(10),
            seed: 1,
            max_steps: DEFAULT_MAX_STEPS,
            max_errors: 10,
            dialect: None,
        }
    }
}
