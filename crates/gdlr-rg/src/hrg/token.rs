//! The words and signs of High-level Regular Games.

use crate::rg::is_name_character;
use gdlr_text::diagnostic::Code;
use gdlr_text::syntax::{self, Language, Limits, Messages, Refusal, Refusals};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and underscores.
    Word,
    /// A comment, from `//` to the end of the line.
    Comment,
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
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Bar,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `%`
    Percent,
    /// `*`
    Star,
    /// `->`
    Arrow,
    /// `..`
    Dots,
    /// `$`
    Dollar,
    /// `$$`
    DoubleDollar,
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
pub(super) type Tokens<'a> = syntax::Tokens<'a, Hrg>;

/// The language High-level Regular Games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hrg;

impl Language for Hrg {
    type Kind = TokenKind;

    const SIGNS: &'static [(&'static str, TokenKind)] = &[
        (",", TokenKind::Comma),
        (":", TokenKind::Colon),
        (";", TokenKind::Semicolon),
        ("==", TokenKind::Equal),
        ("=", TokenKind::Assign),
        ("!=", TokenKind::NotEqual),
        ("<=", TokenKind::LessOrEqual),
        ("<", TokenKind::Less),
        (">=", TokenKind::GreaterOrEqual),
        (">", TokenKind::Greater),
        ("&&", TokenKind::And),
        ("||", TokenKind::Or),
        ("|", TokenKind::Bar),
        ("+", TokenKind::Plus),
        ("->", TokenKind::Arrow),
        ("-", TokenKind::Minus),
        ("%", TokenKind::Percent),
        ("*", TokenKind::Star),
        ("..", TokenKind::Dots),
        ("$$", TokenKind::DoubleDollar),
        ("$", TokenKind::Dollar),
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
    const NESTED: &'static str = "this is";
    const REFUSALS: Refusals = Refusals {
        not_utf8: Refusal { code: Code::HrgNotUtf8, help: Some("save the file as UTF-8") },
        too_large: Refusal { code: Code::HrgTooLarge, help: None },
        too_deep: Refusal { code: Code::HrgTooDeep, help: None },
    };

    fn is_word_character(character: char) -> bool {
        is_name_character(character)
    }
}

impl Messages for Hrg {
    const SYNTAX: Code = Code::HrgSyntax;
    const CHARACTER: Code = Code::HrgCharacter;

    fn about_character(text: &str) -> &'static str {
        match text {
            "\u{feff}" => "save the file without a byte order mark",
            "→" => "an arrow is written `->`",
            "#" | "/" => "a comment begins with `//`",
            "!" => "the negation of a condition is written `not(…)`",
            "&" => "a conjunction is written `&&`",
            _ => "names have letters, digits and underscores only",
        }
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
            texts("a:b->c{0..2}//x;\n$$v$_t a<=b&&c!=d||e|f-1%2>=3>4 T(*)"),
            [
                "a", ":", "b", "->", "c", "{", "0", "..", "2", "}", "//x;", "$$", "v", "$", "_t",
                "a", "<=", "b", "&&", "c", "!=", "d", "||", "e", "|", "f", "-", "1", "%", "2",
                ">=", "3", ">", "4", "T", "(", "*", ")"
            ]
        );
    }

    #[test]
    fn characters_that_begin_nothing() {
        for text in ["/", "!", "&", ".", "@", "?", "#", "→", "\u{feff}", "\0"] {
            assert_eq!(Tokens::new(text).next().kind, TokenKind::Stray, "{text:?}");
        }
    }
}
