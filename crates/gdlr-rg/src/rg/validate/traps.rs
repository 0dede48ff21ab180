//! Texts that other programs, or the game itself, take for something else.

use super::scope::Scope;
use crate::rg::ast::Hint;
use crate::rg::name::Keyword;
use crate::rg::pragma;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use hashbrown::HashSet;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    keyword_prefixes(scope, findings);
    pragma_prefixes(scope, findings);
    hidden_symbols(scope, findings);
}

/// A first node whose first letters other programs take for the beginning of a definition.
fn keyword_prefixes(scope: &Scope, findings: &mut Findings) {
    let mut reported = HashSet::new();
    for edge in scope.edges() {
        let text = scope.text(edge.from.name);
        let Some((keyword, _)) = Keyword::split(text) else { continue };
        if !reported.insert(edge.from.name) {
            continue;
        }
        findings.report(Code::RgKeywordPrefix, || {
            let keyword = keyword.as_str();
            let message = format!("an edge begins with the node `{text}`, so with `{keyword}`");
            Diagnostic::new(Code::RgKeywordPrefix, edge.from.place.0, message)
                .with_help("rename the node: other programs expect a definition here")
        });
    }
}

/// An unknown pragma that other programs take for a known one.
fn pragma_prefixes(scope: &Scope, findings: &mut Findings) {
    for pragma in &scope.description.pragmas {
        let Hint::Unknown(text) = &pragma.hint else { continue };
        let Some(known) = pragma::mistaken_for(text) else { continue };
        findings.report(Code::RgPragmaPrefix, || {
            let message = format!("an unknown pragma that begins like `@{known}`");
            Diagnostic::new(Code::RgPragmaPrefix, pragma.place.0, message).with_help(match known {
                "tagIndex" => "other programs take it for that; is `@tagMaxIndex` meant?",
                _ => "other programs take it for that; rename it, or put a blank behind",
            })
        });
    }
}

/// A symbol of a type whose name means something else in an expression.
fn hidden_symbols(scope: &Scope, findings: &mut Findings) {
    let mut reported = HashSet::new();
    for symbol in scope.written_sets().flatten() {
        let kind = match symbol.name {
            name if scope.constants.contains_key(&name) => "constant",
            name if scope.variables.contains_key(&name) => "variable",
            _ => continue,
        };
        if !reported.insert(symbol.name) {
            continue;
        }
        findings.report(Code::RgHiddenSymbol, || {
            let text = scope.text(symbol.name);
            let message = format!("the symbol `{text}` has the name of a {kind}");
            Diagnostic::new(Code::RgHiddenSymbol, symbol.place.0, message).with_help(format!(
                "in expressions `{text}` is always the {kind}; rename one of them"
            ))
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn nodes_that_begin_like_keywords() {
        let text = "typeA, constB: ; constC, d: ; constC, e: ; f, variable: ? varG -> typeH;";
        assert_eq!(marked(text, Code::RgKeywordPrefix), ["typeA", "constC"]);
    }

    #[test]
    fn pragmas_that_begin_like_others() {
        let text = "@tagIndexMax a : 1; @unique a; @uniqueness; @author; @ unique a;";
        assert_eq!(marked(text, Code::RgPragmaPrefix), ["@tagIndexMax a : 1;", "@uniqueness;"]);
    }

    #[test]
    fn symbols_that_cannot_be_named() {
        let text = "type A = { v, c, x, goals }; const c: A = x; var v: { v } = x; begin, x: ;";
        assert_eq!(marked(text, Code::RgHiddenSymbol), ["v", "c", "goals"]);
    }
}
