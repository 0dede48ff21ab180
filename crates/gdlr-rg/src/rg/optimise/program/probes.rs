//! Probes: moves that show the optimiser which states and variables the caller will look at.
//!
//! A probe leaves a node at which a move begins, and reads variables:
//!
//! ```text
//! turn, sink: $ probe;        (`probe` stands for the node and the values of `board` and `count`)
//! ```
//!
//! Its tag is unique. The optimiser keeps all moves, so it keeps the states in which there is a
//! probe. If the node is merged with another one, the edge of the probe leaves the merged node. The
//! variables keep their values there. No play takes the edge, and no check looks for its end.

use super::{Edge, Label, Node, Program};
use crate::rg::name::Name;
use hashbrown::{HashMap, HashSet};

/// The data of a probe.
#[derive(Debug)]
pub(super) struct Probe {
    /// The name of the node.
    node: Name,
    /// The variables.
    pub reads: Box<[Name]>,
}

impl Program {
    /// Adds a probe of a node that has a name, and of variables there.
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

    /// Whether a probe reads a variable.
    pub fn is_probed(&self, variable: Name) -> bool {
        self.probes.values().any(|probe| probe.reads.contains(&variable))
    }

    /// Removes all probes. The node that a probe leaves gets the name of the node that it left at
    /// first; all other nodes lose their names. Returns whether each node has at most one name, and
    /// each name one node.
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
