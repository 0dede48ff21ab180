//! Effects and their statements.

use super::Reader;
use crate::abg::ast::{EffectDefinition, ExprKind, Statement, Word};
use crate::abg::token::TokenKind;
use gdlr_text::syntax::Read;

impl Reader<'_> {
    pub fn effect(&mut self) -> Read<()> {
        self.cursor.advance();
        let name = self.name("the name of an effect")?;
        let parameters = self.parameters()?;
        let body = self.block()?;
        self.tree.effects.push(EffectDefinition { name, parameters, body });
        Ok(())
    }

    /// `{ statements }`
    pub fn block(&mut self) -> Read<Vec<Statement>> {
        self.cursor.expect(TokenKind::OpenBrace, "`{`")?;
        self.cursor.go_deeper()?;
        let mut statements = Vec::new();
        while !self.cursor.eat(TokenKind::CloseBrace) {
            if self.cursor.eat(TokenKind::Semicolon) {
                continue;
            }
            statements.push(self.statement_of_effect()?);
        }
        self.cursor.depth -= 1;
        Ok(statements)
    }

    fn statement_of_effect(&mut self) -> Read<Statement> {
        let span = self.cursor.span();
        if self.cursor.is_word("if") {
            return self.condition();
        }
        let statement = if self.cursor.eat_word("move") {
            Statement::Move(span)
        } else if self.cursor.eat_word("put") {
            Statement::Put(self.expression()?)
        } else if self.cursor.is_word("Board") {
            let place = self.expression_of_board()?;
            self.cursor.expect(TokenKind::Assign, "`=`")?;
            let value = self.expression()?;
            match place.kind {
                ExprKind::Board(x, y) => Statement::Board(*x, *y, value),
                _ => return self.cursor.unexpected("`Board[x][y]`"),
            }
        } else {
            let name: Word = self.name("a statement, such as `VARIABLE = …;`")?;
            self.cursor.expect(TokenKind::Assign, "`=`")?;
            Statement::Assign(name, self.expression()?)
        };
        if self.cursor.token.kind != TokenKind::CloseBrace {
            self.cursor.expect(TokenKind::Semicolon, "`;`")?;
        }
        Ok(statement)
    }

    fn condition(&mut self) -> Read<Statement> {
        self.cursor.advance();
        let condition = self.expression()?;
        let holds = self.block()?;
        let mut otherwise = Vec::new();
        if self.cursor.eat_word("else") {
            if self.cursor.is_word("if") {
                self.cursor.go_deeper()?;
                otherwise.push(self.condition()?);
                self.cursor.depth -= 1;
            } else {
                otherwise = self.block()?;
            }
        }
        Ok(Statement::If(condition, holds, otherwise))
    }
}
