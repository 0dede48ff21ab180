//! The names of the known pragmas, and pragmas that other programs confuse.
//!
//! A pragma is known if the whole word after `@` is in this list. Other programs compare the first
//! letters only, so for them `@uniqueNodes a;` is `@unique Nodes a;`. Here it is an unknown pragma,
//! and [`mistaken_for`] returns the pragma for which others take it.

use super::name::is_name_character;

/// The names of the known pragmas. A name comes before its own beginnings.
const KNOWN: [&str; 12] = [
    "artificialTag",
    "disjointExhaustive",
    "disjoint",
    "integer",
    "iterator",
    "repeat",
    "simpleApplyExhaustive",
    "simpleApply",
    "tagIndex",
    "tagMaxIndex",
    "translatedFromRbg",
    "unique",
];

/// The name of the known pragma at the beginning of a text, which starts after the `@`.
pub(super) fn known(text: &str) -> Option<&'static str> {
    let word = &text[..text.find(|c| !is_name_character(c)).unwrap_or(text.len())];
    KNOWN.into_iter().find(|&name| name == word)
}

/// The pragma for which other programs take a text, which starts after the `@`.
pub(super) fn mistaken_for(text: &str) -> Option<&'static str> {
    KNOWN.into_iter().find(|name| text.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_known() {
        assert_eq!(known("unique a"), Some("unique"));
        assert_eq!(known("uniqueNodes a"), None);
        assert_eq!(known(" unique a"), None);
        assert_eq!(known("translatedFromRbg"), Some("translatedFromRbg"));
        assert_eq!(mistaken_for("uniqueNodes a"), Some("unique"));
        assert_eq!(mistaken_for("disjointExhaustive a: b"), Some("disjointExhaustive"));
        assert_eq!(mistaken_for("author me"), None);
    }
}
