//! Walks that meet: signals that are true if one of several walks was taken.
//!
//! A walk is the And of its conditions. Where walks meet again, conditions that all of them share
//! are taken out. Two walks may differ in only one condition, which is true on one and false on the
//! other. Then they become one walk without this condition.

use super::wires::{Operands, Wires};
use crate::tuning::Tuning;
use gdlr_net::net::{Operation, Signal};
use hashbrown::HashMap;
use smallvec::SmallVec;

impl Wires<'_> {
    /// The signal that one of the walks was taken.
    pub fn one_of(&mut self, ways: &[Signal]) -> Signal {
        if let [only] = ways {
            return *only;
        }
        let mut lists: Vec<Operands> = Vec::new();
        for &way in ways.iter().filter(|&&way| way != Signal::FALSE) {
            lists.push(self.conditions(way));
        }
        lists.sort_unstable();
        lists.dedup();
        let Tuning { joined_ways, way_conditions, .. } = *self.tuning;
        if lists.len() <= joined_ways && lists.iter().all(|list| list.len() <= way_conditions) {
            while self.join_two(&mut lists) {}
        }
        let shared = shared(&lists);
        let mut rests = Vec::new();
        for list in &lists {
            rests.push(self.rest(list, &shared));
        }
        let mut all = shared;
        all.push(self.or(&rests));
        self.and(&all)
    }

    /// The walks, without the conditions that all of them share.
    pub fn apart(&mut self, ways: &[Signal]) -> Vec<Signal> {
        let lists: Vec<Operands> = ways.iter().map(|&way| self.conditions(way)).collect();
        let shared = shared(&lists);
        if shared.is_empty() {
            return ways.to_vec();
        }
        lists.iter().map(|list| self.rest(list, &shared)).collect()
    }

    /// Whether a walk has all conditions of another one.
    pub fn asks_all_of(&self, way: Signal, other: Signal) -> bool {
        let asked = self.conditions(way);
        self.conditions(other).iter().all(|condition| asked.binary_search(condition).is_ok())
    }

    /// The conditions of a walk, in order.
    pub fn conditions(&self, way: Signal) -> Operands {
        let gate = way.gate();
        let mut conditions: Operands = match self.net.operation(gate) {
            _ if way == Signal::TRUE => SmallVec::new(),
            Operation::And if !way.is_negated() => self.net.operands(gate).into(),
            _ => SmallVec::from_slice(&[way]),
        };
        conditions.sort_unstable();
        conditions
    }

    /// The And of all conditions that are not `shared`. Shared conditions are in order.
    fn rest(&mut self, list: &[Signal], shared: &[Signal]) -> Signal {
        let own = |condition: &Signal| shared.binary_search(condition).is_err();
        let rest: Operands = list.iter().copied().filter(own).collect();
        self.and(&rest)
    }

    /// Joins walks that differ in only one condition, if one of their conditions must hold. Returns
    /// whether there are any. All walks are different.
    fn join_two(&self, lists: &mut Vec<Operands>) -> bool {
        let mut by_rest: HashMap<Operands, SmallVec<[(Signal, usize); 2]>> = HashMap::new();
        for (way, list) in lists.iter().enumerate() {
            for at in 0..list.len() {
                let mut rest = list.clone();
                let condition = rest.remove(at);
                let same = by_rest.entry(rest).or_default();
                same.push((condition, way));
                if self.one_must_hold(same) {
                    let mut joined: Vec<usize> = same.iter().map(|&(_, way)| way).collect();
                    let mut rest = list.clone();
                    rest.remove(at);
                    joined.sort_unstable();
                    joined.into_iter().rev().for_each(|way| drop(lists.swap_remove(way)));
                    if !lists.contains(&rest) {
                        lists.push(rest);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Whether one of these conditions must hold. Only the last of them is new.
    fn one_must_hold(&self, conditions: &[(Signal, usize)]) -> bool {
        let [others @ .., (last, _)] = conditions else { return false };
        others.iter().any(|&(other, _)| other == !*last)
            || self.is_whole_group(conditions.iter().map(|&(condition, _)| condition))
    }
}

/// The conditions that are in all lists.
fn shared(lists: &[Operands]) -> Operands {
    let Some((first, others)) = lists.split_first() else { return SmallVec::new() };
    let everywhere =
        |condition: &Signal| others.iter().all(|list| list.binary_search(condition).is_ok());
    first.iter().copied().filter(everywhere).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use gdlr_net::net::Net;
    use gdlr_text::budget::Meter;

    /// Wires over two latches and a group of three, and these latches.
    pub fn with_wires(test: impl FnOnce(&mut Wires<'_>, [Signal; 2], [Signal; 3])) {
        let meter = Meter::unlimited();
        let groups = [None, None, Some(2), Some(2), Some(2)];
        let tuning = Tuning::default();
        let mut wires = Wires::new(Net::new(5, 0, 0), &groups, &tuning, &meter);
        let [a, b, one, two, three] = [0, 1, 2, 3, 4].map(|latch| wires.latch(latch));
        test(&mut wires, [a, b], [one, two, three]);
    }

    #[test]
    fn ways_that_differ_in_one_condition_are_one() {
        with_wires(|wires, [a, b], [one, two, three]| {
            let ways = [wires.both(a, b), wires.both(a, !b)];
            assert_eq!(wires.one_of(&ways), a);
            let ways = [wires.and(&[a, b, one]), wires.and(&[a, !b, one]), wires.both(!a, one)];
            assert_eq!(wires.one_of(&ways), one);
            let ways = [one, two, three].map(|of| wires.both(a, of));
            assert_eq!(wires.one_of(&ways), a);
            assert_eq!(wires.one_of(&[one, two, three]), Signal::TRUE);
            // A third walk with more conditions than both together adds nothing.
            let ways = [one, b, !b].map(|of| wires.both(a, of));
            assert_eq!(wires.one_of(&ways), a);
        });
    }

    #[test]
    fn ways_that_differ_in_more_stay_apart() {
        with_wires(|wires, [a, b], [one, two, three]| {
            let some = wires.or(&[one, two]);
            let ways = [wires.both(a, one), wires.both(a, two)];
            assert_eq!(wires.one_of(&ways), wires.and(&[a, some]));
            let ways = [wires.both(a, b), wires.both(!a, !b)];
            assert_eq!(wires.one_of(&ways), wires.or(&ways));
            // Two signals of a group, one of them on two walks that become one.
            let ways = [
                wires.and(&[a, b, one]),
                wires.and(&[a, !b, one]),
                wires.both(a, one),
                wires.both(a, two),
            ];
            assert_eq!(wires.one_of(&ways), wires.and(&[a, some]));
            // The third signal of the group is missing, although there are three walks.
            let all = [a, one, three];
            assert_eq!(wires.one_of(&all), wires.or(&all));
            assert_eq!(wires.one_of(&[]), Signal::FALSE);
            assert_eq!(wires.one_of(&[Signal::FALSE, Signal::TRUE]), Signal::TRUE);
        });
    }

    #[test]
    fn what_all_ways_ask_is_left_out() {
        with_wires(|wires, [a, b], [one, two, _]| {
            let ways = [wires.and(&[a, b, one]), wires.and(&[a, b, !one]), wires.both(a, b)];
            assert_eq!(wires.apart(&ways), [one, !one, Signal::TRUE]);
            let ways = [wires.both(a, one), wires.both(b, two)];
            assert_eq!(wires.apart(&ways), ways);
            assert_eq!(wires.apart(&[a, !a]), [a, !a]);
        });
    }

    #[test]
    fn a_way_that_asks_more_asks_all_of_another_one() {
        with_wires(|wires, [a, b], [one, ..]| {
            let (less, more) = (wires.both(a, one), wires.and(&[a, b, one]));
            assert!(wires.asks_all_of(more, less) && wires.asks_all_of(more, b));
            assert!(wires.asks_all_of(less, less) && wires.asks_all_of(less, Signal::TRUE));
            assert!(!wires.asks_all_of(less, more) && !wires.asks_all_of(less, !one));
            assert!(!wires.asks_all_of(Signal::TRUE, a));
        });
    }
}
