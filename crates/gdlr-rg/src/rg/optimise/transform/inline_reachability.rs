//! Inline reachability: the conditions of a check replace it (RG, figures 31, 32).
//!
//! ```text
//! begin, end: ? a -> c;        begin, d: 1 == 1;
//! a, b: 1 == 1;                d, end: 2 == 2;
//! b, c: 2 == 2;
//! ```
//!
//! This is done for conditions in a row and for parallel conditions, negated or not, if the number
//! of edges does not grow.

use crate::rg::optimise::program::{Edge, EdgeId, Label, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;

/// The conditions of a check.
#[derive(Clone)]
struct Conditions {
    labels: Vec<Label>,
    /// Whether the conditions are in a row, so that all must hold. Otherwise they are parallel, and
    /// one must hold.
    all: bool,
}

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let mut uses: HashMap<(Node, Node), Vec<EdgeId>> = HashMap::new();
    let mut order = Vec::new();
    for (id, edge) in program.edges() {
        meter.spend(1)?;
        if let Label::Reach { from, to, .. } = edge.label {
            let uses = uses.entry((from, to)).or_insert_with(|| {
                order.push((from, to));
                Vec::new()
            });
            uses.push(id);
        }
    }
    for (from, to) in order {
        let uses = &uses[&(from, to)];
        meter.spend(uses.len())?;
        let Some(conditions) = conditions(program, from, to) else { continue };
        let count = conditions.labels.len();
        if count * uses.len() > count + uses.len() {
            continue;
        }
        for &id in uses {
            // A condition of another check may have been removed with it.
            let Some(edge) = program.get(id) else { continue };
            let Label::Reach { negated, .. } = edge.label else { continue };
            if let Some(conditions) = signed(program, &conditions, negated) {
                put(program, id, edge, &conditions);
            }
        }
    }
    Ok(())
}

/// The conditions of the walks from one node to another, if they have nothing else.
fn conditions(program: &Program, from: Node, to: Node) -> Option<Conditions> {
    if from == to {
        return None;
    }
    let leaving = program.leaving(from);
    if leaving.len() > 1 && leaving.len() <= program.tuning.inlined {
        let edges: Vec<Edge> = program.edges_from(from).collect();
        let straight = edges.iter().all(|edge| edge.to == to && edge.label.is_condition());
        let labels = edges.iter().map(|edge| edge.label).collect();
        return straight.then_some(Conditions { labels, all: false });
    }
    let mut labels = Vec::new();
    let mut at = from;
    while at != to {
        let &[only] = program.leaving(at) else { return None };
        let edge = program.edge(only);
        match edge.label {
            Label::Skip => {}
            label if label.is_condition() => labels.push(label),
            _ => return None,
        }
        if labels.len() > program.tuning.inlined || edge.to == from || edge.to == at {
            return None;
        }
        at = edge.to;
    }
    (!labels.is_empty()).then_some(Conditions { labels, all: true })
}

/// The conditions, or their negation.
fn signed(program: &Program, conditions: &Conditions, negated: bool) -> Option<Conditions> {
    if !negated {
        return Some(conditions.clone());
    }
    // A condition in a row may make the next one valid.
    let always_valid = |label: &Label| match *label {
        Label::Compare { left, right, .. } => {
            let plain = |expr| program.expressions.accesses(expr) == 0;
            plain(left) && plain(right)
        }
        _ => false,
    };
    if conditions.all && !conditions.labels[1..].iter().all(always_valid) {
        return None;
    }
    let labels = conditions.labels.iter().map(|label| match *label {
        Label::Compare { left, right, equal } => Label::Compare { left, right, equal: !equal },
        Label::Reach { from, to, negated } => Label::Reach { from, to, negated: !negated },
        other => other,
    });
    Some(Conditions { labels: labels.collect(), all: !conditions.all })
}

/// Replaces an edge by conditions.
fn put(program: &mut Program, id: EdgeId, edge: Edge, conditions: &Conditions) {
    let Edge { from, to, .. } = edge;
    let (first, others) = conditions.labels.split_first().expect("a condition");
    program.relabel(id, *first);
    if conditions.all {
        let mut last = id;
        for &label in others {
            let node = program.add_node();
            program.redirect(last, node);
            last = program.add_edge(Edge { from: node, to, label });
        }
    } else {
        let at = program.leaving(from).iter().position(|&other| other == id).expect("it leaves");
        for (offset, &label) in others.iter().enumerate() {
            program.insert_edge(at + 1 + offset, Edge { from, to, label });
        }
    }
}
