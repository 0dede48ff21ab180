//! Proofs on the net that some goal values exclude each other, or that one of them always holds.
//!
//! A proof opens the gates of the conditions, a few levels deep. The gates that are left are the
//! leaves. If no assignment to the leaves makes all conditions true, no state does.

use gdlr_net::net::{GateId, Net, Operation, Signal};
use hashbrown::HashMap;

/// The most gates whose values are tried out.
const MOST_LEAVES: usize = 10;
/// The most gates that are opened.
const MOST_GATES: usize = 64;

/// Whether it is proven that some signals are never true at the same time.
pub(super) fn never(net: &Net, signals: &[Signal]) -> bool {
    if signals.contains(&Signal::FALSE) {
        return true;
    }
    let mut leaves: Vec<GateId> =
        signals.iter().filter(|s| !s.is_constant()).map(|s| s.gate()).collect();
    leaves.sort_unstable();
    leaves.dedup();
    // In the order of opening: an opened gate comes before its operands.
    let mut opened: Vec<GateId> = Vec::new();
    loop {
        if leaves.len() <= MOST_LEAVES && !holds_somewhere(net, signals, &leaves, &opened) {
            return true;
        }
        let is_open = |gate: &&GateId| {
            matches!(net.operation(**gate), Operation::And | Operation::Or) && !net.is_knot(**gate)
        };
        // No other leaf is computed from the last gate.
        let Some(&gate) = leaves.iter().filter(is_open).max() else { return false };
        if leaves.len() > 2 * MOST_LEAVES || opened.len() == MOST_GATES {
            return false;
        }
        leaves.retain(|&leaf| leaf != gate);
        opened.push(gate);
        for operand in net.operands(gate).iter().filter(|operand| !operand.is_constant()) {
            if !leaves.contains(&operand.gate()) && !opened.contains(&operand.gate()) {
                leaves.push(operand.gate());
            }
        }
    }
}

/// Whether some assignment to the leaves makes all signals true.
fn holds_somewhere(net: &Net, signals: &[Signal], leaves: &[GateId], opened: &[GateId]) -> bool {
    let place: HashMap<GateId, usize> =
        leaves.iter().chain(opened).enumerate().map(|(place, &gate)| (gate, place)).collect();
    let mut values = vec![false; place.len()];
    (0..1u32 << leaves.len()).any(|bits| {
        for (number, value) in values[..leaves.len()].iter_mut().enumerate() {
            *value = bits >> number & 1 == 1;
        }
        let value = |signal: Signal, values: &[bool]| match signal.is_constant() {
            true => signal == Signal::TRUE,
            false => values[place[&signal.gate()]] != signal.is_negated(),
        };
        for &gate in opened.iter().rev() {
            let mut operands = net.operands(gate).iter().map(|&operand| value(operand, &values));
            let result = match net.operation(gate) {
                Operation::And => operands.all(|value| value),
                _ => operands.any(|value| value),
            };
            values[place[&gate]] = result;
        }
        signals.iter().all(|&signal| value(signal, &values))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conditions over three latches: some exclude each other, and some do not.
    #[test]
    fn what_excludes_each_other_is_told() {
        let mut net = Net::new(3, 0, 1);
        let [a, b, c] = [0, 1, 2].map(|latch: usize| Signal::of(net.latches[latch].gate));
        let either = net.add(Operation::Or, &[a, b]);
        let both = net.add(Operation::And, &[a, c]);
        let neither = !either;
        assert!(never(&net, &[neither, a]));
        assert!(never(&net, &[neither, both]));
        assert!(never(&net, &[!either, !neither]));
        assert!(!never(&net, &[either, both]));
        assert!(!never(&net, &[either, !both]));
        assert!(!never(&net, &[neither, c]));
        assert!(never(&net, &[c, Signal::FALSE]));
        assert!(!never(&net, &[Signal::TRUE]));
        // The complements of three signals are never true at once: one of the signals always holds.
        assert!(never(&net, &[!either, !a, either]));
        assert!(never(&net, &[!neither, !a, !b]));
    }
}
