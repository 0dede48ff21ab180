//! Goal values that are none: SPEC (section 6.8) has integers from 0 to 100.

use super::kinds::Kinds;
use super::placed::arguments;
use super::sheet::Sheet;
use crate::gdl::{Symbol, Term};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use hashbrown::HashSet;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    let code = Code::GoalValue;
    let mut kinds = None;
    let mut reported: HashSet<&Term> = HashSet::new();
    for rule in sheet.played.iter().filter(|rule| rule.rule.head.relation == Symbol::GOAL) {
        let [_, value] = &rule.rule.head.args[..] else { continue };
        let Some(place) = arguments(rule.head_form()).get(1) else { continue };
        let help = "write an integer from 0, the worst, to 100, the best";
        if let Term::Variable(variable) = value {
            let kinds = kinds.get_or_insert_with(|| Kinds::new(sheet));
            let can_be = kinds.variables(rule.rule);
            if can_be.get(usize::from(variable.0)).is_none_or(|kind| kind.goal_value) {
                continue;
            }
            findings.report(code, || {
                let name = rule.variable(*variable);
                let message = format!("no value of `{name}` is an integer from 0 to 100");
                Diagnostic::new(code, place.span, message)
                    .with_label("a goal value should stand here")
                    .with_help(help)
            });
        } else if value.goal_value(&sheet.game.symbols).is_none() && reported.insert(value) {
            findings.report(code, || {
                let message = format!("the goal value `{place}` is no integer from 0 to 100");
                Diagnostic::new(code, place.span, message).with_help(help)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, marked};
    use gdlr_text::diagnostic::Code;

    fn bad(rules: &str) -> Vec<String> {
        let text = format!("{SOUND} {rules}");
        marked(&text, Code::GoalValue).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn values_that_are_none() {
        let text = "(goal a 101) (goal a -1) (<= (goal a win) (true (at 1))) (goal a 0.5)
            (goal a (plus 1 2)) (goal a win) (goal a 0) (goal a 007)";
        assert_eq!(bad(text), ["101", "-1", "win", "0.5", "(plus 1 2)"]);
    }

    #[test]
    fn variables_that_can_be_none() {
        assert_eq!(bad("(worth x 1) (worth y 250) (<= (goal a ?v) (worth ?x ?v))"), [""; 0]);
        assert_eq!(bad("(worth x 101) (worth y 250) (<= (goal a ?v) (worth ?x ?v))"), ["?v"]);
        assert_eq!(
            bad("(<= (next (won ?m)) (does a ?m)) (<= (goal a ?v) (true (won ?v)))"),
            ["?v"]
        );
        assert_eq!(bad("(<= (goal a ?v) (true (at ?v)))"), [""; 0]);
        assert_eq!(bad("(<= (goal a ?v) (unmade ?v))"), [""; 0]);
    }
}
