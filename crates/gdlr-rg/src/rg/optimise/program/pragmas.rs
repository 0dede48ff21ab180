//! Pragmas that nobody knows: they stay as long as what they mention is there.

use super::{Node, Program};
use crate::rg::ast::{Description, Hint};
use crate::rg::mentioned::{Kind, Thing, Things};
use crate::rg::name::Name;
use hashbrown::{HashMap, HashSet};

/// What pragmas mention that nobody knows.
#[derive(Debug, Default)]
pub struct Mentioned {
    /// By text.
    things: HashMap<Box<str>, Vec<Thing>>,
    /// The nodes among all of that.
    nodes: HashSet<Name>,
}

impl Mentioned {
    /// What the pragmas of a description mention.
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

    /// Leaves out the pragmas that mention something that is not there.
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
    /// Says that a node becomes another one, which then has the name that a pragma mentions, if
    /// only one of the two is mentioned.
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
