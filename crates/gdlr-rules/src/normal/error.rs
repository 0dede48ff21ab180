//! Why there is no normal form.

use gdlr_text::budget::Exhausted;
use gdlr_text::diagnostic::Diagnostic;

/// Why there is no normal form.
#[derive(Debug)]
pub(super) enum NormalError {
    /// The rulesheet is refused.
    Refused(Diagnostic),
    /// The budget ran out.
    Exhausted(Exhausted),
}

impl From<Diagnostic> for NormalError {
    fn from(diagnostic: Diagnostic) -> Self {
        NormalError::Refused(diagnostic)
    }
}

impl From<Exhausted> for NormalError {
    fn from(exhausted: Exhausted) -> Self {
        NormalError::Exhausted(exhausted)
    }
}

#[cfg(test)]
impl NormalError {
    /// The refusal, where there is no limit.
    pub(super) fn refusal(self) -> Diagnostic {
        match self {
            NormalError::Refused(refusal) => refusal,
            NormalError::Exhausted(exhausted) => panic!("{exhausted}"),
        }
    }
}
