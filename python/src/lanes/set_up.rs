//! What makes lanes of a game: on its net, or on an engine of single states.

use crate::compiled::Compiled;
use gdlr::batch::{Batch, BatchLanes, Width};
use gdlr::budget::{Budget, Exhausted, Meter};
use gdlr::engine::{self, EngineLanes, NumberedEngine};
use gdlr::ground::{GroundError, VocabularyError, vocabulary};
use gdlr::propnet::Propnet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The most moves, facts and percepts that are numbered where there is no net.
const MOST_WORDS: usize = 1 << 20;

/// What makes so many lanes with a seed.
pub(super) type MakeLanes =
    Box<dyn Fn(usize, u64, &Meter<'_>) -> Result<Box<dyn engine::Lanes>, VocabularyError> + Send>;

/// Sets lanes up: on the net, or on any other engine.
pub(super) fn set_up(
    compiled: &Compiled,
    width: Option<Width>,
    stop: &AtomicBool,
    meter: &Meter<'_>,
) -> Result<MakeLanes, VocabularyError> {
    let exhausted = |error: Exhausted| VocabularyError::from(GroundError::from(error));
    let Some(propnet) = compiled.engine.downcast_ref::<Propnet>() else {
        // Trees are made where the budget ran out, and cannot do without it.
        let needed = Budget { interrupted: Some(stop), ..Budget::UNLIMITED };
        let words = vocabulary(compiled.game.clone(), MOST_WORDS, &needed.start())?;
        let numbered = Arc::new(NumberedEngine::new(compiled.engine.clone(), words));
        return Ok(Box::new(move |lanes, seed, _| {
            Ok(Box::new(EngineLanes::new(numbered.clone(), lanes, seed)))
        }));
    };
    let batch = match compiled.lanes(width, stop) {
        Some(batch) => batch,
        // Again, to say why.
        None => {
            let (game, net) = (propnet.game().clone(), propnet.net().clone());
            Arc::new(Batch::within(game, net, meter).map_err(exhausted)?)
        }
    };
    Ok(Box::new(move |lanes, seed, meter| {
        let lanes = BatchLanes::new(batch.clone(), lanes, seed, meter).map_err(exhausted)?;
        Ok(Box::new(lanes))
    }))
}
