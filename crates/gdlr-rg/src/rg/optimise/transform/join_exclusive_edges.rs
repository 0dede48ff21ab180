//! Join exclusive edges: a condition and its negation between the same two nodes become a skip edge
//! (RG, figures 15, 16).
//!
//! ```text
//! begin, end: ? a -> b;        begin, end: ;
//! begin, end: ! a -> b;
//! ```

use crate::rg::optimise::program::{EdgeId, Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    for node in program.nodes() {
        meter.spend(1 + program.leaving(node).len())?;
        if program.leaving(node).len() < 2 {
            continue;
        }
        let mut met: HashMap<(Node, Label), EdgeId> = HashMap::new();
        for id in program.leaving(node).to_vec() {
            let edge = program.edge(id);
            let Some((condition, negated)) = condition(edge.label) else { continue };
            if let Some(other) = met.remove(&(edge.to, negated)) {
                program.relabel(other, Label::Skip);
                program.remove_edge(id);
            } else {
                met.insert((edge.to, condition), id);
            }
        }
    }
    Ok(())
}

/// A condition in its canonical form, and its negation.
fn condition(label: Label) -> Option<(Label, Label)> {
    match label {
        Label::Compare { left, right, equal } => {
            let (left, right) = (left.min(right), left.max(right));
            let of = |equal| Label::Compare { left, right, equal };
            Some((of(equal), of(!equal)))
        }
        Label::Reach { from, to, negated } => {
            let of = |negated| Label::Reach { from, to, negated };
            Some((of(negated), of(!negated)))
        }
        _ => None,
    }
}
