//! The one loop that plays random moves.

use super::{Engine, MoveId, RoleId, WorkLimit};
use rand_xoshiro::Xoshiro256PlusPlus;

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
/// once they have grown. [`Engine::playout`] plays.
#[derive(Clone, Debug)]
pub struct Playout {
    /// The most joint moves.
    pub max_steps: u64,
    legal: Vec<MoveId>,
    joint: Vec<MoveId>,
    /// The moves played, as many a step as there are roles.
    history: Vec<MoveId>,
    /// The roles of the last playout.
    roles: usize,
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
        Playout { max_steps, legal, joint, history, roles: 1 }
    }

    /// See [`Engine::playout`].
    pub(super) fn run<E: Engine + ?Sized>(
        &mut self,
        engine: &E,
        scratch: &mut E::Scratch,
        rng: &mut Xoshiro256PlusPlus,
        halted: &mut dyn FnMut() -> bool,
    ) -> End {
        self.history.clear();
        // A game without roles has no move to remember, and no engine plays one.
        self.roles = engine.roles().count().max(1);
        let mut steps = 0;
        loop {
            match engine.terminal(scratch) {
                Ok(false) => {}
                Ok(true) => return End::Terminal,
                Err(limit) => return End::Limit(limit),
            }
            if steps == self.max_steps {
                return End::Capped;
            }
            if halted() {
                return End::Halted;
            }
            self.joint.clear();
            for role in engine.roles().iter() {
                match engine.random_legal(scratch, role, &mut self.legal, rng) {
                    Ok(Some(id)) => self.joint.push(id),
                    Ok(None) => return End::Stuck(role),
                    Err(limit) => return End::Limit(limit),
                }
            }
            if let Err(error) = engine.step(scratch, &self.joint) {
                match error {
                    super::StepError::Limit(limit) => return End::Limit(limit),
                    error => panic!("an engine plays the moves that it calls legal: {error}"),
                }
            }
            self.history.extend_from_slice(&self.joint);
            steps += 1;
        }
    }

    /// The joint moves of the last playout, in order.
    pub fn history(&self) -> impl ExactSizeIterator<Item = &[MoveId]> {
        self.history.chunks_exact(self.roles)
    }
}
