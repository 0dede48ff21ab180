//! Reads a text as a game, in one pass that can report several errors.
//!
//! ```text
//! file        = { domain | function | variable | graph }
//! domain      = "domain" NAME "=" element { "|" element }
//! element     = NAME | NAME "(" [ NAME { "," NAME } ] ")" [ where ]
//! where       = "where" range { "," range }
//! range       = NAME "in" ( NUMBER ".." NUMBER | "{" NAME { "," NAME } "}" )
//! function    = NAME ":" type case { case }
//! case        = NAME "(" [ pattern { "," pattern } ] ")" "=" expr
//! pattern     = "_" | NAME [ "(" [ pattern { "," pattern } ] ")" ]
//! variable    = NAME ":" type [ "=" expr ]
//! type        = { simple "->" } simple
//! simple      = NAME | "{" NAME { "," NAME } "}"
//! graph       = [ "reusable" ] "graph" NAME "(" [ parameter { "," parameter } ] ")" block
//! parameter   = NAME ":" type
//! block       = "{" { statement } "}"
//! statement   = NAME { "[" expr "]" } "=" ( expr | type "(" "*" ")" )
//!             | NAME "(" [ expr { "," expr } ] ")"
//!             | "branch" [ block { "or" block } ] | "branch" NAME "in" type block
//!             | "forall" NAME ":" type block
//!             | "repeat" NUMBER block | "repeat" NAME "in" type block
//!             | "loop" block | "while" expr block
//!             | "if" expr block { "else" "if" expr block } [ "else" block ]
//!             | "$" [ "_" ] ( NAME | "(" NAME { NAME } ")" ) | "$$" NAME
//! expr        = conjunction { "||" conjunction }
//! conjunction = comparison { "&&" comparison }
//! comparison  = sum { ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum }
//! sum         = term { ( "+" | "-" | "%" | "in" ) term }
//! term        = primary { "[" expr "]" | "(" [ expr { "," expr } ] ")" }
//! primary     = NAME | "(" expr ")" | "if" expr "then" expr "else" expr
//!             | "{" [ ":" expr ";" ] part { ";" part } "}" | "{" ":" expr "}"
//! part        = pattern "=" expr [ where ]
//! ```
//!
//! Blanks, line ends and comments (`//` to the end of the line) may stand between all tokens. A
//! statement or declaration ends only where the next one begins. The words above can also be names,
//! if their position allows no other reading. `const`, `type` and `var` cannot be names, as in RG.
//! A name that begins with an upper-case letter and is followed by `(` is a constructor.
//!
//! An error ends its statement or declaration. The reader goes on at a line that begins another
//! one.
//!
//! | file | content |
//! |---|---|
//! | [`cursor`] | tokens and names; reports of errors |
//! | [`declarations`] | domains, functions, variables, graphs, types |
//! | [`statements`] | statements and blocks |
//! | [`expressions`] | expressions and patterns |

mod cursor;
mod declarations;
mod expressions;
mod statements;

pub use cursor::{MAX_DEPTH, MAX_ERRORS, MAX_LIST};

use super::ast::Game;
use super::layout_mark::Mark;
use super::token::{Hrg, TokenKind};
use cursor::Reader;
use gdlr_text::diagnostic::Diagnostic;
use gdlr_text::syntax::{Language, check_size, utf8};

/// The longest text, in bytes: 16 MiB.
pub const MAX_BYTES: usize = 16 << 20;

/// Reads a game.
///
/// # Errors
///
/// Every violation of the grammar, and a text that is too large or nested too deep. A game that can
/// be read may still have errors: see [`check`](crate::hrg::check()).
///
/// ```
/// # mod gdlr { pub use gdlr_rg::hrg; }
/// let game = gdlr::hrg::read("domain Player = x\ngraph rules() { end() }").unwrap();
/// assert_eq!(game.graphs.len(), 1);
/// let errors = gdlr::hrg::read("domain = x\ngraph rules( { end() }").unwrap_err();
/// assert_eq!(errors.len(), 2);
/// ```
pub fn read(text: &str) -> Result<Game, Vec<Diagnostic>> {
    read_with_marks(text).map(|(game, _)| game)
}

/// Reads bytes that should be UTF-8.
///
/// # Errors
///
/// As [`read`]; also the place of the first byte that is not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Game, Vec<Diagnostic>> {
    read(utf8::<Hrg>(bytes)?)
}

/// Reads a game, with the marks for its layout.
pub(super) fn read_with_marks(text: &str) -> Result<(Game, Vec<Mark>), Vec<Diagnostic>> {
    check_size::<Hrg>(text, &Hrg::LIMITS)?;
    let mut reader = Reader::new(text);
    while reader.token.kind != TokenKind::End {
        let start = reader.token.start;
        if reader.declaration().is_err() {
            reader.skip_to_declaration(start);
        }
    }
    match reader.errors.is_empty() {
        true => Ok((reader.game, reader.marks)),
        false => Err(std::mem::take(&mut reader.errors)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hrg::ast::{Action, ExprKind, Operator, Statement};
    use crate::hrg::format;
    use gdlr_text::diagnostic::{Code, Span};

    /// The errors in a text: their codes, and the texts that they underline.
    fn errors(text: &str) -> Vec<(&'static str, &str)> {
        let errors = read(text).expect_err("an error");
        errors.iter().map(|error| (error.code.as_str(), &text[error.span.range()])).collect()
    }

    #[track_caller]
    fn statement(text: &str) -> Statement {
        let game = read(&format!("graph g() {{ {text} }}"));
        let mut game = game.unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        game.graphs.remove(0).body.remove(0)
    }

    #[test]
    fn declarations_of_every_kind() {
        let game = read(
            "domain D = a | P(I, b) where I in 0..2 | E domain E = Q(X, Y) where X in { a, b }, \
             Y in 1..1 f : D -> { a } -> E f(P(X, _), a) = Q(X, 1) f(_, _) = Q(a, 1) v : D \
             w : D = a m : D -> D -> E = { :{ :Q(a, 1) }; P(I, b) = { _ = Q(b, 1) } where I in \
             0..2 } reusable graph g(x: D, f: D -> E) {} graph h() { g(v, f) }",
        )
        .unwrap();
        let counts =
            (game.domains.len(), game.functions.len(), game.variables.len(), game.graphs.len());
        assert_eq!(counts, (2, 1, 3, 2));
        assert_eq!((game.functions[0].cases.len(), game.domains[0].elements.len()), (2, 3));
        assert!(game.graphs[0].reusable && !game.graphs[1].reusable);
    }

    #[test]
    fn statements_of_every_kind() {
        for text in [
            "v = w",
            "v[a](b) = w",
            "v = T(*)",
            "v[a][b] = { a, b }(*)",
            "v = A -> B(*)",
            "branch {} or {}",
            "branch x in { a, b } {}",
            "branch x in T {}",
            "forall x: T {}",
            "repeat 3 {}",
            "repeat x in T {}",
            "loop {}",
            "while v == a {}",
            "while (v == a) {}",
            "if v == a {}",
            "if (v == a) && (w == b) {} else {}",
            "if v == a {} else if v == b {} else {}",
            "check(not(reachable(h(a, b))) || true())",
            "end()",
            "$ t",
            "$_t",
            "$_ t",
            "$(a b)",
            "$_(a b)",
            "$$ v",
            // Words are names where no other reading is possible.
            "loop = branch",
            "if[repeat] = while",
            "then(else, or)",
            "repeat(a)",
        ] {
            let read = |text: &str| read(&format!("graph g() {{ {text} }}"));
            if text == "v[a](b) = w" {
                assert!(read(text).is_err());
            } else {
                assert!(read(text).is_ok(), "{text}: {:?}", read(text));
            }
        }
    }

    #[test]
    fn a_tag_may_only_tell_paths_apart() {
        for (text, expected, parts) in
            [("$t", false, 1), ("$ _t", false, 1), ("$_t", true, 1), ("$_(a b)", true, 2)]
        {
            let Action::Tag { artificial, symbols } = statement(text).action else { panic!() };
            assert_eq!((artificial, symbols.len()), (expected, parts), "{text}");
        }
    }

    #[test]
    fn operators_bind_as_usual() {
        let Action::Call { arguments, .. } =
            statement("check(a + 1 == b % 2 && c != d || e in T && f < g)").action
        else {
            panic!()
        };
        let ExprKind::Chain { first, rest } = &arguments[0].kind else { panic!() };
        assert_eq!(rest.len(), 1);
        assert_eq!(rest[0].0, Operator::Or);
        let ExprKind::Chain { first, rest } = &first.kind else { panic!() };
        assert_eq!(rest[0].0, Operator::And);
        let ExprKind::Chain { rest, .. } = &first.kind else { panic!() };
        assert_eq!(rest[0].0, Operator::Equal);
    }

    #[test]
    fn several_errors_in_one_run() {
        let text = "domain = a\ndomain D = a |\ngraph g() {\n    v w\n    x = )\n    loop { y z }\n    \
                    $ t\n    if a == { $ b }\n}\nf(x) = a\nv : D D\n";
        assert_eq!(
            errors(text),
            [
                ("H001", "="),
                ("H001", "graph"),
                ("H001", "w"),
                ("H001", ")"),
                ("H001", "z"),
                ("H001", "$"),
                ("H001", "f"),
                ("H001", "D"),
            ]
        );
    }

    #[test]
    fn a_missing_brace_is_told_where_the_next_graph_begins() {
        let text = "graph g() {\n  loop {\n    $ t\n}\n\ngraph h() { w }\ngraph i() { end() }";
        assert_eq!(errors(text), [("H001", "graph"), ("H001", "}")]);
    }

    #[test]
    fn characters_and_names_that_are_none() {
        for (text, code, place) in [
            ("# a", "H002", "#"),
            ("\u{feff}domain D = a", "H002", "\u{feff}"),
            ("f : A → B", "H002", "→"),
            ("domain var = a", "H006", "var"),
            ("domain D = type", "H006", "type"),
            ("domain D = P(I) where I in 0..99999999999", "H001", "99999999999"),
            ("domain D = P(I) where I in -1..2", "H001", "-"),
            ("graph g() { check(!a) }", "H002", "!"),
            ("graph g() { $ }", "H001", "}"),
            ("graph g() { v = T(* }", "H001", "}"),
            ("reusable g() {}", "H001", "g"),
            ("m : D = { a = }", "H001", "}"),
            ("graph g(", "H001", "("),
        ] {
            assert_eq!(errors(text)[0], (code, place), "{text}");
        }
    }

    #[test]
    fn depth_is_limited() {
        let graph = |inner: &str| format!("graph g() {{ {inner} }}");
        for (open, middle, close) in [
            ("loop { ", "$ t", " }"),
            ("v = ", "a", ""),
            ("check(", "a", ")"),
            ("if a == b { ", "", "}"),
        ] {
            let text = |depth: usize| match open {
                "v = " => graph(&format!("v = {}a{}", "f(".repeat(depth), ")".repeat(depth))),
                "check(" => graph(&format!("check({}a{})", "(".repeat(depth), ")".repeat(depth))),
                _ => graph(&format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))),
            };
            // A statement and its block count as two.
            assert!(read(&text(MAX_DEPTH / 2 - 2)).is_ok(), "{open}");
            assert!(errors(&text(MAX_DEPTH + 1)).iter().any(|(code, _)| *code == "H003"), "{open}");
            assert!(read(&text(50_000)).is_err(), "{open}");
        }
        let pattern = format!("f : A -> B f({}_{}) = a", "P(".repeat(5000), ")".repeat(5000));
        assert_eq!(errors(&pattern)[0].0, "H003");
        let conditional = format!("f : A -> B f(_) = {}", "if a == b then ".repeat(5000));
        assert_eq!(errors(&conditional)[0].0, "H003");
        // Chains are not deep.
        for text in [
            graph(&format!("check(a == b{})", " && a == b".repeat(50_000))),
            graph(&format!("v = a{}", "[b](c)".repeat(50_000))),
            graph(&format!("if a == b {{}}{}", " else if a == b {}".repeat(20_000))),
            format!("f : A -> B f(_) = {} a", "if a == b then a else ".repeat(20_000)),
            format!("f : {} B f(_) = a", "A -> ".repeat(50_000)),
        ] {
            assert!(read(&text).is_ok());
        }
    }

    #[test]
    fn size_and_errors_are_limited() {
        let text = " ".repeat(MAX_BYTES + 1);
        assert_eq!(read(&text).unwrap_err()[0].code, Code::HrgTooLarge);
        assert!(read(&text[1..]).is_ok());
        assert_eq!(read(&"domain D =\n".repeat(1000)).unwrap_err().len(), MAX_ERRORS);
        let error = &read_bytes(b"domain D = \xff").unwrap_err()[0];
        assert_eq!((error.code, error.span), (Code::HrgNotUtf8, Span::new(11, 12)));
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let text = "graph ż() {  v[ x ] = f( y )[z]  // c\n}";
        let game = read(text).unwrap();
        let statement = &game.graphs[0].body[0];
        assert_eq!(&text[statement.place.0.range()], "v[ x ] = f( y )[z]");
        let Action::Assign { keys, value, .. } = &statement.action else { panic!() };
        assert_eq!(&text[keys[0].place.0.range()], "x");
        assert_eq!(&text[value.place.0.range()], "f( y )[z]");
        assert!(format(text).unwrap().contains("v[x] = f(y)[z] // c\n"));
    }
}
