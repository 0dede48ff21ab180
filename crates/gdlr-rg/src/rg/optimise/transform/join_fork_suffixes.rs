//! Join fork suffixes: nodes with the same leaving edges become one (RG, figures 19, 20).
//!
//! ```text
//! begin, a1: x == 1;        begin, a1: x == 1;
//! begin, a2: x == 2;        begin, a1: x == 2;
//! a1, end: 0 == 0;          a1, end: 0 == 0;
//! a2, end: 0 == 0;
//! ```
//!
//! Two edges with the same label between the same nodes become one.

use crate::rg::optimise::flow::post_order;
use crate::rg::optimise::program::{Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::{HashMap, HashSet};

/// Applies the transformation everywhere, from the ends on, so that it meets nodes that become
/// equal on the way.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let checked = program.checked();
    let mut same: HashMap<Vec<(Label, Node)>, Node> = HashMap::new();
    let mut renamed: HashMap<Node, Node> = HashMap::new();
    for node in post_order(program) {
        let count = program.leaving(node).len();
        meter.spend(1 + count)?;
        if count == 0 {
            continue;
        }
        let mut way: Vec<(Label, Node)> =
            program.edges_from(node).map(|edge| (edge.label, edge.to)).collect();
        way.sort_unstable();
        way.dedup();
        if way.len() < count {
            let mut met = HashSet::new();
            program.retain_leaving(node, |program, id| {
                let edge = program.edge(id);
                met.insert((edge.label, edge.to))
            });
        }
        // The target of a check cannot be merged with an equal node: walks there would not count.
        if node == Node::BEGIN || node == Node::END || checked.targets.contains(&node) {
            continue;
        }
        match same.get(&way) {
            Some(&other) => {
                program.remove_leaving(node);
                program.becomes(node, other);
                program.redirect_all(node, other);
                if checked.starts.contains(&node) {
                    renamed.insert(node, other);
                }
            }
            None => drop(same.insert(way, node)),
        }
    }
    if !renamed.is_empty() {
        for id in program.edge_numbers() {
            if let Some(edge) = program.get(id)
                && let Label::Reach { from, to, negated } = edge.label
                && let Some(&from) = renamed.get(&from)
            {
                program.relabel(id, Label::Reach { from, to, negated });
            }
        }
    }
    Ok(())
}
