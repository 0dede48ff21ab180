//! Prune singleton types: a variable with only one possible value is replaced by it. Types without
//! a use are removed.
//!
//! ```text
//! type One = { x };
//! var v: One = x;
//! begin, end: v == y;        begin, end: x == y;
//! ```

use crate::rg::ast::{SimpleType, Type};
use crate::rg::built_in;
use crate::rg::name::Name;
use crate::rg::optimise::moves::is_special;
use crate::rg::optimise::program::{Label, Program};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Worklist;
use hashbrown::{HashMap, HashSet};

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    let singletons: HashSet<Name> = (program.variables.iter().map(|variable| variable.name.name))
        .filter(|&name| !is_special(name))
        .filter(|&name| matches!(program.symbols(program.ty_of(name)), Some([_])))
        .collect();
    // A variable without assignments is a constant: see `propagate_constants`.
    for id in program.edge_numbers() {
        meter.spend(1)?;
        let Some(edge) = program.get(id) else { continue };
        if program.written(edge.label).is_some_and(|name| singletons.contains(&name)) {
            program.relabel(id, Label::Skip);
        }
    }
    prune_types(program);
    Ok(())
}

/// Removes the types without a use.
fn prune_types(program: &mut Program) {
    let by_name: HashMap<Name, usize> = program
        .types
        .iter()
        .enumerate()
        .rev()
        .map(|(index, alias)| (alias.name.name, index))
        .collect();
    let mut open = Worklist::sparse();
    for constant in &program.constants {
        open.extend(names_in(&constant.type_));
    }
    for variable in &program.variables {
        open.extend(names_in(&variable.type_));
    }
    for type_ in program.drawn_types() {
        open.extend(names_in(type_));
    }
    while let Some(name) = open.pop() {
        if let Some(&index) = by_name.get(&name) {
            open.extend(names_in(&program.types[index].type_));
        }
    }
    let used = open.into_met();
    let before = program.types.len();
    program.types.retain(|alias| {
        let name = alias.name.name;
        used.contains(&name) || built_in::is_special(name)
    });
    if program.types.len() != before {
        program.changed();
    }
}

fn names_in(type_: &Type) -> impl Iterator<Item = Name> {
    type_.keys.iter().chain([&type_.value]).filter_map(|simple| match simple {
        SimpleType::Named(name) => Some(name.name),
        SimpleType::Set(_) => None,
    })
}
