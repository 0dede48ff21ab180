//! Modes: a net unrolled over the turns of a game.
//!
//! The net is copied once for each *mode*, that is for each turn, and simplified with the
//! values that are known there: the moves of the other player are gone, a role with one move
//! makes it. What does not depend on whose turn it is the copies share. All copies follow the
//! state at all times; which of them is asked depends on the mode.
//!
//! Which latches and [signs](super::signs) tell modes apart is found by trying a few sets of them: the one with the
//! least [work](super::activity) is taken if it saves enough, and then another one may be
//! added to it. All copying is linear in the net for each mode.

use super::activity::Activity;
use super::candidates::candidates;
use super::copies::Bounds;
use super::movers::movers;
use super::reachable::{MOST_LATCHES, MOST_TURNS, latch_of, reachable};
use super::unrolled::Unrolled;
use super::{Sign, Turns};
use crate::net::gates::{LatchId, Net};
use crate::net::passes::PAIRS;
use gdlr_text::budget::{Exhausted, Meter};

/// How many sets of latches are put together, for play.
const MOST_SETS: usize = 2;

impl Unrolled {
    /// The net as it suits an engine of single states. More modes take more memory, so they
    /// must save a tenth of the work.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn for_play(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        let activity = Activity::of(net, meter)?;
        let found = Unrolled::search(net, MOST_SETS, 9, &Sign::of(net), &activity, meter)?;
        let with_pairs = (PAIRS.run)(net, meter)?;
        let (net, best) = match found.on(&with_pairs, meter)? {
            Some(paired) if activity.work(&paired) < activity.work(&found) => (&with_pairs, paired),
            _ => (net, found),
        };
        let best = best.with_demand(&activity);
        let by_move = best.clone().by_move(net, meter)?.with_demand(&activity);
        let [work, less] =
            [&best, &by_move].map(|unrolled| activity.work_of_kinds(unrolled).in_reads());
        Ok(if 20 * less <= 19 * work { by_move } else { best })
    }

    /// The same turns for a net with the same latches and moves, if they are told by latches alone.
    fn on(&self, net: &Net, meter: &Meter<'_>) -> Result<Option<Unrolled>, Exhausted> {
        let by_latches = self.turns.signs.is_empty();
        let unrolled = || Unrolled::new(net, self.turns.clone(), Bounds::PLAY, meter);
        by_latches.then(unrolled).transpose()
    }

    /// The net as it suits an automaton, where less work is reason enough.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn for_automaton(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        let activity = Activity::of(net, meter)?;
        let found = Unrolled::search(net, 1, 10, &[], &activity, meter)?;
        Unrolled::new(net, found.turns, Bounds::AUTOMATON, meter)
    }

    /// The net with a mode for each role that may be the only one to choose, if latches tell which
    /// one it is, whoever chooses next. `None` if none do.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn by_mover(net: &Net, meter: &Meter<'_>) -> Result<Option<Unrolled>, Exhausted> {
        let mut roles: Vec<u16> = net.inputs.iter().map(|input| input.role.0).collect();
        roles.sort_unstable();
        roles.dedup();
        if roles.len() < 2 {
            return Ok(None);
        }
        let Some(movers) = movers(net, &[], &roles, meter)? else { return Ok(None) };
        let mut latches: Vec<LatchId> =
            movers.iter().filter_map(|mover| latch_of(net, mover.turn)).collect();
        latches.sort_unstable();
        latches.dedup();
        if latches.len() > MOST_LATCHES {
            return Ok(None);
        }
        let Some(turns) = reachable(net, &latches, &[]) else { return Ok(None) };
        Unrolled::new(net, turns, Bounds::AUTOMATON, meter).map(Some)
    }

    /// The net with one mode, whoever's turn it is.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn undivided(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        Unrolled::new(net, Turns::single(), Bounds::AUTOMATON, meter)
    }

    /// The net copied for each mode, if modes are found that leave so many tenths of the work,
    /// or fewer; latches are added so often at most.
    fn search(
        net: &Net,
        most_sets: usize,
        most_tenths: usize,
        signs: &[Sign],
        activity: &Activity,
        meter: &Meter<'_>,
    ) -> Result<Unrolled, Exhausted> {
        let mut best = Unrolled::single(net, meter)?;
        let mut least = activity.work(&best);
        for _ in 0..most_sets {
            let mut tried: Option<(usize, Unrolled)> = None;
            for (latches, signs) in candidates(net, &best.turns, signs, activity) {
                meter.spend(MOST_TURNS * net.len())?;
                let Some(turns) = reachable(net, &latches, &signs) else { continue };
                let unrolled = Unrolled::new(net, turns, Bounds::PLAY, meter)?;
                let work = activity.work(&unrolled);
                if tried.as_ref().is_none_or(|(least, _)| work < *least) {
                    tried = Some((work, unrolled));
                }
            }
            let Some((work, unrolled)) = tried else { break };
            if 10 * work > most_tenths * least {
                break;
            }
            (best, least) = (unrolled, work);
        }
        Ok(best)
    }
}
