//! From text to expressions: one pass, a stack of our own, several errors in one run.

use super::text::{OddBlanks, behind_list, stray, unclosed};
use super::token::{Kif, TokenKind};
use super::{Comment, Document, Expr, ExprKind, Limits};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::{Tokens, check_size, too_deep, utf8};

/// Reads a text within the default limits.
///
/// # Errors
///
/// Every bracket that does not match, blanks that are no white space of KIF, and a text that
/// is too large or too deep.
///
/// ```
/// # mod gdlr { pub use gdlr_text::kif; }
/// let document = gdlr::kif::read("(role white) ; first\n(role black)").unwrap();
/// assert_eq!(document.items[1].to_string(), "(role black)");
/// assert_eq!(document.comments.len(), 1);
/// assert!(gdlr::kif::read("(role (white)").is_err());
/// ```
pub fn read(text: &str) -> Result<Document, Vec<Diagnostic>> {
    read_with(text, &Limits::default())
}

/// Reads bytes that should be UTF-8, within the default limits.
///
/// # Errors
///
/// As [`read`]; besides, the place of the first byte that is not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Document, Vec<Diagnostic>> {
    read(utf8::<Kif>(bytes)?)
}

/// Reads a text within `limits`.
///
/// # Errors
///
/// As [`read`].
pub fn read_with(text: &str, limits: &Limits) -> Result<Document, Vec<Diagnostic>> {
    check_size::<Kif>(text, limits)?;
    Reader {
        tokens: Tokens::new(text),
        limits,
        open: Vec::new(),
        document: Document::default(),
        blanks: OddBlanks::default(),
        errors: Vec::new(),
    }
    .run()
}

struct Reader<'a> {
    tokens: Tokens<'a, Kif>,
    limits: &'a Limits,
    /// Lists that are not closed yet, with the offset of their bracket.
    open: Vec<(usize, Vec<Expr>)>,
    document: Document,
    blanks: OddBlanks,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn run(mut self) -> Result<Document, Vec<Diagnostic>> {
        loop {
            let token = self.tokens.next();
            let span = token.span();
            match token.kind {
                TokenKind::End => break,
                TokenKind::Open if self.open.len() == self.limits.max_depth => {
                    self.error(too_deep::<Kif>(span, self.limits));
                    self.tokens.at = behind_list(self.tokens.text, token.end);
                }
                TokenKind::Open => self.open.push((token.start, Vec::new())),
                TokenKind::Close => self.close(token.end),
                TokenKind::Comment => self.document.comments.push(Comment { span }),
                TokenKind::OddBlank => {
                    let blank = self.tokens.text_of(token).chars();
                    blank.for_each(|blank| self.blanks.note(blank, token.start));
                }
                TokenKind::Atom => {
                    let kind = ExprKind::Atom(self.tokens.text_of(token).into());
                    self.push(Expr { span, kind });
                }
            }
        }
        for blank in std::mem::take(&mut self.blanks).diagnostics() {
            self.error(blank);
        }
        for (start, _) in std::mem::take(&mut self.open) {
            self.error(unclosed(Span::new(start, start + 1)));
        }
        if self.errors.is_empty() { Ok(self.document) } else { Err(self.errors) }
    }

    fn push(&mut self, expr: Expr) {
        match self.open.last_mut() {
            Some((_, items)) => items.push(expr),
            None => self.document.items.push(expr),
        }
    }

    fn close(&mut self, end: usize) {
        match self.open.pop() {
            Some((start, items)) => {
                self.push(Expr { span: Span::new(start, end), kind: ExprKind::List(items) });
            }
            None => self.error(stray(Span::new(end - 1, end))),
        }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < self.limits.max_errors {
            self.errors.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn codes(text: &str) -> Vec<(Code, u32)> {
        read(text).unwrap_err().iter().map(|d| (d.code, d.span.start)).collect()
    }

    #[test]
    fn atoms_stay_as_written() {
        for atom in
            ["08", "+1", "1e5", "2b", "1+", "?my_v-x", "é", ">", "#t", "|a", "\"x", "'q", "a.b"]
        {
            let document = read(&format!("(p {atom})")).unwrap();
            assert_eq!(document.items[0].list().unwrap()[1].atom(), Some(atom));
        }
    }

    #[test]
    fn spans_are_bytes() {
        let document = read("é (b ç)").unwrap();
        assert_eq!(document.items[0].span, Span::new(0, 2));
        assert_eq!(document.items[1].span, Span::new(3, 9));
        assert_eq!(document.items[1].list().unwrap()[1].span, Span::new(6, 8));
    }

    #[test]
    fn several_errors_in_one_run() {
        assert_eq!(
            codes("a) (b (c d)\n) ) (e (f"),
            [
                (Code::StrayBracket, 1),
                (Code::StrayBracket, 14),
                (Code::UnclosedBracket, 16),
                (Code::UnclosedBracket, 19)
            ]
        );
    }

    #[test]
    fn depth_is_limited_at_the_first_bracket_too_many() {
        let deep = |n: usize| "(".repeat(n) + &")".repeat(n);
        assert!(read(&deep(256)).is_ok());
        assert_eq!(codes(&deep(257)), [(Code::TooDeep, 256)]);
        assert_eq!(codes(&"(".repeat(100_000))[0], (Code::TooDeep, 256));
        // A comment within closes nothing.
        assert_eq!(codes(&deep(257).replacen(')', "; )\n)", 1)), [(Code::TooDeep, 256)]);
    }

    #[test]
    fn a_byte_order_mark_may_stand_before_everything() {
        let document = read("\u{feff}(a)").unwrap();
        assert_eq!(document.items[0].span, Span::new(3, 6));
        assert_eq!(read("(a) \u{feff}").unwrap().items[1].atom(), Some("\u{feff}"));
    }

    #[test]
    fn brackets_in_comments_do_not_count() {
        let document = read("(a ; ) (\n b) ;end").unwrap();
        assert_eq!(document.items[0].to_string(), "(a b)");
        assert_eq!(document.comments.len(), 2);
    }

    #[test]
    fn only_white_space_of_kif_separates() {
        assert_eq!(read("(a\tb\x0cc\r\nd e)").unwrap().items[0].list().unwrap().len(), 5);
        let text = "(p a\u{a0}b)\n(q\u{2028})\u{a0} (é)";
        let errors = read(text).unwrap_err();
        let said: Vec<_> = errors.iter().map(|error| (error.span, &*error.message)).collect();
        assert_eq!(
            said,
            [
                (Span::new(4, 6), "U+00A0 (no-break space) is no white space in KIF"),
                (Span::new(11, 14), "U+2028 (line separator) is no white space in KIF"),
            ]
        );
        let help = errors[0].help.as_deref().unwrap();
        assert_eq!(
            help,
            "write a space or a line's end, here and where it stands again (2 in all)"
        );
        assert_eq!(codes("a\u{b}b"), [(Code::OddBlank, 1)]);
        // In a comment they are as good as any character.
        assert_eq!(read("(a) ; \u{a0}\u{2028} (\n(b)").unwrap().items.len(), 2);
    }

    #[test]
    fn size_is_limited() {
        let limits = Limits { max_bytes: 4, ..Limits::default() };
        assert!(read_with("(ab)", &limits).is_ok());
        assert_eq!(read_with("(abc)", &limits).unwrap_err()[0].code, Code::TooLarge);
    }

    #[test]
    fn bytes_that_are_not_utf8_have_a_place() {
        let error = &read_bytes(b"(a \xff)").unwrap_err()[0];
        assert_eq!((error.code, error.span), (Code::NotUtf8, Span::new(3, 4)));
    }
}
