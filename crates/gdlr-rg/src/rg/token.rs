//! The words and signs of Regular Games.
//!
//! The language has no keywords within names and no nested comments.

use super::name::{Keyword, is_name_character};
use gdlr_text::diagnostic::Code;
use gdlr_text::syntax::{self, Language, Limits, Messages, Misplaced, Refusal, Refusals};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and underscores.
    Word,
    /// A comment, from `//` to the end of the line.
    Comment,
    /// `@`
    At,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `;`
    Semicolon,
    /// `=`
    Assign,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `?`
    Question,
    /// `!`
    Exclamation,
    /// `$`
    Dollar,
    /// `$$`
    DoubleDollar,
    /// `->`
    Arrow,
    /// `*`
    Star,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// A character that begins no token.
    Stray,
    /// The end of the text.
    End,
}

pub(super) type Token = syntax::Token<TokenKind>;
pub(super) type Tokens<'a> = syntax::Tokens<'a, Rg>;

/// The language Regular Games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rg;

impl Language for Rg {
    type Kind = TokenKind;

    const SIGNS: &'static [(&'static str, TokenKind)] = &[
        ("@", TokenKind::At),
        (",", TokenKind::Comma),
        (":", TokenKind::Colon),
        (";", TokenKind::Semicolon),
        ("==", TokenKind::Equal),
        ("=", TokenKind::Assign),
        ("?", TokenKind::Question),
        ("!=", TokenKind::NotEqual),
        ("!", TokenKind::Exclamation),
        ("$$", TokenKind::DoubleDollar),
        ("$", TokenKind::Dollar),
        ("->", TokenKind::Arrow),
        ("*", TokenKind::Star),
        ("{", TokenKind::OpenBrace),
        ("}", TokenKind::CloseBrace),
        ("[", TokenKind::OpenBracket),
        ("]", TokenKind::CloseBracket),
        ("(", TokenKind::OpenParenthesis),
        (")", TokenKind::CloseParenthesis),
    ];
    const WORD: TokenKind = TokenKind::Word;
    const COMMENT: TokenKind = TokenKind::Comment;
    const STRAY: TokenKind = TokenKind::Stray;
    const END: TokenKind = TokenKind::End;
    const LIMITS: Limits = Limits {
        max_bytes: super::reader::MAX_BYTES,
        max_depth: super::reader::MAX_DEPTH,
        max_errors: super::reader::MAX_ERRORS,
    };
    const NESTED: &'static str = "brackets are";
    const REFUSALS: Refusals = Refusals {
        not_utf8: Refusal { code: Code::RgNotUtf8, help: Some("save the file as UTF-8") },
        too_large: Refusal { code: Code::RgTooLarge, help: None },
        too_deep: Refusal { code: Code::RgTooDeep, help: None },
    };

    fn is_word_character(character: char) -> bool {
        is_name_character(character)
    }
}

impl Messages for Rg {
    const SYNTAX: Code = Code::RgSyntax;
    const CHARACTER: Code = Code::RgCharacter;

    fn about_character(text: &str) -> &'static str {
        match text {
            "\u{feff}" => "save the file without a byte order mark",
            "→" | "-" => "an arrow is written `->`",
            "#" | "/" => "a comment begins with `//`",
            _ => "names have letters, digits and underscores only",
        }
    }

    /// A keyword in the place of a name: the statement before it may lack its end.
    fn misplaced(word: &str) -> Option<Misplaced> {
        let (keyword, _) = Keyword::split(word).filter(|(_, rest)| rest.is_empty())?;
        Some(Misplaced {
            code: Code::RgReserved,
            message: format!("`{}` is a keyword and names nothing", keyword.as_str()),
            help: "rename it; if a definition should begin here, end the one before it",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let mut tokens = Tokens::new(text);
        std::iter::from_fn(|| {
            let token = tokens.next();
            (token.kind != TokenKind::End).then(|| tokens.text_of(token))
        })
        .collect()
    }

    #[test]
    fn words_and_signs() {
        assert_eq!(
            texts("a,b:x[0]==T(*);//c;d\n $$v!=w ?p->ż1\r\n"),
            [
                "a", ",", "b", ":", "x", "[", "0", "]", "==", "T", "(", "*", ")", ";", "//c;d",
                "$$", "v", "!=", "w", "?", "p", "->", "ż1"
            ]
        );
    }

    #[test]
    fn characters_that_begin_nothing() {
        for text in ["/", "-", "#", "\u{feff}", "'", "→", "\u{a0}", "\0"] {
            assert_eq!(Tokens::new(text).next().kind, TokenKind::Stray, "{text:?}");
        }
    }
}
