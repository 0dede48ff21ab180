//! Proofs that a signal is never true, by unit propagation. The signal is assumed to be true, and
//! all consequences are followed up to a contradiction. The prover of nets
//! (`net/invariants/prove.rs`) proves more, but needs a complete net.

use super::wires::Wires;
use gdlr_net::net::{GateId, Operation, Signal};
use hashbrown::{HashMap, HashSet};

impl Wires<'_> {
    /// Whether unit propagation proves that a signal is never true. Each round takes time linear in
    /// the gates of the signal.
    pub fn is_never(&self, signal: Signal) -> bool {
        let mut value_of: HashMap<GateId, bool> = HashMap::new();
        let mut groups: HashSet<u32> = HashSet::new();
        // Lists of signals, one of which is true in each.
        let mut either: Vec<Vec<Signal>> = Vec::new();
        let mut open = vec![signal];
        loop {
            while let Some(signal) = open.pop() {
                let value = !signal.is_negated();
                match value_of.insert(signal.gate(), value) {
                    Some(before) if before != value => return true,
                    Some(_) => continue,
                    None => {}
                }
                if signal == Signal::FALSE || value_of.len() > self.tuning.followed {
                    return signal == Signal::FALSE;
                }
                if let Some(group) = self.group_of(signal)
                    && !groups.insert(group)
                {
                    return true;
                }
                let all = self.net.view(signal, Operation::And);
                if all[..] != [signal] {
                    open.extend(all);
                    continue;
                }
                let some = self.net.view(signal, Operation::Or);
                if some[..] != [signal] {
                    either.push(some);
                }
            }
            either.retain_mut(|signals| {
                let value = |signal: &Signal| self.value(*signal, &value_of);
                if signals.iter().any(|signal| value(signal) == Some(true)) {
                    return false;
                }
                signals.retain(|signal| value(signal).is_none());
                match signals[..] {
                    [] => open.push(Signal::FALSE),
                    [only] => open.push(only),
                    _ => return true,
                }
                false
            });
            if open.is_empty() {
                return false;
            }
        }
    }

    /// The value of a signal, if it is known or follows from its operands.
    fn value(&self, signal: Signal, known: &HashMap<GateId, bool>) -> Option<bool> {
        let of =
            |signal: &Signal| known.get(&signal.gate()).map(|&value| value != signal.is_negated());
        let has = |operation: Operation, value: bool| {
            self.net.view(signal, operation).iter().any(|part| of(part) == Some(value))
        };
        of(&signal)
            .or_else(|| has(Operation::And, false).then_some(false))
            .or_else(|| has(Operation::Or, true).then_some(true))
    }
}

#[cfg(test)]
mod tests {
    use crate::automaton::net::ways::tests::with_wires;
    use gdlr_net::net::Signal;

    #[test]
    fn what_contradicts_itself_is_never_true() {
        with_wires(|wires, [a, b], [one, two, _]| {
            assert!(wires.is_never(Signal::FALSE) && !wires.is_never(Signal::TRUE));
            assert!(!wires.is_never(a) && !wires.is_never(!a));
            // One of two checks finds something wherever the first is asked.
            let (found, not) = (wires.both(a, b), wires.both(a, !b));
            let neither = wires.and(&[a, !found, !not]);
            assert!(wires.is_never(neither));
            let without = wires.both(!found, !not);
            assert!(!wires.is_never(without));
            // The reason may lie deep within another signal.
            let either = wires.or(&[found, one]);
            let deep = wires.and(&[either, !b, !one]);
            assert!(wires.is_never(deep));
            let shallow = wires.and(&[either, !b]);
            assert!(!wires.is_never(shallow));
            // Exactly one signal of a group is true.
            let (with_one, with_two) = (wires.or(&[one, found]), wires.or(&[two, found]));
            let both = wires.and(&[with_one, with_two, !a]);
            assert!(wires.is_never(both));
        });
    }
}
