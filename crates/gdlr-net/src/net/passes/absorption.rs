//! Operands that the others make superfluous.
//!
//! ```text
//! a and (a or b)              a
//! a and (not a or b)          a and b
//! a and (a and b)             a and b, which is there already
//! (a and b) or (a and b and c)    a and b
//! ```
//!
//! and the duals. An Or is looked at as an And of complements, so each law is written once:
//! for a conjunction, with [`Consequences`] of its members. The last law needs a search for
//! subsets among the operands of a gate; each is looked for where its rarest operand occurs,
//! with a bound on the work. Gates on a cycle are left alone, since what justifies what there
//! could go round. Linear with these bounds.

use super::consequences::Consequences;
use crate::net::feedback::Feedback;
use crate::net::gates::{Net, Operation, Signal};
use crate::net::rebuild::{Rebuild, Replaced, rebuild};
use gdlr_text::budget::{Exhausted, Meter};

/// Clauses with more operands are not looked into: what they cost would not be bounded.
const LONG: usize = 64;

/// Takes out superfluous operands.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let feedback = Feedback::of(net);
    let readers = net.readers();
    let mut consequences = Consequences::of_structure(net, &feedback);
    let mut subsets = Subsets::new(net);
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        if feedback.on_cycle(gate) {
            return builder.simplified(operation, operands);
        }
        let negate = operation == Operation::Or;
        let mut members: Vec<Signal> =
            net.operands(gate).iter().map(|operand| operand.negated_if(negate)).collect();
        if !subsets.reduce(&mut members)
            && !members.iter().any(|member| net.operation(member.gate()).is_computed())
        {
            return builder.simplified(operation, operands);
        }
        conjunction(builder, net, &members, Vec::new(), &mut consequences, &readers, negate)
    })
}

/// The And of signals of the old net, without what the others make superfluous, and of
/// `operands`, signals of the new net; if `negate`, the complement of that,
/// as an Or.
pub(super) fn conjunction(
    builder: &mut Rebuild,
    net: &Net,
    members: &[Signal],
    mut operands: Vec<Signal>,
    consequences: &mut Consequences<'_>,
    readers: &[u32],
    negate: bool,
) -> Signal {
    consequences.clear();
    // No short cut: all of them are to be assumed.
    let contradiction = members
        .iter()
        .fold(false, |contradiction, &member| consequences.assume(member) | contradiction);
    if contradiction {
        return Signal::FALSE.negated_if(negate);
    }
    for &member in members.iter().filter(|&&member| !consequences.follows(member)) {
        // On a cycle, two clauses could make each other superfluous.
        match clause(net, member).filter(|_| !consequences.on_cycle(member)) {
            Some(clause) => {
                if clause.clone().any(|signal| consequences.holds(signal)) {
                    continue;
                }
                let mut left: Vec<Signal> =
                    clause.clone().filter(|&signal| !consequences.holds(!signal)).collect();
                let alone = readers[member.gate().index()] == 1 || left.len() < 2;
                if left.len() < clause.len() && alone {
                    let form = net.operation(member.gate());
                    let turn = form == Operation::And;
                    left.iter_mut().for_each(|s| *s = builder.mapped(*s).negated_if(turn));
                    operands.push(builder.simplified(form, &mut left).negated_if(turn));
                } else {
                    operands.push(builder.mapped(member));
                }
            }
            None => operands.push(builder.mapped(member)),
        }
    }
    operands.iter_mut().for_each(|operand| *operand = operand.negated_if(negate));
    builder.simplified(if negate { Operation::Or } else { Operation::And }, &mut operands)
}

/// The terms of which a signal is the Or, if it is one and not too long.
pub(super) fn clause(
    net: &Net,
    signal: Signal,
) -> Option<impl ExactSizeIterator<Item = Signal> + Clone + '_> {
    let or = matches!(
        (net.operation(signal.gate()), signal.is_negated()),
        (Operation::Or, false) | (Operation::And, true)
    );
    let operands = net.operands(signal.gate());
    (or && operands.len() <= LONG)
        .then(|| operands.iter().map(move |operand| operand.negated_if(signal.is_negated())))
}

/// How many members of candidates are compared for one conjunction, for each of its wires.
const COMPARISONS: usize = 8;

/// The search for clauses of a conjunction that contain others.
struct Subsets<'n> {
    net: &'n Net,
    /// By signal: in how many clauses it is.
    count: Vec<u32>,
    /// By signal: the last of the clauses whose rarest signal it is, one more than its place;
    /// 0 if there is none.
    watched: Vec<u32>,
    /// By signal: the number of the last clause that it was found in.
    inside: Vec<u32>,
    now: u32,
}

impl<'n> Subsets<'n> {
    fn new(net: &'n Net) -> Self {
        Subsets {
            net,
            count: vec![0; 2 * net.len()],
            watched: vec![0; 2 * net.len()],
            inside: vec![0; 2 * net.len()],
            now: 0,
        }
    }

    /// Takes out of a conjunction the clauses that contain another. Whether there were any.
    fn reduce(&mut self, members: &mut Vec<Signal>) -> bool {
        let net = self.net;
        let clauses: Vec<Signal> =
            (members.iter().copied()).filter(|&member| clause(net, member).is_some()).collect();
        if clauses.len() < 2 {
            return false;
        }
        let inner = |member: Signal| clause(net, member).into_iter().flatten();
        let mut wires = 0;
        for signal in clauses.iter().flat_map(|&member| inner(member)) {
            self.count[signal.index()] += 1;
            wires += 1;
        }
        let mut before = vec![0; clauses.len()];
        for (place, &member) in clauses.iter().enumerate() {
            if let Some(rarest) = inner(member).min_by_key(|signal| self.count[signal.index()]) {
                let last = place as u32 + 1;
                before[place] = std::mem::replace(&mut self.watched[rarest.index()], last);
            }
        }
        let mut comparisons = wires * COMPARISONS;
        let mut superfluous = Vec::new();
        for &member in &clauses {
            self.now += 1;
            inner(member).for_each(|signal| self.inside[signal.index()] = self.now);
            let length = inner(member).count();
            'search: for signal in inner(member) {
                let mut place = self.watched[signal.index()];
                while place > 0 {
                    let other = clauses[place as usize - 1];
                    place = before[place as usize - 1];
                    let size = net.operands(other.gate()).len();
                    if size >= length || comparisons < size {
                        continue;
                    }
                    comparisons -= size;
                    if inner(other).all(|signal| self.inside[signal.index()] == self.now) {
                        superfluous.push(member);
                        break 'search;
                    }
                }
            }
        }
        for signal in clauses.iter().flat_map(|&member| inner(member)) {
            self.count[signal.index()] = 0;
            self.watched[signal.index()] = 0;
        }
        // In the order of `members`, as they were found.
        let mut next = superfluous.iter().peekable();
        members.retain(|member| next.next_if_eq(&member).is_none());
        !superfluous.is_empty()
    }
}

impl Operation {
    fn is_computed(self) -> bool {
        matches!(self, Operation::And | Operation::Or)
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::GateId;
    use crate::net::passes::constants;
    use crate::net::passes::freely;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    fn is_and_of(net: &Net, gate: GateId, operands: &[Signal]) -> bool {
        net.operation(gate) == Operation::And && net.operands(gate) == operands
    }

    fn latches(net: &Net) -> [Signal; 4] {
        [0, 1, 2, 3].map(|place: usize| Signal::of(net.latches[place].gate))
    }

    #[test]
    fn laws_of_absorption() {
        let mut net = Net::new(4, 0, 1);
        let [a, b, c, d] = latches(&net);
        let or = net.add(Operation::Or, &[a, b]);
        net.latches[0].next = net.add(Operation::And, &[a, or]);
        let implies = net.add(Operation::Or, &[!a, b]);
        net.latches[1].next = net.add(Operation::And, &[a, implies]);
        let and = net.add(Operation::And, &[c, d]);
        net.latches[2].next = net.add(Operation::And, &[c, and]);
        let neither = net.add(Operation::And, &[!c, !d]);
        net.latches[3].next = net.add(Operation::And, &[neither, c]);
        let never = net.add(Operation::And, &[a, !or]);
        net.terminal = net.add(Operation::Or, &[never, b]);
        let result = freely(constants::run, &run(&freely(constants::run, &run(&net))));
        assert_eq!(result.latches[0].next, a);
        assert!(is_and_of(&result, result.latches[1].next.gate(), &[a, b]));
        assert!(is_and_of(&result, result.latches[2].next.gate(), &[c, d]));
        assert_eq!(result.latches[3].next, Signal::FALSE);
        assert_eq!(result.terminal, b);
    }

    #[test]
    fn a_term_that_contains_another() {
        let mut net = Net::new(4, 0, 1);
        let [a, b, c, d] = latches(&net);
        let small = net.add(Operation::And, &[a, b]);
        let large = net.add(Operation::And, &[a, b, c]);
        let other = net.add(Operation::And, &[b, c, d]);
        net.terminal = net.add(Operation::Or, &[large, other, small]);
        let result = freely(constants::run, &run(&net));
        assert_eq!(result.computed().count(), 3);
    }
}
