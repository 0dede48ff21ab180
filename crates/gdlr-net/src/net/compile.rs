//! From a game to its optimised net.

use super::gates::Net;
use super::passes::{optimise, optimise_tuned};
use crate::ground::{Ground, GroundError};
use crate::tuning::Tuning;
use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Budget, Exhausted, Memory, Meter};
use gdlr_text::decisions::Decisions;
use std::sync::Arc;

impl Net {
    /// The optimised net of a game. See [`Net::within`].
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused or the budget runs out.
    pub fn of_game(game: impl Into<Arc<Game>>, budget: &Budget<'_>) -> Result<Net, GroundError> {
        Net::within(game, &budget.start())
    }

    /// The same, with a budget that is spent on other things, too. A net that is there when
    /// three quarters of the time are over, counted from when it is there, is taken as it is:
    /// it must still be laid out.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused or the budget runs out.
    pub fn within(game: impl Into<Arc<Game>>, meter: &Meter<'_>) -> Result<Net, GroundError> {
        Net::tuned(game, &Tuning::default(), meter, &mut Decisions::default())
    }

    /// The same, by bounds of one's own; what is decided is recorded.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused or the budget runs out.
    pub fn tuned(
        game: impl Into<Arc<Game>>,
        tuning: &Tuning,
        meter: &Meter<'_>,
        decisions: &mut Decisions,
    ) -> Result<Net, GroundError> {
        let ground = Ground::tuned(game, tuning, meter)?;
        decisions.append(ground.decisions());
        let net = Net::from_ground(&ground, meter)?;
        drop(ground);
        meter.hold(Memory::Facts, 0);
        meter.hold(Memory::Rules, 0);
        Ok(optimise_tuned(net, tuning, meter, &mut |_, _| (), decisions)?)
    }

    /// The optimised net of a game that has been grounded.
    ///
    /// # Errors
    ///
    /// When the budget runs out.
    pub fn of_ground(ground: &Ground, meter: &Meter<'_>) -> Result<Net, Exhausted> {
        optimise(Net::from_ground(ground, meter)?, meter, &mut |_, _| ())
    }
}
