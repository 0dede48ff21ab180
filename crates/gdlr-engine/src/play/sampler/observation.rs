//! What a role is told of a step.

use crate::engine::{Engine, MoveId, RoleId, StepError};
use gdlr_rules::gdl::Term;

/// What a role is told of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// What all roles played, in the order of the roles: so in games without rules for `sees`.
    Joint(Vec<Term>),
    /// What the role itself played, and what it saw.
    Own {
        /// Its move.
        action: Term,
        /// Its percepts, in any order.
        percepts: Vec<Term>,
    },
}

impl Told {
    /// By role: what it is told of a joint move that is going to be played in the state of the
    /// scratch, its own move and its percepts where the rules say what roles see, otherwise all
    /// moves.
    ///
    /// # Errors
    ///
    /// As for [`Engine::percepts`].
    pub fn of<E: Engine>(
        engine: &E,
        scratch: &mut E::Scratch,
        joint: &[MoveId],
    ) -> Result<Vec<Told>, StepError> {
        let moves = joint.iter().map(|&id| engine.move_term(id).1);
        if !engine.has_percepts() {
            return Ok(vec![Told::Joint(moves.collect()); engine.roles().count()]);
        }
        let seen = engine.percepts(scratch, joint)?;
        let told = moves.zip(seen).map(|(action, percepts)| Told::Own { action, percepts });
        Ok(told.collect())
    }

    /// What the role itself played.
    pub fn own(&self, role: RoleId) -> Option<&Term> {
        match self {
            Told::Joint(joint) => joint.get(role.index()),
            Told::Own { action, .. } => Some(action),
        }
    }
}

/// The same in numbers of an engine.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// By role: its move, if it is told.
    moves: Vec<Option<MoveId>>,
    /// The percepts, sorted, if it is they that are told.
    pub percepts: Option<Vec<Term>>,
    /// Whether the game was over by it.
    pub over: bool,
}

impl Observation {
    /// What a role was told; the move that the engine does not have, if there is one.
    pub fn of<E: Engine>(
        engine: &E,
        role: RoleId,
        told: &Told,
        over: bool,
    ) -> Result<Observation, (RoleId, Term)> {
        let id = |role: RoleId, term: &Term| {
            engine.move_id(role, term).map(Some).ok_or_else(|| (role, term.clone()))
        };
        let mut moves = vec![None; engine.roles().count()];
        let percepts = match told {
            Told::Joint(joint) => {
                for (role, term) in engine.roles().iter().zip(joint) {
                    moves[role.index()] = id(role, term)?;
                }
                None
            }
            Told::Own { action, percepts } => {
                moves[role.index()] = id(role, action)?;
                let mut percepts = percepts.clone();
                percepts.sort_unstable();
                percepts.dedup();
                Some(percepts)
            }
        };
        Ok(Observation { moves, percepts, over })
    }

    /// Leaves of the legal moves of a role those that agree with what was told.
    pub fn restrict(&self, role: RoleId, legal: &mut Vec<MoveId>) {
        if let Some(told) = self.moves[role.index()] {
            legal.retain(|&id| id == told);
        }
    }
}
