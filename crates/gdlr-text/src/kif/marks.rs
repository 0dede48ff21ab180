//! The comments of both notations in a layout.

use super::Document;
use crate::syntax::{Page, Rewrite};

/// The characters that begin a comment, in one notation or the other.
const MARKS: [char; 2] = [';', '%'];

/// An empty page for a document that was read from `source`; `rewrite` says how its comments will
/// begin.
pub(crate) fn page<'a>(source: &'a str, document: &Document, rewrite: Rewrite<'a>) -> Page<'a> {
    let mut page = Page::rewriting(source, rewrite);
    for comment in &document.comments {
        page.keep(comment.span);
    }
    page
}

/// A comment that begins with so many of `mark` as it had marks before. One in infix notation
/// that would lose a mark by that stays as it is: both marks are read there.
pub(crate) fn marked(comment: &str, mark: char) -> String {
    if !comment.starts_with(MARKS) {
        // A line of a comment of another kind.
        return format!("{mark} {comment}");
    }
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
