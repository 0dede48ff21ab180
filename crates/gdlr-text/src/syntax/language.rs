//! What a language is made of.

use crate::diagnostic::Code;
use std::fmt;

/// A language of words and signs.
pub trait Language: Clone + Copy + fmt::Debug {
    /// What its tokens are: the words, a comment, each sign.
    type Kind: Copy + Eq + fmt::Debug + 'static;

    /// The signs. One that begins like another comes before it.
    const SIGNS: &'static [(&'static str, Self::Kind)];
    /// A word: characters of words, as many as stand together.
    const WORD: Self::Kind;
    /// A comment, from [`COMMENT_SIGN`](Self::COMMENT_SIGN) to the end of its line.
    const COMMENT: Self::Kind;
    /// A character that begins nothing.
    const STRAY: Self::Kind;
    /// The end of the text.
    const END: Self::Kind;

    /// What a comment begins with.
    const COMMENT_SIGN: &'static str = "//";
    /// How deep anything may nest.
    const MAX_DEPTH: usize;
    /// What nests, as a message begins with it: `brackets are`.
    const NESTED: &'static str;
    /// The codes of errors.
    const CODES: Codes;

    /// Whether words have this character.
    fn is_word_character(character: char) -> bool;

    /// What somebody is likely to have meant with a character that begins nothing.
    fn about_character(text: &str) -> &'static str;

    /// Why a word cannot stand where something else is expected, if it is of a kind that is never
    /// expected there, such as a keyword.
    fn misplaced(_word: &str) -> Option<Misplaced> {
        None
    }
}

/// The codes of the errors that every reader has.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// Something else is expected.
    pub syntax: Code,
    /// A character begins nothing.
    pub character: Code,
    /// Something nests too deep.
    pub too_deep: Code,
}

/// Why a word cannot stand where it does.
#[derive(Clone, Debug)]
pub struct Misplaced {
    /// The code of the error.
    pub code: Code,
    /// The error.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}
