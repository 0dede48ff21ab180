//! The properties of a random net that no pass may change.

use super::random::{LATCHES, ROLES};
use crate::net::evaluate::{Evaluation, read};
use crate::net::gates::{Net, Operation, Signal};
use gdlr_engine::engine::RoleId;
use rand::Rng;
use rand::seq::IndexedRandom;

/// Every state of a net: bit `k` of latch `l` is bit `l` of `k`.
fn all_states() -> Vec<u64> {
    (0..LATCHES)
        .map(|latch| (0..64).map(|state| (state >> latch & 1) << state).fold(0, |a, b| a | b))
        .collect()
}

fn run(net: &Net, latches: &[u64], inputs: &[u64]) -> Vec<u64> {
    let mut values = Vec::new();
    Evaluation::new(net).run(&latches[..net.latches.len()], inputs, &mut values);
    values
}

/// The states of a random net that legal joint moves lead to, a bit each, through states
/// that the groups allow.
pub(super) fn reachable(net: &Net) -> u64 {
    let allowed = allowed(net, &all_states());
    let values = &run(net, &all_states(), &vec![0; net.inputs.len()]);
    let legal = |role: u16, state: usize| {
        let legal = move |at: &usize| read(values, net.inputs[*at].legal) >> state & 1 == 1;
        (0..net.inputs.len()).filter(move |&at| net.inputs[at].role == RoleId(role)).filter(legal)
    };
    let bit = |state: usize, latch: usize| (state >> latch & 1) as u64;
    let initial = (net.latches.iter().enumerate())
        .fold(0, |state, (at, latch)| state | usize::from(latch.initial) << at);
    let mut reached = 1u64 << initial;
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        if allowed >> state & 1 == 0 {
            continue;
        }
        let latches: Vec<u64> = (0..LATCHES).map(|at| 0u64.wrapping_sub(bit(state, at))).collect();
        for first in legal(0, state) {
            // The others' joint moves, a lane each.
            let others = legal(1, state).flat_map(|one| legal(2, state).map(move |two| (one, two)));
            let mut inputs = vec![0; net.inputs.len()];
            let mut lanes = 0;
            for (one, two) in others {
                [first, one, two].into_iter().for_each(|at| inputs[at] |= 1 << lanes);
                lanes += 1;
            }
            let values = run(net, &latches, &inputs);
            for lane in 0..lanes {
                let next = (net.latches.iter().enumerate()).fold(0, |next, (at, latch)| {
                    next | (read(&values, latch.next) >> lane & 1) << at
                });
                if reached >> next & 1 == 0 {
                    reached |= 1 << next;
                    open.push(next as usize);
                }
            }
        }
    }
    reached
}

/// Whether a net does the same as another that was made of it, in all of the states `within`
/// that the groups allow, with random joint moves that are legal.
pub(super) fn check_same(
    old: &Net,
    new: &Net,
    within: u64,
    random: &mut impl Rng,
) -> Result<(), String> {
    let states = all_states();
    let new_states = states_of(old, new, &states)?;
    let allowed = allowed(old, &states) & within;
    if allowed & !self::allowed(new, &new_states) != 0 {
        return Err("more states are excluded".to_owned());
    }
    let old_values = run(old, &states, &vec![0; old.inputs.len()]);
    let new_values = run(new, &new_states, &vec![0; new.inputs.len()]);
    let same = |what: &str, old: u64, new: u64, mask: u64| match (old ^ new) & mask {
        0 => Ok(()),
        differ => Err(format!("{what} differs in states {differ:b}")),
    };
    let (terminal, goals) = (old.terminal, &old.goals);
    same("terminal", read(&old_values, terminal), read(&new_values, new.terminal), allowed)?;
    for (goal, new_one) in goals.iter().zip(&new.goals) {
        same("goal", read(&old_values, goal.signal), read(&new_values, new_one.signal), allowed)?;
    }
    let counterpart = |input: &crate::net::gates::Input| {
        new.inputs
            .iter()
            .position(|new_one| (new_one.role, new_one.term) == (input.role, input.term))
    };
    for input in &old.inputs {
        let new_one = counterpart(input).map_or(0, |at| read(&new_values, new.inputs[at].legal));
        same("legal", read(&old_values, input.legal), new_one, allowed)?;
    }
    for _ in 0..8 {
        let mut inputs = vec![0; old.inputs.len()];
        let mut new_inputs = vec![0; new.inputs.len()];
        let mut playable = allowed;
        for (lane, role) in (0..64).flat_map(|lane| (0..ROLES).map(move |role| (lane, role))) {
            let legal = |at: &usize| {
                let input = &old.inputs[*at];
                input.role == RoleId(role) && read(&old_values, input.legal) >> lane & 1 == 1
            };
            let legal: Vec<usize> = (0..old.inputs.len()).filter(legal).collect();
            match legal.choose(random) {
                Some(&at) => {
                    inputs[at] |= 1 << lane;
                    if let Some(new_one) = counterpart(&old.inputs[at]) {
                        new_inputs[new_one] |= 1 << lane;
                    }
                }
                None => playable &= !(1 << lane),
            }
        }
        let old_values = run(old, &states, &inputs);
        let new_values = run(new, &new_states, &new_inputs);
        for (fluent, new_one) in old.fluents.iter().zip(&new.fluents) {
            let (old, new) =
                (next(old, fluent.signal, &old_values), next(new, new_one.signal, &new_values));
            same("next", old, new, playable)?;
        }
        for (percept, new_one) in old.percepts.iter().zip(&new.percepts) {
            let (old, new) = (read(&old_values, percept.signal), read(&new_values, new_one.signal));
            same("sees", old, new, playable)?;
        }
    }
    Ok(())
}

/// The next value of a signal of a latch.
fn next(net: &Net, signal: Signal, values: &[u64]) -> u64 {
    match net.operation(signal.gate()) {
        Operation::Latch(place) => {
            read(values, net.latches[place.index()].next.negated_if(signal.is_negated()))
        }
        _ => read(values, signal),
    }
}

/// The values of the latches of the new net in the states of the old one.
fn states_of(old: &Net, new: &Net, states: &[u64]) -> Result<Vec<u64>, String> {
    (new.latches.iter())
        .map(|latch| {
            let fluent = (old.fluents.iter().zip(&new.fluents))
                .find(|(_, new_one)| new_one.signal.gate() == latch.gate)
                .ok_or("a latch without a fact")?;
            let Operation::Latch(place) = old.operation(fluent.0.signal.gate()) else {
                return Err("a fact that was no latch".to_owned());
            };
            let negate = fluent.0.signal.is_negated() != fluent.1.signal.is_negated();
            let initial = old.latches[place.index()].initial != negate;
            if initial != latch.initial {
                return Err("another initial state".to_owned());
            }
            Ok(states[place.index()] ^ 0u64.wrapping_sub(u64::from(negate)))
        })
        .collect()
}

/// The states that the groups of a net allow.
fn allowed(net: &Net, states: &[u64]) -> u64 {
    let value = |signal: &Signal| match net.operation(signal.gate()) {
        Operation::Latch(place) => {
            states[place.index()] ^ 0u64.wrapping_sub(u64::from(signal.is_negated()))
        }
        _ => 0,
    };
    let exclusive = net.exclusive.iter().fold(!0, |allowed, group| {
        let (_, twice) = group
            .iter()
            .map(value)
            .fold((0, 0), |(once, twice), value| (once | value, twice | once & value));
        allowed & !twice
    });
    net.covering.iter().fold(exclusive, |allowed, group| {
        allowed & group.iter().map(value).fold(0, |any, value| any | value)
    })
}
