//! From text to words and signs.
//!
//! As in RG, a token is found by its first characters, and tokens are made one by one.

use crate::rg::is_name_character;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and underscores.
    Word,
    /// From `//` to the end of the line.
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
    /// A character that begins nothing.
    Stray,
    /// The end of the text.
    End,
}

/// The signs; one that begins like another comes before it.
const SIGNS: [(&str, TokenKind); 27] = [
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

/// A piece of the text, as byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// A text and how far it has been read.
#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Tokens<'a> {
    /// The next token; the end of the text again and again.
    pub fn next(&mut self) -> Token {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
        let rest = self.text[self.at..].trim_start_matches(blank);
        let start = self.text.len() - rest.len();
        let (kind, length) = first(rest);
        self.at = start + length;
        Token { kind, start, end: self.at }
    }

    /// The next token that is no comment.
    pub fn next_but_comments(&mut self) -> Token {
        loop {
            let token = self.next();
            if token.kind != TokenKind::Comment {
                return token;
            }
        }
    }

    /// What a token stands for in the text.
    pub fn text_of(&self, token: Token) -> &'a str {
        &self.text[token.start..token.end]
    }
}

/// The kind and the length of the token that a text begins with.
fn first(text: &str) -> (TokenKind, usize) {
    let Some(character) = text.chars().next() else { return (TokenKind::End, 0) };
    if is_name_character(character) {
        let length = text.find(|c| !is_name_character(c)).unwrap_or(text.len());
        return (TokenKind::Word, length);
    }
    if text.starts_with("//") {
        return (TokenKind::Comment, text.find(['\n', '\r']).unwrap_or(text.len()));
    }
    SIGNS
        .into_iter()
        .find(|(sign, _)| text.starts_with(sign))
        .map_or((TokenKind::Stray, character.len_utf8()), |(sign, kind)| (kind, sign.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let mut tokens = Tokens { text, at: 0 };
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
            assert_eq!(Tokens { text, at: 0 }.next().kind, TokenKind::Stray, "{text:?}");
        }
    }
}
