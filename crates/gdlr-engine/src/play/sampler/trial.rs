//! Which situations can follow others, as far as a role can tell.
//!
//! Most joint moves that are tried do not agree with what the role was told, so that is asked
//! first, and of many at once ([`Engine::agreeing`]): only those that agree are played.

use super::candidates::WeightedSituations;
use super::observation::NumberedObservation;
use super::situation::Situation;
use crate::engine::{AnyEngine, AnyScratch, AnyState, Engine, MoveId, RoleId};
use crate::play::joint_moves::{self, JointMoves};
use rand_xoshiro::Xoshiro256PlusPlus;
use smallvec::SmallVec;

/// How many joint moves the engine is asked about at once. Those that evaluate a bit of a word for
/// each have no use for more.
const AT_ONCE: usize = 64;

/// The evaluator of joint moves, with its working memory.
pub(super) struct Trial {
    engine: AnyEngine,
    scratch: AnyScratch,
    /// Who cannot tell the situations apart.
    role: RoleId,
    legal: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
}

/// A joint move in a situation.
struct Try<'s> {
    from: &'s Situation<AnyState>,
    joint: SmallVec<[MoveId; 4]>,
    weight: f64,
}

impl Trial {
    pub fn new(engine: AnyEngine, role: RoleId) -> Trial {
        let scratch = engine.scratch();
        let legal = vec![Vec::new(); engine.roles().count()];
        Trial { engine, scratch, role, legal, joint: Vec::new() }
    }

    /// Adds to `weighted` what follows situations by joint moves that agree with an observation. In
    /// each situation that is all joint moves if they are no more than `tries`, otherwise so many
    /// at random, and each has the same part of the situation's weight. Whether it was all of them;
    /// it was not where `is_over` broke it off.
    pub fn follow<'s>(
        &mut self,
        situations: impl Iterator<Item = (&'s Situation<AnyState>, f64)>,
        observation: &NumberedObservation,
        tries: usize,
        rng: &mut Xoshiro256PlusPlus,
        weighted: &mut WeightedSituations,
        is_over: &dyn Fn() -> bool,
    ) -> bool {
        let mut open = Vec::new();
        let mut all = true;
        for (from, weight) in situations {
            if is_over() {
                all = false;
                break;
            }
            all &= self.propose(from, weight, observation, tries, rng, &mut |trial, attempt| {
                open.push(attempt);
                if open.len() == AT_ONCE {
                    trial.play(&open, observation, weighted);
                    open.clear();
                }
            });
        }
        self.play(&open, observation, weighted);
        all
    }

    /// Says what to try in a situation; whether that is all joint moves.
    fn propose<'s>(
        &mut self,
        from: &'s Situation<AnyState>,
        weight: f64,
        observation: &NumberedObservation,
        tries: usize,
        rng: &mut Xoshiro256PlusPlus,
        attempt: &mut dyn FnMut(&mut Trial, Try<'s>),
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
            attempt(trial, Try { from, joint: SmallVec::from_slice(joint), weight });
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

    /// Adds to `weighted` what follows by those joint moves that agree with an observation.
    fn play(
        &mut self,
        tries: &[Try<'_>],
        observation: &NumberedObservation,
        weighted: &mut WeightedSituations,
    ) {
        let Trial { engine, scratch, role, .. } = self;
        let percepts = observation.percepts.as_deref();
        let steps: Vec<_> = tries.iter().map(|one| (&one.from.state, &one.joint[..])).collect();
        let mut agreeing = Vec::new();
        engine.agreeing(scratch, &steps, *role, percepts, &mut |place, seen| {
            let one = &tries[place];
            let mut information_states = one.from.information_states.clone();
            information_states.add_seen(engine, &one.joint, seen);
            agreeing.push((one, information_states));
        });
        for (Try { from, joint, weight }, information_states) in agreeing {
            engine.enter(scratch, &from.state);
            // Play cannot go on from a state that is too much work.
            if engine.step(scratch, joint).is_ok()
                && engine.terminal(scratch) == Ok(observation.over)
            {
                weighted
                    .add(Situation { state: engine.state(scratch), information_states }, *weight);
            }
        }
    }

    /// The legal moves of the role in a situation.
    pub fn legal(&mut self, at: &Situation<AnyState>, moves: &mut Vec<MoveId>) {
        self.engine.enter(&mut self.scratch, &at.state);
        // None, if they are too much work.
        let _ = self.engine.legal(&mut self.scratch, self.role, moves);
    }
}
