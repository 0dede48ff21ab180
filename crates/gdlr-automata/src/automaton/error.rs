//! The errors that stop play, with their places in the text.

use gdlr_rg::rg::{Description, PlayError};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};

/// The diagnostic of an error that stopped play. Takes time linear in the description.
#[cold]
pub(super) fn diagnostic(error: &PlayError, description: &Description) -> Diagnostic {
    let code = if error.is_defect() { Code::RgImproper } else { Code::TooMuchWork };
    Diagnostic::new(code, place(error, description), error.to_string())
}

/// The edge of the error, or the first edge that leaves its node.
fn place(error: &PlayError, description: &Description) -> Span {
    let text = |name| description.names.text(name);
    let mut edges = description.edges.iter();
    let edge_of_error = match error {
        PlayError::Ambiguous { node, .. }
        | PlayError::DeadEnd { node, .. }
        | PlayError::Keeper { node, .. }
        | PlayError::Endless { node } => edges.find(|edge| text(edge.from.name) == node),
        PlayError::Invalid { edge, .. } | PlayError::Recursion { edge } => {
            edges.find(|of| format!("{}, {}", text(of.from.name), text(of.to.name)) == *edge)
        }
        PlayError::TooMuchWork { .. } | PlayError::OutOfTime | PlayError::Interrupted => None,
    };
    edge_of_error.map_or(Span::default(), |edge| edge.place.0)
}
