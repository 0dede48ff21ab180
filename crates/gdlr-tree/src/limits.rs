//! The most that a state may take.

use gdlr_text::diagnostic::{Code, Diagnostic, Span};

/// The most work, in rows, that a state may take: a second or two. The heaviest states of
/// public games take a fortieth of it.
pub(super) const STATE_WORK: u64 = 1 << 25;
/// The most symbols that a node or a merge may hold, which bounds the memory: work alone
/// does not, as rows may be wide.
pub(super) const MOST_SYMBOLS: usize = 1 << 25;
/// The most rows that a merge may make.
pub(super) const MOST_ROWS: usize = 1 << 22;

/// The diagnostic of a relation that takes more than a state may.
pub(super) fn too_much_work(span: Span, relation: &str) -> Diagnostic {
    Diagnostic::new(
        Code::TooMuchWork,
        span,
        format!("a state has too many cases of `{relation}` to go through them all"),
    )
    .with_label("most of the work is done for this rule")
    .with_help(
        "let its conditions share variables, so that not everything is combined with everything",
    )
}
