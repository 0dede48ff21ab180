//! Static relations as constant maps.

use super::Stop;
use super::sets::SetId;
use super::state::MOST_KEYS;
use gdlr_rg::rg::{Constant, Name, Value};
use hashbrown::HashMap;

/// How many entries constant maps may have together.
pub(super) const MOST_ENTRIES: usize = 1 << 20;

/// By the sets of its keys, its entries and the type of these: what a map is told from others by.
type Content = (Vec<SetId>, Value, Name);

/// Constant maps, each once.
#[derive(Debug, Default)]
pub(super) struct Constants {
    maps: HashMap<Content, Name>,
    /// How many entries they have together.
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

    /// Stops where a map of so many keys and entries would be too large.
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
