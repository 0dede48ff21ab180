//! Why a question has no answer.

use super::RoleId;
use gdlr_rules::gdl::Term;
use gdlr_text::diagnostic::Diagnostic;
use std::fmt;

/// A state takes more work or memory than it may have, so that rules which combine everything
/// with everything end in a message and not in a machine without memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkLimit(Box<Diagnostic>);

impl WorkLimit {
    /// The error with this diagnostic.
    pub fn new(diagnostic: Diagnostic) -> WorkLimit {
        WorkLimit(Box::new(diagnostic))
    }

    /// The work that was too much, with its place in the rules.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.0
    }

    /// The same, to keep.
    pub fn into_diagnostic(self) -> Diagnostic {
        *self.0
    }
}

impl fmt::Display for WorkLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for WorkLimit {}

/// Why a role has no goal value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalError {
    /// The rules give none: a defect of the game.
    Missing,
    /// The rules give these values, more than one or none an integer in 0..=100, sorted: a
    /// defect of the game.
    Improper(Vec<Term>),
    /// It takes too much work to say.
    Limit(WorkLimit),
}

impl GoalError {
    /// Of the values that the rules give for a role, with the number that each stands for if
    /// it is one, the goal: the only value, if it is a number.
    ///
    /// # Errors
    ///
    /// When there is no value, when there are several, when the only one is no number.
    pub fn only_value(mut values: Vec<(Term, Option<u8>)>) -> Result<u8, GoalError> {
        match values[..] {
            [] => Err(GoalError::Missing),
            [(_, Some(value))] => Ok(value),
            _ => {
                values.sort_unstable();
                Err(GoalError::Improper(values.into_iter().map(|(term, _)| term).collect()))
            }
        }
    }
}

impl fmt::Display for GoalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoalError::Missing => f.write_str("the rules give no goal value"),
            GoalError::Improper(values) if values.len() > 1 => {
                write!(f, "the rules give {} goal values", values.len())
            }
            GoalError::Improper(_) => f.write_str("the goal value is no integer from 0 to 100"),
            GoalError::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for GoalError {}

impl From<WorkLimit> for GoalError {
    fn from(limit: WorkLimit) -> GoalError {
        GoalError::Limit(limit)
    }
}

/// Why a joint move is not played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The move of this role is not legal.
    Illegal(RoleId),
    /// There is not one move for each role.
    WrongLength,
    /// The state is terminal.
    Terminal,
    /// It takes too much work.
    Limit(WorkLimit),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Illegal(role) => write!(f, "the move of role {} is not legal", role.0),
            StepError::WrongLength => f.write_str("a joint move has one move for each role"),
            StepError::Terminal => f.write_str("the game is over"),
            StepError::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for StepError {}

impl From<WorkLimit> for StepError {
    fn from(limit: WorkLimit) -> StepError {
        StepError::Limit(limit)
    }
}

/// Why facts are no state of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactError {
    /// This fact can never be true in the game.
    Unknown(Term),
    /// The facts are true together in no state that play can reach, and the engine has no room
    /// for others: it makes use of what holds in all of them. The fact is one that is true or
    /// false against that, if one can be named.
    Unreachable(Option<Term>),
}

impl fmt::Display for FactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FactError::Unknown(_) => f.write_str("a fact that is never true in the game"),
            FactError::Unreachable(_) => {
                f.write_str("facts that are never true together in the game")
            }
        }
    }
}

impl std::error::Error for FactError {}
