//! The value of every gate, by definition: what faster evaluation is compared with.
//!
//! A gate is computed after what it reads. A part with feedback starts false and is computed
//! again until nothing changes, which is its least fixpoint. [`Evaluation`] does this for 64
//! states at once, a bit each.

use super::feedback::Feedback;
use super::gates::{GateId, Net, Operation, Signal};
use std::borrow::Cow;

/// The order of evaluation of a net, to evaluate it more than once.
#[derive(Clone, Debug)]
pub struct Evaluation<'n> {
    net: &'n Net,
    feedback: Cow<'n, Feedback>,
}

impl<'n> Evaluation<'n> {
    /// Prepares to evaluate a net. Linear.
    pub fn new(net: &'n Net) -> Self {
        Evaluation { net, feedback: Cow::Owned(Feedback::of(net)) }
    }

    /// Evaluates no more than the gates of an order.
    pub fn of_some(net: &'n Net, order: &'n Feedback) -> Self {
        Evaluation { net, feedback: Cow::Borrowed(order) }
    }

    /// The values of all gates, by their numbers, for 64 states: bit `k` of everything
    /// belongs to state `k`. `values` is overwritten. Linear, but that a part with feedback
    /// is computed as often as it takes.
    pub fn run(&self, latches: &[u64], inputs: &[u64], values: &mut Vec<u64>) {
        let (net, order) = (self.net, &self.feedback.order);
        values.clear();
        values.resize(net.len(), 0);
        values[0] = !0;
        let sources = net.latches.iter().map(|latch| latch.gate);
        let sources = sources.chain(net.inputs.iter().map(|input| input.gate));
        for (gate, &value) in sources.zip(latches.iter().chain(inputs)) {
            values[gate.index()] = value;
        }
        let mut done = 0;
        for part in &self.feedback.parts {
            self.compute(&order[done..part.start], values);
            while self.compute(&order[part.clone()], values) {}
            done = part.end;
        }
        self.compute(&order[done..], values);
    }

    /// Computes gates once; whether any changed.
    fn compute(&self, gates: &[GateId], values: &mut [u64]) -> bool {
        let mut changed = false;
        for &gate in gates {
            let operands = self.net.operands(gate).iter().map(|&signal| read(values, signal));
            let value = match self.net.operation(gate) {
                Operation::And => operands.fold(!0, |all, value| all & value),
                _ => operands.fold(0, |any, value| any | value),
            };
            changed |= value != values[gate.index()];
            values[gate.index()] = value;
        }
        changed
    }
}

/// The value of a signal, given the values of all gates.
pub fn read(values: &[u64], signal: Signal) -> u64 {
    values[signal.gate().index()] ^ 0u64.wrapping_sub(u64::from(signal.is_negated()))
}

/// The values of all gates of a net, by their numbers, given those of its latches and inputs.
pub fn evaluate(net: &Net, latches: &[bool], inputs: &[bool]) -> Vec<bool> {
    let words = |bits: &[bool]| bits.iter().map(|&bit| u64::from(bit)).collect::<Vec<_>>();
    let mut values = Vec::new();
    Evaluation::new(net).run(&words(latches), &words(inputs), &mut values);
    values.iter().map(|value| value & 1 == 1).collect()
}

impl Net {
    /// Whether the play is over in the state with these latches; time linear in the net.
    pub fn is_over(&self, latches: &[bool]) -> bool {
        let values = evaluate(self, latches, &vec![false; self.inputs.len()]);
        values[self.terminal.gate().index()] != self.terminal.is_negated()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a line of places is reachable from its first, if each step needs a latch.
    #[test]
    fn feedback_is_the_least_fixpoint() {
        let mut net = Net::new(2, 0, 1);
        let (open, start) = (Signal::of(GateId(1)), Signal::of(GateId(2)));
        let (here, there) = (net.knot(), net.knot());
        let back = net.add(Operation::And, &[there, open]);
        let forth = net.add(Operation::And, &[here, open]);
        net.tie(here, &[start, back]);
        net.tie(there, &[forth]);
        // Reads a complement, so it must wait for the fixpoint.
        let unreached = net.add(Operation::And, &[!there, open]);
        for (latches, expected) in [
            ([false, false], [false, false, false]),
            ([true, false], [false, false, true]),
            ([false, true], [true, false, false]),
            ([true, true], [true, true, false]),
        ] {
            let values = evaluate(&net, &latches, &[]);
            let read = [here, there, unreached].map(|signal| values[signal.gate().index()]);
            assert_eq!(read, expected, "{latches:?}");
        }
    }

    #[test]
    fn a_knot_that_reads_another_part_complemented() {
        let mut net = Net::new(1, 0, 1);
        let second = net.knot();
        let first = net.knot();
        net.tie(first, &[first, Signal::of(GateId(1))]);
        net.tie(second, &[!first, second]);
        assert_eq!(evaluate(&net, &[true], &[])[2..], [false, true]);
        assert_eq!(evaluate(&net, &[false], &[])[2..], [true, false]);
    }
}
