//! Skip artificial tags: a tag that `@artificialTag` names becomes a skip edge (RG, figures 25,
//! 26).
//!
//! This is the last of all transformations: the tags keep walks apart that others would join.

use crate::rg::ast::artificial_tags;
use crate::rg::optimise::program::{Label, Program};
use gdlr_text::budget::{Exhausted, Meter};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let artificial = artificial_tags(&program.pragmas);
    for id in program.edge_numbers() {
        meter.spend(1)?;
        if let Some(edge) = program.get(id)
            && let Label::Tag(tag) = edge.label
            && artificial.contains(&tag)
        {
            program.relabel(id, Label::Skip);
        }
    }
    Ok(())
}
