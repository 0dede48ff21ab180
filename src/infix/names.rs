//! Names and variables, in infix notation and in KIF.
//!
//! A name in quotes is the word of KIF between them, whatever it means there. Bare words are
//! constants, or variables where they begin with a capital or an underscore.

use std::borrow::Cow;

/// Whether a bare word may have a character: letters, digits and `_`, and what RG reads
/// besides.
pub(super) fn is_bare(character: char) -> bool {
    character.is_alphanumeric() || "_+-<>".contains(character)
}

/// Whether a name in quotes may have a character: any that a word of KIF has, but the quote.
pub(super) fn is_quotable(character: char) -> bool {
    !character.is_whitespace() && !matches!(character, '(' | ')' | ';' | '"')
}

/// What a bare word is in KIF.
pub(super) fn to_kif(word: &str) -> String {
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
/// Bare is only what both the course's readers and RG's take for the same: ASCII letters,
/// digits and `_`. As each word that [`to_kif`] makes of one is written as that one again,
/// nothing is lost, not even case.
pub(super) fn from_kif(word: &str) -> Option<Cow<'_, str>> {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let written = match word.as_bytes() {
        [b'?', b'_', _, ..] if plain(&word[1..]) => Cow::Borrowed(&word[1..]),
        [b'?', b'a'..=b'z', ..] if plain(&word[1..]) => {
            let (first, rest) = word[1..].split_at(1);
            Cow::Owned(first.to_ascii_uppercase() + rest)
        }
        [b'a'..=b'z' | b'0'..=b'9', ..] if plain(word) => Cow::Borrowed(word),
        _ if !word.is_empty() && word.chars().all(is_quotable) => Cow::Owned(format!("\"{word}\"")),
        _ => return None,
    };
    Some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_words() {
        for (kif, infix) in [
            ("?x", "X"),
            ("?oldX", "OldX"),
            ("?_1", "_1"),
            ("?_x", "_x"),
            ("a", "a"),
            ("2B_", "2B_"),
        ] {
            assert_eq!(from_kif(kif).as_deref(), Some(infix));
            assert_eq!(to_kif(infix), kif);
        }
        for (infix, kif) in
            [("a-b", "a-b"), ("<", "<"), ("-1", "-1"), ("École", "?école"), ("é", "é")]
        {
            assert_eq!(to_kif(infix), kif);
        }
    }

    #[test]
    fn what_has_to_be_quoted() {
        for word in [
            "White", "?X", "?", "?_", "?1", "?a-b", "+", "-1", "thrust!", "_", "_x", "é", "<=",
            "1.5", "?é",
        ] {
            assert_eq!(from_kif(word).unwrap(), format!("\"{word}\""));
        }
        assert_eq!(from_kif("a\"b"), None);
        assert_eq!(from_kif(""), None);
    }
}
