//! Unknown pragmas: each stays as long as all names that it mentions exist.

use super::{Node, Program};
use crate::rg::ast::{Description, Hint};
use crate::rg::mentioned::{Kind, Thing, Things};
use crate::rg::name::Name;
use hashbrown::{HashMap, HashSet};

/// The names that unknown pragmas mention.
#[derive(Debug, Default)]
pub struct Mentioned {
    /// By text of the pragma.
    things: HashMap<Box<str>, Vec<Thing>>,
    /// The nodes among them.
    nodes: HashSet<Name>,
}

impl Mentioned {
    /// The names in the pragmas of a description.
    pub fn of(description: &Description) -> Mentioned {
        let texts = description.pragmas.iter().filter_map(|pragma| match &pragma.hint {
            Hint::Unknown(text) => Some(text),
            _ => None,
        });
        let texts: Vec<&Box<str>> = texts.collect();
        if texts.is_empty() {
            return Mentioned::default();
        }
        let all = Things::of(description);
        let mut mentioned = Mentioned::default();
        for text in texts {
            let things = all.mentioned(&description.names, text);
            let nodes = things.iter().filter(|(kind, _)| *kind == Kind::Node);
            mentioned.nodes.extend(nodes.map(|&(_, name)| name));
            mentioned.things.insert(text.clone(), things);
        }
        mentioned
    }

    /// Removes the pragmas that mention a name that does not exist any more.
    pub fn leave_out(&self, description: &mut Description) {
        if self.things.is_empty() {
            return;
        }
        let there = Things::of(description);
        description.pragmas.retain(|pragma| match &pragma.hint {
            Hint::Unknown(text) => self.things.get(text).is_none_or(|things| there.have(things)),
            _ => true,
        });
    }
}

impl Program {
    /// Merges a node into another one. If a pragma mentions only one of their names, the result
    /// gets that name.
    pub fn becomes(&mut self, node: Node, other: Node) {
        if self.mentioned.nodes.is_empty() {
            return;
        }
        let is_mentioned = |node: Node| {
            self.node_name(node).is_some_and(|name| self.mentioned.nodes.contains(&name))
        };
        let is_fixed = |node: Node| node == Node::BEGIN || node == Node::END;
        if is_mentioned(node) && !is_mentioned(other) && !is_fixed(other) && !is_fixed(node) {
            self.node_names.swap(node.index(), other.index());
        }
    }
}
