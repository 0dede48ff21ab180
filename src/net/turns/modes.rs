//! Modes: a net unrolled over the turns of a game.
//!
//! The net is copied once for each *mode*, that is for each turn, and simplified with the
//! values that are known there: the moves of the other player are gone, a role with one move
//! makes it. What does not depend on whose turn it is the copies share. All copies follow the
//! state at all times; which of them is asked depends on the mode.
//!
//! Which latches tell modes apart is found by trying a few sets of them: the one with the
//! least [work](super::activity) is taken if it saves enough, and then another one may be
//! added to it. All copying is linear in the net for each mode.

use super::Turns;
use super::activity::Activity;
use super::candidates::candidates;
use super::copies::Copies;
use super::frames::Frame;
use super::reachable::{MOST_TURNS, reachable};
use crate::budget::{Exhausted, Meter};
use crate::net::gates::{LatchId, Net, Signal};

/// How many sets of latches are put together, for play.
const MOST_SETS: usize = 2;

/// A copy of what depends on the mode.
#[derive(Clone, Debug)]
pub(crate) struct Mode {
    /// Whether the state is terminal.
    pub terminal: Signal,
    /// By input: whether it is legal.
    pub legal: Vec<Signal>,
    /// By latch, if there is a next state.
    pub frames: Vec<Frame>,
}

/// What limits how far a net is taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most effects on a latch, more or less.
    pub effects_of_latch: usize,
    /// How much larger than the net the lists of effects may be.
    pub effects_of_wire: usize,
}

impl Bounds {
    /// For play, where what many latches depend on is better computed once.
    pub const PLAY: Bounds = Bounds { effects_of_latch: 1 << 10, effects_of_wire: 4 };
    /// For automata, where each move is to do what it does by itself.
    pub const AUTOMATON: Bounds = Bounds { effects_of_latch: usize::MAX, effects_of_wire: 16 };
}

/// A net with its modes.
#[derive(Clone, Debug)]
pub(crate) struct Unrolled {
    /// The gates of all copies. Latches are those of the net; input `i` in the mode `m` has
    /// the number `m * inputs + i`. Terminal and goals are not copied, all other outputs are
    /// those of the modes.
    pub net: Net,
    /// The turns that the modes are for, in the same order.
    pub turns: Turns,
    /// By the values of the latches that tell turns apart, the first the lowest bit: the mode.
    pub table: Vec<u16>,
    /// By input of the net that was unrolled: its role.
    pub roles: Vec<u16>,
    pub modes: Vec<Mode>,
}

impl Unrolled {
    /// The net as it suits an engine of single states. More modes take more memory, so they
    /// must save a fifth of the work.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn for_play(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        Unrolled::search(net, MOST_SETS, 4, meter)
    }

    /// The net as it suits an automaton, where less work is reason enough.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn for_automaton(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        let found = Unrolled::search(net, 1, 5, meter)?;
        Unrolled::new(net, found.turns, Bounds::AUTOMATON, meter)
    }

    /// A net with one mode.
    pub(super) fn single(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        Unrolled::new(net, Turns::single(), Bounds::PLAY, meter)
    }

    /// The net copied for some turns.
    pub(super) fn new(
        net: &Net,
        turns: Turns,
        bounds: Bounds,
        meter: &Meter<'_>,
    ) -> Result<Unrolled, Exhausted> {
        let mut table = vec![0; 1 << turns.latches.len()];
        for (mode, values) in turns.values.iter().enumerate() {
            table[key(values.iter().copied())] = mode as u16;
        }
        let roles = net.inputs.iter().map(|input| input.role.0).collect();
        let (net, modes) = Copies::of(net, &turns, bounds, meter)?;
        Ok(Unrolled { net, turns, table, roles, modes })
    }

    /// The net copied for each mode, if modes are found that leave so many fifths of the work,
    /// or fewer; latches are added so often at most.
    fn search(
        net: &Net,
        most_sets: usize,
        most_fifths: usize,
        meter: &Meter<'_>,
    ) -> Result<Unrolled, Exhausted> {
        let activity = Activity::of(net, meter)?;
        let mut best = Unrolled::single(net, meter)?;
        let mut least = activity.work(&best);
        for _ in 0..most_sets {
            let mut tried: Option<(usize, Unrolled)> = None;
            for latches in candidates(net, &best.turns.latches, &activity) {
                meter.spend(MOST_TURNS * net.len())?;
                let Some(turns) = reachable(net, &latches) else { continue };
                let unrolled = Unrolled::new(net, turns, Bounds::PLAY, meter)?;
                let work = activity.work(&unrolled);
                if tried.as_ref().is_none_or(|(least, _)| work < *least) {
                    tried = Some((work, unrolled));
                }
            }
            let Some((work, unrolled)) = tried else { break };
            if 5 * work > most_fifths * least {
                break;
            }
            (best, least) = (unrolled, work);
        }
        Ok(best)
    }

    /// The mode of a state.
    pub fn mode(&self, is_true: impl Fn(LatchId) -> bool) -> usize {
        usize::from(self.table[key(self.turns.latches.iter().map(|&latch| is_true(latch)))])
    }

    /// All signals that play asks for.
    pub fn outputs(&self) -> impl Iterator<Item = Signal> + '_ {
        let frames = self.modes.iter().flat_map(|mode| mode.frames.iter().flat_map(Frame::signals));
        let legal = self.modes.iter().flat_map(|mode| mode.legal.iter().copied());
        legal.chain(frames).chain([self.net.terminal])
    }
}

/// The place in the table of modes for such values.
fn key(values: impl DoubleEndedIterator<Item = bool>) -> usize {
    values.rev().fold(0, |key, value| key << 1 | usize::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::turns::reachable::tests::{latch, turns};

    #[test]
    fn players_who_take_turns_have_two_modes() {
        let net = turns();
        let found = reachable(&net, &[LatchId(0), LatchId(1)]).expect("two turns");
        let unrolled =
            Unrolled::new(&net, found, Bounds::PLAY, &Meter::unlimited()).expect("no limit");
        assert_eq!(unrolled.mode(|latch| latch == LatchId(0)), 0);
        assert_eq!(unrolled.mode(|latch| latch == LatchId(1)), 1);
        let not_done = !latch(&unrolled.net, 2);
        let first = &unrolled.modes[0];
        assert_eq!(first.legal, [not_done, Signal::FALSE, Signal::FALSE, Signal::TRUE]);
        // The first player has one move, which it makes; the second waits.
        assert_eq!((first.frames[2].set, first.frames[2].keep), (Signal::TRUE, Signal::FALSE));
        assert_eq!((first.frames[3].set, first.frames[3].keep), (Signal::FALSE, Signal::TRUE));
        assert_eq!(first.frames[0].set, Signal::FALSE);
        assert_eq!(first.frames[1].set, Signal::TRUE);
    }
}
