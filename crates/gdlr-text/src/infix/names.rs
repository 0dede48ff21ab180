//! Names and variables, in infix notation and in KIF.
//!
//! A name in quotes is the word of KIF between them, whatever it means there. Bare words are
//! constants, or variables where they begin with a capital or an underscore.

use crate::dialect::is_computed;
use std::borrow::Cow;

/// Whether a bare word may have a character: letters, digits and `_`, and the signs that RG
/// reads in names, too.
pub(super) fn is_bare(character: char) -> bool {
    character.is_alphanumeric() || "_+-<>".contains(character)
}

/// Whether a word is a number with a period, such as `-1.5`.
fn is_decimal(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = word.split_once('.').unwrap_or_default();
    digits(whole.trim_start_matches(['+', '-'])) && digits(fraction)
}

/// Whether a name in quotes may have a character: any that a word of KIF has, but the quote.
pub(crate) fn is_quotable(character: char) -> bool {
    !character.is_whitespace() && !matches!(character, '(' | ')' | ';' | '"')
}

/// The meaning of a bare word in KIF.
pub(crate) fn to_kif(word: &str) -> String {
    let mut characters = word.chars();
    match characters.next() {
        Some('_') => format!("?{word}"),
        Some(first) if first.is_uppercase() => {
            ['?'].into_iter().chain(first.to_lowercase()).chain(characters).collect()
        }
        _ => word.to_owned(),
    }
}

/// How a word of KIF is written; `None` if it cannot be.
///
/// Bare words are kept to ASCII. As each that [`to_kif`] makes of a bare word is written as that
/// one again, nothing is lost, not even case.
pub(super) fn from_kif(word: &str) -> Option<Cow<'_, str>> {
    // A name that looks like arithmetic is in quotes.
    let bare = |text: &str| text.chars().all(|c| c.is_ascii() && is_bare(c)) && !is_computed(text);
    let written = match word.as_bytes() {
        [b'?', b'_', _, ..] if bare(&word[1..]) => Cow::Borrowed(&word[1..]),
        [b'?', b'a'..=b'z', ..] if bare(&capital(&word[1..])) => Cow::Owned(capital(&word[1..])),
        [b'?' | b'_' | b'A'..=b'Z', ..] | [] => quoted(word)?,
        _ if bare(word) || is_decimal(word) => Cow::Borrowed(word),
        _ => quoted(word)?,
    };
    Some(written)
}

/// A word of ASCII with a capital first.
fn capital(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

fn quoted(word: &str) -> Option<Cow<'_, str>> {
    let quotable = !word.is_empty() && word.chars().all(is_quotable);
    quotable.then(|| Cow::Owned(format!("\"{word}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_words() {
        for (kif, infix) in [
            ("?x", "X"),
            ("?oldX", "OldX"),
            ("?x++", "X++"),
            ("?_1", "_1"),
            ("?_x", "_x"),
            ("a", "a"),
            ("2B_", "2B_"),
            ("a-b", "a-b"),
            ("-1", "-1"),
            ("+", "+"),
            ("1.5", "1.5"),
            ("-0.25", "-0.25"),
        ] {
            assert_eq!(from_kif(kif).as_deref(), Some(infix));
            assert_eq!(to_kif(infix), kif);
        }
        for (infix, kif) in [("École", "?école"), ("é", "é"), ("X-1", "?x-1")] {
            assert_eq!(to_kif(infix), kif);
        }
    }

    #[test]
    fn what_has_to_be_quoted() {
        for word in [
            "White", "?X", "?", "?_", "?1", "?-", "thrust!", "_", "_x", "é", "<=", "?é", "1.",
            ".5", "1.5.2", "a.b", "a,b", "a%b", ":-", "?a?b", "?x-1", "?a<b", "1+X",
        ] {
            assert_eq!(from_kif(word).unwrap(), format!("\"{word}\""));
        }
        assert_eq!(from_kif("a\"b"), None);
        assert_eq!(from_kif(""), None);
    }
}
