//! The reader: a cursor in the expanded tokens, with the errors so far.

use super::limits::Limits;
use super::token::TokenKind;
use super::words::{Frames, Lexeme, Words};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::syntax::quoted;

/// Reading stopped here; the reason was reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abandoned;

/// The result of reading a part of the grammar.
pub(super) type Read<T> = Result<T, Abandoned>;

/// A cursor in the tokens of a section.
pub(super) struct Cursor<'a> {
    tokens: &'a [Lexeme],
    at: usize,
    /// The head of the section, for messages about its end.
    section: Span,
    words: &'a Words,
    frames: &'a Frames,
    pub limits: Limits,
    pub depth: usize,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl<'a> Cursor<'a> {
    pub fn new(
        tokens: &'a [Lexeme],
        section: Span,
        (words, frames): (&'a Words, &'a Frames),
        limits: Limits,
    ) -> Cursor<'a> {
        let (errors, warnings) = (Vec::new(), Vec::new());
        Cursor { tokens, at: 0, section, words, frames, limits, depth: 0, errors, warnings }
    }

    /// The kind of the next token; the end after the last one.
    pub fn kind(&self) -> TokenKind {
        self.tokens.get(self.at).map_or(TokenKind::End, |token| token.kind)
    }

    /// The kind of the token after the next one.
    pub fn following(&self) -> TokenKind {
        self.tokens.get(self.at + 1).map_or(TokenKind::End, |token| token.kind)
    }

    /// The text of the next token.
    pub fn text(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| self.words.text(token.word))
    }

    /// The next token, for later messages.
    pub fn place(&self) -> Option<Lexeme> {
        self.tokens.get(self.at).or(self.tokens.last()).copied()
    }

    /// The span of the next token.
    pub fn span(&self) -> Span {
        self.place().map_or(self.section, |token| token.span)
    }

    pub fn advance(&mut self) {
        self.at += 1;
    }

    pub fn eat(&mut self, kind: TokenKind) -> bool {
        let matches = self.kind() == kind;
        self.at += usize::from(matches);
        matches
    }

    pub fn expect(&mut self, kind: TokenKind, what: &str) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { self.unexpected(what) }
    }

    /// Takes a word.
    pub fn word(&mut self, what: &str) -> Read<&'a str> {
        let text = self.text();
        self.expect(TokenKind::Word, what)?;
        Ok(text)
    }

    /// Takes a number of at most `most`.
    pub fn number(&mut self, most: u32, what: &str) -> Read<u32> {
        let (text, place) = (self.text(), self.place());
        self.expect(TokenKind::Number, what)?;
        // Leading zeros have no meaning.
        match text.trim_start_matches('0').parse::<u64>() {
            Ok(number) if number <= u64::from(most) => Ok(number as u32),
            Err(_) if text.trim_start_matches('0').is_empty() => Ok(0),
            _ => {
                let message = format!("the number {} is larger than {most}", quoted(text));
                self.report_at(place, Code::RbgNumber, message);
                Err(Abandoned)
            }
        }
    }

    /// Whether the section begins with `hexagon`.
    pub fn is_hexagon(&self) -> bool {
        self.tokens.first().is_some_and(|token| self.words.text(token.word) == "hexagon")
    }

    /// Enters a bracket, or reports that brackets nest too deep.
    pub fn go_deeper(&mut self) -> Read<()> {
        if self.depth == self.limits.depth {
            let message = format!("brackets are nested more than {} deep", self.depth);
            self.report_at(self.place(), Code::RbgTooDeep, message);
            return Err(Abandoned);
        }
        self.depth += 1;
        Ok(())
    }

    /// A message about a token, with the macros that it comes from.
    pub fn about(&self, place: Option<Lexeme>, code: Code, message: String) -> Diagnostic {
        let span = place.map_or(self.section, |token| token.span);
        let plain = Diagnostic::new(code, span, message);
        match place {
            Some(token) => self.frames.explain(self.words, token.frame, plain),
            None => plain,
        }
    }

    pub fn report_at(&mut self, place: Option<Lexeme>, code: Code, message: String) {
        let error = self.about(place, code, message);
        // A macro with several uses is reported once.
        let same = |other: &Diagnostic| other.span == error.span && other.message == error.message;
        if !self.errors.iter().any(same) {
            self.errors.push(error);
        }
    }

    pub fn warn_at(&mut self, place: Option<Lexeme>, code: Code, message: String, help: &str) {
        let warning = self.about(place, code, message).with_help(help);
        let same = |other: &Diagnostic| other.span == warning.span && other.code == warning.code;
        if !self.warnings.iter().any(same) {
            self.warnings.push(warning);
        }
    }

    pub fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        let message = match self.kind() {
            TokenKind::End => format!("expected {expected}, but the section ends"),
            _ => format!("expected {expected}, found {}", quoted(self.text())),
        };
        self.report_at(self.place(), Code::RbgSyntax, message);
        Err(Abandoned)
    }
}
