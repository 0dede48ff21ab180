//! Which keywords must have rules, and which may be the head of a rule or a condition
//! (SPEC, section 6 and definition 20).

use super::sheet::Sheet;
use crate::gdl::{Symbol, Term};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use gdlr_text::findings::Findings;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    required(sheet, findings);
    heads(sheet, findings);
    bodies(sheet, findings);
}

/// Every game needs roles, legal moves, goals and an end; only chance can do without a goal.
fn required(sheet: &Sheet, findings: &mut Findings) {
    let mut missing = |code, what: &str, help: &str| {
        findings.report(code, || {
            Diagnostic::new(code, Span::default(), format!("the rulesheet has no {what}"))
                .with_help(help)
        });
    };
    let roles = &sheet.game.roles;
    if roles.is_empty() {
        missing(Code::NoRole, "role", "declare each player with `(role name)`");
    }
    let has = |keyword| sheet.game.rules.iter().any(|rule| rule.head.relation == keyword);
    if !has(Symbol::TERMINAL) {
        missing(
            Code::NoTerminal,
            "rule for `terminal`",
            "say when the game ends: `(<= terminal condition ...)`",
        );
    }
    let with_goal = |role: &Term| sheet.game.chance() != Some(role);
    if !has(Symbol::GOAL) && (roles.is_empty() || roles.iter().any(with_goal)) {
        missing(
            Code::NoGoal,
            "rule for `goal`",
            "say what each role gets: `(<= (goal role 100) condition ...)`",
        );
    }
    if !has(Symbol::LEGAL) {
        missing(
            Code::NoLegal,
            "rule for `legal`",
            "say what each role may do: `(<= (legal role move) condition ...)`",
        );
    }
}

/// `role` has facts only, `true` and `does` have no rules at all.
fn heads(sheet: &Sheet, findings: &mut Findings) {
    for rule in &sheet.game.rules {
        let head = &rule.head;
        let mut report = |code, message: String, help: &str| {
            findings.report(code, || Diagnostic::new(code, head.span, message).with_help(help));
        };
        match head.relation {
            Symbol::ROLE if !rule.body.is_empty() => report(
                Code::RoleNotGround,
                "a role that depends on conditions".into(),
                "the roles are fixed: write one fact `(role name)` for each",
            ),
            Symbol::ROLE if !head.args.iter().all(|role| role.is_ground()) => report(
                Code::RoleNotGround,
                "a role that is not named".into(),
                "the roles are fixed: write one fact `(role name)` for each",
            ),
            Symbol::TRUE | Symbol::DOES => {
                let name = head.relation.spelled(&sheet.game.symbols);
                let instead =
                    if head.relation == Symbol::TRUE { "init` or `next" } else { "legal" };
                if rule.body.is_empty() {
                    report(
                        Code::StandaloneState,
                        format!("`{name}` as a fact of its own"),
                        &format!("did you mean `{instead}`?"),
                    );
                } else {
                    report(
                        Code::ForbiddenHead,
                        format!("`{name}` in the head of a rule"),
                        &format!("`{name}` stands in bodies only; did you mean `{instead}`?"),
                    );
                }
            }
            _ => {}
        }
    }
}

/// Heads `init` and `next` cannot be conditions.
fn bodies(sheet: &Sheet, findings: &mut Findings) {
    let code = Code::ForbiddenBody;
    for rule in &sheet.played {
        for literal in &rule.rule.body {
            literal.for_each_sentence(&mut |sentence, _| {
                let help = match sentence.relation {
                    Symbol::INIT | Symbol::NEXT => "a rule asks for the state with `true`",
                    Symbol::SEES => {
                        "what a role sees is for the role alone; move what it shares into a relation \
                         of its own"
                    }
                    _ => return,
                };
                findings.report(code, || {
                    let name = sentence.relation.spelled(&sheet.game.symbols);
                    let message = format!("`{name}` in the body of a rule");
                    Diagnostic::new(code, sentence.span, message).with_help(help)
                });
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, diagnose, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn what_must_be_there() {
        let codes: Vec<_> = diagnose("(p 1) (<= (q) (p 1)) (<= (r) (q) (r))")
            .iter()
            .map(|d| d.code)
            .filter(|code| code.severity() == gdlr_text::diagnostic::Severity::Error)
            .collect();
        assert_eq!(codes, [Code::NoRole, Code::NoTerminal, Code::NoGoal, Code::NoLegal]);
    }

    #[test]
    fn chance_needs_no_goal() {
        let goals = |roles: &str| {
            let text = format!("{roles} (<= (legal ?r go) (role ?r)) terminal");
            diagnose(&text).iter().filter(|d| d.code == Code::NoGoal).count()
        };
        assert_eq!(goals("(role Random)"), 0);
        assert_eq!([goals("(role random) (role a)"), goals("(role a)"), goals("")], [1; 3]);
    }

    #[test]
    fn heads_that_are_forbidden() {
        let with = |rule: &str, code| {
            let text = format!("{SOUND} {rule}");
            marked(&text, code).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(with("(<= (true x) (succ 1 2))", Code::ForbiddenHead), ["(true x)"]);
        assert_eq!(with("(<= (does a x) (succ 1 2))", Code::ForbiddenHead), ["(does a x)"]);
        assert_eq!(with("(true (at 1))", Code::StandaloneState), ["(true (at 1))"]);
        assert_eq!(with("(<= (does a go))", Code::StandaloneState), ["(does a go)"]);
        assert_eq!(with("(role ?x)", Code::RoleNotGround), ["(role ?x)"]);
        assert_eq!(with("(<= (role ?x) (succ ?x 2))", Code::RoleNotGround), ["(role ?x)"]);
        for code in [Code::ForbiddenHead, Code::StandaloneState, Code::RoleNotGround] {
            assert!(with("(role (team 1)) (init x) (<= (next x) (true x))", code).is_empty());
        }
    }

    #[test]
    fn bodies_that_are_forbidden() {
        let text = "(<= (p) (init x) (or (next y) (not (base z))) (input a b) (sees a x)
            (true x) (legal a b)) (<= (sees a x) (p))";
        let diagnostics = marked(text, Code::ForbiddenBody);
        assert_eq!(diagnostics, ["(init x)", "(next y)", "(sees a x)"]);
        assert!(marked(SOUND, Code::ForbiddenBody).is_empty());
        assert!(marked("(<= (base x) (next x))", Code::ForbiddenBody).is_empty(), "a hint");
    }
}
