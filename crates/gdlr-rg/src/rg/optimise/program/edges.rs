//! The graph of a program: nodes, edges, and changes to them.
//!
//! An edge keeps its number as long as it exists. The edges that leave a node are ordered. The
//! edges that enter it are not, so that the removal of one takes constant time.

use super::{Label, Program};
use crate::rg::name::Name;
use gdlr_text::graph::Numbered;
use smallvec::SmallVec;

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);

impl Node {
    /// The node `begin`.
    pub const BEGIN: Node = Node(0);
    /// The node `end`.
    pub const END: Node = Node(1);

    /// The number of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node with a number.
    pub fn at(index: usize) -> Node {
        Node(u32::try_from(index).expect("fewer than 2^32 nodes"))
    }
}

impl Numbered for Node {
    fn number(self) -> usize {
        self.index()
    }
}

/// The number of an edge, valid as long as the edge exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(u32);

impl EdgeId {
    /// The number of the edge.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The node that it leaves.
    pub from: Node,
    /// The node that it enters.
    pub to: Node,
    /// The action or condition of the edge.
    pub label: Label,
}

/// The edges at a node.
pub(super) type Edges = SmallVec<[EdgeId; 2]>;

/// An edge that exists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    edge: Edge,
    /// Its index among the edges that enter its node.
    slot: u32,
}

impl Program {
    /// The edge with a number.
    ///
    /// # Panics
    ///
    /// When the edge was removed.
    pub fn edge(&self, edge: EdgeId) -> Edge {
        self.get(edge).expect("the edge is there")
    }

    /// The edge with a number; `None` if it was removed.
    pub fn get(&self, edge: EdgeId) -> Option<Edge> {
        self.edges[edge.index()].map(|stored| stored.edge)
    }

    /// All edges, in the order of their numbers.
    pub fn edges(&self) -> impl Iterator<Item = (EdgeId, Edge)> + '_ {
        let numbered = self.edges.iter().enumerate();
        numbered.filter_map(|(index, edge)| Some((EdgeId(index as u32), (*edge)?.edge)))
    }

    /// The numbers of all edges, also of removed ones.
    pub fn edge_numbers(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len() as u32).map(EdgeId)
    }

    /// The edge with a number, if there ever was one.
    pub fn edge_number(&self, index: u32) -> Option<EdgeId> {
        self.edges.get(index as usize)?.map(|_| EdgeId(index))
    }

    /// The edges that leave a node, in order.
    pub fn leaving(&self, node: Node) -> &[EdgeId] {
        &self.leaving[node.index()]
    }

    /// The edges that enter a node.
    pub fn entering(&self, node: Node) -> &[EdgeId] {
        &self.entering[node.index()]
    }

    /// The edges that leave a node, in order.
    pub fn edges_from(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        self.leaving(node).iter().map(|&edge| self.edge(edge))
    }

    /// The number of nodes that were ever made; nodes have the numbers below it.
    pub fn node_count(&self) -> usize {
        self.leaving.len()
    }

    /// The name of a node; `None` if it is new.
    pub fn node_name(&self, node: Node) -> Option<Name> {
        self.node_names[node.index()]
    }

    /// All nodes, also those that no edge touches.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        (0..self.leaving.len() as u32).map(Node)
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.count
    }

    /// Adds a node without edges.
    pub fn add_node(&mut self) -> Node {
        let node = Node::at(self.leaving.len());
        self.leaving.push(Edges::new());
        self.entering.push(Edges::new());
        self.node_names.push(None);
        node
    }

    /// Adds an edge after the others that leave its node.
    pub fn add_edge(&mut self, edge: Edge) -> EdgeId {
        let at = self.leaving[edge.from.index()].len();
        self.insert_edge(at, edge)
    }

    /// Adds an edge at a place among the edges that leave its node.
    pub fn insert_edge(&mut self, at: usize, edge: Edge) -> EdgeId {
        let id = EdgeId(u32::try_from(self.edges.len()).expect("fewer than 2^32 edges"));
        self.edges.push(Some(Stored { edge, slot: 0 }));
        self.leaving[edge.from.index()].insert(at, id);
        self.enter(id, edge.to);
        self.count += 1;
        self.changes += 1;
        id
    }

    /// Removes an edge. Linear in the edges that leave its node.
    pub fn remove_edge(&mut self, id: EdgeId) {
        let from = self.edge(id).from;
        self.leaving[from.index()].retain(|other| *other != id);
        self.forget(id);
    }

    /// Keeps only the edges that leave a node for which `keep` holds.
    pub fn retain_leaving(&mut self, node: Node, mut keep: impl FnMut(&Program, EdgeId) -> bool) {
        let mut leaving = std::mem::take(&mut self.leaving[node.index()]);
        leaving.retain(|id| {
            let kept = keep(self, *id);
            if !kept {
                self.forget(*id);
            }
            kept
        });
        self.leaving[node.index()] = leaving;
    }

    /// Changes the label of an edge.
    pub fn relabel(&mut self, id: EdgeId, label: Label) {
        let edge = &mut self.stored(id).edge;
        if edge.label != label {
            edge.label = label;
            self.changes += 1;
        }
    }

    /// Moves the head of an edge to another node.
    pub fn redirect(&mut self, id: EdgeId, to: Node) {
        if self.edge(id).to != to {
            self.quit(id);
            self.stored(id).edge.to = to;
            self.enter(id, to);
            self.changes += 1;
        }
    }

    /// Moves the heads of all edges that enter a node to another one. Linear in these edges.
    pub fn redirect_all(&mut self, node: Node, to: Node) {
        for id in std::mem::take(&mut self.entering[node.index()]) {
            self.stored(id).edge.to = to;
            self.enter(id, to);
            self.changes += 1;
        }
    }

    /// Moves the tails of all edges that leave a node to another one, at a place among the edges
    /// there. Linear in both.
    pub fn splice(&mut self, node: Node, from: Node, at: usize) {
        let moved = std::mem::take(&mut self.leaving[node.index()]);
        for &id in &moved {
            self.stored(id).edge.from = from;
        }
        self.changes += moved.len() as u64;
        self.leaving[from.index()].insert_many(at, moved);
    }

    /// Removes all edges that leave a node.
    pub fn remove_leaving(&mut self, node: Node) {
        self.retain_leaving(node, |_, _| false);
    }

    fn stored(&mut self, id: EdgeId) -> &mut Stored {
        self.edges[id.index()].as_mut().expect("the edge is there")
    }

    /// Adds an edge to the edges that enter a node.
    fn enter(&mut self, id: EdgeId, to: Node) {
        let entering = &mut self.entering[to.index()];
        entering.push(id);
        let slot = entering.len() as u32 - 1;
        self.stored(id).slot = slot;
    }

    /// Removes an edge from the edges that enter its node.
    fn quit(&mut self, id: EdgeId) {
        let Stored { edge, slot } = *self.stored(id);
        let entering = &mut self.entering[edge.to.index()];
        entering.swap_remove(slot as usize);
        if let Some(&moved) = entering.get(slot as usize) {
            self.stored(moved).slot = slot;
        }
    }

    /// Removes an edge that is not in the list of its node any more.
    fn forget(&mut self, id: EdgeId) {
        self.quit(id);
        self.edges[id.index()] = None;
        self.count -= 1;
        self.changes += 1;
    }
}
