//! What pragmas say, by the node that they say it of.

use super::machine::{Machine, Meanings};
use crate::rg::ast::{AppliedTag, Description, Hint, Ident, Type};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use crate::rg::optimise::program::{EdgeId, ExprId, Node};
use hashbrown::{HashMap, HashSet};
use std::ops::Range;

/// The number of a pragma of the description.
pub type PragmaId = usize;

/// What is said of a node.
#[derive(Clone, Debug)]
pub enum Claim {
    /// At most one of these edges is legal, or exactly one.
    Disjoint {
        /// The edges.
        edges: Vec<EdgeId>,
        /// Whether exactly one is.
        exhaustive: bool,
    },
    /// No search comes there twice with the same tags and values.
    Unique,
    /// Where the tags and these values are the same, all values are.
    Repeat {
        /// Where the values are.
        slots: Vec<Range<usize>>,
    },
    /// Tags are at this place of the move.
    Index {
        /// The place.
        index: u64,
        /// Whether they may be before it as well.
        at_most: bool,
    },
}

/// What is said of moves.
#[derive(Clone, Debug)]
pub struct Apply {
    /// Which pragma says so.
    pub pragma: PragmaId,
    /// Where the move leads.
    pub to: Node,
    /// What the tags may be: what they are called, and which symbols they can be.
    pub tags: Vec<(Name, Option<Vec<Name>>)>,
    /// What is assigned to what.
    pub assignments: Vec<(ExprId, ExprId)>,
    /// Whether all moves of the node are said.
    pub exhaustive: bool,
}

/// What all pragmas say.
#[derive(Default)]
pub struct Claims {
    /// By node.
    of_nodes: HashMap<Node, Vec<(PragmaId, Claim)>>,
    /// By node where moves begin, or go on.
    of_moves: HashMap<Node, Vec<Apply>>,
    /// Those that are false.
    refuted: HashSet<PragmaId>,
}

impl Claims {
    /// What the pragmas of a description say that play can refute.
    pub fn new(description: &Description, machine: &mut Machine) -> Claims {
        let nodes: HashMap<Name, Node> = machine
            .program
            .nodes()
            .filter_map(|node| Some((machine.program.node_name(node)?, node)))
            .collect();
        let mut claims = Claims::default();
        let graph = Graph::new(description);
        // Where parts of moves are said, others are not said to be all.
        let mut parts: HashSet<Node> = HashSet::new();
        for (pragma, hint) in description.pragmas.iter().map(|pragma| &pragma.hint).enumerate() {
            let mut say = |names: &[Ident], claim: Claim| {
                for node in names.iter().filter_map(|name| nodes.get(&name.name)) {
                    claims.of_nodes.entry(*node).or_default().push((pragma, claim.clone()));
                }
            };
            match hint {
                Hint::Disjoint { node, targets, exhaustive } => {
                    let Some(&from) = nodes.get(&node.name) else { continue };
                    let to: HashSet<Node> =
                        targets.iter().filter_map(|to| nodes.get(&to.name)).copied().collect();
                    let edges = machine.program.leaving(from).iter().copied();
                    let edges = edges.filter(|&id| to.contains(&machine.program.edge(id).to));
                    let edges: Vec<EdgeId> = edges.collect();
                    say(&[*node], Claim::Disjoint { edges, exhaustive: *exhaustive });
                }
                Hint::Unique { nodes } => say(nodes, Claim::Unique),
                Hint::Repeat { nodes, variables } => {
                    let slots = variables.iter().map(|variable| machine.slots(variable.name));
                    say(nodes, Claim::Repeat { slots: slots.collect() });
                }
                Hint::TagIndex { nodes, index } => {
                    say(nodes, Claim::Index { index: *index, at_most: false });
                }
                Hint::TagMaxIndex { nodes, index } => {
                    say(nodes, Claim::Index { index: *index, at_most: true });
                }
                Hint::SimpleApply { from, to, tags, assignments, exhaustive } => {
                    // Whoever walks to a node without edges comes to no node of the automaton.
                    if !graph.has_node(to.name) {
                        continue;
                    }
                    let ends = |(target, _): &(crate::rg::ast::Expr, _)| {
                        target.as_name().is_some_and(|name| name.name == Name::PLAYER)
                    };
                    let (Some(&from), Some(&to)) = (nodes.get(&from.name), nodes.get(&to.name))
                    else {
                        continue;
                    };
                    if !assignments.last().is_some_and(ends) {
                        parts.insert(from);
                        continue;
                    }
                    let tags = tags.iter().map(|tag| match tag {
                        AppliedTag::Tag(tag) => (tag.name, None),
                        AppliedTag::Any { name, type_ } => {
                            (name.name, Some(symbols(machine, type_)))
                        }
                    });
                    let tags = tags.collect();
                    let assignments = (assignments.iter())
                        .map(|(target, value)| {
                            let program = &mut machine.program;
                            (program.expression(target), program.expression(value))
                        })
                        .collect();
                    let apply = Apply { pragma, to, tags, assignments, exhaustive: *exhaustive };
                    claims.of_moves.entry(from).or_default().push(apply);
                }
                _ => {}
            }
        }
        for (node, applies) in &mut claims.of_moves {
            applies.iter_mut().for_each(|apply| apply.exhaustive &= !parts.contains(node));
        }
        claims
    }

    /// What is said of a node and not refuted yet.
    pub fn of_node(&self, node: Node) -> impl Iterator<Item = (PragmaId, &Claim)> {
        let claims = self.of_nodes.get(&node).map_or(&[][..], |claims| claims);
        let open = claims.iter().filter(|(pragma, _)| !self.refuted.contains(pragma));
        open.map(|(pragma, claim)| (*pragma, claim))
    }

    /// What is said of the moves of a node, and not refuted yet.
    pub fn of_moves(&self, node: Node) -> impl Iterator<Item = &Apply> {
        let claims = self.of_moves.get(&node).map_or(&[][..], |claims| claims);
        claims.iter().filter(|apply| !self.refuted.contains(&apply.pragma))
    }

    /// Whether nothing is said that is not refuted yet.
    pub fn is_done(&self) -> bool {
        let of_nodes = self.of_nodes.values().flatten().map(|(pragma, _)| pragma);
        let of_moves = self.of_moves.values().flatten().map(|apply| &apply.pragma);
        of_nodes.chain(of_moves).all(|pragma| self.refuted.contains(pragma))
    }

    /// Says that a pragma is false; whether that is new.
    pub fn refute(&mut self, pragma: PragmaId) -> bool {
        self.refuted.insert(pragma)
    }
}

impl Apply {
    /// What the names of the tags stand for in a move, if it is one of those that are meant.
    pub fn meanings(&self, tags: &[Name]) -> Option<Meanings> {
        let mut meanings = Meanings::new();
        let fits = |((name, symbols), tag): (&(Name, Option<Vec<Name>>), &Name)| match symbols {
            Some(symbols) => {
                meanings.insert(*name, *tag);
                symbols.contains(tag)
            }
            None => name == tag,
        };
        (self.tags.len() == tags.len() && self.tags.iter().zip(tags).all(fits)).then_some(meanings)
    }
}

/// The symbols of a set type.
fn symbols(machine: &mut Machine, type_: &Type) -> Vec<Name> {
    let ty = machine.program.resolved.resolve(type_, &mut Vec::new());
    machine.program.symbols(ty).map(<[Name]>::to_vec).unwrap_or_default()
}
