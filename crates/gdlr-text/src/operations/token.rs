//! The tokens of the notation of operations.

use crate::diagnostic::Code;
use crate::kif::Kif;
use crate::syntax::{Language, Limits, Messages, Refusals};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, a number, or a variable.
    Word,
    /// A name in double quotes.
    Quoted,
    /// From `%` to the end of the line.
    Comment,
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
    /// `::`
    Operation,
    /// `==>`
    Effects,
    /// `:=`
    Definition,
    /// `.`
    Period,
    /// A character that begins nothing.
    Stray,
    /// The end of the text.
    End,
}

/// The notation of operations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Operations;

impl Language for Operations {
    type Kind = TokenKind;

    const SIGNS: &'static [(&'static str, TokenKind)] = &[
        ("(", TokenKind::Open),
        (")", TokenKind::Close),
        (",", TokenKind::Comma),
        ("&", TokenKind::And),
        ("|", TokenKind::Or),
        ("~", TokenKind::Not),
        (":-", TokenKind::If),
        ("::", TokenKind::Operation),
        (":=", TokenKind::Definition),
        ("==>", TokenKind::Effects),
        (".", TokenKind::Period),
    ];
    const WORD: TokenKind = TokenKind::Word;
    const COMMENT: TokenKind = TokenKind::Comment;
    const STRAY: TokenKind = TokenKind::Stray;
    const END: TokenKind = TokenKind::End;

    const COMMENT_SIGNS: &'static [&'static str] = &["%"];
    const SKIPS_BYTE_ORDER_MARK: bool = true;
    const NESTED: &'static str = Kif::NESTED;
    const LIMITS: Limits = Kif::LIMITS;
    const REFUSALS: Refusals = Kif::REFUSALS;

    fn is_blank(character: char) -> bool {
        character.is_ascii_whitespace()
    }

    fn is_word_character(character: char) -> bool {
        character.is_ascii_alphanumeric() || character == '_'
    }

    /// A word has letters, digits and `_`, and behind the first of these `+`, `-`, `*` and `/`; a
    /// period between two digits, too.
    fn word_length(&self, text: &str) -> usize {
        let bytes = text.as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let goes_on = |at: usize, byte: u8| match byte {
            b'+' | b'-' | b'*' | b'/' | b'_' => true,
            b'.' => digit(at - 1) && digit(at + 1),
            _ => byte.is_ascii_alphanumeric(),
        };
        let end = bytes.iter().enumerate().skip(1).find(|&(at, &byte)| !goes_on(at, byte));
        end.map_or(text.len(), |(at, _)| at)
    }

    /// A negative number, and a name in quotes.
    fn special(&self, text: &str) -> Option<(TokenKind, usize)> {
        if let Some(inside) = text.strip_prefix('"') {
            let end = inside.find(['"', '\n', '\r'])?;
            return inside[end..].starts_with('"').then_some((TokenKind::Quoted, end + 2));
        }
        let inside = text.strip_prefix('-')?;
        let number = inside.starts_with(|character: char| character.is_ascii_digit());
        number.then(|| (TokenKind::Word, 1 + self.word_length(inside)))
    }
}

impl Messages for Operations {
    const SYNTAX: Code = Code::OperationsSyntax;
    const CHARACTER: Code = Code::OperationsSyntax;

    fn about_character(text: &str) -> &'static str {
        match text {
            "[" | "]" | "!" => "lists are not read: give each item an argument of its own",
            "<" | ">" | "=" => "write `less(X,Y)`, `leq(X,Y)`, `same(X,Y)` or `distinct(X,Y)`",
            "+" | "-" | "*" | "/" => "write `plus(X,1,Y)`: the last argument is the result",
            ";" | "#" => "a comment begins with `%`, and \"or\" is `|`",
            _ => "a name has letters, digits and `_`",
        }
    }
}
