//! Which phases a net is copied for.
//!
//! Which latches and [indicators](Indicator) tell phases apart is found by trying a few sets of them: the one
//! with the least [work](super::work) is taken if it saves enough, and then another one may be added
//! to it. All copying is linear in the net for each phase.

use super::Unrolled;
use super::copies::Bounds;

use crate::net::phases::activity::Activity;
use crate::net::phases::candidates::candidates;
use crate::net::phases::reachable::{MOST_LATCHES, MOST_PHASES, latch_of, reachable};
use crate::net::phases::{Indicator, Phases, movers};
use crate::net::{LatchId, Net, fast_extract};
use crate::tuning::Tuning;
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};

/// The phases that the search has chosen.
struct ChosenPhases {
    best: Unrolled,
    /// The work with one phase.
    single: usize,
    /// The work with these phases.
    work: usize,
}

impl Unrolled {
    /// The net as it suits an engine of single states. More phases take more memory, so they
    /// must save some of the work. What is chosen is recorded.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn for_play(
        net: &Net,
        tuning: &Tuning,
        meter: &Meter<'_>,
        decisions: &mut Decisions,
    ) -> Result<Unrolled, Exhausted> {
        let activity = Activity::of(net, meter)?;
        let Tuning { phase_sets, phase_tenths, by_move_twentieths, .. } = *tuning;
        let unrolled =
            Unrolled::search(net, phase_sets, phase_tenths, &Indicator::of(net), &activity, meter)?;
        let ChosenPhases { best: unrolled, single, work } = unrolled;
        decisions.record(
            Decision::new(Part::Net, "phases", unrolled.phases.count().to_string())
                .measured("work", single)
                .measured("then", work)
                .bound("phase_tenths", phase_tenths),
        );
        let with_pairs = fast_extract(net, tuning, meter)?;
        let paired = unrolled.on(&with_pairs, meter)?;
        let paired = paired.map(|paired| (activity.work(&paired), paired));
        if let Some((less, _)) = paired {
            let chosen = if less < work { "made gates" } else { "left" };
            let decision = Decision::new(Part::Net, "pairs", chosen);
            decisions.record(decision.measured("work", work).measured("then", less));
        }
        let (net, best) = match paired {
            Some((less, paired)) if less < work => (&with_pairs, paired),
            _ => (net, unrolled),
        };
        let best = best.with_demand(&activity);
        let by_move = best.clone().by_move(net, meter)?.with_demand(&activity);
        let [work, less] =
            [&best, &by_move].map(|unrolled| activity.work_of_kinds(unrolled).in_reads());
        let is_by_move = 20 * less <= by_move_twentieths * work;
        decisions.record(
            Decision::new(Part::Net, "effects", if is_by_move { "by move" } else { "by latch" })
                .measured("reads", work)
                .measured("then", less)
                .bound("by_move_twentieths", by_move_twentieths),
        );
        Ok(if is_by_move { by_move } else { best })
    }

    /// The same phases for a net with the same latches and moves, if they are told by latches alone.
    fn on(&self, net: &Net, meter: &Meter<'_>) -> Result<Option<Unrolled>, Exhausted> {
        let by_latches = self.phases.indicators.is_empty();
        let unrolled = || Unrolled::new(net, self.phases.clone(), Bounds::PLAY, meter);
        by_latches.then(unrolled).transpose()
    }

    /// The net as it suits an automaton, where less work is reason enough.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn for_automaton(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        let activity = Activity::of(net, meter)?;
        let unrolled = Unrolled::search(net, 1, 10, &[], &activity, meter)?;
        Unrolled::new(net, unrolled.best.phases, Bounds::AUTOMATON, meter)
    }

    /// The net with a phase for each role that may be the only one to choose, if latches tell which
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
        let Some(phases) = reachable(net, &latches, &[]) else { return Ok(None) };
        Unrolled::new(net, phases, Bounds::AUTOMATON, meter).map(Some)
    }

    /// The net with one phase, whoever's turn it is.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn undivided(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        Unrolled::new(net, Phases::single(), Bounds::AUTOMATON, meter)
    }

    /// The net copied for each phase, if phases are found that leave so many tenths of the work,
    /// or fewer; latches are added so often at most.
    fn search(
        net: &Net,
        most_sets: usize,
        most_tenths: usize,
        indicators: &[Indicator],
        activity: &Activity,
        meter: &Meter<'_>,
    ) -> Result<ChosenPhases, Exhausted> {
        let mut best = Unrolled::single(net, meter)?;
        let single = activity.work(&best);
        let mut least = single;
        for _ in 0..most_sets {
            let mut tried: Option<(usize, Unrolled)> = None;
            for (latches, indicators) in candidates(net, &best.phases, indicators, activity) {
                meter.spend(MOST_PHASES * net.len())?;
                let Some(phases) = reachable(net, &latches, &indicators) else { continue };
                let unrolled = Unrolled::new(net, phases, Bounds::PLAY, meter)?;
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
        Ok(ChosenPhases { best, single, work: least })
    }
}
