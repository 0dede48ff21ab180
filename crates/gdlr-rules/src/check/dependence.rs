//! Relations that must not depend on the state or on the moves (SPEC, definition 20).
//!
//! The initial state comes before there is a state, and what may be done, what it is worth
//! and whether it is over are settled before anybody moves.

use super::path::{next_hops, steps};
use super::sheet::Sheet;
use crate::gdl::Symbol;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;

/// A keyword that others must not depend on: its arity, and why not.
type Source = (Symbol, usize, &'static str);

const STATE: Source =
    (Symbol::TRUE, 1, "the initial state is made before there is a state to ask for");
const FIRST_MOVES: Source =
    (Symbol::DOES, 2, "there are no moves yet when the initial state is made");
const MOVES: Source =
    (Symbol::DOES, 2, "legal moves, goals and the end are settled before the moves of a step");
const OF_A_STATE: &str = "legal moves, goals and the end are of a state, and there is none yet: \
    move what both need into a relation of its own";

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let of_a_state = [(Symbol::LEGAL, 2), (Symbol::GOAL, 2), (Symbol::TERMINAL, 0)];
    let [legal, goal, terminal] = of_a_state.map(|(symbol, arity)| (symbol, arity, OF_A_STATE));
    let before = [STATE, FIRST_MOVES, legal, goal, terminal];
    depends(sheet, findings, Code::InitDependsOnState, &[Symbol::INIT], &before);
    let heads = of_a_state.map(|(symbol, _)| symbol);
    depends(sheet, findings, Code::StateDependsOnDoes, &heads, &[MOVES]);
}

/// Reports each rule for one of `heads` that depends on one of `sources`, at the first condition
/// that leads there.
fn depends(
    sheet: &Sheet,
    findings: &mut Findings,
    code: Code,
    heads: &[Symbol],
    sources: &[Source],
) {
    let number = |&(symbol, arity, _): &Source| sheet.graph.number(symbol, arity);
    let numbers: Vec<u32> = sources.iter().filter_map(number).collect();
    let reaches = sheet.graph.reaching(&numbers);
    let mut hops = None;
    let rules = sheet.played.iter().map(|rule| rule.rule);
    for rule in rules.filter(|rule| heads.contains(&rule.head.relation)) {
        let mut first = None;
        for literal in &rule.body {
            literal.for_each_sentence(&mut |sentence, _| {
                if first.is_none()
                    && let Some(number) = sheet.number(sentence)
                    && reaches[number as usize]
                {
                    first = Some((sentence.span, number));
                }
            });
        }
        let Some((span, condition)) = first else { continue };
        let hops = hops.get_or_insert_with(|| next_hops(&sheet.graph, &numbers, |_| true));
        findings.report(code, || {
            let mut source = condition;
            while let Some(next) = hops[source as usize] {
                source = next;
            }
            let why = sources.iter().find(|of| number(of) == Some(source)).map_or("", |of| of.2);
            let head = rule.head.relation.spelled(&sheet.game.symbols);
            let message = format!("`{head}` depends on `{}`", sheet.relation(source));
            let mut diagnostic = Diagnostic::new(code, span, message)
                .with_label(if condition == source { "here" } else { "through this condition" })
                .with_related(rule.head.span, format!("in a rule for `{head}`"))
                .with_help(why);
            diagnostic.related.extend(steps(sheet, hops, condition));
            diagnostic
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn the_initial_state_depends_on_nothing_that_moves() {
        let text = "(<= (init x) (p)) (<= (p) (q 1)) (<= (q ?x) (true (f ?x)))
                    (<= (init z) (not (true y))) (<= (init y) (r)) (<= (r) (does a x))";
        let diagnostics = marked(text, Code::InitDependsOnState);
        assert_eq!(diagnostics, ["(p)", "(true y)", "(r)"]);
        let path: Vec<_> = diagnose(text)
            .into_iter()
            .find(|d| d.code == Code::InitDependsOnState)
            .unwrap()
            .related
            .into_iter()
            .map(|(span, words)| (text[span.range()].to_owned(), words))
            .collect();
        assert_eq!(
            path.iter().map(|(text, words)| (&**text, &**words)).collect::<Vec<_>>(),
            [
                ("(init x)", "in a rule for `init`"),
                ("(q 1)", "`p` depends on `q` here"),
                ("(true (f ?x))", "`q` depends on `true` here"),
            ]
        );
    }

    #[test]
    fn the_initial_state_depends_on_nothing_of_a_state() {
        let text = "(<= (init (t ?v)) (goal a ?v)) (goal a 100) (<= (init x) (p)) (<= (p) (q))
                    (<= (q) (not (legal a b))) (<= (init y) (or (r 1) terminal)) (r 1)";
        assert_eq!(marked(text, Code::InitDependsOnState), ["(goal a ?v)", "(p)", "terminal"]);
        let diagnostics = diagnose(text);
        let of_code = diagnostics.iter().filter(|d| d.code == Code::InitDependsOnState);
        let messages: Vec<&str> = of_code.map(|d| &*d.message).collect();
        let depends = ["goal", "legal", "terminal"].map(|on| format!("`init` depends on `{on}`"));
        assert_eq!(messages, depends);
    }

    /// SPEC, definition 20, relation by relation: what a rule for the one may ask of the other.
    #[test]
    fn what_may_depend_on_what() {
        let of = |keyword: &str, arg: &str| match keyword {
            "terminal" => "terminal".to_owned(),
            "legal" | "goal" | "does" | "sees" | "input" => format!("({keyword} a {arg})"),
            _ => format!("({keyword} {arg})"),
        };
        let asked = ["role", "init", "true", "does", "next", "legal", "goal", "terminal", "sees"];
        let of_role = "E016,E009 E016,E016,E011 E016,E009 E011 E016,E016,E016,E016,E009 E016";
        // Goals and the end of `SOUND` ask for the state, and so depend on what it depends on.
        let of_true =
            "E008,E008 E009,E008,E008 E011 E011,E008 E009 E011 E011,E008,E008,E008,E008 E009";
        let of_does = "E008,E008 E009,E008,E008,E008 E009,E008,E008,E008,E008 E009";
        let of_init = ",E009,E010,E010,E009 E010,E010,E010,E010,E009";
        let of_next = ",E009,,,E009,,,,E009";
        let of_a_state = ",E009,,E011,E009 E011,,,,E009";
        // Hints are not for play: there is nothing to forbid, only to warn of.
        let of_hints = ",,W012,W012,W012,,W012,W012,W012";
        let table = [
            ("role", of_role),
            ("init", of_init),
            ("true", of_true),
            ("does", of_does),
            ("next", of_next),
            ("legal", of_a_state),
            ("goal", of_a_state),
            ("terminal", of_a_state),
            ("sees", of_next),
            ("p", of_next),
            ("base", of_hints),
            ("input", of_hints),
        ];
        let codes = ["E008", "E009", "E010", "E011", "E016", "W012"];
        for (head, expected) in table {
            for (condition, expected) in asked.iter().zip(expected.split(',')) {
                let arg = if head == "goal" { "5" } else { "x" };
                let (head, condition) = (of(head, arg), of(condition, "go"));
                // A relation that another one reads is read.
                for rules in [
                    format!("(<= {head} {condition})"),
                    format!("(<= {head} (between go)) (<= (between go) {condition})"),
                ] {
                    let diagnostics = diagnose(&format!("{SOUND} {rules}"));
                    let mut diagnostics: Vec<_> =
                        diagnostics.iter().map(|d| d.code.as_str()).collect();
                    diagnostics.retain(|code| codes.contains(code));
                    diagnostics.sort_unstable();
                    assert_eq!(diagnostics.join(" "), expected, "{rules}");
                }
            }
        }
    }

    #[test]
    fn goals_depend_on_no_moves() {
        let text = "(<= (goal a 1) (true x) (p)) (<= (p) (does a x)) (<= terminal (does a y))
                    (<= (legal a x) (or (true x) (p)))";
        assert_eq!(marked(text, Code::StateDependsOnDoes), ["(p)", "(does a y)", "(p)"]);
    }

    #[test]
    fn next_depends_on_both() {
        assert!(marked(SOUND, Code::StateDependsOnDoes).is_empty());
        assert!(marked(SOUND, Code::InitDependsOnState).is_empty());
        let text = "(<= (init (f ?x)) (p ?x)) (p 1) (<= (q ?x) (p ?x) (true x))";
        assert!(marked(text, Code::InitDependsOnState).is_empty());
    }
}
