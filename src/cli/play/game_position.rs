//! A place in a game in the terminal.

use gdlr::engine::{AnyEngine, AnyState, Engine, RoleId};
use gdlr::gdl::Term;
use gdlr::play::sampler::Observation;

/// A place in a game.
#[derive(Clone)]
pub struct Place {
    pub state: AnyState,
    /// How many joint moves led there.
    pub step: u64,
    /// The last of them, if it is known.
    pub last: Vec<Term>,
    /// The state before it, if it is known.
    pub before: Option<AnyState>,
    /// In a game with rules for `sees`, by step and role: what the role was told.
    pub told: Vec<Vec<Observation>>,
}

impl Place {
    /// The same place on another engine of the game, if it has the states.
    pub fn on(&self, engine: &AnyEngine, other: &AnyEngine) -> Option<Place> {
        let mut scratch = other.scratch();
        let mut on_other = |state: &AnyState| {
            other.enter_facts(&mut scratch, &engine.facts(state)).ok()?;
            Some(other.state(&scratch))
        };
        let state = on_other(&self.state)?;
        let before = match &self.before {
            Some(before) => Some(on_other(before)?),
            None => None,
        };
        Some(Place { state, before, ..self.clone() })
    }

    /// What a role was told of the last step, if there was one.
    pub fn told_last(&self, role: RoleId) -> Option<Observation> {
        match self.told.last() {
            Some(by_role) => Some(by_role[role.index()].clone()),
            None => (!self.last.is_empty()).then(|| Observation::Joint(self.last.clone())),
        }
    }
}
