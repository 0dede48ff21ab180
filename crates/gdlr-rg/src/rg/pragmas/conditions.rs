//! The conditions under which an edge is legal.

use crate::rg::optimise::program::{EdgeId, Label, Node, Program};
use smallvec::SmallVec;

/// A conjunction of conditions.
pub type Conditions = SmallVec<[Label; 2]>;

/// The exact conditions under which an edge is legal. Empty if the edge is always legal, or if
/// these conditions are no conjunction of comparisons and checks.
pub fn of(program: &Program, edge: EdgeId) -> Conditions {
    match program.edge(edge).label {
        label @ Label::Compare { .. } => Conditions::from_slice(&[label]),
        label @ Label::Reach { from, to, negated } => {
            match (straight(program, from, to), negated) {
                (Some(conditions), false) => conditions,
                (Some(conditions), true) => match conditions[..] {
                    [condition] => Conditions::from_slice(&[negation(condition)]),
                    _ => Conditions::from_slice(&[label]),
                },
                (None, _) => Conditions::from_slice(&[label]),
            }
        }
        _ => Conditions::new(),
    }
}

/// The conditions of the only walk between two nodes; `None` if it changes something.
fn straight(program: &Program, from: Node, to: Node) -> Option<Conditions> {
    let mut conditions = Conditions::new();
    let mut at = from;
    for _ in 0..program.tuning.straight {
        if at == to {
            return Some(conditions);
        }
        let &[only] = program.leaving(at) else { return None };
        let edge = program.edge(only);
        match edge.label {
            Label::Compare { .. } | Label::Reach { .. } => conditions.push(edge.label),
            Label::Skip | Label::Tag(_) | Label::TagVariable(_) => {}
            Label::Assign { .. } | Label::AssignAny { .. } => return None,
        }
        at = edge.to;
    }
    None
}

/// The negation of a comparison or a check.
pub fn negation(label: Label) -> Label {
    match label {
        Label::Compare { left, right, equal } => Label::Compare { left, right, equal: !equal },
        Label::Reach { from, to, negated } => Label::Reach { from, to, negated: !negated },
        other => other,
    }
}

/// Whether one condition is the negation of the other.
pub fn are_complements(one: Label, other: Label) -> bool {
    let ordered = |label| match label {
        Label::Compare { left, right, equal } => {
            Label::Compare { left: left.min(right), right: left.max(right), equal }
        }
        other => other,
    };
    one.is_condition() && ordered(negation(one)) == ordered(other)
}
