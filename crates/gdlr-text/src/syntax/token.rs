//! From text to words and signs.
//!
//! A token is found by its first characters. A text has far more tokens than are needed at a time:
//! they are made one by one.

use super::language::Language;
use crate::diagnostic::Span;

/// A piece of the text, as byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<K> {
    /// Its kind.
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
    /// The language of the next token.
    pub language: L,
}

impl<'a, L: Language> Tokens<'a, L> {
    /// The tokens of a text.
    pub fn new(text: &'a str) -> Tokens<'a, L> {
        let skips = L::SKIPS_BYTE_ORDER_MARK && text.starts_with('\u{feff}');
        Tokens::from(text, if skips { '\u{feff}'.len_utf8() } else { 0 })
    }

    /// The tokens of a text from some place on.
    pub fn from(text: &'a str, at: usize) -> Tokens<'a, L> {
        Tokens { text, at, language: L::default() }
    }

    /// Goes behind the blanks that stand next.
    pub fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().len();
    }

    /// The text behind the blanks that stand next.
    fn rest(&self) -> &'a str {
        self.text[self.at..].trim_start_matches(L::is_blank)
    }

    /// The next token; the end of the text again and again.
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> Token<L::Kind> {
        let rest = self.rest();
        let start = self.text.len() - rest.len();
        let (kind, length) = first(self.language, rest);
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

    /// The text of a token.
    pub fn text_of(&self, token: Token<L::Kind>) -> &'a str {
        &self.text[token.start..token.end]
    }
}

/// Where the line ends that holds an offset.
pub fn line_end(text: &str, from: usize) -> usize {
    text[from..].find(['\n', '\r']).map_or(text.len(), |length| from + length)
}

/// The token at the beginning of a text without blanks before it, and its length.
fn first<L: Language>(language: L, text: &str) -> (L::Kind, usize) {
    let Some(character) = text.chars().next() else { return (L::END, 0) };
    if let Some(special) = language.special(text) {
        return special;
    }
    if L::is_word_character(character) {
        return (L::WORD, language.word_length(text));
    }
    if L::COMMENT_SIGNS.iter().any(|sign| text.starts_with(sign)) {
        return (L::COMMENT, line_end(text, 0));
    }
    let sign = L::SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
    sign.map_or((L::STRAY, character.len_utf8()), |&(sign, kind)| (kind, sign.len()))
}
