//! Observations: the part of a step that a role sees.

use crate::engine::{Engine, MoveId, RoleId, StepError};
use gdlr_rules::gdl::Term;

/// The observation of a role in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The moves of all roles, in their order: so in games without rules for `sees`.
    Joint(Vec<Term>),
    /// The role's own move and its percepts.
    Own {
        /// Its move.
        action: Term,
        /// Its percepts, in any order.
        percepts: Vec<Term>,
    },
}

/// The former name of [`Observation`].
#[deprecated(note = "it is `Observation`")]
pub type Told = Observation;

impl Observation {
    /// By role: its observation of a joint move that is going to be played in the state of the
    /// scratch. It has the role's own move and its percepts where there are rules for `sees`, else all
    /// moves.
    ///
    /// # Errors
    ///
    /// As for [`Engine::percepts`].
    pub fn of<E: Engine>(
        engine: &E,
        scratch: &mut E::Scratch,
        joint: &[MoveId],
    ) -> Result<Vec<Observation>, StepError> {
        let moves = joint.iter().map(|&id| engine.move_term(id).1);
        if !engine.has_percepts() {
            return Ok(vec![Observation::Joint(moves.collect()); engine.roles().count()]);
        }
        let seen = engine.percepts(scratch, joint)?;
        let observations =
            moves.zip(seen).map(|(action, percepts)| Observation::Own { action, percepts });
        Ok(observations.collect())
    }

    /// The role's own move.
    pub fn own(&self, role: RoleId) -> Option<&Term> {
        match self {
            Observation::Joint(joint) => joint.get(role.index()),
            Observation::Own { action, .. } => Some(action),
        }
    }
}

/// The same in numbers of an engine.
#[derive(Clone, Debug)]
pub(super) struct NumberedObservation {
    /// By role: its move, if it is observed.
    moves: Vec<Option<MoveId>>,
    /// The percepts, sorted, in games with rules for `sees`.
    pub percepts: Option<Vec<Term>>,
    /// Whether the game was over by it.
    pub over: bool,
}

impl NumberedObservation {
    /// The observation in numbers; the move that the engine does not have, if there is one.
    pub fn of<E: Engine>(
        engine: &E,
        role: RoleId,
        observation: &Observation,
        over: bool,
    ) -> Result<NumberedObservation, (RoleId, Term)> {
        let id = |role: RoleId, term: &Term| {
            engine.move_id(role, term).map(Some).ok_or_else(|| (role, term.clone()))
        };
        let mut moves = vec![None; engine.roles().count()];
        let percepts = match observation {
            Observation::Joint(joint) => {
                for (role, term) in engine.roles().iter().zip(joint) {
                    moves[role.index()] = id(role, term)?;
                }
                None
            }
            Observation::Own { action, percepts } => {
                moves[role.index()] = id(role, action)?;
                let mut percepts = percepts.clone();
                percepts.sort_unstable();
                percepts.dedup();
                Some(percepts)
            }
        };
        Ok(NumberedObservation { moves, percepts, over })
    }

    /// Leaves of the legal moves of a role those that agree with the observation.
    pub fn restrict(&self, role: RoleId, legal: &mut Vec<MoveId>) {
        if let Some(own) = self.moves[role.index()] {
            legal.retain(|&id| id == own);
        }
    }
}
