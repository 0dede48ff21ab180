//! From text to words and signs.
//!
//! The language has no keywords within names and no nested comments, so a token is found by
//! its first characters. A text has far more tokens than are needed at a time: they are made
//! one by one.

use super::name::is_name_character;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and underscores.
    Word,
    /// From `//` to the end of the line.
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
    /// A character that begins nothing.
    Stray,
    /// The end of the text.
    End,
}

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

/// What a text without blanks before it begins with, and its length.
fn first(rest: &str) -> (TokenKind, usize) {
    let Some(character) = rest.chars().next() else { return (TokenKind::End, 0) };
    if is_name_character(character) {
        let length = rest.find(|c| !is_name_character(c)).unwrap_or(rest.len());
        return (TokenKind::Word, length);
    }
    if rest.starts_with("//") {
        return (TokenKind::Comment, rest.find(['\n', '\r']).unwrap_or(rest.len()));
    }
    let two = [
        ("==", TokenKind::Equal),
        ("!=", TokenKind::NotEqual),
        ("$$", TokenKind::DoubleDollar),
        ("->", TokenKind::Arrow),
    ];
    if let Some((_, kind)) = two.into_iter().find(|(sign, _)| rest.starts_with(sign)) {
        return (kind, 2);
    }
    let kind = match character {
        '@' => TokenKind::At,
        ',' => TokenKind::Comma,
        ':' => TokenKind::Colon,
        ';' => TokenKind::Semicolon,
        '=' => TokenKind::Assign,
        '?' => TokenKind::Question,
        '!' => TokenKind::Exclamation,
        '$' => TokenKind::Dollar,
        '*' => TokenKind::Star,
        '{' => TokenKind::OpenBrace,
        '}' => TokenKind::CloseBrace,
        '[' => TokenKind::OpenBracket,
        ']' => TokenKind::CloseBracket,
        '(' => TokenKind::OpenParenthesis,
        ')' => TokenKind::CloseParenthesis,
        _ => TokenKind::Stray,
    };
    (kind, character.len_utf8())
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
            assert_eq!(Tokens { text, at: 0 }.next().kind, TokenKind::Stray, "{text:?}");
        }
    }
}
