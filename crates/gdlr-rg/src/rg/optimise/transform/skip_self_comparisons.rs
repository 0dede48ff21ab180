//! Skip self comparisons: `x == x` becomes a skip edge, `x != x` is removed (RG, figures 13, 14).

use crate::rg::optimise::program::{Label, Program};
use gdlr_text::budget::{Exhausted, Meter};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    for id in program.edge_numbers() {
        meter.spend(1)?;
        if let Some(edge) = program.get(id)
            && let Label::Compare { left, right, equal } = edge.label
            && left == right
        {
            match equal {
                true => program.relabel(id, Label::Skip),
                false => program.remove_edge(id),
            }
        }
    }
    Ok(())
}
