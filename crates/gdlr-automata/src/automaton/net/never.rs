//! Seeing that a signal is never true: it is assumed to be, and what must hold for that is followed
//! until two things contradict each other (unit propagation). The prover of nets
//! (`net/invariants/prove.rs`) does more, and asks for a net that is whole.

use super::wires::Wires;
use gdlr_net::net::{GateId, Operation, Signal};
use hashbrown::{HashMap, HashSet};

impl Wires<'_> {
    /// Whether it can be seen that a signal is never true. Linear in what it is made of, round by
    /// round of what is found out.
    pub fn is_never(&self, signal: Signal) -> bool {
        let mut known: HashMap<GateId, bool> = HashMap::new();
        let mut groups: HashSet<u32> = HashSet::new();
        // Signals of which one is true.
        let mut either: Vec<Vec<Signal>> = Vec::new();
        let mut open = vec![signal];
        loop {
            while let Some(signal) = open.pop() {
                let value = !signal.is_negated();
                match known.insert(signal.gate(), value) {
                    Some(before) if before != value => return true,
                    Some(_) => continue,
                    None => {}
                }
                if signal == Signal::FALSE || known.len() > self.tuning.followed {
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
                let value = |signal: &Signal| self.value(*signal, &known);
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

    /// What a signal is, if that is known or follows at once from what it is made of.
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
            // Found or not found: one of two checks finds something wherever the first is asked.
            let (found, not) = (wires.both(a, b), wires.both(a, !b));
            let neither = wires.and(&[a, !found, !not]);
            assert!(wires.is_never(neither));
            let without = wires.both(!found, !not);
            assert!(!wires.is_never(without));
            // What one follows from may be deep within another one.
            let either = wires.or(&[found, one]);
            let deep = wires.and(&[either, !b, !one]);
            assert!(wires.is_never(deep));
            let shallow = wires.and(&[either, !b]);
            assert!(!wires.is_never(shallow));
            // Of a group one is true.
            let (with_one, with_two) = (wires.or(&[one, found]), wires.or(&[two, found]));
            let both = wires.and(&[with_one, with_two, !a]);
            assert!(wires.is_never(both));
        });
    }
}
