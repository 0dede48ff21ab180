//! Why there is no explanation.

use gdlr_text::budget::{Exhausted, Limit};
use gdlr_text::diagnostic::Diagnostic;
use std::fmt;

/// Why there is no explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainError {
    /// It takes more time or memory than there is.
    Exhausted(Exhausted),
    /// The rules have no meaning: they are unsafe, not stratified, or make terms without end. Games
    /// that an engine plays have one.
    Refused(Box<Diagnostic>),
}

impl fmt::Display for ExplainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplainError::Refused(diagnostic) => diagnostic.fmt(f),
            ExplainError::Exhausted(Exhausted { limit: Limit::Interrupted, .. }) => {
                f.write_str("the explanation was interrupted")
            }
            ExplainError::Exhausted(Exhausted { limit, spent }) => {
                let (seconds, mib) = (spent.time.as_secs_f64(), spent.memory >> 20);
                write!(f, "the explanation ran out of {limit} after {seconds:.1} s and {mib} MiB")
            }
        }
    }
}

impl std::error::Error for ExplainError {}

impl From<Exhausted> for ExplainError {
    fn from(exhausted: Exhausted) -> ExplainError {
        ExplainError::Exhausted(exhausted)
    }
}

impl From<Diagnostic> for ExplainError {
    fn from(diagnostic: Diagnostic) -> ExplainError {
        ExplainError::Refused(Box::new(diagnostic))
    }
}
