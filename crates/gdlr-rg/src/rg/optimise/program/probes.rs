//! Probes: how the optimiser is told of who looks at states.
//!
//! A probe is a move that says what a state is. It leaves a node at which somebody has the move,
//! and reads variables:
//!
//! ```text
//! turn, sink: $ probe;        (`probe` stands for the node and what `board` and `count` hold)
//! ```
//!
//! Its tag is like no other. Since moves stay as they are, so do the states in which there is
//! this one: whatever happens to the node, the edge leaves the node that stands for it, and what
//! the variables hold there is what they held. No play takes the edge, and no check looks for
//! its end.

use super::{Edge, Label, Node, Program};
use crate::rg::name::Name;
use hashbrown::{HashMap, HashSet};

/// What a probe says.
#[derive(Debug)]
pub(super) struct Probe {
    /// The name of the node.
    node: Name,
    /// The variables.
    pub reads: Box<[Name]>,
}

impl Program {
    /// Lets somebody look at a node that has a name, and at variables there.
    ///
    /// # Panics
    ///
    /// When the node is new.
    pub fn probe(&mut self, node: Node, reads: &[Name]) {
        let name = self.node_name(node).expect("nodes of descriptions have names");
        let tag = self.fresh_name(&format!("probe_{}", node.index()));
        let sink = self.add_node();
        self.probes.insert(tag, Probe { node: name, reads: reads.into() });
        self.add_edge(Edge { from: node, to: sink, label: Label::Tag(tag) });
    }

    /// Whether somebody looks at a variable.
    pub fn is_probed(&self, variable: Name) -> bool {
        self.probes.values().any(|probe| probe.reads.contains(&variable))
    }

    /// Removes all probes: the nodes that they leave get the names of those that they left, and no
    /// other node has a name. Says whether each node has one name at most, and each name one node.
    pub fn take_probes(&mut self) -> bool {
        let probes = std::mem::take(&mut self.probes);
        let mut nodes: HashMap<Node, Name> = HashMap::new();
        let mut named: HashSet<Name> = HashSet::new();
        let mut each_is_one = true;
        for id in self.edge_numbers() {
            let Some(edge) = self.get(id) else { continue };
            let Label::Tag(tag) = edge.label else { continue };
            let Some(probe) = probes.get(&tag) else { continue };
            each_is_one &= nodes.insert(edge.from, probe.node).is_none();
            each_is_one &= named.insert(probe.node);
            self.remove_edge(id);
        }
        for node in self.nodes() {
            self.node_names[node.index()] = nodes.get(&node).copied();
        }
        each_is_one
    }
}
