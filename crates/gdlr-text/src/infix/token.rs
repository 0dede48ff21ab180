//! The tokens of infix notation. What some are depends on where they stand.

use super::foreign;
use super::names::{is_bare, is_quotable, to_kif};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Sign;
use crate::kif::Kif;
use crate::syntax::{Language, Limits, Refusals, Token};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or variable.
    Name(Quotes),
    /// From `%` or `;` to the end of the line.
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
    /// `.`
    Period,
    /// A sign of another language.
    Foreign(Sign),
    /// A comment of another language: its sign, and the length of that.
    ForeignComment(Sign, usize),
    /// A blank that is no white space of KIF.
    OddBlank,
    /// The end of the text.
    End,
}

/// The quotes around a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    None,
    Single,
    Double,
}

/// The signs that conditions are joined and negated with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Signs {
    /// `&`, `|`, `~`; a line that is indented no further ends a rule
    #[default]
    Infix,
    /// `,`, `;`, `\+`; a period ends a rule
    Prolog,
}

impl Signs {
    pub(super) fn and(self) -> &'static str {
        if self == Signs::Prolog { "," } else { "&" }
    }

    pub(super) fn or(self) -> &'static str {
        if self == Signs::Prolog { ";" } else { "|" }
    }

    pub(super) fn not(self) -> &'static str {
        if self == Signs::Prolog { "\\+" } else { "~" }
    }
}

/// The context of a token.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TokenContext {
    /// Between the brackets of arguments.
    pub in_arguments: bool,
    /// Between brackets around conditions.
    pub in_group: bool,
    /// Behind the `:-` of its rule.
    pub in_body: bool,
    /// Behind a term or condition that is complete.
    pub behind: bool,
    /// How far its rule is indented.
    pub indent: usize,
}

/// Infix notation at some place of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Infix {
    pub place: TokenContext,
    pub signs: Signs,
    /// Whether no token stands before it on its line.
    pub begins_line: bool,
}

impl Language for Infix {
    type Kind = TokenKind;

    const SIGNS: &'static [(&'static str, TokenKind)] = &[
        ("(", TokenKind::Open),
        (")", TokenKind::Close),
        (",", TokenKind::Comma),
        ("&", TokenKind::And),
        ("|", TokenKind::Or),
        ("~", TokenKind::Not),
        (".", TokenKind::Period),
    ];
    const WORD: TokenKind = TokenKind::Name(Quotes::None);
    const COMMENT: TokenKind = TokenKind::Comment;
    const STRAY: TokenKind = TokenKind::OddBlank;
    const END: TokenKind = TokenKind::End;

    const COMMENT_SIGNS: &'static [&'static str] = &["%", ";"];
    const SKIPS_BYTE_ORDER_MARK: bool = true;
    const NESTED: &'static str = Kif::NESTED;
    const LIMITS: Limits = Kif::LIMITS;
    const REFUSALS: Refusals = Kif::REFUSALS;

    fn is_blank(character: char) -> bool {
        character.is_ascii_whitespace()
    }

    fn is_word_character(character: char) -> bool {
        let ends = matches!(character, '(' | ')' | ',' | '&' | '|' | '~' | '.' | '"' | '%' | ';');
        !ends && !character.is_whitespace()
    }

    fn word_length(&self, text: &str) -> usize {
        word_length(text, self.place)
    }

    fn special(&self, text: &str) -> Option<(TokenKind, usize)> {
        if text.starts_with(is_plain) {
            return None;
        }
        if let Some((sign, mark, length)) = foreign::comment(text, self.begins_line, self.place) {
            return Some((TokenKind::ForeignComment(sign, mark), length));
        }
        if let Some((sign, length)) = foreign::sign(text, self.place) {
            return Some((TokenKind::Foreign(sign), length));
        }
        if text.starts_with(":-") {
            return Some((TokenKind::If, ":-".len()));
        }
        if text.starts_with('"') {
            return Some((TokenKind::Name(Quotes::Double), quoted_length(text)));
        }
        if text.starts_with('\'') && self.signs == Signs::Prolog {
            return Some((TokenKind::Name(Quotes::Single), quoted_length(text)));
        }
        let inside = text.strip_prefix('\'')?;
        let end = inside.find(['\'', '\n']).filter(|&end| inside[end..].starts_with('\''))?;
        Some((TokenKind::Name(Quotes::Single), end + 2))
    }
}

/// Whether a character begins no sign, of this language or another. Most characters are so.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The length of the name in quotes that a text begins with. Quotes that are never closed end with
/// the name. A line has at most two quotes that are not closed, one of each kind, so all names of a line together
/// take linear time.
fn quoted_length(text: &str) -> usize {
    let (quote, inside) = text.split_at(1);
    let ends = |character: char| ['\n', '\r'].contains(&character) || quote.contains(character);
    let close = inside.find(ends).filter(|&at| inside[at..].starts_with(quote));
    let end = || inside.find(|c| !is_quotable(c)).unwrap_or(inside.len());
    1 + close.map_or_else(end, |close| close + 1)
}

/// A name or variable as KIF has it.
pub(super) fn name(text: &str, quotes: Quotes) -> String {
    match quotes {
        Quotes::None => to_kif(text),
        Quotes::Single | Quotes::Double => between_quotes(text).unwrap_or(&text[1..]).to_owned(),
    }
}

/// The text between a quote at the beginning and the same one at the end.
fn between_quotes(text: &str) -> Option<&str> {
    let (quote, inside) = text.split_at(1);
    inside.strip_suffix(quote)
}

/// The defect of a name in quotes.
pub(super) fn misquoted(token: Token<TokenKind>, text: &str) -> Option<Diagnostic> {
    let error = |length, message: &str, help: &str| {
        let span = Span::new(token.start, token.start + length);
        Some(Diagnostic::new(Code::InfixName, span, message).with_help(help))
    };
    let help = "a name in quotes is one word, without blanks, brackets and `;`";
    match between_quotes(text) {
        None => error(1, "this quote is never closed", "a name ends on its line"),
        Some("") => error(2, "nothing between these quotes", help),
        Some(name) if name.starts_with('?') && text.starts_with('\'') => error(
            text.len(),
            "this name would be a variable in GDL",
            "a name of KIF does not begin with `?`",
        ),
        Some(name) if name.chars().all(is_quotable) => None,
        Some(_) => error(text.len(), "what is between these quotes is no name", help),
    }
}

/// The defect of a bare word.
pub(super) fn misspelt(token: Token<TokenKind>, word: &str) -> Option<Diagnostic> {
    let wrong = word.chars().find(|&character| !is_bare(character) && character != '.')?;
    let mixed = |message: &str, help: &str| {
        Some(Diagnostic::new(Code::MixedNotations, token.span(), message).with_help(help))
    };
    if word == "<=" {
        let message = "the arrow of KIF in a rulesheet in infix notation";
        return mixed(message, "a rule is `head :- condition & condition`");
    }
    if let Some(name) = word.strip_prefix('?')
        && name.chars().all(is_bare)
    {
        let message = format!("a variable of KIF, `{word}`, in a rulesheet in infix notation");
        return mixed(&message, "a variable begins with a capital letter; there is no `?`");
    }
    let message = format!("the character `{wrong}` in a bare name");
    Some(
        Diagnostic::new(Code::InfixName, token.span(), message)
            .with_help(format!("put the name in quotes: `\"{word}\"`")),
    )
}

/// Whether a word is arithmetic with a variable and signs that are in no bare word: `X*2`.
pub(super) fn is_product(word: &str) -> bool {
    let parts = || word.split(['*', '/', '+', '-']);
    word.contains(['*', '/'])
        && parts().all(|part| !part.is_empty() && part.chars().all(is_bare))
        && parts().any(|part| part.starts_with(char::is_uppercase))
}

/// The length of the bare word at the beginning of a text: up to a sign, a quote, a comment or
/// white space. A period is part of a number with digits on both sides.
pub(super) fn word_length(text: &str, place: TokenContext) -> usize {
    if text.starts_with("<=") {
        return "<=".len();
    }
    let is_decimal = |at: usize| {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let whole = text[..at].trim_start_matches(['+', '-']);
        !whole.is_empty()
            && digits(whole)
            && text[at + 1..].starts_with(|next: char| next.is_ascii_digit())
    };
    text.char_indices()
        .find(|&(at, character)| match character {
            _ if is_plain(character) => false,
            '.' => !is_decimal(at),
            ':' => text[at..].starts_with(":-"),
            _ => {
                !Infix::is_word_character(character)
                    || at > 0 && foreign::ends_word(text, at, place)
            }
        })
        .map_or(text.len(), |(at, _)| at)
}
