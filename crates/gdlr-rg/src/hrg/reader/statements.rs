//! Statements and blocks.

use super::cursor::{Abandoned, Read, Reader};
use crate::hrg::ast::{Action, Expr, Statement};
use crate::hrg::layout_mark::MarkKind;
use crate::hrg::token::TokenKind;
use crate::rg::{Ident, Type};

/// The greatest number of repetitions of a block.
const MAX_TIMES: u64 = 1 << 31;

impl Reader<'_> {
    pub fn block(&mut self) -> Read<Vec<Statement>> {
        if self.token.kind == TokenKind::OpenBrace {
            self.mark(MarkKind::Open);
        }
        self.expect(TokenKind::OpenBrace, "`{` and statements")?;
        self.nested(Self::statements)
    }

    /// Reads the statements of a block, and its closing brace.
    fn statements(&mut self) -> Read<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            match self.token.kind {
                TokenKind::CloseBrace => {
                    self.mark(MarkKind::Close);
                    self.advance();
                    return Ok(statements);
                }
                TokenKind::Word if self.begins_first_column() && self.begins_declaration() => {
                    return self
                        .fail("a declaration begins within a block", "a `}` is missing before it");
                }
                TokenKind::End => return self.unexpected("a statement or `}`"),
                _ => {
                    let start = self.token.start;
                    match self.nested(Self::statement) {
                        Ok(statement) => statements.push(statement),
                        Err(Abandoned) => self.skip_to_statement(start),
                    }
                }
            }
        }
    }

    /// Skips the rest of the statement with an error, which begins at `start`: up to a line of the
    /// same block, or its end.
    fn skip_to_statement(&mut self, start: usize) {
        let mut braces = self.open_braces_since(start);
        loop {
            let moved = self.token.start > start && self.begins_line();
            match self.token.kind {
                TokenKind::End => return,
                TokenKind::Word if self.begins_first_column() && self.begins_declaration() => {
                    return;
                }
                TokenKind::OpenBrace => braces += 1,
                TokenKind::CloseBrace if braces == 0 => return,
                TokenKind::CloseBrace => braces -= 1,
                TokenKind::Word | TokenKind::Dollar | TokenKind::DoubleDollar
                    if moved && braces == 0 =>
                {
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    fn statement(&mut self) -> Read<Statement> {
        let start = self.token.start;
        self.mark(MarkKind::Start);
        let action = self.action()?;
        Ok(Statement { action, place: self.place(start) })
    }

    fn action(&mut self) -> Read<Action> {
        match self.token.kind {
            TokenKind::Dollar => return self.tag(),
            TokenKind::DoubleDollar => {
                self.advance();
                return Ok(Action::TagVariable(self.name("a variable")?));
            }
            TokenKind::Word => {}
            _ => return self.unexpected("a statement or `}`"),
        }
        let following = self.following();
        let is_name = matches!(following, TokenKind::Assign | TokenKind::OpenBracket);
        match self.text_of(self.token) {
            "branch" if matches!(following, TokenKind::OpenBrace | TokenKind::Word) => {
                self.advance();
                self.branch()
            }
            "forall" if following == TokenKind::Word => {
                self.advance();
                let variable = self.name("a variable")?;
                self.expect(TokenKind::Colon, "`:` and a type behind the variable")?;
                let values = self.type_()?;
                Ok(Action::BranchIn { variable, values, body: self.block()? })
            }
            "repeat" if following == TokenKind::Word => {
                self.advance();
                self.repeat()
            }
            "loop" if following == TokenKind::OpenBrace => {
                self.advance();
                Ok(Action::Loop(self.block()?))
            }
            "while" if !is_name => {
                self.word_of_condition();
                let condition = self.expr()?;
                Ok(Action::While { condition, body: self.block()? })
            }
            "if" if !is_name => self.if_(),
            _ => self.assignment_or_call(following),
        }
    }

    /// Reads `if` or `while`.
    fn word_of_condition(&mut self) {
        self.mark(MarkKind::Word);
        self.advance();
    }

    fn branch(&mut self) -> Read<Action> {
        if self.token.kind == TokenKind::Word {
            let (variable, values) = self.variable_in()?;
            return Ok(Action::BranchIn { variable, values, body: self.block()? });
        }
        let mut arms = vec![self.block()?];
        while self.is_word("or") && self.following() == TokenKind::OpenBrace {
            self.mark(MarkKind::Continue);
            self.advance();
            arms.push(self.block()?);
        }
        Ok(Action::Branch(arms))
    }

    fn repeat(&mut self) -> Read<Action> {
        if self.following() == TokenKind::OpenBrace {
            let times = self.number(MAX_TIMES)?;
            return Ok(Action::Repeat { times, body: self.block()? });
        }
        let (variable, values) = self.variable_in()?;
        Ok(Action::RepeatIn { variable, values, body: self.block()? })
    }

    /// `x in T`
    fn variable_in(&mut self) -> Read<(Ident, Type)> {
        let variable = self.name("a variable")?;
        self.expect_word("in", "`in` and a type behind the variable")?;
        Ok((variable, self.type_()?))
    }

    fn if_(&mut self) -> Read<Action> {
        let mut arms = Vec::new();
        loop {
            self.word_of_condition();
            let condition = self.expr()?;
            arms.push((condition, self.block()?));
            let ends = !self.is_word("else")
                || !matches!(self.following(), TokenKind::OpenBrace | TokenKind::Word);
            if ends {
                return Ok(Action::If { arms, otherwise: None });
            }
            self.mark(MarkKind::Continue);
            self.advance();
            if !self.is_word("if") {
                return Ok(Action::If { arms, otherwise: Some(self.block()?) });
            }
        }
    }

    fn tag(&mut self) -> Read<Action> {
        let dollar = self.token;
        self.advance();
        let adjacent = self.token.kind == TokenKind::Word && self.token.start == dollar.end;
        let artificial = adjacent && self.text_of(self.token).starts_with('_');
        let mut symbols = Vec::new();
        if artificial {
            let word = self.token;
            self.advance();
            if word.end - word.start > 1 {
                symbols.push(self.name_at(word.start + 1, word.end)?);
                return Ok(Action::Tag { artificial, symbols });
            }
        }
        if !self.eat(TokenKind::OpenParenthesis) {
            symbols.push(self.name("a tag: a name, or names in parentheses")?);
            return Ok(Action::Tag { artificial, symbols });
        }
        loop {
            symbols.push(self.name("a name of the tag")?);
            if self.eat(TokenKind::CloseParenthesis) {
                return Ok(Action::Tag { artificial, symbols });
            }
        }
    }

    fn assignment_or_call(&mut self, following: TokenKind) -> Read<Action> {
        if !matches!(
            following,
            TokenKind::Assign | TokenKind::OpenBracket | TokenKind::OpenParenthesis
        ) {
            self.advance();
            return self.unexpected("`=` or `(` behind the name that begins the statement");
        }
        let name = self.name("a statement")?;
        if self.eat(TokenKind::OpenParenthesis) {
            let arguments = self.arguments()?;
            return Ok(Action::Call { graph: name, arguments });
        }
        let mut keys = Vec::new();
        while self.eat(TokenKind::OpenBracket) {
            keys.push(self.expr()?);
            self.expect(TokenKind::CloseBracket, "`]` behind the key")?;
        }
        self.expect(TokenKind::Assign, "`=` and a value")?;
        if !self.any_follows() {
            return Ok(Action::Assign { target: name, keys, value: self.expr()? });
        }
        let values = self.type_()?;
        self.expect(TokenKind::OpenParenthesis, "`(*)` behind the type")?;
        self.expect(TokenKind::Star, "`*` as in `T(*)`, any value of the type,")?;
        self.expect(TokenKind::CloseParenthesis, "`)`")?;
        Ok(Action::AssignAny { target: name, keys, values })
    }

    /// Whether a type and `(*)` follow, not an expression.
    fn any_follows(&self) -> bool {
        let [first, second] = self.ahead();
        match self.token.kind {
            TokenKind::Word => {
                first.kind == TokenKind::Arrow
                    || (first.kind == TokenKind::OpenParenthesis && second.kind == TokenKind::Star)
            }
            TokenKind::OpenBrace => {
                first.kind == TokenKind::Word
                    && matches!(second.kind, TokenKind::Comma | TokenKind::CloseBrace)
            }
            _ => false,
        }
    }

    /// Reads the arguments of a call, after the opening parenthesis.
    pub fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.short_list("`,` or `)` behind the argument", Self::expr)
    }
}
