//! What is common to the canonical layouts of both notations: lines, blank lines, comments.

use super::{Comment, Document};
use crate::diagnostic::Span;

/// The width that lines should have at most.
pub(crate) const WIDTH: usize = 80;
/// How far inner lines are indented.
pub(crate) const STEP: usize = 4;
/// The deepest indentation.
pub(crate) const MAX_INDENT: usize = 40;

/// The characters that begin a comment, in one notation or the other.
const MARKS: [char; 2] = [';', '%'];

/// What writes a comment of the source.
pub(crate) type Mark<'a> = Box<dyn Fn(&str) -> String + 'a>;

/// A text that is being laid out anew.
pub(crate) struct Page<'a> {
    source: &'a str,
    mark: Mark<'a>,
    /// The comments that are not written yet.
    comments: &'a [Comment],
    /// Behind the last byte of the source that is written.
    read: u32,
    out: String,
    /// The characters of the last line.
    column: usize,
    /// Whether the last line ends with a comment.
    in_comment: bool,
}

impl<'a> Page<'a> {
    /// An empty page for a document that was read from `source`; `mark` says how its comments
    /// will begin.
    pub(crate) fn new(source: &'a str, document: &'a Document, mark: Mark<'a>) -> Page<'a> {
        let comments = &document.comments;
        Page { source, mark, comments, read: 0, out: String::new(), column: 0, in_comment: false }
    }

    /// The whole text, with the comments that are left.
    pub(crate) fn finish(mut self) -> String {
        self.comments_before(u32::MAX, 0, true);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// How much room there is on the line.
    pub(crate) fn room(&self) -> usize {
        WIDTH.saturating_sub(self.column)
    }

    /// The characters of the line so far.
    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// Writes on the line.
    pub(crate) fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    /// Says that the source is written up to an offset.
    pub(crate) fn passed(&mut self, offset: u32) {
        self.read = self.read.max(offset);
    }

    /// Whether a comment that is not written yet stands before an offset.
    pub(crate) fn commented_before(&self, offset: u32) -> bool {
        self.comments.first().is_some_and(|comment| comment.span.start < offset)
    }

    /// Writes the comments that stand before an offset; says whether there were any, so that
    /// a new line must begin.
    pub(crate) fn comments_before(&mut self, offset: u32, indent: usize, blank: bool) -> bool {
        let mut any = false;
        while let Some((comment, rest)) = self.comments.split_first() {
            let Span { start, end } = comment.span;
            if start >= offset {
                break;
            }
            if self.out.is_empty() || self.in_comment || self.line_ends_before(start) > 0 {
                self.line(start, indent, blank);
            } else {
                self.write(" ");
            }
            let text = self.source.get(comment.span.range()).unwrap_or(";").trim_end();
            self.write(&(self.mark)(text));
            self.in_comment = true;
            self.read = end;
            self.comments = rest;
            any = true;
        }
        any
    }

    /// Starts a new line for what stands at `next` in the source, after a blank one if the
    /// source has one there and `blank` allows it.
    pub(crate) fn line(&mut self, next: u32, indent: usize, blank: bool) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if blank && self.line_ends_before(next) > 1 {
                self.out.push('\n');
            }
        }
        self.in_comment = false;
        self.column = indent;
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// How many lines end between what is written and the offset `next` of the source.
    fn line_ends_before(&self, next: u32) -> usize {
        let gap = self.source.get(self.read as usize..next as usize).unwrap_or("").as_bytes();
        let ends =
            |&at: &usize| gap[at] == b'\n' || (gap[at] == b'\r' && gap.get(at + 1) != Some(&b'\n'));
        (0..gap.len()).filter(ends).count()
    }
}

/// A comment that begins with so many of `mark` as it had marks before. One in infix notation
/// that would lose a mark by that stays as it is: both marks are read there.
pub(crate) fn marked(comment: &str, mark: char) -> String {
    let first = comment.chars().next().unwrap_or(mark);
    let text = comment.trim_start_matches(first);
    if first == mark || mark == '%' && text.starts_with(MARKS) {
        return comment.to_owned();
    }
    let marks = comment.len() - text.len();
    std::iter::repeat_n(mark, marks).chain(text.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn marks_of_the_other_notation() {
        for (kif, infix) in [("; a", "% a"), (";;; a ;", "%%% a ;"), (";", "%"), (";é%", "%é%")] {
            assert_eq!(marked(kif, '%'), infix);
            assert_eq!(marked(infix, ';'), kif);
            assert_eq!((&*marked(kif, ';'), &*marked(infix, '%')), (kif, infix));
        }
        assert_eq!(marked(";% a", '%'), ";% a");
        assert_eq!(marked(";% a", ';'), ";% a");
        assert_eq!(marked("%; a", '%'), "%; a");
    }
}
