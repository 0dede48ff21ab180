//! From text to expressions: one pass, a stack of our own, several errors in one run.

use super::{Comment, Document, Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic, Span};

/// What the reader refuses to go beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest text, in bytes.
    pub max_bytes: usize,
    /// The deepest nesting of brackets.
    pub max_depth: usize,
    /// The most errors to report; the rest is left out.
    pub max_errors: usize,
}

impl Default for Limits {
    /// 16 MiB, 256 brackets, 100 errors.
    fn default() -> Self {
        Limits { max_bytes: 16 << 20, max_depth: 256, max_errors: 100 }
    }
}

/// Reads a text within the default limits.
///
/// # Errors
///
/// Every bracket that does not match, blanks that are no white space of KIF, and a text that
/// is too large or too deep.
///
/// ```
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
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text),
        Err(error) => {
            let at = error.valid_up_to();
            Err(vec![
                Diagnostic::new(
                    Code::NotUtf8,
                    Span::new(at, at + 1),
                    format!("the text is not UTF-8: byte {:#04x} at offset {at}", bytes[at]),
                )
                .with_help("save the rulesheet as UTF-8"),
            ])
        }
    }
}

/// Reads a text within `limits`.
///
/// # Errors
///
/// As [`read`].
pub fn read_with(text: &str, limits: &Limits) -> Result<Document, Vec<Diagnostic>> {
    if text.len() > limits.max_bytes {
        return Err(vec![
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
        ]);
    }
    Reader {
        text,
        limits,
        open: Vec::new(),
        document: Document::default(),
        blanks: Vec::new(),
        errors: Vec::new(),
    }
    .run()
}

struct Reader<'a> {
    text: &'a str,
    limits: &'a Limits,
    /// Lists that are not closed yet, with the offset of their bracket.
    open: Vec<(usize, Vec<Expr>)>,
    document: Document,
    /// Blanks that are no white space: each character, its first offset, how often it stands.
    blanks: Vec<(char, usize, usize)>,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn run(mut self) -> Result<Document, Vec<Diagnostic>> {
        let mut at = 0;
        while let Some(character) = self.text[at..].chars().next() {
            match character {
                '(' if self.open.len() == self.limits.max_depth => at = self.skip_too_deep(at),
                '(' => {
                    self.open.push((at, Vec::new()));
                    at += 1;
                }
                ')' => {
                    at += 1;
                    self.close(at);
                }
                ';' => {
                    let end = line_end(self.text, at);
                    self.document.comments.push(Comment { span: Span::new(at, end) });
                    at = end;
                }
                '\u{feff}' if at == 0 => at += character.len_utf8(),
                _ if character.is_ascii_whitespace() => at += 1,
                _ if character.is_whitespace() => {
                    self.blank(character, at);
                    at += character.len_utf8();
                }
                _ => {
                    let end = atom_end(self.text, at);
                    let kind = ExprKind::Atom(self.text[at..end].into());
                    self.push(Expr { span: Span::new(at, end), kind });
                    at = end;
                }
            }
        }
        for (character, at, count) in std::mem::take(&mut self.blanks) {
            self.error(odd_blank(character, at, count));
        }
        for (start, _) in std::mem::take(&mut self.open) {
            self.error(
                Diagnostic::new(
                    Code::UnclosedBracket,
                    Span::new(start, start + 1),
                    "this bracket is never closed",
                )
                .with_label("opened here")
                .with_help("add the missing `)`"),
            );
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
            None => self.error(
                Diagnostic::new(
                    Code::StrayBracket,
                    Span::new(end - 1, end),
                    "this bracket closes nothing",
                )
                .with_help("remove it, or look for a `(` that is missing before it"),
            ),
        }
    }

    /// Notes a blank that is no white space of KIF.
    fn blank(&mut self, character: char, at: usize) {
        match self.blanks.iter_mut().find(|(known, ..)| *known == character) {
            Some((.., count)) => *count += 1,
            None => self.blanks.push((character, at, 1)),
        }
    }

    /// Reports a bracket beyond the depth limit and returns the offset behind its partner.
    fn skip_too_deep(&mut self, start: usize) -> usize {
        self.error(
            Diagnostic::new(
                Code::TooDeep,
                Span::new(start, start + 1),
                format!("brackets are nested more than {} deep", self.limits.max_depth),
            )
            .with_help("no game needs terms of this depth"),
        );
        let mut depth = 0usize;
        let mut at = start;
        let bytes = self.text.as_bytes();
        while at < bytes.len() {
            match bytes[at] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b';' => {
                    at = line_end(self.text, at);
                    continue;
                }
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        at
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() < self.limits.max_errors {
            self.errors.push(diagnostic);
        }
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

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find(['\n', '\r']).map_or(text.len(), |length| from + length)
}

fn atom_end(text: &str, from: usize) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
    text[from..].find(ends).map_or(text.len(), |length| from + length)
}

#[cfg(test)]
mod tests {
    use super::*;

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
