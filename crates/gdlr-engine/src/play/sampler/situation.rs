//! Situations: a state, and the information state of each role.

use crate::engine::{Engine, MoveId, RoleId, StepError};
use gdlr_rules::gdl::Term;
use smallvec::SmallVec;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A state, and the information state of each role there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Situation<S> {
    /// The state.
    pub state: S,
    /// The information states of the roles.
    pub information_states: InformationStates,
}

/// The information state of each role: a hash of all observations since the match began. Different
/// observations have different numbers, but for a chance of 2⁻⁶⁴; so with the role a number names an
/// information set. Chance observes nothing. Moves are hashed as terms, so that the numbers are the
/// same on all engines of a game, also where one takes over from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InformationStates(SmallVec<[u64; 4]>);

/// The former name of [`InformationStates`].
#[deprecated(note = "it is `InformationStates`")]
pub type Known = InformationStates;

impl<S> Situation<S> {
    /// How much memory it takes, in bytes. The state is one of the engine.
    pub fn bytes<E: Engine<State = S>>(&self, engine: &E) -> usize {
        let InformationStates(numbers) = &self.information_states;
        let spilled = if numbers.spilled() { size_of_val(&numbers[..]) } else { 0 };
        size_of::<Situation<S>>() + engine.state_bytes(&self.state) + spilled
    }
}

impl InformationStates {
    /// The information states of so many roles at the beginning.
    pub fn nothing(roles: usize) -> InformationStates {
        InformationStates(SmallVec::from_elem(0, roles))
    }

    /// The number of a role's information state.
    pub fn of(&self, role: RoleId) -> u64 {
        self.0[role.index()]
    }

    /// Adds the observation of each role of a joint move, which is going to be played in the state of
    /// the scratch: its own move and its percepts, or all moves in a game without rules for
    /// `sees`.
    ///
    /// # Errors
    ///
    /// As for [`Engine::percepts`].
    pub fn add<E: Engine>(
        &mut self,
        engine: &E,
        scratch: &mut E::Scratch,
        joint: &[MoveId],
    ) -> Result<(), StepError> {
        let seen = engine.percepts(scratch, joint)?;
        self.add_seen(engine, joint, &seen);
        Ok(())
    }

    /// The same where the percepts are known, by role.
    pub(super) fn add_seen<E: Engine>(
        &mut self,
        engine: &E,
        joint: &[MoveId],
        percepts: &[Vec<Term>],
    ) {
        let random = engine.roles().random();
        for role in engine.roles().iter().filter(|&role| random != Some(role)) {
            let number = &mut self.0[role.index()];
            let mut hasher = DefaultHasher::new();
            number.hash(&mut hasher);
            let moves = match engine.has_percepts() {
                false => joint,
                true => std::slice::from_ref(&joint[role.index()]),
            };
            moves.iter().for_each(|&id| engine.move_term(id).1.hash(&mut hasher));
            percepts[role.index()].hash(&mut hasher);
            *number = hasher.finish();
        }
    }
}
