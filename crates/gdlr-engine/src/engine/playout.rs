//! Random moves one after the other: how far, how they ended, which they were.

use super::error::WorkLimit;
use super::ids::{MoveId, RoleId};

/// The bound on the length of a playout where the caller names none: far beyond any game
/// that ends, near enough that one that never ends is noticed.
pub const DEFAULT_MAX_STEPS: u64 = 100_000;

/// How a playout ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// In a terminal state.
    Terminal,
    /// Not terminal after as many joint moves as allowed.
    Capped,
    /// In a state that is not terminal where this role has no legal move.
    Stuck(RoleId),
    /// Broken off from outside.
    Halted,
    /// In a state that was too much for the engine.
    Limit(WorkLimit),
}

/// Random moves from wherever a scratch is, and the buffers for them: a step allocates nothing
/// once they have grown. [`Engine::playout`](super::Engine::playout) plays.
#[derive(Clone, Debug)]
pub struct Playout {
    /// The most joint moves.
    pub max_steps: u64,
    pub(super) legal: Vec<MoveId>,
    pub(super) joint: Vec<MoveId>,
    /// The moves played, as many a step as there are roles.
    pub(super) history: Vec<MoveId>,
    /// The roles of the last playout.
    pub(super) roles: usize,
    /// The joint moves of the last playout.
    pub(super) steps: u64,
    /// Whether the moves played are kept.
    pub(super) keeps_history: bool,
}

impl Default for Playout {
    /// At most [`DEFAULT_MAX_STEPS`] joint moves.
    fn default() -> Self {
        Playout::new(DEFAULT_MAX_STEPS)
    }
}

impl Playout {
    /// Playouts of at most so many joint moves.
    pub fn new(max_steps: u64) -> Self {
        let (legal, joint, history) = Default::default();
        Playout { max_steps, legal, joint, history, roles: 1, steps: 0, keeps_history: true }
    }

    /// The same, but the moves played are not kept. Some engines are then several times as fast.
    #[must_use]
    pub fn without_history(self) -> Self {
        Playout { keeps_history: false, ..self }
    }

    /// The number of joint moves of the last playout.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The joint moves of the last playout, in order. None if they are [not
    /// kept](Playout::without_history).
    pub fn history(&self) -> impl ExactSizeIterator<Item = &[MoveId]> {
        self.history.chunks_exact(self.roles)
    }
}
