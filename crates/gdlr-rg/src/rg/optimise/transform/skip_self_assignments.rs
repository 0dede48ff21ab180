//! Skip self assignments: `x = x` becomes a skip edge (RG, figures 13, 14).

use crate::rg::optimise::program::{Label, Program};
use gdlr_text::budget::{Exhausted, Meter};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    for id in program.edge_numbers() {
        meter.spend(1)?;
        if let Some(edge) = program.get(id)
            && let Label::Assign { target, value } = edge.label
            && target == value
            && !program.ends_move(edge.label)
        {
            program.relabel(id, Label::Skip);
        }
    }
    Ok(())
}
