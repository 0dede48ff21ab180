//! The possible values of variables at any time (a flow-insensitive value-set analysis).

use super::declared::Members;
use super::live::Liveness;
use super::{Act, Each, Program, Statement};
use crate::export::slots::Slot;
use gdlr_rg::rg::{Base, Expr, Name};
use hashbrown::HashSet;

/// The source of the values that are assigned to a variable.
enum Source {
    Values(HashSet<Name>),
    /// The values of another variable.
    Variable(Name),
    /// All values of the type.
    Type,
}

/// The possible values of variables without keys where they are read. `declared` has the members of
/// the types of all variables, and the values of all constant maps. A variable that is read before
/// it is assigned may have any value of its type.
pub(super) fn values(program: &Program, declared: &Members, liveness: &Liveness) -> Members {
    let mut sources: Vec<(Name, Source)> = Vec::new();
    let mut add = |to: Slot, value: Source| {
        if let Some(name) = program.slots.expr(to).as_name() {
            sources.push((name.name, value));
        }
    };
    let of = |slot: Slot| source(program.slots.expr(slot), declared);
    let mut assigned = |statement: &Statement| match *statement {
        Statement::Do(Act::Set(to, value)) => add(to, Source::Values(HashSet::from([value]))),
        Statement::Do(Act::Copy(to, from)) => add(to, of(from)),
        // Any value of the type.
        Statement::Do(Act::Any(to, _)) => add(to, Source::Type),
        Statement::Each(Each { slot, .. }) => add(slot, Source::Type),
        _ => {}
    };
    program.each_statement(&mut assigned);
    let first = liveness.at(program.begin);
    sources.extend(first.into_iter().map(|name| (name, Source::Type)));
    let mut values = Members::new();
    let mut changes = true;
    while changes {
        changes = false;
        for (name, source) in &sources {
            let more = match source {
                Source::Values(values) => values.clone(),
                Source::Variable(other) => values.get(other).cloned().unwrap_or_default(),
                Source::Type => declared.get(name).cloned().unwrap_or_default(),
            };
            let own = values.entry(*name).or_default();
            let before = own.len();
            // A cast fails for values that the type does not have.
            let of_type = declared.get(name);
            own.extend(more.into_iter().filter(|v| of_type.is_none_or(|all| all.contains(v))));
            changes |= own.len() > before;
        }
    }
    values
}

fn source(expr: &Expr, declared: &Members) -> Source {
    let members = declared.get(&expr.root());
    match (&expr.base, members) {
        (Base::Cast(_, inner), _) if expr.keys.is_empty() => source(inner, declared),
        (_, None) if expr.keys.is_empty() => Source::Values(HashSet::from([expr.root()])),
        (_, Some(_)) if expr.keys.is_empty() => Source::Variable(expr.root()),
        (_, Some(values)) => Source::Values(values.clone()),
        (_, None) => Source::Type,
    }
}
