//! The gates that a growing net has, so that each is there once only (hash-consing).

use super::gates::{GateId, Net, Operation, Signal};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// Gates by what they compute.
#[derive(Default)]
pub(crate) struct StructuralHash {
    gates: HashTable<GateId>,
    hasher: DefaultHashBuilder,
}

impl StructuralHash {
    /// The gates of a net, but for its knots.
    pub fn of(net: &Net) -> StructuralHash {
        let mut gates = StructuralHash::default();
        for gate in net.computed().filter(|&gate| !net.is_knot(gate)) {
            gates.add(net, gate);
        }
        gates
    }

    /// The gate with these operands, which are in order, and whether it was not there before.
    pub fn gate(
        &mut self,
        net: &mut Net,
        operation: Operation,
        operands: &[Signal],
    ) -> (Signal, bool) {
        let hash = self.hasher.hash_one((operation, operands));
        let is_same =
            |&gate: &GateId| net.operation(gate) == operation && net.operands(gate) == operands;
        if let Some(&gate) = self.gates.find(hash, is_same) {
            return (Signal::of(gate), false);
        }
        let signal = net.add(operation, operands);
        self.add(net, signal.gate());
        (signal, true)
    }

    fn add(&mut self, net: &Net, gate: GateId) {
        let hash = |gate: GateId| self.hasher.hash_one((net.operation(gate), net.operands(gate)));
        self.gates.insert_unique(hash(gate), gate, |&gate| hash(gate));
    }
}
