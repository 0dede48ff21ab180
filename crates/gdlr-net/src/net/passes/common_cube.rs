//! Common-cube extraction: operands that terms of a gate have in common are taken out of them.
//!
//! ```text
//! (a and b) or (a and c) or d             (a and (b or c)) or d
//! (a and b and c) or (a and b and d)      a and b and (c or d)
//! ```
//!
//! and the duals. Each term goes with the signal that most terms of the gate share, and the
//! terms of a group give up all that they have in common. A group that is taken out costs two
//! gates, and saves one for each term of which a single operand is left; wires count less
//! ([`WIRES`]). A term that others read, too, goes only when all have given it up, so each of
//! them has its share of what that saves; there must be few, and one of its operands must be
//! common. What is left of a group is a gate with terms of its own, for the next round. Linear
//! in each round.

use super::duplicates::dual;
use crate::net::gates::{GateId, Net, Operation, Signal};
use crate::net::rebuild::{Rebuild, Replaced, rebuild};
use gdlr_text::budget::{Exhausted, Meter};

/// As many wires are worth a gate.
const WIRES: f64 = 4.0;

/// Terms that more gates read than this stay as they are.
const READERS: u32 = 8;

/// Takes out common operands.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let readers = net.readers();
    let mut factors =
        Factors { net, readers, count: vec![0; 2 * net.len()], group: vec![0; 2 * net.len()] };
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        factors.gate(builder, gate).unwrap_or_else(|| builder.simplified(operation, operands))
    })
}

struct Factors<'n> {
    net: &'n Net,
    readers: Vec<u32>,
    /// By signal: how many terms have it.
    count: Vec<u32>,
    /// By signal: the number of its group, one more than the place.
    group: Vec<u32>,
}

impl Factors<'_> {
    /// The operands of a term of an Or, or nothing if it is no term of its own.
    fn term(&self, signal: Signal) -> Option<impl Iterator<Item = Signal> + Clone + '_> {
        let and = matches!(
            (self.net.operation(signal.gate()), signal.is_negated()),
            (Operation::And, false) | (Operation::Or, true)
        );
        let operands = self.net.operands(signal.gate());
        let readers = self.readers[signal.gate().index()];
        (and && (readers == 1 || readers <= READERS && operands.len() == 2))
            .then(|| operands.iter().map(move |operand| operand.negated_if(signal.is_negated())))
    }

    /// The signal of a gate after extraction, if something can be taken out.
    fn gate(&mut self, builder: &mut Rebuild, gate: GateId) -> Option<Signal> {
        let negate = self.net.operation(gate) == Operation::And;
        let members: Vec<Signal> =
            self.net.operands(gate).iter().map(|operand| operand.negated_if(negate)).collect();
        let terms: Vec<Signal> =
            members.iter().copied().filter(|&member| self.term(member).is_some()).collect();
        if terms.len() < 2 {
            return None;
        }
        let groups = self.groups(&terms);
        if groups.is_empty() {
            return None;
        }
        let mut in_group: Vec<Signal> = Vec::new();
        let mut operands: Vec<Signal> = Vec::new();
        for group in &groups {
            let whole = group.len() == members.len();
            if let Some(signal) = self.take_out(builder, group, whole, negate) {
                in_group.extend(group);
                operands.push(signal);
            }
        }
        if operands.is_empty() {
            return None;
        }
        in_group.sort_unstable();
        let others = members.iter().filter(|member| in_group.binary_search(member).is_err());
        operands.extend(others.map(|&member| builder.mapped(member)));
        Some(gate_of(builder, Operation::Or, &mut operands, negate).negated_if(negate))
    }

    /// Terms that share their most common signal, at least two in a group.
    fn groups(&mut self, terms: &[Signal]) -> Vec<Vec<Signal>> {
        let mut count = std::mem::take(&mut self.count);
        let mut group = std::mem::take(&mut self.group);
        let inner = |term: Signal| self.term(term).into_iter().flatten();
        terms.iter().flat_map(|&term| inner(term)).for_each(|s| count[s.index()] += 1);
        let mut groups: Vec<Vec<Signal>> = Vec::new();
        for &term in terms {
            let Some(common) = inner(term).max_by_key(|signal| count[signal.index()]) else {
                continue;
            };
            if count[common.index()] < 2 {
                continue;
            }
            let number = &mut group[common.index()];
            if *number == 0 {
                groups.push(Vec::new());
                *number = groups.len() as u32;
            }
            groups[*number as usize - 1].push(term);
        }
        for signal in terms.iter().flat_map(|&term| inner(term)) {
            count[signal.index()] = 0;
            group[signal.index()] = 0;
        }
        groups.retain(|group| group.len() > 1);
        (self.count, self.group) = (count, group);
        groups
    }

    /// Takes out what all terms of a group have in common, if that pays. `whole`: the group is
    /// all there is in its gate. `negate`: the gate is an And, seen as an Or of complements.
    fn take_out(
        &mut self,
        builder: &mut Rebuild,
        group: &[Signal],
        whole: bool,
        negate: bool,
    ) -> Option<Signal> {
        let mut count = std::mem::take(&mut self.count);
        let inner = |term: Signal| self.term(term).into_iter().flatten();
        group.iter().flat_map(|&term| inner(term)).for_each(|s| count[s.index()] += 1);
        let is_common = |signal: Signal| count[signal.index()] as usize == group.len();
        let common: Vec<Signal> = inner(group[0]).filter(|&signal| is_common(signal)).collect();
        let length = |term: Signal| self.net.operands(term.gate()).len();
        // The gates and wires that taking the group out saves, as long as a term is its gate's alone.
        let share = |term: Signal| 1.0 / f64::from(self.readers[term.gate().index()]);
        let (mut gates, mut wires) = (-2.0, -2.0 - common.len() as f64);
        if whole {
            (gates, wires) = (gates + 1.0, wires + 1.0);
        }
        for &term in group {
            let share = share(term);
            if length(term) == common.len() + 1 {
                gates += share;
                wires += length(term) as f64 * share;
            } else {
                wires += common.len() as f64 * share;
            }
        }
        let pays = gates * WIRES + wires > 0.0;
        let taken = pays.then(|| {
            let mut rests = Vec::with_capacity(group.len());
            for &term in group {
                let mut rest: Vec<Signal> = inner(term)
                    .filter(|&signal| !is_common(signal))
                    .map(|signal| builder.mapped(signal))
                    .collect();
                rests.push(gate_of(builder, Operation::And, &mut rest, negate));
            }
            let mut operands: Vec<Signal> =
                common.iter().map(|&signal| builder.mapped(signal)).collect();
            operands.push(gate_of(builder, Operation::Or, &mut rests, negate));
            gate_of(builder, Operation::And, &mut operands, negate)
        });
        group.iter().flat_map(|&term| inner(term)).for_each(|s| count[s.index()] = 0);
        self.count = count;
        taken
    }
}

/// The And or Or of signals; if `negate`, by a gate of the dual form.
fn gate_of(
    builder: &mut Rebuild,
    operation: Operation,
    operands: &mut Vec<Signal>,
    negate: bool,
) -> Signal {
    if !negate {
        return builder.simplified(operation, operands);
    }
    operands.iter_mut().for_each(|operand| *operand = !*operand);
    !builder.simplified(dual(operation), operands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::passes::constants;
    use crate::net::passes::freely;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn what_all_terms_have_in_common() {
        let mut net = Net::new(5, 0, 1);
        let [a, b, c, d, e] =
            [0, 1, 2, 3, 4].map(|place: usize| Signal::of(net.latches[place].gate));
        let terms = [c, d, e].map(|last| net.add(Operation::And, &[a, b, last]));
        net.terminal = net.add(Operation::Or, &terms);
        let result = freely(constants::run, &run(&net));
        assert_eq!((result.computed().count(), result.wires()), (2, 6));
        let operands = result.operands(result.terminal.gate());
        assert_eq!(operands[..2], [a, b]);
        assert_eq!(result.operands(operands[2].gate()), [c, d, e]);
    }

    #[test]
    fn the_dual_and_a_term_beside() {
        let mut net = Net::new(5, 0, 1);
        let [a, b, c, d, e] =
            [0, 1, 2, 3, 4].map(|place: usize| Signal::of(net.latches[place].gate));
        let first = net.add(Operation::Or, &[a, b]);
        let second = net.add(Operation::And, &[!a, c]);
        let third = net.add(Operation::Or, &[a, d]);
        net.terminal = net.add(Operation::And, &[first, !second, third, e]);
        let result = freely(constants::run, &run(&net));
        assert_eq!((result.computed().count(), result.wires()), (3, 7));
    }
}
