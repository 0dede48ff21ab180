//! Walks through the automaton: from `begin` to `end`, and no further. Finds edges that no walk
//! reaches, and nodes that no walk leaves.
//!
//! In a proper game `end` is always entered with `player = keeper` (RG, 2.1). Other programs look
//! only at the node, so another way to enter it is worth a warning. If the value is known only in
//! play, `explore` sees it.

use super::scope::Scope;
use crate::rg::ast::{Base, Edge, Expr, Label};
use crate::rg::name::Name;
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::findings::Findings;
use hashbrown::HashSet;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    end(scope, findings);
    entering_end(scope, findings);
    unreachable(scope, findings);
    dead_ends(scope, findings);
}

fn end(scope: &Scope, findings: &mut Findings) {
    if !scope.graph.reachable(Name::BEGIN)[Name::END.index()] {
        findings.report(Code::RgEndUnreachable, || {
            let first = scope.graph.leaving(Name::BEGIN).next();
            let span = first.map_or(Span::default(), |edge| edge.from.place.0);
            Diagnostic::new(Code::RgEndUnreachable, span, "no edges lead from `begin` to `end`")
                .with_help("a game begins at the node `begin` and is over at the node `end`")
        });
    }
    if let Some(edge) = scope.graph.leaving(Name::END).next() {
        findings.report(Code::RgBehindEnd, || {
            Diagnostic::new(Code::RgBehindEnd, edge.from.place.0, "an edge leaves `end`")
                .with_help("the game is over there, but other programs go on with it")
        });
    }
}

/// Reports edges that enter `end` without `player = keeper`.
fn entering_end(scope: &Scope, findings: &mut Findings) {
    let looks_for_end =
        |edge: &Edge| matches!(edge.label, Label::Reach { to, .. } if to.name == Name::END);
    let is_target = scope.edges().any(looks_for_end);
    for edge in scope.edges().filter(|edge| edge.to.name == Name::END) {
        let value = match &edge.label {
            Label::Assign { target, value } if target.root() == Name::PLAYER => value,
            _ if is_target || is_never_legal(&edge.label) => continue,
            _ => {
                findings.report(Code::RgEnd, || {
                    let message = "an edge enters `end` without `player = keeper`";
                    Diagnostic::new(Code::RgEnd, edge.to.place.0, message)
                        .with_help("a walk that ends so is no move; end it with `player = keeper`")
                });
                continue;
            }
        };
        let symbol = stands_for(scope, value);
        if symbol == Some(Name::KEEPER) {
            continue;
        }
        findings.report(Code::RgEnd, || {
            let message = match symbol {
                Some(symbol) => format!("`end` is entered with `player = {}`", scope.text(symbol)),
                None => "`end` may be entered with another player than the keeper".to_owned(),
            };
            Diagnostic::new(Code::RgEnd, value.place.0, message)
                .with_help("the keeper ends a game: assign `keeper` on the way into `end`")
        });
    }
}

/// Whether a condition compares an expression with itself and never holds.
fn is_never_legal(label: &Label) -> bool {
    matches!(label, Label::Compare { left, right, equal: false } if left == right)
}

/// The symbol that an expression always is; `None` if that cannot be seen.
fn stands_for(scope: &Scope, expr: &Expr) -> Option<Name> {
    match &expr.base {
        _ if !expr.keys.is_empty() => None,
        Base::Cast(_, inner) => stands_for(scope, inner),
        Base::Name(name) if scope.constants.contains_key(&name.name) => scope.symbol(name.name),
        Base::Name(name) => (!scope.variables.contains_key(&name.name)).then_some(name.name),
    }
}

fn unreachable(scope: &Scope, findings: &mut Findings) {
    let mut seen = scope.graph.alive();
    let entered = |edge: &&Edge| scope.graph.first_entering(edge.from.name).is_some();
    // One report for a part of the automaton is enough: at nodes that no edge enters. If there are
    // none, the first node of a cycle is reported.
    let first = scope.edges().filter(|edge| !entered(edge));
    for edge in first.chain(scope.edges().filter(entered)) {
        let from = edge.from;
        if seen[from.name.index()] {
            continue;
        }
        scope.graph.add_alive(from.name, &mut seen);
        findings.report(Code::RgUnreachableEdge, || {
            let text = scope.text(from.name);
            let message = format!("no walk from `begin` comes to `{text}`");
            Diagnostic::new(Code::RgUnreachableEdge, from.place.0, message)
                .with_help("nor does a reachability check on such a walk begin there")
        });
    }
}

fn dead_ends(scope: &Scope, findings: &mut Findings) {
    let targets = scope.edges().filter_map(|edge| match edge.label {
        Label::Reach { to, .. } => Some(to.name),
        _ => None,
    });
    let mut checked: HashSet<Name> = targets.chain([Name::END]).collect();
    for edge in scope.edges() {
        let to = edge.to;
        if scope.graph.leaving(to.name).next().is_some() || !checked.insert(to.name) {
            continue;
        }
        findings.report(Code::RgDeadEnd, || {
            let text = scope.text(to.name);
            let message = format!("no edge leaves `{text}`, and nothing looks for it");
            Diagnostic::new(Code::RgDeadEnd, to.place.0, message)
                .with_help("a walk that comes there is no move")
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::{codes, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn the_end_must_be_in_reach() {
        for (text, reached) in [
            ("begin, a: ; a, end: ;", true),
            ("begin, a: 0 != 0; a, end: $ t;", true),
            ("begin, a: ? begin -> end; b, end: ;", false),
            ("p, q: ;", false),
            ("", false),
        ] {
            assert_eq!(!codes(text).contains(&"R119"), reached, "{text}");
        }
        let text = "begin, end: ; end, begin: ; end, a: ;";
        assert_eq!(marked(text, Code::RgBehindEnd), ["end"]);
    }

    #[test]
    fn the_keeper_ends_the_game() {
        let head = "type Player = { x }; type Score = { 0 }; const k: PlayerOrSystem = keeper;
            const m: Player -> PlayerOrSystem = { :keeper }; var w: PlayerOrSystem = keeper; ";
        for (edges, marks) in [
            ("begin, end: player = keeper;", &[][..]),
            ("begin, end: player = PlayerOrSystem(keeper); begin, end: player = k;", &[]),
            ("begin, end: player = x;", &["x"]),
            ("begin, end: player = random;", &["random"]),
            ("begin, end: player = w; begin, end: player = m[x];", &["w", "m[x]"]),
            ("begin, end: ; begin, end: $ t;", &["end", "end"]),
            ("begin, end: w = keeper; begin, end: 0 != 0;", &["end"]),
            ("begin, end: ; a, begin: ? begin -> end;", &[]),
        ] {
            assert_eq!(marked(&format!("{head}{edges}"), Code::RgEnd), marks, "{edges}");
        }
    }

    #[test]
    fn parts_that_are_never_used() {
        let text = "begin, end: ? a -> c; a, b: ! c -> d; b, c: ; c, d: ; e, f: ; f, e: ; g, h: ;
            h, f: ; end, i: ; i, a: ;";
        assert_eq!(marked(text, Code::RgUnreachableEdge), ["g"]);
        let text = "begin, end: ; a, b: ; b, a: ; c, c: ; d, d: ; d, c: ; e, c: ; f, f: ? e -> c;";
        assert_eq!(marked(text, Code::RgUnreachableEdge), ["a", "d", "e", "f"]);
        let text = "begin, end: ? a -> c; a, b: ; a, c: ; begin, d: ; begin, d: ; a, end: ;";
        assert_eq!(marked(text, Code::RgDeadEnd), ["b", "d"]);
    }
}
