//! The canonical layout of a file, for `gdlr hrg fmt`.
//!
//! - Declarations, cases of functions and statements keep their order, each on lines of its own.
//!   The statements of a block are indented by four columns.
//! - `{`, `or` and `else` follow the text that they belong to on its line.
//! - Line breaks within a statement or declaration stay, since only the writer knows which cases
//!   belong together. The later lines are indented by their brackets, or by one step.
//! - Of several blank lines between declarations or statements, one stays.
//! - Comments stay at the end of a line, or on lines of their own.
//!
//! Only white space changes, and a second pass changes nothing. The layout works on tokens, as a
//! game does not have its line breaks. The reader marks the beginnings of statements. The cost is
//! linear in the text.

use super::layout_mark::{Mark, MarkKind};
use super::reader::read_with_marks;
use super::token::{Hrg, TokenKind, Tokens};
use gdlr_text::diagnostic::{Diagnostic, Span};
use gdlr_text::syntax::{Page, STEP, utf8};

/// Lays out a game.
///
/// # Errors
///
/// The errors of [`read`](super::read()): a text that cannot be read is not laid out.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::hrg; }
/// let text = "domain Player=x//who\n\n\ngraph rules(){player=x end()}";
/// assert_eq!(
///     gdlr::hrg::format(text).unwrap(),
///     "domain Player = x //who\n\ngraph rules() {\n    player = x\n    end()\n}\n",
/// );
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, marks) = read_with_marks(text)?;
    Ok(laid_out(text, &marks))
}

/// Lays out bytes that should be UTF-8.
///
/// # Errors
///
/// The errors of [`read_bytes`](super::read_bytes()).
pub fn format_bytes(bytes: &[u8]) -> Result<String, Vec<Diagnostic>> {
    format(utf8::<Hrg>(bytes)?)
}

/// A token, with its mark by the reader.
#[derive(Clone, Copy)]
struct MarkedToken<'a> {
    kind: TokenKind,
    text: &'a str,
    span: Span,
    mark: Option<MarkKind>,
}

impl MarkedToken<'_> {
    fn opens(&self) -> bool {
        use TokenKind::{OpenBrace, OpenBracket, OpenParenthesis};
        matches!(self.kind, OpenBrace | OpenBracket | OpenParenthesis)
    }

    fn closes(&self) -> bool {
        use TokenKind::{CloseBrace, CloseBracket, CloseParenthesis};
        matches!(self.kind, CloseBrace | CloseBracket | CloseParenthesis)
    }
}

/// The tokens of a text. Its comments go to the page.
fn pieces<'a>(text: &'a str, marks: &[Mark], page: &mut Page) -> Vec<MarkedToken<'a>> {
    let mut tokens = Tokens::new(text);
    let mut pieces = Vec::new();
    let mut next_mark = 0;
    loop {
        let token = page.next_token(&mut tokens);
        if token.kind == TokenKind::End {
            return pieces;
        }
        let mut mark = None;
        // A statement that begins with `if` has two marks.
        while marks.get(next_mark).is_some_and(|mark| mark.at <= token.start) {
            if marks[next_mark].at == token.start && mark != Some(MarkKind::Start) {
                mark = Some(marks[next_mark].kind);
            }
            next_mark += 1;
        }
        let (kind, span) = (token.kind, token.span());
        pieces.push(MarkedToken { kind, text: tokens.text_of(token), span, mark });
    }
}

/// The layout of a text that can be read.
fn laid_out(text: &str, marks: &[Mark]) -> String {
    let mut page = Page::new(text);
    let pieces = pieces(text, marks, &mut page);
    let mut formatter = Formatter { page, blocks: 0, brackets: 0 };
    let mut before = None;
    for piece in &pieces {
        formatter.place(piece, before);
        formatter.page.copy(piece.span);
        formatter.count(piece);
        before = Some(piece);
    }
    formatter.page.finish()
}

struct Formatter<'a> {
    page: Page<'a>,
    /// The number of open blocks.
    blocks: usize,
    /// The number of brackets that were opened since the last statement began, and are still open.
    brackets: usize,
}

impl Formatter<'_> {
    /// Writes the white space and the comments before a token.
    fn place(&mut self, piece: &MarkedToken, before: Option<&MarkedToken>) {
        let next = piece.span.start;
        let behind_open = before.is_some_and(|before| before.mark == Some(MarkKind::Open));
        let commented = self.comments(piece, behind_open);
        match piece.mark {
            Some(MarkKind::Start) => {
                self.brackets = 0;
                self.page.line(next, STEP * self.blocks, !behind_open);
            }
            Some(MarkKind::Close) => {
                self.blocks -= 1;
                self.brackets = 0;
                if !behind_open || commented {
                    self.page.line(next, STEP * self.blocks, false);
                }
            }
            mark => {
                let glued = matches!(mark, Some(MarkKind::Open | MarkKind::Continue));
                if commented || !glued && self.page.line_ends_before(next) > 0 {
                    let steps = if glued { self.blocks } else { self.inner(piece.closes()) };
                    self.page.line(next, STEP * steps, false);
                } else if before.is_some_and(|before| blank_between(before, piece)) {
                    self.page.write(" ");
                }
            }
        }
    }

    /// Writes the comments before a token. Returns whether there were any.
    fn comments(&mut self, piece: &MarkedToken, behind_open: bool) -> bool {
        let next = piece.span.start;
        let between = matches!(piece.mark, Some(MarkKind::Start | MarkKind::Close));
        let indent = STEP * if between { self.blocks } else { self.inner(false) };
        // A block does not begin with a blank line.
        let any = self.page.comment_before(next, indent, between && !behind_open);
        self.page.comments_before(next, indent, between);
        any
    }

    /// The indentation of a line within a statement, in steps.
    fn inner(&self, closes: bool) -> usize {
        let brackets = self.brackets - usize::from(closes && self.brackets > 0);
        self.blocks + if closes { brackets } else { brackets.max(1) }
    }

    /// Counts the brackets that a token opens or closes.
    fn count(&mut self, piece: &MarkedToken) {
        match piece.mark {
            Some(MarkKind::Open) => {
                self.blocks += 1;
                self.brackets = 0;
            }
            _ if piece.opens() => self.brackets += 1,
            Some(MarkKind::Close) => {}
            _ if piece.closes() => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
    }
}

/// Whether a blank is between two tokens of a line.
fn blank_between(before: &MarkedToken, piece: &MarkedToken) -> bool {
    use TokenKind::{
        CloseBrace, CloseBracket, CloseParenthesis, Colon, Comma, Dollar, Dots, OpenBrace,
        OpenBracket, OpenParenthesis, Semicolon, Word,
    };
    match (before.kind, piece.kind) {
        (OpenParenthesis | OpenBracket | Dots, _) => false,
        (_, Comma | Semicolon | CloseParenthesis | CloseBracket | OpenBracket | Dots) => false,
        (OpenBrace, CloseBrace) => false,
        // `$_` is one sign.
        (Dollar, Word) => before.span.end < piece.span.start || !piece.text.starts_with('_'),
        (Dollar, OpenParenthesis) => true,
        (Word, OpenParenthesis) => before.mark.is_some() && stands_before_expressions(before),
        (CloseParenthesis | CloseBracket | CloseBrace, OpenParenthesis) => false,
        // `{ :default`
        (OpenBrace, Colon) => true,
        (_, Colon) => false,
        (Colon, _) => before.mark != Some(MarkKind::Default),
        _ => true,
    }
}

/// Whether a word with a mark is `if`, `while`, `then` or `else`.
fn stands_before_expressions(piece: &MarkedToken) -> bool {
    matches!(piece.text, "if" | "while" | "then" | "else")
}

#[cfg(test)]
mod tests {
    use super::format;
    use crate::hrg::read;

    #[track_caller]
    fn formatted(text: &str) -> String {
        let once = format(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(format(&once).unwrap(), once, "not stable");
        assert_eq!(read(&once).unwrap(), read(text).unwrap(), "another game");
        once
    }

    #[test]
    fn declarations_stand_on_lines_of_their_own() {
        assert_eq!(
            formatted(
                "domain D=a|P(I,J)where I in 0..2,J in{a,b} f:D->D f(P(X,_))=P((X+1)%3,a)f(_)=if(a==b)\
                 then a else b v:D->D={:a;P(I,a)=b where I in 0..2}"
            ),
            "domain D = a | P(I, J) where I in 0..2, J in { a, b }\nf: D -> D\n\
             f(P(X, _)) = P((X + 1) % 3, a)\nf(_) = if (a == b) then a else b\n\
             v: D -> D = { :a; P(I, a) = b where I in 0..2 }\n"
        );
    }

    #[test]
    fn blocks_are_indented() {
        assert_eq!(
            formatted(
                "graph g(x:D,f:D->D){branch{}or{$a $_b $(a b)$_(c d)$$x}if(x==a)&&x!=b{end()}else if \
                 x in D{return()}else{v[x]=D(*)}loop{v=f(x)[a] while not(x==a){break()}}}"
            ),
            "graph g(x: D, f: D -> D) {\n    branch {} or {\n        $ a\n        $_b\n        $ (a b)\n        \
             $_(c d)\n        $$ x\n    }\n    if (x == a) && x != b {\n        end()\n    } else if x in D {\n        \
             return()\n    } else {\n        v[x] = D(*)\n    }\n    loop {\n        v = f(x)[a]\n        while not(x == a) {\n            \
             break()\n        }\n    }\n}\n"
        );
    }

    #[test]
    fn comments_blank_lines_and_line_ends_within_stay() {
        let canonical = "// head\n\ndomain D = a |\n    b // of b\n// of g\ngraph g() { // opens\n    // first\n    $ a\n\n    \
             $ b // last\n    // closes\n}\n\nv: D -> D = {\n    :a;\n    // of b\n    b = a\n}\n\n// end\n";
        assert_eq!(formatted(canonical), canonical);
        assert_eq!(
            formatted("\n\n//head  \r\n\r\n\r\n\r\ngraph g()\n{\n\n $a\n\n\n  }\n or_ : D\n"),
            "//head\n\ngraph g() {\n    $ a\n}\nor_: D\n"
        );
        assert_eq!(
            formatted("graph g() { branch { $ a } // x\n or { $ b } }"),
            "graph g() {\n    branch {\n        $ a\n    } // x\n    or {\n        $ b\n    }\n}\n"
        );
        assert_eq!(
            formatted("graph g() // x\n { } graph h( // y\na: D) {\n// z\n}"),
            "graph g() // x\n{}\ngraph h( // y\n    a: D) {\n    // z\n}\n"
        );
        assert_eq!(formatted(""), "");
        assert_eq!(formatted("// x"), "// x\n");
        assert!(format("graph").is_err());
    }
}
