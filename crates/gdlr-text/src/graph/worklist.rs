//! Work lists: what one comes to from somewhere, each node once.

use hashbrown::HashSet;
use std::hash::Hash;

/// A node with a number.
pub trait Numbered: Copy {
    /// Its number, from 0 on.
    fn number(self) -> usize;
}

impl Numbered for u32 {
    #[inline]
    fn number(self) -> usize {
        self as usize
    }
}

impl Numbered for usize {
    #[inline]
    fn number(self) -> usize {
        self
    }
}

/// The nodes that were met: by number, or in a table where they are few of many.
pub trait Met<N> {
    /// Adds a node; whether it was not there.
    fn meet(&mut self, node: N) -> bool;
}

impl<N: Numbered> Met<N> for [bool] {
    #[inline]
    fn meet(&mut self, node: N) -> bool {
        !std::mem::replace(&mut self[node.number()], true)
    }
}

impl<N: Numbered> Met<N> for Vec<bool> {
    #[inline]
    fn meet(&mut self, node: N) -> bool {
        self[..].meet(node)
    }
}

impl<N: Eq + Hash> Met<N> for HashSet<N> {
    #[inline]
    fn meet(&mut self, node: N) -> bool {
        self.insert(node)
    }
}

impl<N, M: Met<N> + ?Sized> Met<N> for &mut M {
    #[inline]
    fn meet(&mut self, node: N) -> bool {
        (**self).meet(node)
    }
}

/// The nodes that are still to be looked at. Each is pushed once, however often it is met, and the
/// last one is taken first.
///
/// ```
/// # mod gdlr { pub use gdlr_text::graph; }
/// let successors = [vec![1, 2], vec![2], vec![0], vec![0]];
/// let (mut open, mut order) = (gdlr::graph::Worklist::new(4), Vec::new());
/// open.push(0_usize);
/// while let Some(node) = open.pop() {
///     order.push(node);
///     open.extend(successors[node].iter().copied());
/// }
/// assert_eq!(order, [0, 2, 1]);
/// assert_eq!(open.into_met(), [true, true, true, false]);
/// ```
#[derive(Clone, Debug)]
pub struct Worklist<N, M = Vec<bool>> {
    open: Vec<N>,
    met: M,
}

impl<N: Numbered> Worklist<N> {
    /// The empty list, for so many nodes.
    pub fn new(count: usize) -> Self {
        Worklist::beside(vec![false; count])
    }
}

impl<N: Copy + Eq + Hash> Worklist<N, HashSet<N>> {
    /// The empty list, for any nodes.
    pub fn sparse() -> Self {
        Worklist::beside(HashSet::new())
    }
}

impl<N: Copy, M: Met<N>> Worklist<N, M> {
    /// The empty list, for nodes beside those that were met already.
    pub fn beside(met: M) -> Self {
        Worklist { open: Vec::new(), met }
    }

    /// Adds a node, unless it was met before; whether it is new.
    #[inline]
    pub fn push(&mut self, node: N) -> bool {
        let is_new = self.met.meet(node);
        if is_new {
            self.open.push(node);
        }
        is_new
    }

    /// Takes the node that was added last.
    #[inline]
    pub fn pop(&mut self) -> Option<N> {
        self.open.pop()
    }

    /// The nodes that were met.
    pub fn into_met(self) -> M {
        self.met
    }
}

impl<N: Copy, M: Met<N>> Extend<N> for Worklist<N, M> {
    fn extend<I: IntoIterator<Item = N>>(&mut self, nodes: I) {
        for node in nodes {
            self.push(node);
        }
    }
}

/// By node, of so many: whether one comes there from one of the starts, which are among them.
/// Linear in the nodes and in what they point at.
///
/// ```
/// # mod gdlr { pub use gdlr_text::graph; }
/// let successors = [vec![1], vec![0], vec![1]];
/// let reached = gdlr::graph::reached(3, [0], |node: usize| successors[node].iter().copied());
/// assert_eq!(reached, [true, true, false]);
/// ```
pub fn reached<N: Numbered, I: IntoIterator<Item = N>>(
    count: usize,
    starts: impl IntoIterator<Item = N>,
    mut successors: impl FnMut(N) -> I,
) -> Vec<bool> {
    let mut open = Worklist::new(count);
    open.extend(starts);
    while let Some(node) = open.pop() {
        open.extend(successors(node));
    }
    open.into_met()
}

#[cfg(test)]
mod tests {
    use super::{Worklist, reached};
    use hashbrown::HashSet;

    /// A graph with cycles, two ways to a node, and an edge from a node to itself.
    const EDGES: [(u32, u32); 7] = [(0, 1), (1, 2), (2, 0), (0, 2), (2, 2), (3, 0), (4, 3)];

    fn after(node: u32) -> impl Iterator<Item = u32> {
        EDGES.into_iter().filter(move |&(from, _)| from == node).map(|(_, to)| to)
    }

    #[test]
    fn all_that_edges_lead_to_is_reached_and_nothing_else() {
        let expected = |starts: &[u32]| {
            let mut nodes: HashSet<u32> = starts.iter().copied().collect();
            // As often as there are edges: no way to a node is longer.
            for (from, to) in EDGES.into_iter().cycle().take(EDGES.len() * EDGES.len()) {
                if nodes.contains(&from) {
                    nodes.insert(to);
                }
            }
            (0..5).map(|node| nodes.contains(&node)).collect::<Vec<bool>>()
        };
        for starts in [&[][..], &[0], &[1, 1], &[3], &[4], &[2, 4]] {
            assert_eq!(reached(5, starts.iter().copied(), after), expected(starts), "{starts:?}");
        }
    }

    #[test]
    fn each_node_is_taken_once_the_last_one_first() {
        let mut open = Worklist::sparse();
        assert!(open.push(4));
        assert!(!open.push(4));
        let mut taken = Vec::new();
        while let Some(node) = open.pop() {
            taken.push(node);
            open.extend(after(node));
        }
        assert_eq!(taken, [4, 3, 0, 2, 1]);
        assert!(!open.push(2));
        assert_eq!(open.pop(), None);
        let met = open.into_met();
        assert_eq!(met.len(), 5);
    }

    #[test]
    fn what_was_met_already_is_left_out() {
        let mut met = [false, false, true, false, false];
        let mut open = Worklist::beside(&mut met[..]);
        open.extend([0_u32, 2]);
        while let Some(node) = open.pop() {
            assert_ne!(node, 2);
            open.extend(after(node));
        }
        assert_eq!(met, [true, true, true, false, false]);
    }
}
