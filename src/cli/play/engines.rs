//! The engines of a game in the terminal: trees at once, a net when it is ready.

use crate::cli::engine::{self, EngineArguments, SetUpArguments};
use crate::cli::playable::Playable;
use crate::cli::status::Failure;
use crate::cli::{interrupt, output, progress};
use gdlr::batch::Batch;
use gdlr::budget::{Budget, Exhausted};
use gdlr::engine::{AnyEngine, Engine, EngineKind};
use gdlr::set_up::Handover;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the first board waits for a net. Most games have theirs by then, and are played by one
/// engine from the beginning to the end.
const PATIENCE: Duration = Duration::from_millis(500);

/// The engines of a game.
pub struct Engines {
    first: AnyEngine,
    kind: EngineKind,
    /// The net that became ready after play had begun.
    net: OnceCell<AnyEngine>,
    /// Whether it has been said that there will be no net.
    is_told: Cell<bool>,
    /// The thread that makes the net and its lanes, where the choice is automatic and the game has rules.
    handover: Option<Handover>,
    /// The lanes of the first engine where nothing else makes them, once somebody needed them.
    lanes: OnceCell<Option<Arc<Batch>>>,
}

impl Engines {
    /// Makes the engine with which play begins; prints why there is none, or that there will be no
    /// net.
    pub fn make(playable: &Playable, arguments: &EngineArguments) -> Result<Engines, Failure> {
        let rules = match playable {
            Playable::Rules(rules) if arguments.engine == EngineKind::Auto => rules,
            _ => {
                let engine::TimedEngine { engine: first, kind, .. } =
                    engine::make(playable, arguments)?;
                return Ok(Engines::new(first, kind, None));
            }
        };
        let needed = Budget { interrupted: Some(&interrupt::STOP), ..Budget::UNLIMITED };
        let set_up = arguments.how.set_up(arguments.engine);
        let spinner = progress::spinner();
        spinner.set_message("setting up");
        let handover = interrupt::at_once(|| {
            let handover = set_up.start_within(rules.game.clone(), &needed.start())?;
            // Observations of a hidden state are known to one engine.
            let end = (!handover.first().has_percepts()).then(|| Instant::now() + PATIENCE);
            let left = || end.map_or(PATIENCE, |end| end.saturating_duration_since(Instant::now()));
            while handover.best().1 == EngineKind::Tree
                && !left().is_zero()
                && !handover.wait(left())
            {}
            Ok(handover)
        });
        spinner.finish_and_clear();
        let handover = handover.map_err(|error| engine::refused(&rules.source, &error, ""))?;
        let (first, kind) = handover.best();
        let engines = Engines::new(first, kind, Some(handover));
        engines.tell();
        Ok(engines)
    }

    fn new(first: AnyEngine, kind: EngineKind, handover: Option<Handover>) -> Engines {
        let (net, lanes) = (OnceCell::new(), OnceCell::new());
        Engines { first, kind, net, is_told: Cell::new(false), handover, lanes }
    }

    /// Prints once that there will be no net, when that is known.
    pub fn tell(&self) {
        if let Some(exhausted) = self.reason_for_no_net() {
            output::note(&format!("playing with engine tree: {exhausted}"));
        }
    }

    /// Why there will be no net, if so; once.
    fn reason_for_no_net(&self) -> Option<Exhausted> {
        let handover = self.handover.as_ref()?;
        let exhausted = handover.exhausted().filter(|_| handover.best().1 == EngineKind::Tree)?;
        (!self.is_told.replace(true)).then_some(exhausted)
    }

    /// The engine with which play begins.
    pub fn first(&self) -> &AnyEngine {
        &self.first
    }

    /// The net, if play began without it and it is ready now.
    pub fn net(&self) -> Option<&AnyEngine> {
        let handover = self.handover.as_ref()?;
        if self.kind != EngineKind::Tree {
            return None;
        }
        match handover.best() {
            (net, EngineKind::Propnet) => Some(self.net.get_or_init(|| net)),
            _ => None,
        }
    }

    /// Waits until all that will be ready is, or the user wants no more.
    pub fn settle(&self) {
        if let Some(handover) = &self.handover {
            while !interrupt::raised() && !handover.wait(PATIENCE) {}
        }
    }

    /// The lanes of the net, if there is one and they are ready.
    pub fn lanes(&self, how: &SetUpArguments) -> Option<Arc<Batch>> {
        match &self.handover {
            Some(handover) => handover.batch(),
            None => self.lanes.get_or_init(|| engine::lanes(&self.first, how)).clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::play::game_position::GamePosition;
    use gdlr::gdl::Game;
    use gdlr::set_up::SetUp;

    /// The engines of nim, all of them ready.
    fn ready(first: impl FnOnce(&Handover) -> (AnyEngine, EngineKind)) -> Engines {
        let game =
            Game::from_kif("nim", include_str!("../../../kif/nim.kif")).expect("a rulesheet");
        let handover = SetUp::default().start(game).expect("a game");
        let ((first, kind), handover) = (first(&handover), Some(handover));
        let engines = Engines::new(first, kind, handover);
        engines.settle();
        engines
    }

    #[test]
    fn a_net_takes_over_from_where_trees_have_come() {
        let engines = ready(|handover| (handover.first().clone(), EngineKind::Tree));
        let (tree, net) = (engines.first(), engines.net().expect("it is ready"));
        assert!(std::ptr::eq(net, engines.net().expect("the same")) && !std::ptr::eq(tree, net));

        let mut scratch = tree.scratch();
        tree.enter(&mut scratch, tree.initial());
        let (mut joint, mut legal) = (Vec::new(), Vec::new());
        for role in tree.roles().iter() {
            tree.legal(&mut scratch, role, &mut legal).expect("little work");
            joint.push(legal[0]);
        }
        tree.step(&mut scratch, &joint).expect("legal moves");
        let (before, state) = (Some(tree.initial().clone()), tree.state(&scratch));
        let place =
            GamePosition { state, step: 1, last: Vec::new(), before, observations: Vec::new() };
        let there = place.on(tree, net).expect("the net has all states");
        let facts = |engine: &AnyEngine, state| {
            let mut facts = engine.facts(state);
            facts.sort_unstable();
            facts
        };
        assert_eq!(there.before.as_ref(), Some(net.initial()));
        assert_eq!(facts(net, &there.state), facts(tree, &place.state));
        assert_ne!(there.state, *net.initial());
    }

    #[test]
    fn that_there_will_be_no_net_is_told_once() {
        let budget = Budget { time: Duration::ZERO, ..Budget::default() };
        let set_up = SetUp { budget, ..SetUp::default() };
        let game =
            Game::from_kif("nim", include_str!("../../../kif/nim.kif")).expect("a rulesheet");
        let handover = set_up.start(game).expect("a game");
        let engines = Engines::new(handover.first().clone(), EngineKind::Tree, Some(handover));
        engines.settle();
        assert!(engines.net().is_none());
        let reasons = [engines.reason_for_no_net(), engines.reason_for_no_net()];
        assert_eq!(reasons.map(|reason| reason.is_some()), [true, false]);
    }

    #[test]
    fn what_was_made_first_is_not_gone_over_to() {
        let engines = ready(|handover| {
            while !handover.wait(PATIENCE) {}
            handover.best()
        });
        assert!(engines.net().is_none());
    }
}
