//! Prune unused constants: a constant that no edge and no value names is removed.

use crate::rg::ast::Value;
use crate::rg::name::Name;
use crate::rg::optimise::program::{ExprId, Label, Program, Shape};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Worklist;
use hashbrown::HashSet;

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let mut used: HashSet<Name> = HashSet::new();
    let mut visited: HashSet<ExprId> = HashSet::new();
    for (_, edge) in program.edges() {
        meter.spend(1)?;
        match edge.label {
            Label::Assign { target, value } => {
                names_in(program, target, &mut visited, &mut used);
                names_in(program, value, &mut visited, &mut used);
            }
            Label::AssignAny { target, .. } => {
                names_in(program, target, &mut visited, &mut used);
            }
            Label::Compare { left, right, .. } => {
                names_in(program, left, &mut visited, &mut used);
                names_in(program, right, &mut visited, &mut used);
            }
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => {}
        }
    }
    for variable in &program.variables {
        names_in_value(&variable.initial, &mut used);
    }
    // A constant names only constants before it.
    let mut kept = Vec::with_capacity(program.constants.len());
    let before = program.constants.len();
    for constant in std::mem::take(&mut program.constants).into_iter().rev() {
        if used.contains(&constant.name.name) {
            names_in_value(&constant.value, &mut used);
            kept.push(constant);
        }
    }
    kept.reverse();
    program.constants = kept;
    if program.constants.len() != before {
        program.changed();
    }
    Ok(())
}

fn names_in(
    program: &Program,
    expr: ExprId,
    visited: &mut HashSet<ExprId>,
    used: &mut HashSet<Name>,
) {
    let mut open = Worklist::beside(visited);
    open.push(expr);
    while let Some(expr) = open.pop() {
        match program.expressions.shape(expr) {
            Shape::Name(name) => drop(used.insert(name)),
            Shape::Access { map, key } => open.extend([map, key]),
        }
    }
}

fn names_in_value(value: &Value, used: &mut HashSet<Name>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Name(name) => drop(used.insert(name.name)),
            Value::Map(map) => open.extend(map.entries.iter().map(|entry| &entry.value)),
        }
    }
}
