//! The modifiers that a tag must identify, since another modifier could come next in the same
//! state.

use super::exclusive::{are_exclusive, are_exclusive_anywhere};
use super::is_impossible;
use crate::rbg::program::{Act, Node, Program};
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// By edge: whether its modifier is one of several that may come next in one state.
pub(super) fn indices(program: &Program, able: &[bool], live: &[bool]) -> Vec<bool> {
    let mut starts = vec![false; program.nodes];
    starts[program.start as usize] = true;
    let behind = program.edges.iter().filter(|edge| edge.act.is_modifier());
    behind.for_each(|edge| starts[edge.to as usize] = true);
    let mut needed = vec![false; program.edges.len()];
    let mut first = FirstModifiers { program, able, by_edge: HashMap::new() };
    let mut seen: HashSet<(Node, bool)> = HashSet::new();
    // Two walks that were one so far: their nodes, and whether they are on one square.
    let mut open: Vec<(Node, bool)> = Vec::new();
    let all = (0..program.nodes).filter(|node| starts[*node]);
    open.extend(all.map(|node| (node as Node, true)));
    while let Some((node, same_square)) = open.pop() {
        if !seen.insert((node, same_square)) {
            continue;
        }
        let edges: Vec<usize> = first.completing(node).collect();
        for (place, &number) in edges.iter().enumerate() {
            let edge = &program.edges[number];
            for &other in &edges[..place] {
                let [left, right] = [number, other].map(|number| &program.edges[number]);
                let exclude_each_other = match same_square {
                    true => are_exclusive(program, left, right),
                    false => are_exclusive_anywhere(program, live, left, right),
                };
                if !exclude_each_other {
                    let [left, right] = [number, other].map(|number| first.behind(number));
                    let differs = |set: &BTreeSet<usize>, from: usize| {
                        set.iter().any(|modifier| *modifier != from)
                    };
                    for (one, two) in [(&left, &right), (&right, &left)] {
                        for &modifier in one.iter().filter(|modifier| differs(two, **modifier)) {
                            needed[modifier] = true;
                        }
                    }
                }
            }
            if !edge.act.is_modifier() {
                open.push((edge.to, same_square && has_one_result(program, &edge.act)));
            }
        }
    }
    needed
}

/// Whether an action leads from a square to at most one square.
fn has_one_result(program: &Program, act: &Act) -> bool {
    match act {
        Act::Move(id) => program.relations[id.0 as usize].functions().len() < 2,
        _ => true,
    }
}

/// The first modifiers that may come after edges.
struct FirstModifiers<'p> {
    program: &'p Program,
    able: &'p [bool],
    by_edge: HashMap<usize, Rc<BTreeSet<usize>>>,
}

impl<'p> FirstModifiers<'p> {
    /// The edges that leave a node and by which a move may be completed.
    fn completing(&self, node: Node) -> impl Iterator<Item = usize> + use<'p> {
        let able = self.able;
        let edges = self.program.leaving(node).filter(move |(_, edge)| {
            let completes = matches!(edge.act, Act::Switch(_)) || able[edge.to as usize];
            !is_impossible(&edge.act) && completes
        });
        edges.map(|(number, _)| number)
    }

    /// The modifier of an edge, or the first modifiers that may come after it.
    fn behind(&mut self, number: usize) -> Rc<BTreeSet<usize>> {
        if let Some(memoised) = self.by_edge.get(&number) {
            return Rc::clone(memoised);
        }
        let mut modifiers = BTreeSet::new();
        let mut seen = HashSet::new();
        let mut open = vec![number];
        while let Some(number) = open.pop() {
            let edge = &self.program.edges[number];
            if edge.act.is_modifier() {
                modifiers.insert(number);
            } else if seen.insert(edge.to) {
                open.extend(self.completing(edge.to));
            }
        }
        let modifiers = Rc::new(modifiers);
        self.by_edge.insert(number, Rc::clone(&modifiers));
        modifiers
    }
}
