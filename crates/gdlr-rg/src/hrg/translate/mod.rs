//! Translates a game to an automaton of Regular Games.
//!
//! - A domain becomes a type, and its values become symbols: `P(1, a)` is `P__1_a`.
//! - A function becomes a constant map. Arguments with the most frequent value need no entry.
//! - The statements of `rules` become edges from `begin` to `end`. A call becomes the edges of the
//!   graph that it calls, again for each call. Calls share the copies for `reachable(…)` and of
//!   `reusable` graphs.
//! - A `branch`, a `repeat` or a call can give a name a known value. The name then stands for that
//!   value, and conditions that it decides leave no edge.
//!
//! Names, types and expressions keep their places in the text of the game. So errors in the
//! automaton have places in the game.
//!
//! | file | content |
//! |---|---|
//! | [`expansion`] | the automaton so far; the meanings of names |
//! | [`naming`] | names of symbols, nodes and variables |
//! | [`scope`] | the meanings of names in a copy of a graph |
//! | [`definitions`] | types, constants, variables |
//! | [`statements`] | the edges of statements |
//! | [`conditions`] | the edges of conditions |
//! | [`operands`] | expressions |
//! | [`invocations`] | calls |

mod conditions;
mod definitions;
mod expansion;
mod invocations;
mod naming;
mod operands;
mod scope;
mod statements;

use super::ast::Game;
use super::limits::Limits;
use crate::hrg::evaluate::Evaluated;
use crate::rg::{Description, Hint, Name, Place, Pragma};
use expansion::Expansion;
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::HashSet;
use scope::Frame;

/// The automaton of a game that has passed the checks of names, with warnings.
///
/// # Errors
///
/// Errors that only the expansion shows: values that are not of their domains, functions without a
/// case for some arguments, more edges or values than the limits allow.
pub(super) fn expand(
    game: &Game,
    limits: Limits,
) -> Result<(Description, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut expansion = Expansion::new(game, limits).map_err(|error| vec![error])?;
    if let Err(error) = all(&mut expansion) {
        expansion.report(*error);
    }
    unused_cases(&mut expansion);
    expansion.finish()
}

fn all(expansion: &mut Expansion) -> Evaluated<()> {
    expansion.definitions()?;
    let Some(&rules) = expansion.game.names.get("rules").and_then(|it| expansion.graphs.get(&it))
    else {
        let message = "there is no graph `rules`, where a game begins";
        return Err(Box::new(Diagnostic::new(Code::HrgNoRules, Span::default(), message)));
    };
    let (begin, end) = (Name::BEGIN, Name::END);
    let mut frame =
        Frame { graph: rules, parameters: Vec::new(), locals: Vec::new(), end, back: end };
    expansion.block(&mut frame, &rules.body, begin, end, None)?;
    expansion.declare_addresses();
    let mut seen = HashSet::new();
    let tags: Vec<_> =
        expansion.artificial_tags.drain(..).filter(|tag| seen.insert(tag.name)).collect();
    if let Some(first) = tags.first() {
        let place: Place = first.place;
        let pragma = Pragma { hint: Hint::ArtificialTag { tags }, place };
        expansion.description.pragmas.push(pragma);
    }
    Ok(())
}

/// Warns of cases of functions that match no arguments.
fn unused_cases(expansion: &mut Expansion) {
    let game = expansion.game;
    for function in &game.functions {
        for case in function.cases.iter().filter(|case| !case.place.0.range().is_empty()) {
            if !expansion.evaluator.is_used(case) {
                let text = game.names.text(function.name.name);
                let message = format!("no arguments of `{text}` come to this case");
                expansion.warn(Diagnostic::new(Code::HrgUnusedCase, case.place.0, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::hrg::{Limits, read, translate_within};
    use crate::rg::{self, Description};
    use gdlr_text::diagnostic::Code;

    /// Definitions for the games below.
    const HEAD: &str = "domain Player = a | b\ndomain Score = 0 | 1\n\
        domain D = N(I) where I in 0..2\ndomain E = none | D\n\
        next : D -> E\nnext(N(I)) = if I < 2 then N(I + 1) else none\n\
        back : D -> E\nback(N(0)) = none\nback(N(I)) = N(I - 1)\n\
        d : D\ne : E\nm : D -> E = { :none }\n";

    #[track_caller]
    fn translated(text: &str) -> Description {
        let game = read(text).unwrap_or_else(|errors| panic!("{errors:?}"));
        translate_within(&game, Limits::default()).unwrap_or_else(|errors| panic!("{errors:?}"))
    }

    /// The statements of an automaton that begin with a text.
    fn statements(description: &Description, with: &str) -> Vec<String> {
        let text = rg::print(description).expect("names of the game");
        text.lines().filter(|line| line.starts_with(with)).map(str::to_owned).collect()
    }

    /// The edges of statements that end in `end()`, without the last edge.
    #[track_caller]
    fn edges(body: &str) -> Vec<String> {
        edges_with("", body)
    }

    #[track_caller]
    fn edges_with(graphs: &str, body: &str) -> Vec<String> {
        let text = format!("{HEAD}{graphs}\ngraph rules() {{ {body} end() }}");
        let text = rg::print(&translated(&text)).expect("names of the game");
        let edges = text
            .lines()
            .filter(|line| line.contains(", ") && line.contains(':') && !line.contains(" = {"));
        let edges = edges.filter(|line| !line.starts_with(['@', 't', 'v']));
        edges.filter(|line| !line.contains("end: player")).map(str::to_owned).collect()
    }

    /// The codes of the errors of statements.
    #[track_caller]
    fn errors(body: &str) -> Vec<&'static str> {
        let text = format!("{HEAD}graph rules() {{ {body} end() }}");
        let errors = translate_within(&read(&text).unwrap(), Limits::default()).unwrap_err();
        errors.iter().map(|error| error.code.as_str()).collect()
    }

    #[test]
    fn definitions_become_types_constants_and_variables() {
        let description = translated(&format!(
            "{HEAD}f : D -> D -> E\nf(N(I), N(J)) = if I == J then N(I) else none\n\
             other : Player -> D -> E\nother(a) = next\nother(_) = back\n\
             n : D -> E = {{ N(I) = N((I + 2) % 3) where I in 0..2 }}\n\
             o : D -> D -> E = {{ _ = {{ N(1) = N(1); _ = none }} }}\n\
             graph rules() {{ end() }}"
        ));
        assert_eq!(
            statements(&description, "type "),
            [
                "type Player = { a, b };",
                "type Score = { 0, 1 };",
                "type D = { N__0, N__1, N__2 };",
                "type E = { none, N__0, N__1, N__2 };"
            ]
        );
        assert_eq!(
            statements(&description, "const "),
            [
                "const next: D -> E = { :N__1, N__1: N__2, N__2: none };",
                "const back: D -> E = { :none, N__1: N__0, N__2: N__1 };",
                "const f: D -> D -> E = { :{ :none, N__0: N__0 }, N__1: { :none, N__1: N__1 }, \
                 N__2: { :none, N__2: N__2 } };",
                "const other: Player -> D -> E = { :next, b: back };",
            ]
        );
        assert_eq!(
            statements(&description, "var "),
            [
                "var d: D = N__0;",
                "var e: E = none;",
                "var m: D -> E = { :none };",
                "var n: D -> E = { :N__2, N__1: N__0, N__2: N__1 };",
                "var o: D -> D -> E = { :{ :none, N__1: N__1 } };",
            ]
        );
        assert_eq!(statements(&description, "@"), ["@integer 0 : N__0 N__1 N__2;"]);
    }

    #[test]
    fn the_order_of_definitions_is_arbitrary() {
        let lines = [
            "domain Player = a | b",
            "domain Score = 0 | 1",
            "domain E = none | D",
            "domain D = N(I) where I in 0..2",
            "other : Player -> D -> E\nother(a) = next\nother(_) = back",
            "next : D -> E\nnext(N(I)) = if I < 2 then N(I + 1) else none",
            "back : D -> E\nback(_) = none",
            "m : D -> E = next",
            "d : D = N(1)",
            "graph g() { $ x }",
            "graph rules() { player = a g() d = D(*) end() }",
        ];
        let sorted = |description: &Description| {
            let text = rg::print(description).expect("names of the game");
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        let first = translated(&lines.join("\n"));
        // Other programs want a constant to be defined before its use.
        let constants = statements(&first, "const ");
        assert!(constants[2].starts_with("const other"), "{constants:?}");
        for turn in 1..lines.len() {
            let mut lines = lines;
            lines.rotate_left(turn);
            assert_eq!(sorted(&translated(&lines.join("\n"))), sorted(&first), "{turn}");
        }
        let mut lines = lines;
        lines.reverse();
        assert_eq!(sorted(&translated(&lines.join("\n"))), sorted(&first));
    }

    #[test]
    fn statements_follow_each_other() {
        assert_eq!(
            edges("d = N(1) m[d] = next(d) e = m[N(0)] d = D(*) $ x $(x y) $_z $$ d"),
            [
                "begin, rules_1: d = N__1;",
                "rules_1, rules_2: m[d] = next[d];",
                "rules_2, rules_3: e = m[N__0];",
                "rules_3, rules_4: d = D(*);",
                "rules_4, rules_5: $ x;",
                "rules_5, rules_6: $ x__y;",
                "rules_6, rules_7: $ z;",
                "rules_7, rules_8: $$ d;",
            ]
        );
    }

    #[test]
    fn branches_lead_from_one_node_to_another() {
        assert_eq!(
            edges(
                "branch { $ x } or {} branch v in { next, back } { e = v[d] } forall v: D { d = v }"
            ),
            [
                "begin, rules_1: $ x;",
                "begin, rules_1: ;",
                "rules_1, rules_2: e = next[d];",
                "rules_1, rules_2: e = back[d];",
                "rules_2, rules_3: d = N__0;",
                "rules_2, rules_3: d = N__1;",
                "rules_2, rules_3: d = N__2;",
            ]
        );
    }

    #[test]
    fn loops_begin_at_a_node_of_their_own() {
        assert_eq!(
            edges("loop { branch { $ x continue() } or { break() } }"),
            [
                "begin, rules_2: ;",
                "rules_2, rules_3: $ x;",
                "rules_3, rules_2: ;",
                "rules_2, rules_1: ;"
            ]
        );
        assert_eq!(
            edges("while d == N(0) { d = D(*) }"),
            [
                "begin, rules_2: ;",
                "rules_2, rules_3: d == N__0;",
                "rules_2, rules_1: d != N__0;",
                "rules_3, rules_2: d = D(*);"
            ]
        );
        assert_eq!(
            edges("repeat 2 { $ x } repeat v in { 1, 1 } { d = N(v) } repeat 0 { $ y }"),
            [
                "begin, rules_2: $ x;",
                "rules_2, rules_1: $ x;",
                "rules_1, rules_4: d = N__1;",
                "rules_4, rules_3: d = N__1;",
                "rules_3, rules_5: ;"
            ]
        );
    }

    #[test]
    fn conditions_have_an_edge_for_each_answer() {
        assert_eq!(
            edges("if d == N(0) { $ x } else if e == none && d != N(1) { $ y } else { $ z }"),
            [
                "begin, rules_2: d == N__0;",
                "begin, rules_3: d != N__0;",
                "rules_2, rules_1: $ x;",
                "rules_3, rules_6: e == none;",
                "rules_3, rules_5: e != none;",
                "rules_6, rules_4: d != N__1;",
                "rules_6, rules_5: d == N__1;",
                "rules_4, rules_1: $ y;",
                "rules_5, rules_1: $ z;"
            ]
        );
        assert_eq!(
            edges("check(d == N(0) || not(e == none && d == N(1)))"),
            [
                "begin, rules_1: d == N__0;",
                "begin, rules_2: e == none;",
                "begin, rules_1: e != none;",
                "rules_2, rules_1: d != N__1;"
            ]
        );
        assert_eq!(
            edges("if d == N(0) || e == none { $ x }"),
            [
                "begin, rules_2: d == N__0;",
                "begin, rules_3: d != N__0;",
                "rules_3, rules_2: e == none;",
                "rules_3, rules_1: e != none;",
                "rules_2, rules_1: $ x;"
            ]
        );
    }

    #[test]
    fn membership_is_a_comparison_with_each_value() {
        assert_eq!(
            edges("check(e in D)"),
            [
                "begin, rules_1: e == N__0;",
                "begin, rules_1: e == N__1;",
                "begin, rules_1: e == N__2;"
            ]
        );
        assert_eq!(
            edges("check(not(e in D))"),
            [
                "begin, rules_2: e != N__0;",
                "rules_2, rules_3: e != N__1;",
                "rules_3, rules_1: e != N__2;"
            ]
        );
    }

    #[test]
    fn what_is_decided_before_play_leaves_no_edge() {
        assert_eq!(
            edges("branch v in { 0, 1, 2 } { if v < 1 || N(v + 1) in D { $ v } else { $ last } }"),
            [
                "begin, rules_2: ;",
                "rules_2, rules_1: $ 0;",
                "begin, rules_7: ;",
                "rules_7, rules_5: ;",
                "rules_5, rules_1: $ 1;",
                "begin, rules_10: ;",
                "rules_10, rules_9: ;",
                "rules_9, rules_1: $ last;"
            ]
        );
        assert_eq!(
            edges("if true() {} else { $ x }"),
            ["begin, rules_2: ;", "rules_2, rules_1: ;"]
        );
        assert_eq!(edges("if false() { $ x }"), ["begin, rules_1: ;"]);
    }

    #[test]
    fn calls_are_expanded() {
        let graphs = "graph g(x: D, y: E) { if x == y { return() } e = y $$ x }";
        assert_eq!(
            edges_with(graphs, "g(N(1), next(d))"),
            [
                "begin, rules_2: g_y = next[d];",
                "rules_2, g_2: N__1 == g_y;",
                "rules_2, g_1: N__1 != g_y;",
                "g_2, rules_1: ;",
                "g_1, g_3: e = g_y;",
                "g_3, rules_1: $ N__1;"
            ]
        );
        // A variable holds a parameter that the graph assigns to, or whose argument is not known.
        let graphs = "graph g(x: D) { x = D(*) $$ x }";
        assert_eq!(
            edges_with(graphs, "g(N(1))"),
            ["begin, rules_2: g_x = N__1;", "rules_2, g_1: g_x = D(*);", "g_1, rules_1: $$ g_x;"]
        );
        let graphs = "graph g(f: D -> E) { e = f(d) }\ngraph h(f: D -> E) { g(f) }";
        assert_eq!(edges_with(graphs, "h(back)"), ["begin, rules_1: e = back[d];"]);
    }

    #[test]
    fn copies_for_checks_are_shared() {
        let graphs = "graph g(x: D) { check(m[x] == none) branch {} or { end() } }";
        assert_eq!(
            edges_with(
                graphs,
                "check(reachable(g(N(1)))) if not(reachable(g(N(1)))) { $ x } check(reachable(g(d)))"
            ),
            [
                "g_1, g_3: m[N__1] == none;",
                "g_3, g_2: ;",
                "g_3, g_2: player = keeper;",
                "begin, rules_1: ? g_1 -> g_2;",
                "rules_1, rules_2: ? g_1 -> g_2;",
                "rules_1, rules_3: ! g_1 -> g_2;",
                "rules_3, rules_2: $ x;",
                "g_4, g_6: m[g_x] == none;",
                "g_6, g_5: ;",
                "g_6, g_5: player = keeper;",
                "g_7, rules_5: g_x = d;",
                "rules_5, g_4: ;",
                "rules_2, rules_4: ? g_7 -> g_5;"
            ]
        );
    }

    #[test]
    fn calls_of_reusable_graphs_share_a_copy() {
        let graphs = "reusable graph g(x: D) { d = x }";
        assert_eq!(
            edges_with(graphs, "g(N(1)) g(next(d)) g(N(1))"),
            [
                "g_1, g_2: d = N__1;",
                "begin, rules_2: g_caller = g_call;",
                "rules_2, g_1: ;",
                "g_2, rules_1: g_caller == g_call;",
                "g_3, g_4: d = g_x;",
                "rules_1, rules_4: g_caller_2 = g_call_2;",
                "rules_4, rules_5: g_x = next[d];",
                "rules_5, g_3: ;",
                "g_4, rules_3: g_caller_2 == g_call_2;",
                "rules_3, rules_7: g_caller = g_call_3;",
                "rules_7, g_1: ;",
                "g_2, rules_6: g_caller == g_call_3;"
            ]
        );
    }

    #[test]
    fn what_is_only_seen_when_expanded_is_diagnosed() {
        for (body, codes) in [
            ("d = N(3)", vec!["H115"]),
            ("branch v in { 0, 1 } { m[N(v - 1)] = none }", vec!["H115"]),
            ("branch v in { 0, x } { d = N(v + 1) }", vec!["H117"]),
            ("branch v in { 1 } { d = N(1 % (v - 1)) }", vec!["H117"]),
            ("if d < N(1) { $ x }", vec!["H116"]),
            ("d = N(d)", vec!["H116"]),
            ("check(d)", vec!["H112"]),
            ("d = { :none }", vec!["H116"]),
            ("d = none", vec!["R114"]),
            ("check(d == a)", vec!["R114"]),
            ("next = d", vec!["H120"]),
            ("branch v in D -> E { $ x }", vec!["H113"]),
        ] {
            let body = if body.contains("{ 0, x }") { body.replace('x', "a") } else { body.into() };
            assert_eq!(errors(&body), codes, "{body}");
        }
    }

    #[test]
    fn what_grows_beyond_its_limit_is_refused() {
        let refused = |text: &str, limits: Limits| {
            let errors = translate_within(&read(text).unwrap(), limits).unwrap_err();
            assert_eq!(errors[0].code, Code::HrgGrowth, "{errors:?}");
            format!("{} {}", errors[0].message, errors[0].help.as_deref().unwrap_or_default())
        };
        let calls: String =
            (0..30).map(|n| format!("graph g{n}() {{ g{}() g{}() }}\n", n + 1, n + 1)).collect();
        let text = format!("{HEAD}{calls}graph g30() {{ $ x }}\ngraph rules() {{ g0() end() }}");
        let few = Limits { edges: 1000, ..Limits::default() };
        assert!(refused(&text, few).contains("`g30` was expanded 100"), "{}", refused(&text, few));
        assert!(refused(&text, Limits::default()).contains("2000000 edges"));
        let deep: String = (0..500).map(|n| format!("graph g{n}() {{ g{}() }}\n", n + 1)).collect();
        let text = format!("{HEAD}{deep}graph g500() {{ $ x }}\ngraph rules() {{ g0() end() }}");
        assert!(refused(&text, Limits::default()).contains("deep"));
        let large = "domain Player = P(A, B, C) where A in 0..999, B in 0..999, C in 0..999\n\
            domain Score = 0\ngraph rules() { end() }";
        assert!(refused(large, Limits::default()).contains("1000000 values"));
        let text = format!("{HEAD}graph rules() {{ repeat 2147483648 {{ $ x }} end() }}");
        assert!(refused(&text, Limits::default()).contains("edges"));
        let text = format!("{HEAD}f : D -> D\nf(X) = f(X)\ngraph rules() {{ d = f(d) end() }}");
        assert!(refused(&text, Limits::default()).contains("deep"));
        let text = format!(
            "{HEAD}f : D -> D\nf(N(0)) = f(N(1))\nf(N(1)) = if f(N(2)) == f(N(2)) then N(0) else N(1)\n\
             f(N(2)) = if g(N(2)) == g(N(1)) then N(1) else N(0)\ng : D -> D\n\
             g(X) = if f(N(1)) == f(N(2)) then X else X\ngraph rules() {{ d = f(d) end() }}"
        );
        refused(&text, Limits::default());
        let doubling: String =
            (1..60).map(|n| format!("f{n} : D -> D\nf{n}(X) = f{}(Q(X, X))\n", n - 1)).collect();
        let text = format!(
            "{HEAD}domain Z = Q(I, J) where I in 0..1, J in 0..1\nf0 : D -> D\nf0(X) = N(0)\n\
             {doubling}graph rules() {{ d = f59(d) end() }}"
        );
        assert!(refused(&text, Limits::default()).contains("parts"));
        let table = "domain Player = P(A) where A in 0..99\ndomain Score = 0\n\
            f : Player -> Player -> Player -> Player -> Player\nf(_, _, _, X) = X\n\
            graph rules() { end() }";
        assert!(refused(table, Limits::default()).contains("entries"));
        let map = "domain Player = P(A) where A in 0..9\ndomain Score = 0\n\
            m : Player -> Score = { P(A) = 0 where A in 0..2000000000 }\ngraph rules() { end() }";
        assert!(refused(map, Limits::default()).contains("entries"));
    }

    #[test]
    fn the_deepest_blocks_and_calls_fit_on_the_stack() {
        let limit = Limits::default().depth;
        let calls = |count: usize| -> String {
            let graphs = (0..count).map(|n| format!("graph g{n}() {{ g{}() }}\n", n + 1));
            let graphs: String = graphs.collect();
            format!(
                "{HEAD}{graphs}graph g{count}() {{ check(d == N(1)) }}\n\
                     graph rules() {{ player = a g0() $ x end() }}"
            )
        };
        // A call counts as a statement and a graph.
        translated(&calls(limit / 2 - 2));
        // Conditions and functions within the deepest call.
        let (open, close) = ("not(".repeat(100), ")".repeat(100));
        let text = format!(
            "{}domain L = C(I) where I in 0..50\nup : L -> L\n\
             up(C(I)) = if I < 50 then up(C(I + 1)) else C(50)\n\
             graph g{}() {{ check({open}d == N(1) && N(up(C(0)) == C(0)) != d{close}) }}\n",
            calls(limit / 2 - 2)
                .replace(&format!("graph g{}() {{ check(d == N(1)) }}\n", limit / 2 - 2), ""),
            limit / 2 - 2,
        );
        // It is refused for its last condition, not for its depth.
        let errors = translate_within(&read(&text).unwrap(), Limits::default()).unwrap_err();
        assert_eq!(errors[0].code, Code::HrgNotConstant, "{errors:?}");
        let blocks = |count: usize| {
            let (open, close) = ("branch { ".repeat(count), " }".repeat(count));
            format!("{HEAD}graph rules() {{ player = a {open} $ x {close} end() }}")
        };
        translated(&blocks(crate::hrg::MAX_DEPTH / 2 - 2));
    }
}
