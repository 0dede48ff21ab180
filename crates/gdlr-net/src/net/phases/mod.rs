//! Phases: parts of play in which some latches of a net have known values.
//!
//! The turn of one player is a phase, for example; the phases of a game are its turn structure. Without phases, most gates
//! that change in a step change because a turn ends: the moves of one player cease to be legal, and the moves of the
//! other become legal. A net is made smaller for a phase by putting in the known values (partial evaluation). It loses
//! the moves of the player who waits, and their effects:
//!
//! ```text
//! legal(m) = white and p          with white: p         with black: false
//! next(l) = m or (l and not n)    with white: as is     with black: l
//! ```
//!
//! [`Phases`] has some latches, and their values in each phase. An indicator, which is an Or of latches, may take the place
//! of a latch. There are four ways to find such latches:
//!
//! | file | latches |
//! |---|---|
//! | [`cycle`] | latches that change periodically, whatever is played |
//! | [`playing`] | latches that do so until the end of play |
//! | [`decided`], [`movers`](mod@movers) | latches that say whose turn it is, if moves decide about that |
//! | [`reachable`], [`candidates`] | a few proposed latches, and the values that can follow their values |
//!
//! | file | content |
//! |---|---|
//! | [`indicators`] | Ors of latches that tell phases apart |
//! | [`choices`] | the moves of a phase: one that cannot be legal is not made, and the only legal one of a role is made |
//! | [`activity`] | a short random play, which counts how often gates change |
//!
//! Two other modules copy the net by phase: [`Unrolled`](crate::propnet) for single states and automata, and `PhaseNets` of
//! the crate `gdlr-batch` for lanes.

pub(crate) mod activity;
pub(crate) mod candidates;
pub(crate) mod choices;
mod cycle;
mod decided;
mod indicators;
mod movers;
mod playing;
pub(crate) mod reachable;

#[cfg(any(test, feature = "testing"))]
pub use decided::GOES_ON;
pub use indicators::Indicator;
pub use movers::{Mover, movers};

use super::gates::{GateId, LatchId, Net, Signal};
use super::rebuild::Replaced;
use cycle::{MOST_PHASES, cycle, cycle_with};
use decided::{decided, frequencies};
use gdlr_text::budget::{Exhausted, Meter};
use playing::while_playing;

/// Latches that tell phases apart, with their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phases {
    /// The latches.
    pub latches: Vec<LatchId>,
    /// The indicators that tell phases apart beside these latches.
    pub indicators: Vec<Indicator>,
    /// By phase: the values of these latches, in their order, then of the indicators. That of the
    /// initial state is the first.
    pub values: Vec<Vec<bool>>,
    /// The latch with the value that it has where play is over, if it need be no phase there.
    pub over: Option<(LatchId, bool)>,
}

impl Phases {
    /// One phase, of which nothing is known.
    pub fn single() -> Phases {
        Phases { latches: Vec::new(), indicators: Vec::new(), values: vec![Vec::new()], over: None }
    }

    /// The phases that come round, whatever is played or as long as play goes on; one in a game
    /// without turns. Linear in the net.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn around(net: &Net, meter: &Meter<'_>) -> Result<Phases, Exhausted> {
        meter.spend((1 + MOST_PHASES) * (net.len() + net.wires()))?;
        let mut phases = cycle(net);
        if phases.count() == 1 {
            phases = while_playing(net, meter)?.unwrap_or(phases);
        }
        // Indicators go with latches that go round in any case.
        let indicators = if phases.over.is_none() { Indicator::of(net) } else { Vec::new() };
        for indicator in indicators {
            meter.spend((1 + MOST_PHASES) * (net.len() + net.wires()))?;
            if let Some(longer) = cycle_with(net, &phases.latches, &indicator)
                && (phases.count() + 1..=MOST_PHASES).contains(&longer.count())
            {
                phases = longer;
            }
        }
        Ok(phases)
    }

    /// The phases about which moves decide; `None` if no latches tell whose turn it is. With each phase
    /// comes how often its net is computed for a step of a game, where games in different phases wait
    /// for each other. Linear in the net, for every 32 latches.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn decided(net: &Net, meter: &Meter<'_>) -> Result<Option<(Phases, Vec<f64>)>, Exhausted> {
        let Some(phases) = decided(net, meter)? else { return Ok(None) };
        let frequencies = frequencies(net, &phases, meter)?;
        Ok(Some((phases, frequencies)))
    }

    /// How many phases there are.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The latches, and their values in a phase.
    pub fn known(&self, phase: usize) -> impl Iterator<Item = (LatchId, bool)> + '_ {
        self.latches.iter().copied().zip(self.values[phase].iter().copied())
    }

    /// The phase of a state in which these latches are true, if it is one of them. Where play is
    /// over any of them may do.
    pub fn find(&self, is_true: impl Fn(LatchId) -> bool) -> Option<usize> {
        if self.over.is_some_and(|(latch, value)| is_true(latch) == value) {
            return Some(0);
        }
        self.values.iter().position(|values| {
            let (latches, indicators) = values.split_at(self.latches.len());
            latches.iter().zip(&self.latches).all(|(&value, &latch)| is_true(latch) == value)
                && indicators
                    .iter()
                    .zip(&self.indicators)
                    .all(|(&value, indicator)| indicator.is_true(&is_true) == value)
        })
    }

    /// Gates that are known in a phase, beside the latches that tell it apart: its indicators, and the
    /// latches of those that are false.
    pub fn implied(&self, net: &Net, phase: usize) -> Vec<(GateId, bool)> {
        let values = &self.values[phase][self.latches.len()..];
        let mut implied = Vec::new();
        for (indicator, &value) in self.indicators.iter().zip(values) {
            implied.push((indicator.gate, value));
            let latches = indicator.latches.iter().filter(|_| !value);
            implied.extend(latches.map(|latch| (net.latches[latch.index()].gate, false)));
        }
        implied
    }

    /// Puts the values of a phase in the place of the latches and indicators.
    pub fn replaced(&self, net: &Net, phase: usize) -> Replaced {
        let latches = vec![None; net.latches.len()];
        let known = self.implied(net, phase);
        let mut replaced = Replaced { latches, known, ..Replaced::default() };
        for (latch, value) in self.known(phase) {
            replaced.latches[latch.index()] = Some(Signal::constant(value));
        }
        replaced
    }
}
