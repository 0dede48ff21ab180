//! Following a match in which one can go back.

use super::{DEFAULT_CANDIDATES, Observation, Sampler};
use crate::engine::{AnyEngine, RoleId, seeded};

/// Brings a sampler to where its role was told all this, step by step, or makes it anew where it
/// was told something else before, and gives it. `seed` is that of its random choices. Ends early,
/// with fewer candidates, when `is_over` says so.
///
/// `None` if no state of the engine agrees with what was told.
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
    let known = sampler.history().len();
    for (step, observation) in (0..).zip(observations).skip(known) {
        let mut rng = seeded(seed.wrapping_add(step), role.index());
        sampler.observe(observation.clone(), false, &mut rng, is_over).ok()?;
    }
    Some(sampler)
}
