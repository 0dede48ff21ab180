//! Text of a rulesheet as it may be shown to people.
//!
//! A name may hold any character and be of any length. Shown as it is, it could move the
//! cursor of a terminal, or bury the message about it.

use std::borrow::Cow;

/// The longest word, in characters, that a message repeats in full.
const LONGEST_WORD: usize = 80;
/// How much of a longer one is left.
const KEPT: usize = 40;
/// The longest line of a message.
const LONGEST_LINE: usize = 2000;

/// The text with a visible sign for each character that is none: control characters become
/// their pictures (`␛`), and those that turn the direction of writing around become `�`.
/// Line feeds and tabs stay. The number of characters stays, too.
///
/// ```
/// # mod gdlr { pub use gdlr_text::diagnostic; }
/// assert_eq!(gdlr::diagnostic::visible("a\u{1b}[31m"), "a␛[31m");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(|character| sign_of(character).is_some()) {
        return Cow::Borrowed(text);
    }
    let shown = |character| sign_of(character).unwrap_or(character);
    Cow::Owned(text.chars().map(shown).collect())
}

/// The text that stands for a character which must not be shown as it is.
pub fn sign_of(character: char) -> Option<char> {
    match character {
        '\n' | '\t' => None,
        '\u{7f}' => Some('\u{2421}'),
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)),
        '\u{80}'..='\u{9f}'
        | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => Some(char::REPLACEMENT_CHARACTER),
        _ => None,
    }
}

/// `1 argument`, `2 arguments`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A message as it may be shown: [`visible`], with the middle of very long words and the end
/// of very long lines left out.
pub fn legible(message: &str) -> Cow<'_, str> {
    let message = visible(message);
    // No word or line is longer than the whole.
    if message.len() <= LONGEST_WORD {
        return message;
    }
    let lines = message.split('\n').map(|line| {
        let line = short_words(line);
        match line.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// A line without the middle of its long words. What ends a word is what can stand around a
/// name or between the parts of a path.
fn short_words(line: &str) -> String {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '`' | '/' | '\\');
    let mut text = String::with_capacity(line.len().min(4 * LONGEST_LINE));
    for piece in line.split_inclusive(ends) {
        let word = piece.trim_end_matches(ends);
        let count = word.chars().count();
        if count <= LONGEST_WORD {
            text += piece;
            continue;
        }
        text.extend(word.chars().take(KEPT));
        text.push('…');
        text.extend(word.chars().skip(count - KEPT / 2));
        text += &piece[word.len()..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_but_what_is_seen() {
        assert_eq!(visible("a\r\u{7f}\u{9b}\u{202e}\n\té"), "a␍␡��\n\té");
        assert!(matches!(visible("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn long_names_and_lines_are_shortened() {
        let name = "a".repeat(70_000) + "z";
        let short = legible(&format!("`{name}` is (odd {name})")).into_owned();
        let word = format!("{}…{}z", "a".repeat(40), "a".repeat(19));
        assert_eq!(short, format!("`{word}` is (odd {word})"));
        let words = legible(&"word ".repeat(10_000)).into_owned();
        assert_eq!(words.chars().count(), LONGEST_LINE + 1);
        let path = "folder/".repeat(20);
        assert_eq!(legible(&path), path);
        assert_eq!(legible("both\u{1b}"), "both␛");
    }
}
