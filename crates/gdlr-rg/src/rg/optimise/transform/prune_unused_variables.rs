//! Prune unused variables: a variable that no edge names is removed. Variables that players or the
//! game manager read stay.

use crate::rg::name::Name;
use crate::rg::optimise::moves::is_special;
use crate::rg::optimise::program::Program;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashSet;

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let mut used: HashSet<Name> = HashSet::new();
    for (_, edge) in program.edges() {
        meter.spend(1)?;
        used.extend(program.read(edge.label));
        used.extend(program.written(edge.label));
    }
    let unused: Vec<Name> = (program.variables.iter().map(|variable| variable.name.name))
        .filter(|name| !used.contains(name) && !is_special(*name))
        .collect();
    for name in unused {
        program.remove_variable(name);
    }
    Ok(())
}
