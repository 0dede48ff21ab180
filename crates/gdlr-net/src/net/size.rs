//! How large a net is.

use super::feedback::Feedback;
use super::gates::{GateId, Net, Operation};

/// The size of a net. Only gates that an output needs are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetSize {
    /// And gates.
    pub ands: usize,
    /// Or gates.
    pub ors: usize,
    /// Gates, latches and inputs whose complement is read: as many Not gates would be needed.
    pub nots: usize,
    /// Operands of all gates.
    pub wires: usize,
    /// Bits of the state.
    pub latches: usize,
    /// Moves of all roles.
    pub inputs: usize,
    /// The most operands of a gate.
    pub largest_fan_in: usize,
    /// The most gates on a path from a latch or an input to an output, feedback cut at knots.
    pub depth: usize,
    /// Parts with feedback.
    pub feedback_parts: usize,
    /// Gates in parts with feedback.
    pub feedback_gates: usize,
}

impl NetSize {
    /// And, Or and Not gates together, as nets of other reasoners are counted.
    pub fn gates(&self) -> usize {
        self.ands + self.ors + self.nots
    }

    /// Counts a net. Linear.
    pub fn of(net: &Net) -> NetSize {
        let needed = net.needed();
        let feedback = Feedback::of(net);
        let mut complement_read = vec![false; net.len()];
        let mut depth = vec![0; net.len()];
        let mut size =
            NetSize { latches: net.latches.len(), inputs: net.inputs.len(), ..NetSize::default() };
        let is_needed = |gate: &&GateId| needed[gate.index()];
        for &gate in feedback.order.iter().filter(is_needed) {
            match net.operation(gate) {
                Operation::And => size.ands += 1,
                _ => size.ors += 1,
            }
            let operands = net.operands(gate);
            size.wires += operands.len();
            size.largest_fan_in = size.largest_fan_in.max(operands.len());
            size.feedback_gates += usize::from(feedback.on_cycle(gate));
            for operand in operands {
                complement_read[operand.gate().index()] |= operand.is_negated();
                depth[gate.index()] = depth[gate.index()].max(depth[operand.gate().index()] + 1);
            }
            size.depth = size.depth.max(depth[gate.index()]);
        }
        for output in net.output_signals().filter(|output| !output.is_constant()) {
            complement_read[output.gate().index()] |= output.is_negated();
        }
        size.nots = complement_read.iter().filter(|&&is_read| is_read).count();
        size.feedback_parts = (feedback.parts.iter())
            .filter(|part| needed[feedback.order[part.start].index()])
            .count();
        size
    }
}

impl Net {
    /// How large the net is. Linear.
    pub fn size(&self) -> NetSize {
        NetSize::of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::Signal;

    #[test]
    fn complements_count_once_and_what_nothing_needs_not_at_all() {
        let mut net = Net::new(2, 0, 1);
        let [a, b] = [0, 1].map(|place: usize| Signal::of(net.latches[place].gate));
        let or = net.add(Operation::Or, &[a, b]);
        net.add(Operation::And, &[!a, !b]);
        net.terminal = net.add(Operation::And, &[!a, !or]);
        net.latches[0].next = !a;
        let size = net.size();
        assert_eq!((size.ands, size.ors, size.nots, size.wires), (1, 1, 2, 4));
        assert_eq!((size.gates(), size.depth, size.largest_fan_in), (4, 2, 2));
    }

    #[test]
    fn latches_and_inputs_count_whether_they_are_needed_or_not() {
        for (latches, inputs) in [(0, 0), (3, 2), (1, 5)] {
            let mut net = Net::new(latches, inputs, 1);
            if let [first, .., last] = net.latches[..] {
                net.terminal = net.add(Operation::And, &[first.gate, last.gate].map(Signal::of));
            }
            let size = net.size();
            assert_eq!((size.latches, size.inputs), (latches, inputs));
        }
    }
}
