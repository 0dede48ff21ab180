//! A text that is laid out anew: lines, indentation, blank lines, comments.
//!
//! The layout of a language writes tokens on a [`Page`], says where lines begin, and says which
//! token comes next. The page knows the source. It puts each comment where it stood, at the end
//! of a line or on lines of its own, and keeps one blank line where the layout allows it.

use super::language::Language;
use super::token::{Token, Tokens};
use crate::diagnostic::Span;
use std::collections::VecDeque;
use std::fmt;

/// The width that lines should have at most, in characters.
pub const WIDTH: usize = 80;
/// How far inner lines are indented.
pub const STEP: usize = 4;
/// The deepest indentation. It bounds the length of a layout, however deep things nest.
pub const MAX_INDENT: usize = 40;

/// A function from a comment of the source to the comment that is written.
pub type Rewrite<'a> = Box<dyn Fn(&str) -> String + 'a>;

/// A text that is being laid out anew.
pub struct Page<'a> {
    source: &'a str,
    rewrite: Rewrite<'a>,
    /// The comments that are not written yet, in order.
    comments: VecDeque<Span>,
    /// Behind the last byte of the source that is written.
    read: u32,
    out: String,
    /// The characters of the last line.
    column: usize,
    /// Whether the last line ends with a comment.
    in_comment: bool,
}

impl<'a> Page<'a> {
    /// An empty page for what stands in `source`, whose comments stay as they are.
    pub fn new(source: &'a str) -> Page<'a> {
        Page::rewriting(source, Box::new(str::to_owned))
    }

    /// An empty page for what stands in `source`, with `rewrite` of its comments.
    pub fn rewriting(source: &'a str, rewrite: Rewrite<'a>) -> Page<'a> {
        Page {
            source,
            rewrite,
            comments: VecDeque::new(),
            read: 0,
            out: String::new(),
            column: 0,
            in_comment: false,
        }
    }

    /// The whole text, with the comments that are left.
    pub fn finish(mut self) -> String {
        self.comments_before(u32::MAX, 0, true);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// How much room there is on the line, in characters.
    pub fn room(&self) -> usize {
        WIDTH.saturating_sub(self.column)
    }

    /// The characters of the line so far.
    pub fn column(&self) -> usize {
        self.column
    }

    /// How many lines end between what is written and an offset of the source.
    pub fn line_ends_before(&self, next: u32) -> usize {
        let gap = self.source.get(self.read as usize..next as usize).unwrap_or("").as_bytes();
        let ends =
            |&at: &usize| gap[at] == b'\n' || (gap[at] == b'\r' && gap.get(at + 1) != Some(&b'\n'));
        (0..gap.len()).filter(ends).count()
    }
}

/// Comments of the source.
impl Page<'_> {
    /// Notes a comment that is to be written. Comments are noted in order, each before what
    /// stands behind it is written.
    pub fn keep(&mut self, comment: Span) {
        self.comments.push_back(comment);
    }

    /// The next token that is no comment. Comments before it are kept.
    pub fn next_token<L: Language>(&mut self, tokens: &mut Tokens<'_, L>) -> Token<L::Kind> {
        loop {
            let token = tokens.next();
            if token.kind != L::COMMENT {
                return token;
            }
            self.keep(token.span());
        }
    }

    /// Says that the source is written up to an offset.
    pub fn passed(&mut self, offset: u32) {
        self.read = self.read.max(offset);
    }

    /// Whether a comment that is not written yet stands before an offset.
    pub fn commented_before(&self, offset: u32) -> bool {
        self.comments.front().is_some_and(|comment| comment.start < offset)
    }
}

/// Writing.
impl Page<'_> {
    /// Writes on the line.
    pub fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    /// Writes a piece of the source on the line.
    pub fn copy(&mut self, piece: Span) {
        self.write(&self.source[piece.range()]);
        self.passed(piece.end);
    }

    /// Starts a new line for what stands at `next` in the source, after a blank one if the
    /// source has one there and `blank` allows it. It is indented by `indent` characters, or by
    /// [`MAX_INDENT`].
    pub fn line(&mut self, next: u32, indent: usize, blank: bool) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if blank && self.line_ends_before(next) > 1 {
                self.out.push('\n');
            }
        }
        self.in_comment = false;
        self.column = indent.min(MAX_INDENT);
        self.out.extend(std::iter::repeat_n(' ', self.column));
    }

    /// Writes the comments that stand before an offset; says whether there were any, so that
    /// a new line must begin. Those on lines of their own are indented by `indent`, with blank
    /// lines before them if `blank` allows it.
    pub fn comments_before(&mut self, offset: u32, indent: usize, blank: bool) -> bool {
        let any = self.commented_before(offset);
        while self.comment_before(offset, indent, blank) {}
        any
    }

    /// Writes the next comment, if it stands before an offset; says whether it does.
    pub fn comment_before(&mut self, offset: u32, indent: usize, blank: bool) -> bool {
        let Some(comment) = self.comments.pop_front_if(|comment| comment.start < offset) else {
            return false;
        };
        if self.out.is_empty() || self.in_comment || self.line_ends_before(comment.start) > 0 {
            self.line(comment.start, indent, blank);
        } else {
            self.write(" ");
        }
        let text = self.source.get(comment.range()).unwrap_or_default().trim_end();
        self.write(&(self.rewrite)(text));
        self.in_comment = true;
        self.read = comment.end;
        true
    }
}

impl fmt::Debug for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").field("out", &self.out).finish_non_exhaustive()
    }
}
