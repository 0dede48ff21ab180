//! A reader's place in the text: tokens, nesting, errors.

use super::language::{Language, Messages, Misplaced};
use super::limits::too_deep;
use super::token::{Token, Tokens};
use crate::diagnostic::{Diagnostic, Span};

/// How much of an unexpected word a message repeats, in characters.
const QUOTED: usize = 40;

/// The text cannot be read any further; why has been reported.
#[derive(Clone, Copy, Debug)]
pub struct Abandoned;

/// The result of reading a part of a grammar.
pub type Read<T> = Result<T, Abandoned>;

/// A place in a text, and what was wrong up to there.
#[derive(Debug)]
pub struct Cursor<'a, L: Language> {
    /// Stands behind `token`.
    pub tokens: Tokens<'a, L>,
    /// The next token.
    pub token: Token<L::Kind>,
    /// The last token; at first an end of the text, where it begins.
    pub previous: Token<L::Kind>,
    /// How many things are open that nest.
    pub depth: usize,
    /// The diagnostics so far.
    pub errors: Vec<Diagnostic>,
}

/// Looking.
impl<'a, L: Language> Cursor<'a, L> {
    /// The beginning of a text.
    pub fn new(text: &'a str) -> Cursor<'a, L> {
        let mut tokens = Tokens::new(text);
        let token = tokens.next_but_comments();
        let previous = Token { kind: L::END, start: 0, end: 0 };
        Cursor { tokens, token, previous, depth: 0, errors: Vec::new() }
    }

    /// The text of a token.
    pub fn text_of(&self, token: Token<L::Kind>) -> &'a str {
        self.tokens.text_of(token)
    }

    /// Whether the next token is this word.
    pub fn is_word(&self, word: &str) -> bool {
        self.token.kind == L::WORD && self.text_of(self.token) == word
    }

    /// The tokens behind the next one.
    pub fn ahead<const N: usize>(&self) -> [Token<L::Kind>; N] {
        let mut tokens = self.tokens;
        std::array::from_fn(|_| tokens.next_but_comments())
    }

    /// The kind of the token behind the next one.
    pub fn following(&self) -> L::Kind {
        self.ahead::<1>()[0].kind
    }

    /// Whether a line ends between the last token and the next one.
    pub fn begins_line(&self) -> bool {
        self.tokens.text[self.previous.end..self.token.start].contains(['\n', '\r'])
    }

    /// Whether the next token has nothing before it on its line.
    pub fn begins_first_column(&self) -> bool {
        let before = &self.tokens.text[..self.token.start];
        before.is_empty() || before.ends_with(['\n', '\r'])
    }

    /// The span of the next token; at the end of the text, of the last one.
    pub fn span(&self) -> Span {
        let token = if self.token.kind == L::END { self.previous } else { self.token };
        token.span()
    }
}

/// Reading.
impl<L: Messages> Cursor<'_, L> {
    /// Takes the next token.
    pub fn advance(&mut self) {
        self.previous = self.token;
        self.token = self.tokens.next_but_comments();
    }

    /// Takes the next token if it is of this kind; whether it is.
    pub fn eat(&mut self, kind: L::Kind) -> bool {
        let is_kind = self.token.kind == kind;
        if is_kind {
            self.advance();
        }
        is_kind
    }

    /// Takes the next token if it is this word; whether it is.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let is_word = self.is_word(word);
        if is_word {
            self.advance();
        }
        is_word
    }

    /// Takes a token of this kind. `what` says in a message what is missing otherwise.
    pub fn expect(&mut self, kind: L::Kind, what: &str) -> Read<()> {
        if self.eat(kind) { Ok(()) } else { self.unexpected(what) }
    }

    /// Takes this word. `what` says in a message what is missing otherwise.
    pub fn expect_word(&mut self, word: &str, what: &str) -> Read<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(what) }
    }

    /// Something begins that nests, unless it is too deep. Where it ends, one is taken from
    /// [`depth`](Self::depth).
    pub fn go_deeper(&mut self) -> Read<()> {
        if self.depth == L::LIMITS.max_depth {
            self.report(too_deep::<L>(self.span(), &L::LIMITS));
            return Err(Abandoned);
        }
        self.depth += 1;
        Ok(())
    }
}

/// Errors.
impl<L: Messages> Cursor<'_, L> {
    /// Reports an error, unless there are as many as [`Language::LIMITS`] allows.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < L::LIMITS.max_errors {
            self.errors.push(diagnostic);
        }
    }

    /// Reports what is wrong with the next token.
    pub fn fail<T>(&mut self, message: &str, help: &str) -> Read<T> {
        self.report(Diagnostic::new(L::SYNTAX, self.span(), message).with_help(help));
        Err(Abandoned)
    }

    /// Reports that something else is expected than the next token.
    pub fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        let (text, span) = (self.text_of(self.token), self.span());
        if self.token.kind == L::WORD
            && let Some(misplaced) = L::misplaced(text)
        {
            return self.misplaced(misplaced);
        }
        self.report(if self.token.kind == L::STRAY {
            let message = format!("the character {} means nothing here", quoted(text));
            Diagnostic::new(L::CHARACTER, span, message).with_help(L::about_character(text))
        } else if self.token.kind == L::END {
            let message = format!("expected {expected}, but the text ends");
            Diagnostic::new(L::SYNTAX, span, message).with_label("behind this")
        } else {
            let message = format!("expected {expected}, found {}", quoted(text));
            Diagnostic::new(L::SYNTAX, span, message)
        });
        Err(Abandoned)
    }

    /// Reports that the next token is a word that cannot stand there.
    pub fn misplaced<T>(&mut self, Misplaced { code, message, help }: Misplaced) -> Read<T> {
        self.report(Diagnostic::new(code, self.span(), message).with_help(help));
        Err(Abandoned)
    }
}

/// A piece of a text for a message, in full unless it is long.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None if text.chars().any(|c| c.is_control() || c == '\u{feff}') => format!("{text:?}"),
        None => format!("`{text}`"),
    }
}
