//! Pragmas about nodes without edges, and about variables that do not exist. A pragma does not
//! change the game (RG, 2.1), so these are warnings.

use super::scope::Scope;
use crate::rg::ast::{Hint, Ident};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    for pragma in &scope.description.pragmas {
        let (nodes, variables) = mentioned(&pragma.hint);
        for node in nodes.iter().filter(|node| !scope.graph.has_node(node.name)) {
            report(scope, findings, *node, "node");
        }
        for variable in variables.iter().filter(|v| !scope.variables.contains_key(&v.name)) {
            report(scope, findings, *variable, "variable");
        }
    }
}

fn report(scope: &Scope, findings: &mut Findings, name: Ident, kind: &str) {
    findings.report(Code::RgPragmaName, || {
        let message = format!("there is no {kind} `{}`", scope.text(name.name));
        Diagnostic::new(Code::RgPragmaName, name.place.0, message)
    });
}

/// The nodes and the variables in a pragma.
fn mentioned(hint: &Hint) -> (Vec<Ident>, &[Ident]) {
    match hint {
        Hint::Disjoint { node, targets, .. } => {
            (std::iter::once(node).chain(targets).copied().collect(), &[])
        }
        Hint::Iterator { nodes, variable } => (nodes.to_vec(), std::slice::from_ref(variable)),
        Hint::Repeat { nodes, variables } => (nodes.clone(), variables),
        Hint::SimpleApply { from, to, .. } => (vec![*from, *to], &[]),
        Hint::TagIndex { nodes, .. } | Hint::TagMaxIndex { nodes, .. } | Hint::Unique { nodes } => {
            (nodes.clone(), &[])
        }
        Hint::ArtificialTag { .. }
        | Hint::Integer { .. }
        | Hint::TranslatedFromRbg
        | Hint::Unknown(_) => (Vec::new(), &[]),
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn what_is_not_there() {
        let text = "@disjoint p : q r; @repeat q s : player v; @unique p t; @iterator p q p : w;
            @tagIndex u : 1; @simpleApply p x []; @artificialTag y; @other z; p, q: ;";
        assert_eq!(marked(text, Code::RgPragmaName), ["r", "s", "v", "t", "w", "u", "x"]);
    }
}
