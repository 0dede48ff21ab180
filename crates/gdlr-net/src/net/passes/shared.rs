//! Gates that contain other gates.
//!
//! ```text
//! g = a or b or c     h = a or b or c or d     h = g or d
//! ```
//!
//! and the same for And. No gate is added, and wires are saved: this is what makes nested
//! regions of a board, or what holds after one, two, three moves, cheap. A gate is looked for
//! where its rarest operand is read; the work for each gate is bounded by its own size
//! ([`COMPARISONS`]). Of the gates found the largest come first, each only if it takes the
//! place of two operands that no other has taken. Gates on a cycle stay. Linear with these
//! bounds.

use crate::net::feedback::Feedback;
use crate::net::gates::{GateId, Net, Signal};
use crate::net::rebuild::{Replaced, rebuild, simplify};
use crate::net::structural_hash::StructuralHash;
use gdlr_text::budget::{Exhausted, Meter};

/// How many operands of other gates are looked at for each operand of a gate.
const COMPARISONS: usize = 32;

/// Reads other gates in place of their operands.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let feedback = Feedback::of(net);
    let mut search = Search::of(net, &feedback);
    let mut structural_hash = StructuralHash::default();
    let mut covered = vec![0u32; 2 * net.len()];
    // Gates that were needed before their turn stay as they are until the next run.
    let mut early = vec![false; net.len()];
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        if net.operands(gate).len() > 2 && !feedback.on_cycle(gate) && !early[gate.index()] {
            let contained = search.contained(gate);
            if !contained.is_empty() {
                operands.clear();
            }
            for inner in contained {
                let inside = net.operands(inner);
                let fresh = |o: &&Signal| covered[o.index()] != gate.0;
                if inside.iter().filter(fresh).count() > 1 {
                    inside.iter().for_each(|operand| covered[operand.index()] = gate.0);
                    early[inner.index()] |= inner > gate;
                    let mut inside: Vec<Signal> =
                        inside.iter().map(|&operand| builder.mapped(operand)).collect();
                    operands.push(match simplify(operation, &mut inside) {
                        Some(signal) => signal,
                        None => structural_hash.gate(&mut builder.net, operation, &inside).0,
                    });
                }
            }
            if !operands.is_empty() {
                let others = net.operands(gate).iter();
                let others = others.filter(|o| covered[o.index()] != gate.0);
                operands.extend(others.map(|&operand| builder.mapped(operand)));
            }
        }
        match simplify(operation, operands) {
            Some(signal) => signal,
            None => structural_hash.gate(&mut builder.net, operation, operands).0,
        }
    })
}

/// The search for gates whose operands another gate has.
struct Search<'n> {
    net: &'n Net,
    /// By signal: the gates whose rarest operand it is, as a range of `watching`; the smallest
    /// first.
    starts: Vec<u32>,
    watching: Vec<GateId>,
    /// By signal: the last gate that was looked at and has it.
    inside: Vec<u32>,
}

impl<'n> Search<'n> {
    fn of(net: &'n Net, feedback: &Feedback) -> Self {
        let needed = net.needed();
        let mut read = vec![0u32; 2 * net.len()];
        let gates =
            || net.computed().filter(|gate| needed[gate.index()] && !feedback.on_cycle(*gate));
        gates().flat_map(|gate| net.operands(gate)).for_each(|o| read[o.index()] += 1);
        let rarest = |gate| net.operands(gate).iter().min_by_key(|o: &&Signal| read[o.index()]);
        let mut watching: Vec<(Signal, usize, GateId)> = gates()
            .filter(|&gate| net.operands(gate).len() > 1)
            .filter_map(|gate| Some((*rarest(gate)?, net.operands(gate).len(), gate)))
            .filter(|&(signal, ..)| read[signal.index()] > 1)
            .collect();
        watching.sort_unstable();
        let mut starts = vec![0u32; 2 * net.len() + 1];
        watching.iter().for_each(|(signal, ..)| starts[signal.index() + 1] += 1);
        (0..2 * net.len()).for_each(|at| starts[at + 1] += starts[at]);
        let watching = watching.into_iter().map(|(.., gate)| gate).collect();
        Search { net, starts, watching, inside: vec![0; 2 * net.len()] }
    }

    /// Gates of the same operation with some of the operands of a gate, the largest first.
    fn contained(&mut self, gate: GateId) -> Vec<GateId> {
        let (net, operands) = (self.net, self.net.operands(gate));
        operands.iter().for_each(|operand| self.inside[operand.index()] = gate.0);
        let mut left = COMPARISONS * operands.len();
        let mut contained: Vec<GateId> = Vec::new();
        for operand in operands {
            let at = operand.index();
            for &other in &self.watching[self.starts[at] as usize..self.starts[at + 1] as usize] {
                let inside = net.operands(other);
                if inside.len() >= operands.len() || left == 0 {
                    break;
                }
                if net.operation(other) != net.operation(gate) {
                    left -= 1;
                    continue;
                }
                let same = inside.iter().take_while(|o| self.inside[o.index()] == gate.0).count();
                left = left.saturating_sub(same + 1);
                if same == inside.len() {
                    contained.push(other);
                }
            }
        }
        contained
            .sort_unstable_by_key(|&other| (std::cmp::Reverse(net.operands(other).len()), other));
        contained.dedup();
        contained
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::Operation;
    use crate::net::passes::constants;
    use crate::net::passes::freely;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn nested_gates_read_each_other() {
        let mut net = Net::new(5, 0, 1);
        let all: Vec<Signal> = net.latches.iter().map(|latch| Signal::of(latch.gate)).collect();
        // The largest first: it needs a gate that comes later.
        for size in [5, 4, 3] {
            net.latches[size - 1].next = net.add(Operation::Or, &all[..size]);
        }
        net.terminal = net.add(Operation::And, &all[..4]);
        // Gates that come too early read others only in a second run.
        let result = freely(constants::run, &run(&run(&net)));
        assert_eq!((result.computed().count(), result.wires()), (4, 4 + 3 + 2 + 2));
    }
}
