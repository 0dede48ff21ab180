//! The automaton as a graph: the edges that leave a node, and the nodes that walks can reach.
//!
//! Labels are mostly ignored. So a walk along edges may be legal in no state of the game. But if
//! there is no walk along edges, there is no legal walk. All functions are linear in the
//! description.

use super::ast::{Description, Edge, Label};
use super::name::Name;
use gdlr_text::graph::Worklist;

/// The edges of a description by the node that they leave.
#[derive(Clone, Debug)]
pub struct Graph<'d> {
    edges: &'d [Edge],
    /// By name: the beginning of its edges in `leaving`; one more at the end.
    starts: Vec<u32>,
    /// Indices of edges, in the order of the description for each node.
    leaving: Vec<u32>,
    /// By name: the first edge that enters the node.
    entering: Vec<Option<u32>>,
}

impl<'d> Graph<'d> {
    /// The graph of a description.
    pub fn new(description: &'d Description) -> Graph<'d> {
        let count = description.names.len();
        let mut starts = vec![0; count + 1];
        let mut entering = vec![None; count];
        for (index, edge) in description.edges.iter().enumerate() {
            starts[edge.from.name.index() + 1] += 1;
            entering[edge.to.name.index()].get_or_insert(index as u32);
        }
        for index in 0..count {
            starts[index + 1] += starts[index];
        }
        let mut free = starts.clone();
        let mut leaving = vec![0; description.edges.len()];
        for (index, edge) in description.edges.iter().enumerate() {
            let place = &mut free[edge.from.name.index()];
            leaving[*place as usize] = index as u32;
            *place += 1;
        }
        Graph { edges: &description.edges, starts, leaving, entering }
    }

    /// The edges that leave a node, in the order of the description.
    pub fn leaving(&self, node: Name) -> impl Iterator<Item = &'d Edge> + '_ {
        let index = node.index();
        let range = self.starts[index] as usize..self.starts[index + 1] as usize;
        self.leaving[range].iter().map(|&edge| &self.edges[edge as usize])
    }

    /// The edge with a given index among the edges that leave a node.
    pub fn nth_leaving(&self, node: usize, number: usize) -> Option<&'d Edge> {
        let range = self.starts[node] as usize..self.starts[node + 1] as usize;
        self.leaving[range].get(number).map(|&edge| &self.edges[edge as usize])
    }

    /// The first edge that enters a node.
    pub fn first_entering(&self, node: Name) -> Option<&'d Edge> {
        self.entering[node.index()].map(|edge| &self.edges[edge as usize])
    }

    /// Whether an edge leaves or enters the node.
    pub fn has_node(&self, node: Name) -> bool {
        self.leaving(node).next().is_some() || self.first_entering(node).is_some()
    }

    /// By name: whether a walk from `start` can reach the node.
    pub fn reachable(&self, start: Name) -> Vec<bool> {
        let mut seen = vec![false; self.entering.len()];
        self.search(start, &mut seen, |edge, visit| visit(edge.to.name));
        seen
    }

    /// By name: whether the node can be reached from `begin`, by a walk of play or of a
    /// reachability check on the way.
    pub fn alive(&self) -> Vec<bool> {
        let mut seen = vec![false; self.entering.len()];
        self.add_alive(Name::BEGIN, &mut seen);
        seen
    }

    /// Adds the nodes that walks from `start` can reach, as in [`alive`](Self::alive). Does not go
    /// beyond nodes that are in `seen` already.
    pub fn add_alive(&self, start: Name, seen: &mut [bool]) {
        self.search(start, seen, |edge, visit| {
            visit(edge.to.name);
            if let Label::Reach { from, .. } = &edge.label {
                visit(from.name);
            }
        });
    }

    fn search(
        &self,
        start: Name,
        seen: &mut [bool],
        next: impl Fn(&'d Edge, &mut dyn FnMut(Name)),
    ) {
        seen[start.index()] = false;
        let mut open = Worklist::beside(seen);
        open.push(start);
        while let Some(node) = open.pop() {
            for edge in self.leaving(node) {
                next(edge, &mut |node| {
                    open.push(node);
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rg::read;

    #[test]
    fn where_walks_can_come() {
        let text = "begin, a: ; a, begin: ; a, b: ? c -> d; c, d: ; e, end: ;";
        let description = read(text).unwrap();
        let graph = Graph::new(&description);
        let named = |seen: Vec<bool>| -> Vec<&str> {
            ["begin", "a", "b", "c", "d", "e", "end"]
                .into_iter()
                .filter(|text| seen[description.names.get(text).unwrap().index()])
                .collect()
        };
        assert_eq!(named(graph.reachable(Name::BEGIN)), ["begin", "a", "b"]);
        assert_eq!(named(graph.alive()), ["begin", "a", "b", "c", "d"]);
        let a = description.names.get("a").unwrap();
        assert_eq!(graph.leaving(a).count(), 2);
        assert!(graph.has_node(Name::END) && !graph.has_node(Name::KEEPER));
    }
}
