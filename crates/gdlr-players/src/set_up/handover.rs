//! An engine at once, a net when it is ready.
//!
//! Trees are made in milliseconds and play slowly; a net takes seconds and plays fast. Who must
//! move soon wants both: the trees to begin with, and the net, then the lanes, from a thread
//! that works at them meanwhile. An automaton has machine code or the interpreter in place of the trees
//! ([`SetUp::start_automaton`]). States go from one engine to another by their facts
//! ([`Engine::enter_facts`](gdlr_engine::engine::Engine::enter_facts)), moves by their terms. Where the
//! state is hidden, what roles know goes over as well
//! ([`Sampler::change_engine`](gdlr_engine::play::sampler::Sampler::change_engine)).

use super::{SetUp, SetUpError};
use gdlr_batch::{Batch, Width};
use gdlr_engine::engine::{AnyEngine, EngineKind};
use gdlr_net::ground::GroundError;
use gdlr_net::net::Net;
use gdlr_net::propnet::Propnet;
use gdlr_rules::gdl::Game;
use gdlr_text::budget::{Budget, Exhausted, Meter};
use gdlr_text::decisions::Decisions;
use gdlr_tree::Tree;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The engines of a game as they become ready; [`SetUp::start`] begins. Dropping it ends the
/// work at those that are not.
pub struct Handover {
    /// The engines that are there at once.
    first: (AnyEngine, EngineKind),
    /// The decisions about these.
    decisions: Decisions,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// The memory that the thread which makes engines shares with those who wait for them.
#[derive(Default)]
pub(super) struct Shared {
    ready: Mutex<Ready>,
    /// Something became ready, or nothing more will.
    changed: Condvar,
    pub(super) stop: Arc<AtomicBool>,
}

/// The engines that are ready.
#[derive(Default)]
pub(super) struct Ready {
    pub(super) propnet: Option<AnyEngine>,
    /// Whether the engine that was there at once plays single states faster than the net.
    pub(super) first_is_faster: bool,
    pub(super) batch: Option<Arc<Batch>>,
    /// The decisions about the engines that are ready.
    pub(super) decisions: Decisions,
    /// Whether nothing more will be ready; why, if something is missing.
    over: Option<Option<Exhausted>>,
}

impl Shared {
    fn ready(&self) -> MutexGuard<'_, Ready> {
        // Nothing panics while it is held.
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self, change: impl FnOnce(&mut Ready)) {
        change(&mut self.ready());
        self.changed.notify_all();
    }
}

/// Says that the thread is over, also if it panics.
struct Over<'s>(&'s Shared, Option<Exhausted>);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.tell(|ready| ready.over = Some(self.1));
    }
}

impl SetUp<'_> {
    /// Makes trees, and begins to make a net and its lanes on a thread of its own. Neither the
    /// kind nor the flag of interruption is looked at.
    ///
    /// ```
    /// # mod gdlr {
    /// #     pub use gdlr_engine::engine;
    /// #     pub use gdlr_rules::gdl;
    /// #     pub use gdlr_players::set_up;
    /// # }
    /// use gdlr::engine::{Engine, EngineKind};
    /// use gdlr::gdl::Game;
    /// use gdlr::set_up::SetUp;
    /// use std::time::Duration;
    ///
    /// let game = Game::from_kif("nim", include_str!("../../../../kif/nim.kif")).unwrap();
    /// let handover = SetUp::default().start(game).unwrap();
    /// let (slow, _) = handover.best(); // trees, or the net if that was quicker
    /// let facts = slow.facts(slow.initial());
    ///
    /// while !handover.wait(Duration::from_secs(60)) {}
    /// let (fast, kind) = handover.best();
    /// assert_eq!(kind, EngineKind::Propnet);
    /// let mut scratch = fast.scratch();
    /// fast.enter_facts(&mut scratch, &facts).unwrap();
    /// assert!(handover.batch().is_some());
    /// ```
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused.
    pub fn start(&self, game: impl Into<Arc<Game>>) -> Result<Handover, SetUpError> {
        self.start_within(game, &Meter::unlimited())
    }

    /// The same; what trees cannot do without is within a budget, too.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused, and when the meter says that its budget is exhausted.
    pub fn start_within(
        &self,
        game: impl Into<Arc<Game>>,
        needed: &Meter<'_>,
    ) -> Result<Handover, SetUpError> {
        let game = game.into();
        // They are there at once: sample play takes a small part of the time.
        let time = self.budget.time / self.tuning.tree_share;
        let wanted = Budget { time, ..Budget::UNLIMITED }.start();
        let tree = Tree::within(game.clone(), &self.tree, needed, &wanted)??;
        let (decisions, tree) = (tree.decisions().clone(), AnyEngine::new(tree));
        let tuning = self.tuning.batch;
        Ok(Handover::begin(
            (tree, EngineKind::Tree),
            decisions,
            &self.budget,
            move |budget, shared| {
                match make(game, &tuning, budget, shared) {
                    Err(GroundError::Exhausted(why)) => Some(why),
                    // The trees have taken the same rules.
                    Ok(()) | Err(GroundError::Refused(_)) => None,
                }
            },
        ))
    }
}

/// Makes what there is to make, one after the other, and tells of each.
fn make(
    game: Arc<Game>,
    tuning: &gdlr_batch::Tuning,
    budget: &Budget<'_>,
    shared: &Shared,
) -> Result<(), GroundError> {
    let (meter, mut decisions) = (budget.start(), Decisions::default());
    let net = Net::tuned(game.clone(), &tuning.net, &meter, &mut decisions)?;
    let propnet = Propnet::tuned(game.clone(), net.clone(), &tuning.net, &meter)?;
    decisions.append(propnet.decisions());
    shared.tell(|ready| {
        ready.propnet = Some(AnyEngine::new(propnet));
        ready.decisions = decisions;
    });
    let batch = Arc::new(Batch::tuned(Width::best(), tuning, game, net, &meter)?);
    shared.tell(|ready| {
        ready.decisions.append(batch.decisions());
        ready.batch = Some(batch);
    });
    Ok(())
}

impl Handover {
    /// Of a game that has one engine only, which is ready. Nothing was decided about it.
    pub fn of_engine(engine: AnyEngine, kind: EngineKind) -> Handover {
        let shared = Shared::default();
        shared.ready().over = Some(None);
        let (shared, decisions) = (Arc::new(shared), Decisions::default());
        Handover { first: (engine, kind), decisions, shared, thread: None }
    }

    /// Has both engines. The first one plays single states faster.
    #[cfg(test)]
    pub(crate) fn of_both(first: (AnyEngine, EngineKind), propnet: AnyEngine) -> Handover {
        let handover = Handover::of_engine(first.0, first.1);
        handover.shared.tell(|ready| {
            (ready.first_is_faster, ready.propnet) = (true, Some(propnet));
        });
        handover
    }

    /// Has the first engine at once; `make` makes the others on a thread of its own, and says by which budget
    /// something is missing. The flag of interruption of the budget is not looked at.
    pub(super) fn begin(
        first: (AnyEngine, EngineKind),
        decisions: Decisions,
        budget: &Budget<'_>,
        make: impl FnOnce(&Budget<'_>, &Shared) -> Option<Exhausted> + Send + 'static,
    ) -> Handover {
        let shared = Arc::new(Shared::default());
        let Budget { time, memory, .. } = *budget;
        let theirs = shared.clone();
        let thread = std::thread::spawn(move || {
            let mut over = Over(&theirs, None);
            let budget = Budget { time, memory, interrupted: Some(&theirs.stop) };
            over.1 = make(&budget, &theirs);
        });
        Handover { first, decisions, shared, thread: Some(thread) }
    }

    /// The engine with the lanes, as far as it is ready, and which it is.
    pub fn best(&self) -> (AnyEngine, EngineKind) {
        match &self.shared.ready().propnet {
            Some(propnet) => (propnet.clone(), EngineKind::Propnet),
            None => self.first.clone(),
        }
    }

    /// The fastest engine for a player that has no use for lanes.
    pub fn best_of_single_states(&self) -> (AnyEngine, EngineKind) {
        let is_first = self.shared.ready().first_is_faster;
        if is_first { self.first.clone() } else { self.best() }
    }

    /// The engine that was there at once: the trees, as a rule.
    pub fn first(&self) -> &AnyEngine {
        &self.first.0
    }

    /// The lanes, when they are ready.
    pub fn batch(&self) -> Option<Arc<Batch>> {
        self.shared.ready().batch.clone()
    }

    /// The decisions about the engines that are ready: first the trees, then the net and its lanes.
    pub fn decisions(&self) -> Decisions {
        let mut decisions = self.decisions.clone();
        decisions.append(&self.shared.ready().decisions);
        decisions
    }

    /// Waits until something more is ready, until nothing more will be, or for so long; whether
    /// nothing more will be.
    pub fn wait(&self, timeout: Duration) -> bool {
        let ready = self.shared.ready();
        if ready.over.is_none() {
            // Whatever wakes it, the caller looks again.
            let waited = self.shared.changed.wait_timeout(ready, timeout);
            return waited.unwrap_or_else(PoisonError::into_inner).0.over.is_some();
        }
        true
    }

    /// Why something will never be ready, if so.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.shared.ready().over.flatten()
    }
}

impl Drop for Handover {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It ends soon; a panic there was told already.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Handover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handover").field("first", &self.first).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr_engine::engine::Engine;
    use gdlr_text::decisions::Part;

    fn nim() -> Game {
        Game::from_kif("nim", include_str!("../../../../kif/nim.kif")).expect("a rulesheet")
    }

    #[test]
    fn all_engines_become_ready() {
        let handover = SetUp::default().start(nim()).expect("a game");
        while !handover.wait(Duration::from_secs(1)) {}
        assert_eq!(handover.best().1, EngineKind::Propnet);
        assert_eq!(handover.batch().expect("lanes").net().roles, 2);
        let decisions = handover.decisions();
        let has = |part| decisions.iter().any(|decision| decision.part == part);
        assert!([Part::Tree, Part::Net, Part::Batch].into_iter().all(has), "{decisions:?}");
        assert_eq!(handover.exhausted(), None);
        let (net, _) = handover.best();
        let facts = handover.first().facts(handover.first().initial());
        let mut scratch = net.scratch();
        net.enter_facts(&mut scratch, &facts).expect("a state");
        assert_eq!(net.state(&scratch), *net.initial());
    }

    #[test]
    fn the_trees_stay_where_there_is_no_net() {
        let budget = Budget { memory: 0, ..Budget::default() };
        let handover = SetUp { budget, ..SetUp::default() }.start(nim()).expect("a game");
        while !handover.wait(Duration::from_secs(1)) {}
        assert_eq!(handover.best().1, EngineKind::Tree);
        assert!(handover.batch().is_none() && handover.exhausted().is_some());
    }

    #[test]
    fn dropping_it_ends_the_work() {
        // Ten to the sixth moves: nothing that is over before the test is.
        let rules = "(role a) (dg 0) (dg 1) (dg 2) (dg 3) (dg 4) (dg 5) (dg 6) (dg 7) (dg 8) (dg 9)
            (<= (legal a (big ?a ?b ?c ?d ?e ?f))
                (dg ?a) (dg ?b) (dg ?c) (dg ?d) (dg ?e) (dg ?f) (true (at ?a)))
            (init (at 0)) (<= (next (at ?b)) (does a (big ?a ?b ?c ?d ?e ?f)))
            (<= terminal (true (at 9))) (goal a 100)";
        let game = Game::from_kif("large", rules).expect("a rulesheet");
        let handover = SetUp::default().start(game).expect("a game");
        let shared = handover.shared.clone();
        drop(handover);
        assert!(shared.ready().over.is_some());
    }
}
