//! The words and signs of Regular Boardgames (RBG, technical specification: lexical analysis).

use gdlr_text::diagnostic::Code;
use gdlr_text::syntax::{self, Language, Limits, Messages, Refusal, Refusals};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TokenKind {
    /// A letter, and the letters and digits after it.
    Word,
    /// Digits.
    Number,
    /// `//` up to the end of the line, or `/*` up to `*/`.
    Comment,
    /// `#`
    Hash,
    /// `~`
    Tilde,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `{`
    OpenBrace,
    /// `{?`
    OpenPattern,
    /// `{!`
    OpenNegated,
    /// `{$`
    OpenComparison,
    /// `}`
    CloseBrace,
    /// `[`
    OpenBracket,
    /// `[$`
    OpenAssignment,
    /// `]`
    CloseBracket,
    /// `->`
    Arrow,
    /// `->>`
    LongArrow,
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `^`
    Caret,
    /// `.`
    Dot,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
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
    /// `$`, `!`, `?`: signs that a macro can paste to a brace, and that mean nothing by themselves.
    Half,
    /// A character that begins no token.
    Stray,
    /// The end of the text.
    End,
}

pub(super) type Token = syntax::Token<TokenKind>;
pub(super) type Tokens<'a> = syntax::Tokens<'a, Rbg>;

/// The language Regular Boardgames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rbg;

impl Language for Rbg {
    type Kind = TokenKind;

    const SIGNS: &'static [(&'static str, TokenKind)] = &[
        ("#", TokenKind::Hash),
        ("~", TokenKind::Tilde),
        ("(", TokenKind::Open),
        (")", TokenKind::Close),
        ("{?", TokenKind::OpenPattern),
        ("{!", TokenKind::OpenNegated),
        ("{$", TokenKind::OpenComparison),
        ("{", TokenKind::OpenBrace),
        ("}", TokenKind::CloseBrace),
        ("[$", TokenKind::OpenAssignment),
        ("[", TokenKind::OpenBracket),
        ("]", TokenKind::CloseBracket),
        ("->>", TokenKind::LongArrow),
        ("->", TokenKind::Arrow),
        ("-", TokenKind::Minus),
        ("+", TokenKind::Plus),
        ("*", TokenKind::Star),
        ("/", TokenKind::Slash),
        ("^", TokenKind::Caret),
        (".", TokenKind::Dot),
        (",", TokenKind::Comma),
        (";", TokenKind::Semicolon),
        (":", TokenKind::Colon),
        ("==", TokenKind::Equal),
        ("=", TokenKind::Assign),
        ("!=", TokenKind::NotEqual),
        ("<=", TokenKind::LessOrEqual),
        ("<", TokenKind::Less),
        (">=", TokenKind::GreaterOrEqual),
        (">", TokenKind::Greater),
        ("$", TokenKind::Half),
        ("!", TokenKind::Half),
        ("?", TokenKind::Half),
    ];
    const WORD: TokenKind = TokenKind::Word;
    const COMMENT: TokenKind = TokenKind::Comment;
    const STRAY: TokenKind = TokenKind::Stray;
    const END: TokenKind = TokenKind::End;
    const LIMITS: Limits = Limits::DEFAULT;
    const NESTED: &'static str = "brackets are";
    const REFUSALS: Refusals = Refusals {
        not_utf8: Refusal { code: Code::RbgNotUtf8, help: Some("save the file as UTF-8") },
        too_large: Refusal { code: Code::RbgTooLarge, help: None },
        too_deep: Refusal { code: Code::RbgTooDeep, help: None },
    };

    fn is_blank(character: char) -> bool {
        matches!(character, ' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c')
    }

    fn is_word_character(character: char) -> bool {
        character.is_ascii_alphanumeric()
    }

    /// A number, or a comment of several lines.
    fn special(&self, text: &str) -> Option<(TokenKind, usize)> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            return Some((TokenKind::Number, digits));
        }
        let rest = text.strip_prefix("/*")?;
        match rest.find("*/") {
            Some(length) => Some((TokenKind::Comment, length + 4)),
            None => Some((TokenKind::Stray, 2)),
        }
    }
}

impl Messages for Rbg {
    const SYNTAX: Code = Code::RbgSyntax;
    const CHARACTER: Code = Code::RbgCharacter;

    fn about_character(text: &str) -> &'static str {
        match text {
            "\u{feff}" => "save the file without a byte order mark",
            "→" => "an arrow is written `->`",
            "/*" => "the comment ends with `*/`",
            "_" => "names have letters and digits only",
            _ => "names begin with a letter of ASCII and have letters and digits only",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_token_counts() {
        let mut tokens = Tokens::new("a1b->>x->y{?{!{${[$[8y==<=!=</*;\n*/~//~\n^.!");
        let texts: Vec<&str> = std::iter::from_fn(|| {
            let token = tokens.next();
            (token.kind != TokenKind::End).then(|| tokens.text_of(token))
        })
        .collect();
        let expected = [
            "a1b", "->>", "x", "->", "y", "{?", "{!", "{$", "{", "[$", "[", "8", "y", "==", "<=",
            "!=", "<", "/*;\n*/", "~", "//~", "^", ".", "!",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn characters_that_begin_nothing() {
        for text in ["_", "@", "/* x", "→", "\u{feff}", "é", "\0"] {
            assert_eq!(Tokens::new(text).next().kind, TokenKind::Stray, "{text:?}");
        }
    }
}
