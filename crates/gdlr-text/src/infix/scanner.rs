//! Going through a text in infix notation. Comments, odd blanks, errors in names and comments of
//! other languages are put aside.

use super::foreign;
use super::token::{
    Infix, Quotes, Signs, TokenContext, TokenKind, is_product, misquoted, misspelt, name,
    word_length,
};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::{Sign, SignInText};
use crate::kif::Comment;
use crate::kif::text::{OddBlanks, behind_list};
use crate::syntax::{Tokens, line_end};
use hashbrown::HashSet;

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
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

/// A text, and how far it has been gone through.
pub(super) struct Scanner<'a> {
    tokens: Tokens<'a, Infix>,
    pub signs: Signs,
    /// Where the line begins, as long as there is no token on it.
    fresh_line: Option<usize>,
    pub comments: Vec<Comment>,
    pub blanks: OddBlanks,
    /// The defects of names, in order.
    pub errors: Vec<Diagnostic>,
    /// How many errors are kept.
    max_errors: usize,
    /// Signs of other languages that are no tokens.
    pub found: Vec<SignInText>,
    /// The names that statements begin with, once somebody asks.
    statements: Option<HashSet<&'a str>>,
    /// How many `;` were an "or".
    ors: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, signs: Signs, max_errors: usize) -> Scanner<'a> {
        let tokens = Tokens::new(text);
        Scanner {
            fresh_line: Some(tokens.at),
            tokens,
            signs,
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
        self.tokens.text
    }

    /// The text of a span.
    pub(super) fn slice(&self, span: Span) -> &'a str {
        self.text().get(span.range()).unwrap_or_default()
    }

    /// A name or variable as KIF has it.
    pub(super) fn name(&self, span: Span, quotes: Quotes) -> String {
        name(self.slice(span), quotes)
    }

    /// The next token, which stands here.
    pub(super) fn next(&mut self, place: TokenContext) -> Token {
        loop {
            self.skip_blanks();
            let begins_line = self.fresh_line.is_some();
            self.tokens.language = Infix { place, signs: self.signs, begins_line };
            let token = self.tokens.next();
            let text = self.tokens.text_of(token);
            match token.kind {
                TokenKind::ForeignComment(Sign::Stars, _) if self.signs == Signs::Prolog => {
                    self.block_comment(text, token.start);
                    continue;
                }
                TokenKind::ForeignComment(sign, mark) => {
                    let span = Span::new(token.start, token.start + mark);
                    self.found.push(SignInText::new(sign, span));
                    continue;
                }
                TokenKind::Comment if text.starts_with(';') && self.is_or(token.start, place) => {
                    self.tokens.at = token.start + 1;
                    let span = Span::new(token.start, token.start + 1);
                    return self.token(TokenKind::Foreign(Sign::Semicolon), span);
                }
                TokenKind::Comment => {
                    self.comments.push(Comment { span: token.span() });
                    continue;
                }
                TokenKind::OddBlank => {
                    text.chars().for_each(|blank| self.blanks.note(blank, token.start));
                    continue;
                }
                TokenKind::Name(Quotes::Single) if self.signs == Signs::Infix => {
                    self.found.push(SignInText::new(Sign::SingleQuotes, token.span()));
                }
                TokenKind::Name(Quotes::Single | Quotes::Double) => {
                    self.report(misquoted(token, text))
                }
                TokenKind::Name(Quotes::None) if is_product(text) => {
                    self.found.push(SignInText::new(Sign::Arithmetic, token.span()));
                }
                TokenKind::Name(Quotes::None) => self.report(misspelt(token, text)),
                _ => {}
            }
            return self.token(token.kind, token.span());
        }
    }

    /// A token that may be the first of its line.
    fn token(&mut self, kind: TokenKind, span: Span) -> Token {
        let indent = self.fresh_line.take().map(|line| span.start as usize - line);
        Token { kind, span, indent }
    }

    fn skip_blanks(&mut self) {
        let from = self.tokens.at;
        self.tokens.skip_blanks();
        let blanks = &self.tokens.text[from..self.tokens.at];
        if let Some(end) = blanks.rfind(['\n', '\r']) {
            self.fresh_line = Some(from + end + 1);
        }
    }

    /// Keeps the lines of a comment between `/*` and `*/`, each as a comment of its own.
    fn block_comment(&mut self, text: &str, start: usize) {
        let Some(inside) = text["/*".len()..].strip_suffix("*/") else {
            let span = Span::new(start, start + "/*".len());
            let error = Diagnostic::new(Code::InfixSyntax, span, "this comment is never closed");
            return self.report(Some(error.with_help("a comment with `/*` ends with `*/`")));
        };
        let mut at = start + "/*".len();
        for line in inside.split_inclusive(['\n', '\r']) {
            let words = line.trim();
            let from = at + (line.len() - line.trim_start().len());
            if !words.is_empty() {
                self.comments.push(Comment { span: Span::new(from, from + words.len()) });
            }
            at += line.len();
        }
        if inside.contains(['\n', '\r']) {
            self.fresh_line = Some(at - inside.rsplit(['\n', '\r']).next().unwrap_or("").len());
        }
    }

    /// Whether the `;` at an offset is an "or". In infix notation most are none. After many of them the others make no
    /// difference, and are not looked at.
    fn is_or(&mut self, at: usize, place: TokenContext) -> bool {
        if self.signs == Signs::Prolog {
            return true;
        }
        let (text, statements) = (self.tokens.text, &mut self.statements);
        let is_or = self.ors < MAX_ORS
            && foreign::is_or(text, at, self.fresh_line, place, |relation| {
                statements.get_or_insert_with(|| foreign::statements(text)).contains(relation)
            });
        self.ors += usize::from(is_or);
        is_or
    }

    fn report(&mut self, error: Option<Diagnostic>) {
        let Some(error) = error else { return };
        // A sheet that was put together of both notations has one error about that.
        let again = error.code == Code::MixedNotations
            && self.errors.iter().any(|known| known.code == Code::MixedNotations);
        if self.errors.len() < self.max_errors && !again {
            self.errors.push(error);
        }
    }
}

/// The tokens that may come behind the last one.
impl<'a> Scanner<'a> {
    /// The bracket of arguments, if one stands next on the line.
    pub(super) fn opens_arguments(&mut self) -> Option<Span> {
        let rest = &self.tokens.text[self.tokens.at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if !rest[blanks..].starts_with('(') {
            return None;
        }
        let start = self.tokens.at + blanks;
        self.tokens.at = start + 1;
        Some(Span::new(start, self.tokens.at))
    }

    /// Whether a condition can stand next.
    pub(super) fn begins_condition(&self) -> bool {
        let rest = self.tokens.text[self.tokens.at..].trim_start();
        rest.starts_with(|c: char| c.is_alphanumeric() || "_(\\~'\"".contains(c))
    }

    /// Whether an operand stands at an offset, and then a closing bracket.
    pub(super) fn ends_bracket(&self, from: usize) -> bool {
        let Some(operand) = self.operand(from) else { return false };
        let rest = self.text()[from..].trim_start();
        rest[operand.len()..].trim_start().starts_with(')')
    }

    /// Goes behind a list of KIF whose bracket was the last token.
    pub(super) fn skip_list(&mut self) {
        self.tokens.at = behind_list(self.tokens.text, self.tokens.at);
    }

    /// The name at an offset, with its arguments as far as they stand on the line.
    pub(super) fn operand(&self, from: usize) -> Option<&'a str> {
        let rest = self.tokens.text.get(from..)?;
        let rest = rest[..rest.floor_char_boundary(MAX_OPERAND)].trim_start();
        let line = &rest[..line_end(rest, 0)];
        let word = word_length(line, TokenContext::default());
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
}
