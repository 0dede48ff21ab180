//! Whether rules can follow every walk of a pattern (a simulation of the pattern by the rules).
//!
//! The rules may change squares on their way:
//!
//! ```text
//! {? right {o} right ({o} right)* {m}}        the pattern
//! right {o} [m] right ({o} [m] right)* {m}    the rules
//! ```
//!
//! Whenever the pattern holds, there is a walk through the rules: it takes the same steps and makes
//! the same tests, and never tests a square that it has changed.

use super::program::{Act, Edge, Node, Pattern, Program};
use super::relation::{Relation, after};
use hashbrown::HashSet;
use std::rc::Rc;

/// The greatest number of pairs of a node of a pattern and one of the rules that are visited.
const MOST_PAIRS: usize = 4096;

/// The relation from a changed square to the current one; `None` if they are the same square.
type FromChanged = Option<Rc<Relation>>;

/// The squares that a walk has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Changed {
    /// The relations from changed squares to the current one.
    squares: Vec<FromChanged>,
    /// Whether there are changed squares.
    any: bool,
}

impl Changed {
    /// The changes with the current square added.
    fn here(&self) -> Changed {
        let mut changed = Changed { any: true, ..self.clone() };
        if !changed.squares.contains(&None) {
            changed.squares.push(None);
        }
        changed
    }

    /// The changes after a step of a relation.
    fn moved(&self, relation: &Rc<Relation>) -> Changed {
        let mut squares: Vec<FromChanged> = Vec::new();
        for from in &self.squares {
            let onwards = match from {
                None => Rc::clone(relation),
                Some(from) => Rc::new(after(from, relation)),
            };
            let onwards = Some(onwards).filter(|relation| !relation.domain().is_empty());
            if onwards.is_some() && !squares.contains(&onwards) {
                squares.push(onwards);
            }
        }
        Changed { squares, any: self.any }
    }

    /// Whether the current square may be a changed one.
    fn may_be_here(&self) -> bool {
        self.squares.iter().any(|from| match from {
            None => true,
            Some(relation) => relation.keeps_a_square(),
        })
    }
}

/// Walks through rules, in step with walks of a pattern.
pub(super) struct Simulation<'p> {
    program: &'p Program,
    /// Whether the rules may take an edge.
    may_take: &'p dyn Fn(&Edge) -> bool,
    /// Whether a walk through the rules may end at a node, with a change or without.
    may_end: &'p dyn Fn(Node, bool) -> bool,
    pairs: usize,
    /// Pairs of a node of the pattern and one of the rules for which the claim is assumed
    /// (induction): the walk of the pattern that led there has become shorter.
    assumed: HashSet<(Node, Node, Changed)>,
}

impl<'p> Simulation<'p> {
    /// A simulation by some edges of a program, up to some nodes.
    pub fn new(
        program: &'p Program,
        may_take: &'p dyn Fn(&Edge) -> bool,
        may_end: &'p dyn Fn(Node, bool) -> bool,
    ) -> Simulation<'p> {
        Simulation { program, may_take, may_end, pairs: MOST_PAIRS, assumed: HashSet::new() }
    }

    /// Whether the rules can follow each walk of a pattern from a node: a walk of the rules takes
    /// the same steps, makes the same tests, and may end where it stops. False if there is too much
    /// to visit.
    pub fn goes_along(mut self, Pattern { start, end }: Pattern, node: Node) -> bool {
        self.matches((start, end), node, &Changed::default())
    }

    fn leaving(&self, node: Node) -> impl Iterator<Item = &'p Edge> + use<'p> {
        let may_take = self.may_take;
        self.program.leaving(node).map(|(_, edge)| edge).filter(move |edge| may_take(edge))
    }

    /// Counts a visited pair. Returns whether there are too many.
    fn is_too_much(&mut self) -> bool {
        self.pairs = self.pairs.saturating_sub(1);
        self.pairs == 0
    }

    /// The claim for the rest of a pattern, and of the rules.
    fn matches(&mut self, (from, end): (Node, Node), at: Node, changed: &Changed) -> bool {
        if from == end {
            return self.ends(at, changed.any);
        }
        if self.is_too_much() {
            return false;
        }
        let before = self.assumed.clone();
        if !self.assumed.insert((from, at, changed.clone())) {
            return true;
        }
        let holds = self.program.leaving(from).all(|(_, wanted)| match &wanted.act {
            Act::Skip => self.matches((wanted.to, end), at, changed),
            Act::Move(_) | Act::On(_) => self.matches_step(wanted, end, at, changed),
            _ => false,
        });
        if !holds {
            self.assumed = before;
        }
        holds
    }

    /// Whether a walk reaches a node where it may end, without a test.
    fn ends(&mut self, at: Node, any: bool) -> bool {
        if self.is_too_much() {
            return false;
        }
        (self.may_end)(at, any)
            || self.leaving(at).any(|edge| match edge.act {
                Act::Skip | Act::Remember | Act::Return => self.ends(edge.to, any),
                Act::Off(_) => self.ends(edge.to, true),
                _ => false,
            })
    }

    /// The claim for walks of the pattern that begin with an edge.
    fn matches_step(&mut self, wanted: &Edge, end: Node, at: Node, changed: &Changed) -> bool {
        if self.is_too_much() {
            return false;
        }
        self.leaving(at).any(|edge| match (&edge.act, &wanted.act) {
            (Act::Skip | Act::Remember, _) => self.matches_step(wanted, end, edge.to, changed),
            (Act::Off(_), _) => self.matches_step(wanted, end, edge.to, &changed.here()),
            (Act::Move(id), Act::Move(other)) if id == other => {
                let changed = changed.moved(&self.program.relations[id.0 as usize]);
                self.matches((wanted.to, end), edge.to, &changed)
            }
            (Act::On(pieces), Act::On(other)) if pieces == other => {
                // The pattern has tested the squares as they were before.
                !changed.may_be_here() && self.matches((wanted.to, end), edge.to, changed)
            }
            _ => false,
        })
    }
}
