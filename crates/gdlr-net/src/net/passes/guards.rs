//! An operand beside an Or whose terms imply or exclude it.
//!
//! ```text
//! a implies g, b implies g, c implies not g
//!
//! g and (a or b or c)       a or b
//! ```
//!
//! So it is with an effect that asks whose turn it is, beside the moves of all roles: a move of white implies that it is
//! white's turn, and a move of black excludes it. [`Consequences`] tells what implies what, by the rules of play. Gates on a
//! cycle stay. If other gates read the Or, too, each of them gets an Or of its own; this happens only where these
//! together have no more operands than before. The work for a gate is bounded, since long Ors
//! are not looked into.

use super::absorption::clause;
use super::consequences::Consequences;
use crate::net::feedback::Feedback;
use crate::net::gates::{Net, Operation, Signal};
use crate::net::rebuild::{Replaced, rebuild};
use gdlr_text::budget::{Exhausted, Meter};

/// Takes operands out that stand beside an Or of which each term implies or excludes them.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let feedback = Feedback::of(net);
    let readers = net.readers();
    let mut consequences = Consequences::of_play(net, &feedback);
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        if feedback.on_cycle(gate) {
            return builder.simplified(operation, operands);
        }
        let negate = operation == Operation::Or;
        let members: Vec<Signal> =
            net.operands(gate).iter().map(|operand| operand.negated_if(negate)).collect();
        if let Some(unguarded) = unguarded(net, &members, &readers, &mut consequences, meter) {
            let mut terms: Vec<Signal> = unguarded
                .terms
                .iter()
                .map(|&term| builder.mapped(term).negated_if(negate))
                .collect();
            let sum = if negate { Operation::And } else { Operation::Or };
            let sum = builder.simplified(sum, &mut terms);
            operands.clear();
            let others = unguarded.others.iter().map(|other| other.negated_if(negate));
            operands.extend(others.map(|other| builder.mapped(other)));
            operands.push(sum);
        }
        builder.simplified(operation, operands)
    })
}

/// A conjunction without some of its operands: an Or of `terms`, and `others`.
struct Unguarded {
    terms: Vec<Signal>,
    others: Vec<Signal>,
}

/// The conjunction of `members` with fewer members, if one of them is an Or that makes others superfluous.
fn unguarded(
    net: &Net,
    members: &[Signal],
    readers: &[u32],
    consequences: &mut Consequences<'_>,
    meter: &Meter<'_>,
) -> Option<Unguarded> {
    let sum_of = |member: Signal| {
        clause(net, member).filter(|_| !consequences.on_cycle(member)).map(|terms| (member, terms))
    };
    let sums: Vec<_> = members.iter().filter_map(|&member| sum_of(member)).collect();
    if sums.len() == members.len() {
        return None;
    }
    for (sum, terms) in sums {
        if !meter.has(terms.len() * members.len()) {
            return None;
        }
        let mut guards: Vec<Signal> =
            members.iter().copied().filter(|&m| clause(net, m).is_none()).collect();
        let mut kept = Vec::new();
        let count = terms.len();
        for term in terms {
            consequences.clear();
            if consequences.assume(term) {
                continue;
            }
            guards.retain(|&guard| consequences.holds(guard) || consequences.holds(!guard));
            if guards.is_empty() {
                break;
            }
            kept.push(term);
        }
        if guards.is_empty() {
            continue;
        }
        kept.retain(|&term| {
            consequences.clear();
            consequences.assume(term);
            guards.iter().all(|&guard| consequences.holds(guard))
        });
        let shared_by = readers[sum.gate().index()] as usize;
        if kept.len() * shared_by <= count + shared_by {
            let others =
                members.iter().copied().filter(|m| *m != sum && !guards.contains(m)).collect();
            return Some(Unguarded { terms: kept, others });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::passes::constants;
    use crate::net::passes::freely;
    use gdlr_engine::engine::RoleId;

    /// Two roles with two moves each, of which the first needs its turn; the turn, and two other latches.
    fn net() -> (Net, [Signal; 4], [Signal; 3]) {
        let mut net = Net::new(3, 4, 2);
        let latches = [0, 1, 2].map(|place: usize| Signal::of(net.latches[place].gate));
        let inputs = [0, 1, 2, 3].map(|place: usize| Signal::of(net.inputs[place].gate));
        for place in 0..4 {
            net.inputs[place].role = RoleId(place as u16 / 2);
            net.inputs[place].legal = Signal::TRUE;
        }
        net.inputs[0].legal = latches[0];
        net.inputs[2].legal = !latches[0];
        (net, inputs, latches)
    }

    fn result(net: &Net) -> Net {
        freely(constants::run, &freely(run, net))
    }

    #[test]
    fn moves_of_all_roles_beside_a_turn() {
        let (mut net, [white, _, black, _], [turn, held, other]) = net();
        let moves = net.add(Operation::Or, &[white, black, held]);
        // A fact implies and excludes nothing.
        net.latches[1].next = net.add(Operation::And, &[turn, moves]);
        let moves = net.add(Operation::Or, &[white, black]);
        net.latches[2].next = net.add(Operation::And, &[turn, moves, other]);
        let result = result(&net);
        let unchanged = result.operands(result.latches[1].next.gate());
        assert_eq!((unchanged.len(), unchanged[0]), (2, turn));
        assert_eq!(result.operands(result.latches[2].next.gate()), [other, white]);
    }

    #[test]
    fn the_dual_and_a_guard_that_says_nothing() {
        let (mut net, [white, free, black, _], [turn, held, _]) = net();
        let none = net.add(Operation::And, &[!white, !black, !held]);
        net.latches[1].next = net.add(Operation::Or, &[!turn, none]);
        let none = net.add(Operation::And, &[!white, !black]);
        net.latches[2].next = net.add(Operation::Or, &[!turn, none, free]);
        let result = result(&net);
        // `held` says nothing of the turn.
        assert_eq!(result.operands(result.latches[1].next.gate())[0], !turn);
        assert_eq!(result.operands(result.latches[2].next.gate()), [!white, free]);
    }

    #[test]
    fn an_or_that_others_read_stays_if_the_parts_are_larger() {
        let (mut net, [white, _, black, _], [turn, held, other]) = net();
        let short = net.add(Operation::And, &[turn, held]);
        let long = net.add(Operation::And, &[turn, held, other]);
        let moves = net.add(Operation::Or, &[white, short, long]);
        let both = net.add(Operation::Or, &[white, black]);
        net.latches[0].next = net.add(Operation::And, &[turn, both]);
        net.latches[1].next = net.add(Operation::And, &[!turn, both]);
        net.latches[2].next = net.add(Operation::And, &[turn, moves]);
        net.terminal = net.add(Operation::And, &[!held, moves]);
        let result = result(&net);
        // Each reader of `both` has one term of the two.
        assert_eq!([0, 1].map(|at: usize| result.latches[at].next), [white, black]);
        // Three terms for one reader, and for the other, are more than three.
        let kept = result.operands(result.latches[2].next.gate());
        assert_eq!((kept.len(), kept[0]), (2, turn));
    }
}
