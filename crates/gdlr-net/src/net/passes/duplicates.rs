//! Structural hashing: gates that compute the same become one.
//!
//! ```text
//! g = a and b     h = b and a            h = g
//! g = a or b      h = not a and not b    h = not g
//! ```
//!
//! Each function has one form under De Morgan's laws: if more than half of the operands are
//! complements, the dual gate of their complements, itself complemented; at a tie, And. Gates
//! on a cycle keep their form, since feedback must stay positive. One look-up a gate.

use crate::net::feedback::Feedback;
use crate::net::gates::{Net, Operation, Signal};
use crate::net::rebuild::{Replaced, rebuild, simplify};
use crate::net::structural_hash::StructuralHash;
use gdlr_text::budget::{Exhausted, Meter};

/// Makes equal gates one.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let feedback = Feedback::of(net);
    let mut structural_hash = StructuralHash::default();
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        if let Some(signal) = simplify(operation, operands) {
            return signal;
        }
        if !feedback.on_cycle(gate) && prefers_dual(operation, operands) {
            operands.iter_mut().for_each(|operand| *operand = !*operand);
            return !structural_hash.gate(&mut builder.net, dual(operation), operands).0;
        }
        structural_hash.gate(&mut builder.net, operation, operands).0
    })
}

fn prefers_dual(operation: Operation, operands: &[Signal]) -> bool {
    let negated = operands.iter().filter(|operand| operand.is_negated()).count();
    match (2 * negated).cmp(&operands.len()) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => operation == Operation::Or,
        std::cmp::Ordering::Greater => true,
    }
}

/// And for Or, Or for And.
pub(super) fn dual(operation: Operation) -> Operation {
    if operation == Operation::And { Operation::Or } else { Operation::And }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::passes::freely;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn one_gate_for_a_function_and_its_complement() {
        let mut net = Net::new(2, 0, 1);
        let [a, b] = [0, 1].map(|place: usize| Signal::of(net.latches[place].gate));
        let or = net.add(Operation::Or, &[b, a]);
        let neither = net.add(Operation::And, &[!a, !b]);
        net.latches[0].next = or;
        net.latches[1].next = neither;
        // At a tie, too.
        let here = net.add(Operation::And, &[a, !b]);
        net.terminal = net.add(Operation::Or, &[!a, b, !here]);
        let result = run(&net);
        assert_eq!(result.latches[0].next, !result.latches[1].next);
        assert_eq!(result.computed().count(), 3);
        assert_eq!(run(&result), result);
    }
}
