//! Forms that mean what they mean, but that other programs stumble over.

use super::placed::PlacedRule;
use super::sheet::Sheet;
use crate::gdl::{Literal, LiteralKind, Term};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use gdlr_text::kif::Expr;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    for rule in &sheet.rules {
        empty_body(rule, findings);
        zero_arity(rule, findings);
        rule.for_each_literal(&mut |literal, _| connectives(literal, findings));
    }
}

fn empty_body(rule: &PlacedRule, findings: &mut Findings) {
    if rule.is_implication() && rule.rule.body.is_empty() {
        let code = Code::EmptyBody;
        findings.report(code, || {
            Diagnostic::new(code, rule.form.span, "a rule without conditions")
                .with_help(format!("write the fact `{}`", rule.head_form()))
        });
    }
}

fn zero_arity(rule: &PlacedRule, findings: &mut Findings) {
    let code = Code::ZeroArityBrackets;
    let alone = |form: &Expr| form.list().is_some_and(|items| items.len() == 1);
    rule.for_each_sentence(&mut |_, form| {
        if alone(form) {
            findings.report(code, || {
                Diagnostic::new(code, form.span, "brackets around a relation of no arguments")
                    .with_help("leave them out: it means the same, and not every program reads it")
            });
        }
    });
    rule.for_each_term(&mut |term, form| {
        if matches!(term, Term::Function(..)) && alone(form) {
            findings.report(code, || {
                Diagnostic::new(code, form.span, "a function of no arguments")
                    .with_label("not the constant of this name")
                    .with_help("use the constant: not every program tells the two apart")
            });
        }
    });
}

fn connectives(literal: &Literal, findings: &mut Findings) {
    let mut report = |code, message: &str, help: &str| {
        findings.report(code, || Diagnostic::new(code, literal.span, message).with_help(help));
    };
    match &literal.kind {
        LiteralKind::Or(items) => match &items[..] {
            [] => report(Code::OddOr, "an `or` of nothing never holds", "remove the rule"),
            [_] => report(Code::OddOr, "an `or` of one condition", "leave the `or` out"),
            _ if items.iter().any(|item| matches!(item.kind, LiteralKind::Or(_))) => {
                report(Code::OddOr, "an `or` inside an `or`", "make one `or` of the two");
            }
            _ => {}
        },
        LiteralKind::Not(inner) => match &inner.kind {
            LiteralKind::Sentence(_) => {}
            LiteralKind::Or(_) => report(
                Code::NotOverConnective,
                "`not` over an `or`",
                "write a `not` for each of the conditions",
            ),
            LiteralKind::Not(_) => {
                report(Code::NotOverConnective, "`not` over a `not`", "leave both out");
            }
            LiteralKind::Distinct(..) => report(
                Code::NotOverConnective,
                "`not` over a `distinct`",
                "use one variable for the two terms instead",
            ),
        },
        LiteralKind::Sentence(_) | LiteralKind::Distinct(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn an_empty_body() {
        assert_eq!(marked("(<= (p 1)) (p 2) (<= (p 3) (p 1))", Code::EmptyBody), ["(<= (p 1))"]);
    }

    #[test]
    fn brackets_around_nothing_but_a_name() {
        let text = "(p) (<= (q) r (not (p))) (init (f (g) h)) (<= s (q))";
        assert_eq!(marked(text, Code::ZeroArityBrackets), ["(p)", "(q)", "(p)", "(g)", "(q)"]);
        assert!(marked(SOUND, Code::ZeroArityBrackets).is_empty());
    }

    #[test]
    fn odd_or() {
        let text = "(<= p (or) (or q) (or q (or r s)) (or q (not (or r s))))";
        assert_eq!(marked(text, Code::OddOr), ["(or)", "(or q)", "(or q (or r s))"]);
    }

    #[test]
    fn not_over_connectives() {
        let text = "(<= p (not (or q r)) (not (not q)) (not (distinct a b)) (not q))";
        assert_eq!(
            marked(text, Code::NotOverConnective),
            ["(not (or q r))", "(not (not q))", "(not (distinct a b))"]
        );
    }
}
