//! Cone of influence: gates, moves and latches on which no output depends are removed.
//!
//! ```text
//! a gate that no output depends on            gone
//! a move whose legal is false                 gone; false where it was read
//! a latch that no gate reads, no output is,
//!   no fact and no group mentions             gone, with what computed it
//! ```
//!
//! A latch that a fact mentions stays, since a state's facts can always be asked for. Linear.

use crate::net::gates::{Net, Signal};
use crate::net::rebuild::{Replaced, replace};
use gdlr_text::budget::{Exhausted, Meter};

/// Takes out what no output needs.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    let mut is_read = vec![false; net.len()];
    for gate in net.computed() {
        net.operands(gate).iter().for_each(|operand| is_read[operand.gate().index()] = true);
    }
    let fluents = net.fluents.iter().map(|fluent| fluent.signal);
    let groups = net.exclusive.iter().chain(&net.covering).flatten().copied();
    let others = fluents.chain(groups).chain(net.output_signals());
    others.for_each(|signal| is_read[signal.gate().index()] = true);
    let latches = net.latches.iter();
    let inputs = net.inputs.iter();
    replace(
        net,
        &Replaced {
            latches: latches
                .map(|latch| (!is_read[latch.gate.index()]).then_some(Signal::FALSE))
                .collect(),
            inputs: inputs
                .map(|input| (input.legal == Signal::FALSE).then_some(Signal::FALSE))
                .collect(),
            ..Replaced::default()
        },
        meter,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::{FluentBit, Operation};
    use crate::net::passes::freely;
    use gdlr_rules::gdl::{SymbolTable, Term};

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn moves_that_are_never_legal_go_and_latches_without_a_fact() {
        let mut net = Net::new(2, 2, 1);
        let [a, b] = [0, 1].map(|place: usize| Signal::of(net.latches[place].gate));
        let [x, y] = [0, 1].map(|place: usize| Signal::of(net.inputs[place].gate));
        let name = SymbolTable::new(false).intern("a").unwrap();
        net.fluents.push(FluentBit { fact: Term::Constant(name).into(), signal: a });
        net.inputs[1].legal = !a;
        net.latches[0].next = net.add(Operation::Or, &[x, y]);
        net.latches[1].next = net.add(Operation::Or, &[y, !a]);
        net.add(Operation::And, &[a, b]);
        let result = run(&run(&net));
        assert_eq!(
            (result.latches.len(), result.inputs.len(), result.computed().count()),
            (1, 1, 0)
        );
        assert_eq!(result.latches[0].next, Signal::of(result.inputs[0].gate));
    }
}
