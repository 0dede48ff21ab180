//! Static relations as constant maps.

use crate::export::rules::Stop;
use crate::export::rules::analysis::{MOST_KEYS, SetId};
use gdlr_rg::rg::{Constant, Entry, Map, Name, Place, Value};
use hashbrown::HashMap;

/// The most entries of all constant maps together.
pub const MOST_ENTRIES: usize = 1 << 20;

/// The content of a map: the sets of its keys, its entries, and their type. Two maps with the same
/// content are one.
type Content = (Vec<SetId>, Value, Name);

/// The constant maps, each once.
#[derive(Debug, Default)]
pub struct Constants {
    maps: HashMap<Content, Name>,
    /// The number of entries of all maps.
    entries: usize,
    pub declared: Vec<Constant>,
}

impl Constants {
    /// The map with this content, if there is one.
    pub fn known(&self, content: &Content) -> Option<Name> {
        self.maps.get(content).copied()
    }

    /// Counts the entries of a map that is about to be added.
    pub fn count(&mut self, entries: usize) {
        self.entries = self.entries.saturating_add(entries);
    }

    /// Adds a map.
    pub fn add(&mut self, content: Content, constant: Constant) {
        self.maps.insert(content, constant.name.name);
        self.declared.push(constant);
    }

    /// An error if a map with this number of keys and entries would be too large.
    pub fn within_limits(&self, keys: usize, entries: usize) -> Result<(), Stop> {
        if keys > MOST_KEYS {
            return Err(Stop::unsuited("a static relation of too many arguments"));
        }
        match self.entries.saturating_add(entries) > MOST_ENTRIES {
            true => Err(Stop::unsuited("a static relation would be too large a map")),
            false => Ok(()),
        }
    }
}

/// A map from `keys` keys, with these entries and a default for all others.
pub fn nested(keys: usize, entries: &[(Vec<Name>, Name)], default: Name) -> Value {
    if keys == 0 {
        return Value::Name(entries.first().map_or(default, |(_, value)| *value).into());
    }
    let place = Place::default();
    let mut order: Vec<Name> = Vec::new();
    let mut by: HashMap<Name, Vec<(Vec<Name>, Name)>> = HashMap::new();
    for (rest, value) in entries {
        let group = by.entry(rest[0]).or_insert_with(|| {
            order.push(rest[0]);
            Vec::new()
        });
        group.push((rest[1..].to_vec(), *value));
    }
    let mut listed: Vec<Entry> = order
        .into_iter()
        .map(|key| Entry {
            key: Some(key.into()),
            value: nested(keys - 1, &by[&key], default),
            place,
        })
        .collect();
    listed.push(Entry { key: None, value: nested(keys - 1, &[], default), place });
    Value::Map(Map { entries: listed, place })
}
