//! Edges and their actions.

use super::cursor::{Read, Reader};
use crate::rg::ast::{Base, Edge, Expr, Label};
use crate::rg::token::TokenKind;

impl Reader<'_> {
    pub fn edge(&mut self) -> Read<()> {
        let start = self.token.start;
        let from = self.name("a node")?;
        self.expect(TokenKind::Comma, "`,` and a node, as in `p, q: …;`, behind the first node")?;
        let to = self.name("a node")?;
        self.expect(TokenKind::Colon, "`:` behind the second node")?;
        let label = self.label()?;
        let place = self.end_of_statement(start)?;
        self.description.edges.push(Edge { from, to, label, place });
        Ok(())
    }

    fn label(&mut self) -> Read<Label> {
        let kind = self.token.kind;
        match kind {
            TokenKind::Semicolon => Ok(Label::Skip),
            TokenKind::Dollar => {
                self.advance();
                if self.token.kind == TokenKind::Dollar {
                    let help = "write `$$` without a blank";
                    return self.fail("expected a tag, found `$`", help);
                }
                Ok(Label::Tag(self.name("a tag")?))
            }
            TokenKind::DoubleDollar => {
                self.advance();
                Ok(Label::TagVariable(self.name("a variable")?))
            }
            TokenKind::Question | TokenKind::Exclamation => {
                self.advance();
                let from = self.name("a node")?;
                self.expect(TokenKind::Arrow, "`->` and a node behind the first node")?;
                let to = self.name("a node")?;
                Ok(Label::Reach { from, to, negated: kind == TokenKind::Exclamation })
            }
            TokenKind::Word => self.action(),
            _ => {
                self.unexpected("an action: an assignment, a comparison, `?`, `!`, `$` or nothing")
            }
        }
    }

    /// An assignment or a comparison.
    fn action(&mut self) -> Read<Label> {
        let left = self.expr()?;
        let equal = match self.token.kind {
            TokenKind::Assign => {
                self.advance();
                return self.assigned(left);
            }
            TokenKind::Equal => true,
            TokenKind::NotEqual => false,
            _ => return self.unexpected("`=`, `==` or `!=` behind the expression"),
        };
        self.advance();
        let right = self.expr()?;
        Ok(Label::Compare { left, right, equal })
    }

    /// The label of an assignment to `target`, from the text after the `=`.
    fn assigned(&mut self, target: Expr) -> Read<Label> {
        let values = if self.any_follows() {
            self.type_()?
        } else {
            return Ok(Label::Assign { target, value: self.expr()? });
        };
        self.expect(TokenKind::OpenParenthesis, "`(*)` behind the type")?;
        self.expect(TokenKind::Star, "`*` as in `T(*)`, any value of the type,")?;
        self.expect(TokenKind::CloseParenthesis, "`)`")?;
        Ok(Label::AssignAny { target, values })
    }

    /// Whether a type and `(*)` follow, not an expression.
    fn any_follows(&self) -> bool {
        let mut ahead = self.tokens;
        match self.token.kind {
            TokenKind::OpenBrace => true,
            TokenKind::Word => match ahead.next_but_comments().kind {
                TokenKind::Arrow => true,
                TokenKind::OpenParenthesis => ahead.next_but_comments().kind == TokenKind::Star,
                _ => false,
            },
            _ => false,
        }
    }

    pub fn expr(&mut self) -> Read<Expr> {
        let start = self.token.start;
        let name = self.name("an expression")?;
        let mut expr = Expr::from(name);
        if self.token.kind == TokenKind::OpenParenthesis {
            self.open()?;
            let cast = self.expr()?;
            self.close(TokenKind::CloseParenthesis, "`)` behind what is cast")?;
            expr.base = Base::Cast(name, Box::new(cast));
        }
        while self.token.kind == TokenKind::OpenBracket {
            if self.token.start > self.previous.end {
                self.blank_before("`[`");
            }
            self.open()?;
            expr.keys.push(self.expr()?);
            self.close(TokenKind::CloseBracket, "`]` behind the key")?;
        }
        expr.place = self.place(start);
        Ok(expr)
    }
}
