//! Turns that go round as long as play goes on.
//!
//! In an automaton whose play is over nobody has the move, and what says whose turn it is says so:
//!
//! ```text
//! end    node = end, player = keeper          black to move    player = black
//! ```
//!
//! So no latch goes round whatever is played, but some do if play does not end. They are taken as
//! [signs](super::signs) of one latch each: known as long as play goes on, and latches none the less.

use super::activity::Activity;
use super::cycle::MOST_TURNS;
use super::reachable::{Assumed, MOST_LATCHES, round};
use super::{Sign, Turns};
use crate::budget::{Exhausted, Meter};
use crate::net::gates::{LatchId, Net, Operation, Signal};
use std::cmp::Reverse;

/// How many sets of latches are tried: those that change most often.
const MOST_SETS: usize = 8;
/// How many of them are tried in pairs, too.
const MOST_IN_PAIRS: usize = 4;

/// The turns that come round as long as play goes on, if a latch says whether it does: the most of
/// those that the latches of one or two exclusive groups tell apart, or single latches.
///
/// # Errors
///
/// When the budget is exhausted.
pub(super) fn while_playing(net: &Net, meter: &Meter<'_>) -> Result<Option<Turns>, Exhausted> {
    let over = net.terminal;
    let Operation::Latch(end) = net.operation(over.gate()) else { return Ok(None) };
    let activity = Activity::of(net, meter)?;
    meter.spend((1 + MOST_TURNS) * (net.len() + net.wires()))?;
    let groups = groups(net);
    let mut latches: Vec<LatchId> = net.latch_ids().filter(|&latch| latch != end).collect();
    latches.sort_by_key(|&latch| Reverse(activity.changes(latch)));
    let mut sets: Vec<Vec<LatchId>> = Vec::new();
    for latch in latches {
        let group = groups.iter().find(|group| group.contains(&latch));
        let mut set = group.cloned().unwrap_or_else(|| vec![latch]);
        set.retain(|&latch| latch != end);
        if !sets.contains(&set) && set.len() <= MOST_LATCHES {
            sets.push(set);
        }
        if sets.len() == MOST_SETS {
            break;
        }
    }
    let around = |set: &[LatchId]| {
        let touches = |group: &&Vec<LatchId>| group.iter().any(|latch| set.contains(latch));
        let groups = groups.iter().filter(touches).cloned().collect();
        let signs: Vec<Sign> = set.iter().map(|&latch| Sign::of_latch(net, latch)).collect();
        round(net, &[], &signs, &Assumed { never: Some(over), groups })
    };
    let mut best: Option<Turns> = None;
    for (place, one) in sets.iter().enumerate() {
        for other in &sets[place..sets.len().min(MOST_IN_PAIRS).max(place + 1)] {
            let mut both = [&one[..], &other[..]].concat();
            both.sort_unstable();
            both.dedup();
            let most = best.as_ref().map_or(1, Turns::len);
            let longer = |turns: &Turns| (most + 1..=MOST_TURNS).contains(&turns.len());
            if both.len() <= MOST_LATCHES
                && let Some(found) = around(&both).filter(longer)
            {
                best = Some(found);
            }
        }
    }
    Ok(best.map(|turns| Turns { over: Some((end, !over.is_negated())), ..turns }))
}

/// Groups of latches of which exactly one is true in every state.
fn groups(net: &Net) -> Vec<Vec<LatchId>> {
    let latch = |signal: &Signal| match net.operation(signal.gate()) {
        Operation::Latch(latch) if !signal.is_negated() => Some(latch),
        _ => None,
    };
    let exact = net.exclusive.iter().filter(|group| net.covering.contains(group));
    exact.filter_map(|group| group.iter().map(latch).collect()).collect()
}
