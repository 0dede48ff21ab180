//! What every reader of rulesheets refuses in a text, whatever its notation: too many bytes,
//! bytes that are not UTF-8, blanks that are no white space.

use super::Limits;
use crate::diagnostic::{Code, Diagnostic, Span};

/// The bytes as text.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Vec<Diagnostic>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        vec![
            Diagnostic::new(
                Code::NotUtf8,
                Span::new(at, at + 1),
                format!("the text is not UTF-8: byte {:#04x} at offset {at}", bytes[at]),
            )
            .with_help("save the rulesheet as UTF-8"),
        ]
    })
}

/// Refuses a text that is too long.
pub(crate) fn check_size(text: &str, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
    if text.len() <= limits.max_bytes {
        return Ok(());
    }
    Err(vec![
        Diagnostic::new(
            Code::TooLarge,
            Span::new(0, 0),
            format!(
                "the text has {} bytes, more than the limit of {}",
                text.len(),
                limits.max_bytes
            ),
        )
        .with_help("no game needs a rulesheet of this size"),
    ])
}

/// An opening bracket beyond the limit of depth.
pub(crate) fn too_deep(span: Span, limits: &Limits) -> Diagnostic {
    Diagnostic::new(
        Code::TooDeep,
        span,
        format!("brackets are nested more than {} deep", limits.max_depth),
    )
    .with_help("no game needs terms of this depth")
}

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

/// Where the line ends that holds an offset.
pub(crate) fn line_end(text: &str, from: usize) -> usize {
    text[from..].find(['\n', '\r']).map_or(text.len(), |length| from + length)
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
