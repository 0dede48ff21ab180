//! Nodes that a search reaches at most once, since it has no choice before: at each earlier node,
//! at most one edge is legal. Most walks of the keeper are of this kind.

use super::analysed::AnalysedProgram;
use super::disjoint::Forks;
use super::searches::Searches;
use crate::rg::optimise::program::{Label, Node};
use gdlr_text::budget::{Exhausted, Meter};

/// By node: whether a search reaches it at most once.
pub fn single(
    analysed: &AnalysedProgram,
    searches: &Searches,
    forks: &Forks,
    meter: &Meter<'_>,
) -> Result<Vec<bool>, Exhausted> {
    let program = &analysed.program;
    let mut single = vec![false; program.node_count()];
    let mut leads_on = vec![false; program.node_count()];
    // The order has each node after its predecessors, but for cycles. No node of a cycle is single.
    for &node in &searches.order {
        let entering = searches.entering(analysed, node);
        meter.spend(1 + entering.len() + program.leaving(node).len())?;
        let back = searches.begins_at(node) && !entering.is_empty();
        let from = |node: Node| leads_on[node.index()];
        let here = !back && entering.iter().all(|&id| from(program.edge(id).from));
        let draws = program.edges_from(node).any(|edge| match edge.label {
            Label::AssignAny { drawn, .. } => program.drawn(drawn).len() > 1,
            _ => false,
        });
        single[node.index()] = here;
        leads_on[node.index()] = here && !draws && forks.at(node).is_some();
    }
    Ok(single)
}
