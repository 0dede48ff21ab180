//! The description of a language: its tokens, brackets and messages.

use super::limits::{Limits, Refusals};
use crate::diagnostic::Code;
use std::fmt;

/// A language of words and signs. A value of it says where in a text its tokens stand, if that
/// makes a difference: most languages are one value.
pub trait Language: Clone + Copy + Default + fmt::Debug {
    /// Its kinds of tokens: the words, a comment, each sign.
    type Kind: Copy + Eq + fmt::Debug + 'static;

    /// The signs. One that begins like another comes before it.
    const SIGNS: &'static [(&'static str, Self::Kind)];
    /// A word: characters of words, as many as stand together.
    const WORD: Self::Kind;
    /// A comment, from one of [`COMMENT_SIGNS`](Self::COMMENT_SIGNS) to the end of its line.
    const COMMENT: Self::Kind;
    /// A character that begins nothing.
    const STRAY: Self::Kind;
    /// The end of the text.
    const END: Self::Kind;

    /// The beginnings of comments.
    const COMMENT_SIGNS: &'static [&'static str] = &["//"];
    /// Whether a byte order mark may stand before a text.
    const SKIPS_BYTE_ORDER_MARK: bool = false;
    /// How much of a text is read.
    const LIMITS: Limits;
    /// The nesting construct, as a message begins with it: `brackets are`.
    const NESTED: &'static str;
    /// Why a text is refused.
    const REFUSALS: Refusals;

    /// Whether a character stands between tokens and means nothing.
    fn is_blank(character: char) -> bool {
        matches!(character, ' ' | '\t' | '\r' | '\n')
    }

    /// Whether words have this character.
    fn is_word_character(character: char) -> bool;

    /// The length of the word that a text begins with. Its first character is one of words.
    fn word_length(&self, text: &str) -> usize {
        text.find(|c| !Self::is_word_character(c)).unwrap_or(text.len())
    }

    /// The token at the beginning of a text, and its length, if it is told by more than its
    /// first characters, such as a name in quotes. This is asked before anything else.
    fn special(&self, _text: &str) -> Option<(Self::Kind, usize)> {
        None
    }
}

/// The messages of a [`Cursor`](super::Cursor) about a language.
pub trait Messages: Language {
    /// The code of the error that something else is expected.
    const SYNTAX: Code;
    /// The code of the error that a character begins nothing.
    const CHARACTER: Code;

    /// The likely meaning of a character that begins nothing.
    fn about_character(text: &str) -> &'static str;

    /// Why a word cannot stand where something else is expected, if it is of a kind that is never
    /// expected there, such as a keyword.
    fn misplaced(_word: &str) -> Option<Misplaced> {
        None
    }
}

/// Why a word cannot stand where it does.
#[derive(Clone, Debug)]
pub struct Misplaced {
    /// The code of the error.
    pub code: Code,
    /// The error.
    pub message: String,
    /// The advice: what to do about it.
    pub help: &'static str,
}
