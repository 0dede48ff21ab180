//! Which situations can follow another one, as far as a role can tell.

use super::candidates::Found;
use super::situation::Situation;
use super::told::Observation;
use crate::engine::{AnyEngine, AnyScratch, AnyState, Engine, MoveId, RoleId};
use crate::gdl::Term;
use crate::play::joint_moves::{self, JointMoves};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What tries joint moves, with its working memory.
pub(super) struct Trial {
    engine: AnyEngine,
    scratch: AnyScratch,
    /// Who cannot tell the situations apart.
    role: RoleId,
    legal: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
    percepts: Vec<Term>,
}

impl Trial {
    pub fn new(engine: AnyEngine, role: RoleId) -> Trial {
        let scratch = engine.scratch();
        let legal = vec![Vec::new(); engine.roles().count()];
        Trial { engine, scratch, role, legal, joint: Vec::new(), percepts: Vec::new() }
    }

    /// Adds to `found` what follows a situation by joint moves that agree with an observation,
    /// the weight of each joint move being the same part of `weight`: all joint moves if they are
    /// no more than `tries`, otherwise so many at random. Whether it was all of them.
    pub fn follow(
        &mut self,
        from: &Situation<AnyState>,
        weight: f64,
        observation: &Observation,
        tries: usize,
        rng: &mut Xoshiro256PlusPlus,
        found: &mut Found,
    ) -> bool {
        self.engine.enter(&mut self.scratch, &from.state);
        let mut chances = 1.0;
        for role in self.engine.roles().iter() {
            let legal = &mut self.legal[role.index()];
            // A state that is too much work is none that can be gone on from.
            if self.engine.legal(&mut self.scratch, role, legal).is_err() {
                return false;
            }
            if role != self.role {
                chances *= legal.len().max(1) as f64;
            }
            observation.restrict(role, legal);
        }
        let legal = std::mem::take(&mut self.legal);
        let mut joint = std::mem::take(&mut self.joint);
        let count = joint_moves::count(&legal);
        let is_all = count <= tries;
        let mut attempt = |trial: &mut Trial, joint: &[MoveId], weight: f64| {
            if let Some(situation) = trial.attempt(from, observation, joint) {
                found.add(situation, weight);
            }
        };
        match is_all {
            true => {
                let mut all = JointMoves::of(&legal);
                while all.next(&mut joint) {
                    attempt(self, &joint, weight / chances);
                }
            }
            false => {
                for _ in 0..tries {
                    joint_moves::draw(&legal, &mut joint, rng);
                    let share = count as f64 / chances / tries as f64;
                    attempt(self, &joint, weight * share);
                }
            }
        }
        (self.legal, self.joint) = (legal, joint);
        is_all
    }

    /// What follows by a joint move, if it agrees with an observation.
    fn attempt(
        &mut self,
        from: &Situation<AnyState>,
        observation: &Observation,
        joint: &[MoveId],
    ) -> Option<Situation<AnyState>> {
        let Trial { engine, scratch, role, percepts, .. } = self;
        engine.enter(scratch, &from.state);
        if let Some(seen) = &observation.percepts {
            engine.percepts(scratch, joint, *role, percepts).ok()?;
            if percepts != seen {
                return None;
            }
        }
        let mut known = from.known.clone();
        known.add(engine, scratch, joint, percepts).ok()?;
        engine.step(scratch, joint).ok()?;
        let over = engine.terminal(scratch).ok()?;
        (over == observation.over).then(|| Situation { state: engine.state(scratch), known })
    }

    /// The legal moves of the role in a situation.
    pub fn legal(&mut self, at: &Situation<AnyState>, moves: &mut Vec<MoveId>) {
        self.engine.enter(&mut self.scratch, &at.state);
        // None, if they are too much work.
        let _ = self.engine.legal(&mut self.scratch, self.role, moves);
    }
}
