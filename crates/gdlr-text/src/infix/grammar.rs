//! The meaning of a token in its context, and the defect of one that means nothing there.

use super::chain::{Chain, Connective};
use super::reader::Reader;
use super::scanner::Token;
use super::stack::Frame;
use super::token::{Signs, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Sign;
use crate::kif::text::{stray, unclosed};

impl Reader<'_> {
    pub(super) fn token(&mut self, token: Token) {
        if self.skips {
            match token.kind {
                TokenKind::Name(_) | TokenKind::Open if self.begins_line(&token) => {}
                kind => {
                    self.skips = kind != TokenKind::Period;
                    self.census.periods += usize::from(!self.skips);
                    return;
                }
            }
            self.skips = false;
        }
        let token = match self.signs() {
            Signs::Infix => token,
            Signs::Prolog => self.in_infix(token),
        };
        if self.wants_operand { self.operand(token) } else { self.behind_operand(token) }
    }

    /// Takes a token where a term or condition must begin.
    fn operand(&mut self, token: Token) {
        let within = self.open.last();
        let is_term = matches!(within, Some(Frame::Arguments { .. } | Frame::Differs { .. }));
        match token.kind {
            TokenKind::Name(quotes) => self.name(quotes, token.span, token.indent),
            TokenKind::Close => match within {
                Some(Frame::Arguments { items, .. }) if items.is_empty() => self.close(token.span),
                None if !self.is_in_rule() => self.error(stray(token.span)),
                _ => self.missing_before(token.span),
            },
            TokenKind::Open | TokenKind::Not if is_term => self.fail(
                syntax(token.span, format!("`{}` within a term", self.text(token.span)))
                    .with_help("a term is a name, a variable, or `name(term, ...)`"),
            ),
            TokenKind::Open if !self.is_in_rule() => self.list(token.span),
            TokenKind::Open => {
                self.enter(Frame::Group { bracket: token.span, chain: Chain::default() });
                self.sign = token.span;
            }
            TokenKind::Not if self.is_in_rule() => {
                self.enter(Frame::Not { sign: token.span });
                self.sign = token.span;
            }
            TokenKind::Foreign(sign) => self.foreign_operand(sign, token.span),
            TokenKind::If if !self.is_in_rule() => {
                self.note(Sign::Directive, token.span, None);
                self.give_up();
            }
            _ if !self.is_in_rule() => self.fail(
                syntax(token.span, format!("a rule cannot begin with `{}`", self.text(token.span)))
                    .with_help(match self.signs() {
                        Signs::Infix => "a rule is `head.` or `head :- condition & condition.`",
                        Signs::Prolog => "a rule is `head.` or `head :- condition, condition.`",
                    }),
            ),
            _ => self.missing_before(token.span),
        }
    }

    /// Takes a token behind a term or condition that is complete.
    fn behind_operand(&mut self, token: Token) {
        let goes_on = match token.kind {
            TokenKind::Name(quotes) => self.foreign_name(quotes, &token),
            _ => self.joined_by_nothing(&token),
        };
        if goes_on {
            return;
        }
        if let TokenKind::And | TokenKind::Or = token.kind {
            self.census.infix += 1;
            if self.signs() == Signs::Prolog {
                self.infix_sign(token.span);
            }
        }
        let signs = self.signs();
        let within = self.open.last_mut();
        match (token.kind, within) {
            (TokenKind::Close, Some(_)) => self.close(token.span),
            (TokenKind::Close, None) => self.error(stray(token.span)),
            (TokenKind::Comma, Some(Frame::Arguments { .. })) => self.goes_on(token.span),
            (TokenKind::Foreign(sign), _) => self.foreign_behind(sign, token.span),
            (TokenKind::Comma, Some(Frame::Group { .. })) => {
                self.foreign_behind(Sign::Comma, token.span);
            }
            (TokenKind::Comma, None) if self.rule.implied.is_some() => {
                self.foreign_behind(Sign::Comma, token.span);
            }
            (kind @ (TokenKind::And | TokenKind::Or), Some(Frame::Group { chain, .. })) => {
                let joined = chain.join(connective(kind), token.span, signs);
                self.joined(joined, token.span);
            }
            (kind @ (TokenKind::And | TokenKind::Or), None) if self.rule.implied.is_some() => {
                let joined = self.rule.body.join(connective(kind), token.span, signs);
                self.joined(joined, token.span);
            }
            (TokenKind::And | TokenKind::Or | TokenKind::Comma, None)
                if self.rule.unjoined.is_some() =>
            {
                self.go_on_unjoined(token.span);
            }
            (TokenKind::If, None)
                if token.indent.is_some_and(|indent| indent <= self.rule.indent) =>
            {
                // A rule of its own, without a head.
                self.census.without_period += 1;
                self.end_rule();
                self.note(Sign::Directive, token.span, None);
                self.give_up();
            }
            (TokenKind::If, None) if self.rule.implied.is_none() => self.imply(token.span),
            (TokenKind::Period, None) => {
                self.census.periods += 1;
                self.end_rule();
            }
            (TokenKind::Name(_) | TokenKind::Open | TokenKind::Not, None)
                if signs == Signs::Prolog =>
            {
                self.no_period(&token);
            }
            (TokenKind::Name(quotes), None) => {
                let indent = self.rule.indent;
                let goes_on = self.rule.implied.is_some() || self.rule.unjoined.is_some();
                let goes_on = goes_on && token.indent.is_none_or(|other| other > indent);
                self.census.without_period += 1;
                self.end_rule();
                self.name(quotes, token.span, token.indent);
                if goes_on {
                    self.rule.indent = indent;
                    self.rule.unjoined = Some(token.span);
                }
            }
            (TokenKind::Open, None) => {
                self.census.without_period += 1;
                self.end_rule();
                self.list(token.span);
            }
            (kind, _) => self.misplaced(kind, token.span, token.indent),
        }
    }

    /// Goes on with the body of a rule in which `&` is missing.
    fn go_on_unjoined(&mut self, sign: Span) {
        if let Some(start) = self.rule.unjoined.take() {
            self.note(Sign::Unjoined, start, None);
            self.rule.implied = Some(start);
        }
        self.goes_on(sign);
    }

    /// A token that cannot stand behind a term or condition.
    fn misplaced(&mut self, kind: TokenKind, span: Span, indent: Option<usize>) {
        let text = self.text(span).to_owned();
        let again = Token { kind, span, indent };
        let ends = match again.kind {
            TokenKind::If | TokenKind::Period => true,
            TokenKind::Name(_) => self.begins_line(&again),
            _ => false,
        };
        match self.open.iter().rev().find_map(Frame::bracket) {
            Some(bracket) if ends => {
                let label = match again.kind {
                    TokenKind::If => "there is no `:-` between brackets",
                    TokenKind::Period => "the rule ends here",
                    _ => "the next rule begins here",
                };
                self.fail(unclosed(bracket).with_related(span, label));
                // A line of its own is another try.
                self.token(again);
            }
            Some(bracket) => {
                let (wants, help) = match (self.open.last(), self.signs()) {
                    (Some(Frame::Arguments { .. }), _) => {
                        ("`,` or `)`", "arguments are separated by `,`")
                    }
                    (_, Signs::Infix) => ("`&`, `|` or `)`", "conditions are joined by `&` or `|`"),
                    (_, Signs::Prolog) => {
                        ("`,`, `;` or `)`", "conditions are joined by `,` or `;`")
                    }
                };
                self.fail(
                    syntax(span, format!("{wants} should stand before `{text}`"))
                        .with_related(bracket, "this bracket is open")
                        .with_help(help),
                );
            }
            None => {
                let (message, help) = match (again.kind, self.signs()) {
                    (TokenKind::If, Signs::Infix) => (
                        "a second `:-` in one rule".to_owned(),
                        "is the `&` at the end of the rule before one too many?",
                    ),
                    (TokenKind::If, Signs::Prolog) => (
                        "a second `:-` in one rule".to_owned(),
                        "does a period end the rule before?",
                    ),
                    (TokenKind::Not, _) => (
                        "`&` should stand before `~`".to_owned(),
                        "conditions are joined by `&`; only they can be negated",
                    ),
                    (_, Signs::Infix) => (
                        format!("`{text}` behind a fact"),
                        "only the conditions of a rule are joined: is a `:-` missing, or `&` at the end of the line before?",
                    ),
                    (_, Signs::Prolog) => (
                        format!("`{text}` behind a fact"),
                        "only the conditions of a rule are joined: is a `:-` missing?",
                    ),
                };
                self.fail(syntax(span, message).with_help(help));
            }
        }
    }

    /// Reports a list of KIF, once, and goes behind it.
    fn list(&mut self, bracket: Span) {
        if !self.has_lists {
            self.has_lists = true;
            self.error(
                Diagnostic::new(
                    Code::MixedNotations,
                    bracket,
                    "a list of KIF in a rulesheet in infix notation",
                )
                .with_help(
                    "a rulesheet is in one notation throughout; `gdlr fmt --to kif` translates one",
                ),
            );
        }
        self.scanner.skip_list();
    }

    /// Says that something is missing behind the last sign.
    pub(super) fn missing(&self) -> Diagnostic {
        let what = match self.open.last() {
            Some(Frame::Arguments { .. } | Frame::Differs { .. }) => "a term",
            _ => "a condition",
        };
        syntax(self.sign, format!("{what} is missing behind `{}`", self.text(self.sign)))
    }

    fn missing_before(&mut self, span: Span) {
        let error = self.missing().with_related(span, "before this");
        self.fail(error);
    }
}

fn connective(kind: TokenKind) -> Connective {
    if kind == TokenKind::Or { Connective::Or } else { Connective::And }
}

fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::InfixSyntax, span, message)
}
