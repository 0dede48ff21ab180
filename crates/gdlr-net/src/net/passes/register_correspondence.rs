//! Latches that begin alike and become the same, or the complements of each other, are one: what model
//! checkers call register correspondence (van Eijk, *Sequential Equivalence Checking Based on Structural
//! Similarities*, 2000).
//!
//! ```text
//! a: initially false, next g     b: initially false, next g          b = a
//! a: initially false, next g     b: initially true, next not g       b = not a
//! ```
//!
//! [Invariants](super::invariants) prove more, but once, of the net as it is then; this sees what later
//! passes made plain. It holds in reachable states only. One look-up a latch.

use crate::net::gates::{Net, Signal};
use crate::net::rebuild::{Replaced, replace};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashMap;

/// Makes equal latches one.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let mut by_next: HashMap<Signal, Signal> = HashMap::new();
    let mut latches = vec![None; net.latches.len()];
    for (by, latch) in latches.iter_mut().zip(&net.latches) {
        // Of what is initially false.
        let this = Signal::of(latch.gate).negated_if(latch.initial);
        let next = latch.next.negated_if(latch.initial);
        match by_next.get(&next) {
            Some(&same) => *by = Some(same.negated_if(latch.initial)),
            None => {
                by_next.insert(next, this);
            }
        }
    }
    if latches.iter().all(Option::is_none) {
        return Ok(net.clone());
    }
    replace(net, &Replaced { latches, ..Replaced::default() }, meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::Operation;
    use crate::net::passes::freely;

    #[test]
    fn latches_with_the_same_history_are_one() {
        let mut net = Net::new(5, 1, 1);
        let at = |place: usize| Signal::of(net.latches[place].gate);
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(at);
        let gate = net.add(Operation::And, &[a, Signal::of(net.inputs[0].gate)]);
        net.inputs[0].legal = c;
        net.latches[0].next = gate;
        net.latches[1].next = gate;
        net.latches[2].next = !gate;
        net.latches[2].initial = true;
        // It begins otherwise.
        net.latches[3].next = gate;
        net.latches[3].initial = true;
        net.latches[4].next = a;
        net.terminal = net.add(Operation::And, &[b, d, e]);
        let result = freely(run, &net);
        assert_eq!(result.latches.len(), 3);
        let [a, d, e] = [0, 1, 2].map(|place: usize| Signal::of(result.latches[place].gate));
        assert_eq!(result.operands(result.terminal.gate()), [a, d, e]);
        assert_eq!(result.inputs[0].legal, !a);
        assert_eq!([1, 2].map(|place: usize| result.latches[place].initial), [true, false]);
        assert_eq!(freely(run, &result), result);
    }
}
