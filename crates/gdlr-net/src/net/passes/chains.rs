//! Gates that merge into their only reader.
//!
//! ```text
//! g = a and b        h = g and c         h = a and b and c
//! g = a and b        h = not g or c      h = not a or not b or c
//! g = and(a)         h = g or b          h = a or b
//! ```
//!
//! A gate with two readers and two operands merges into both if it fits, too: that takes a
//! gate and adds no wire. Linear: a wire moves at most once a round, and gates that are
//! merged are in order, so a chain collapses as a whole.

use super::duplicates::dual;
use crate::net::feedback::Feedback;
use crate::net::gates::Net;
use crate::net::rebuild::{Replaced, rebuild};
use gdlr_text::budget::{Exhausted, Meter};

/// Merges gates into their only readers.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let feedback = Feedback::of(net);
    let readers = net.readers();
    // By gate of the new net: how many wires and outputs will read it, at most.
    let mut read: Vec<u32> = Vec::new();
    let mut merged = Vec::new();
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        read.resize(builder.net.len(), u32::MAX);
        merged.clear();
        for &operand in operands.iter() {
            let inner = operand.gate();
            let inside = builder.net.operands(inner);
            let fits = builder.net.operation(inner)
                == if operand.is_negated() { dual(operation) } else { operation };
            let pays = match read[inner.index()] {
                1 => true,
                2 => inside.len() == 2,
                _ => false,
            };
            if fits && pays && !(operand.is_negated() && feedback.on_cycle(gate)) {
                merged.extend(inside.iter().map(|o| o.negated_if(operand.is_negated())));
            } else {
                merged.push(operand);
            }
        }
        let before = builder.net.len();
        let signal = builder.simplified(operation, &mut merged);
        read.resize(builder.net.len(), u32::MAX);
        if builder.net.len() > before {
            read[signal.gate().index()] = readers[gate.index()];
        } else {
            // A signal that others become, too, has more readers.
            read[signal.gate().index()] = u32::MAX;
        }
        signal
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::{Operation, Signal};
    use crate::net::passes::constants;
    use crate::net::passes::freely;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn a_chain_becomes_one_gate() {
        let mut net = Net::new(4, 0, 1);
        let [a, b, c, d] = [0, 1, 2, 3].map(|place: usize| Signal::of(net.latches[place].gate));
        let first = net.add(Operation::And, &[a, b]);
        let second = net.add(Operation::Or, &[!first, c]);
        let third = net.add(Operation::And, &[!second, d]);
        net.terminal = net.add(Operation::And, &[third]);
        let result = freely(constants::run, &run(&net));
        assert_eq!(result.computed().count(), 1);
        assert_eq!(result.operands(result.terminal.gate()), [a, b, !c, d]);
    }

    #[test]
    fn a_gate_with_other_readers_stays() {
        let mut net = Net::new(4, 0, 1);
        let [a, b, c, d] = [0, 1, 2, 3].map(|place: usize| Signal::of(net.latches[place].gate));
        let shared = net.add(Operation::And, &[a, b, c]);
        net.latches[0].next = net.add(Operation::And, &[shared, d]);
        net.terminal = shared;
        assert_eq!(freely(constants::run, &run(&net)).computed().count(), 2);
    }
}
