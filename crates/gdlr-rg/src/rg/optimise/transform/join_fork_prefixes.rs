//! Join fork prefixes: nodes with the same entering edges become one (RG, figures 17, 18).
//!
//! ```text
//! begin, b: 1 == 1;        begin, b: 1 == 1;
//! begin, c: 1 == 1;        b, end: 2 == 2;
//! b, end: 2 == 2;          b, d: ;
//! c, d: ;
//! ```
//!
//! The edges must not end a move: that could merge two ambiguous moves into one.

use crate::rg::optimise::flow::post_order;
use crate::rg::optimise::program::{Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;

/// Applies the transformation everywhere, from the beginning on, so that it meets nodes that become
/// equal on the way.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let checked = program.checked();
    for node in post_order(program).into_iter().rev() {
        meter.spend(1 + program.leaving(node).len())?;
        if program.leaving(node).len() < 2 {
            continue;
        }
        let mut same: HashMap<Label, Node> = HashMap::new();
        for id in program.leaving(node).to_vec() {
            let Some(edge) = program.get(id) else { continue };
            let single = program.entering(edge.to).len() == 1
                && edge.to != node
                && edge.to != Node::BEGIN
                && edge.to != Node::END
                && !checked.names(edge.to)
                && !program.ends_move(edge.label);
            if !single {
                continue;
            }
            match same.get(&edge.label) {
                Some(&other) => {
                    let at = program.leaving(other).len();
                    program.remove_edge(id);
                    program.becomes(edge.to, other);
                    program.splice(edge.to, other, at);
                }
                None => drop(same.insert(edge.label, edge.to)),
            }
        }
    }
    Ok(())
}
