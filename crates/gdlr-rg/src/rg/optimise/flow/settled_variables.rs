//! Settled variables: every walk assigns to them before the move ends. So their current values are
//! not part of the state that the move leads to.

use super::patricia::{Map, NumberSets};
use super::{Analysis, Direction};
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, Node, Program};

/// The analysis: a variable is settled if every walk to the end of the move assigns to all of it. A
/// node from which no walk ends a move has no knowledge, since no state comes of it. At a node
/// where a walk may end, no variable is settled, whatever follows.
#[derive(Debug, Default)]
pub struct SettledVariables {
    sets: NumberSets,
}

impl SettledVariables {
    /// Whether a variable is settled.
    pub fn has(&self, knowledge: Map, variable: Name) -> bool {
        self.sets.has(knowledge, variable.index() as u32)
    }
}

impl Analysis for SettledVariables {
    type Knowledge = Map;

    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self, program: &Program, node: Node) -> Option<Map> {
        let ends = program.edges_from(node).any(|edge| program.ends_move(edge.label));
        ends.then_some(Map::EMPTY)
    }

    fn transfer(&mut self, program: &Program, _: EdgeId, edge: Edge, after: &Map) -> Option<Map> {
        let mut before = *after;
        if let Some(variable) = program.overwritten(edge.label) {
            before = self.sets.with_number(before, variable.index() as u32);
        }
        Some(before)
    }

    fn check(&mut self, _: &Map) -> Option<Map> {
        None
    }

    fn join(&mut self, _: Node, one: &Map, other: &Map) -> Map {
        self.sets.intersection(*one, *other)
    }

    fn bytes(&self) -> usize {
        self.sets.bytes()
    }
}
