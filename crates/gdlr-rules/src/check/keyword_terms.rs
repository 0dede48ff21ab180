//! Keywords where a term should stand: as a function or as a constant.
//!
//! `(true (not (p ?x)))` reads like a negation and is none; `(init (next x))` is no rule. In what
//! a role sees, `(sees ?r (does ?p ?m))`, the papers on GDL-II and most of its public games have
//! keywords: there it is a warning. `base` and `input`, which are keywords of hints alone, are
//! names like any other.

use super::placed::{PlacedRule, name_span};
use super::sheet::Sheet;
use crate::gdl::{Symbol, Term};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use gdlr_text::kif::Expr;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    for rule in &sheet.rules {
        rule.for_each_term(&mut |term, form| keyword(sheet, rule, term, form, findings));
    }
}

/// Reports a term that is, or begins with, a keyword.
fn keyword(sheet: &Sheet, rule: &PlacedRule, term: &Term, form: &Expr, findings: &mut Findings) {
    let (symbol, kind) = match term {
        Term::Variable(_) => return,
        Term::Constant(symbol) => (*symbol, "a constant"),
        Term::Function(symbol, _) => (*symbol, "a function"),
    };
    let head = &rule.rule.head;
    let inside = head.span.start <= form.span.start && form.span.end <= head.span.end;
    let in_percept = inside && head.relation == Symbol::SEES;
    let (code, what, help) = if symbol.is_connective() {
        let help = "connectives combine conditions and cannot stand inside a term";
        (Code::ConnectiveAsConstant, "connective", help)
    } else if !symbol.is_keyword() || symbol.is_hint() {
        return;
    } else if in_percept {
        let help = "it is a name like any other here; not every program reads it";
        (Code::KeywordInPercept, "keyword", help)
    } else {
        let help = "a keyword means nothing inside a term; choose another name";
        (Code::KeywordAsTerm, "keyword", help)
    };
    findings.report(code, || {
        let name = symbol.spelled(&sheet.game.symbols);
        let message = format!("the {what} `{name}` used as {kind}");
        Diagnostic::new(code, name_span(form), message).with_help(help)
    });
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, marked};
    use gdlr_text::diagnostic::Code;

    #[test]
    fn keywords_in_terms() {
        let text = "(init (Next 1)) (p role) (<= (p x) (true (f (goal 1))) (distinct terminal b))";
        assert_eq!(marked(text, Code::KeywordAsTerm), ["Next", "role", "goal", "terminal"]);
        assert!(marked(SOUND, Code::KeywordAsTerm).is_empty());
    }

    #[test]
    fn keywords_in_percepts() {
        let text = format!("{SOUND} (<= (sees ?r (does ?p (true ?m))) (role ?r) (does ?p ?m))");
        assert_eq!(marked(&text, Code::KeywordInPercept), ["does", "true"]);
        assert!(marked(&text, Code::KeywordAsTerm).is_empty());
        let text = "(sees a (not x)) (<= (sees a y) (true (goal z)))";
        assert_eq!(marked(text, Code::ConnectiveAsConstant), ["not"]);
        assert_eq!(marked(text, Code::KeywordAsTerm), ["goal"]);
    }

    #[test]
    fn connectives_in_terms() {
        let text = "(p or) (<= (p x) (true (not (q 1))) (q <=)) (q (distinct a b))";
        assert_eq!(marked(text, Code::ConnectiveAsConstant), ["or", "not", "<=", "distinct"]);
        let near = "(p orange) (<= (p x) (not (true (q 1))) (distinct a b))";
        assert!(marked(near, Code::ConnectiveAsConstant).is_empty());
    }
}
