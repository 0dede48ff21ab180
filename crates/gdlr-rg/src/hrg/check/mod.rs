//! Checks of a game: errors and warnings.
//!
//! There are three stages, and each runs only if the one before finds no error. The first checks
//! names, over the whole text. The second expands the game. It shows whether functions cover their
//! arguments, whether values are in their domains, and how large the game becomes. The third checks
//! the automaton ([`rg::validate`](crate::rg::validate())). It shows whether types agree. Its
//! errors have their places in the game.
//!
//! | file | subject | codes |
//! |---|---|---|
//! | `scope` | the meanings of names; types | H102, H113 |
//! | `declarations` | domains, functions, variables | H101, H105, H110, H111, H113 |
//! | `expressions` | names in expressions | H103, H105, H111, H112, H116 |
//! | `statements` | statements and calls | H101, H104–H107, H109, H120 |
//! | `recursion` | graphs that call themselves | H108 |
//! | `unused` | definitions without a use | H201 |
//!
//! The second stage reports the codes H113–H119 and H202.

mod declarations;
mod expressions;
mod recursion;
mod scope;
mod statements;
mod unused;

use super::ast::Game;
use super::limits::Limits;
use super::translate::expand;
use crate::rg::{self, Description, makes_improper};
use gdlr_text::diagnostic::{Code, Diagnostic, Severity, Span};
use hashbrown::HashSet;
use scope::Checker;

/// Diagnoses a game that could be read; the result is sorted by place.
///
/// ```
/// # mod gdlr { pub use gdlr_rg::hrg; }
/// use gdlr::hrg;
/// let text = "domain Player = x\ndomain Score = 0\ngraph rules() { player = x ends() }";
/// let diagnostics = hrg::check(&hrg::read(text).unwrap());
/// let codes: Vec<&str> = diagnostics.iter().map(|one| one.code.as_str()).collect();
/// assert_eq!(codes, ["H104"]);
/// ```
pub fn check(game: &Game) -> Vec<Diagnostic> {
    let mut findings = names(game);
    if !has_errors(&findings) {
        match expanded(game, Limits::default()) {
            Ok((_, warnings)) => findings.extend(warnings),
            Err(errors) => findings.extend(errors),
        }
    }
    findings.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    findings
}

/// The automaton of a game, within the [default limits](Limits::default()).
///
/// # Errors
///
/// The errors of [`check()`].
///
/// ```
/// # mod gdlr { pub use gdlr_rg::{hrg, rg}; }
/// use gdlr::{hrg, rg};
/// let text = "domain Player = x\ndomain Score = 0\ngraph rules() { player = x $ go end() }";
/// let description = hrg::translate(&hrg::read(text).unwrap()).unwrap();
/// assert!(rg::print(&description).unwrap().contains("begin, rules_1: player = x;\n"));
/// ```
pub fn translate(game: &Game) -> Result<Description, Vec<Diagnostic>> {
    translate_within(game, Limits::default())
}

/// The automaton of a game, within limits.
///
/// # Errors
///
/// The errors of [`check()`]. If the game exceeds a limit, the error says which part does.
pub fn translate_within(game: &Game, limits: Limits) -> Result<Description, Vec<Diagnostic>> {
    let mut findings = names(game);
    if has_errors(&findings) {
        findings.retain(|diagnostic| diagnostic.severity() == Severity::Error);
        return Err(findings);
    }
    expanded(game, limits).map(|(description, _)| description)
}

/// The errors and warnings about names.
fn names(game: &Game) -> Vec<Diagnostic> {
    let mut checker = Checker::new(game);
    checker.declarations();
    checker.graphs();
    checker.recursion();
    checker.unused();
    checker.findings.into_sorted()
}

/// The automaton, and the warnings.
fn expanded(
    game: &Game,
    limits: Limits,
) -> Result<(Description, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (description, mut warnings) = expand(game, limits)?;
    let mut reported: HashSet<(Code, Span)> = HashSet::new();
    let mut findings = rg::validate(&description);
    // Copies of a graph repeat the errors of the graph.
    findings.retain(|one| one.span == Span::default() || reported.insert((one.code, one.span)));
    let is_error = |one: &Diagnostic| one.severity() == Severity::Error;
    let (errors, others): (Vec<_>, Vec<_>) = findings.into_iter().partition(is_error);
    if !errors.is_empty() {
        return Err(errors);
    }
    // Other warnings about the automaton come from the translation.
    warnings.extend(others.into_iter().filter(|one| is_of_the_game(one.code)));
    Ok((description, warnings))
}

/// Whether a warning about the automaton is about the game: it is not proper.
fn is_of_the_game(code: Code) -> bool {
    code == Code::RgEnd || makes_improper(code)
}

fn has_errors(findings: &[Diagnostic]) -> bool {
    findings.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::hrg::read;

    const HEAD: &str = "domain Player = a | b\ndomain Score = 0 | 1\ndomain D = N(I) where I in 0..2\n\
        v : D\nw : Player\n";

    /// The codes of the findings, each with the text that it marks.
    #[track_caller]
    fn diagnostics(rest: &str) -> Vec<(String, String)> {
        let text = format!("{HEAD}{rest}");
        let game = read(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let diagnostics = check(&game);
        // Not all tests use the variables.
        let diagnostics = diagnostics.iter().filter(|one| one.code.as_str() != "H201");
        diagnostics
            .map(|one| (one.code.as_str().to_owned(), text[one.span.range()].to_owned()))
            .collect()
    }

    #[track_caller]
    fn assert_diagnostics(rest: &str, expected: &[(&str, &str)]) {
        let diagnostics = diagnostics(rest);
        let diagnostics: Vec<(&str, &str)> =
            diagnostics.iter().map(|(code, text)| (code.as_str(), text.as_str())).collect();
        assert_eq!(diagnostics, expected, "{rest}");
    }

    fn rules(body: &str) -> String {
        format!("graph rules() {{ player = a {body} end() }}")
    }

    #[test]
    fn a_sound_game() {
        assert_diagnostics(&rules("v = N(1) $$ v"), &[]);
    }

    #[test]
    fn names_by_themselves() {
        for (body, expected) in [
            ("u = v", vec![("H103", "u")]),
            ("v = u", vec![("H103", "u")]),
            ("v = N(U)", vec![("H103", "U")]),
            ("v = M(1)", vec![("H203", "M"), ("H115", "M(1)")]),
            ("v = N(1, 2)", vec![("H105", "N")]),
            ("v = f(v)", vec![("H103", "f")]),
            ("v = a(v)", vec![("H103", "a")]),
            ("a = v", vec![("H120", "a")]),
            ("v = E(*)", vec![("H102", "E")]),
            ("branch x in E { $ x }", vec![("H102", "E")]),
            ("branch x in { u } { $ x }", vec![("H103", "u")]),
            ("check(v in E)", vec![("H102", "E")]),
            ("g()", vec![("H104", "g")]),
            ("check(reachable(g()))", vec![("H104", "g")]),
            ("check(reachable(v))", vec![("H112", "v")]),
            ("check()", vec![("H105", "check")]),
            ("branch { end(1) } or {}", vec![("H105", "end")]),
            ("break()", vec![("H107", "break"), ("H106", "end()")]),
            ("branch { return() $ a } or {}", vec![("H106", "$ a")]),
            ("$$ u", vec![("H103", "u")]),
            ("rules()", vec![("H108", "rules")]),
            ("check(reachable(rules()))", vec![("H108", "rules")]),
        ] {
            assert_diagnostics(&rules(body), &expected);
        }
    }

    #[test]
    fn declarations() {
        let with = |text: &str| format!("{text}\n{}", rules("$ x"));
        for (text, expected) in [
            ("domain D = a", vec![("H101", "D")]),
            ("v : D", vec![("H101", "v")]),
            ("graph g(x: D, x: D) {}", vec![("H101", "x")]),
            ("graph end() {}", vec![("H101", "end")]),
            ("domain E = F\ndomain F = E", vec![("H110", "E"), ("H110", "F")]),
            ("domain E = E | a", vec![("H110", "E")]),
            ("domain E = P(X)", vec![("H111", "X")]),
            ("domain E = P(X) where X in 0..1, X in 1..2", vec![("H111", "X")]),
            ("domain E = P(X) where X in 0..1, Y in 1..2", vec![("H111", "Y")]),
            ("domain E = P(x) where x in 0..1", vec![("H111", "x")]),
            ("domain E = P(X) where X in 2..1", vec![("H113", "X in 2..1")]),
            ("f : D -> F\nf(_) = a", vec![("H102", "F")]),
            ("f : D -> D\nf(N(X, Y)) = N(X)", vec![("H105", "N")]),
            ("f : D -> D -> D\nf(X, X) = X", vec![("H111", "X")]),
            ("f : D -> D\nf(X) = Y", vec![("H103", "Y")]),
            ("f : D -> D\nf(_) = v", vec![("H116", "v")]),
            ("f : D -> D\nf(_, _) = N(0)", vec![("H105", "f(_, _) = N(0)")]),
            ("f : D -> D\nf(_) = N(0)\nf() = N(0)", vec![("H105", "f() = N(0)")]),
            ("f : D\nf(_) = N(0)", vec![("H113", "D")]),
            ("f : D -> D\nf(N(0)) = N(1)", vec![("H114", "f")]),
            ("f : D -> D\nf(_) = a", vec![("H115", "f")]),
            ("f : D -> D\nf(X) = X\nf(N(0)) = N(1)", vec![("H202", "f(N(0)) = N(1)")]),
            ("m : D -> D = { N(X) = N(0) }", vec![("H111", "X")]),
            ("m : D -> D = { N(0) = N(0); N(0) = N(1) }", vec![("H118", "N(0) = N(1)")]),
            ("m : D -> D = { :N(0); _ = N(1) }", vec![("H118", "_ = N(1)")]),
            ("m : D -> D = { N(0) = N(0) }", vec![("H205", "{ N(0) = N(0) }")]),
            ("m : D -> D = { :N(0); a = N(0) }", vec![("H204", "{ :N(0); a = N(0) }")]),
            ("m : D -> D = N(0)", vec![("H113", "N(0)")]),
            ("x : D = a", vec![("H115", "a")]),
            ("x : D -> Goals -> D", vec![("H113", "Goals")]),
        ] {
            assert_diagnostics(&with(text), &expected);
        }
    }

    #[test]
    fn what_is_not_proper_is_so_in_the_automaton() {
        let codes_of = |definitions: &str, rest: &str| -> Vec<String> {
            let text = format!("{definitions}\ngraph rules() {{ {rest} }}");
            check(&read(&text).unwrap()).iter().map(|one| one.code.as_str().to_owned()).collect()
        };
        let usual = "domain Player = a | b\ndomain Score = 0";
        for (definitions, rest, codes) in [
            (usual, "player = a $ t end()", &[][..]),
            ("domain Player = a | keeper\ndomain Score = 0", "end()", &["R215"]),
            (&format!("{usual}\ndomain Bool = 0 | 1 | 2"), "end()", &["R220"]),
            (&format!("{usual}\ndomain Bool = 1 | 0"), "end()", &[]),
            (&format!("{usual}\nplayer : PlayerOrSystem = a"), "$ t end()", &["R216"]),
        ] {
            assert_eq!(codes_of(definitions, rest), codes, "{definitions} {rest}");
        }
    }

    #[test]
    fn graphs_that_call_themselves() {
        let text = format!("graph g() {{ h() }}\ngraph h() {{ g() }}\n{}", rules("g()"));
        assert_diagnostics(&text, &[("H108", "h"), ("H108", "g")]);
        // Each check of a shared graph has a state of its own.
        let text = format!(
            "reusable graph g() {{ branch {{ check(v == N(0)) }} or {{ check(v != N(0)) v = N(0) check(reachable(g())) }} }}\n{}",
            rules("check(reachable(g()))")
        );
        assert_diagnostics(&text, &[]);
    }

    #[test]
    fn a_defect_of_a_graph_is_told_once() {
        let text = format!("graph g() {{ v = a }}\n{}", rules("g() g() g()"));
        assert_diagnostics(&text, &[("R114", "a")]);
    }

    #[test]
    fn what_is_missing() {
        let codes = |text: &str| -> Vec<&'static str> {
            check(&read(text).unwrap()).iter().map(|one| one.code.as_str()).collect()
        };
        assert_eq!(codes(""), ["H109"]);
        assert_eq!(codes("graph rules() { end() }"), ["R101", "R101"]);
        assert_eq!(
            codes(&format!("{HEAD}graph rules() {{ loop {{}} }}")),
            ["R119", "H201", "H201"]
        );
        assert_eq!(
            codes(&format!("{HEAD}graph rules(x: D) {{ end() }}")),
            ["H201", "H201", "H105"]
        );
    }
}
