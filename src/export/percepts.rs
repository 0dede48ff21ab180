//! What roles see of a step (GDL-II), as tags that are visible to them (RG, 2.1).
//!
//! In a game with rules for `sees` nothing is visible but what the keeper shows, between the
//! choices of a step and what they do:
//!
//! ```text
//! visible[r] = 1, $ wait, p, $ sees_x, visible[r] = 0      for each role r
//! ```
//!
//! First comes the role's move, where there is no ply for it, and then a tag for each percept
//! whose condition holds, in a fixed order. A role knows its own plies anyway. So what it is
//! told of a step begins with its move, and a tag stands for a move or for a percept, never for
//! both: the tags say where steps begin, and two plays look alike to a role exactly when its
//! moves and percepts are the same.

use super::automaton::{Action, Node};
use super::plan::Turn;
use super::update::branch;
use super::writer::Writer;
use crate::budget::{Exhausted, Memory};
use crate::net::Signal;
use crate::rg::Name;

/// How much work it is to write an edge with its conditions.
const WORK: usize = 64;

impl Writer<'_> {
    /// Makes the keeper show each role what it is told of a step, percepts by their conditions;
    /// returns the node where that begins.
    pub(super) fn show(
        &mut self,
        turn: &Turn,
        percepts: &[(usize, Signal)],
        to: Node,
    ) -> Result<Node, Exhausted> {
        if !self.conceals {
            return Ok(to);
        }
        let mut to = to;
        for role in (0..self.roles.len()).rev().filter(|&role| self.chance != Some(role)) {
            let Writer { conditions, automaton, net, meter, .. } = self;
            let own = percepts.iter().rev().filter(|&&(place, condition)| {
                usize::from(net.percepts[place].role.0) == role && condition != Signal::FALSE
            });
            let hide = automaton.before(Action::Set(self.visible[role], Name::ZERO), to);
            let mut next = hide;
            for &(place, condition) in own {
                meter.hold(Memory::Layout, automaton.bytes());
                meter.spend(WORK)?;
                let seen = automaton.before(Action::Tag(self.percepts[place]), next);
                next = branch(conditions, automaton, condition, seen, next);
            }
            if let Some(input) = turn.implied[role] {
                let tag = self.tags[net.inputs[input].term as usize];
                next = automaton.before(Action::Tag(tag), next);
            }
            if next != hide {
                to = automaton.before(Action::Set(self.visible[role], Name::ONE), next);
            }
        }
        Ok(to)
    }
}
