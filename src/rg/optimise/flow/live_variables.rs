//! Which variables are read, by a walk that goes on, before they are assigned to again.

use super::patricia::{Forest, Map};
use super::{Analysis, Direction};
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, Node, Program};

/// The variables that are live. What players and the game manager read (`player`, `goals`,
/// `visible`) is not among what is read here.
#[derive(Debug, Default)]
pub struct LiveVariables {
    forest: Forest<()>,
}

impl LiveVariables {
    /// Whether a variable is one of them.
    pub fn has(&self, known: Map, variable: Name) -> bool {
        self.forest.get(known, variable.index() as u32).is_some()
    }
}

impl Analysis for LiveVariables {
    type Knowledge = Map;

    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self, _: &Program, _: Node) -> Option<Map> {
        Some(Map::EMPTY)
    }

    fn transfer(&mut self, program: &Program, _: EdgeId, edge: Edge, after: &Map) -> Option<Map> {
        let mut before = *after;
        if let Some(variable) = program.overwritten(edge.label) {
            before = self.forest.remove(before, variable.index() as u32);
        }
        for variable in program.read(edge.label) {
            before = self.forest.insert(before, variable.index() as u32, ());
        }
        Some(before)
    }

    fn join(&mut self, one: &Map, other: &Map) -> Map {
        self.forest.union(*one, *other, &mut |(), ()| ())
    }
}
