//! What must hold where an edge is legal.

use crate::rg::optimise::program::{EdgeId, Label, Node, Program};
use smallvec::SmallVec;

/// Conditions that hold together.
pub type Conditions = SmallVec<[Label; 2]>;

/// What holds exactly where an edge is legal; none if it always is. Nothing if that is no
/// conjunction of comparisons and checks.
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

/// The conditions of the only walk between two nodes, if it changes nothing.
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

/// What holds where a comparison or a check does not.
pub fn negation(label: Label) -> Label {
    match label {
        Label::Compare { left, right, equal } => Label::Compare { left, right, equal: !equal },
        Label::Reach { from, to, negated } => Label::Reach { from, to, negated: !negated },
        other => other,
    }
}

/// Whether one of two conditions holds exactly where the other one does not.
pub fn are_complements(one: Label, other: Label) -> bool {
    let ordered = |label| match label {
        Label::Compare { left, right, equal } => {
            Label::Compare { left: left.min(right), right: left.max(right), equal }
        }
        other => other,
    };
    one.is_condition() && ordered(negation(one)) == ordered(other)
}
