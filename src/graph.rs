//! Strongly connected components, without recursion.

/// The strongly connected components of a directed graph, in linear time (Tarjan).
///
/// `successors[v]` lists the nodes that `v` points at. A component comes after every
/// component that it points at, so with edges from a head to its conditions the order is
/// one in which relations can be computed.
///
/// ```
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
    use super::strongly_connected;

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
