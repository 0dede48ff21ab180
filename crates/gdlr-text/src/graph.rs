//! Graphs: adjacency lists, work lists, agendas, and strongly connected components without recursion.

mod agenda;
mod worklist;

pub use agenda::Agenda;
pub use worklist::{Met, Numbered, Worklist, reached};

/// Adjacency lists: what each node points at, one list after the other in a single piece of
/// memory.
#[derive(Clone, Debug)]
pub struct Adjacency<T> {
    /// By node: where its list begins; and the end.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Adjacency<T> {
    fn default() -> Self {
        Adjacency { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy> Adjacency<T> {
    /// The lists of so many nodes from edges, each a node and what it points at. Edges are
    /// visited twice; those of a node keep their order. Linear.
    pub fn new<I: Iterator<Item = (u32, T)>>(nodes: usize, edges: impl Fn() -> I) -> Adjacency<T> {
        let mut starts = vec![0u32; nodes + 1];
        edges().for_each(|(node, _)| starts[node as usize + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut fill = starts.clone();
        let mut items = match edges().next() {
            Some((_, any)) => vec![any; starts[nodes] as usize],
            None => Vec::new(),
        };
        for (node, item) in edges() {
            let slot = &mut fill[node as usize];
            items[*slot as usize] = item;
            *slot += 1;
        }
        Adjacency { starts, items }
    }

    /// The targets of a node.
    #[inline]
    pub fn of(&self, node: usize) -> &[T] {
        self.range(node, node + 1)
    }

    /// The targets of the nodes from one up to another.
    #[inline]
    pub fn range(&self, first: usize, end: usize) -> &[T] {
        &self.items[self.starts[first] as usize..self.starts[end] as usize]
    }
}

/// The strongly connected components of a directed graph, in linear time (Tarjan).
///
/// `successors[v]` lists the nodes that `v` points at. A component comes after every
/// component that it points at, so with edges from a head to its conditions the order is
/// one in which relations can be computed.
///
/// ```
/// # mod gdlr { pub use gdlr_text::graph; }
/// let components = gdlr::graph::strongly_connected(&[vec![1], vec![2], vec![1], vec![]]);
/// assert_eq!(components, [vec![2, 1], vec![0], vec![3]]);
/// ```
pub fn strongly_connected(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut components = Vec::new();
    let successor = |node: u32, edge: usize| successors[node as usize].get(edge).copied();
    for_each_component(successors.len(), successor, |component| {
        components.push(component.iter().rev().copied().collect());
    });
    components
}

/// Visits what [`strongly_connected`] returns, for a graph that is not a list of lists.
///
/// `successor(v, k)` is what the edge number `k` of `v` points at, if it has so many. The
/// nodes of a component come in the order in which the search met them.
pub fn for_each_component(
    count: usize,
    successor: impl Fn(u32, usize) -> Option<u32>,
    mut visit: impl FnMut(&[u32]),
) {
    const UNSEEN: u32 = u32::MAX;
    let mut order = vec![UNSEEN; count];
    let mut low = vec![0u32; count];
    let mut on_stack = vec![false; count];
    let mut stack = Vec::new();
    let mut calls: Vec<(u32, usize)> = Vec::new();
    let mut seen = 0u32;
    for root in 0..count as u32 {
        if order[root as usize] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.last_mut() {
            let v = *node as usize;
            if *edge == 0 && order[v] == UNSEEN {
                order[v] = seen;
                low[v] = seen;
                seen += 1;
                stack.push(*node);
                on_stack[v] = true;
            }
            if let Some(next) = successor(*node, *edge) {
                *edge += 1;
                let w = next as usize;
                if order[w] == UNSEEN {
                    calls.push((next, 0));
                } else if on_stack[w] {
                    low[v] = low[v].min(order[w]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[v]);
            }
            if low[v] == order[v] {
                let start = stack.iter().rposition(|&w| w as usize == v);
                let start = start.expect("a component ends at its root");
                stack[start..].iter().for_each(|&w| on_stack[w as usize] = false);
                visit(&stack[start..]);
                stack.truncate(start);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Adjacency, strongly_connected};

    #[test]
    fn edges_of_a_node_are_together_and_in_order() {
        let edges = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (0, 'e')];
        let lists = Adjacency::new(4, || edges.into_iter());
        let edges_of_nodes: Vec<&[char]> = (0..4).map(|node| lists.of(node)).collect();
        assert_eq!(edges_of_nodes, [&['b', 'e'][..], &[], &['a', 'c'], &['d']]);
        assert_eq!(lists.range(2, 4), ['a', 'c', 'd']);
        assert!(Adjacency::<char>::default().items.is_empty());
    }

    #[test]
    fn a_long_chain_does_not_recurse() {
        let chain: Vec<Vec<u32>> =
            (0..200_000u32).map(|v| if v == 199_999 { vec![0] } else { vec![v + 1] }).collect();
        assert_eq!(strongly_connected(&chain).len(), 1);
    }

    #[test]
    fn components_come_after_what_they_point_at() {
        let graph = vec![vec![1, 3], vec![2], vec![0, 4], vec![4, 5], vec![4], vec![]];
        let components = strongly_connected(&graph);
        let place = |v: u32| components.iter().position(|c| c.contains(&v)).unwrap();
        for (v, successors) in graph.iter().enumerate() {
            assert!(successors.iter().all(|&w| place(w) <= place(v as u32)));
        }
        assert_eq!(components.iter().filter(|c| c.len() == 3).count(), 1);
    }
}
