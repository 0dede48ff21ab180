//! Prune unreachable nodes: edges that no walk comes to, or from which none comes to the end of
//! a move or to what a reachability check looks for, go (RG, figures 23, 24). What a check finds
//! however it looks, or never, is decided.

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
        // Where a walk begins at its end it is there at once; where nothing enters its end or leaves
        // its beginning it never comes there.
        let goes_nowhere = || program.entering(to).is_empty() || program.leaving(from).is_empty();
        let found = match from == to {
            true => true,
            false if goes_nowhere() => false,
            false => continue,
        };
        match found == negated {
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

/// By node: whether it is the end of a move or what a check looks for, or leads there.
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
