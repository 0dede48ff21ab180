//! The nodes of an automaton by number, and which of them are landmarks.

use super::program::NodeId;
use crate::rg::ast::{Description, Label};
use crate::rg::graph::Graph;
use crate::rg::name::Name;

/// A count of entering edges that makes a node a landmark for certain.
const FIXED: u8 = 128;

/// The number of a node that walks do not reach.
const NO_NODE: NodeId = NodeId::MAX;

/// The nodes that walks can reach, by number. Landmarks come first.
pub(super) struct Nodes {
    pub names: Vec<Name>,
    /// The number of landmarks.
    pub landmarks: usize,
    /// The numbers of the nodes, by name.
    numbers: Vec<NodeId>,
    /// By node: the beginning of its edges in `leaving`; one more at the end.
    starts: Vec<u32>,
    /// Indices of edges.
    leaving: Vec<u32>,
    /// By name: whether a walk can reach the node. Other nodes have no code, as landmarks behind
    /// them were not counted.
    pub alive: Vec<bool>,
}

impl Nodes {
    /// The nodes of a description. All `entries` are landmarks. `copies` is the field of
    /// [`Tuning`](crate::rg::Tuning).
    pub fn new(description: &Description, graph: &Graph, entries: &[Name], copies: u8) -> Nodes {
        let alive = graph.alive();
        let mut entered = vec![0u8; description.names.len()];
        let mut enter = |name: Name, times: u8| {
            let count = &mut entered[name.index()];
            *count = count.saturating_add(times);
        };
        // A node where a walk begins or ends is a landmark.
        enter(Name::BEGIN, FIXED);
        enter(Name::END, FIXED);
        entries.iter().for_each(|&entry| enter(entry, FIXED));
        for edge in description.edges.iter().filter(|edge| alive[edge.from.name.index()]) {
            enter(edge.to.name, 1);
            match &edge.label {
                Label::Assign { target, .. } if target.root() == Name::PLAYER => {
                    enter(edge.to.name, FIXED);
                }
                Label::Reach { from, to, .. } => {
                    enter(from.name, FIXED);
                    enter(to.name, FIXED);
                }
                _ => {}
            }
        }
        move_behind_comparisons(description, graph, copies, &mut entered);
        let mut names = Vec::new();
        let mut numbers = vec![NO_NODE; description.names.len()];
        let mut numbered = vec![false; description.names.len()];
        let mut add = |name: Name| {
            if !std::mem::replace(&mut numbered[name.index()], true) {
                numbers[name.index()] = names.len() as NodeId;
                names.push(name);
            }
        };
        add(Name::BEGIN);
        add(Name::END);
        let mut mentioned: Vec<Name> = Vec::new();
        for edge in &description.edges {
            mentioned.extend([edge.from.name, edge.to.name]);
            if let Label::Reach { from, to, .. } = &edge.label {
                mentioned.extend([from.name, to.name]);
            }
        }
        let is_landmark = |name: &&Name| entered[name.index()] >= 2;
        mentioned.iter().filter(is_landmark).for_each(|&name| add(name));
        let landmarks = numbered.iter().filter(|&&numbered| numbered).count();
        let mut add = |name: Name| {
            if !std::mem::replace(&mut numbered[name.index()], true) {
                numbers[name.index()] = names.len() as NodeId;
                names.push(name);
            }
        };
        mentioned.into_iter().for_each(&mut add);
        let mut starts = vec![0; names.len() + 1];
        for edge in &description.edges {
            starts[numbers[edge.from.name.index()] as usize + 1] += 1;
        }
        for index in 0..names.len() {
            starts[index + 1] += starts[index];
        }
        let mut free = starts.clone();
        let mut leaving = vec![0; description.edges.len()];
        for (index, edge) in description.edges.iter().enumerate() {
            let place = &mut free[numbers[edge.from.name.index()] as usize];
            leaving[*place as usize] = index as u32;
            *place += 1;
        }
        Nodes { names, landmarks, numbers, starts, leaving, alive }
    }

    pub fn number(&self, name: Name) -> NodeId {
        self.numbers[name.index()]
    }

    pub fn is_landmark(&self, node: NodeId) -> bool {
        (node as usize) < self.landmarks
    }

    pub fn leaving(&self, node: NodeId) -> &[u32] {
        let node = node as usize;
        &self.leaving[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// Moves a landmark behind its comparison. This happens at a node that only compares and that few
/// edges enter. Each of these edges then has a comparison of its own. So a walk that fails the
/// comparison needs no memory.
fn move_behind_comparisons(
    description: &Description,
    graph: &Graph,
    copies: u8,
    entered: &mut [u8],
) {
    for edge in &description.edges {
        let (node, to) = (edge.from.name, edge.to.name);
        let is_one = (2..=copies).contains(&entered[node.index()])
            && matches!(edge.label, Label::Compare { .. })
            && graph.leaving(node).count() == 1;
        // The target must have kept its own landmark: every cycle needs one.
        if is_one && to != node && entered[to.index()] > 0 {
            entered[node.index()] = 0;
            entered[to.index()] = FIXED;
        }
    }
}
