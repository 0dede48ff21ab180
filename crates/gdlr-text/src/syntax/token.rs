//! From text to words and signs.
//!
//! A token is found by its first characters. A text has far more tokens than are needed at a time:
//! they are made one by one.

use super::language::Language;
use crate::diagnostic::Span;
use std::marker::PhantomData;

/// A piece of the text, as byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl<K> Token<K> {
    /// Its place in the text.
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// A text, and how far it has been gone through.
#[derive(Clone, Copy, Debug)]
pub struct Tokens<'a, L> {
    /// The text.
    pub text: &'a str,
    /// Where the next token is looked for.
    pub at: usize,
    language: PhantomData<L>,
}

impl<'a, L: Language> Tokens<'a, L> {
    /// The tokens of a text.
    pub fn new(text: &'a str) -> Tokens<'a, L> {
        Tokens::from(text, 0)
    }

    /// The tokens of a text from some place on.
    pub fn from(text: &'a str, at: usize) -> Tokens<'a, L> {
        Tokens { text, at, language: PhantomData }
    }

    /// The next token; the end of the text again and again.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> Token<L::Kind> {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
        let rest = self.text[self.at..].trim_start_matches(blank);
        let start = self.text.len() - rest.len();
        let (kind, length) = first::<L>(rest);
        self.at = start + length;
        Token { kind, start, end: self.at }
    }

    /// The next token that is no comment.
    pub fn next_but_comments(&mut self) -> Token<L::Kind> {
        loop {
            let token = self.next();
            if token.kind != L::COMMENT {
                return token;
            }
        }
    }

    /// What a token stands for in the text.
    pub fn text_of(&self, token: Token<L::Kind>) -> &'a str {
        &self.text[token.start..token.end]
    }
}

/// What a text without blanks before it begins with, and its length.
fn first<L: Language>(text: &str) -> (L::Kind, usize) {
    let Some(character) = text.chars().next() else { return (L::END, 0) };
    if L::is_word_character(character) {
        return (L::WORD, text.find(|c| !L::is_word_character(c)).unwrap_or(text.len()));
    }
    if text.starts_with(L::COMMENT_SIGN) {
        return (L::COMMENT, text.find(['\n', '\r']).unwrap_or(text.len()));
    }
    let sign = L::SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
    sign.map_or((L::STRAY, character.len_utf8()), |&(sign, kind)| (kind, sign.len()))
}
