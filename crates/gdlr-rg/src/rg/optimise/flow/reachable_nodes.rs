//! Reachability: the nodes that walks reach if all labels are ignored.

use super::{Analysis, Direction};
use crate::rg::optimise::program::{Edge, EdgeId, Node, Program};

/// How walks reach a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// A walk of play.
    pub in_play: bool,
    /// A walk of a reachability check.
    pub in_check: bool,
}

/// The reachability analysis.
#[derive(Debug, Default)]
pub struct ReachableNodes;

impl Analysis for ReachableNodes {
    type Knowledge = Reached;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self, _: &Program, _: Node) -> Option<Reached> {
        Some(Reached { in_play: true, in_check: false })
    }

    fn transfer(&mut self, _: &Program, _: EdgeId, _: Edge, reached: &Reached) -> Option<Reached> {
        Some(*reached)
    }

    fn check(&mut self, _: &Reached) -> Option<Reached> {
        Some(Reached { in_play: false, in_check: true })
    }

    fn join(&mut self, _: Node, one: &Reached, other: &Reached) -> Reached {
        Reached { in_play: one.in_play || other.in_play, in_check: one.in_check || other.in_check }
    }
}
