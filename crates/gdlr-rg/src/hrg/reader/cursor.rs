//! The reader's place in the text: tokens, names, where lines should begin, and errors.

use crate::hrg::ast::Game;
use crate::hrg::layout_mark::{Mark, MarkKind};
use crate::hrg::token::{Token, TokenKind, Tokens};
use crate::rg::{Ident, Place};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};

/// How deep expressions, patterns and blocks may nest.
pub const MAX_DEPTH: usize = 128;
/// The most arguments of anything, parameters of a graph, and ranges behind `where`.
pub const MAX_LIST: usize = 256;
/// The most errors that are reported; the rest is left out.
pub const MAX_ERRORS: usize = 100;

/// How much of an unexpected word a message repeats, in characters.
const QUOTED: usize = 40;

/// What is being read cannot be read any further; why has been reported.
pub(super) struct Abandoned;

pub(super) type Read<T> = Result<T, Abandoned>;

pub(super) struct Reader<'a> {
    /// Stands behind `token`.
    tokens: Tokens<'a>,
    /// What is read next.
    pub token: Token,
    /// What was read last.
    pub previous: Token,
    /// How deep the reader is within expressions, patterns and blocks.
    depth: usize,
    pub game: Game,
    /// Where declarations, statements and blocks begin and end, for the layout.
    pub marks: Vec<Mark>,
    pub errors: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut tokens = Tokens { text, at: 0 };
        let token = tokens.next_but_comments();
        Reader {
            tokens,
            token,
            previous: Token { kind: TokenKind::End, start: 0, end: 0 },
            depth: 0,
            game: Game::default(),
            marks: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The text of a token.
    pub fn text_of(&self, token: Token) -> &'a str {
        self.tokens.text_of(token)
    }

    /// Whether the next token is this word.
    pub fn is_word(&self, word: &str) -> bool {
        self.token.kind == TokenKind::Word && self.text_of(self.token) == word
    }

    /// The kind of the token behind the next one.
    pub fn following(&self) -> TokenKind {
        self.ahead(1)[0].kind
    }

    /// The tokens behind the next one, as many as wanted and at most three.
    pub fn ahead(&self, count: usize) -> [Token; 3] {
        let mut tokens = self.tokens;
        let mut ahead = [self.token; 3];
        for token in &mut ahead[..count] {
            *token = tokens.next_but_comments();
        }
        ahead
    }

    /// How many braces are open that were opened from `start` on.
    pub fn open_braces_since(&self, start: usize) -> usize {
        let mut tokens = Tokens { text: self.tokens.text, at: start };
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

    /// Whether a line ends between the last token and the next one.
    pub fn begins_line(&self) -> bool {
        self.tokens.text[self.previous.end..self.token.start].contains(['\n', '\r'])
    }

    /// Whether a declaration begins here that is told by its first word.
    pub fn begins_declaration(&self) -> bool {
        self.token.kind == TokenKind::Word
            && matches!(self.text_of(self.token), "domain" | "graph" | "reusable")
            && self.following() == TokenKind::Word
    }

    /// Whether the next token has nothing before it on its line.
    pub fn begins_first_column(&self) -> bool {
        let before = &self.tokens.text[..self.token.start];
        before.is_empty() || before.ends_with(['\n', '\r'])
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

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, kind: TokenKind, what: &str) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { self.unexpected(what) }
    }

    pub fn expect_word(&mut self, word: &str, what: &str) -> Read<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(what) }
    }

    /// Reads a list with commas between its items, up to the bracket that closes it.
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

    /// Reads a list in parentheses, behind the opening one, that is not too long.
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

    /// Refuses one more item of a list that has the most already.
    pub fn not_too_many<T>(&mut self, items: &[T]) -> Read<()> {
        if items.len() < MAX_LIST {
            return Ok(());
        }
        let message = format!("there are more than {MAX_LIST} of these");
        let span = self.span();
        self.report(Diagnostic::new(Code::HrgTooLarge, span, message));
        Err(Abandoned)
    }

    /// Reads something within something else.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} deep");
            let span = self.span();
            self.report(Diagnostic::new(Code::HrgTooDeep, span, message));
            return Err(Abandoned);
        }
        self.depth += 1;
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

    /// The name that a part of the text is.
    pub fn name_at(&mut self, start: usize, end: usize) -> Read<Ident> {
        let place = Place(Span::new(start, end));
        match self.game.names.intern(&self.tokens.text[start..end]) {
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

    /// The span of the next token; at the end of the text, of the last one.
    pub fn span(&self) -> Span {
        let token = if self.token.kind == TokenKind::End { self.previous } else { self.token };
        Span::new(token.start, token.end)
    }

    /// From `start` to the end of what was read last.
    pub fn place(&self, start: usize) -> Place {
        Place(Span::new(start, self.previous.end.max(start)))
    }

    /// Notes that the next token begins or ends something.
    pub fn mark(&mut self, kind: MarkKind) {
        self.marks.push(Mark { at: self.token.start, kind });
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
        self.report(Diagnostic::new(Code::HrgSyntax, span, message).with_help(help));
        Err(Abandoned)
    }

    pub fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        let text = self.text_of(self.token);
        let diagnostic = match self.token.kind {
            TokenKind::Stray => {
                let message = format!("the character {} means nothing here", quoted(text));
                Diagnostic::new(Code::HrgCharacter, self.span(), message)
                    .with_help(about_character(text))
            }
            TokenKind::End => {
                let message = format!("expected {expected}, but the text ends");
                Diagnostic::new(Code::HrgSyntax, self.span(), message).with_label("behind this")
            }
            _ => {
                let message = format!("expected {expected}, found {}", quoted(text));
                Diagnostic::new(Code::HrgSyntax, self.span(), message)
            }
        };
        self.report(diagnostic);
        Err(Abandoned)
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
        "→" => "an arrow is written `->`",
        "#" | "/" => "a comment begins with `//`",
        "!" => "the negation of a condition is written `not(…)`",
        "&" => "a conjunction is written `&&`",
        _ => "names have letters, digits and underscores only",
    }
}
