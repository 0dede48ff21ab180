//! Tags: the variable of a `$$` must hold symbols, and an edge with a tag must not be on a cycle,
//! as there would be no longest move.

use super::scope::Scope;
use crate::rg::ast::Label;
use crate::rg::types::Ty;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    for edge in scope.edges() {
        let tag = match edge.label {
            Label::Tag(tag) | Label::TagVariable(tag) => tag,
            _ => continue,
        };
        if edge.from.name == edge.to.name {
            findings.report(Code::RgTagLoop, || {
                let message = "a move could have this tag any number of times";
                Diagnostic::new(Code::RgTagLoop, tag.place.0, message)
                    .with_related(edge.from.place.0, "the edge leaves and enters the same node")
            });
        }
        if !matches!(edge.label, Label::TagVariable(_)) {
            continue;
        }
        match scope.variables.get(&tag.name) {
            Some(Ty::Set(_) | Ty::Symbol(_) | Ty::Unknown) => {}
            Some(&ty @ Ty::Map(_)) => findings.report(Code::RgNotASet, || {
                let message = "a tag is a symbol, but this variable holds maps";
                Diagnostic::new(Code::RgNotASet, tag.place.0, message)
                    .with_label(scope.describe(ty))
            }),
            None => findings.report(Code::RgNotAVariable, || {
                let message = format!("there is no variable `{}`", scope.text(tag.name));
                Diagnostic::new(Code::RgNotAVariable, tag.place.0, message)
                    .with_help("a tag that is no variable has one `$`")
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn variables_as_tags() {
        let text = "type A = { 0 }; const c: A = 0; var v: A = 0; a, b: $$ v; a, b: $$ goals;
            a, b: $$ c; a, b: $$ w; a, b: $$ player; a, b: $ w;";
        assert_eq!(marked(text, Code::RgNotASet), ["goals"]);
        assert_eq!(marked(text, Code::RgNotAVariable), ["c", "w"]);
    }

    #[test]
    fn loops_with_a_tag() {
        let text = "a, a: $ t; b, b: $$ player; c, c: ; d, e: $ t; e, d: $ t;";
        assert_eq!(marked(text, Code::RgTagLoop), ["t", "player"]);
    }
}
