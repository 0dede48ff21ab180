//! Expressions, by the strength of their operators; operators of one strength from left to right.

use super::Reader;
use crate::abg::ast::{Expr, ExprKind, Operator, Word};
use crate::abg::token::{TokenKind, number};
use gdlr_text::syntax::Read;

/// The operators, from the weakest to the strongest.
const LEVELS: &[&[(TokenKind, Operator)]] = &[
    &[(TokenKind::DoubleBar, Operator::Or)],
    &[(TokenKind::DoubleAnd, Operator::And)],
    &[],
    &[
        (TokenKind::Equal, Operator::Equal),
        (TokenKind::NotEqual, Operator::NotEqual),
        (TokenKind::Less, Operator::Less),
        (TokenKind::LessOrEqual, Operator::LessOrEqual),
        (TokenKind::Greater, Operator::Greater),
        (TokenKind::GreaterOrEqual, Operator::GreaterOrEqual),
    ],
    &[(TokenKind::Plus, Operator::Add), (TokenKind::Minus, Operator::Subtract)],
    &[
        (TokenKind::Star, Operator::Multiply),
        (TokenKind::Slash, Operator::Divide),
        (TokenKind::Percent, Operator::Remainder),
    ],
];

/// The level of `not`.
const NEGATION: usize = 2;

impl Reader<'_> {
    pub fn expression(&mut self) -> Read<Expr> {
        self.cursor.go_deeper()?;
        let expression = self.level(0)?;
        self.cursor.depth -= 1;
        Ok(expression)
    }

    fn level(&mut self, level: usize) -> Read<Expr> {
        if level == LEVELS.len() {
            return self.unary();
        }
        if level == NEGATION {
            return self.negation();
        }
        let mut left = self.level(level + 1)?;
        let mut joined = 0;
        while let Some(operator) = self.operator(level) {
            self.cursor.advance();
            joined += 1;
            if joined > 64 {
                return self.cursor.fail(
                    "an expression joins more than 64 operands",
                    "give parts of it names, as functions",
                );
            }
            let right = self.level(level + 1)?;
            let span = self.since(left.span);
            let kind = ExprKind::Binary(Box::new(left), operator, Box::new(right));
            left = Expr { kind, span };
        }
        Ok(left)
    }

    fn operator(&self, level: usize) -> Option<Operator> {
        match (level, self.cursor.text_of(self.cursor.token)) {
            (0, "or") => return Some(Operator::Or),
            (1, "and") => return Some(Operator::And),
            _ => {}
        }
        let kind = self.cursor.token.kind;
        LEVELS[level].iter().find(|(sign, _)| *sign == kind).map(|(_, operator)| *operator)
    }

    fn negation(&mut self) -> Read<Expr> {
        let start = self.cursor.span();
        if !self.cursor.eat_word("not") && !self.cursor.eat(TokenKind::Not) {
            return self.level(NEGATION + 1);
        }
        self.cursor.go_deeper()?;
        let inner = self.negation()?;
        self.cursor.depth -= 1;
        Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span: self.since(start) })
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.cursor.span();
        if self.cursor.is_word("not") || self.cursor.token.kind == TokenKind::Not {
            return self.negation();
        }
        if !self.cursor.eat(TokenKind::Minus) {
            return self.core();
        }
        self.cursor.go_deeper()?;
        let inner = self.unary()?;
        self.cursor.depth -= 1;
        let kind = match inner.kind {
            ExprKind::Number(number) => ExprKind::Number(-number),
            _ => ExprKind::Minus(Box::new(inner)),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn core(&mut self) -> Read<Expr> {
        let start = self.cursor.span();
        let token = self.cursor.token;
        let text = self.cursor.text_of(token);
        if self.cursor.eat(TokenKind::Open) {
            let inner = self.expression()?;
            self.cursor.expect(TokenKind::Close, "`)`")?;
            return Ok(inner);
        }
        if token.kind != TokenKind::Word {
            return self.cursor.unexpected("an expression");
        }
        let kind = match (number(text), text) {
            (Some(Ok(value)), _) => {
                self.cursor.advance();
                ExprKind::Number(value)
            }
            (Some(Err(())), _) => return self.too_large(),
            (None, "this") => self.member()?,
            (None, "Board") => return self.expression_of_board(),
            (None, "any") => self.any()?,
            (None, "none") if self.cursor.following() == TokenKind::Open => {
                let any = Expr { kind: self.any()?, span: self.since(start) };
                ExprKind::Not(Box::new(any))
            }
            (None, "none") => {
                let name = Word { text: text.into(), span: start };
                self.cursor.advance();
                let (arguments, span) = (None, start);
                ExprKind::Name(crate::abg::ast::Call { name, arguments, span })
            }
            (None, _) => ExprKind::Name(self.call("an expression")?),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// `this.x`
    fn member(&mut self) -> Read<ExprKind> {
        let this = Word { text: "this".into(), span: self.cursor.span() };
        self.cursor.advance();
        let member = if self.cursor.eat(TokenKind::Dot) {
            self.name("`x`, `y` or `playerName`")?
        } else {
            Word { text: "here".into(), span: this.span }
        };
        Ok(ExprKind::Member(this, member))
    }

    /// `Board[x][y]`
    pub fn expression_of_board(&mut self) -> Read<Expr> {
        let start = self.cursor.span();
        self.cursor.advance();
        let mut indices = Vec::new();
        for _ in 0..2 {
            self.cursor.expect(TokenKind::OpenBracket, "`[`: `Board` has two indices")?;
            indices.push(Box::new(self.expression()?));
            self.cursor.expect(TokenKind::CloseBracket, "`]`")?;
        }
        let (Some(y), Some(x)) = (indices.pop(), indices.pop()) else {
            return self.cursor.unexpected("two indices");
        };
        Ok(Expr { kind: ExprKind::Board(x, y), span: self.since(start) })
    }

    /// `any(e)` or `any(e, sentence)`
    fn any(&mut self) -> Read<ExprKind> {
        self.cursor.advance();
        self.cursor.expect(TokenKind::Open, "`(`")?;
        let place = self.expression()?;
        let mut sentence = None;
        if self.cursor.eat(TokenKind::Comma) {
            self.cursor.go_deeper()?;
            sentence = Some(Box::new(self.sentence()?));
            self.cursor.depth -= 1;
        }
        self.cursor.expect(TokenKind::Close, "`)`")?;
        Ok(ExprKind::Any(Box::new(place), sentence))
    }
}
