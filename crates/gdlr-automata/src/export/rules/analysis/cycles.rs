//! Cycles of edges.

use gdlr_rules::gdl::Symbol;
use gdlr_text::graph::strongly_connected;
use hashbrown::HashMap;

/// Whether edges form no cycle.
pub fn is_acyclic(edges: impl Iterator<Item = (Vec<Symbol>, Vec<Symbol>)>) -> bool {
    let mut number_of: HashMap<Vec<Symbol>, u32> = HashMap::new();
    let mut successors: Vec<Vec<u32>> = Vec::new();
    for (from, to) in edges {
        let [from, to] = [from, to].map(|end| {
            *number_of.entry(end).or_insert_with(|| {
                successors.push(Vec::new());
                successors.len() as u32 - 1
            })
        });
        if from == to {
            return false;
        }
        successors[from as usize].push(to);
    }
    strongly_connected(&successors).iter().all(|component| component.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::is_acyclic;
    use gdlr_rules::gdl::Symbol;

    #[test]
    fn cycles_are_found() {
        let ends = [Symbol::TRUE, Symbol::NEXT, Symbol::INIT].map(|symbol| vec![symbol]);
        let edges = |pairs: &[(usize, usize)]| {
            let edges: Vec<_> =
                pairs.iter().map(|&(a, b)| (ends[a].clone(), ends[b].clone())).collect();
            edges.into_iter()
        };
        assert!(is_acyclic(edges(&[(0, 1), (1, 2), (0, 2), (0, 1)])));
        assert!(!is_acyclic(edges(&[(0, 1), (1, 2), (2, 1)])));
        assert!(!is_acyclic(edges(&[(0, 0)])));
        assert!(is_acyclic(edges(&[])));
    }
}
