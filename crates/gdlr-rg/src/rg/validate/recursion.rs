//! Reachability checks that need themselves (RG, 2.1: "recursion is forbidden").
//!
//! A check from `a` to `b` evaluates the edges that leave the nodes on walks from `a`, up to `b`.
//! If one of these edges has another check, the first check *needs* the second. A check that needs
//! itself, directly or not, has no meaning, and programs do not return from it. The edges after `b`
//! are not needed. RG says "no legal walk", but a walk that has reached `b` need not go on.
//! Automata in use check whether the game itself can go on.
//!
//! Only play shows which walks are legal, so there are two answers. If the walks to the checks have
//! no conditions (they skip, assign and tag), the recursion is certain: an error. Conditions may
//! prevent it: a warning.
//!
//! First, the strongly connected components of edges and needs tell in linear time which checks can
//! recur at all. Mostly there are none. For the others, walks are followed from each start to each
//! target, within [`WORK`] edges. If this budget is exhausted, all of them get the warning.

use super::scope::Scope;
use crate::rg::ast::{Edge, Label};
use crate::rg::name::Name;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use gdlr_text::graph::{for_each_component, strongly_connected};
use hashbrown::{HashMap, HashSet};

/// The number of edges that all walks together may take.
const WORK: usize = 4_000_000;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    let candidates = candidates(scope);
    if candidates.is_empty() {
        return;
    }
    let checks = Checks::new(&candidates);
    let mut work = WORK;
    let certain = checks.recurring(scope, |label| !is_condition(label), &mut work);
    let possible = checks.recurring(scope, |_| true, &mut work);
    for (number, edge) in &checks.edges {
        let code = match (&certain, &possible) {
            (Some(certain), _) if certain.contains(number) => Code::RgRecursion,
            (_, Some(possible)) if !possible.contains(number) => continue,
            _ => Code::RgMayRecur,
        };
        report(scope, findings, code, edge);
    }
}

fn report(scope: &Scope, findings: &mut Findings, code: Code, edge: &Edge) {
    let Label::Reach { from, .. } = edge.label else { return };
    findings.report(code, || {
        let (message, help) = match code {
            Code::RgRecursion => (
                "this reachability check needs itself",
                "what it checks must not lead back here before its target is reached",
            ),
            _ => (
                "this reachability check may need itself",
                "make sure that the conditions on the way prevent it",
            ),
        };
        let start = scope.text(from.name);
        Diagnostic::new(code, edge.place.0, message)
            .with_label(format!("on walks from `{start}`"))
            .with_help(help)
    });
}

/// Whether an action is legal only in some states.
fn is_condition(label: &Label) -> bool {
    matches!(label, Label::Compare { .. } | Label::Reach { .. })
}

/// The edges with a check that is on a cycle of edges and needs.
fn candidates<'d>(scope: &Scope<'d>) -> Vec<&'d Edge> {
    let graph = &scope.graph;
    let count = scope.description.names.len();
    // An edge has two successors: its target, and the beginning of its check.
    let successor = |node: u32, number: usize| {
        let edge = graph.nth_leaving(node as usize, number / 2)?;
        Some(match edge.label {
            Label::Reach { from, .. } if number % 2 == 1 => from.name.index() as u32,
            _ => edge.to.name.index() as u32,
        })
    };
    let mut component = vec![0; count];
    let mut number = 0;
    for_each_component(count, successor, |nodes| {
        nodes.iter().for_each(|&node| component[node as usize] = number);
        number += 1;
    });
    let in_cycle = |edge: &&Edge| match edge.label {
        Label::Reach { from, .. } => {
            component[from.name.index()] == component[edge.from.name.index()]
        }
        _ => false,
    };
    scope.edges().filter(in_cycle).collect()
}

/// Checks by start and target. Checks with the same pair have the same needs.
struct Checks<'d> {
    /// The start and target of each check.
    pairs: Vec<(Name, Name)>,
    /// The edges with a check, each with the number of the check.
    edges: Vec<(u32, &'d Edge)>,
    /// By node: the checks on the edges that leave it.
    leaving_checks: HashMap<Name, Vec<u32>>,
}

impl<'d> Checks<'d> {
    fn new(candidates: &[&'d Edge]) -> Self {
        let mut checks =
            Checks { pairs: Vec::new(), edges: Vec::new(), leaving_checks: HashMap::new() };
        let mut numbers = HashMap::new();
        for &edge in candidates {
            let Label::Reach { from, to, .. } = edge.label else { continue };
            let number = *numbers.entry((from.name, to.name)).or_insert_with(|| {
                checks.pairs.push((from.name, to.name));
                checks.pairs.len() as u32 - 1
            });
            checks.edges.push((number, edge));
            checks.leaving_checks.entry(edge.from.name).or_default().push(number);
        }
        checks
    }

    /// The checks that need themselves on walks over labels for which `may_pass` holds; `None` if
    /// the budget is exhausted.
    fn recurring(
        &self,
        scope: &Scope,
        may_pass: impl Fn(&Label) -> bool,
        work: &mut usize,
    ) -> Option<HashSet<u32>> {
        let mut needs = Vec::with_capacity(self.pairs.len());
        // By name: the last check whose walks reached the node, counted from 1.
        let mut seen = vec![0; scope.description.names.len()];
        for &pair in &self.pairs {
            let mark = needs.len() as u32 + 1;
            let is_new = |node: Name| std::mem::replace(&mut seen[node.index()], mark) != mark;
            needs.push(self.needs(scope, pair, &may_pass, is_new, work)?);
        }
        let mut recurring = HashSet::new();
        for component in strongly_connected(&needs) {
            let first = component[0];
            if component.len() > 1 || needs[first as usize].contains(&first) {
                recurring.extend(component);
            }
        }
        Some(recurring)
    }

    /// The checks that a check needs directly.
    fn needs(
        &self,
        scope: &Scope,
        (start, target): (Name, Name),
        may_pass: &impl Fn(&Label) -> bool,
        mut is_new: impl FnMut(Name) -> bool,
        work: &mut usize,
    ) -> Option<Vec<u32>> {
        let mut needs = Vec::new();
        if start == target {
            return Some(needs);
        }
        is_new(target);
        is_new(start);
        let mut stack = vec![start];
        while scope.meter.has(1)
            && let Some(node) = stack.pop()
        {
            let leaving_checks = self
                .leaving_checks
                .get(&node)
                .map_or(&[][..], |leaving_checks| &leaving_checks[..]);
            *work = work.checked_sub(leaving_checks.len())?;
            needs.extend_from_slice(leaving_checks);
            for edge in scope.graph.leaving(node) {
                *work = work.checked_sub(1)?;
                if may_pass(&edge.label) && is_new(edge.to.name) {
                    stack.push(edge.to.name);
                }
            }
        }
        Some(needs)
    }
}

#[cfg(test)]
mod tests {
    use super::WORK;
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;
    use gdlr_text::findings::MAX_PER_CODE;

    #[track_caller]
    fn found(text: &str, certain: &[&str], possible: &[&str]) {
        assert_eq!(marked(text, Code::RgRecursion), certain);
        assert_eq!(marked(text, Code::RgMayRecur), possible);
    }

    #[test]
    fn a_check_that_needs_itself() {
        found("begin, a: ? begin -> a;", &["begin, a: ? begin -> a;"], &[]);
        found("p, q: ! r -> s; r, p: $ t; q, s: ;", &["p, q: ! r -> s;"], &[]);
        found("p, q: ? p -> s; p, q: ! p -> s;", &["p, q: ? p -> s;", "p, q: ! p -> s;"], &[]);
        found("p, q: ? r -> s; r, p: v == 0; q, s: ;", &[], &["p, q: ? r -> s;"]);
    }

    #[test]
    fn checks_that_need_each_other() {
        let text = "p, q: ? a -> b; a, b: ? p -> q;";
        found(text, &["p, q: ? a -> b;", "a, b: ? p -> q;"], &[]);
        found(
            &text.replace("a, b:", "a, c: x == y; c, b:"),
            &[],
            &["p, q: ? a -> b;", "c, b: ? p -> q;"],
        );
    }

    #[test]
    fn beyond_the_budget_all_may_recur() {
        let count = 2000;
        assert!(2 * count * count > WORK);
        let text: String = (0..count)
            .map(|i| format!("n{i}, n{}: ; n{i}, x: ? n{} -> m{i};", (i + 1) % count, i / 2))
            .collect();
        assert!(marked(&text, Code::RgRecursion).is_empty());
        assert_eq!(marked(&text, Code::RgMayRecur).len(), MAX_PER_CODE);
    }

    #[test]
    fn nothing_behind_the_target_is_needed() {
        found("p, q: ? q -> r; q, r: ; r, p: ;", &[], &[]);
        found("p, q: ? q -> q; q, p: ;", &[], &[]);
        found("p, q: ? a -> b; a, b: ? c -> d; c, d: ; q, p: ;", &[], &[]);
    }
}
