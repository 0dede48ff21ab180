//! All but one of latches of which exactly one is true: the complement of that one.
//!
//! ```text
//! a or b or x           not c or x       if exactly one of a, b and c is true
//! not a and not b       c
//! ```
//!
//! So whether a square of a board is taken need not be asked of each piece. Linear in the wires
//! and the groups of what they read.

use crate::net::gates::{Net, Operation, Signal};
use crate::net::rebuild::{Replaced, rebuild};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashSet;

/// Reads the one latch instead of all others.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let exclusive: HashSet<&Vec<Signal>> = net.exclusive.iter().collect();
    let exact: Vec<&Vec<Signal>> =
        net.covering.iter().filter(|group| exclusive.contains(group)).collect();
    // By signal of a latch: its groups.
    let mut groups_of: Vec<Vec<u32>> = vec![Vec::new(); 2 * net.first_computed().index()];
    for (number, group) in exact.iter().enumerate() {
        group.iter().for_each(|member| groups_of[member.index()].push(number as u32));
    }
    let mut count = vec![0; exact.len()];
    rebuild(net, &Replaced::default(), meter, |builder, gate, operation, operands| {
        let negate = operation == Operation::And;
        let mut own: Vec<Signal> =
            net.operands(gate).iter().map(|operand| operand.negated_if(negate)).collect();
        own.sort_unstable();
        own.dedup();
        let groups = own.iter().flat_map(|signal| groups_of.get(signal.index())).flatten();
        let mut complete: Vec<&Vec<Signal>> = Vec::new();
        for &group in groups.clone() {
            count[group as usize] += 1;
            if count[group as usize] + 1 == exact[group as usize].len() {
                complete.push(exact[group as usize]);
            }
        }
        groups.for_each(|&group| count[group as usize] = 0);
        if complete.is_empty() {
            return builder.simplified(operation, operands);
        }
        for group in complete {
            let inside: HashSet<Signal> = own.iter().copied().collect();
            // Another group may have taken members away.
            let outside: Vec<Signal> =
                group.iter().copied().filter(|member| !inside.contains(member)).collect();
            if let [rest] = outside[..] {
                let group: HashSet<Signal> = group.iter().copied().collect();
                own.retain(|signal| !group.contains(signal));
                own.push(!rest);
            }
        }
        operands.clear();
        operands.extend(own.iter().map(|signal| builder.mapped(signal.negated_if(negate))));
        builder.simplified(operation, operands)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::passes::freely;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn what_is_none_of_the_others_is_the_last() {
        let mut net = Net::new(4, 0, 1);
        let [a, b, c, x] = [0, 1, 2, 3].map(|place: usize| Signal::of(net.latches[place].gate));
        let none = net.add(Operation::And, &[!b, !a]);
        let any = net.add(Operation::Or, &[c, x, a]);
        (net.latches[0].next, net.terminal) = (none, any);
        net.exclusive = vec![vec![a, b, c]];
        assert_eq!(run(&net).latches[0].next.gate(), none.gate());
        net.covering = net.exclusive.clone();
        let result = run(&net);
        assert_eq!(result.latches[0].next, c);
        let mut left = result.operands(result.terminal.gate()).to_vec();
        left.sort_unstable();
        assert_eq!(left, [!b, x]);
    }
    /// A latch and its complement are a group, too, of which one is always inside.
    #[test]
    fn a_group_that_lost_its_members_is_left_alone() {
        let mut net = Net::new(3, 0, 1);
        let [a, b, c] = [0, 1, 2].map(|place: usize| Signal::of(net.latches[place].gate));
        net.terminal = net.add(Operation::Or, &[a, b]);
        net.exclusive = vec![vec![a, b, c], vec![a, !a], vec![b, !b]];
        net.covering = net.exclusive.clone();
        assert_eq!(run(&net).terminal, !c);
        net.exclusive.reverse();
        net.covering.reverse();
        assert_eq!(run(&net).terminal, !c);
    }
}
