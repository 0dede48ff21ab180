//! Compact reachability: a check begins behind the skip edges with which its walks begin, and
//! looks for the node from which its walks go on to their end in any case (RG, figures 29, 30).
//!
//! ```text
//! a, b: ? x0 -> y0;              a, b: ? x1 -> x2;
//! x0, x1: ;                      x0, x1: ;
//! x1, x2: x == y;                x1, x2: x == y;
//! x2, y0: ;                      x2, y0: ;
//! ```

use crate::rg::optimise::program::{Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    for id in program.edge_numbers() {
        meter.spend(1)?;
        let Some(edge) = program.get(id) else { continue };
        let Label::Reach { mut from, mut to, negated } = edge.label else { continue };
        // Neither goes further than there are nodes: a cycle has no way in.
        for _ in 0..program.node_count() {
            match next(program, from) {
                Some(next) if from != to => from = next,
                _ => break,
            }
        }
        for _ in 0..program.node_count() {
            match previous(program, to) {
                Some(previous) if from != to => to = previous,
                _ => break,
            }
        }
        program.relabel(id, Label::Reach { from, to, negated });
    }
    Ok(())
}

/// The node behind the skip edge that alone leaves a node.
fn next(program: &Program, node: Node) -> Option<Node> {
    let &[only] = program.leaving(node) else { return None };
    let edge = program.edge(only);
    (edge.label == Label::Skip && edge.to != node).then_some(edge.to)
}

/// The node before the edge that alone enters a node, if every walk takes it.
fn previous(program: &Program, node: Node) -> Option<Node> {
    let &[only] = program.entering(node) else { return None };
    let edge = program.edge(only);
    (!edge.label.is_condition() && edge.from != node).then_some(edge.from)
}
