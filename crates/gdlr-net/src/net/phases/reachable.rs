//! The phases that can come about, for a few latches that tell them apart (ternary simulation).
//!
//! They are found from the initial one: successors of the latches are computed with three
//! values, all other latches and the choice of moves being unknown, and both cases are gone
//! into where it is unknown what becomes of a latch. Linear in the net for each phase.

use super::choices::{Choices, Ternary, whole};
use super::{Indicator, Phases};
use crate::net::feedback::Feedback;
use crate::net::gates::{GateId, LatchId, Net, Operation, Signal};
use fixedbitset::FixedBitSet;
use std::cell::Cell;

/// The most latches that tell phases apart.
pub(crate) const MOST_LATCHES: usize = 10;
/// The most phases.
pub(crate) const MOST_PHASES: usize = 12;

/// The phases that can come about; `None` if there are too many, or only one.
pub(crate) fn reachable(
    net: &Net,
    latches: &[LatchId],
    indicators: &[Indicator],
) -> Option<Phases> {
    let order = Feedback::of(net);
    let all =
        |phase: usize| successors(net, &order, latches, indicators, phase, &Assumed::default());
    phases_reached(net, latches, indicators, &all)
}

/// The phases reached from the initial one, if `successors` has those that follow a phase.
fn phases_reached(
    net: &Net,
    latches: &[LatchId],
    indicators: &[Indicator],
    successors: &dyn Fn(usize) -> Option<Vec<usize>>,
) -> Option<Phases> {
    // A phase in the making is a number whose bits are the values of the latches.
    let mut initial = 0;
    for (place, &latch) in latches.iter().enumerate() {
        initial |= usize::from(net.latches[latch.index()].initial) << place;
    }
    for (place, indicator) in (latches.len()..).zip(indicators) {
        let is_true = indicator.is_true(|latch| net.latches[latch.index()].initial);
        initial |= usize::from(is_true) << place;
    }
    let mut phases = vec![initial];
    let mut done = 0;
    while done < phases.len() {
        for phase in successors(phases[done])? {
            if !phases.contains(&phase) {
                phases.push(phase);
            }
        }
        if phases.len() > MOST_PHASES {
            return None;
        }
        done += 1;
    }
    let bits = latches.len() + indicators.len();
    let values = |phase: usize| (0..bits).map(|place| phase >> place & 1 == 1).collect();
    let result = || Phases {
        latches: latches.to_vec(),
        indicators: indicators.to_vec(),
        values: phases.iter().map(|&phase| values(phase)).collect(),
        over: None,
    };
    (phases.len() > 1).then(result)
}

/// The phases that come round, whatever is played: each is followed by one, the last by the first.
pub(super) fn round(
    net: &Net,
    latches: &[LatchId],
    indicators: &[Indicator],
    assumed: &Assumed,
) -> Option<Phases> {
    let order = Feedback::of(net);
    let last = Cell::new(None);
    let only = |phase: usize| {
        let all = successors(net, &order, latches, indicators, phase, assumed)?;
        let [next] = all[..] else { return None };
        last.set(Some(next));
        Some(vec![next])
    };
    let phases = phases_reached(net, latches, indicators, &only)?;
    let number = |values: &[bool]| values.iter().rev().fold(0, |n, &v| n << 1 | usize::from(v));
    (last.get() == Some(number(&phases.values[0]))).then_some(phases)
}

/// The assumptions about a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumed {
    /// A latch or the complement of one, which is false before and after it.
    pub never: Option<Signal>,
    /// Groups of latches of which exactly one is true in every state.
    pub groups: Vec<Vec<LatchId>>,
}

impl Assumed {
    /// The latch that is known, and its value.
    fn known(&self, net: &Net) -> Option<(LatchId, bool)> {
        let signal = self.never?;
        Some((latch_of(net, signal)?, signal.is_negated()))
    }

    /// Puts what becomes of latches into the values of gates.
    fn put(&self, net: &Net, order: &Feedback, fixed: &mut FixedBitSet, values: &mut [Ternary]) {
        if let Some((latch, value)) = self.known(net) {
            set(net, net.latches[latch.index()].next.negated_if(!value), fixed, values);
        }
        for group in &self.groups {
            compute(net, order, fixed, values);
            let next = |latch: &LatchId| net.latches[latch.index()].next;
            let may_be = |latch: &&LatchId| known(values, next(latch)) != Some(false);
            let one: Vec<LatchId> = group.iter().filter(may_be).copied().collect();
            if let [only] = one[..] {
                set(net, next(&only), fixed, values);
            }
        }
    }
}

/// Makes a signal true, and what must be true for it.
fn set(net: &Net, signal: Signal, fixed: &mut FixedBitSet, values: &mut [Ternary]) {
    let mut open = vec![signal];
    while let Some(signal) = open.pop() {
        let gate = signal.gate();
        if values[gate.index()].is_some() {
            continue;
        }
        let value = !signal.is_negated();
        values[gate.index()] = Some(value);
        fixed.insert(gate.index());
        let all = if value { Operation::And } else { Operation::Or };
        if net.operation(gate) == all {
            open.extend(net.operands(gate).iter().map(|operand| operand.negated_if(!value)));
        }
    }
}

/// Whether no exclusive group has two true members among these latches.
fn is_allowed(net: &Net, latches: &[LatchId], phase: usize) -> bool {
    let is_true = |signal: &&Signal| {
        let latch = latch_of(net, **signal);
        let place = latches.iter().position(|&other| latch == Some(other));
        place.is_some_and(|place| (phase >> place & 1 == 1) != signal.is_negated())
    };
    net.exclusive.iter().all(|group| group.iter().filter(is_true).count() < 2)
}

/// The phases that can follow one; `None` if these alone are too many.
fn successors(
    net: &Net,
    order: &Feedback,
    latches: &[LatchId],
    indicators: &[Indicator],
    phase: usize,
    assumed: &Assumed,
) -> Option<Vec<usize>> {
    let mut values: Vec<Ternary> = vec![None; net.len()];
    values[0] = Some(true);
    for (place, &latch) in latches.iter().enumerate() {
        values[net.latches[latch.index()].gate.index()] = Some(phase >> place & 1 == 1);
    }
    if let Some((latch, value)) = assumed.known(net) {
        values[net.latches[latch.index()].gate.index()] = Some(value);
    }
    let mut fixed = FixedBitSet::with_capacity(net.len());
    for (place, indicator) in (latches.len()..).zip(indicators) {
        let value = phase >> place & 1 == 1;
        fixed.insert(indicator.gate.index());
        values[indicator.gate.index()] = Some(value);
        for latch in indicator.latches.iter().filter(|_| !value) {
            values[net.latches[latch.index()].gate.index()] = Some(false);
        }
    }
    compute(net, order, &fixed, &mut values);
    let legal: Vec<Ternary> = net.inputs.iter().map(|input| known(&values, input.legal)).collect();
    let choices = Choices::of(net, |input| legal[input] != Some(false));
    if choices.is_stuck {
        return Some(Vec::new());
    }
    for (input, choice) in net.inputs.iter().zip(choices.known) {
        values[input.gate.index()] = choice;
    }
    if assumed.never.is_some() {
        for gate in whole(net, &values) {
            fixed.insert(gate.index());
            values[gate.index()] = Some(true);
        }
    }
    compute(net, order, &fixed, &mut values);
    assumed.put(net, order, &mut fixed, &mut values);
    compute(net, order, &fixed, &mut values);
    let mut phases = vec![0];
    let latches_become = latches.iter().map(|l| known(&values, net.latches[l.index()].next));
    let indicators_become = indicators.iter().map(|indicator| indicator.next(net, &values));
    for (place, next) in latches_become.chain(indicators_become).enumerate() {
        let first = if next.is_none() { phases.len() } else { 0 };
        if next.is_none() {
            phases.extend_from_within(..);
        }
        if next != Some(false) {
            phases[first..].iter_mut().for_each(|phase| *phase |= 1 << place);
        }
        phases.retain(|&phase| is_allowed(net, &latches[..latches.len().min(place + 1)], phase));
        if phases.len() > MOST_PHASES {
            return None;
        }
    }
    Some(phases)
}

/// Computes what follows from the values that are known. Gates that depend on each other have their
/// least fixpoint, where what is not known is between false and true. Those that are fixed are there.
fn compute(net: &Net, order: &Feedback, fixed: &FixedBitSet, values: &mut [Ternary]) {
    let put = |gate: GateId, values: &mut [Ternary]| {
        let value = value(net, gate, values);
        !fixed.contains(gate.index())
            && std::mem::replace(&mut values[gate.index()], value) != value
    };
    let mut done = 0;
    for part in &order.parts {
        for &gate in &order.order[done..part.start] {
            put(gate, values);
        }
        let members = &order.order[part.clone()];
        for &gate in members.iter().filter(|gate| !fixed.contains(gate.index())) {
            values[gate.index()] = Some(false);
        }
        while members.iter().fold(false, |changed, &gate| put(gate, values) | changed) {}
        done = part.end;
    }
    for &gate in &order.order[done..] {
        put(gate, values);
    }
}

/// The value of a gate, as far as it follows from those of its operands.
fn value(net: &Net, gate: GateId, values: &[Ternary]) -> Ternary {
    let decisive = net.operation(gate) == Operation::Or;
    let mut value = Some(!decisive);
    for &operand in net.operands(gate) {
        match known(values, operand) {
            Some(operand) if operand == decisive => return Some(decisive),
            None => value = None,
            Some(_) => {}
        }
    }
    value
}

fn known(values: &[Ternary], signal: Signal) -> Ternary {
    values[signal.gate().index()].map(|value| value != signal.is_negated())
}

/// The latch that a signal or its complement is.
pub(crate) fn latch_of(net: &Net, signal: Signal) -> Option<LatchId> {
    match net.operation(signal.gate()) {
        Operation::Latch(latch) => Some(latch),
        _ => None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use gdlr_engine::engine::RoleId;

    pub fn latch(net: &Net, place: usize) -> Signal {
        Signal::of(net.latches[place].gate)
    }

    fn input(net: &Net, place: usize) -> Signal {
        Signal::of(net.inputs[place].gate)
    }

    /// The phases, as numbers whose bits are the values of the latches.
    fn keys(net: &Net, latches: &[u32]) -> Option<Vec<usize>> {
        let latches: Vec<LatchId> = latches.iter().copied().map(LatchId).collect();
        let phases = reachable(net, &latches, &[])?;
        assert_eq!(phases.latches, latches);
        let key = |values: &Vec<bool>| {
            values.iter().enumerate().map(|(place, &value)| usize::from(value) << place).sum()
        };
        Some(phases.values.iter().map(key).collect())
    }

    /// Two players take turns: latches 0 and 1. Each has a move that sets a latch, 2 or 3,
    /// and stays set, and waits with another one when it is not its turn.
    pub fn alternating() -> Net {
        let mut net = Net::new(4, 4, 2);
        for role in 0..2 {
            let (turn, done) = (latch(&net, role), latch(&net, 2 + role));
            let (act, wait) = (2 * role, 2 * role + 1);
            net.inputs[act].legal = net.add(Operation::And, &[turn, !done]);
            net.inputs[wait].legal = !turn;
            net.inputs[act].role = RoleId(role as u16);
            net.inputs[wait].role = RoleId(role as u16);
            let waits = input(&net, wait);
            let stay = net.add(Operation::And, &[waits, done]);
            let kept = net.add(Operation::And, &[!waits, done]);
            let acts = input(&net, act);
            net.latches[2 + role].next = net.add(Operation::Or, &[acts, stay, kept]);
            net.latches[role].next = latch(&net, 1 - role);
        }
        net.latches[0].initial = true;
        net
    }

    #[test]
    fn a_phase_that_depends_on_a_move_can_come_or_not() {
        let mut net = alternating();
        assert_eq!(keys(&net, &[0, 1]), Some(vec![0b01, 0b10]));
        let either = net.add(Operation::Or, &[input(&net, 0), latch(&net, 1)]);
        net.latches[0].next = either;
        // The only move of a phase is known to be made.
        assert_eq!(keys(&net, &[0, 1]), Some(vec![0b01, 0b11]));
        net.inputs[1].legal = Signal::TRUE;
        assert_eq!(keys(&net, &[0, 1]), Some(vec![0b01, 0b10, 0b11]));
        net.exclusive = vec![vec![latch(&net, 0), latch(&net, 1)]];
        assert_eq!(keys(&net, &[0, 1]), Some(vec![0b01, 0b10]));
    }

    #[test]
    fn what_depends_on_itself_is_false_if_nothing_makes_it_true() {
        let mut net = alternating();
        // The first player may act if it could, or could have before, so to speak.
        let knot = net.knot();
        let again = net.add(Operation::And, &[knot, latch(&net, 2)]);
        net.tie(knot, &[net.inputs[0].legal, again]);
        net.inputs[0].legal = knot;
        net.latches[1].next = net.add(Operation::Or, &[latch(&net, 0), input(&net, 0)]);
        assert_eq!(keys(&net, &[0, 1]), Some(vec![0b01, 0b10]));
        // With something else that may, it is not known.
        let again = net.add(Operation::And, &[knot, latch(&net, 2)]);
        net.tie(knot, &[latch(&net, 3), again]);
        assert_eq!(keys(&net, &[0, 1]), Some(vec![0b01, 0b10, 0b11]));
    }

    #[test]
    fn any_one_of_an_exclusive_group_can_follow() {
        let mut net = Net::new(11, 10, 1);
        for place in 0..10 {
            net.inputs[place].legal = Signal::TRUE;
            net.latches[place].next = input(&net, place);
        }
        let latches: Vec<u32> = (0..10).collect();
        assert_eq!(keys(&net, &latches), None);
        net.exclusive = vec![(0..10).map(|place| latch(&net, place)).collect()];
        let mut phases = keys(&net, &latches).expect("eleven phases");
        phases.sort_unstable();
        let single: Vec<usize> = (0..10).map(|place| 1 << place).collect();
        assert_eq!(phases, [&[0][..], &single].concat());
        // With a latch that nobody knows anything of, they are too many.
        net.latches[10].next = net.add(Operation::Or, &[input(&net, 0), latch(&net, 10)]);
        let all: Vec<u32> = (0..11).collect();
        assert_eq!(keys(&net, &all), None);
    }

    #[test]
    fn one_phase_is_none_and_many_are_too_many() {
        let mut net = alternating();
        net.latches[0].next = latch(&net, 0);
        assert_eq!(keys(&net, &[0]), None);
        let mut net = Net::new(4, 0, 0);
        assert_eq!(keys(&net, &[0, 1, 2, 3]), None);
        for place in 0..4 {
            net.latches[place].next = !latch(&net, (place + 1) % 4);
        }
        assert_eq!(keys(&net, &[0, 1, 2, 3]).map(|phases| phases.len()), Some(2));
        let mut larger = Net::new(8, 0, 0);
        for place in 0..4 {
            larger.latches[place].next = Signal::of(larger.latches[place + 4].gate);
        }
        assert_eq!(keys(&larger, &[0, 1, 2, 3]), None);
    }
}
