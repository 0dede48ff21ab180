//! How one relation depends on another through others, step by step, as a diagnostic shows it.

use super::sheet::Sheet;
use crate::gdl::Dependencies;
use gdlr_text::diagnostic::Span;
use std::collections::VecDeque;

/// How many steps of a path a diagnostic shows.
const MAX_STEPS: usize = 12;

/// By relation: the next relation on a shortest path to one of `targets`, through relations that
/// `inside` accepts; `None` where there is no path, and for the targets themselves.
pub(super) fn next_hops(
    graph: &Dependencies,
    targets: &[u32],
    inside: impl Fn(u32) -> bool,
) -> Vec<Option<u32>> {
    let count = graph.relations.len();
    let mut dependents = vec![Vec::new(); count];
    for (head, conditions) in graph.conditions.iter().enumerate() {
        if inside(head as u32) {
            conditions.iter().for_each(|&(to, _)| dependents[to as usize].push(head as u32));
        }
    }
    let mut next = vec![None; count];
    let mut queue = VecDeque::from(targets.to_vec());
    while let Some(relation) = queue.pop_front() {
        for &head in &dependents[relation as usize] {
            if !targets.contains(&head) && next[head as usize].is_none() {
                next[head as usize] = Some(relation);
                queue.push_back(head);
            }
        }
    }
    next
}

/// The steps from `from` on along `next`, each with its place and words for it.
pub(super) fn steps(sheet: &Sheet, next: &[Option<u32>], from: u32) -> Vec<(Span, String)> {
    let mut steps = Vec::new();
    let mut at = from;
    while let Some(to) = next[at as usize] {
        if steps.len() == MAX_STEPS {
            break;
        }
        for negated in [false, true] {
            if let Some(span) = sheet.edges.place(at, to, negated) {
                let (at, to) = (sheet.relation(at), sheet.relation(to));
                let not = if negated { "not " } else { "" };
                steps.push((span, format!("`{at}` depends on {not}`{to}` here")));
                break;
            }
        }
        at = to;
    }
    steps
}
