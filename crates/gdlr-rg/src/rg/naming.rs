//! The names of an automaton that is translated from another language. No new name equals another
//! one.

use super::{Entry, Map, Name, Names, Place, Value};
use hashbrown::{HashMap, HashSet};

/// The names that are taken. Types and nodes may have the names of symbols, constants and
/// variables.
#[derive(Debug, Default)]
pub(crate) struct Naming {
    pub names: Names,
    taken: HashSet<String>,
    types: HashSet<String>,
    nodes: u32,
}

impl Naming {
    /// A new name of a symbol, constant or variable: the text, or one like it.
    pub fn fresh(&mut self, text: &str) -> Name {
        let reserved = ["const", "type", "var", "player", "goals", "visible", "keeper", "random"];
        let mut wanted = text.to_owned();
        let mut number = 1;
        while reserved.contains(&&*wanted) || !self.taken.insert(wanted.clone()) {
            number += 1;
            wanted = format!("{text}_{number}");
        }
        self.name(&wanted)
    }

    /// A new name of a type: the text, or one like it.
    pub fn fresh_type(&mut self, text: &str) -> Name {
        let mut wanted = text.to_owned();
        let mut number = 1;
        while !self.types.insert(wanted.clone()) {
            number += 1;
            wanted = format!("{text}_{number}");
        }
        self.name(&wanted)
    }

    /// A new name of a node.
    pub fn node(&mut self, what: &str) -> Name {
        self.nodes += 1;
        let text = format!("{what}_{}", self.nodes);
        self.name(&text)
    }

    /// The name of a text of letters, digits and underscores.
    pub fn name(&mut self, text: &str) -> Name {
        self.names.intern(text).unwrap_or(Name::BEGIN)
    }
}

/// A map with the given values for all keys. The most frequent value becomes the default.
pub(crate) fn map(keys: &[Name], values: Vec<Value>) -> Value {
    let mut counts: HashMap<&Value, usize> = HashMap::new();
    for value in &values {
        *counts.entry(value).or_default() += 1;
    }
    let mut default = values.first();
    for value in &values {
        let more = default.is_some_and(|default| counts[value] > counts[default]);
        default = if more { Some(value) } else { default };
    }
    let place = Place::default();
    let default = default.cloned().unwrap_or(Value::Name(Name::ZERO.into()));
    let others = keys.iter().zip(&values).filter(|(_, value)| **value != default);
    let mut entries: Vec<Entry> = others
        .map(|(key, value)| Entry { key: Some((*key).into()), value: value.clone(), place })
        .collect();
    entries.insert(0, Entry { key: None, value: default, place });
    Value::Map(Map { entries, place })
}
