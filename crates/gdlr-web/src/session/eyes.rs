//! The facts that a role knows for sure in a match that hides its states.

use gdlr_engine::engine::{AnyEngine, Engine, RoleId};
use gdlr_engine::play::sampler::{self, Observation, Sampler};
use gdlr_rules::gdl::Term;
use hashbrown::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long it takes at most to find the states that agree with one more step.
const TIME: Duration = Duration::from_millis(500);

/// The eyes of a role.
pub struct Eyes {
    role: RoleId,
    sampler: Option<Sampler>,
    /// The observations of the role that `known` was computed from.
    observations: Vec<Observation>,
    /// By state: the facts that are true in all states that agree with what the role was told.
    known: Vec<Arc<[Term]>>,
}

impl Eyes {
    pub fn new(role: RoleId) -> Eyes {
        Eyes { role, sampler: None, observations: Vec::new(), known: Vec::new() }
    }

    /// The facts that are true for sure, as far as was found in time, after the role was told all
    /// this; of them in natural order those of `facts`, which are all that are true.
    pub fn see(
        &mut self,
        engine: &AnyEngine,
        observations: &[Observation],
        facts: impl Fn(usize) -> Arc<[Term]>,
        seed: u64,
    ) -> Arc<[Term]> {
        let alike = self
            .observations
            .iter()
            .zip(observations)
            .take_while(|(one, other)| one == other)
            .count();
        self.observations.truncate(alike);
        self.known.truncate(alike + 1);
        for step in self.known.len()..=observations.len() {
            let start = Instant::now();
            let is_over = || start.elapsed() >= TIME;
            let until = &observations[..step];
            let sampler =
                sampler::follow(&mut self.sampler, engine, self.role, until, seed, &is_over);
            let certain =
                sampler.map_or_else(|| [].into(), |sampler| certain(sampler, &facts(step)));
            self.observations = until.to_vec();
            self.known.push(certain);
        }
        self.known[observations.len()].clone()
    }
}

/// Of the true facts those that are true in all candidates, if there are any.
fn certain(sampler: &Sampler, facts: &[Term]) -> Arc<[Term]> {
    if sampler.is_dry() {
        return [].into();
    }
    let mut certain = facts.to_vec();
    for (situation, _) in sampler.candidates() {
        let engine = sampler.engine();
        let facts: HashSet<Term> = engine.facts(&situation.state).into_iter().collect();
        certain.retain(|fact| facts.contains(fact));
    }
    certain.into()
}
