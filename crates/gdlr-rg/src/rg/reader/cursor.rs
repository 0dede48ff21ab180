//! The reader's place in the text: tokens, names, and errors.

use crate::rg::ast::{Description, Ident, Place};
use crate::rg::name::Keyword;
use crate::rg::token::{Token, TokenKind, Tokens};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};

/// The deepest nesting of brackets in an expression or value, and of arrows in a type.
pub const MAX_DEPTH: usize = 256;
/// The most errors that are reported; the rest is left out.
pub const MAX_ERRORS: usize = 100;

/// How much of an unexpected word a message repeats, in characters.
const QUOTED: usize = 40;

/// The statement cannot be read any further; why has been reported.
pub(super) struct Abandoned;

pub(super) type Read<T> = Result<T, Abandoned>;

pub(super) struct Reader<'a> {
    /// Stands behind `token`.
    pub tokens: Tokens<'a>,
    /// What is read next.
    pub token: Token,
    /// What was read last.
    pub previous: Token,
    /// How many brackets are open.
    pub depth: usize,
    pub description: Description,
    pub errors: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut tokens = Tokens { text, at: 0 };
        let token = tokens.next_but_comments();
        Reader {
            tokens,
            token,
            previous: Token { kind: TokenKind::Semicolon, start: 0, end: 0 },
            depth: 0,
            description: Description::default(),
            errors: Vec::new(),
        }
    }

    /// Whether the token behind the next one is a comma.
    pub fn comma_follows(&self) -> bool {
        let mut ahead = self.tokens;
        ahead.next_but_comments().kind == TokenKind::Comma
    }

    /// Whether a line ends between the last token and the next one.
    pub fn begins_line(&self) -> bool {
        self.tokens.text[self.previous.end..self.token.start].contains(['\n', '\r'])
    }

    /// The keyword that the next token is, all of it.
    pub fn keyword(&self) -> Option<Keyword> {
        match Keyword::split(self.tokens.text_of(self.token)) {
            Some((keyword, "")) => Some(keyword),
            _ => None,
        }
    }
}

/// Tokens.
impl Reader<'_> {
    pub fn advance(&mut self) {
        self.previous = self.token;
        self.token = self.tokens.next_but_comments();
    }

    pub fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.token.kind == kind;
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, kind: TokenKind, what: &str) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { self.unexpected(what) }
    }

    /// Reads what stands behind an item of a list; says whether another item follows.
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

    /// Reads an opening bracket inside which brackets may follow.
    pub fn open(&mut self) -> Read<()> {
        if self.depth == MAX_DEPTH {
            let span = self.span();
            let message = format!("brackets are nested more than {MAX_DEPTH} deep");
            self.report(Diagnostic::new(Code::RgTooDeep, span, message));
            return Err(Abandoned);
        }
        self.depth += 1;
        self.advance();
        Ok(())
    }

    pub fn close(&mut self, kind: TokenKind, what: &str) -> Read<()> {
        self.depth -= 1;
        self.expect(kind, what)
    }

    /// Reads the `;` of the statement that begins at `start`. One that is missing at the end
    /// of a line is reported, and the statement taken for whole.
    pub fn end_of_statement(&mut self, start: usize) -> Read<Place> {
        let end = self.previous;
        if self.eat(TokenKind::Semicolon) {
            return Ok(self.place(start));
        }
        if self.token.kind != TokenKind::End && !self.begins_line() {
            return self.unexpected("`;` at the end of the statement");
        }
        self.report(
            Diagnostic::new(
                Code::RgSyntax,
                Span::new(end.start, end.end),
                "this statement has no `;` at its end",
            )
            .with_label("`;` is missing behind this"),
        );
        Ok(self.place(start))
    }

    pub fn name(&mut self, what: &str) -> Read<Ident> {
        if self.token.kind != TokenKind::Word {
            return self.unexpected(what);
        }
        if let Some(keyword) = self.keyword() {
            return self.reserved(keyword);
        }
        let token = self.token;
        self.advance();
        self.name_of(token)
    }

    /// The name that a word is which has been read.
    pub fn name_of(&mut self, token: Token) -> Read<Ident> {
        let place = Place(Span::new(token.start, token.end));
        match self.description.names.intern(self.tokens.text_of(token)) {
            Ok(name) => Ok(Ident { name, place }),
            Err(error) => {
                self.report(Diagnostic::new(Code::RgReserved, place.0, error.to_string()));
                Err(Abandoned)
            }
        }
    }

    /// The span of the next token; at the end of the text, of the last one.
    pub fn span(&self) -> Span {
        let token = if self.token.kind == TokenKind::End { self.previous } else { self.token };
        Span::new(token.start, token.end)
    }

    /// From `start` to the end of what was read last.
    pub fn place(&self, start: usize) -> Place {
        Place(Span::new(start, self.previous.end))
    }
}

/// Errors.
impl Reader<'_> {
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(diagnostic);
        }
    }

    pub fn fail<T>(&mut self, message: &str, help: &str) -> Read<T> {
        let span = self.span();
        self.report(Diagnostic::new(Code::RgSyntax, span, message).with_help(help));
        Err(Abandoned)
    }

    pub fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        if self.token.kind == TokenKind::Word
            && let Some(keyword) = self.keyword()
        {
            return self.reserved(keyword);
        }
        let text = self.tokens.text_of(self.token);
        let diagnostic = match self.token.kind {
            TokenKind::Stray => {
                let message = format!("the character {} means nothing here", quoted(text));
                Diagnostic::new(Code::RgCharacter, self.span(), message)
                    .with_help(about_character(text))
            }
            TokenKind::End => {
                let message = format!("expected {expected}, but the text ends");
                Diagnostic::new(Code::RgSyntax, self.span(), message).with_label("behind this")
            }
            _ => {
                let message = format!("expected {expected}, found {}", quoted(text));
                Diagnostic::new(Code::RgSyntax, self.span(), message)
            }
        };
        self.report(diagnostic);
        Err(Abandoned)
    }

    /// The next token is a keyword where a name should stand: the statement before may have
    /// lost its end.
    pub fn reserved<T>(&mut self, keyword: Keyword) -> Read<T> {
        let message = format!("`{}` is a keyword and names nothing", keyword.as_str());
        self.report(
            Diagnostic::new(Code::RgReserved, self.span(), message)
                .with_help("rename it; if a definition should begin here, end the one before it"),
        );
        Err(Abandoned)
    }

    pub fn blank_before(&mut self, what: &str) {
        let gap = Span::new(self.previous.end, self.token.end);
        let message = format!("nothing may stand before this {what}, not even a blank");
        self.report(
            Diagnostic::new(Code::RgBlank, gap, message).with_help("remove what stands before it"),
        );
    }
}

/// A piece of the text for a message, in full unless it is long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None if text.chars().any(|c| c.is_control() || c == '\u{feff}') => format!("{text:?}"),
        None => format!("`{text}`"),
    }
}

/// What a character that means nothing was probably meant to be.
fn about_character(text: &str) -> &'static str {
    match text {
        "\u{feff}" => "save the file without a byte order mark",
        "→" | "-" => "an arrow is written `->`",
        "#" | "/" => "a comment begins with `//`",
        _ => "names have letters, digits and underscores only",
    }
}
