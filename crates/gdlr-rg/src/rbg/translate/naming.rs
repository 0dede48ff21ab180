//! Names of the automaton. Nothing that is made up has the name of something else.

use crate::rg::{Name, Names};
use hashbrown::HashSet;

/// Names that are taken. Types and nodes have no names in common with symbols, constants and
/// variables.
#[derive(Debug, Default)]
pub(super) struct Naming {
    pub names: Names,
    taken: HashSet<String>,
    types: HashSet<String>,
    nodes: u32,
}

impl Naming {
    /// A name of a symbol, constant or variable: this text or one like it.
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

    /// A name of a type: this text or one like it.
    pub fn fresh_type(&mut self, text: &str) -> Name {
        let mut wanted = text.to_owned();
        let mut number = 1;
        while !self.types.insert(wanted.clone()) {
            number += 1;
            wanted = format!("{text}_{number}");
        }
        self.name(&wanted)
    }

    /// A name of a node.
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
