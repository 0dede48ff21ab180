//! Unknown pragmas: each stays as long as all names that it mentions exist.

use super::{Node, Program};
use crate::rg::ast::{Description, Hint};
use crate::rg::mentioned::{Element, Elements, Kind};
use crate::rg::name::Name;
use hashbrown::{HashMap, HashSet};

/// The names that unknown pragmas mention.
#[derive(Debug, Default)]
pub struct Mentioned {
    /// By text of the pragma.
    elements: HashMap<Box<str>, Vec<Element>>,
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
        let all = Elements::of(description);
        let mut mentioned = Mentioned::default();
        for text in texts {
            let elements = all.mentioned(&description.names, text);
            let nodes = elements.iter().filter(|(kind, _)| *kind == Kind::Node);
            mentioned.nodes.extend(nodes.map(|&(_, name)| name));
            mentioned.elements.insert(text.clone(), elements);
        }
        mentioned
    }

    /// Removes the pragmas that mention a name that does not exist any more.
    pub fn leave_out(&self, description: &mut Description) {
        if self.elements.is_empty() {
            return;
        }
        let present = Elements::of(description);
        description.pragmas.retain(|pragma| match &pragma.hint {
            Hint::Unknown(text) => {
                self.elements.get(text).is_none_or(|elements| present.have(elements))
            }
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
