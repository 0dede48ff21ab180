//! What a walk does to the state that its move leads to.
//!
//! Two walks with the same tags are one move, and must lead to the same state: to the same
//! values of all variables, also of those that nobody reads again. So an assignment of which
//! nothing is read may not simply go: after one of the walks it may be missing, and the other
//! one may have it. It may go if
//!
//! - every walk that goes on from it assigns to the variable once more before the move ends; or
//! - all assignments to the variable go, in the whole *section*: in all that is connected by
//!   edges that end no move, so in all walks that could be the same move; or
//! - no walk in play comes there, but only walks of reachability checks, of which no state is
//!   left.

use super::flow::live_variables::Live;
use super::flow::patricia::Map;
use super::flow::reachable_nodes::{ReachableNodes, Reached};
use super::flow::settled_variables::SettledVariables;
use super::flow::{Analysis, Solution, solve};
use super::program::{Edge, EdgeId, Finding, Node, Program};
use crate::rg::name::Name;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::classes::Classes;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// What is known about assignments of which nothing is read.
pub struct Assignments {
    live: Rc<Live>,
    settled: (SettledVariables, Solution<Map>),
    reached: Solution<Reached>,
    sections: Vec<u32>,
}

impl Assignments {
    /// The knowledge for a program as it is now.
    pub fn of(program: &Program, meter: &Meter<'_>) -> Result<Rc<Assignments>, Exhausted> {
        program.find(|program| {
            let mut settled = SettledVariables::default();
            let at_settled = solve(program, &mut settled, meter)?;
            Ok(Assignments {
                live: Live::of(program, meter)?,
                settled: (settled, at_settled),
                reached: solve(program, &mut ReachableNodes, meter)?,
                sections: sections(program),
            })
        })
    }

    /// Whether nothing is read of what an edge assigns to a variable.
    pub fn is_dead(&self, edge: Edge, variable: Name) -> bool {
        let in_play = self.reached.at(edge.from).is_some_and(|reached| reached.in_play);
        let is_shown = in_play && is_special(variable);
        !self.live.has(edge.to, variable) && !is_shown
    }

    /// Whether no move shows it if an assignment of which nothing is read is gone.
    fn goes_alone(&self, edge: Edge, variable: Name) -> bool {
        let in_play = self.reached.at(edge.to).is_some_and(|reached| reached.in_play);
        let (settled, at) = &self.settled;
        !in_play || at.at(edge.to).is_none_or(|&known| settled.has(known, variable))
    }

    /// Those of some assignments, of which nothing is read, that may go.
    pub fn removable(&self, program: &Program, dead: &HashSet<EdgeId>) -> HashSet<EdgeId> {
        // By section and variable: whether something is assigned that stays.
        let mut stays: HashMap<(u32, Name), bool> = HashMap::new();
        for (id, edge) in program.edges() {
            let Some(variable) = program.written(edge.label) else { continue };
            if self.reached.at(edge.from).is_some_and(|reached| reached.in_play) {
                let section = self.sections[edge.from.index()];
                *stays.entry((section, variable)).or_default() |= !dead.contains(&id);
            }
        }
        let removable = dead.iter().copied().filter(|&id| {
            let edge = program.edge(id);
            let variable = program.written(edge.label).expect("an assignment");
            let section = self.sections[edge.from.index()];
            self.goes_alone(edge, variable) || !stays.get(&(section, variable)).unwrap_or(&false)
        });
        removable.collect()
    }
}

impl Finding for Assignments {
    fn bytes(&self) -> usize {
        let (settled, at) = &self.settled;
        let of_sections = self.sections.capacity() * size_of::<u32>();
        settled.bytes() + at.bytes() + self.reached.bytes() + of_sections
    }
}

/// Whether players or the game manager read a variable.
pub fn is_special(variable: Name) -> bool {
    matches!(variable, Name::PLAYER | Name::GOALS | Name::VISIBLE)
}

/// By node: the number of what it is connected with by edges that end no move.
fn sections(program: &Program) -> Vec<u32> {
    let mut sections = Classes::new(program.node_count());
    for (_, edge) in program.edges() {
        if !program.ends_move(edge.label) {
            sections.join(edge.from.index(), edge.to.index());
        }
    }
    (0..program.node_count()).map(|node| sections.of(node) as u32).collect()
}

/// The nodes at which a move begins: `begin`, and those that an assignment to `player` enters.
pub fn turns(program: &Program) -> HashSet<Node> {
    let ends = program.edges().filter(|(_, edge)| program.ends_move(edge.label));
    std::iter::once(Node::BEGIN).chain(ends.map(|(_, edge)| edge.to)).collect()
}
