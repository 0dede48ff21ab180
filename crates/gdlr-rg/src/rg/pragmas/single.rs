//! Nodes to which a search comes at most once, since up to there it has no choice: of the edges of
//! each node before at most one is legal. The keeper's walks are mostly of this kind.

use super::disjoint::Forks;
use super::known::Known;
use super::searches::Searches;
use crate::rg::optimise::program::{Label, Node};
use gdlr_text::budget::{Exhausted, Meter};

/// By node: whether a search comes there at most once.
pub fn single(
    known: &Known,
    searches: &Searches,
    forks: &Forks,
    meter: &Meter<'_>,
) -> Result<Vec<bool>, Exhausted> {
    let program = &known.program;
    let mut single = vec![false; program.node_count()];
    let mut leads_on = vec![false; program.node_count()];
    // Each node comes behind those that lead there, but for cycles; on these nothing is single.
    for &node in &searches.order {
        let entering = searches.entering(known, node);
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
