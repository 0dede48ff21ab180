//! Skip unused tags: a tag that only walks of reachability checks reach is part of no move, and
//! becomes a skip edge (RG, figures 33, 34).

use crate::rg::optimise::flow::reachable_nodes::ReachableNodes;
use crate::rg::optimise::flow::solve;
use crate::rg::optimise::program::{Label, Program};
use gdlr_text::budget::{Exhausted, Meter};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let reached = solve(program, &mut ReachableNodes, meter)?;
    for id in program.edge_numbers() {
        if let Some(edge) = program.get(id)
            && matches!(edge.label, Label::Tag(_) | Label::TagVariable(_))
            && !reached.at(edge.from).is_some_and(|reached| reached.in_play)
        {
            program.relabel(id, Label::Skip);
        }
    }
    Ok(())
}
