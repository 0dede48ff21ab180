//! Expressions and patterns.

use super::cursor::{Read, Reader};
use crate::hrg::ast::{
    Application, Expr, ExprKind, MapPart, Operator, Pattern, is_pattern_variable,
};
use crate::hrg::layout_mark::MarkKind;
use crate::hrg::token::TokenKind;

impl Reader<'_> {
    pub fn expr(&mut self) -> Read<Expr> {
        self.nested(|reader| reader.chain(0))
    }

    /// Reads operands with operators at least as strong as `level`.
    fn chain(&mut self, level: u8) -> Read<Expr> {
        if level > 3 {
            return self.term();
        }
        let start = self.token.start;
        let first = self.chain(level + 1)?;
        let mut rest = Vec::new();
        while let Some(operator) = self.operator().filter(|operator| operator.level() == level) {
            self.advance();
            rest.push((operator, self.chain(level + 1)?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        let kind = ExprKind::Chain { first: Box::new(first), rest };
        Ok(Expr { kind, place: self.place(start) })
    }

    fn operator(&self) -> Option<Operator> {
        Some(match self.token.kind {
            TokenKind::Plus => Operator::Add,
            TokenKind::Minus => Operator::Subtract,
            TokenKind::Percent => Operator::Modulo,
            TokenKind::Word if self.is_word("in") => Operator::In,
            TokenKind::Equal => Operator::Equal,
            TokenKind::NotEqual => Operator::NotEqual,
            TokenKind::Less => Operator::Less,
            TokenKind::LessOrEqual => Operator::LessOrEqual,
            TokenKind::Greater => Operator::Greater,
            TokenKind::GreaterOrEqual => Operator::GreaterOrEqual,
            TokenKind::And => Operator::And,
            TokenKind::Or => Operator::Or,
            _ => return None,
        })
    }

    fn term(&mut self) -> Read<Expr> {
        let start = self.token.start;
        let base = self.primary()?;
        let mut to = Vec::new();
        loop {
            if self.eat(TokenKind::OpenBracket) {
                let key = self.expr()?;
                self.expect(TokenKind::CloseBracket, "`]` behind the key")?;
                to.push(Application::Key(key));
            } else if self.eat(TokenKind::OpenParenthesis) {
                to.push(Application::Arguments(self.arguments()?));
            } else if to.is_empty() {
                return Ok(base);
            } else {
                let kind = ExprKind::Apply { base: Box::new(base), to };
                return Ok(Expr { kind, place: self.place(start) });
            }
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let start = self.token.start;
        let kind = match self.token.kind {
            TokenKind::OpenParenthesis => {
                self.advance();
                let inner = self.expr()?;
                self.expect(TokenKind::CloseParenthesis, "`)` behind the expression")?;
                inner.kind
            }
            TokenKind::OpenBrace => {
                self.advance();
                self.map()?
            }
            TokenKind::Word if self.is_word("if") => self.conditional()?,
            TokenKind::Word => {
                let name = self.name("an expression")?;
                let upper = is_pattern_variable(self.game.names.text(name.name));
                if upper && self.eat(TokenKind::OpenParenthesis) {
                    ExprKind::Constructor { name, arguments: self.arguments()? }
                } else {
                    ExprKind::Name(name.name)
                }
            }
            _ => return self.unexpected("an expression"),
        };
        Ok(Expr { kind, place: self.place(start) })
    }

    /// `if c then a else b`
    fn conditional(&mut self) -> Read<ExprKind> {
        let mut arms = Vec::new();
        while self.is_word("if") {
            self.mark(MarkKind::Word);
            self.advance();
            let condition = self.expr()?;
            self.word_between("then", "`then` and a value behind the condition")?;
            let value = self.expr()?;
            arms.push((condition, value));
            self.word_between("else", "`else` and a value for all other cases")?;
        }
        Ok(ExprKind::If { arms, otherwise: Box::new(self.expr()?) })
    }

    fn word_between(&mut self, word: &str, what: &str) -> Read<()> {
        if self.is_word(word) {
            self.mark(MarkKind::Word);
        }
        self.expect_word(word, what)
    }

    /// Reads a map, after its opening brace.
    fn map(&mut self) -> Read<ExprKind> {
        let mut default = None;
        let mut parts = Vec::new();
        if self.token.kind == TokenKind::Colon {
            self.mark(MarkKind::Default);
            self.advance();
            default = Some(Box::new(self.expr()?));
            if self.eat(TokenKind::CloseBrace) {
                return Ok(ExprKind::Map { default, parts });
            }
            self.expect(TokenKind::Semicolon, "`;` or `}` behind the value")?;
        }
        loop {
            parts.push(self.map_part()?);
            if self.eat(TokenKind::CloseBrace) {
                return Ok(ExprKind::Map { default, parts });
            }
            self.expect(TokenKind::Semicolon, "`;` or `}` behind the entry")?;
        }
    }

    fn map_part(&mut self) -> Read<MapPart> {
        let start = self.token.start;
        let key = self.pattern()?;
        self.expect(TokenKind::Assign, "`=` and a value behind the key")?;
        let value = self.expr()?;
        let ranges = self.ranges()?;
        Ok(MapPart { key, value, ranges, place: self.place(start) })
    }

    /// Reads patterns in parentheses, after the opening one.
    pub fn patterns(&mut self) -> Read<Vec<Pattern>> {
        self.short_list("`,` or `)` behind the pattern", Self::pattern)
    }

    fn pattern(&mut self) -> Read<Pattern> {
        let start = self.token.start;
        if self.eat_word("_") {
            return Ok(Pattern::Any(self.place(start)));
        }
        let name = self.name("a pattern: a name or `_`")?;
        if !self.eat(TokenKind::OpenParenthesis) {
            return Ok(Pattern::Name(name));
        }
        let arguments = self.nested(Self::patterns)?;
        Ok(Pattern::Constructor { constructor: name, arguments, place: self.place(start) })
    }
}
