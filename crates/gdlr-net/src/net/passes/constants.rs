//! Constant propagation, and what else can be seen in one gate alone.
//!
//! ```text
//! a and true          a
//! a and false         false
//! a or a or b         a or b
//! a or not a          true
//! and()               true
//! ```
//!
//! Linear, but for sorting the operands of each gate.

use crate::net::gates::Net;
use crate::net::rebuild::{Replaced, replace};
use gdlr_text::budget::{Exhausted, Meter};

/// Takes out constants and whatever says nothing.
pub(super) fn run(net: &Net, meter: &Meter<'_>) -> Result<Net, Exhausted> {
    replace(net, &Replaced::default(), meter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::gates::{Operation, Signal};
    use crate::net::passes::freely;

    fn run(net: &Net) -> Net {
        freely(super::run, net)
    }

    #[test]
    fn constants_run_through_the_net() {
        let mut net = Net::new(2, 0, 1);
        let [a, b] = [0, 1].map(|place: usize| Signal::of(net.latches[place].gate));
        let never = net.add(Operation::Or, &[]);
        let nothing = net.add(Operation::And, &[a, !b, b]);
        let always = net.add(Operation::Or, &[b, !never]);
        let just_a = net.add(Operation::And, &[a, always, a]);
        net.terminal = net.add(Operation::Or, &[nothing, just_a, Signal::FALSE]);
        let result = run(&net);
        assert_eq!(result.terminal, a);
        assert_eq!(result.computed().count(), 0);
    }
}
