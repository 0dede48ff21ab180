//! From a text to statements.
//!
//! A statement ends with a period, or where the next one begins: at a name behind a complete part. The
//! next one stands on a line that is indented no further than this one, unless this one is a fact.
//! After an error the reader goes on at the next such line.

use super::sheet::{Kind, Sheet, Statement, atom, sentence};
use super::token::{Operations, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::infix::{is_quotable, to_kif};
use crate::kif::text::unclosed;
use crate::kif::{Comment, Expr, ExprKind};
use crate::syntax::{Abandoned, Cursor, Language, Read, Tokens, check_size};

/// Reads a text.
///
/// # Errors
///
/// Signs and names in the wrong place, brackets without a partner, and signs that are not read: lists,
/// definitions of functions, comparisons.
pub(super) fn read(text: &str) -> Result<Sheet, Vec<Diagnostic>> {
    check_size::<Operations>(text, &Operations::LIMITS)?;
    let mut reader = Reader { cursor: Cursor::new(text), indent: 0, anonymous: 0 };
    let mut statements = Vec::new();
    while reader.cursor.token.kind != TokenKind::End {
        reader.cursor.depth = 0;
        reader.indent = reader.column();
        reader.anonymous = 0;
        let start = reader.cursor.token.start;
        match reader.statement() {
            Ok(statement) => statements.extend(statement),
            Err(Abandoned) => reader.skip(start),
        }
        if reader.cursor.errors.len() >= Operations::LIMITS.max_errors {
            break;
        }
    }
    if reader.cursor.errors.is_empty() {
        Ok(Sheet { statements, comments: comments(text) })
    } else {
        Err(reader.cursor.errors)
    }
}

fn comments(text: &str) -> Vec<Comment> {
    let mut tokens = Tokens::<Operations>::new(text);
    let mut found = Vec::new();
    loop {
        let token = tokens.next();
        match token.kind {
            TokenKind::End => return found,
            TokenKind::Comment => found.push(Comment { span: token.span() }),
            _ => {}
        }
    }
}

struct Reader<'a> {
    cursor: Cursor<'a, Operations>,
    /// How far the statement is indented.
    indent: usize,
    /// How many variables without a name the statement has.
    anonymous: usize,
}

impl Reader<'_> {
    /// How far the next token stands from the beginning of its line.
    fn column(&self) -> usize {
        let before = &self.cursor.tokens.text[..self.cursor.token.start];
        before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
    }

    /// Whether the next token begins a line of its own, indented no further than the statement.
    fn begins_statement(&self) -> bool {
        self.cursor.begins_line() && self.column() <= self.indent
    }

    /// Goes to the next line that can begin a statement, from a statement that began at `start`.
    fn skip(&mut self, start: usize) {
        loop {
            let begins = self.cursor.token.kind == TokenKind::Word && self.begins_statement();
            let goes_on = self.cursor.token.start > start;
            if begins && goes_on || self.cursor.token.kind == TokenKind::End {
                return;
            }
            self.cursor.advance();
        }
    }

    fn statement(&mut self) -> Read<Option<Statement>> {
        if self.cursor.eat(TokenKind::Period) {
            return Ok(None);
        }
        if self.cursor.token.kind == TokenKind::Close {
            let span = self.cursor.span();
            self.cursor.advance();
            self.cursor.report(
                Diagnostic::new(Code::StrayBracket, span, "this bracket closes nothing")
                    .with_help("remove it, or look for a `(` that is missing before it"),
            );
            return Ok(None);
        }
        let head = self.primary("a fact, the head of a rule, or an operation")?;
        let kind = match self.cursor.token.kind {
            TokenKind::If => {
                self.cursor.advance();
                Kind::Rule { body: Some(self.condition()?) }
            }
            TokenKind::Operation => {
                self.cursor.advance();
                let first = self.condition()?;
                if self.cursor.eat(TokenKind::Effects) {
                    Kind::Operation { condition: Some(first), effects: self.condition()? }
                } else {
                    Kind::Operation { condition: None, effects: first }
                }
            }
            TokenKind::Effects | TokenKind::And | TokenKind::Or => {
                return self.cursor.fail(
                    "effects without the name of an operation",
                    "write `name :: condition ==> effects`: effects happen when a move asks for the name",
                );
            }
            TokenKind::Definition => {
                return self.cursor.fail(
                    "definitions of functions are not read",
                    "write a rule, `name(X,Y) :- condition`, whose last argument is the value",
                );
            }
            _ => Kind::Rule { body: None },
        };
        let span = Span { start: head.span.start, end: self.cursor.previous.span().end };
        self.end(&kind)?;
        Ok(Some(Statement { span, head, kind }))
    }

    /// Looks whether a statement can end here.
    fn end(&mut self, kind: &Kind) -> Read<()> {
        let is_fact = matches!(kind, Kind::Rule { body: None });
        match self.cursor.token.kind {
            TokenKind::End | TokenKind::Period | TokenKind::Close => Ok(()),
            TokenKind::Word | TokenKind::Quoted if is_fact || self.begins_statement() => Ok(()),
            TokenKind::Word | TokenKind::Quoted | TokenKind::Not | TokenKind::Open => {
                let what = self.cursor.text_of(self.cursor.token).to_owned();
                let message = format!("`&` should stand before `{what}`");
                self.cursor.report(
                    Diagnostic::new(Code::Unjoined, self.cursor.span(), message).with_help(
                        "conditions and effects are joined by `&`; a statement ends with a period, or at a line that is indented no further",
                    ),
                );
                Err(Abandoned)
            }
            _ => self.cursor.unexpected("`&`, or the next statement"),
        }
    }

    /// Reads conditions or effects.
    fn condition(&mut self) -> Read<Expr> {
        self.cursor.go_deeper()?;
        let mut alternatives = vec![self.conjunction()?];
        while self.cursor.eat(TokenKind::Or) {
            alternatives.push(self.conjunction()?);
        }
        self.cursor.depth -= 1;
        Ok(joined("or", alternatives))
    }

    fn conjunction(&mut self) -> Read<Expr> {
        let mut conditions = vec![self.negation()?];
        while self.cursor.eat(TokenKind::And) {
            conditions.push(self.negation()?);
        }
        Ok(joined("and", conditions))
    }

    fn negation(&mut self) -> Read<Expr> {
        match self.cursor.token.kind {
            TokenKind::Not => {
                let start = self.cursor.span().start;
                self.cursor.advance();
                self.cursor.go_deeper()?;
                let inner = self.negation()?;
                self.cursor.depth -= 1;
                let span = Span { start, end: inner.span.end };
                Ok(sentence("not", vec![inner], span))
            }
            TokenKind::Open => {
                let bracket = self.cursor.span();
                self.cursor.advance();
                let inner = self.condition()?;
                self.close(bracket)?;
                Ok(inner)
            }
            _ => self.primary("a condition or an effect"),
        }
    }

    /// Reads a name, a variable, or a name with its arguments. An argument can be a condition, which
    /// `countofall` has.
    fn primary(&mut self, expected: &str) -> Read<Expr> {
        let span = self.cursor.span();
        let text = self.cursor.text_of(self.cursor.token);
        let name = match self.cursor.token.kind {
            TokenKind::Word if text == "_" => {
                self.anonymous += 1;
                format!("?_any{}", self.anonymous)
            }
            TokenKind::Word => to_kif(text),
            TokenKind::Quoted => {
                if !text[1..text.len() - 1].chars().all(is_quotable) {
                    let message = "a text with blanks, brackets or `;` is no name";
                    self.cursor.report(
                        Diagnostic::new(Code::InfixName, span, message)
                            .with_help("a name in quotes is one word"),
                    );
                    return Err(Abandoned);
                }
                text.to_owned()
            }
            _ => return self.cursor.unexpected(expected),
        };
        self.cursor.advance();
        let bracket = self.cursor.span();
        if self.cursor.begins_line() || !self.cursor.eat(TokenKind::Open) {
            return Ok(atom(&name, span));
        }
        self.cursor.go_deeper()?;
        let mut items = vec![atom(&name, span)];
        if self.cursor.token.kind != TokenKind::Close {
            items.push(self.condition()?);
            while self.cursor.eat(TokenKind::Comma) {
                items.push(self.condition()?);
            }
        }
        self.close(bracket)?;
        self.cursor.depth -= 1;
        let span = Span { start: span.start, end: self.cursor.previous.span().end };
        if items.len() == 1 {
            // `p()` is `p`.
            return Ok(atom(&name, span));
        }
        Ok(Expr { span, kind: ExprKind::List(items) })
    }

    fn close(&mut self, bracket: Span) -> Read<()> {
        if self.cursor.eat(TokenKind::Close) {
            return Ok(());
        }
        let ends = matches!(
            self.cursor.token.kind,
            TokenKind::End
                | TokenKind::If
                | TokenKind::Operation
                | TokenKind::Effects
                | TokenKind::Period
        );
        if ends || self.begins_statement() {
            self.cursor.report(unclosed(bracket));
            return Err(Abandoned);
        }
        self.cursor.unexpected("`,` or `)`")
    }
}

/// Several conditions as one expression.
fn joined(connective: &str, mut items: Vec<Expr>) -> Expr {
    if items.len() == 1 {
        return items.remove(0);
    }
    let span = Span { start: items[0].span.start, end: items[items.len() - 1].span.end };
    // `(a & b) & c` is `a & b & c`.
    let flat = items.into_iter().flat_map(|item| match item.kind {
        ExprKind::List(mut inner) if inner[0].atom() == Some(connective) => {
            inner.remove(0);
            inner
        }
        kind => vec![Expr { span: item.span, kind }],
    });
    sentence(connective, flat.collect(), span)
}
