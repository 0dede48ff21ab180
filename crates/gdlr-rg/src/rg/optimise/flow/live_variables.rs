//! Liveness: a variable is live at a node if a walk from there may read it before it assigns to it.

use super::patricia::{Map, NumberSets};
use super::{Analysis, Direction, Solution, solve};
use crate::rg::name::Name;
use crate::rg::optimise::program::{Edge, EdgeId, Finding, Node, Program};
use gdlr_text::budget::{Exhausted, Meter};
use std::rc::Rc;

/// The variables that are live at each node.
pub struct Live {
    variables: LiveVariables,
    at: Solution<Map>,
}

impl Live {
    /// The live variables of a program in its current form.
    pub fn of(program: &Program, meter: &Meter<'_>) -> Result<Rc<Live>, Exhausted> {
        program.find(|program| {
            let mut variables = LiveVariables::default();
            let at = solve(program, &mut variables, meter)?;
            Ok(Live { variables, at })
        })
    }

    /// All variables at all nodes, for questions about dead variables, too.
    pub fn all(program: &Program) -> Rc<Live> {
        let mut variables = LiveVariables::default();
        let numbers = program.all_variables().map(|variable| variable.index() as u32);
        let all = numbers.fold(Map::EMPTY, |all, number| variables.sets.with_number(all, number));
        Rc::new(Live { variables, at: Solution::everywhere(program, all) })
    }

    /// Whether a variable is live at a node.
    pub fn has(&self, node: Node, variable: Name) -> bool {
        self.at.at(node).is_some_and(|&knowledge| self.variables.has(knowledge, variable))
    }

    /// The variables that are live at a node, as the keys of a map. The values of all other
    /// variables are of no use there.
    ///
    /// Many nodes make the same check, in states that differ only in variables that the check does
    /// not read.
    pub fn at(&self, node: Node) -> (&NumberSets, Map) {
        (&self.variables.sets, self.at.at(node).copied().unwrap_or(Map::EMPTY))
    }
}

impl Finding for Live {
    fn bytes(&self) -> usize {
        self.variables.bytes() + self.at.bytes()
    }
}

/// The liveness analysis. It does not count the reads of `player`, `goals` and `visible` by players
/// and the game manager.
#[derive(Debug, Default)]
struct LiveVariables {
    sets: NumberSets,
}

impl LiveVariables {
    fn has(&self, knowledge: Map, variable: Name) -> bool {
        self.sets.has(knowledge, variable.index() as u32)
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
            before = self.sets.without_number(before, variable.index() as u32);
        }
        for variable in program.read(edge.label) {
            before = self.sets.with_number(before, variable.index() as u32);
        }
        Some(before)
    }

    fn join(&mut self, _: Node, one: &Map, other: &Map) -> Map {
        self.sets.union(*one, *other)
    }

    fn bytes(&self) -> usize {
        self.sets.bytes()
    }
}
