//! A rulesheet of operations as it is written: statements over expressions.
//!
//! Terms and conditions are expressions of [`kif`](crate::kif), with variables written `?x`, and with
//! `(and …)`, `(or …)` and `(not …)` as conditions.

use crate::diagnostic::Span;
use crate::kif::{Comment, Expr, ExprKind};

/// A whole text.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    pub statements: Vec<Statement>,
    pub comments: Vec<Comment>,
}

/// A statement, with its place.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub span: Span,
    /// The head of a rule, or the name of an operation with its arguments.
    pub head: Expr,
    pub kind: Kind,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// `head :- condition`; a fact has no condition.
    Rule { body: Option<Expr> },
    /// `head :: condition ==> effects`; the condition can be missing.
    Operation { condition: Option<Expr>, effects: Expr },
}

/// A relation or function: its name, and how many arguments it has. Letter case makes no difference.
pub(super) type Functor = (Box<str>, usize);

/// The name and the number of arguments of a sentence or term; `None` for a variable, and for what
/// begins with no name.
pub(super) fn functor(expr: &Expr) -> Option<Functor> {
    let (name, args) = match &expr.kind {
        ExprKind::Atom(name) => (&**name, 0),
        ExprKind::List(items) => (items.first()?.atom()?, items.len() - 1),
    };
    (!name.starts_with('?')).then(|| (name.to_lowercase().into(), args))
}

/// The arguments of a sentence or term.
pub(super) fn arguments(expr: &Expr) -> &[Expr] {
    expr.list().and_then(|items| items.get(1..)).unwrap_or(&[])
}

/// The parts of an expression `(connective part ...)`.
pub(super) fn parts<'a>(expr: &'a Expr, connective: &str) -> Option<&'a [Expr]> {
    match expr.list()? {
        [first, rest @ ..] if first.atom() == Some(connective) => Some(rest),
        _ => None,
    }
}

/// The parts of a conjunction; an expression that is none is its own part.
pub(super) fn conjuncts(expr: &Expr) -> &[Expr] {
    parts(expr, "and").unwrap_or(std::slice::from_ref(expr))
}

/// An atom.
pub(super) fn atom(name: &str, span: Span) -> Expr {
    Expr { span, kind: ExprKind::Atom(name.into()) }
}

/// `(name item ...)`, or the name alone if there is no item. The name has an empty span where the
/// expression begins.
pub(super) fn sentence(name: &str, items: Vec<Expr>, span: Span) -> Expr {
    if items.is_empty() {
        return atom(name, span);
    }
    let name = atom(name, Span { start: span.start, end: span.start });
    Expr { span, kind: ExprKind::List(std::iter::once(name).chain(items).collect()) }
}

/// Calls `visit` with an expression and with each expression in it.
pub(super) fn for_each_part<'a>(expr: &'a Expr, visit: &mut impl FnMut(&'a Expr)) {
    visit(expr);
    expr.list().unwrap_or(&[]).iter().for_each(|item| for_each_part(item, visit));
}

/// Calls `visit` with each variable of an expression, as often as it stands there.
pub(super) fn for_each_variable<'a>(expr: &'a Expr, visit: &mut impl FnMut(&'a str)) {
    match &expr.kind {
        ExprKind::Atom(name) if name.starts_with('?') => visit(name),
        ExprKind::Atom(_) => {}
        ExprKind::List(items) => items.iter().for_each(|item| for_each_variable(item, visit)),
    }
}
