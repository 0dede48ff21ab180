//! Percepts of a step (GDL-II), as tags that are visible to their roles (RG, 2.1).
//!
//! In a game with rules for `sees`, only tags of the keeper are visible. They come between the
//! choices of a step and their effects:
//!
//! ```text
//! visible[r] = 1, $ wait, p, $ sees_x, visible[r] = 0
//! ```
//!
//! First comes the move of a role without a ply, and then a tag for each percept whose condition
//! holds. The order is the same in all steps. Percepts of several roles with the same condition are
//! shown to all of them at once. A role knows its own plies in any case.
//!
//! So the part of a step that a role learns begins with its move. A tag stands either for moves or
//! for percepts, so the tags show where a step begins. Two plays look alike to a role exactly if
//! its moves and its percepts are the same.

use super::automaton::{Action, Node};
use super::plan::Turn;
use super::sight::Sight;
use super::update::branch;
use super::writer::Writer;
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_text::budget::{Exhausted, Memory};

/// The work of writing an edge with its conditions, as steps of the budget.
const WORK: usize = 64;

/// A tag, the condition under which it is shown, and its roles.
struct Shown {
    tag: Name,
    condition: Signal,
    roles: Vec<usize>,
}

impl Writer<'_> {
    /// Makes the keeper show each role its part of a step, with percepts under their conditions.
    /// Returns the first node.
    pub(super) fn show(
        &mut self,
        turn: &Turn,
        percepts: &[(usize, Signal)],
        to: Node,
    ) -> Result<Node, Exhausted> {
        if self.sight != Sight::Percepts {
            return Ok(to);
        }
        let shown = self.shown(turn, percepts);
        let Writer { conditions, automaton, meter, visible, .. } = self;
        let mut to = to;
        for together in shown.chunk_by(|a, b| a.roles == b.roles).rev() {
            let set = |value: Name| -> Vec<Action> {
                together[0].roles.iter().map(|&role| Action::Set(visible[role], value)).collect()
            };
            to = automaton.chain(&set(Name::ZERO), to);
            for &Shown { tag, condition, .. } in together.iter().rev() {
                meter.hold(Memory::Layout, automaton.bytes());
                meter.spend(WORK)?;
                let seen = automaton.before(Action::Tag(tag), to);
                to = branch(conditions, automaton, condition, seen, to);
            }
            to = automaton.chain(&set(Name::ONE), to);
        }
        Ok(to)
    }

    /// The tags of a step: implied moves, and then percepts in the order of their tags.
    fn shown(&self, turn: &Turn, percepts: &[(usize, Signal)]) -> Vec<Shown> {
        let implied = turn.implied.iter().enumerate().filter_map(|(role, input)| {
            let tag = self.tags[self.net.inputs[(*input)?].term as usize];
            Some((tag, Signal::TRUE, role))
        });
        let mut percepts: Vec<(Name, Signal, usize)> = percepts
            .iter()
            .filter(|(_, condition)| *condition != Signal::FALSE)
            .map(|&(place, condition)| {
                (self.percepts[place], condition, usize::from(self.net.percepts[place].role.0))
            })
            .collect();
        percepts.sort_unstable();
        let mut implied: Vec<(Name, Signal, usize)> = implied.collect();
        implied.sort_unstable();
        let all: Vec<(Name, Signal, usize)> = implied
            .into_iter()
            .chain(percepts)
            .filter(|&(_, _, role)| self.chance != Some(role))
            .collect();
        let same = |a: &(Name, Signal, usize), b: &(Name, Signal, usize)| (a.0, a.1) == (b.0, b.1);
        let groups = all.chunk_by(same).map(|group| Shown {
            tag: group[0].0,
            condition: group[0].1,
            roles: group.iter().map(|&(_, _, role)| role).collect(),
        });
        groups.collect()
    }
}
