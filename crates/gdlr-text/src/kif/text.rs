//! Texts that every reader of rulesheets refuses, whatever their notation: brackets without a
//! partner, blanks that are no white space.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::line_end;

/// An opening bracket without a partner.
pub(crate) fn unclosed(span: Span) -> Diagnostic {
    Diagnostic::new(Code::UnclosedBracket, span, "this bracket is never closed")
        .with_label("opened here")
        .with_help("add the missing `)`")
}

/// A closing bracket without a partner.
pub(crate) fn stray(span: Span) -> Diagnostic {
    Diagnostic::new(Code::StrayBracket, span, "this bracket closes nothing")
        .with_help("remove it, or look for a `(` that is missing before it")
}

/// Where a list ends that was opened before an offset: behind the bracket that closes it.
pub(crate) fn behind_list(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (from, 1usize);
    while depth > 0 && at < bytes.len() {
        match bytes[at] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b';' => {
                at = line_end(text, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    at
}

/// Blanks that are no white space: each character, its first offset, how often it stands.
#[derive(Default)]
pub(crate) struct OddBlanks(Vec<(char, usize, usize)>);

impl OddBlanks {
    /// Notes one.
    pub(crate) fn note(&mut self, character: char, at: usize) {
        match self.0.iter_mut().find(|(known, ..)| *known == character) {
            Some((.., count)) => *count += 1,
            None => self.0.push((character, at, 1)),
        }
    }

    /// A message for each character.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> {
        self.0.iter().map(|&(character, at, count)| odd_blank(character, at, count))
    }
}

/// A blank that programs read differently: as white space, or as part of a name. KIF has no
/// other white space than space, tab, line feed, return and form feed.
fn odd_blank(character: char, at: usize, count: usize) -> Diagnostic {
    let name = match character {
        '\u{b}' => "vertical tab",
        '\u{85}' => "next line",
        '\u{a0}' => "no-break space",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{202f}' => "narrow no-break space",
        '\u{3000}' => "ideographic space",
        _ => "a blank",
    };
    let places = match count {
        1 => String::new(),
        _ => format!(", here and where it stands again ({count} in all)"),
    };
    Diagnostic::new(
        Code::OddBlank,
        Span::new(at, at + character.len_utf8()),
        format!("U+{:04X} ({name}) is no white space in KIF", u32::from(character)),
    )
    .with_help(format!("write a space or a line's end{places}"))
}
