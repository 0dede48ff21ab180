//! Types by themselves: names that are undefined or defined by themselves, sets without symbols,
//! maps as keys.
//!
//! RG (2.1) forbids recursive aliases and wants a set before an arrow.

use super::scope::Scope;
use crate::rg::reader::MAX_DEPTH;
use crate::rg::types::TypeProblem;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    for problem in &scope.problems {
        let diagnostic = || match *problem {
            TypeProblem::Undefined(name) => {
                let message = format!("there is no type `{}`", scope.text(name.name));
                Diagnostic::new(Code::RgUnknownType, name.place.0, message)
            }
            TypeProblem::Recursive(name) => {
                let text = scope.text(name.name);
                let message = format!("the type `{text}` is defined by itself");
                Diagnostic::new(Code::RgRecursiveType, name.place.0, message)
                    .with_label(format!("needed to define `{text}`"))
            }
            TypeProblem::MapAsKey(span) => {
                Diagnostic::new(Code::RgMapAsKey, span, "the keys of a map are symbols, not maps")
                    .with_help("only a set type may stand before an arrow")
            }
            TypeProblem::TooDeep(span) => {
                let message = format!("a type has more than {MAX_DEPTH} arrows");
                Diagnostic::new(Code::RgDeepType, span, message)
            }
            TypeProblem::EmptySet(span) => {
                Diagnostic::new(Code::RgEmptySet, span, "a set type has at least one symbol")
            }
        };
        findings.report(code(problem), diagnostic);
    }
}

fn code(problem: &TypeProblem) -> Code {
    match problem {
        TypeProblem::Undefined(_) => Code::RgUnknownType,
        TypeProblem::Recursive(_) => Code::RgRecursiveType,
        TypeProblem::MapAsKey(_) => Code::RgMapAsKey,
        TypeProblem::TooDeep(_) => Code::RgDeepType,
        TypeProblem::EmptySet(_) => Code::RgEmptySet,
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::reader::MAX_DEPTH;
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn types_by_themselves() {
        let text = "type A = B; type C = D; type D = { x } -> C; type E = {}; type F = D -> { x };
            const c: G = x; var v: { x } -> H = { :x }; p, q: v[x] = I(*); p, q: v[x] = J(x);";
        assert_eq!(marked(text, Code::RgUnknownType), ["B", "G", "H", "I", "J"]);
        assert_eq!(marked(text, Code::RgRecursiveType), ["C"]);
        assert_eq!(marked(text, Code::RgEmptySet), ["{}"]);
        assert_eq!(marked(text, Code::RgMapAsKey), ["D"]);
        let deep = format!("type A = {} {{ x }};", "{ x } ->".repeat(MAX_DEPTH + 1));
        assert_eq!(marked(&deep, Code::RgDeepType).len(), 1);
    }

    #[test]
    fn built_in_types_have_no_problems_of_their_own() {
        let text = "type Player = P; type P = { x } -> { x };";
        assert!(marked(text, Code::RgMapAsKey).is_empty());
        assert!(marked(text, Code::RgUnknownType).is_empty());
    }
}
