//! Dead assignments and the states that moves lead to.
//!
//! Two walks with the same tags are one move, and must lead to the same state. That state has the
//! values of all variables, also of dead ones. So a dead assignment may not simply be removed: then
//! one of the two walks could lack it, and the other one could have it. It may be removed if
//!
//! - every walk that follows it assigns to the whole variable again before the move ends; or
//! - all assignments to the variable in the *section* are removed. A section is a connected part of
//!   the graph without the edges that end moves, so it has all walks that could be the same move;
//!   or
//! - only walks of reachability checks reach it, and these leave no state.

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

/// Analyses by which dead assignments are found and removed.
pub struct Assignments {
    live: Rc<Live>,
    settled: (SettledVariables, Solution<Map>),
    reached: Solution<Reached>,
    sections: Vec<u32>,
}

impl Assignments {
    /// The analyses of a program in its current form.
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

    /// Whether an edge's assignment to a variable is dead: nothing reads the value.
    pub fn is_dead(&self, edge: Edge, variable: Name) -> bool {
        let in_play = self.reached.at(edge.from).is_some_and(|reached| reached.in_play);
        let is_shown = in_play && is_special(variable);
        !self.live.has(edge.to, variable) && !is_shown
    }

    /// Whether a dead assignment can be removed without the others of its section.
    fn goes_alone(&self, edge: Edge, variable: Name) -> bool {
        let in_play = self.reached.at(edge.to).is_some_and(|reached| reached.in_play);
        let (settled, at) = &self.settled;
        !in_play || at.at(edge.to).is_none_or(|&knowledge| settled.has(knowledge, variable))
    }

    /// The dead assignments among `dead` that may be removed together.
    pub fn removable(&self, program: &Program, dead: &HashSet<EdgeId>) -> HashSet<EdgeId> {
        // By section and variable: whether an assignment stays.
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

/// By node: the number of its section, the part connected by edges that end no move.
fn sections(program: &Program) -> Vec<u32> {
    let mut sections = Classes::new(program.node_count());
    for (_, edge) in program.edges() {
        if !program.ends_move(edge.label) {
            sections.join(edge.from.index(), edge.to.index());
        }
    }
    (0..program.node_count()).map(|node| sections.of(node) as u32).collect()
}

/// The nodes at which a move begins: `begin`, and the targets of assignments to `player`.
pub fn turns(program: &Program) -> HashSet<Node> {
    let ends = program.edges().filter(|(_, edge)| program.ends_move(edge.label));
    std::iter::once(Node::BEGIN).chain(ends.map(|(_, edge)| edge.to)).collect()
}
