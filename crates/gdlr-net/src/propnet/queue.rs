//! Nodes whose readers are to be notified, in the order in which they changed.

use super::circuit::NO_NODE;

/// A queue in which it costs the same to add a node and not to: what changes is hard to predict,
/// and a branch that is mispredicted takes longer than a write that is not needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    /// Longer than what is in it.
    nodes: Vec<u32>,
    end: usize,
}

impl Queue {
    /// The node at a place, if there are so many.
    #[inline]
    pub fn get(&self, place: usize) -> Option<u32> {
        if place < self.end { self.nodes.get(place).copied() } else { None }
    }

    /// Adds the nodes that have changed, of some that are changed as the iterator goes on.
    #[inline]
    pub fn add_changed(&mut self, nodes: impl ExactSizeIterator<Item = (u32, bool)>) {
        self.reserve(nodes.len());
        let room = &mut self.nodes[self.end..];
        let mut added = 0;
        for (node, has_changed) in nodes {
            room[added] = node;
            added += usize::from(has_changed);
        }
        self.end += added;
    }

    /// Makes room for so many more.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.nodes.len() < self.end + more {
            self.nodes.resize(2 * (self.end + more), NO_NODE);
        }
    }

    /// Adds a node.
    #[inline]
    pub fn push(&mut self, node: u32) {
        self.reserve(1);
        self.nodes[self.end] = node;
        self.end += 1;
    }

    /// Forgets all nodes.
    #[inline]
    pub fn clear(&mut self) {
        self.end = 0;
    }
}
