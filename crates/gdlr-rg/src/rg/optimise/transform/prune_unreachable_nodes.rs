//! Prune unreachable nodes: removes edges that no walk reaches, and edges from which no walk
//! reaches the end of a move or the target of a check (RG, figures 23, 24). A check that always or
//! never finds its target is decided.

use crate::rg::optimise::flow::reachable_nodes::ReachableNodes;
use crate::rg::optimise::flow::solve;
use crate::rg::optimise::program::{Edge, Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::reached;

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    for id in program.edge_numbers() {
        let Some(Edge { label: Label::Reach { from, to, negated }, .. }) = program.get(id) else {
            continue;
        };
        // A walk that begins at its end is there at once. If nothing enters its end, or nothing
        // leaves its beginning, no walk reaches the end.
        let goes_nowhere = || program.entering(to).is_empty() || program.leaving(from).is_empty();
        let is_found = match from == to {
            true => true,
            false if goes_nowhere() => false,
            false => continue,
        };
        match is_found == negated {
            true => program.remove_edge(id),
            false => program.relabel(id, Label::Skip),
        }
    }
    let reached = solve(program, &mut ReachableNodes, meter)?;
    let useful = useful(program);
    for node in program.nodes() {
        meter.spend(1)?;
        if reached.at(node).is_none() {
            program.remove_leaving(node);
        } else {
            program.retain_leaving(node, |program, id| useful[program.edge(id).to.index()]);
        }
    }
    Ok(())
}

/// By node: whether walks from it reach the end of a move or the target of a check.
fn useful(program: &Program) -> Vec<bool> {
    let goals = program.edges().filter_map(|(_, edge)| match edge.label {
        Label::Reach { to, .. } => Some(to),
        label if program.ends_move(label) => Some(edge.to),
        _ => None,
    });
    reached(program.node_count(), goals.chain([Node::END]), |node| {
        program.entering(node).iter().map(|&id| program.edge(id).from)
    })
}
