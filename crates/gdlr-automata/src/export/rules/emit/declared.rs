//! The declarations of the variables of the state.

use crate::export::rules::Stop;
use crate::export::rules::analysis::{Input, Shapes, Symbols};
use crate::export::rules::build::nested;
use gdlr_rg::rg::{Name, Place, Variable};
use gdlr_rules::normal::RelationId;
use hashbrown::HashMap;

/// The declarations of the variables of the state. `seconds` are the variables for the next state
/// of some base relations.
pub fn declared(
    input: &Input<'_>,
    shapes: &Shapes,
    seconds: &HashMap<RelationId, Name>,
    symbols: &mut Symbols<'_>,
) -> Result<Vec<Variable>, Stop> {
    let mut state = Vec::new();
    for base in input.normal.fluents.iter().map(|fluent| fluent.base) {
        let Some(shape) = shapes.get(&base) else { continue };
        let mut entries: Vec<(Vec<Name>, Name)> = Vec::new();
        for (row, signal) in &*shape.facts {
            if input.initially(*signal) {
                entries.push(shape.entry(row, symbols));
            }
        }
        let default = match shape.covered {
            true => most_frequent(&entries).ok_or(Stop::Broken("an entry without a value"))?,
            false => shape.absent(symbols),
        };
        entries.retain(|(_, value)| *value != default);
        let initial = nested(shape.keys.len(), &entries, default);
        for name in [Some(shape.name), seconds.get(&base).copied()].into_iter().flatten() {
            state.push(Variable {
                name: name.into(),
                type_: shape.type_.clone(),
                initial: initial.clone(),
                place: Place::default(),
            });
        }
    }
    Ok(state)
}

fn most_frequent(entries: &[(Vec<Name>, Name)]) -> Option<Name> {
    let count = |value: Name| entries.iter().filter(|(_, other)| *other == value).count();
    entries.iter().map(|(_, value)| *value).max_by_key(|&value| count(value))
}
