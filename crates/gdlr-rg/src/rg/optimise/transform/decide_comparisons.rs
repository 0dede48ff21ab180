//! Decide comparisons: a comparison that holds for all values in its value sets becomes a skip
//! edge. One that holds for none is removed.
//!
//! ```text
//! type A = { 1, 2, 3 };         begin, a: x == 1;
//! begin, a: x == 1;             a, b: ;
//! a, b: x != 2;
//! a, c: x == 3;
//! ```
//!
//! Edges that no walk can reach with these values are removed, too.

use crate::rg::optimise::flow::Analysis;
use crate::rg::optimise::flow::value_sets::Values;
use crate::rg::optimise::program::{Label, Program};
use gdlr_text::budget::{Exhausted, Meter};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let value_sets = Values::of(program, meter)?;
    let mut values = value_sets.sets.borrow_mut();
    for id in program.edge_numbers() {
        let Some(edge) = program.get(id) else { continue };
        let Some(knowledge) = value_sets.at(edge.from) else {
            program.remove_edge(id);
            continue;
        };
        let Label::Compare { left, right, equal } = edge.label else { continue };
        if values.transfer(program, id, edge, &knowledge).is_none() {
            program.remove_edge(id);
        } else if left == right {
            program.relabel(id, Label::Skip);
        } else if let (Some(of_left), Some(of_right)) =
            (values.of(program, knowledge, left), values.of(program, knowledge, right))
        {
            let both = values.sets.intersection(of_left, of_right);
            let decided = match equal {
                true => of_left == of_right && values.sets.only(of_left).is_some(),
                false => values.sets.members(both).is_empty(),
            };
            if decided {
                program.relabel(id, Label::Skip);
            }
        }
    }
    Ok(())
}
