//! Compact reachability: a check skips the skip edges at the beginning of its walks. It looks for
//! the earliest node from which walks must reach its end (RG, figures 29, 30).
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
        // The number of nodes bounds either loop: a cycle has no way in.
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

/// The target of the only edge of a node, if that is a skip edge.
fn next(program: &Program, node: Node) -> Option<Node> {
    let &[only] = program.leaving(node) else { return None };
    let edge = program.edge(only);
    (edge.label == Label::Skip && edge.to != node).then_some(edge.to)
}

/// The node before the only edge that enters a node, if every walk takes that edge.
fn previous(program: &Program, node: Node) -> Option<Node> {
    let &[only] = program.entering(node) else { return None };
    let edge = program.edge(only);
    (!edge.label.is_condition() && edge.from != node).then_some(edge.from)
}
