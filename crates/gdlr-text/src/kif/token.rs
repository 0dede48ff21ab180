//! The tokens of KIF.

use super::Limits;
use crate::diagnostic::Code;
use crate::syntax::{Language, Refusal, Refusals};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Whatever stands between white space, brackets and comments.
    Atom,
    /// From `;` to the end of the line.
    Comment,
    /// `(`
    Open,
    /// `)`
    Close,
    /// A blank that is no white space of KIF.
    OddBlank,
    /// The end of the text.
    End,
}

/// The Knowledge Interchange Format.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kif;

impl Language for Kif {
    type Kind = TokenKind;

    const SIGNS: &'static [(&'static str, TokenKind)] =
        &[("(", TokenKind::Open), (")", TokenKind::Close)];
    const WORD: TokenKind = TokenKind::Atom;
    const COMMENT: TokenKind = TokenKind::Comment;
    const STRAY: TokenKind = TokenKind::OddBlank;
    const END: TokenKind = TokenKind::End;
    const COMMENT_SIGNS: &'static [&'static str] = &[";"];
    const SKIPS_BYTE_ORDER_MARK: bool = true;
    const LIMITS: Limits = Limits::DEFAULT;
    const NESTED: &'static str = "brackets are";
    const REFUSALS: Refusals = Refusals {
        not_utf8: Refusal { code: Code::NotUtf8, help: Some("save the rulesheet as UTF-8") },
        too_large: Refusal {
            code: Code::TooLarge,
            help: Some("no game needs a rulesheet of this size"),
        },
        too_deep: Refusal { code: Code::TooDeep, help: Some("no game needs terms of this depth") },
    };

    fn is_blank(character: char) -> bool {
        character.is_ascii_whitespace()
    }

    fn is_word_character(character: char) -> bool {
        !character.is_whitespace() && !matches!(character, '(' | ')' | ';')
    }
}
