//! Sets of latches that may tell phases apart.

use super::activity::Activity;
use super::reachable::{MOST_LATCHES, latch_of};
use super::{Indicator, Phases};
use crate::net::gates::{GateId, LatchId, Net, Operation, Signal};
use std::cmp::Reverse;

/// How many latches are looked at: those whose changes most gates hear of.
const CANDIDATES: usize = 4;

/// Sets of latches that may tell phases apart, each with those that already do: latches whose
/// future depends on few of them and on no move, exclusive groups, single latches, and indicators.
pub(crate) fn candidates(
    net: &Net,
    already: &Phases,
    indicators: &[Indicator],
    activity: &Activity,
) -> Vec<(Vec<LatchId>, Vec<Indicator>)> {
    let readers = readers(net);
    let work = |latch: &LatchId| {
        readers[net.latches[latch.index()].gate.index()] * activity.changes(*latch)
    };
    let mut latches: Vec<LatchId> = net
        .latch_ids()
        .filter(|latch| !already.latches.contains(latch) && work(latch) > 0)
        .collect();
    latches.sort_by_key(|latch| Reverse(work(latch)));
    latches.truncate(CANDIDATES);
    let mut sets: Vec<Vec<LatchId>> = Vec::new();
    for latch in latches {
        let own = Signal::of(net.latches[latch.index()].gate);
        let has = |group: &&Vec<Signal>| group.contains(&own) || group.contains(&!own);
        let group = net.exclusive.iter().find(has).into_iter().flatten();
        let exclusive: Vec<LatchId> = group.filter_map(|signal| latch_of(net, *signal)).collect();
        let closed = closure(net, latch, None);
        for mut set in [closed.unwrap_or_else(|| vec![latch]), exclusive] {
            set.extend_from_slice(&already.latches);
            set.sort_unstable();
            set.dedup();
            if set.len() <= MOST_LATCHES && set.contains(&latch) && !sets.contains(&set) {
                sets.push(set);
            }
        }
    }
    // With an indicator, what changes most may go round, too: a move, a shot, and the other player's.
    let most: Vec<Vec<LatchId>> =
        sets.first().cloned().into_iter().chain([already.latches.clone()]).collect();
    let with_latches = sets.into_iter().map(|set| (set, already.indicators.clone()));
    let with_indicator = indicators
        .iter()
        .filter(|indicator| !already.indicators.contains(indicator))
        .flat_map(|indicator| {
            let indicators: Vec<Indicator> =
                already.indicators.iter().chain([indicator]).cloned().collect();
            most.iter().map(move |latches| (latches.clone(), indicators.clone()))
        });
    with_latches.chain(with_indicator).collect()
}

/// By gate: how many gates and moves read it.
fn readers(net: &Net) -> Vec<u32> {
    let mut readers = vec![0u32; net.len()];
    for gate in net.computed() {
        net.operands(gate).iter().for_each(|operand| readers[operand.gate().index()] += 1);
    }
    net.inputs.iter().for_each(|input| readers[input.legal.gate().index()] += 1);
    readers
}

/// A latch and all that its future depends on beside a certain gate, if that is few latches and
/// no move.
pub(super) fn closure(net: &Net, latch: LatchId, beside: Option<GateId>) -> Option<Vec<LatchId>> {
    let mut set = vec![latch];
    let mut done = 0;
    while let Some(&latch) = set.get(done) {
        done += 1;
        let mut open = vec![net.latches[latch.index()].next.gate()];
        let mut seen = 0;
        while let Some(gate) = open.pop() {
            seen += 1;
            match net.operation(gate) {
                Operation::Input(_) => return None,
                _ if beside == Some(gate) => {}
                Operation::Latch(latch) if !set.contains(&latch) => set.push(latch),
                _ => open.extend(net.operands(gate).iter().map(|operand| operand.gate())),
            }
            if set.len() > MOST_LATCHES || seen > 8 * MOST_LATCHES {
                return None;
            }
        }
    }
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::phases::reachable::tests::alternating;

    #[test]
    fn phases_depend_on_no_move() {
        assert_eq!(closure(&alternating(), LatchId(1), None), Some(vec![LatchId(1), LatchId(0)]));
        assert_eq!(closure(&alternating(), LatchId(2), None), None);
    }
}
