//! The percepts of a step, from a net (GDL-II): of up to 64 joint moves at once, each in a lane.

use super::evaluate::{Evaluation, read};
use super::feedback::Feedback;
use super::gates::{Net, Percept};
use gdlr_engine::engine::{MoveId, RoleId, Roles};
use gdlr_rules::gdl::Term;

/// How many joint moves are evaluated at once.
pub const LANES: usize = u64::BITS as usize;

/// The gates of percepts. Play does not evaluate them.
#[derive(Clone, Debug)]
pub struct Percepts {
    /// The gates that percepts depend on; nothing in a game without any.
    order: Option<Box<Feedback>>,
}

impl Percepts {
    /// The gates on which the percepts of a net depend. Linear.
    pub fn of(net: &Net) -> Percepts {
        let signals = || net.percepts.iter().map(|percept| percept.signal);
        let order = (!net.percepts.is_empty()).then(|| Feedback::of(net).reached(net, signals()));
        Percepts { order: order.map(Box::new) }
    }

    /// The percepts of all roles after some joint moves, [`LANES`] of them at most, each with the latches
    /// that are true where it is played. Linear in what percepts depend on, and in the latches and
    /// inputs, whether for one or for all lanes.
    pub fn seen<'n, L: Iterator<Item = usize>>(
        &self,
        net: &'n Net,
        moves: impl ExactSizeIterator<Item = (L, &'n [MoveId])>,
    ) -> Seen<'n> {
        let mut seen = Seen { percepts: Vec::new(), lanes: low_bits(moves.len()) };
        let Some(order) = &self.order else { return seen };
        let (mut latches, mut inputs) = (vec![0; net.latches.len()], vec![0; net.inputs.len()]);
        for (lane, (state, joint)) in moves.enumerate() {
            state.for_each(|latch| latches[latch] |= 1 << lane);
            joint.iter().for_each(|id| inputs[id.index()] |= 1 << lane);
        }
        let mut values = Vec::new();
        Evaluation::of_some(net, order).run(&latches, &inputs, &mut values);
        let word = |percept: &'n Percept| (percept, read(&values, percept.signal) & seen.lanes);
        seen.percepts = net.percepts.iter().map(word).filter(|&(_, lanes)| lanes != 0).collect();
        seen
    }
}

/// The percepts of some joint moves.
pub struct Seen<'n> {
    /// The percepts of all roles that there are in any lane, sorted, each with its lanes.
    percepts: Vec<(&'n Percept, u64)>,
    /// A bit for each joint move.
    lanes: u64,
}

impl Seen<'_> {
    /// By role: what it sees in the only lane, sorted. Chance sees nothing.
    pub fn alone(&self, roles: &Roles) -> Vec<Vec<Term>> {
        let mut seen = vec![Vec::new(); roles.count()];
        self.write(roles, 0, &mut seen);
        seen
    }

    /// Writes the same of a lane into `seen`, which has a list for each role.
    pub fn write(&self, roles: &Roles, lane: usize, seen: &mut [Vec<Term>]) {
        seen.iter_mut().for_each(Vec::clear);
        for (percept, lanes) in &self.percepts {
            if lanes >> lane & 1 == 1 && roles.random() != Some(percept.role) {
                seen[percept.role.index()].push(percept.term.clone());
            }
        }
    }

    /// The lanes in which a role sees just these percepts, each of them named once.
    pub fn lanes_with(&self, role: RoleId, percepts: &[Term]) -> u64 {
        let own = self.percepts.iter().filter(|(percept, _)| percept.role == role);
        let (mut agreeing, mut left) = (self.lanes, percepts.len());
        for (percept, lanes) in own {
            let is_told = percepts.contains(&percept.term);
            left -= usize::from(is_told);
            agreeing &= if is_told { *lanes } else { !lanes };
        }
        // A percept that is seen in no lane is left out.
        if left == 0 { agreeing } else { 0 }
    }

    /// All lanes.
    pub fn lanes(&self) -> u64 {
        self.lanes
    }
}

/// The lowest bits of a word, so many of them.
fn low_bits(count: usize) -> u64 {
    (0..count).fold(0, |bits, lane| bits | 1 << lane)
}
