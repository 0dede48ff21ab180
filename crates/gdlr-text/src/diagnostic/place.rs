//! Places in a text: byte offsets, and lines and columns for people.

use std::fmt;
use std::ops::Range;

/// A half-open range of byte offsets into the text of a rulesheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The span from byte `start` up to, not including, byte `end`.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(end) }
    }

    /// The offsets as a range, to slice the text with.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The line and column where the span starts in the text that it is about. This looks at
    /// the text up to there; for many spans of one text, see [`LineIndex`].
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_text::kif; }
    /// let text = "(role white)\n(role (black)";
    /// let errors = gdlr::kif::read(text).unwrap_err();
    /// assert_eq!(errors[0].span.locate(text).to_string(), "2:1");
    /// ```
    pub fn locate(self, text: &str) -> Location {
        let before = &text[..within(text, self.start as usize)];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Location {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// A place as people and editors count it, from 1. Written `line:column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The line; lines end with a line feed.
    pub line: usize,
    /// The character of the line.
    pub column: usize,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where the lines of a text start, to locate many offsets in it.
#[derive(Clone, Debug)]
pub struct LineIndex {
    /// Ascending; the first is 0.
    starts: Vec<usize>,
    /// The length of the text.
    end: usize,
}

impl LineIndex {
    /// Reads through a text once.
    pub fn new(text: &str) -> LineIndex {
        let ends = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(end, _)| end + 1)).collect();
        LineIndex { starts, end: text.len() }
    }

    /// The number of the line with this byte, from 0.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The bytes of a line, its end included; lines count from 0, and those behind the last
    /// are empty.
    pub fn range(&self, line: usize) -> Range<usize> {
        let start = |line: usize| self.starts.get(line).copied().unwrap_or(self.end);
        start(line)..start(line.saturating_add(1))
    }

    /// The line and column of a byte in `text`, the one that the index was made of. Logarithmic
    /// in the number of lines, linear in the length of the line.
    pub fn locate(&self, text: &str, offset: usize) -> Location {
        let offset = within(text, offset);
        let line = self.line_of(offset);
        let before = text.get(self.range(line).start..offset).unwrap_or_default();
        Location { line: line + 1, column: before.chars().count() + 1 }
    }
}

/// The offset, or the last one before it that lies in the text and between two characters.
fn within(text: &str, offset: usize) -> usize {
    text.floor_char_boundary(offset.min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let text = "aé\r\n\nç b";
        let lines = LineIndex::new(text);
        let places = [(0, "1:1"), (1, "1:2"), (3, "1:3"), (5, "2:1"), (6, "3:1"), (9, "3:3")];
        for (offset, expected) in places {
            assert_eq!(Span::new(offset, offset).locate(text).to_string(), expected);
            assert_eq!(lines.locate(text, offset).to_string(), expected);
        }
        assert_eq!((lines.range(0), lines.range(2), lines.range(3)), (0..5, 6..10, 10..10));
    }

    #[test]
    fn what_lies_within_a_character_or_behind_the_end_has_a_place_too() {
        let text = "é\nx";
        for (offset, expected) in [(1, (1, 1)), (4, (2, 2)), (99, (2, 2))] {
            let Location { line, column } = Span::new(offset, offset).locate(text);
            assert_eq!((line, column), expected);
            assert_eq!(LineIndex::new(text).locate(text, offset), Location { line, column });
        }
        assert_eq!(LineIndex::new("").locate("", 7), Location { line: 1, column: 1 });
    }
}
