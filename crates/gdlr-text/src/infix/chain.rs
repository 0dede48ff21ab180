//! Conditions that are joined by `&` or by `|`.

use super::token::Signs;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::{Expr, ExprKind};

/// A connective of two conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
}

/// An item where a condition can stand.
pub(super) enum Condition {
    One(Expr),
    /// Several joined by `&`, in brackets.
    All(Vec<Expr>, Span),
}

/// The conditions of a body or between brackets. `&` and `|` do not stand side by side: KIF
/// has no conjunction that could be below `or`.
#[derive(Default)]
pub(super) struct Chain {
    joined: Option<Connective>,
    items: Vec<Expr>,
}

impl Chain {
    /// Whether the conditions are joined by `|`.
    pub(super) fn is_or(&self) -> bool {
        self.joined == Some(Connective::Or)
    }

    /// Notes what stands behind a condition, at `at`.
    pub(super) fn join(
        &mut self,
        connective: Connective,
        at: Span,
        signs: Signs,
    ) -> Result<(), Diagnostic> {
        match self.joined {
            Some(known) if known != connective => {
                let message = format!("`{}` and `{}` side by side", signs.and(), signs.or());
                Err(Diagnostic::new(Code::InfixConjunction, at, message).with_help(match signs {
                    Signs::Infix => "put the alternatives in brackets, `a & (b | c)`; GDL has no conjunction among alternatives: write a rule for each",
                    Signs::Prolog => "put the alternatives in brackets, `a, (b ; c)`; GDL has no conjunction among alternatives: write a rule for each",
                }))
            }
            _ => {
                self.joined = Some(connective);
                Ok(())
            }
        }
    }

    /// The last condition.
    pub(super) fn last(&self) -> Option<&Expr> {
        self.items.last()
    }

    /// Takes the last condition away.
    pub(super) fn pop(&mut self) -> Option<Expr> {
        self.items.pop()
    }

    /// How many conditions there are.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Takes a condition.
    pub(super) fn push(&mut self, condition: Condition, signs: Signs) -> Result<(), Diagnostic> {
        match condition {
            Condition::One(expr) => self.items.push(expr),
            Condition::All(_, span) if self.is_or() => return Err(conjunction(span, signs)),
            Condition::All(items, _) => {
                self.joined = Some(Connective::And);
                self.items.extend(items);
            }
        }
        Ok(())
    }

    /// The items between brackets, which have this span.
    pub(super) fn bracketed(mut self, span: Span) -> Condition {
        match self.joined {
            Some(Connective::Or) => Condition::One(or(self.items, span)),
            None if self.items.len() == 1 => Condition::One(self.items.remove(0)),
            _ => Condition::All(self.items, span),
        }
    }

    /// The conditions of a body.
    pub(super) fn body(self) -> Vec<Expr> {
        match (self.joined, &self.items[..]) {
            (Some(Connective::Or), [first, .., last]) => {
                let span = Span { start: first.span.start, end: last.span.end };
                vec![or(self.items, span)]
            }
            _ => self.items,
        }
    }
}

/// A conjunction where there can be none.
pub(super) fn conjunction(span: Span, signs: Signs) -> Diagnostic {
    let (or, not) = (signs.or(), signs.not());
    let message = format!("a conjunction below `{or}` or `{not}`, where GDL has none");
    Diagnostic::new(Code::InfixConjunction, span, message).with_help(match signs {
        Signs::Infix => "write `~a | ~b` for `~(a & b)`, and a rule for each alternative of several conditions",
        Signs::Prolog => "write `\\+ a ; \\+ b` for `\\+ (a, b)`, and a rule for each alternative of several conditions",
    })
}

/// An atom. An operator that stands between its operands is given an empty span.
pub(super) fn atom(name: &str, span: Span) -> Expr {
    Expr { span, kind: ExprKind::Atom(name.into()) }
}

/// A list whose first item is an operator.
pub(super) fn list(operator: Expr, operands: Vec<Expr>, span: Span) -> Expr {
    let items = std::iter::once(operator).chain(operands).collect();
    Expr { span, kind: ExprKind::List(items) }
}

fn or(items: Vec<Expr>, span: Span) -> Expr {
    list(atom("or", Span { start: span.start, end: span.start }), items, span)
}
