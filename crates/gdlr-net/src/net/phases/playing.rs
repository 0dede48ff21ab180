//! Phases that go round as long as play goes on.
//!
//! In an automaton whose play is over nobody has the move, and what says whose turn it is says so:
//!
//! ```text
//! end    node = end, player = keeper          black to move    player = black
//! ```
//!
//! So no latch goes round whatever is played, but some do if play does not end. They are taken as
//! [indicators](super::indicators) of one latch each: known as long as play goes on, and latches none the less.

use super::activity::Activity;
use super::cycle::MOST_PHASES;
use super::reachable::{Assumed, MOST_LATCHES, round};
use super::{Indicator, Phases};
use crate::net::gates::{LatchId, Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Meter};
use std::cmp::Reverse;

/// How many sets of latches are tried: those that change most often.
const MOST_SETS: usize = 8;
/// How many of them are tried in pairs, too.
const MOST_IN_PAIRS: usize = 4;

/// The phases that come round as long as play goes on, if a latch says whether it does: the most of
/// those that the latches of one or two exclusive groups tell apart, or single latches.
///
/// # Errors
///
/// When the budget is exhausted.
pub(super) fn while_playing(net: &Net, meter: &Meter<'_>) -> Result<Option<Phases>, Exhausted> {
    let over = net.terminal;
    let Operation::Latch(end) = net.operation(over.gate()) else { return Ok(None) };
    let activity = Activity::of(net, meter)?;
    meter.spend((1 + MOST_PHASES) * (net.len() + net.wires()))?;
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
        let indicators: Vec<Indicator> =
            set.iter().map(|&latch| Indicator::of_latch(net, latch)).collect();
        round(net, &[], &indicators, &Assumed { never: Some(over), groups })
    };
    let mut best: Option<Phases> = None;
    for (place, one) in sets.iter().enumerate() {
        for other in &sets[place..sets.len().min(MOST_IN_PAIRS).max(place + 1)] {
            let mut both = [&one[..], &other[..]].concat();
            both.sort_unstable();
            both.dedup();
            let most = best.as_ref().map_or(1, Phases::count);
            let longer = |phases: &Phases| (most + 1..=MOST_PHASES).contains(&phases.count());
            if both.len() <= MOST_LATCHES
                && let Some(phases) = around(&both).filter(longer)
            {
                best = Some(phases);
            }
        }
    }
    Ok(best.map(|phases| Phases { over: Some((end, !over.is_negated())), ..phases }))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Latch;
    use gdlr_engine::engine::RoleId;

    const END: usize = 0;
    const X: usize = 1;
    const O: usize = 2;
    const CAN_WIN: usize = 3;

    fn latch(net: &Net, place: usize) -> Signal {
        Signal::of(net.latches[place].gate)
    }

    /// Two players take turns, each of whom may win where a fourth latch says so; then nobody has
    /// the move.
    fn net() -> Net {
        let mut net = Net::new(4, 6, 2);
        let own = [latch(&net, X), latch(&net, O)];
        let mut moved = Vec::new();
        let mut won = Vec::new();
        for (role, &own) in own.iter().enumerate() {
            let inputs = [0, 1, 2].map(|place| Signal::of(net.inputs[3 * role + place].gate));
            let winning = [own, latch(&net, CAN_WIN)];
            let wins = net.add(Operation::And, &winning);
            for (place, legal) in [own, wins, !own].into_iter().enumerate() {
                let input = &mut net.inputs[3 * role + place];
                (input.role, input.legal) = (RoleId(role as u16), legal);
            }
            moved.push(inputs[0]);
            won.push(inputs[1]);
        }
        net.latches[END].next = net.add(Operation::Or, &won);
        (net.latches[X].next, net.latches[O].next) = (moved[1], moved[0]);
        net.latches[CAN_WIN] =
            Latch { initial: true, next: latch(&net, CAN_WIN), ..net.latches[CAN_WIN] };
        net.latches[X].initial = true;
        let group = [END, X, O].map(|place| latch(&net, place)).to_vec();
        net.exclusive.push(group.clone());
        net.covering.push(group);
        net.terminal = latch(&net, END);
        net
    }

    fn phases_of(net: &Net) -> Option<Phases> {
        while_playing(net, &Meter::unlimited()).expect("no limit")
    }

    #[test]
    fn players_take_turns_until_play_is_over() {
        let phases = phases_of(&net()).expect("two phases");
        let turns: Vec<&LatchId> =
            phases.indicators.iter().flat_map(|indicator| &indicator.latches).collect();
        let place = |latch: usize| turns.iter().position(|turns| turns.index() == latch);
        let (x, o) = (place(X).expect("an indicator"), place(O).expect("an indicator"));
        assert_eq!(phases.count(), 2);
        assert_eq!((phases.values[0][x], phases.values[0][o]), (true, false));
        assert_eq!((phases.values[1][x], phases.values[1][o]), (false, true));
        assert!(phases.latches.is_empty() && place(END).is_none());
        // A state that is over need be no phase.
        assert_eq!(phases.over, Some((LatchId(END as u32), true)));
        assert_eq!(phases.find(|latch| latch.index() == END), Some(0));
        assert_eq!(phases.find(|latch| latch.index() == O), Some(1));
        assert_eq!(phases.find(|latch| latch.index() == CAN_WIN), None);
    }

    #[test]
    fn a_latch_may_say_that_play_goes_on() {
        let mut net = net();
        let end = &mut net.latches[END];
        (end.next, end.initial) = (!end.next, true);
        net.terminal = !net.terminal;
        (net.exclusive, net.covering) = (Vec::new(), Vec::new());
        let phases = phases_of(&net).expect("two phases");
        assert_eq!((phases.count(), phases.over), (2, Some((LatchId(END as u32), false))));
    }

    #[test]
    fn one_of_its_moves_a_player_makes() {
        let mut net = net();
        (net.exclusive, net.covering) = (Vec::new(), Vec::new());
        // The first player has the move again if it has made none.
        let moves = [0, 1].map(|input: usize| Signal::of(net.inputs[input].gate));
        let moved = net.add(Operation::Or, &moves);
        (net.latches[X].next, net.latches[O].next) = (!moved, moved);
        net.latches[END].next = Signal::of(net.inputs[4].gate);
        assert_eq!(phases_of(&net).map(|phases| phases.count()), Some(2));
    }

    #[test]
    fn a_move_that_decides_who_is_next_makes_no_phases() {
        let mut net = net();
        // Either move of the first player goes on, and one leaves it the turn.
        let [again, pass, other] = [0, 1, 3].map(|input: usize| Signal::of(net.inputs[input].gate));
        net.latches[END].next = Signal::of(net.inputs[4].gate);
        net.latches[X].next = net.add(Operation::Or, &[again, other]);
        net.latches[O].next = pass;
        assert_eq!(phases_of(&net), None);
    }

    #[test]
    fn an_end_that_is_no_latch_says_nothing() {
        let mut net = net();
        let ends = [net.terminal, latch(&net, CAN_WIN)];
        net.terminal = net.add(Operation::And, &ends);
        assert_eq!(phases_of(&net), None);
    }
}
