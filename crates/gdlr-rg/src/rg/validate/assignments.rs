//! The targets of assignments: variables and their entries, and `player` not at random.

use super::scope::Scope;
use crate::rg::ast::{Base, Expr, Label};
use crate::rg::name::Name;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    for edge in scope.edges() {
        let target = match &edge.label {
            Label::Assign { target, .. } => target,
            Label::AssignAny { target, .. } => {
                any_player(findings, target);
                target
            }
            _ => continue,
        };
        let mut expr = target;
        let name = loop {
            match &expr.base {
                Base::Name(name) => break *name,
                Base::Cast(_, inner) => expr = inner,
            }
        };
        let constant = scope.constants.contains_key(&name.name);
        if !constant && scope.variables.contains_key(&name.name) {
            continue;
        }
        findings.report(Code::RgNotAVariable, || {
            let text = scope.text(name.name);
            let message = match constant {
                true => format!("the constant `{text}` cannot change"),
                false => format!("there is no variable `{text}` to assign to"),
            };
            Diagnostic::new(Code::RgNotAVariable, name.place.0, message)
        });
    }
}

fn any_player(findings: &mut Findings, target: &Expr) {
    if target.root() == Name::PLAYER {
        findings.report(Code::RgAnyPlayer, || {
            let message = "`player` cannot be set to any value of a type";
            Diagnostic::new(Code::RgAnyPlayer, target.place.0, message)
                .with_help("assign to another variable, and then that one to `player`")
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn only_variables_change() {
        let text = "type A = { 0 }; const c: A = 0; var v: A = 0; const both: A = 0;
            var both: A = 0; a, b: c = 0; a, b: v = 0; a, b: w[v] = 0; a, b: both = 0;
            a, b: A(v) = 0; a, b: x = A(*); a, b: v == c; a, b: goals[x] = 0;";
        assert_eq!(marked(text, Code::RgNotAVariable), ["c", "w", "both", "x"]);
    }

    #[test]
    fn the_player_is_not_any() {
        let text = "a, b: player = Player(*); a, b: goals[x] = Score(*);";
        assert_eq!(marked(text, Code::RgAnyPlayer), ["player"]);
    }
}
