//! Prune self loops: an edge from a node to itself without an effect or a tag is removed.
//!
//! ```text
//! a, a: x == 1;        (nothing)
//! ```

use crate::rg::optimise::program::{Label, Program};
use gdlr_text::budget::{Exhausted, Meter};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    for node in program.nodes() {
        meter.spend(1)?;
        program.retain_leaving(node, |program, id| {
            let edge = program.edge(id);
            edge.to != node || !(edge.label == Label::Skip || edge.label.is_condition())
        });
    }
    Ok(())
}
