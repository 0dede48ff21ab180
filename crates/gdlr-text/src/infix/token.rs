//! From text to tokens, one by one.

use super::foreign;
use super::names::{is_bare, is_quotable, to_kif};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::{Found, Sign};
use crate::kif::Comment;
use crate::kif::text::{OddBlanks, line_end};
use hashbrown::HashSet;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or variable, as KIF has it.
    Name(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
    /// `&`
    And,
    /// `|`
    Or,
    /// `~`
    Not,
    /// `:-`
    If,
    /// `.`
    Period,
    /// A sign of another language.
    Foreign(Sign),
    /// The end of the text.
    End,
}

/// Where a token stands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Between the brackets of arguments.
    pub in_arguments: bool,
    /// Between brackets around conditions.
    pub in_group: bool,
    /// Behind the `:-` of its rule.
    pub in_body: bool,
    /// Behind a term or condition that is complete.
    pub behind: bool,
    /// How far its rule is indented.
    pub indent: usize,
}

/// A piece of the text.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// How far it is indented, if it is the first of its line.
    pub indent: Option<usize>,
}

/// How many `;` are looked at as the "or" of another language.
const MAX_ORS: usize = 100;

/// The most bytes of an operand that is quoted.
const MAX_OPERAND: usize = 60;

/// Goes through a text. Comments, odd blanks and errors are put aside.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// Behind what has been read.
    at: usize,
    /// Where the line begins, as long as there is no token on it.
    fresh_line: Option<usize>,
    pub comments: Vec<Comment>,
    pub blanks: OddBlanks,
    /// What is wrong with names, in order.
    pub errors: Vec<Diagnostic>,
    /// How many errors are kept.
    max_errors: usize,
    /// Signs of other languages that are no tokens.
    pub found: Vec<Found>,
    /// The names that statements begin with, once somebody asks.
    statements: Option<HashSet<&'a str>>,
    /// How many `;` were an "or".
    ors: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, max_errors: usize) -> Scanner<'a> {
        // A mark of the byte order is no part of the text.
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Scanner {
            text,
            at,
            fresh_line: Some(at),
            comments: Vec::new(),
            blanks: OddBlanks::default(),
            errors: Vec::new(),
            max_errors,
            found: Vec::new(),
            statements: None,
            ors: 0,
        }
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The text of a span.
    pub(super) fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The next token, which stands here.
    pub(super) fn next(&mut self, place: Place) -> Token {
        self.skip_space(place);
        let start = self.at;
        let indent = self.fresh_line.take().map(|line| start - line);
        let rest = &self.text[start..];
        let (kind, length) = match rest.chars().next() {
            None => (TokenKind::End, 0),
            // No comment begins with it here.
            Some(';') => (TokenKind::Foreign(Sign::Semicolon), 1),
            _ if let Some((sign, length)) = foreign::sign(rest, place) => {
                (TokenKind::Foreign(sign), length)
            }
            Some('(') => (TokenKind::Open, 1),
            Some(')') => (TokenKind::Close, 1),
            Some(',') => (TokenKind::Comma, 1),
            Some('&') => (TokenKind::And, 1),
            Some('|') => (TokenKind::Or, 1),
            Some('~') => (TokenKind::Not, 1),
            Some('.') => (TokenKind::Period, 1),
            Some('"') => self.quoted(rest),
            Some(_) if rest.starts_with(":-") => (TokenKind::If, 2),
            Some('\'')
                if let Some(length) = rest[1..]
                    .find(['\'', '\n'])
                    .filter(|&end| rest[1 + end..].starts_with('\'')) =>
            {
                self.found
                    .push(Found::new(Sign::SingleQuotes, Span::new(start, start + length + 2)));
                (TokenKind::Name(rest[1..=length].to_owned()), length + 2)
            }
            Some(_) => self.word(rest, place),
        };
        self.at += length;
        Token { kind, span: Span::new(start, self.at), indent }
    }

    /// The bracket of arguments, if one stands next on the line.
    pub(super) fn opens_arguments(&mut self) -> Option<Span> {
        let rest = &self.text[self.at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if !rest[blanks..].starts_with('(') {
            return None;
        }
        let start = self.at + blanks;
        self.at = start + 1;
        Some(Span::new(start, self.at))
    }

    /// Goes behind a list of KIF whose bracket was the last token.
    pub(super) fn skip_list(&mut self) {
        let mut depth = 1;
        let bytes = self.text.as_bytes();
        while depth > 0 && self.at < bytes.len() {
            match bytes[self.at] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b';' => self.at = line_end(self.text, self.at) - 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// The name at an offset, with its arguments as far as they stand on the line.
    pub(super) fn operand(&self, from: usize) -> Option<&'a str> {
        let rest = self.text.get(from..)?;
        let rest = rest[..rest.floor_char_boundary(MAX_OPERAND)].trim_start();
        let line = &rest[..line_end(rest, 0)];
        let word = word_length(line, Place::default());
        let mut end = word;
        if line[word..].starts_with('(') {
            let mut depth = 0usize;
            let close = line[word..].char_indices().find(|&(_, character)| {
                match character {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            end = word + close?.0 + 1;
        }
        (end > 0).then(|| &line[..end])
    }

    /// Whether the `;` that comes next is an "or". After many of them the others make no
    /// difference, and are not looked at.
    fn is_or(&mut self, place: Place) -> bool {
        let (text, statements) = (self.text, &mut self.statements);
        let is_or = self.ors < MAX_ORS
            && foreign::is_or(text, self.at, self.fresh_line, place, |relation| {
                statements.get_or_insert_with(|| foreign::statements(text)).contains(relation)
            });
        self.ors += usize::from(is_or);
        is_or
    }

    fn skip_space(&mut self, place: Place) {
        while let Some(character) = self.text[self.at..].chars().next() {
            let rest = &self.text[self.at..];
            if let Some((sign, mark, length)) =
                foreign::comment(rest, self.fresh_line.is_some(), place)
            {
                self.found.push(Found::new(sign, Span::new(self.at, self.at + mark)));
                self.at += length;
                continue;
            }
            match character {
                ';' if self.is_or(place) => break,
                '%' | ';' => {
                    let end = line_end(self.text, self.at);
                    self.comments.push(Comment { span: Span::new(self.at, end) });
                    self.at = end;
                }
                '\n' | '\r' => {
                    self.at += 1;
                    self.fresh_line = Some(self.at);
                }
                _ if character.is_ascii_whitespace() => self.at += 1,
                _ if character.is_whitespace() => {
                    self.blanks.note(character, self.at);
                    self.at += character.len_utf8();
                }
                _ => break,
            }
        }
    }

    /// A bare word at the beginning of `rest`, and its length.
    fn word(&mut self, rest: &str, place: Place) -> (TokenKind, usize) {
        let length = word_length(rest, place);
        let word = &rest[..length];
        if is_product(word) {
            let span = Span::new(self.at, self.at + length);
            self.found.push(Found::new(Sign::Arithmetic, span));
        } else if let Some(wrong) =
            word.chars().find(|&character| !is_bare(character) && character != '.')
        {
            self.error(self.no_word(word, wrong));
        }
        (TokenKind::Name(to_kif(word)), length)
    }

    fn error(&mut self, error: Diagnostic) {
        // A sheet that was put together of both notations has one error about that.
        let again = error.code == Code::MixedNotations
            && self.errors.iter().any(|known| known.code == Code::MixedNotations);
        if self.errors.len() < self.max_errors && !again {
            self.errors.push(error);
        }
    }

    /// Why a word is none.
    fn no_word(&self, word: &str, wrong: char) -> Diagnostic {
        let span = Span::new(self.at, self.at + word.len());
        if word == "<=" {
            return Diagnostic::new(
                Code::MixedNotations,
                span,
                "the arrow of KIF in a rulesheet in infix notation",
            )
            .with_help("a rule is `head :- condition & condition`");
        }
        if let Some(name) = word.strip_prefix('?')
            && name.chars().all(is_bare)
        {
            return Diagnostic::new(
                Code::MixedNotations,
                span,
                format!("a variable of KIF, `{word}`, in a rulesheet in infix notation"),
            )
            .with_help("a variable begins with a capital letter; there is no `?`");
        }
        Diagnostic::new(Code::InfixName, span, format!("the character `{wrong}` in a bare name"))
            .with_help(format!("put the name in quotes: `\"{word}\"`"))
    }

    /// A name in quotes at the beginning of `rest`, and its length with both quotes.
    fn quoted(&mut self, rest: &str) -> (TokenKind, usize) {
        let inside = &rest[1..];
        let end = inside.find(['"', '\n', '\r']);
        let closed = end.filter(|&end| inside[end..].starts_with('"'));
        let error = |length, message: &str, help: &str| {
            Diagnostic::new(Code::InfixName, Span::new(self.at, self.at + length), message)
                .with_help(help)
        };
        let (name, length, error) = match closed {
            None => {
                let end = inside.find(|c| !is_quotable(c)).unwrap_or(inside.len());
                let name = &inside[..end];
                let error = error(1, "this quote is never closed", "a name ends on its line");
                (name, 1 + name.len(), Some(error))
            }
            Some(end) => {
                let name = &inside[..end];
                let help = "a name in quotes is one word, without blanks, brackets and `;`";
                let error = if name.is_empty() {
                    Some(error(2, "nothing between these quotes", help))
                } else if !name.chars().all(is_quotable) {
                    Some(error(end + 2, "what is between these quotes is no name", help))
                } else {
                    None
                };
                (name, end + 2, error)
            }
        };
        if let Some(error) = error {
            self.error(error);
        }
        (TokenKind::Name(name.to_owned()), length)
    }
}

/// Whether a word is arithmetic with a variable and signs that are in no bare word: `X*2`.
fn is_product(word: &str) -> bool {
    let parts = || word.split(['*', '/', '+', '-']);
    word.contains(['*', '/'])
        && parts().all(|part| !part.is_empty() && part.chars().all(is_bare))
        && parts().any(|part| part.starts_with(char::is_uppercase))
}

/// The length of the bare word at the beginning of a text: up to a sign, a quote, a comment or
/// white space. A period is part of a number with digits on both sides.
fn word_length(text: &str, place: Place) -> usize {
    if text.starts_with("<=") {
        return "<=".len();
    }
    let is_decimal = |at: usize| {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let whole = text[..at].trim_start_matches(['+', '-']);
        !whole.is_empty()
            && digits(whole)
            && text[at + 1..].starts_with(|next: char| next.is_ascii_digit())
    };
    text.char_indices()
        .find(|&(at, character)| match character {
            '(' | ')' | ',' | '&' | '|' | '~' | '"' | '%' | ';' => true,
            '.' => !is_decimal(at),
            ':' => text[at..].starts_with(":-"),
            _ => character.is_whitespace() || at > 0 && foreign::ends_word(text, at, place),
        })
        .map_or(text.len(), |(at, _)| at)
}
