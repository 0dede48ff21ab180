//! The words and signs of Abstract Board Games (thesis, appendices A and D).

use gdlr_text::diagnostic::Code;
use gdlr_text::syntax::{self, Language, Limits, Messages, Refusal, Refusals};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TokenKind {
    /// A name, a keyword or a number.
    Word,
    /// `//` or `#` up to the end of the line. `//` between two integers is a comment, too.
    Comment,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `..`
    Range,
    /// `.`
    Dot,
    /// `|`
    Bar,
    /// `||`
    DoubleBar,
    /// `&&`
    DoubleAnd,
    /// `*`
    Star,
    /// `?`
    Question,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `=`
    Assign,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `!`
    Not,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// A character that begins no token.
    Stray,
    /// The end of the text.
    End,
}

pub(super) type Token = syntax::Token<TokenKind>;
pub(super) type Tokens<'a> = syntax::Tokens<'a, Abg>;

/// The language Abstract Board Games.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Abg;

impl Language for Abg {
    type Kind = TokenKind;

    const SIGNS: &'static [(&'static str, TokenKind)] = &[
        ("(", TokenKind::Open),
        (")", TokenKind::Close),
        ("{", TokenKind::OpenBrace),
        ("}", TokenKind::CloseBrace),
        ("[", TokenKind::OpenBracket),
        ("]", TokenKind::CloseBracket),
        (",", TokenKind::Comma),
        (";", TokenKind::Semicolon),
        (":", TokenKind::Colon),
        ("..", TokenKind::Range),
        (".", TokenKind::Dot),
        ("||", TokenKind::DoubleBar),
        ("|", TokenKind::Bar),
        ("&&", TokenKind::DoubleAnd),
        ("*", TokenKind::Star),
        ("?", TokenKind::Question),
        ("+", TokenKind::Plus),
        ("-", TokenKind::Minus),
        ("/", TokenKind::Slash),
        ("%", TokenKind::Percent),
        ("==", TokenKind::Equal),
        ("=", TokenKind::Assign),
        ("!=", TokenKind::NotEqual),
        ("!", TokenKind::Not),
        ("<=", TokenKind::LessOrEqual),
        ("<", TokenKind::Less),
        (">=", TokenKind::GreaterOrEqual),
        (">", TokenKind::Greater),
    ];
    const WORD: TokenKind = TokenKind::Word;
    const COMMENT: TokenKind = TokenKind::Comment;
    const STRAY: TokenKind = TokenKind::Stray;
    const END: TokenKind = TokenKind::End;
    const COMMENT_SIGNS: &'static [&'static str] = &["//", "#"];
    const LIMITS: Limits = Limits { max_depth: 96, ..Limits::DEFAULT };
    const NESTED: &'static str = "brackets are";
    const REFUSALS: Refusals = Refusals {
        not_utf8: Refusal { code: Code::AbgNotUtf8, help: Some("save the file as UTF-8") },
        too_large: Refusal { code: Code::AbgTooLarge, help: None },
        too_deep: Refusal { code: Code::AbgTooDeep, help: Some("name the inner part in a macro") },
    };

    fn is_word_character(character: char) -> bool {
        character.is_ascii_alphanumeric() || character == '_'
    }
}

impl Messages for Abg {
    const SYNTAX: Code = Code::AbgSyntax;
    const CHARACTER: Code = Code::AbgCharacter;

    fn about_character(text: &str) -> &'static str {
        match text {
            "\u{feff}" => "save the file without a byte order mark",
            "&" => "the conjunction is `and` or `&&`",
            _ => "names have letters and digits of ASCII and underscores only",
        }
    }
}

/// The number in a word; `None` if it is a name.
pub(super) fn number(text: &str) -> Option<Result<i64, ()>> {
    text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.parse().map_err(|_| ()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_sign_counts() {
        let mut tokens = Tokens::new("a_1-2||x|y==z=..!=!<=>=# c\n// d\n[");
        let texts: Vec<&str> = std::iter::from_fn(|| {
            let token = tokens.next_but_comments();
            (token.kind != TokenKind::End).then(|| tokens.text_of(token))
        })
        .collect();
        let expected = [
            "a_1", "-", "2", "||", "x", "|", "y", "==", "z", "=", "..", "!=", "!", "<=", ">=", "[",
        ];
        assert_eq!(texts, expected);
    }
}
