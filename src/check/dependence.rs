//! What must not depend on the state or on the moves (SPEC, definition 20).
//!
//! The initial state comes before there is a state, and what may be done, what it is worth
//! and whether it is over are settled before anybody moves.

use super::path::{next_hops, steps};
use super::sheet::Sheet;
use crate::diagnostic::{Code, Diagnostic};
use crate::findings::Findings;
use crate::gdl::Symbol;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let before_state = [Symbol::INIT, Symbol::BASE, Symbol::INPUT];
    let before_moves = [Symbol::LEGAL, Symbol::GOAL, Symbol::TERMINAL];
    let [on_true, on_does] = [(Symbol::TRUE, 1), (Symbol::DOES, 2)]
        .map(|(symbol, arity)| sheet.graph.number(symbol, arity));
    if let Some(source) = on_true {
        let help = "the initial state and the hints hold before there is a state to ask for";
        depends(sheet, findings, Code::InitDependsOnState, &before_state, source, help);
    }
    if let Some(source) = on_does {
        let help = "there are no moves yet when the initial state and the hints are made";
        depends(sheet, findings, Code::InitDependsOnState, &before_state, source, help);
        let help = "legal moves, goals and the end are settled before the moves of a step";
        depends(sheet, findings, Code::StateDependsOnDoes, &before_moves, source, help);
    }
}

/// Reports each rule for one of `heads` that depends on `source`, at the first condition
/// that leads there.
fn depends(
    sheet: &Sheet,
    findings: &mut Findings,
    code: Code,
    heads: &[Symbol],
    source: u32,
    help: &str,
) {
    let reaches = sheet.graph.reaching(&[source]);
    let mut hops = None;
    for rule in sheet.game.rules.iter().filter(|rule| heads.contains(&rule.head.relation)) {
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
        let hops = hops.get_or_insert_with(|| next_hops(&sheet.graph, source, |_| true));
        findings.report(code, || {
            let head = rule.head.relation.spelled(&sheet.game.symbols);
            let message = format!("`{head}` depends on `{}`", sheet.relation(source));
            let mut diagnostic = Diagnostic::new(code, span, message)
                .with_label(if condition == source { "here" } else { "through this condition" })
                .with_related(rule.head.span, format!("in a rule for `{head}`"))
                .with_help(help);
            diagnostic.related.extend(steps(sheet, hops, condition));
            diagnostic
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use crate::diagnostic::Code;

    #[test]
    fn the_initial_state_depends_on_nothing_that_moves() {
        let text = "(<= (init x) (p)) (<= (p) (q 1)) (<= (q ?x) (true (f ?x)))
                    (<= (base x) (not (true y))) (<= (input a x) (r)) (<= (r) (does a x))";
        let found = marked(text, Code::InitDependsOnState);
        assert_eq!(found, ["(p)", "(true y)", "(r)"]);
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
