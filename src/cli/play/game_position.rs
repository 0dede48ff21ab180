//! A position in a game in the terminal: a state, and how it was reached.

use gdlr::engine::{AnyEngine, AnyState, Engine, RoleId};
use gdlr::gdl::Term;
use gdlr::play::sampler::Observation;

/// A position in a game.
#[derive(Clone)]
pub struct GamePosition {
    pub state: AnyState,
    /// How many joint moves led there.
    pub step: u64,
    /// The last of them, if it is known.
    pub last: Vec<Term>,
    /// The state before it, if it is known.
    pub before: Option<AnyState>,
    /// In a game with rules for `sees`, by step and role: the observations.
    pub observations: Vec<Vec<Observation>>,
}

impl GamePosition {
    /// The same position on another engine of the game, if it has the states.
    pub fn on(&self, engine: &AnyEngine, other: &AnyEngine) -> Option<GamePosition> {
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
        Some(GamePosition { state, before, ..self.clone() })
    }

    /// The observation of a role of the last step, if there was one.
    pub fn last_observation(&self, role: RoleId) -> Option<Observation> {
        match self.observations.last() {
            Some(by_role) => Some(by_role[role.index()].clone()),
            None => (!self.last.is_empty()).then(|| Observation::Joint(self.last.clone())),
        }
    }
}
