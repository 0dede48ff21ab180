//! Reads a text into a description, in one pass that can report several errors.
//!
//! The grammar (RG, 2.1, with what the tools of its authors read beyond it):
//!
//! ```text
//! file       = { definition | edge | pragma }
//! definition = "type" NAME "=" type ";"
//!            | ("const" | "var") NAME ":" type "=" value ";"
//! type       = { simple "->" } simple
//! simple     = NAME | "{" NAME { "," NAME } "}"
//! value      = NAME | "{" [ entry { "," entry } ] "}"
//! entry      = [ NAME ] ":" value
//! edge       = NAME "," NAME ":" label ";"
//! label      = [ expr "=" expr | expr "=" type "(" "*" ")" | expr ("==" | "!=") expr
//!              | ("?" | "!") NAME "->" NAME | "$" NAME | "$$" NAME ]
//! expr       = NAME [ "(" expr ")" ] { "[" expr "]" }
//! pragma     = "@" … ";"
//! ```
//!
//! Blanks and comments (`//` to the end of the line) may stand between tokens, but not before the
//! `[` of an access. A name is letters, digits and underscores; a leading digit is fine. `const`,
//! `type` and `var` cannot be names, and need no blank after them: `typeA={x};` defines `A`. A
//! statement that begins with these letters is still an edge if a comma follows its first word.
//! Other programs refuse it; [`validate`](crate::rg::validate()) warns of it.
//!
//! An error ends its statement. The reader goes on after the next `;`, or where a line begins with
//! a definition or a pragma. Only brackets nest, at most to [`MAX_DEPTH`], which bounds the
//! recursion.
//!
//! | file | content |
//! |---|---|
//! | [`cursor`] | tokens and names; reports of errors |
//! | [`definitions`] | types, constants, variables |
//! | [`edges`] | edges, actions, expressions |
//! | [`pragmas`] | pragmas |

mod cursor;
mod definitions;
mod edges;
mod pragmas;

pub use cursor::{MAX_DEPTH, MAX_ERRORS};

use super::ast::Description;
use super::name::Keyword;
use super::token::{Rg, TokenKind};
use cursor::{Read, Reader};
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::syntax::{Language, check_size, utf8};

/// The longest text, in bytes: 256 MiB.
pub const MAX_BYTES: usize = 256 << 20;

/// Reads a description.
///
/// # Errors
///
/// Every violation of the grammar, and a text that is too large or nested too deep. A description
/// that can be read need not be a game: see [`validate`](crate::rg::validate()).
///
/// ```
/// # mod gdlr { pub use gdlr_rg::rg; }
/// let description = gdlr::rg::read("type Player = { x };\nbegin, end: player = keeper;").unwrap();
/// assert_eq!(description.edges.len(), 1);
/// let errors = gdlr::rg::read("type A = {x;\nbegin, end: player == ;").unwrap_err();
/// assert_eq!(errors.len(), 2);
/// ```
pub fn read(text: &str) -> Result<Description, Vec<Diagnostic>> {
    check_size::<Rg>(text, &Rg::LIMITS)?;
    let mut reader = Reader::new(text);
    while reader.token.kind != TokenKind::End {
        let start = reader.token.start;
        if reader.statement().is_err() {
            reader.resynchronise(start);
        }
    }
    match reader.errors.is_empty() {
        true => Ok(reader.description),
        false => Err(std::mem::take(&mut reader.errors)),
    }
}

/// Reads bytes that should be UTF-8.
///
/// # Errors
///
/// As [`read`]; also the place of the first byte that is not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Description, Vec<Diagnostic>> {
    read(utf8::<Rg>(bytes)?)
}

impl Reader<'_> {
    fn statement(&mut self) -> Read<()> {
        match self.token.kind {
            TokenKind::At => self.pragma(),
            TokenKind::Word => match Keyword::split(self.tokens.text_of(self.token)) {
                Some((keyword, rest))
                    if rest.is_empty() || self.following() != TokenKind::Comma =>
                {
                    self.definition(keyword)
                }
                _ => self.edge(),
            },
            TokenKind::Semicolon => {
                let help = "remove it: every statement ends with one `;`, and nothing else does";
                self.fail("this `;` ends no statement", help)
            }
            _ => self.unexpected("a definition, an edge or a pragma"),
        }
    }

    /// Skips the rest of the statement with an error, which begins at `start`.
    fn resynchronise(&mut self, start: usize) {
        self.depth = 0;
        let mut moved = self.token.start > start;
        loop {
            match self.token.kind {
                TokenKind::End => return,
                TokenKind::Semicolon => return self.advance(),
                TokenKind::At if moved && self.begins_line() => return,
                TokenKind::Word if moved && self.begins_line() && self.keyword().is_some() => {
                    return;
                }
                _ => self.advance(),
            }
            moved = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg::ast::{Label, Place};
    use crate::rg::{Name, print};
    use gdlr_text::diagnostic::{Code, Span};

    /// The printed form of a text that can be read.
    #[track_caller]
    fn printed(text: &str) -> String {
        let description = read(text).unwrap_or_else(|errors| panic!("{text}: {}", errors[0]));
        print(&description).expect("what is read can be printed").trim_end().to_owned()
    }

    /// The errors in a text: their codes, and the texts that they underline.
    fn errors(text: &str) -> Vec<(Code, &str)> {
        let errors = read(text).expect_err("an error");
        errors.iter().map(|error| (error.code, &text[error.span.range()])).collect()
    }

    #[test]
    fn statements_of_every_kind() {
        for canonical in [
            "type Player = { x, o };",
            "type Board = Coord -> { 0, 1 } -> Piece;",
            "const next: Coord -> Coord = { 0: 1, :0 };",
            "var board: Board = { :{ :e }, 1: row };",
            "var v: { a } = a;",
            "begin, end: ;",
            "p, q: player = keeper;",
            "p, q: board[posX][next[1]] = T(v)[w];",
            "p, q: v = Coord(*);",
            "p, q: v = { 0, 1 }(*);",
            "p, q: A(B(x)) == y;",
            "p, q: x != y;",
            "p, q: ? r -> s;",
            "p, q: ! r -> s;",
            "p, q: $ tag;",
            "p, q: $$ v;",
        ] {
            assert_eq!(printed(canonical), canonical);
        }
    }

    #[test]
    fn pragmas_of_every_kind() {
        for canonical in [
            "@artificialTag a b;",
            "@disjoint n : a b c;",
            "@disjointExhaustive n : a;",
            "@integer 0 : zero one;",
            "@iterator a b c : v;",
            "@repeat a :;",
            "@repeat a b : v w;",
            "@simpleApply a b [];",
            "@simpleApply a b [t, v: Coord] x[v] = Coord(v), y = z;",
            "@simpleApplyExhaustive a b [t] player = keeper;",
            "@tagIndex a b : 0;",
            "@tagMaxIndex a : 12;",
            "@translatedFromRbg;",
            "@unique a;",
            "@anything // at all,\n (\"]\u{feff};",
            "@;",
            "@ unique a;",
        ] {
            assert_eq!(printed(canonical), canonical);
        }
    }

    #[test]
    fn layout_is_free() {
        let text =
            "//head\r\ntypePlayer={x};type Score\t=\n{//c\n0//;\n,100};begin,end:player=keeper;//e";
        assert_eq!(
            printed(text),
            "type Player = { x };\ntype Score = { 0, 100 };\nbegin, end: player = keeper;"
        );
        assert_eq!(printed("p,q:a[ //k\n b ]=T (  c ) ;"), "p, q: a[b] = T(c);");
        assert_eq!(printed("p,q:a=T //c\n( * );p,q:!a->b;"), "p, q: a = T(*);\np, q: ! a -> b;");
        assert_eq!(
            printed("@simpleApply\na b [ t ,v: A->B ]x=y , z=w;"),
            "@simpleApply a b [t, v: A -> B] x = y, z = w;"
        );
        assert_eq!(printed(""), "");
    }

    #[test]
    fn a_first_node_may_begin_like_a_keyword() {
        let description = read("typeA, variable: ; constant , end: ; varX = ;").unwrap_err();
        assert_eq!(description.len(), 1, "{description:?}");
        let description = read("typeA, variable: ; constant , end: ;").unwrap();
        let names = &description.names;
        assert_eq!(names.text(description.edges[0].from.name), "typeA");
        assert_eq!(description.edges[1].to.name, Name::END);
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let text = "  ż, b: ż[x] == T( y ) ; //";
        let description = read(text).unwrap();
        let edge = &description.edges[0];
        let of = |place: Place| &text[place.0.range()];
        assert_eq!(of(edge.place), "ż, b: ż[x] == T( y ) ;");
        let Label::Compare { left, right, .. } = &edge.label else { panic!() };
        assert_eq!((of(left.place), of(right.place)), ("ż[x]", "T( y )"));
        assert_eq!(of(left.keys[0].place), "x");
    }

    #[test]
    fn several_errors_in_one_run() {
        let text = "type A = { x, };\np, q r;\nvar v: T = 0\nconst c: T = {0 1};\nq, r: x;;";
        assert_eq!(
            errors(text),
            [
                (Code::RgSyntax, "}"),
                (Code::RgSyntax, "r"),
                (Code::RgSyntax, "0"),
                (Code::RgSyntax, "1"),
                (Code::RgSyntax, ";"),
                (Code::RgSyntax, ";"),
            ]
        );
    }

    #[test]
    fn reading_goes_on_where_a_definition_begins() {
        let text =
            "p, q: board[x = 1\ntype A = { x };\nvar var: A = x;\n@disjoint : p;\n@repeat p\n";
        assert_eq!(
            errors(text),
            [
                (Code::RgSyntax, "="),
                (Code::RgReserved, "var"),
                (Code::RgSyntax, ":"),
                (Code::RgSyntax, "p"),
            ]
        );
    }

    #[test]
    fn keywords_name_nothing() {
        for text in
            ["type const = { x };", "p, var: ;", "var, p: ;", "p, q: $ type;", "typetype = x;"]
        {
            assert_eq!(errors(text)[0].0, Code::RgReserved, "{text}");
        }
    }

    #[test]
    fn what_other_programs_refuse_too() {
        for (text, code, place) in [
            ("\u{feff}p, q: ;", Code::RgCharacter, "\u{feff}"),
            ("# p\n", Code::RgCharacter, "#"),
            ("/* p */", Code::RgCharacter, "/"),
            ("type A = B → C;", Code::RgCharacter, "→"),
            ("p, q: ? a - > b;", Code::RgCharacter, "-"),
            ("p, q: a-b = c;", Code::RgCharacter, "-"),
            ("p, q: v [0] = 1;", Code::RgBlank, " ["),
            ("@simpleApply a b [v : T];", Code::RgBlank, " :"),
            ("type A = (B -> C) -> D;", Code::RgSyntax, "("),
            ("p, q: {0, 1}(0) = v;", Code::RgSyntax, "{"),
            ("p, q: v = {0, 1}(0);", Code::RgSyntax, "0"),
            ("p, q: $ $ v;", Code::RgSyntax, "$"),
            ("p, q: $$ v[0];", Code::RgSyntax, "["),
            ("p, q: a = b = c;", Code::RgSyntax, "="),
            ("p, q: (a) = b;", Code::RgSyntax, "("),
            ("p, q: { a = b };", Code::RgSyntax, "{"),
            ("const c: T = { 0: 1, };", Code::RgSyntax, "}"),
            ("@disjoint n : a, b;", Code::RgSyntax, ","),
            ("@disjoint n :;", Code::RgSyntax, ";"),
            ("@integer -1 : a;", Code::RgCharacter, "-"),
            ("@tagIndex a : b;", Code::RgSyntax, "b"),
            ("@tagIndex a : 99999999999999999999;", Code::RgSyntax, "99999999999999999999"),
            ("@unique;", Code::RgSyntax, ";"),
            ("@author me", Code::RgSyntax, "@"),
            (";", Code::RgSyntax, ";"),
            ("p, q:", Code::RgSyntax, ":"),
            ("p", Code::RgSyntax, "p"),
        ] {
            assert_eq!(errors(text), [(code, place)], "{text}");
        }
    }

    #[test]
    fn depth_is_limited() {
        let expr =
            |depth: usize| format!("p, q: x == {}y{};", "a[".repeat(depth), "]".repeat(depth));
        let value =
            |depth: usize| format!("var v: T = {}0{};", "{:".repeat(depth), "}".repeat(depth));
        for text in [expr, value] {
            assert!(read(&text(MAX_DEPTH)).is_ok());
            assert_eq!(errors(&text(MAX_DEPTH + 1))[0].0, Code::RgTooDeep);
            assert_eq!(errors(&text(100_000)).len(), 1);
        }
        // A chain is not deep.
        assert!(read(&format!("p, q: x == a{};", "[0]".repeat(100_000))).is_ok());
        assert!(read(&format!("type A = {} B;", "B ->".repeat(100_000))).is_ok());
    }

    #[test]
    fn size_is_limited() {
        let text = " ".repeat(MAX_BYTES + 1);
        assert_eq!(read(&text).unwrap_err()[0].code, Code::RgTooLarge);
        assert!(read(&text[1..]).is_ok());
    }

    #[test]
    fn bytes_that_are_not_utf8_have_a_place() {
        let error = &read_bytes(b"p, \xff: ;").unwrap_err()[0];
        assert_eq!((error.code, error.span), (Code::RgNotUtf8, Span::new(3, 4)));
    }

    #[test]
    fn errors_are_capped() {
        assert_eq!(read(&"p;".repeat(1000)).unwrap_err().len(), MAX_ERRORS);
    }
}
