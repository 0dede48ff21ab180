//! Statements of a game.

use super::Reader;
use crate::abg::ast::{
    Body, Definition, End, PieceDeclaration, PieceRule, Post, Size, VariableDeclaration,
    VariableKind,
};
use crate::abg::token::TokenKind;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::syntax::{Abandoned, Read};

impl Reader<'_> {
    /// Reads all statements. After an error it goes on at the next one.
    pub fn statements(&mut self) {
        while self.cursor.token.kind != TokenKind::End {
            self.cursor.depth = 0;
            if self.statement().is_err() {
                self.skip_statement();
            }
        }
    }

    /// Skips the next `;` that is before a statement or the end.
    fn skip_statement(&mut self) {
        loop {
            match self.cursor.token.kind {
                TokenKind::End => return,
                TokenKind::Semicolon => {
                    self.cursor.advance();
                    if self.begins_statement() {
                        return;
                    }
                }
                _ => self.cursor.advance(),
            }
        }
    }

    fn begins_statement(&self) -> bool {
        const WORDS: &[&str] = &[
            "players",
            "pieces",
            "macro",
            "rule",
            "post",
            "board_size",
            "board",
            "variable",
            "fading",
            "function",
            "predicate",
            "effect",
            "effects",
            "victory",
            "terminal",
            "each",
        ];
        let text = self.cursor.text_of(self.cursor.token);
        self.cursor.token.kind == TokenKind::End || WORDS.contains(&text)
    }

    fn statement(&mut self) -> Read<()> {
        let start = self.cursor.span();
        let text = self.cursor.text_of(self.cursor.token);
        if self.cursor.token.kind != TokenKind::Word {
            return self.cursor.unexpected("a statement, such as `rule PIECE = …;`");
        }
        match text {
            "players" => self.once("players")?,
            "pieces" => self.once("pieces")?,
            "board_size" => self.once("board_size")?,
            "board" => self.once("board")?,
            "effects" => self.once("effects")?,
            _ => {}
        }
        match text {
            "players" => self.players()?,
            "pieces" => self.pieces()?,
            "board_size" => self.size(start)?,
            "board" => self.board()?,
            "variable" | "fading" => self.variable()?,
            "macro" | "function" | "predicate" => self.definition(text == "macro")?,
            "rule" => self.rule()?,
            "post" => self.post()?,
            "effect" => self.effect()?,
            "effects" => self.effects()?,
            "victory" => self.victory()?,
            "terminal" => self.terminal()?,
            "each" => self.each_move()?,
            _ => return self.cursor.unexpected("a statement, such as `rule PIECE = …;`"),
        }
        // After a brace the semicolon may be left out.
        if self.cursor.eat(TokenKind::Semicolon)
            || self.cursor.previous.kind == TokenKind::CloseBrace
        {
            return Ok(());
        }
        self.cursor.expect(TokenKind::Semicolon, "`;`")
    }

    /// Reads the keyword of a statement that a text may have once.
    fn once(&mut self, keyword: &'static str) -> Read<()> {
        let span = self.cursor.span();
        if let Some((_, first)) = self.seen.iter().find(|(other, _)| *other == keyword) {
            let message = format!("there are two statements `{keyword}`");
            let error = Diagnostic::new(Code::AbgDuplicate, span, message);
            let error = error.with_related(*first, "the first one").with_help("remove one of them");
            self.cursor.report(error);
            return Err(Abandoned);
        }
        self.seen.push((keyword, span));
        Ok(())
    }

    fn equals(&mut self) -> Read<()> {
        self.cursor.expect(TokenKind::Assign, "`=`")
    }

    fn players(&mut self) -> Read<()> {
        self.cursor.advance();
        self.equals()?;
        loop {
            let player = self.name("the name of a player")?;
            self.tree.players.push(player);
            if !self.cursor.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn pieces(&mut self) -> Read<()> {
        self.cursor.advance();
        self.equals()?;
        loop {
            let name = self.name("the name of a piece")?;
            let mut owners = Vec::new();
            if self.cursor.eat(TokenKind::Open) {
                loop {
                    owners.push(self.name("the name of a player")?);
                    if !self.cursor.eat(TokenKind::Comma) {
                        break;
                    }
                }
                self.cursor.expect(TokenKind::Close, "`)`")?;
            }
            self.tree.pieces.push(PieceDeclaration { name, owners });
            if !self.cursor.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn size(&mut self, start: gdlr_text::diagnostic::Span) -> Read<()> {
        self.cursor.advance();
        self.equals()?;
        let width = self.integer("the number of columns")?;
        self.cursor.expect(TokenKind::Comma, "`,` and the number of rows")?;
        let height = self.integer("the number of rows")?;
        let span = self.since(start);
        let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
            return self.bad_size(span);
        };
        if width == 0 || height == 0 {
            return self.bad_size(span);
        }
        self.tree.size = Some(Size { width, height, span });
        Ok(())
    }

    fn bad_size(&mut self, span: gdlr_text::diagnostic::Span) -> Read<()> {
        let error = Diagnostic::new(Code::AbgBoard, span, "a board has one square at least");
        self.cursor.report(error.with_help("write two positive numbers: columns, rows"));
        Err(Abandoned)
    }

    fn board(&mut self) -> Read<()> {
        self.cursor.advance();
        self.equals()?;
        loop {
            let piece = self.name("the name of a piece")?;
            self.tree.board.push(piece);
            if !self.cursor.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn variable(&mut self) -> Read<()> {
        let fading = self.cursor.eat_word("fading");
        self.cursor.expect_word("variable", "`variable`")?;
        let name = self.name("the name of a variable")?;
        let mut kind = VariableKind::Inferred;
        if self.cursor.eat(TokenKind::Colon) {
            if self.cursor.eat_word("square") {
                kind = VariableKind::Square;
            } else {
                let least = self.integer("a range such as `0..50`, or `square`")?;
                self.cursor.expect(TokenKind::Range, "`..`")?;
                kind = VariableKind::Range(least, self.integer("the largest value")?);
            }
        }
        self.equals()?;
        let initial = self.expression()?;
        self.tree.variables.push(VariableDeclaration { name, kind, fading, initial });
        Ok(())
    }

    fn definition(&mut self, is_macro: bool) -> Read<()> {
        self.cursor.advance();
        let name = self.name("the name of a definition")?;
        let parameters = self.parameters()?;
        let body = if self.cursor.token.kind == TokenKind::OpenBrace && !is_macro {
            Body::Value(self.returned()?)
        } else {
            self.equals()?;
            Body::Sentence(self.sentence()?)
        };
        self.tree.definitions.push(Definition { name, is_macro, parameters, body });
        Ok(())
    }

    /// `(x, y)`, which is optional.
    pub fn parameters(&mut self) -> Read<Vec<crate::abg::ast::Word>> {
        let mut parameters = Vec::new();
        if !self.cursor.eat(TokenKind::Open) || self.cursor.eat(TokenKind::Close) {
            return Ok(parameters);
        }
        loop {
            parameters.push(self.name("the name of a parameter")?);
            if !self.cursor.eat(TokenKind::Comma) {
                self.cursor.expect(TokenKind::Close, "`)`")?;
                return Ok(parameters);
            }
        }
    }

    /// `{ return e; }`
    fn returned(&mut self) -> Read<crate::abg::ast::Expr> {
        self.cursor.expect(TokenKind::OpenBrace, "`{ return … }`")?;
        self.cursor.expect_word("return", "`return`")?;
        let value = self.expression()?;
        self.cursor.eat(TokenKind::Semicolon);
        self.cursor.expect(TokenKind::CloseBrace, "`}`")?;
        Ok(value)
    }

    fn rule(&mut self) -> Read<()> {
        self.cursor.advance();
        let piece = self.name("the name of a piece")?;
        self.equals()?;
        let sentence = self.sentence()?;
        self.tree.rules.push(PieceRule { piece, sentence });
        Ok(())
    }

    fn post(&mut self) -> Read<()> {
        self.cursor.advance();
        let player = self.name("the name of a player")?;
        let piece = self.name("the name of a piece")?;
        self.equals()?;
        let sentence = self.sentence()?;
        self.tree.posts.push(Post { player, piece, sentence });
        Ok(())
    }

    fn effects(&mut self) -> Read<()> {
        self.cursor.advance();
        let replace = self.cursor.is_word("replace");
        if !replace && !self.cursor.is_word("add") {
            return self.cursor.unexpected("`replace` or `add`");
        }
        self.cursor.advance();
        self.tree.replace = Some(replace);
        Ok(())
    }

    fn victory(&mut self) -> Read<()> {
        self.cursor.advance();
        let player = self.name("the name of a player")?;
        let condition = self.returned()?;
        self.tree.ends.push(End::Victory(player, condition));
        Ok(())
    }

    fn terminal(&mut self) -> Read<()> {
        self.cursor.advance();
        let name = self.name("the name of an end")?;
        let condition = self.returned()?;
        self.cursor.expect_word("scores", "`scores PLAYER: …`")?;
        let mut scores = Vec::new();
        loop {
            let player = self.name("a player, `mover` or `others`")?;
            self.cursor.expect(TokenKind::Colon, "`:`")?;
            scores.push((player, self.expression()?));
            if !self.cursor.eat(TokenKind::Comma) {
                break;
            }
        }
        self.tree.ends.push(End::Terminal { name, condition, scores });
        Ok(())
    }

    fn each_move(&mut self) -> Read<()> {
        self.cursor.advance();
        self.cursor.expect_word("move", "`move`")?;
        let mut body = self.block()?;
        self.tree.each_move.append(&mut body);
        Ok(())
    }
}
