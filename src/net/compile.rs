//! From a game to its optimised net.

use super::gates::Net;
use super::passes::optimise;
use crate::gdl::Game;
use crate::ground::{Budget, Exhausted, Ground, GroundError, Limit};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

impl Net {
    /// The optimised net of a game. A net that is there when the time is over is taken as it
    /// is.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused or the budget runs out before there is a net.
    pub fn of_game(game: impl Into<Arc<Game>>, budget: &Budget<'_>) -> Result<Net, GroundError> {
        let start = Instant::now();
        let ground = Ground::new(game, budget)?;
        let mut spent = ground.spent();
        let net = Net::from_ground(&ground);
        drop(ground);
        let interrupted = || budget.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed));
        let net = optimise(net, &mut |_, _| match interrupted() || start.elapsed() > budget.time {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        if interrupted() {
            spent.time = start.elapsed();
            return Err(Exhausted { limit: Limit::Interrupted, spent }.into());
        }
        Ok(net)
    }
}
