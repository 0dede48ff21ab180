//! Reachability checks that are decided before play: with a node that no edge touches, or a target
//! that no edges lead to.
//!
//! A check without any walk is always false (`?`) or true (`!`). A check from a node to itself is
//! always true (`?`) or false (`!`). That may be meant, so these are warnings.
//!
//! Each node where checks begin needs a search. All searches share a budget of [`WORK`] edges. If
//! it is exhausted, these warnings may be incomplete.

use super::scope::Scope;
use crate::rg::ast::{Ident, Label};
use crate::rg::name::Name;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use hashbrown::{HashMap, HashSet};

/// The number of edges that all searches may visit.
const WORK: usize = 4_000_000;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    let mut checks: HashMap<Name, Vec<(Ident, Ident)>> = HashMap::new();
    let mut starts = Vec::new();
    for edge in scope.edges() {
        let Label::Reach { from, to, .. } = edge.label else { continue };
        for node in [from, to] {
            if !scope.graph.has_node(node.name) {
                findings.report(Code::RgUnknownNode, || {
                    let message =
                        format!("no edge leaves or enters a node `{}`", scope.text(node.name));
                    Diagnostic::new(Code::RgUnknownNode, node.place.0, message)
                });
            }
        }
        let group = checks.entry(from.name).or_default();
        if group.is_empty() {
            starts.push(from.name);
        }
        group.push((from, to));
    }
    let mut work = WORK;
    for start in starts {
        let group = &checks[&start];
        let targets = group.iter().map(|(_, to)| to.name).collect();
        let Some(missed) = missed(scope, start, targets, &mut work) else { return };
        for (from, to) in group.iter().filter(|(_, to)| missed.contains(&to.name)) {
            let both = scope.graph.has_node(from.name) && scope.graph.has_node(to.name);
            if both {
                findings.report(Code::RgUnreachableTarget, || {
                    let (start, target) = (scope.text(from.name), scope.text(to.name));
                    let message = format!("no edges lead from `{start}` to `{target}`");
                    Diagnostic::new(Code::RgUnreachableTarget, to.place.0, message)
                        .with_label("never reached")
                });
            }
        }
    }
}

/// The targets that no edges from `start` lead to; `None` if the budget is exhausted.
fn missed(
    scope: &Scope,
    start: Name,
    mut targets: HashSet<Name>,
    work: &mut usize,
) -> Option<HashSet<Name>> {
    targets.remove(&start);
    let mut seen: HashSet<Name> = HashSet::from([start]);
    let mut stack = vec![start];
    while !targets.is_empty()
        && scope.meter.has(1)
        && let Some(node) = stack.pop()
    {
        for edge in scope.graph.leaving(node) {
            *work = work.checked_sub(1)?;
            if seen.insert(edge.to.name) {
                targets.remove(&edge.to.name);
                stack.push(edge.to.name);
            }
        }
    }
    Some(targets)
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn checks_that_are_decided() {
        let text = "begin, end: ; begin, end: ? a -> b; begin, end: ! b -> a; a, b: ;
            begin, end: ? a -> c; begin, end: ? d -> d; begin, end: ? a -> begin; begin, end: ? b -> b;";
        assert_eq!(marked(text, Code::RgUnknownNode), ["c", "d", "d"]);
        assert_eq!(marked(text, Code::RgUnreachableTarget), ["a", "begin"]);
    }

    #[test]
    fn checks_that_begin_at_one_node_are_searched_for_together() {
        let text = "a, b: ; b, c: ; d, a: ; x, y: ? a -> c; x, y: ? a -> d; x, y: ! a -> x;";
        assert_eq!(marked(text, Code::RgUnreachableTarget), ["d", "x"]);
    }
}
