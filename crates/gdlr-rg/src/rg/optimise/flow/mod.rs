//! Data-flow analysis: the knowledge that holds at each node on all walks (RG, B.6; G. Kildall, *A
//! Unified Approach to Global Program Optimization*, 1973).
//!
//! An [`Analysis`] has a boundary (the knowledge where walks begin), a transfer function (the
//! effect of an edge on knowledge), and a join (the knowledge where walks meet). [`solve`] computes
//! the fixed point: the strongest knowledge that is true at every node.
//!
//! A reachability check `? s -> t` on an edge from `p` begins a walk at `s` with the state at `p`.
//! A forward analysis treats it as one more edge from `p` to `s` without an effect. In a backward
//! analysis, the knowledge at `s` also holds at `p`.
//!
//! | file | knowledge at a node | direction |
//! |---|---|---|
//! | [`reachable_nodes`] | whether a walk from `begin` reaches it | forward |
//! | [`reaching_definitions`] | the assignments that gave each variable its value | forward |
//! | [`reaching_assignments`] | the expression that each variable still equals | forward |
//! | [`constants`] | the variables with one value, and that value | forward |
//! | [`value_sets`] | the values that each variable may have | forward |
//! | [`live_variables`] | the variables that are read before they are assigned to again | backward |
//! | [`settled_variables`] | the variables that are assigned to before the move ends | backward |
//! | [`patricia`], [`sets`] | the data structures of knowledge |

pub mod constants;
pub mod live_variables;
pub mod patricia;
pub mod reachable_nodes;
pub mod reaching_assignments;
pub mod reaching_definitions;
pub mod sets;
pub mod settled_variables;
pub mod value_sets;

#[cfg(test)]
mod tests;

use super::program::{Edge, EdgeId, Label, Node, Program};
use gdlr_text::budget::{Exhausted, Memory, Meter};

/// The direction in which knowledge flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along the edges, from `begin`.
    Forward,
    /// Against the edges.
    Backward,
}

/// A data-flow analysis of the nodes of a program.
///
/// The knowledge of a node is `None` until some reaches it. `None` at the end means that no walk
/// reaches the node, or, backward, that no walk from it reaches a node with knowledge.
pub trait Analysis {
    /// The knowledge of one node: an element of the lattice.
    type Knowledge: Clone + PartialEq;

    /// The direction in which knowledge flows.
    const DIRECTION: Direction;

    /// The knowledge at a node before anything flows there: at `begin` in a forward analysis, at
    /// every node in a backward one.
    fn boundary(&mut self, program: &Program, node: Node) -> Option<Self::Knowledge>;

    /// The transfer function: the knowledge after an edge, from the knowledge before it. In a
    /// backward analysis, the node that the edge enters is before it. `None` if no walk takes the
    /// edge.
    fn transfer(
        &mut self,
        program: &Program,
        id: EdgeId,
        edge: Edge,
        knowledge: &Self::Knowledge,
    ) -> Option<Self::Knowledge>;

    /// The knowledge across a check. Forward, it flows from the check to the beginning of its
    /// walks; backward, the other way. `None` if nothing flows.
    fn check(&mut self, knowledge: &Self::Knowledge) -> Option<Self::Knowledge> {
        Some(knowledge.clone())
    }

    /// The join: the knowledge that holds if either of two does.
    fn join(
        &mut self,
        node: Node,
        one: &Self::Knowledge,
        other: &Self::Knowledge,
    ) -> Self::Knowledge;

    /// The join at a node whose knowledge has changed often (widening): weaker, so that it soon
    /// changes no more.
    fn widen(
        &mut self,
        node: Node,
        one: &Self::Knowledge,
        other: &Self::Knowledge,
    ) -> Self::Knowledge {
        self.join(node, one, other)
    }

    /// The join after the bound on the work of the analysis: weaker still.
    fn give_up(
        &mut self,
        node: Node,
        one: &Self::Knowledge,
        other: &Self::Knowledge,
    ) -> Self::Knowledge {
        self.widen(node, one, other)
    }

    /// The memory of all knowledge, in bytes, about. The values of type `Knowledge` do not count.
    fn bytes(&self) -> usize {
        0
    }
}

/// The knowledge of each node; `None` for a node that no walk reaches.
pub struct Solution<K>(Vec<Option<K>>);

impl<K: Clone> Solution<K> {
    /// The same knowledge at each node.
    pub fn everywhere(program: &Program, knowledge: K) -> Self {
        Solution(vec![Some(knowledge); program.node_count()])
    }
}

impl<K> Solution<K> {
    /// The memory of the solution, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Option<K>>()
    }

    /// The knowledge of a node.
    pub fn at(&self, node: Node) -> Option<&K> {
        self.0[node.index()].as_ref()
    }
}

/// Computes the knowledge of each node, as a fixed point. Passes over the nodes in the order in
/// which most knowledge flows (reverse postorder if forward). A pass visits only nodes at which
/// something changed.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn solve<A: Analysis>(
    program: &Program,
    analysis: &mut A,
    meter: &Meter<'_>,
) -> Result<Solution<A::Knowledge>, Exhausted> {
    let forward = A::DIRECTION == Direction::Forward;
    let mut order = post_order(program);
    if forward {
        order.reverse();
    }
    let mut knowledge: Vec<Option<A::Knowledge>> = vec![None; program.node_count()];
    let mut changes = vec![0_u8; program.node_count()];
    let mut open = vec![!forward; program.node_count()];
    for &node in &order {
        if !forward || node == Node::BEGIN {
            knowledge[node.index()] = analysis.boundary(program, node);
            open[node.index()] = true;
        }
    }
    // Backward, news at the beginning of a walk must reach the nodes that check the walk.
    let checkers = if forward { Vec::new() } else { checkers(program) };
    let of_findings = program.bytes_of_findings();
    let of_nodes = knowledge.len() * size_of::<Option<A::Knowledge>>();
    let mut visits_left = program.tuning.free_visits + program.tuning.visits * knowledge.len();
    let widened_after = program.tuning.widened_after;
    let mut again = true;
    while std::mem::take(&mut again) {
        for &node in &order {
            if !std::mem::take(&mut open[node.index()]) {
                continue;
            }
            let Some(here) = knowledge[node.index()].clone() else { continue };
            visits_left = visits_left.saturating_sub(1);
            meter.hold(Memory::Scratch, of_findings + of_nodes + analysis.bytes());
            let mut tell = |to: Node, new: A::Knowledge, analysis: &mut A| {
                let old = &mut knowledge[to.index()];
                let count = &mut changes[to.index()];
                let joined = match &*old {
                    Some(old) if *count < widened_after && visits_left > 0 => {
                        analysis.join(to, old, &new)
                    }
                    Some(old) if visits_left > 0 => analysis.widen(to, old, &new),
                    Some(old) => analysis.give_up(to, old, &new),
                    None => new,
                };
                if old.as_ref() != Some(&joined) {
                    *count = count.saturating_add(1);
                    *old = Some(joined);
                    open[to.index()] = true;
                    again = true;
                }
            };
            let edges = if forward { program.leaving(node) } else { program.entering(node) };
            meter.spend(1 + edges.len())?;
            for &id in edges {
                let edge = program.edge(id);
                let to = if forward { edge.to } else { edge.from };
                if let Some(new) = analysis.transfer(program, id, edge, &here) {
                    tell(to, new, analysis);
                }
                if let (true, Label::Reach { from, .. }) = (forward, edge.label)
                    && let Some(new) = analysis.check(&here)
                {
                    tell(from, new, analysis);
                }
            }
            for &checker in checkers.get(node.index()).into_iter().flatten() {
                if let Some(new) = analysis.check(&here) {
                    tell(checker, new, analysis);
                }
            }
        }
    }
    program.solved(visits_left == 0);
    Ok(Solution(knowledge))
}

/// By node: the nodes with a leaving edge that checks walks from it.
fn checkers(program: &Program) -> Vec<Vec<Node>> {
    let mut checkers = vec![Vec::new(); program.node_count()];
    for (_, edge) in program.edges() {
        if let Label::Reach { from, .. } = edge.label {
            checkers[from.index()].push(edge.from);
        }
    }
    for nodes in &mut checkers {
        nodes.sort_unstable();
        nodes.dedup();
    }
    checkers
}

/// The nodes in postorder: first the nodes that walks reach, also walks of checks, each after its
/// successors but for cycles; then all others.
pub fn post_order(program: &Program) -> Vec<Node> {
    let mut met = vec![false; program.node_count()];
    let mut order = Vec::new();
    // A node, its next edge, and whether the beginning of the edge's check comes next.
    let mut open: Vec<(Node, usize, bool)> = Vec::new();
    for start in std::iter::once(Node::BEGIN).chain(program.nodes()) {
        if std::mem::replace(&mut met[start.index()], true) {
            continue;
        }
        open.push((start, 0, false));
        while let Some((node, next, check)) = open.last_mut() {
            let Some(&id) = program.leaving(*node).get(*next) else {
                order.push(*node);
                open.pop();
                continue;
            };
            let edge = program.edge(id);
            let to = match (edge.label, *check) {
                (Label::Reach { from, .. }, false) => {
                    *check = true;
                    from
                }
                _ => {
                    *check = false;
                    *next += 1;
                    edge.to
                }
            };
            if !std::mem::replace(&mut met[to.index()], true) {
                open.push((to, 0, false));
            }
        }
    }
    order
}
