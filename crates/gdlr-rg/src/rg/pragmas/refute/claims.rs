//! The claims of pragmas, by the node that they are about.

use super::machine::{Machine, Meanings};
use crate::rg::ast::{AppliedTag, Description, Hint, Ident, Type};
use crate::rg::graph::Graph;
use crate::rg::name::Name;
use crate::rg::optimise::program::{EdgeId, ExprId, Node};
use hashbrown::{HashMap, HashSet};
use std::ops::Range;

/// The index of a pragma in the description.
pub type PragmaId = usize;

/// A claim about a node.
#[derive(Clone, Debug)]
pub enum Claim {
    /// At most one of these edges is legal, or exactly one.
    Disjoint {
        /// The edges.
        edges: Vec<EdgeId>,
        /// Whether exactly one edge is legal, not at most one.
        exhaustive: bool,
    },
    /// No search reaches the node twice with the same tags and values.
    Unique,
    /// If the tags and the values of these variables are equal, all values are equal.
    Repeat {
        /// The slots of the variables.
        slots: Vec<Range<usize>>,
    },
    /// The tags of the leaving edges have this index in the move.
    Index {
        /// The index, from 0.
        index: u64,
        /// Whether the index is the greatest one, not the only one.
        at_most: bool,
    },
}

/// A claim about moves of a node.
#[derive(Clone, Debug)]
pub struct Apply {
    /// The pragma.
    pub pragma: PragmaId,
    /// The node that the moves lead to.
    pub to: Node,
    /// The tags: a tag itself, or the name of a parameter with the symbols that it may be.
    pub tags: Vec<(Name, Option<Vec<Name>>)>,
    /// The assignments, as targets and values.
    pub assignments: Vec<(ExprId, ExprId)>,
    /// Whether the claims of this node cover all its moves.
    pub exhaustive: bool,
}

/// The claims of all pragmas.
#[derive(Default)]
pub struct Claims {
    /// The claims about nodes.
    of_nodes: HashMap<Node, Vec<(PragmaId, Claim)>>,
    /// The claims about moves, by the node where these begin, or go on.
    of_moves: HashMap<Node, Vec<Apply>>,
    /// The pragmas that are false.
    refuted: HashSet<PragmaId>,
}

impl Claims {
    /// The claims of a description's pragmas that play can refute.
    pub fn new(description: &Description, machine: &mut Machine) -> Claims {
        let nodes: HashMap<Name, Node> = machine
            .program
            .nodes()
            .filter_map(|node| Some((machine.program.node_name(node)?, node)))
            .collect();
        let mut claims = Claims::default();
        let graph = Graph::new(description);
        // Nodes with claims about parts of moves: there, no claim covers all moves.
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
                    // A walk to a node without edges reaches no node of the automaton.
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

    /// The claims about a node that are not refuted yet.
    pub fn of_node(&self, node: Node) -> impl Iterator<Item = (PragmaId, &Claim)> {
        let claims = self.of_nodes.get(&node).map_or(&[][..], |claims| claims);
        let open = claims.iter().filter(|(pragma, _)| !self.refuted.contains(pragma));
        open.map(|(pragma, claim)| (*pragma, claim))
    }

    /// The claims about the moves of a node that are not refuted yet.
    pub fn of_moves(&self, node: Node) -> impl Iterator<Item = &Apply> {
        let claims = self.of_moves.get(&node).map_or(&[][..], |claims| claims);
        claims.iter().filter(|apply| !self.refuted.contains(&apply.pragma))
    }

    /// Whether all claims are refuted.
    pub fn is_done(&self) -> bool {
        let of_nodes = self.of_nodes.values().flatten().map(|(pragma, _)| pragma);
        let of_moves = self.of_moves.values().flatten().map(|apply| &apply.pragma);
        of_nodes.chain(of_moves).all(|pragma| self.refuted.contains(pragma))
    }

    /// Records that a pragma is false. Returns whether that is new.
    pub fn refute(&mut self, pragma: PragmaId) -> bool {
        self.refuted.insert(pragma)
    }
}

impl Apply {
    /// The values of the parameters in a move; `None` if the claim is not about this move.
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
