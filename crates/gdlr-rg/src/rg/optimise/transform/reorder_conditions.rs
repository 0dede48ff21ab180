//! Reorder conditions: a condition that occurs on several walks from a node moves to the front of
//! each, so that the walks can be joined after it (RG, figures 11, 12).
//!
//! ```text
//! begin, a: x == 1;        begin, a: y == 2;
//! a, b: y == 2;            a, b: x == 1;
//! begin, c: y == 2;        begin, c: y == 2;
//! ```
//!
//! Only conditions change places, and only with conditions, which change nothing. A condition that
//! moves to the front must be valid without the others. So it has no access whose key might not be
//! in the map.

use crate::rg::optimise::program::{EdgeId, ExprId, Label, Node, Program, Shape};
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let checked = program.checked();
    for node in program.nodes() {
        meter.spend(1)?;
        if program.leaving(node).len() < 2 {
            continue;
        }
        let ways: Vec<Vec<EdgeId>> = (program.leaving(node).iter())
            .map(|&first| way(program, first, &|node| checked.names(node)))
            .collect();
        meter.spend(ways.iter().map(Vec::len).sum())?;
        reorder(program, &ways);
    }
    Ok(())
}

/// The row of conditions with which a walk begins. No other edge enters or leaves their inner
/// nodes, and nothing names these nodes.
fn way(program: &Program, first: EdgeId, is_named: &dyn Fn(Node) -> bool) -> Vec<EdgeId> {
    let mut way = Vec::new();
    let mut next = first;
    while way.len() < program.tuning.reordered && program.edge(next).label.is_condition() {
        way.push(next);
        let to = program.edge(next).to;
        let (&[_], &[only]) = (program.entering(to), program.leaving(to)) else { break };
        if is_named(to) || to == Node::BEGIN || to == Node::END {
            break;
        }
        next = only;
    }
    way
}

/// Moves the condition that most walks share to the front of these walks.
fn reorder(program: &mut Program, ways: &[Vec<EdgeId>]) {
    let mut counts: HashMap<Label, (usize, usize)> = HashMap::new();
    for (number, way) in ways.iter().enumerate() {
        let mut labels: Vec<Label> = way.iter().map(|&id| program.edge(id).label).collect();
        labels.sort_unstable();
        labels.dedup();
        for label in labels {
            counts.entry(label).or_insert((0, number)).0 += 1;
        }
    }
    // The most frequent condition; of several, the first.
    let best = counts
        .into_iter()
        .filter(|&(label, (count, _))| count > 1 && is_always_valid(program, label))
        .max_by_key(|&(label, (count, first))| (count, std::cmp::Reverse((first, label))));
    let Some((best, _)) = best else { return };
    for way in ways {
        let Some(at) = way.iter().position(|&id| program.edge(id).label == best) else { continue };
        for index in (0..at).rev() {
            let before = program.edge(way[index]).label;
            program.relabel(way[index + 1], before);
        }
        program.relabel(way[0], best);
    }
}

/// Whether a condition is valid in every state.
fn is_always_valid(program: &Program, label: Label) -> bool {
    match label {
        Label::Compare { left, right, .. } => has_keys(program, left) && has_keys(program, right),
        _ => false,
    }
}

/// Whether every key of an expression is a key of its map.
fn has_keys(program: &Program, expr: ExprId) -> bool {
    match program.expressions.shape(expr) {
        Shape::Name(_) => true,
        Shape::Access { map, key } => {
            let Ty::Map(ty) = program.expressions.ty(map) else { return false };
            let keys = program.resolved.map(ty).0;
            let own = program.expressions.ty(key);
            let contained = match own {
                Ty::Symbol(_) => program.resolved.agree(keys, own),
                _ => program.resolved.contains(keys, own),
            };
            contained && has_keys(program, map) && has_keys(program, key)
        }
    }
}
