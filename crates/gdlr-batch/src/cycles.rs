//! Gates that depend on each other (feedback loops), as *is reached from* does.
//!
//! Their values are the least fixpoint, which takes several rounds. Three things make them
//! few and short: a gate and the only one that reads it are computed in one go, the gates come
//! in the order in which they become true, and a round begins with the values of the step
//! before, where these are still below the fixpoint (see [`Fixpoint`]).

use super::program::{Fixpoint, Program, Remembered, Slot};
use super::schedule::Schedule;
use fixedbitset::FixedBitSet;
use gdlr_net::net::{Feedback, GateId, Net, Operation, Signal};
use hashbrown::{HashMap, HashSet};

/// How many slots gates that depend on each other need at most.
pub(super) fn kept_slots(net: &Net) -> usize {
    let feedback = Feedback::of(net);
    let gates = feedback.parts.iter().flat_map(|part| &feedback.order[part.clone()]);
    gates.map(|&gate| 1 + net.operands(gate).len()).sum()
}

impl Schedule<'_> {
    /// Looks for gates of a feedback loop that are computed together with their only reader: a place
    /// is reached if it is free and any of its neighbours is reached. Takes them out of the
    /// list.
    pub fn join(&mut self, gates: &mut Vec<GateId>) {
        let net = self.net;
        let mut fused = FixedBitSet::with_capacity(net.len());
        let here: FixedBitSet = gates.iter().map(|gate| gate.index()).collect();
        for &gate in gates.iter().rev() {
            let fits = |operand: &&Signal| {
                let inner = operand.gate();
                !operand.is_negated()
                    && here.contains(inner.index())
                    && self.component[inner.index()] == self.component[gate.index()]
                    && self.readers[inner.index()] == 1
                    && net.operation(inner) != net.operation(gate)
                    && net.operands(inner).len() > 1
                    && inner != gate
                    && !self.inner.contains_key(&inner)
            };
            let on_cycle = self.component[gate.index()].is_some();
            if !on_cycle || fused.contains(gate.index()) || net.operands(gate).len() < 2 {
                continue;
            }
            if let Some(operand) = net.operands(gate).iter().find(fits) {
                self.inner.insert(gate, operand.gate());
                fused.insert(operand.gate().index());
            }
        }
        gates.retain(|gate| !fused.contains(gate.index()));
    }

    /// Adds the gates of a strongly connected component.
    pub fn fixpoint(&mut self, gates: &[GateId], program: &mut Program) {
        let mut fixpoint = Fixpoint::default();
        let is_copy =
            |gate: &GateId| self.net.operands(*gate).len() == 1 && self.original(*gate).is_some();
        let (copies, gates): (Vec<GateId>, Vec<GateId>) =
            gates.iter().partition(|gate| is_copy(gate));
        let gates = self.outwards(&gates, &copies);
        for &gate in &gates {
            self.slot[gate.index()] = self.keep();
            fixpoint.own.push(self.slot[gate.index()]);
        }
        for &copy in &copies {
            let original = self.original(copy).unwrap_or(copy);
            self.slot[copy.index()] = self.slot[original.index()];
        }
        let mut listed = Vec::new();
        let mut read = Vec::new();
        for &gate in &gates {
            let (shape, operands) = self.shape(gate);
            let mut slots = vec![self.slot[gate.index()]];
            slots.extend(operands.iter().map(|operand| self.slot[operand.gate().index()]));
            listed.push((shape, slots));
            read.extend(operands);
        }
        for &operand in &read {
            self.release(operand);
        }
        read.sort_unstable();
        read.dedup();
        let own: HashSet<Slot> = fixpoint.own.iter().copied().collect();
        for signal in read {
            let operand = self.read(signal);
            if !own.contains(&operand.slot) {
                fixpoint.read.push(Remembered { operand, kept: self.keep() });
            }
        }
        program.push_fixpoint(fixpoint, &listed);
    }

    /// The gate that a gate of one operand is a copy of, if there is one: gates may be copies
    /// of each other.
    fn original(&self, mut gate: GateId) -> Option<GateId> {
        for _ in 0..self.net.len() {
            match self.net.operands(gate) {
                [only] => gate = only.gate(),
                _ => return Some(gate),
            }
        }
        None
    }

    /// Gates that depend on each other, in the order in which they may become true: first
    /// those that may without any of the others, then those that read them, and so on.
    fn outwards(&self, gates: &[GateId], copies: &[GateId]) -> Vec<GateId> {
        let mut place: HashMap<GateId, usize> =
            gates.iter().enumerate().map(|(place, &gate)| (gate, place)).collect();
        for &copy in copies {
            let original = self.original(copy).and_then(|original| place.get(&original));
            if let Some(&at) = original {
                place.insert(copy, at);
            }
        }
        let operands: Vec<Vec<Signal>> = gates.iter().map(|&gate| self.shape(gate).1).collect();
        let mut readers = vec![Vec::new(); gates.len()];
        let mut order: Vec<usize> = Vec::new();
        let mut reached = FixedBitSet::with_capacity(gates.len());
        for (at, operands) in operands.iter().enumerate() {
            for operand in operands {
                if let Some(&other) = place.get(&operand.gate()) {
                    readers[other].push(at);
                }
            }
            let outside = operands.iter().any(|operand| !place.contains_key(&operand.gate()));
            let or = self.net.operation(gates[at]) == Operation::Or;
            if or && outside {
                reached.insert(at);
                order.push(at);
            }
        }
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            for &reader in &readers[at] {
                if !reached.put(reader) {
                    order.push(reader);
                }
            }
        }
        order.extend(reached.zeroes());
        order.into_iter().map(|at| gates[at]).collect()
    }
}
