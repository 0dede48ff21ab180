//! The reader: a cursor in the text, and the description so far.

use crate::rg::ast::{Description, Ident, Place};
use crate::rg::name::Keyword;
use crate::rg::token::{Rg, Token, TokenKind};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::syntax::{Cursor, Messages};
use std::ops::{Deref, DerefMut};

pub(super) use gdlr_text::syntax::{Abandoned, Read};

/// The greatest depth of brackets in an expression or value, and the greatest number of arrows in a
/// type.
pub const MAX_DEPTH: usize = 256;
/// The most errors that are reported. More are left out.
pub const MAX_ERRORS: usize = 100;

pub(super) struct Reader<'a> {
    cursor: Cursor<'a, Rg>,
    pub description: Description,
}

impl<'a> Deref for Reader<'a> {
    type Target = Cursor<'a, Rg>;

    fn deref(&self) -> &Cursor<'a, Rg> {
        &self.cursor
    }
}

impl<'a> DerefMut for Reader<'a> {
    fn deref_mut(&mut self) -> &mut Cursor<'a, Rg> {
        &mut self.cursor
    }
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        Reader { cursor: Cursor::new(text), description: Description::default() }
    }

    /// The keyword that is the whole next token.
    pub fn keyword(&self) -> Option<Keyword> {
        match Keyword::split(self.text_of(self.token)) {
            Some((keyword, "")) => Some(keyword),
            _ => None,
        }
    }

    /// Reads the token after an item of a list. Returns whether another item follows.
    pub fn comma_or(&mut self, close: TokenKind, what: &str) -> Read<bool> {
        if self.eat(close) {
            return Ok(false);
        }
        self.expect(TokenKind::Comma, what)?;
        if self.token.kind == close {
            let help = "remove the comma before it, or add what is missing between them";
            return self.fail("a list does not end with a comma", help);
        }
        Ok(true)
    }

    /// Reads an opening bracket that may have brackets inside.
    pub fn open(&mut self) -> Read<()> {
        self.go_deeper()?;
        self.advance();
        Ok(())
    }

    pub fn close(&mut self, kind: TokenKind, what: &str) -> Read<()> {
        self.depth -= 1;
        self.expect(kind, what)
    }

    /// Reads the `;` of the statement that begins at `start`. If it is missing at the end of a
    /// line, this is reported, and the statement counts as complete.
    pub fn end_of_statement(&mut self, start: usize) -> Read<Place> {
        let end = self.previous;
        if self.eat(TokenKind::Semicolon) {
            return Ok(self.place(start));
        }
        if self.token.kind != TokenKind::End && !self.begins_line() {
            return self.unexpected("`;` at the end of the statement");
        }
        let message = "this statement has no `;` at its end";
        self.report(
            Diagnostic::new(Code::RgSyntax, end.span(), message)
                .with_label("`;` is missing behind this"),
        );
        Ok(self.place(start))
    }

    pub fn name(&mut self, what: &str) -> Read<Ident> {
        if self.token.kind != TokenKind::Word {
            return self.unexpected(what);
        }
        if let Some(misplaced) = Rg::misplaced(self.text_of(self.token)) {
            return self.misplaced(misplaced);
        }
        let token = self.token;
        self.advance();
        self.name_of(token)
    }

    /// The name of a word that was just read.
    pub fn name_of(&mut self, token: Token) -> Read<Ident> {
        let place = Place(token.span());
        let text = self.text_of(token);
        match self.description.names.intern(text) {
            Ok(name) => Ok(Ident { name, place }),
            Err(error) => {
                self.report(Diagnostic::new(Code::RgReserved, place.0, error.to_string()));
                Err(Abandoned)
            }
        }
    }

    /// The place from `start` to the end of the last token.
    pub fn place(&self, start: usize) -> Place {
        Place(Span::new(start, self.previous.end))
    }

    pub fn blank_before(&mut self, what: &str) {
        let gap = Span::new(self.previous.end, self.token.end);
        let message = format!("nothing may stand before this {what}, not even a blank");
        self.report(
            Diagnostic::new(Code::RgBlank, gap, message).with_help("remove what stands before it"),
        );
    }
}
