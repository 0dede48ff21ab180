//! Following a match in which one can go back.

use super::{DEFAULT_CANDIDATES, Observation, Sampler};
use crate::engine::{AnyEngine, RoleId, seeded};

/// A sampler with these observations of a role, by step. It is the given one if that has a beginning of the same
/// observations; otherwise it is made anew. `seed` is the seed of its random choices. If `is_over` becomes true, the
/// search for candidates ends early, with fewer candidates.
///
/// `None` if no state of the engine agrees with the observations.
pub fn follow<'s>(
    sampler: &'s mut Option<Sampler>,
    engine: &AnyEngine,
    role: RoleId,
    observations: &[Observation],
    seed: u64,
    is_over: &dyn Fn() -> bool,
) -> Option<&'s mut Sampler> {
    let is_of_use = sampler.as_mut().is_some_and(|known| {
        let before = known.history();
        before.len() <= observations.len()
            && before.zip(observations).all(|(one, other)| one == other)
            && !known.is_dry()
            && (known.engine().is(engine) || known.change_engine(engine))
    });
    if !is_of_use {
        *sampler = Some(Sampler::new(engine.clone(), role, DEFAULT_CANDIDATES));
    }
    let sampler = sampler.as_mut()?;
    let observed = sampler.history().len();
    for (step, observation) in (0..).zip(observations).skip(observed) {
        let mut rng = seeded(seed.wrapping_add(step), role.index());
        sampler.observe(observation.clone(), false, &mut rng, is_over).ok()?;
    }
    Some(sampler)
}
