//! Two Ors under an And, whose terms exclude or imply each other.
//!
//! ```text
//! c implies not d, a implies d, b implies c
//!
//! (c or a) and (d or b)       a or b
//! ```
//!
//! Multiplied out, each product of two terms is false, or one of the two. So it is with the
//! frame rules of games with turns: a piece is *kept by white's move, or it is black's turn;
//! and kept by black's move, or it is white's turn*. What follows from what is asked of
//! [`Consequences`], by the rules of play. Gates on a cycle stay. The work for a gate is
//! bounded, since long Ors are not multiplied.

use super::absorption::clause;
use super::consequences::Consequences;
use crate::net::feedback::Feedback;
use crate::net::gates::{Net, Operation, Signal};
use crate::net::rebuild::{Replaced, rebuild};
use gdlr_text::budget::{Exhausted, Meter};

/// Multiplies Ors out where that makes them smaller.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let feedback = Feedback::of(net);
    let readers = net.readers();
    let mut consequences = Consequences::of_play(net, &feedback);
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        if feedback.on_cycle(gate) {
            return builder.simplified(operation, operands);
        }
        let negate = operation == Operation::Or;
        let factors: Vec<Signal> = (net.operands(gate).iter())
            .map(|operand| operand.negated_if(negate))
            .filter(|&factor| clause(net, factor).is_some() && !consequences.on_cycle(factor))
            .filter(|factor| readers[factor.gate().index()] == 1)
            .collect();
        if let Some((first, second, terms)) = multiplied(net, &factors, &mut consequences, meter) {
            let mut terms: Vec<Signal> =
                terms.into_iter().map(|term| builder.mapped(term).negated_if(negate)).collect();
            let sum = if negate { Operation::And } else { Operation::Or };
            let product = builder.simplified(sum, &mut terms);
            let gone = [first.negated_if(negate), second.negated_if(negate)];
            operands.clear();
            let others = net.operands(gate).iter().filter(|operand| !gone.contains(operand));
            operands.extend(others.map(|&operand| builder.mapped(operand)));
            operands.push(product);
        }
        builder.simplified(operation, operands)
    })
}

/// The terms of an Or.
fn terms(net: &Net, sum: Signal) -> impl Iterator<Item = Signal> + '_ {
    clause(net, sum).into_iter().flatten()
}

/// The first two factors whose product has no more terms than they, and its terms.
fn multiplied(
    net: &Net,
    factors: &[Signal],
    consequences: &mut Consequences<'_>,
    meter: &Meter<'_>,
) -> Option<(Signal, Signal, Vec<Signal>)> {
    // More are rare, and each pair costs.
    let factors = &factors[..factors.len().min(4)];
    for (at, &first) in factors.iter().enumerate() {
        for &second in &factors[at + 1..] {
            let size = |sum: Signal| net.operands(sum.gate()).len();
            if !meter.has(size(first) * size(second)) {
                return None;
            }
            if let Some(terms) = product(net, first, second, consequences) {
                return Some((first, second, terms));
            }
        }
    }
    None
}

/// The terms of a product, if each is a term of one of its factors.
fn product(
    net: &Net,
    first: Signal,
    second: Signal,
    consequences: &mut Consequences<'_>,
) -> Option<Vec<Signal>> {
    let mut product = Vec::new();
    // A term that implies the other factor is a term of the product.
    for (one, other) in [(first, second), (second, first)] {
        for term in terms(net, one) {
            consequences.clear();
            if !consequences.assume(term) && terms(net, other).any(|t| consequences.holds(t)) {
                product.push(term);
            }
        }
    }
    // All other products must be false.
    for term in terms(net, first).filter(|term| !product.contains(term)) {
        for other in terms(net, second).filter(|other| !product.contains(other)) {
            consequences.clear();
            if !(consequences.assume(term) | consequences.assume(other)) {
                return None;
            }
        }
    }
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::passes::constants;
    use crate::net::passes::freely;
    use gdlr_engine::engine::RoleId;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn moves_of_roles_that_take_turns() {
        let mut net = Net::new(2, 4, 2);
        let [turn, held] = [0, 1].map(|place: usize| Signal::of(net.latches[place].gate));
        for place in 0..4 {
            net.inputs[place].role = RoleId(place as u16 / 2);
        }
        net.inputs[0].legal = turn;
        net.inputs[1].legal = Signal::TRUE;
        net.inputs[2].legal = !turn;
        net.inputs[3].legal = Signal::TRUE;
        let [a, _, b, free] = [0, 1, 2, 3].map(|place: usize| Signal::of(net.inputs[place].gate));
        let white = net.add(Operation::Or, &[!turn, a]);
        let black = net.add(Operation::Or, &[turn, b]);
        net.latches[1].next = net.add(Operation::And, &[white, black, held]);
        // Here a term excludes nothing.
        let open = net.add(Operation::Or, &[turn, free]);
        let white = net.add(Operation::Or, &[!turn, a]);
        net.latches[0].next = net.add(Operation::Or, &[!white, !open]);
        let result = freely(constants::run, &run(&net));
        let kept = result.operands(result.latches[1].next.gate());
        assert_eq!(result.operands(kept[1].gate()), [a, b]);
        assert_eq!(result.computed().count(), 2 + 3);
    }
}
