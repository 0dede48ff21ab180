//! Sentences: regular expressions over letters.

use super::Reader;
use crate::abg::ast::{Call, Letter, Repeat, Sentence};
use crate::abg::token::TokenKind;
use gdlr_text::syntax::Read;

impl Reader<'_> {
    /// `word | word`
    pub fn sentence(&mut self) -> Read<Sentence> {
        let mut words = vec![self.word()?];
        while self.cursor.eat(TokenKind::Bar) {
            words.push(self.word()?);
        }
        Ok(if words.len() == 1 { words.swap_remove(0) } else { Sentence::Alternatives(words) })
    }

    fn word(&mut self) -> Read<Sentence> {
        let mut factors = vec![self.factor()?];
        while matches!(
            self.cursor.token.kind,
            TokenKind::Open | TokenKind::OpenBracket | TokenKind::Word
        ) {
            factors.push(self.factor()?);
        }
        Ok(if factors.len() == 1 { factors.swap_remove(0) } else { Sentence::Sequence(factors) })
    }

    fn factor(&mut self) -> Read<Sentence> {
        let mut factor = match self.cursor.token.kind {
            TokenKind::Open => {
                self.cursor.go_deeper()?;
                self.cursor.advance();
                let inner = self.sentence()?;
                self.cursor.expect(TokenKind::Close, "`)`")?;
                self.cursor.depth -= 1;
                inner
            }
            TokenKind::OpenBracket => Sentence::Letter(Box::new(self.letter()?)),
            _ => Sentence::Call(self.call("a letter `[dx, dy, PREDICATE]`, a macro or `(`")?),
        };
        loop {
            let repeat = match self.cursor.token.kind {
                TokenKind::Star => Repeat::Star,
                TokenKind::Plus => Repeat::Plus,
                TokenKind::Question => Repeat::Option,
                _ => return Ok(factor),
            };
            self.cursor.advance();
            // A repetition of a repetition is one repetition, so the tree stays flat.
            factor = match factor {
                Sentence::Repeat(inner, other) if other == repeat => Sentence::Repeat(inner, other),
                Sentence::Repeat(inner, _) => Sentence::Repeat(inner, Repeat::Star),
                other => Sentence::Repeat(Box::new(other), repeat),
            };
        }
    }

    fn letter(&mut self) -> Read<Letter> {
        let start = self.cursor.span();
        self.cursor.advance();
        let dx = self.expression()?;
        self.cursor.expect(TokenKind::Comma, "`,`")?;
        let dy = self.expression()?;
        self.cursor.expect(TokenKind::Comma, "`,`")?;
        let test = self.expression()?;
        self.cursor.expect(TokenKind::CloseBracket, "`]`")?;
        let effect = if self.cursor.eat(TokenKind::OpenBrace) {
            let call = self.call("the name of an effect")?;
            self.cursor.expect(TokenKind::CloseBrace, "`}`")?;
            Some(call)
        } else {
            None
        };
        Ok(Letter { dx, dy, test, effect, span: self.since(start) })
    }

    /// A name, and arguments if there are brackets.
    pub fn call(&mut self, what: &str) -> Read<Call> {
        let name = self.name(what)?;
        let start = name.span;
        let mut arguments = None;
        if self.cursor.token.kind == TokenKind::Open {
            self.cursor.go_deeper()?;
            self.cursor.advance();
            let mut given = Vec::new();
            if self.cursor.token.kind != TokenKind::Close {
                given.push(self.expression()?);
                while self.cursor.eat(TokenKind::Comma) {
                    given.push(self.expression()?);
                }
            }
            self.cursor.expect(TokenKind::Close, "`)`")?;
            self.cursor.depth -= 1;
            arguments = Some(given);
        }
        Ok(Call { name, arguments, span: self.since(start) })
    }
}
