//! The tree that the reader builds.

use crate::diagnostic::Span;
use std::fmt;

/// A whole text: its expressions in order, and its comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The outermost expressions.
    pub items: Vec<Expr>,
    /// The comments in order of appearance, wherever they stand.
    pub comments: Vec<Comment>,
}

/// An atom or a bracketed list, with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// The bytes of the expression, brackets included.
    pub span: Span,
    /// Its kind, with its text or items.
    pub kind: ExprKind,
}

/// The two kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A symbol exactly as written.
    Atom(Box<str>),
    /// The expressions between a pair of brackets.
    List(Vec<Expr>),
}

/// A comment, from its `;` up to the end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The bytes of the comment, its `;` included, the line's end not.
    pub span: Span,
}

impl Expr {
    /// The text of an atom, or `None` for a list.
    pub fn atom(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Atom(text) => Some(text),
            ExprKind::List(_) => None,
        }
    }

    /// The items of a list, or `None` for an atom.
    pub fn list(&self) -> Option<&[Expr]> {
        match &self.kind {
            ExprKind::Atom(_) => None,
            ExprKind::List(items) => Some(items),
        }
    }
}

/// On one line, with single spaces and none inside brackets.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Atom(text) => f.write_str(text),
            ExprKind::List(items) => {
                f.write_str("(")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}
