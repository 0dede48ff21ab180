//! The incomplete part of a document: the rule at hand, with its open brackets and negations.

use super::anonymous::{is_anonymous, name_anonymous};
use super::chain::{Chain, Condition, atom, conjunction, list};
use super::prolog::distinct;
use super::reader::Reader;
use super::scanner::Token;
use super::token::{Infix, Quotes};
use crate::diagnostic::{Diagnostic, Span};
use crate::dialect::{Sign, SignInText};
use crate::kif::Expr;
use crate::kif::text::stray;
use crate::syntax::too_deep;

/// The rule at hand.
#[derive(Default)]
pub(super) struct Rule {
    /// How far its line is indented.
    pub(super) indent: usize,
    pub(super) head: Option<Expr>,
    /// Where its `:-` stands.
    pub(super) implied: Option<Span>,
    pub(super) body: Chain,
    /// The most brackets and `~` that were open at once in its head, or its body so far.
    deepest: usize,
    /// Whether a `_` occurs in it.
    has_anonymous: bool,
    /// Where it begins, if that is behind a condition with nothing between them: it goes on
    /// with it, unless a `:-` follows.
    pub(super) unjoined: Option<Span>,
    /// Whether something in it is of another language.
    pub(super) is_foreign: bool,
}

/// The rule at hand, with its open brackets and negations.
pub(super) enum Frame {
    /// A name with its arguments.
    Arguments { name: Expr, bracket: Span, items: Vec<Expr> },
    /// Conditions in brackets.
    Group { bracket: Span, chain: Chain },
    /// A `~` before a condition.
    Not { sign: Span },
    /// A term that differs from the next one, and the sign between them.
    Differs { left: Expr, sign: Span },
}

impl Frame {
    /// The bracket to be closed, if it is one.
    pub(super) fn bracket(&self) -> Option<Span> {
        match self {
            Frame::Arguments { bracket, .. } | Frame::Group { bracket, .. } => Some(*bracket),
            Frame::Not { .. } | Frame::Differs { .. } => None,
        }
    }
}

impl Reader<'_> {
    pub(super) fn forget_rule(&mut self) {
        self.open.clear();
        self.rule = Rule::default();
        self.wants_operand = true;
    }

    /// Whether something of a rule was read.
    pub(super) fn is_in_rule(&self) -> bool {
        self.rule.head.is_some() || !self.open.is_empty()
    }

    /// Whether a token stands where no rule goes on, as a rule.
    pub(super) fn begins_line(&self, token: &Token) -> bool {
        token.indent.is_some_and(|indent| indent <= self.rule.indent)
    }

    /// A name or variable where one can stand.
    pub(super) fn name(&mut self, quotes: Quotes, span: Span, indent: Option<usize>) {
        if !self.is_in_rule() {
            self.rule.indent = indent.unwrap_or(0);
        }
        if self.negates(quotes, span) {
            self.enter(Frame::Not { sign: span });
            return self.goes_on(span);
        }
        let name = atom(&self.scanner.name(span, quotes), span);
        self.rule.has_anonymous |= is_anonymous(&name);
        match self.scanner.opens_arguments() {
            Some(bracket) => {
                self.sign = bracket;
                self.wants_operand = true;
                self.enter(Frame::Arguments { name, bracket, items: Vec::new() });
            }
            None => self.complete(Condition::One(name)),
        }
    }

    /// Opens a bracket or a negation.
    pub(super) fn enter(&mut self, frame: Frame) {
        let rule = usize::from(self.rule.implied.is_some());
        if rule + self.open.len() >= self.limits.max_depth {
            let (Frame::Arguments { bracket: span, .. }
            | Frame::Group { bracket: span, .. }
            | Frame::Not { sign: span }
            | Frame::Differs { sign: span, .. }) = frame;
            return self.fail(too_deep::<Infix>(span, self.limits));
        }
        self.open.push(frame);
        self.rule.deepest = self.rule.deepest.max(self.open.len());
    }

    /// Opens a comparison of a term with the next one.
    pub(super) fn enter_comparison(&mut self, left: Expr, sign: Span) {
        // The term stands in a list more than when it was read.
        let deep = self.open.len() + 1 + nesting(&left);
        if usize::from(self.rule.implied.is_some()) + deep > self.limits.max_depth {
            return self.fail(too_deep::<Infix>(sign, self.limits));
        }
        self.enter(Frame::Differs { left, sign });
        self.rule.deepest = self.rule.deepest.max(deep);
        self.goes_on(sign);
    }

    /// Closes the innermost bracket, which is complete.
    pub(super) fn close(&mut self, end: Span) {
        match self.open.pop() {
            Some(Frame::Arguments { name, items, .. }) => {
                let span = Span { start: name.span.start, end: end.end };
                self.complete(Condition::One(list(name, items, span)));
            }
            Some(Frame::Group { bracket, chain }) => {
                let span = Span { start: bracket.start, end: end.end };
                self.complete(chain.bracketed(span));
            }
            // A negation ends with its condition.
            Some(Frame::Not { .. } | Frame::Differs { .. }) | None => self.error(stray(end)),
        }
    }

    /// Puts a complete term or condition where it belongs.
    pub(super) fn complete(&mut self, mut condition: Condition) {
        self.wants_operand = false;
        let signs = self.signs();
        let is_waiting = |frame: &mut Frame| frame.bracket().is_none();
        while let Some(frame) = self.open.pop_if(is_waiting) {
            condition = match (frame, condition) {
                (_, Condition::All(_, span)) => return self.fail(conjunction(span, signs)),
                (Frame::Differs { left, .. }, Condition::One(right)) => {
                    Condition::One(distinct(left, right))
                }
                (Frame::Not { sign }, Condition::One(expr)) => {
                    let span = Span { start: sign.start, end: expr.span.end };
                    Condition::One(list(atom("not", sign), vec![expr], span))
                }
                (_, condition) => condition,
            };
        }
        let taken = match (self.open.last_mut(), condition) {
            (Some(Frame::Group { chain, .. }), condition) => chain.push(condition, signs),
            (None, condition) if self.rule.implied.is_some() => {
                self.rule.body.push(condition, signs)
            }
            (Some(Frame::Arguments { items, .. }), Condition::One(term)) => {
                items.push(term);
                Ok(())
            }
            (_, Condition::One(head)) => {
                self.rule.head = Some(head);
                Ok(())
            }
            (_, Condition::All(_, span)) => Err(conjunction(span, signs)),
        };
        if let Err(error) = taken {
            self.fail(error);
        }
    }

    /// Wants an operand behind a sign.
    pub(super) fn goes_on(&mut self, sign: Span) {
        self.sign = sign;
        self.wants_operand = true;
    }

    pub(super) fn joined(&mut self, joined: Result<(), Diagnostic>, sign: Span) {
        match joined {
            Ok(()) => self.goes_on(sign),
            Err(error) => self.fail(error),
        }
    }

    /// Takes the `:-` of a rule.
    pub(super) fn imply(&mut self, sign: Span) {
        // In KIF the whole rule is a list.
        if self.rule.deepest >= self.limits.max_depth {
            return self.fail(too_deep::<Infix>(sign, self.limits));
        }
        self.rule.implied = Some(sign);
        self.rule.deepest = 0;
        self.goes_on(sign);
    }

    /// Ends the rule at hand, which is complete.
    pub(super) fn end_rule(&mut self) {
        let rule = std::mem::take(&mut self.rule);
        self.forget_rule();
        let Some(head) = rule.head else { return };
        if let Some(start) = rule.unjoined.filter(|_| rule.implied.is_none()) {
            let span = Span { start: start.start, end: head.span.end };
            self.found.push(SignInText::new(Sign::Unjoined, span));
        }
        let mut item = match rule.implied {
            None => head,
            Some(sign) => {
                // The rule and the `or` are lists of KIF, the latter without a bracket here.
                if rule.body.is_or() && rule.deepest + 2 > self.limits.max_depth {
                    return self.error(too_deep::<Infix>(sign, self.limits));
                }
                let body = rule.body.body();
                let start = head.span.start;
                let end = body.last().map_or(sign.end, |last| last.span.end);
                let arrow = atom("<=", Span { start, end: start });
                list(arrow, std::iter::once(head).chain(body).collect(), Span { start, end })
            }
        };
        if rule.has_anonymous {
            name_anonymous(&mut item);
        }
        self.items.push(item);
    }
}

/// How deep the lists of an expression nest. The reader bounds them.
fn nesting(expr: &Expr) -> usize {
    expr.list().map_or(0, |items| 1 + items.iter().map(nesting).max().unwrap_or(0))
}
