//! Why there is no ground game.

use gdlr_text::budget::Exhausted;
use gdlr_text::diagnostic::Diagnostic;
use std::fmt;

/// Why there is no ground game.
#[derive(Clone, Debug)]
pub enum GroundError {
    /// The rulesheet cannot be brought into normal form.
    Refused(Box<Diagnostic>),
    /// The budget ran out.
    Exhausted(Exhausted),
}

impl From<Diagnostic> for GroundError {
    fn from(diagnostic: Diagnostic) -> Self {
        GroundError::Refused(Box::new(diagnostic))
    }
}

impl From<Exhausted> for GroundError {
    fn from(exhausted: Exhausted) -> Self {
        GroundError::Exhausted(exhausted)
    }
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundError::Refused(diagnostic) => f.write_str(&diagnostic.message),
            GroundError::Exhausted(exhausted) => exhausted.fmt(f),
        }
    }
}

impl std::error::Error for GroundError {}

/// Why there is no list of all moves, facts and percepts.
#[derive(Clone, Debug)]
pub enum VocabularyError {
    /// The rulesheet is refused, or the budget ran out.
    Ground(GroundError),
    /// There are more than were allowed.
    TooMany {
        /// Of what.
        what: String,
        /// How many were allowed.
        most: usize,
    },
}

impl fmt::Display for VocabularyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VocabularyError::Ground(error) => error.fmt(f),
            VocabularyError::TooMany { what, most } => {
                write!(f, "the rules allow for more than {most} {what}")
            }
        }
    }
}

impl std::error::Error for VocabularyError {}

impl From<GroundError> for VocabularyError {
    fn from(error: GroundError) -> Self {
        VocabularyError::Ground(error)
    }
}
