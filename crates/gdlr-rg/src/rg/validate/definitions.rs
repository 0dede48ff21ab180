//! Definitions by themselves: two with one name, sets with a symbol twice, and sets without a name
//! as keys.
//!
//! A type, a constant and a variable may share a name; two of a kind may not. Keys of a set without
//! a name are legal, but the interpreter of the language's authors fails on them.

use super::scope::Scope;
use crate::rg::ast::{Ident, SimpleType};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use hashbrown::{HashMap, HashSet};

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    let description = scope.description;
    duplicates(scope, findings, "types", description.types.iter().map(|alias| alias.name));
    duplicates(scope, findings, "constants", description.constants.iter().map(|c| c.name));
    duplicates(scope, findings, "variables", description.variables.iter().map(|v| v.name));
    for members in scope.written_sets() {
        let mut seen = HashSet::new();
        for member in members.iter().filter(|member| !seen.insert(member.name)) {
            findings.report(Code::RgRepeatedSymbol, || {
                let message = format!("`{}` is listed before", scope.text(member.name));
                Diagnostic::new(Code::RgRepeatedSymbol, member.place.0, message)
            });
        }
    }
    for key in scope.written_types().flat_map(|type_| &type_.keys) {
        if let SimpleType::Set(set) = key {
            findings.report(Code::RgUnnamedKeys, || {
                let message = "the keys of a map are of a set that has no name";
                Diagnostic::new(Code::RgUnnamedKeys, set.place.0, message)
                    .with_help("give it one with `type`: other programs fall over such maps")
            });
        }
    }
}

fn duplicates(
    scope: &Scope,
    findings: &mut Findings,
    kind: &str,
    names: impl Iterator<Item = Ident>,
) {
    let mut first = HashMap::new();
    for name in names {
        let earlier: Ident = *first.entry(name.name).or_insert(name);
        if earlier.place.0 == name.place.0 {
            continue;
        }
        findings.report(Code::RgDuplicate, || {
            let message = format!("two {kind} have the name `{}`", scope.text(name.name));
            Diagnostic::new(Code::RgDuplicate, name.place.0, message)
                .with_label("defined again")
                .with_related(earlier.place.0, "defined here first")
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn names_of_several_definitions() {
        let text = "type v = { 0 }; const w: v = 0; var v: v = 0; type v = { 1 }; type w = v;
            const w: v = 0; var v: v = 0;";
        assert_eq!(marked(text, Code::RgDuplicate), ["v", "w", "v"]);
    }

    #[test]
    fn odd_sets() {
        let text = "type A = { x, y, x }; type B = { x } -> { y, y }; p, q: v = { 0, 0 }(*);";
        assert_eq!(marked(text, Code::RgRepeatedSymbol), ["x", "y", "0"]);
        assert_eq!(marked(text, Code::RgUnnamedKeys), ["{ x }"]);
    }
}
