//! What every diagnostic of a reader must have.

use gdlr::diagnostic::{Diagnostic, Span};

/// Every span is one of the text, and every diagnostic says something.
pub fn sound(bytes: &[u8], found: &[Diagnostic]) {
    let within = |span: Span| span.start <= span.end && span.end as usize <= bytes.len();
    for diagnostic in found {
        assert!(within(diagnostic.span), "{diagnostic}");
        assert!(diagnostic.related.iter().all(|(span, _)| within(*span)), "{diagnostic}");
        assert!(!diagnostic.message.is_empty());
    }
}
