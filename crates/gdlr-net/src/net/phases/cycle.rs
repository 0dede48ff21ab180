//! Phases that come round by themselves.

use super::candidates::closure;
use super::reachable::{Assumed, MOST_LATCHES, round};
use super::{Indicator, Phases};
use crate::net::evaluate::{Evaluation, read};
use crate::net::gates::{GateId, LatchId, Net};
use gdlr_text::graph::{Adjacency, reached};

/// The most phases. With more, games wait longer for their turn to begin than it saves.
pub(super) const MOST_PHASES: usize = 8;

/// The latches that go through a short cycle whatever is played: the cycle that most of them
/// go through.
pub(super) fn cycle(net: &Net) -> Phases {
    // The next values of latches that no move has an influence on.
    let evaluation = Evaluation::new(net);
    let initial = net.latches.iter().map(|latch| u64::from(latch.initial)).collect();
    let mut states: Vec<Vec<u64>> = vec![initial];
    let mut values = Vec::new();
    for step in 0..MOST_PHASES {
        evaluation.run(&states[step], &vec![0; net.inputs.len()], &mut values);
        let next = net.latches.iter().map(|latch| read(&values, latch.next) & 1);
        states.push(next.collect());
    }
    let influence = influence(net);
    let returning = |length: usize| {
        let returns = |place: usize| states[length][place] == states[0][place];
        (length, free(net, &influence, |place| !returns(place)))
    };
    let mut best = (1, Vec::new());
    for (length, latches) in (2..=MOST_PHASES).map(returning) {
        if latches.len() > best.1.len() {
            best = (length, latches);
        }
    }
    let (length, latches) = best;
    let values = |state: &Vec<u64>| latches.iter().map(|&at| state[at.index()] == 1).collect();
    let values = states[..length].iter().map(values).collect();
    Phases { latches, indicators: Vec::new(), values, over: None }
}

/// The phases that come round by themselves with an indicator: that of the indicator, of certain latches, and
/// of all whose future depends on few latches, on the indicator and on no move.
pub(super) fn cycle_with(net: &Net, latches: &[LatchId], indicator: &Indicator) -> Option<Phases> {
    let mut latches = latches.to_vec();
    for latch in net.latch_ids().filter(|latch| !indicator.latches.contains(latch)) {
        latches.extend(closure(net, latch, Some(indicator.gate)).into_iter().flatten());
    }
    latches.sort_unstable();
    latches.dedup();
    let few = latches.len() < MOST_LATCHES;
    let indicator = std::slice::from_ref(indicator);
    few.then(|| round(net, &latches, indicator, &Assumed::default())).flatten()
}

/// By gate: the gates that read it; what becomes of a latch is read by that latch.
fn influence(net: &Net) -> Adjacency<GateId> {
    Adjacency::new(net.len(), || {
        let gates = net.computed();
        let operands = gates
            .flat_map(|gate| net.operands(gate).iter().map(move |operand| (operand.gate(), gate)));
        let latches = net.latches.iter().map(|latch| (latch.next.gate(), latch.gate));
        operands.chain(latches).map(|(from, to)| (from.0, to))
    })
}

/// The latches on which neither moves nor certain latches have an influence, however remote.
fn free(
    net: &Net,
    influence: &Adjacency<GateId>,
    excluded: impl Fn(usize) -> bool,
) -> Vec<LatchId> {
    let latches = net.latches.iter().enumerate();
    let excluded = latches.filter(|(place, _)| excluded(*place)).map(|(_, latch)| latch.gate);
    let moves = net.inputs.iter().map(|input| input.gate);
    let touched = reached(net.len(), moves.chain(excluded), |gate| {
        influence.of(gate.index()).iter().copied()
    });
    let is_free = |&latch: &LatchId| !touched[net.latches[latch.index()].gate.index()];
    net.latch_ids().filter(is_free).collect()
}
