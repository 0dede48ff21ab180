//! Reaching definitions: the assignments that may have given each variable its value.

use super::live_variables::Live;
use super::patricia::{Forest, Map, Rule};
use super::sets::{SetRef, Sets};
use super::{Analysis, Direction};
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, Node, Program};
use hashbrown::HashSet;

/// The definition of the initial value of a variable.
pub const INITIAL: u32 = u32::MAX;

/// By variable: its definitions, which are edges or [`INITIAL`]. An edge is a definition if it was
/// the last to assign to the whole variable, or has assigned to a part of it since. A live variable
/// without an entry has [`INITIAL`] alone. Only wanted variables have entries.
pub struct ReachingDefinitions<'l> {
    live: &'l Live,
    wanted: &'l HashSet<Name>,
    /// The sets of edges.
    pub sets: Sets,
    forest: Forest<SetRef>,
}

impl ReachingDefinitions<'_> {
    /// The analysis of the wanted variables of a program.
    pub fn new<'l>(live: &'l Live, wanted: &'l HashSet<Name>) -> ReachingDefinitions<'l> {
        ReachingDefinitions { live, wanted, sets: Sets::default(), forest: Forest::default() }
    }

    /// The definitions of a variable, which must be live and wanted.
    pub fn of(&mut self, knowledge: Map, variable: Name) -> SetRef {
        let entry = self.forest.get(knowledge, variable.index() as u32);
        entry.unwrap_or_else(|| self.sets.of(&[INITIAL]))
    }
}

impl Analysis for ReachingDefinitions<'_> {
    type Knowledge = Map;

    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self, program: &Program, node: Node) -> Option<Map> {
        let mut knowledge = Map::EMPTY;
        let initial = self.sets.of(&[INITIAL]);
        // Every variable that is ever assigned to gets an entry, so that none is missing in a join.
        for (_, edge) in program.edges() {
            if let Some(variable) = program.written(edge.label)
                && self.wanted.contains(&variable)
                && self.live.has(node, variable)
            {
                knowledge = self.forest.insert(knowledge, variable.index() as u32, initial);
            }
        }
        Some(knowledge)
    }

    fn transfer(
        &mut self,
        program: &Program,
        id: EdgeId,
        edge: Edge,
        knowledge: &Map,
    ) -> Option<Map> {
        let mut knowledge = *knowledge;
        if let Some(variable) = program.written(edge.label)
            && self.wanted.contains(&variable)
            && self.live.has(edge.to, variable)
        {
            let own = self.sets.of(&[id.index() as u32]);
            let whole = program.overwritten(edge.label).is_some();
            let now = match whole {
                true => own,
                false => {
                    let before = self.of(knowledge, variable);
                    self.sets.union(before, own)
                }
            };
            knowledge = self.forest.insert(knowledge, variable.index() as u32, now);
        }
        Some(knowledge)
    }

    fn join(&mut self, node: Node, one: &Map, other: &Map) -> Map {
        let mut union = |_, left, right| Some(self.sets.union(left, right));
        self.forest.common(*one, *other, self.live.at(node), Rule::Join, &mut union)
    }

    fn bytes(&self) -> usize {
        self.forest.bytes() + self.sets.bytes()
    }
}
