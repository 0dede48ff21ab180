//! The reader: a cursor in the text, the game so far, and marks for the layout.

use crate::hrg::ast::Game;
use crate::hrg::layout_mark::{Mark, MarkKind};
use crate::hrg::token::{Hrg, TokenKind, Tokens};
use crate::rg::{Ident, Place};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::syntax::Cursor;
use std::ops::{Deref, DerefMut};

pub(super) use gdlr_text::syntax::{Abandoned, Read};

/// The greatest depth of expressions, patterns and blocks.
pub const MAX_DEPTH: usize = 128;
/// The most errors that are reported. More are left out.
pub const MAX_ERRORS: usize = 100;
/// The greatest number of arguments, of parameters of a graph, and of ranges after `where`.
pub const MAX_LIST: usize = 256;

pub(super) struct Reader<'a> {
    cursor: Cursor<'a, Hrg>,
    pub game: Game,
    /// The marks for the layout.
    pub marks: Vec<Mark>,
}

impl<'a> Deref for Reader<'a> {
    type Target = Cursor<'a, Hrg>;

    fn deref(&self) -> &Cursor<'a, Hrg> {
        &self.cursor
    }
}

impl<'a> DerefMut for Reader<'a> {
    fn deref_mut(&mut self) -> &mut Cursor<'a, Hrg> {
        &mut self.cursor
    }
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        Reader { cursor: Cursor::new(text), game: Game::default(), marks: Vec::new() }
    }

    /// The number of braces that were opened from `start` on and are still open.
    pub fn open_braces_since(&self, start: usize) -> usize {
        let mut tokens = Tokens::from(self.tokens.text, start);
        let mut braces = 0usize;
        loop {
            let token = tokens.next_but_comments();
            match token.kind {
                _ if token.start >= self.token.start => return braces,
                TokenKind::OpenBrace => braces += 1,
                TokenKind::CloseBrace => braces = braces.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Whether a declaration begins here, by its first word.
    pub fn begins_declaration(&self) -> bool {
        self.token.kind == TokenKind::Word
            && matches!(self.text_of(self.token), "domain" | "graph" | "reusable")
            && self.following() == TokenKind::Word
    }
}

impl Reader<'_> {
    /// Reads a list with commas between its items, up to its closing bracket.
    pub fn list<T>(
        &mut self,
        close: TokenKind,
        what: &str,
        item: impl Fn(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            self.expect(TokenKind::Comma, what)?;
        }
    }

    /// Reads a list in parentheses, after the opening one, within [`MAX_LIST`].
    pub fn short_list<T>(
        &mut self,
        what: &str,
        item: impl Fn(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(TokenKind::CloseParenthesis) {
            return Ok(items);
        }
        loop {
            self.not_too_many(&items)?;
            items.push(item(self)?);
            if self.eat(TokenKind::CloseParenthesis) {
                return Ok(items);
            }
            self.expect(TokenKind::Comma, what)?;
        }
    }

    /// Refuses one more item of a full list.
    pub fn not_too_many<T>(&mut self, items: &[T]) -> Read<()> {
        if items.len() < MAX_LIST {
            return Ok(());
        }
        let message = format!("there are more than {MAX_LIST} of these");
        let span = self.span();
        self.report(Diagnostic::new(Code::HrgTooLarge, span, message));
        Err(Abandoned)
    }

    /// Reads a nested part.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        self.go_deeper()?;
        let read = read(self);
        self.depth -= 1;
        read
    }

    pub fn name(&mut self, what: &str) -> Read<Ident> {
        if self.token.kind != TokenKind::Word
            || self.begins_declaration() && self.begins_first_column()
        {
            return self.unexpected(what);
        }
        let token = self.token;
        self.advance();
        self.name_at(token.start, token.end)
    }

    /// The name in a part of the text.
    pub fn name_at(&mut self, start: usize, end: usize) -> Read<Ident> {
        let place = Place(Span::new(start, end));
        let text = &self.cursor.tokens.text[start..end];
        match self.game.names.intern(text) {
            Ok(name) => Ok(Ident { name, place }),
            Err(error) => {
                self.report(Diagnostic::new(Code::HrgReserved, place.0, error.to_string()));
                Err(Abandoned)
            }
        }
    }

    /// A number without a sign, of at most `most`.
    pub fn number(&mut self, most: u64) -> Read<u64> {
        let text = self.text_of(self.token);
        let number = text.parse().ok().filter(|&number| number <= most);
        match number {
            Some(number) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.advance();
                Ok(number)
            }
            _ => self.unexpected(&format!("a number from 0 to {most}")),
        }
    }

    /// The place from `start` to the end of the last token.
    pub fn place(&self, start: usize) -> Place {
        Place(Span::new(start, self.previous.end.max(start)))
    }

    /// Marks the next token for the layout.
    pub fn mark(&mut self, kind: MarkKind) {
        self.marks.push(Mark { at: self.token.start, kind });
    }
}
