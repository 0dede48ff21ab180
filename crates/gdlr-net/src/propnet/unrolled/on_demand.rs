//! Gates on demand: computed when a move is made, rather than whenever something that they read changes.
//!
//! Most of what only the effects of moves depend on is asked for by few moves, so that following
//! it all the time is more work than computing it for the move that is made. What many moves ask
//! for and what seldom changes is better followed. A short random play tells which is which.

use super::Unrolled;
use crate::net::phases::activity::Activity;
use crate::net::{Feedback, GateId, Signal};

/// How many gates the lists of all moves may have together, for each wire of the net.
const LISTED_OF_WIRE: usize = 4;

/// Gates that effects depend on, by input.
pub struct Conditions {
    /// Inputs with conditions of their effects, in order.
    by_input: Vec<(u32, Signal)>,
    /// By gate: the number of the walk that came there last.
    seen: Vec<u32>,
    walk: u32,
    open: Vec<GateId>,
}

impl Conditions {
    /// The conditions of the effects in all phases.
    pub fn of(unrolled: &Unrolled) -> Conditions {
        let frames = unrolled.copies.iter().flat_map(|copy| &copy.frames);
        let effects = frames.flat_map(|frame| frame.sets.iter().chain(&frame.clears));
        let mut by_input: Vec<(u32, Signal)> =
            effects.map(|effect| (effect.input.0, effect.condition)).collect();
        by_input.sort_unstable();
        by_input.dedup();
        Conditions { by_input, seen: vec![0; unrolled.net.len()], walk: 0, open: Vec::new() }
    }

    /// Visits the gates of a kind that effects of an input depend on through such gates.
    pub fn visit(
        &mut self,
        unrolled: &Unrolled,
        input: u32,
        is_wanted: impl Fn(GateId) -> bool,
        mut visit: impl FnMut(GateId),
    ) {
        let start = self.by_input.partition_point(|(other, _)| *other < input);
        let own = self.by_input[start..].iter().take_while(|(other, _)| *other == input);
        self.open.extend(own.map(|(_, condition)| condition.gate()));
        self.walk += 1;
        while let Some(gate) = self.open.pop() {
            let is_new = std::mem::replace(&mut self.seen[gate.index()], self.walk) != self.walk;
            if is_new && is_wanted(gate) {
                visit(gate);
                let operands = unrolled.net.operands(gate).iter();
                self.open.extend(operands.map(|operand| operand.gate()));
            }
        }
    }
}

impl Unrolled {
    /// The same, with the gates named that are to be computed when a move is made.
    pub(super) fn with_demand(mut self, activity: &Activity) -> Unrolled {
        let feedback = Feedback::of(&self.net);
        let followed = self.followed(&feedback);
        let mut is_on_demand: Vec<bool> = followed.iter().map(|followed| !followed).collect();
        is_on_demand[..self.net.first_computed().index()].fill(false);
        let mut conditions = Conditions::of(&self);
        // By gate: how often it is asked for.
        let mut visits = vec![0usize; self.net.len()];
        for input in activity.made(&self) {
            let is_wanted = |gate: GateId| is_on_demand[gate.index()];
            conditions.visit(&self, input.0, is_wanted, |gate| visits[gate.index()] += 1);
        }
        let changes = activity.changes_of_gates(&self);
        for &gate in feedback.order.iter().filter(|gate| !followed[gate.index()]) {
            let operands = self.net.operands(gate);
            let can_be_followed = operands.iter().all(|o| !is_on_demand[o.gate().index()]);
            let changed: usize = operands.iter().map(|o| changes[o.gate().index()]).sum();
            if can_be_followed && 2 * changed < visits[gate.index()] * (operands.len() + 1) {
                is_on_demand[gate.index()] = false;
            }
        }
        let most = LISTED_OF_WIRE * self.net.wires();
        let mut listed = 0;
        for input in 0..self.net.inputs.len() as u32 {
            let is_wanted = |gate: GateId| is_on_demand[gate.index()];
            conditions.visit(&self, input, is_wanted, |_| listed += 1);
            if listed > most {
                is_on_demand.fill(false);
                break;
            }
        }
        visits.iter_mut().zip(&is_on_demand).for_each(|(count, own)| *count *= usize::from(*own));
        (self.on_demand, self.visits) = (is_on_demand, visits);
        self
    }

    /// The same, with all on demand that may be.
    #[cfg(test)]
    pub fn all_on_demand(mut self) -> Unrolled {
        let followed = self.followed(&Feedback::of(&self.net));
        self.on_demand = followed.iter().map(|followed| !followed).collect();
        self.on_demand[..self.net.first_computed().index()].fill(false);
        self
    }

    /// By gate: whether it has to be followed, since what is always asked for depends on it.
    fn followed(&self, feedback: &Feedback) -> Vec<bool> {
        let always = self.copies.iter().flat_map(|copy| {
            let frames = copy.frames.iter().flat_map(|frame| [frame.set, frame.keep]);
            frames.chain(copy.legal.iter().copied()).chain([copy.terminal])
        });
        let cycles = feedback.order.iter().filter(|&&gate| feedback.on_cycle(gate));
        self.net.reached(always.chain(cycles.map(|&gate| Signal::of(gate))))
    }
}
