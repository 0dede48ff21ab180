//! Keywords where a term should stand: as a function or as a constant.
//!
//! `(true (not (p ?x)))` reads like a negation and is none; `(init (next x))` is no rule.

use super::placed::name_span;
use super::sheet::Sheet;
use crate::diagnostic::{Code, Diagnostic};
use crate::findings::Findings;
use crate::gdl::Term;

pub(super) fn check(sheet: &Sheet, findings: &mut Findings) {
    for rule in &sheet.rules {
        rule.for_each_term(&mut |term, form| {
            let (symbol, kind) = match term {
                Term::Variable(_) => return,
                Term::Constant(symbol) => (*symbol, "a constant"),
                Term::Function(symbol, _) => (*symbol, "a function"),
            };
            let (code, what, help) = if symbol.is_connective() {
                let help = "connectives combine conditions and cannot stand inside a term";
                (Code::ConnectiveAsConstant, "connective", help)
            } else if symbol.is_keyword() {
                let help = "a keyword means nothing inside a term; choose another name";
                (Code::KeywordAsTerm, "keyword", help)
            } else {
                return;
            };
            findings.report(code, || {
                let name = symbol.spelled(&sheet.game.symbols);
                let message = format!("the {what} `{name}` used as {kind}");
                Diagnostic::new(code, name_span(form), message).with_help(help)
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{SOUND, marked};
    use crate::diagnostic::Code;

    #[test]
    fn keywords_in_terms() {
        let text = "(init (Next 1)) (p role) (<= (p x) (true (f (goal 1))) (distinct terminal b))";
        assert_eq!(marked(text, Code::KeywordAsTerm), ["Next", "role", "goal", "terminal"]);
        assert!(marked(SOUND, Code::KeywordAsTerm).is_empty());
    }

    #[test]
    fn connectives_in_terms() {
        let text = "(p or) (<= (p x) (true (not (q 1))) (q <=)) (q (distinct a b))";
        assert_eq!(marked(text, Code::ConnectiveAsConstant), ["or", "not", "<=", "distinct"]);
        let near = "(p orange) (<= (p x) (not (true (q 1))) (distinct a b))";
        assert!(marked(near, Code::ConnectiveAsConstant).is_empty());
    }
}
