//! Data-flow analysis: what is known at each node (RG, B.6; G. Kildall, *A Unified Approach to
//! Global Program Optimization*, 1973).
//!
//! An [`Analysis`] says what is known where walks begin, what an edge makes of what is known
//! before it, and what is known where ways meet; [`solve`] finds the strongest knowledge that
//! is true at every node. A reachability check `? s -> t` on an edge from `p` begins a walk at
//! `s` with the state at `p`: for what flows forward that is one more edge from `p` to `s` on
//! which nothing happens, for what flows backward what is known at `s` is known at `p`, too.
//!
//! | file | what is known at a node | direction |
//! |---|---|---|
//! | [`reachable_nodes`] | whether a walk from `begin` comes there | forward |
//! | [`reaching_definitions`] | which assignments gave each variable its value | forward |
//! | [`reaching_assignments`] | which expressions the variables still equal | forward |
//! | [`constants`] | which variables have one value, and which | forward |
//! | [`value_sets`] | which values each variable may have | forward |
//! | [`live_variables`] | which variables are read before they are assigned to again | backward |
//! | [`settled_variables`] | which variables are assigned to before the move ends | backward |
//! | [`patricia`], [`sets`] | what knowledge is kept in |

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

/// Which way knowledge flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Along the edges, from `begin`.
    Forward,
    /// Against the edges.
    Backward,
}

/// A kind of knowledge about the nodes of a program.
///
/// Knowledge of a node is `None` until some is found, which is to say that no walk comes
/// there, or leads from there to where something is known.
pub trait Analysis {
    /// What is known at a node.
    type Knowledge: Clone + PartialEq;

    /// Which way it flows.
    const DIRECTION: Direction;

    /// What is known at a node before anything flows there: at `begin` in what flows forward,
    /// at each node in what flows backward.
    fn boundary(&mut self, program: &Program, node: Node) -> Option<Self::Knowledge>;

    /// What an edge makes of what is known on the side where it comes from, which is the node
    /// that it enters in what flows backward. Nothing if no walk takes the edge.
    fn transfer(
        &mut self,
        program: &Program,
        id: EdgeId,
        edge: Edge,
        knowledge: &Self::Knowledge,
    ) -> Option<Self::Knowledge>;

    /// What is known on the other side of a check: where its walks begin, in what flows forward,
    /// or where it is made. Nothing if that says nothing.
    fn check(&mut self, knowledge: &Self::Knowledge) -> Option<Self::Knowledge> {
        Some(knowledge.clone())
    }

    /// What is known at a node where both are.
    fn join(
        &mut self,
        node: Node,
        one: &Self::Knowledge,
        other: &Self::Knowledge,
    ) -> Self::Knowledge;

    /// The same where knowledge has changed often already: less, so that it soon changes no more.
    fn widen(
        &mut self,
        node: Node,
        one: &Self::Knowledge,
        other: &Self::Knowledge,
    ) -> Self::Knowledge {
        self.join(node, one, other)
    }

    /// The same where it took too long already.
    fn give_up(
        &mut self,
        node: Node,
        one: &Self::Knowledge,
        other: &Self::Knowledge,
    ) -> Self::Knowledge {
        self.widen(node, one, other)
    }

    /// How many bytes all knowledge takes, about, without what is kept for each node.
    fn bytes(&self) -> usize {
        0
    }
}

/// By node: what is known there, if any walk comes there.
pub struct Solution<K>(Vec<Option<K>>);

impl<K: Clone> Solution<K> {
    /// The same at each node.
    pub fn everywhere(program: &Program, known: K) -> Self {
        Solution(vec![Some(known); program.node_count()])
    }
}

impl<K> Solution<K> {
    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Option<K>>()
    }

    /// What is known at a node.
    pub fn at(&self, node: Node) -> Option<&K> {
        self.0[node.index()].as_ref()
    }
}

/// Finds what is known at each node: passes over the nodes in an order in which knowledge
/// mostly flows, each over those alone at which something changed, until nothing does.
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
    let mut known: Vec<Option<A::Knowledge>> = vec![None; program.node_count()];
    let mut changes = vec![0_u8; program.node_count()];
    let mut open = vec![!forward; program.node_count()];
    for &node in &order {
        if !forward || node == Node::BEGIN {
            known[node.index()] = analysis.boundary(program, node);
            open[node.index()] = true;
        }
    }
    // Backward, the nodes that check a walk must hear of what is new where it begins.
    let checkers = if forward { Vec::new() } else { checkers(program) };
    let of_findings = program.bytes_of_findings();
    let of_nodes = known.len() * size_of::<Option<A::Knowledge>>();
    let mut left = program.tuning.free_visits + program.tuning.visits * known.len();
    let widened_after = program.tuning.widened_after;
    let mut again = true;
    while std::mem::take(&mut again) {
        for &node in &order {
            if !std::mem::take(&mut open[node.index()]) {
                continue;
            }
            let Some(here) = known[node.index()].clone() else { continue };
            left = left.saturating_sub(1);
            meter.hold(Memory::Scratch, of_findings + of_nodes + analysis.bytes());
            let mut tell = |to: Node, new: A::Knowledge, analysis: &mut A| {
                let old = &mut known[to.index()];
                let count = &mut changes[to.index()];
                let joined = match &*old {
                    Some(old) if *count < widened_after && left > 0 => analysis.join(to, old, &new),
                    Some(old) if left > 0 => analysis.widen(to, old, &new),
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
    program.solved(left == 0);
    Ok(Solution(known))
}

/// By node: the nodes that edges leave with a check of walks from it.
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

/// The nodes that walks come to, walks of checks among them: each behind those that it leads
/// to, but for cycles; then all others.
pub fn post_order(program: &Program) -> Vec<Node> {
    let mut met = vec![false; program.node_count()];
    let mut order = Vec::new();
    // A node, and which of its edges is next; each edge leads to one node, or two.
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
