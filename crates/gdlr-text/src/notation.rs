//! The notations of rulesheets, and which of them a text is in.
//!
//! [`kif`], [`infix`] and [`operations`] make the same expressions; here is what reads each.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::{self, Writing};
use crate::infix;
use crate::kif::{self, Document, Expr, ExprKind, Kif};
use crate::operations;
use crate::syntax::utf8;

/// How a rulesheet is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `(<= head condition ...)`
    Kif,
    /// `head :- condition & ...`
    Infix,
    /// `operation :: condition ==> effects`, and `legal` without a role
    Operations,
}

impl Notation {
    /// The notation of a text; see [`infix::is_infix`] and [`operations::is_operations`].
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_text::notation; }
    /// use gdlr::notation::Notation;
    ///
    /// assert_eq!(Notation::of("; a game\n(role white)"), Notation::Kif);
    /// assert_eq!(Notation::of("% a game\nrole(white)"), Notation::Infix);
    /// ```
    pub fn of(text: &str) -> Notation {
        match infix::is_infix(text) {
            true if operations::is_operations(text) => Notation::Operations,
            true => Notation::Infix,
            false => Notation::Kif,
        }
    }

    fn writing(self) -> Writing {
        match self {
            Notation::Kif => Writing::Kif,
            Notation::Infix | Notation::Operations => Writing::Infix,
        }
    }
}

/// Reads a rulesheet in the notation that it has.
///
/// # Errors
///
/// Those of [`kif::read`] and [`infix::read`]; besides, rules in infix notation in a rulesheet
/// that is in KIF, and whatever shows that a rulesheet is not written in GDL: comments of
/// other languages, a list around everything, operators such as `and`, `=` and `(+ ?x 1)` that no
/// rule defines.
///
/// ```
/// # mod gdlr { pub use gdlr_text::notation; }
/// let kif = gdlr::notation::read("(<= (p ?x) (q ?x))").unwrap();
/// let infix = gdlr::notation::read("p(X) :- q(X)").unwrap();
/// assert_eq!(kif.items[0].to_string(), infix.items[0].to_string());
/// ```
pub fn read(text: &str) -> Result<Document, Vec<Diagnostic>> {
    let document = expressions(text)?;
    let notation = Notation::of(text);
    if notation == Notation::Operations {
        return Ok(document);
    }
    let writing = notation.writing();
    let signs = dialect::in_rules(&document, text, writing);
    match dialect::report(signs, text, writing) {
        Some(foreign) => Err(vec![foreign]),
        None => Ok(document),
    }
}

/// Reads a rulesheet, or rules of one, whatever their operators mean.
pub fn expressions(text: &str) -> Result<Document, Vec<Diagnostic>> {
    match Notation::of(text) {
        Notation::Infix => infix::read(text),
        Notation::Operations => operations::read(text),
        Notation::Kif => {
            let read = kif::read(text);
            // A text that is too large or too deep is not looked at once more.
            let refused = [Code::TooLarge, Code::TooDeep];
            let is_refused = read
                .as_ref()
                .is_err_and(|errors| errors.iter().any(|error| refused.contains(&error.code)));
            let signs = if is_refused { Vec::new() } else { dialect::in_kif(text) };
            if let Some(foreign) = dialect::report(signs, text, Writing::Kif) {
                return Err(vec![foreign]);
            }
            let document = read?;
            match infix_in_kif(&document.items) {
                Some(span) => Err(vec![mixed(span)]),
                None => Ok(document),
            }
        }
    }
}

/// Reads bytes that should be a rulesheet in UTF-8.
///
/// # Errors
///
/// As [`read`]; besides, the place of the first byte that is not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Document, Vec<Diagnostic>> {
    read(utf8::<Kif>(bytes)?)
}

/// Warnings that only the notation of a text has, by place; see [`operations::warnings`].
pub fn warnings(text: &str) -> Vec<Diagnostic> {
    match Notation::of(text) {
        Notation::Operations => operations::warnings(text),
        Notation::Kif | Notation::Infix => Vec::new(),
    }
}

/// Lays out a document that was read from `source`, in the notation `to`.
///
/// # Errors
///
/// The parts of a document that infix notation cannot write; see [`infix::format`], and
/// [`operations::from_gdl`].
pub fn format(source: &str, document: &Document, to: Notation) -> Result<String, Vec<Diagnostic>> {
    match to {
        Notation::Kif => Ok(kif::format(source, document)),
        Notation::Infix => infix::format(source, document),
        Notation::Operations if Notation::of(source) == to => operations::format(source),
        Notation::Operations => operations::from_gdl(source, document),
    }
}

fn mixed(span: Span) -> Diagnostic {
    Diagnostic::new(Code::MixedNotations, span, "infix notation in a rulesheet in KIF").with_help(
        "a rulesheet is in one notation throughout; `gdlr fmt --to infix` translates one",
    )
}

/// The first place that is infix notation for certain: a sign between rules, or a name right
/// before a bracket in which there are commas, or which a keyword would need inside.
fn infix_in_kif(items: &[Expr]) -> Option<Span> {
    let signs = [":-", "&", "|", "~"];
    let sign = items.iter().find(|item| item.atom().is_some_and(|name| signs.contains(&name)));
    sign.map(|sign| sign.span)
        .into_iter()
        .chain(application(items, true))
        .min_by_key(|span| span.start)
}

/// The first name right before a bracket that holds arguments.
fn application(items: &[Expr], outermost: bool) -> Option<Span> {
    let keywords =
        ["role", "init", "true", "does", "next", "legal", "goal", "base", "input", "sees"];
    for (index, item) in items.iter().enumerate() {
        let ExprKind::List(inner) = &item.kind else { continue };
        let before = index.checked_sub(1).map(|index| &items[index]);
        if let Some((before, name)) = before.and_then(|before| Some((before, before.atom()?)))
            && before.span.end == item.span.start
        {
            let commas =
                inner.iter().any(|item| item.atom().is_some_and(|name| name.contains(',')));
            if commas || outermost && keywords.contains(&name) {
                return Some(Span { start: before.span.start, end: item.span.end });
            }
        }
        if let Some(span) = application(inner, false) {
            return Some(span);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infix_in_kif_has_its_place() {
        for (text, place) in [
            ("(role x)\nrole(y)", "role(y)"),
            ("(role x) p(a,b)", "p(a,b)"),
            ("(role x) (legal x mark(1,2))", "mark(1,2)"),
            ("(role x) p :- q(x)", ":-"),
            ("(role x) p(f(a, b)) :- q", "f(a, b)"),
        ] {
            let errors = read(text).unwrap_err();
            assert_eq!(errors.len(), 1, "{text}");
            assert_eq!(errors[0].code, Code::MixedNotations, "{text}");
            assert_eq!(&text[errors[0].span.range()], place);
        }
        // Odd, but KIF.
        for text in
            ["(role x)(p y)", "(<= terminal(p))", "(p a,b c)", "(p (f x)(g ,))", "open(role x)"]
        {
            assert!(read(text).is_ok(), "{text}");
        }
    }
}
