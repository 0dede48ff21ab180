//! The one loop that plays random moves.

use super::choose;
use crate::engine::{Engine, MoveId, RoleId};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The bound on the length of a playout where the caller names none: far beyond any game
/// that ends, near enough that one that never ends is noticed.
pub const DEFAULT_MAX_STEPS: u64 = 100_000;

/// The roles of a game, by number.
#[derive(Clone, Copy, Debug)]
pub struct Roles(u16);

impl Roles {
    /// The roles of the game that `engine` plays.
    pub fn of<E: Engine>(engine: &E) -> Roles {
        // There are fewer symbols than this, and engines number roles with 16 bits.
        Roles(u16::try_from(engine.game().roles.len()).unwrap_or(u16::MAX))
    }

    /// Every role in order.
    pub fn iter(self) -> impl Iterator<Item = RoleId> {
        (0..self.0).map(RoleId)
    }

    /// How many there are.
    pub fn count(self) -> usize {
        usize::from(self.0)
    }
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// In a terminal state.
    Terminal,
    /// Not terminal after as many joint moves as allowed.
    Capped,
    /// In a state that is not terminal where this role has no legal move.
    Stuck(RoleId),
    /// Broken off from outside.
    Halted,
    /// The engine gave up, see [`Engine::gave_up`].
    TooMuchWork,
}

/// Plays random moves from wherever a scratch is. Holds the buffers, so that a step
/// allocates nothing once they have grown.
#[derive(Debug)]
pub struct Playout<'e, E> {
    engine: &'e E,
    roles: Roles,
    legal: Vec<MoveId>,
    joint: Vec<MoveId>,
    /// The moves played, as many a step as there are roles.
    history: Vec<MoveId>,
}

impl<'e, E: Engine> Playout<'e, E> {
    /// A player of random moves on `engine`.
    pub fn new(engine: &'e E) -> Self {
        let roles = Roles::of(engine);
        let joint = Vec::with_capacity(roles.count());
        Playout { engine, roles, legal: Vec::new(), joint, history: Vec::new() }
    }

    /// Plays from the state of `scratch`: every role takes one of its legal moves, each with
    /// the same chance, until a terminal state, at most `max_steps` times. `halted` is asked
    /// before every step whether to break off.
    pub fn run(
        &mut self,
        scratch: &mut E::Scratch,
        rng: &mut Xoshiro256PlusPlus,
        max_steps: u64,
        mut halted: impl FnMut() -> bool,
    ) -> End {
        self.history.clear();
        let mut steps = 0;
        loop {
            if self.engine.terminal(scratch) {
                return self.unless_too_much(scratch, End::Terminal);
            }
            if steps == max_steps {
                return End::Capped;
            }
            if halted() {
                return End::Halted;
            }
            if let Err(role) = self.draw(scratch, rng) {
                return self.unless_too_much(scratch, End::Stuck(role));
            }
            if self.engine.gave_up(scratch).is_some() {
                return End::TooMuchWork;
            }
            self.engine
                .step(scratch, &self.joint)
                .expect("an engine plays the moves that it calls legal");
            self.history.extend_from_slice(&self.joint);
            steps += 1;
        }
    }

    fn unless_too_much(&self, scratch: &E::Scratch, end: End) -> End {
        if self.engine.gave_up(scratch).is_some() { End::TooMuchWork } else { end }
    }

    /// Draws a joint move; the error is a role that has none.
    fn draw(
        &mut self,
        scratch: &mut E::Scratch,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<(), RoleId> {
        self.joint.clear();
        for role in self.roles.iter() {
            self.engine.legal(scratch, role, &mut self.legal);
            self.joint.push(choose(&self.legal, rng).ok_or(role)?);
        }
        Ok(())
    }

    /// The joint moves of the last run, in order.
    pub fn history(&self) -> impl ExactSizeIterator<Item = &[MoveId]> {
        // A game without roles has no move to remember, and no engine plays one.
        self.history.chunks_exact(self.roles.count().max(1))
    }
}
