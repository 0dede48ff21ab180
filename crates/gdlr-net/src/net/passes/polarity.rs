//! And or Or for each gate, whichever needs fewer complements.
//!
//! ```text
//! g = a and not b    h = not g or c    k = not g or d
//! g = not a or b     h = g or c        k = g or d
//! ```
//!
//! A complement costs a gate, whoever computes it. Gate after gate, the dual form is taken if
//! fewer gates are then read complemented. Some sweeps suffice; a gate changes its form only
//! if the number goes down, so it cannot go round. Linear in each sweep. Gates on a cycle
//! keep their form.

use super::duplicates::dual;
use crate::net::feedback::Feedback;
use crate::net::gates::{GateId, Net, Signal};
use crate::net::rebuild::{Replaced, rebuild};
use gdlr_text::budget::{Exhausted, Meter};

const SWEEPS: usize = 4;

/// Chooses the form of each gate.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let dual_form = choose(net);
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        if dual_form[gate.index()] {
            operands.iter_mut().for_each(|operand| *operand = !*operand);
            !builder.simplified(dual(operation), operands)
        } else {
            builder.simplified(operation, operands)
        }
    })
}

/// By gate: whether it takes its dual form.
fn choose(net: &Net) -> Vec<bool> {
    let feedback = Feedback::of(net);
    let needed = net.needed();
    let mut dual_form = vec![false; net.len()];
    // By signal: how often it is read, as things stand.
    let mut read = vec![0u32; 2 * net.len()];
    let gates = || net.computed().filter(|gate| needed[gate.index()]);
    gates().flat_map(|gate| net.operands(gate)).for_each(|operand| read[operand.index()] += 1);
    net.output_signals().for_each(|output| read[output.index()] += 1);
    for _ in 0..SWEEPS {
        let mut changed = false;
        for gate in gates().filter(|&gate| !feedback.on_cycle(gate)) {
            if gain(net, gate, &dual_form, &read) > 0 {
                turn(net, gate, &mut dual_form, &mut read);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    dual_form
}

/// The signal that an operand of a gate reads now.
fn reads(gate: GateId, operand: Signal, dual_form: &[bool]) -> Signal {
    let turned = dual_form[operand.gate().index()] != dual_form[gate.index()];
    operand.negated_if(turned)
}

/// By how much fewer gates are read complemented if this one takes its other form.
fn gain(net: &Net, gate: GateId, dual_form: &[bool], read: &[u32]) -> i32 {
    let positive = Signal::of(gate);
    let mut gain = i32::from(read[(!positive).index()] > 0) - i32::from(read[positive.index()] > 0);
    for &operand in net.operands(gate) {
        let signal = reads(gate, operand, dual_form);
        if signal.is_negated() {
            gain += i32::from(read[signal.index()] == 1);
        } else {
            gain -= i32::from(read[(!signal).index()] == 0);
        }
    }
    gain
}

fn turn(net: &Net, gate: GateId, dual_form: &mut [bool], read: &mut [u32]) {
    for &operand in net.operands(gate) {
        let signal = reads(gate, operand, dual_form);
        read[signal.index()] -= 1;
        read[(!signal).index()] += 1;
    }
    dual_form[gate.index()] ^= true;
    read.swap(Signal::of(gate).index(), (!Signal::of(gate)).index());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::Operation;
    use crate::net::passes::freely;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn complements_move_to_where_there_are_fewer() {
        let mut net = Net::new(3, 0, 1);
        let [a, b, c] = [0, 1, 2].map(|place: usize| Signal::of(net.latches[place].gate));
        let none = net.add(Operation::And, &[!a, !b, !c]);
        net.terminal = net.add(Operation::Or, &[!none, c]);
        net.latches[0].next = net.add(Operation::Or, &[!none, b]);
        assert_eq!(net.size().nots, 4);
        let result = run(&net);
        assert_eq!(result.size().nots, 0);
        assert_eq!(result.operation(result.terminal.gate()), Operation::Or);
    }
}
