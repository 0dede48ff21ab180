//! Search: choosing moves by looking ahead.
//!
//! | file | what it is for |
//! |---|---|
//! | `tree` | the nodes of states, and the choice of the next move to visit |
//! | `searcher` | Monte Carlo tree search, on several threads |
//! | `sum` | tree search for games with independent parts, with one tree for each part |
//! | `parts` | the independent parts of a game, and the choices of moves in them |
//! | `hidden` | search where the state is hidden: a tree over information states |
//! | `alone` | beam search for games with one role; a beam is the best states of one depth |
//! | `alphabeta` | alpha-beta search, for two roles that move by turns |
//! | `guided` | tree search that a value net guides |
//! | `insight` | properties of a state that the net of the game shows at once |
//! | `mind` | the interface by which the player uses each of these searches |
//! | `kind` | players by name |
//! | `worth` | how much a search finds out in a second, to compare engines by |
//! | `leaves` | plays out the leaves of the tree, hundreds at a time or one by one |
//! | `mast` | playouts one at a time, which prefer moves that did well so far |
//!
//! [`Search`] is the player that uses all these files. If there is a net, leaves are played out in
//! lanes. As long as there is none, leaves are played out one by one, on the engine of the game.

mod alone;
mod alphabeta;
#[cfg(feature = "value-net")]
mod guided;
mod hidden;
mod insight;
mod kind;
mod leaves;
mod mast;
mod mind;
mod parts;
mod searcher;
mod sum;
#[cfg(test)]
mod tests;
mod tree;
mod worth;

pub use crate::tuning::SearchTuning;
#[cfg(feature = "value-net")]
pub use kind::NetPlayer;
pub use kind::{PlayerError, PlayerKind, UnknownPlayer};
pub use leaves::Shape;
pub(crate) use worth::worth_of_a_second;

use crate::player::{Player, Turn};
#[cfg(feature = "value-net")]
use crate::value_net::{Columns, ValueNet};
use alone::Alone;
use alphabeta::{AlphaBeta, Estimates};
use gdlr_batch::Batch;
use gdlr_engine::engine::{AnyEngine, AnyState, Engine, MoveId, choose, seeded};
use gdlr_engine::play::report::Report;
use gdlr_net::propnet::Propnet;
use gdlr_text::budget::Budget;
use gdlr_text::decisions::{Decision, Decisions, Part};
#[cfg(feature = "value-net")]
use guided::Guided;
use hidden::Hidden;
use leaves::{InLanes, Leaves, OneByOne};
use mind::{Limits, Mind, Tries};
use parts::Parts;
use searcher::Searcher;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use sum::Sum;

/// How much memory a search may take by default for what it remembers, in bytes.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// A player that searches: Monte Carlo tree search with its leaves in lanes, or alpha-beta.
pub struct Search {
    seed: u64,
    memory: usize,
    threads: usize,
    ponders: bool,
    way: Way,
    /// Why this way does not suit the game, if that has turned out.
    unsuited: Option<&'static str>,
    shape: Option<Shape>,
    playouts: Option<u64>,
    tuning: SearchTuning,
    present: Present,
    /// The decisions when the present search began.
    decisions: Decisions,
    report: Option<Report>,
}

/// How to search where that suits.
enum Way {
    /// By playouts, as suits the game.
    Playouts,
    AlphaBeta,
    #[cfg(feature = "value-net")]
    AlphaBetaWith(Arc<ValueNet>),
    #[cfg(feature = "value-net")]
    Guided(Arc<ValueNet>),
}

/// The state of a search.
enum Present {
    /// Nothing: it has not begun.
    Nothing,
    /// It rests. Whether it plays out in lanes, or never will.
    Resting(Box<dyn Mind>, bool),
    /// It thinks on the time of others, until it is told to stop.
    Pondering(Arc<AtomicBool>, JoinHandle<Box<dyn Mind>>, bool),
}

impl Search {
    /// A player that takes so much memory for what it remembers, in bytes: its tree and, where the
    /// state is hidden, the candidates of the sampler, which has its own bound on how many they
    /// are. `seed` is that of its random choices.
    pub fn new(seed: u64, memory: usize) -> Search {
        let present = Present::Nothing;
        let (threads, ponders, shape, playouts) = (1, false, None, None);
        let (way, unsuited) = (Way::Playouts, None);
        let (tuning, decisions, report) = (SearchTuning::default(), Decisions::default(), None);
        Search {
            seed,
            memory,
            threads,
            ponders,
            way,
            unsuited,
            shape,
            playouts,
            tuning,
            present,
            decisions,
            report,
        }
    }

    /// The same; it begins by bounds of one's own.
    pub fn with_tuning(mut self, tuning: SearchTuning) -> Search {
        self.tuning = tuning;
        self
    }

    /// The same on so many threads; one at least. What several of them find depends on which was
    /// quicker. Games for one role, those with independent parts and those with hidden states are
    /// searched on one thread.
    pub fn with_threads(mut self, threads: usize) -> Search {
        self.threads = threads.max(1);
        self
    }

    /// The same by alpha-beta search, in games for two roles that move by turns, without chance and
    /// with nothing hidden. Other games are searched as without it, and the decision `alpha-beta`
    /// says why. It searches on one thread.
    pub fn by_alpha_beta(mut self) -> Search {
        self.way = Way::AlphaBeta;
        self
    }

    /// The same by [alpha-beta search](Search::by_alpha_beta), with the estimates of a value net in the
    /// game that it was learned for. In other games the decision `value net` says why it is not used.
    #[cfg(feature = "value-net")]
    pub fn by_alpha_beta_with(mut self, net: Arc<ValueNet>) -> Search {
        self.way = Way::AlphaBetaWith(net);
        self
    }

    /// The same with a value net instead of playouts, in the game that it was learned for. Other games,
    /// games with chance or hidden states, and those in which several roles choose at once are searched
    /// as without it, and the decision `value net` says why. It searches on one thread.
    #[cfg(feature = "value-net")]
    pub fn guided_by(mut self, net: Arc<ValueNet>) -> Search {
        self.way = Way::Guided(net);
        self
    }

    /// The same; between its turns it goes on thinking.
    pub fn pondering(mut self) -> Search {
        self.ponders = true;
        self
    }

    /// The same; so many leaves are played out at once, and so often, whatever seems best at the
    /// start.
    pub fn with_shape(mut self, shape: Shape) -> Search {
        self.shape = Some(shape);
        self
    }

    /// The same; a turn ends after so many playouts if its clock is not over before. What needs no
    /// playout, such as looking at a state whose value is certain, counts as one. Every playout is
    /// one of another leaf, and few leaves are played out at once, unless a shape is set: the choice
    /// is as good as so many playouts can make it. With one thread, the same seed makes it again.
    pub fn with_playouts(mut self, playouts: u64) -> Search {
        self.playouts = Some(playouts);
        let SearchTuning { playout_rounds, leaves_at_once, .. } = self.tuning;
        let leaves = (playouts / playout_rounds).clamp(1, leaves_at_once) as usize;
        self.shape = self.shape.or(Some(Shape { leaves, each: 1 }));
        self
    }

    /// How many leaves are played out at once, once that has been measured.
    pub fn shape(&self) -> Option<Shape> {
        match &self.present {
            Present::Resting(mind, _) => mind.shape(),
            Present::Nothing | Present::Pondering(..) => None,
        }
    }

    /// Ends the thinking on the time of others, and gives what was found. `None` at first, and
    /// where the engine is another one by now or has lanes by now.
    fn come_back(&mut self, turn: &Turn<'_>) -> Option<(Box<dyn Mind>, bool)> {
        let (mind, settled) = match std::mem::replace(&mut self.present, Present::Nothing) {
            Present::Nothing => return None,
            Present::Resting(mind, settled) => (mind, settled),
            Present::Pondering(stop, thread, settled) => {
                stop.store(true, Ordering::Relaxed);
                (thread.join().ok()?, settled)
            }
        };
        let suits = mind.engine().is(turn.engine) && (settled || turn.lanes.is_none());
        suits.then_some((mind, settled))
    }

    /// A search from the state of a turn, and whether it plays out in lanes or never will. Which one it is
    /// is recorded.
    fn begin(&mut self, turn: &Turn<'_>) -> (Box<dyn Mind>, bool) {
        self.decisions = Decisions::default();
        #[cfg(feature = "value-net")]
        if let Some(guided) = self.guided(turn) {
            // It has no use for lanes.
            return (Box::new(guided), true);
        }
        let (engine, state) = (turn.engine.clone(), turn.state);
        let propnet = engine.downcast_ref::<Propnet>();
        let lanes = propnet.and_then(|propnet| {
            turn.lanes.cloned().or_else(|| {
                let time = turn.clock.left() / self.tuning.layout_share;
                let stop = Some(turn.clock.stop());
                let budget = Budget { time, memory: self.memory, interrupted: stop };
                let (game, net) = (propnet.game().clone(), propnet.net().clone());
                Batch::within(game, net, &budget.start()).ok().map(Arc::new)
            })
        });
        let beam_width = self.tuning.beam_width;
        let layout_share = u64::from(self.tuning.layout_share);
        let leaves = match (&lanes, propnet) {
            (Some(_), _) => "in lanes",
            (None, Some(_)) => "one by one: lanes were not made in their share of the clock",
            (None, None) => "one by one: there is no net",
        };
        let leaves = Decision::new(Part::Search, "leaves", leaves);
        self.decisions.record(leaves.bound("layout_share", layout_share));
        let what = |chosen: &'static str| Decision::new(Part::Search, "searched", chosen);
        let alpha_beta = match &self.way {
            Way::AlphaBeta => true,
            #[cfg(feature = "value-net")]
            Way::AlphaBetaWith(_) => true,
            _ => false,
        };
        let unsuited = || self.unsuited.or(alphabeta::unsuited(turn));
        match alpha_beta.then(unsuited) {
            None => {}
            Some(Some(why)) => {
                let no = Decision::new(Part::Search, "alpha-beta", format!("no: {why}"));
                self.decisions.record(no);
            }
            Some(None) => {
                self.decisions.record(what("alpha-beta"));
                let (seed, estimates) = (self.seed, self.estimates(turn));
                return match lanes {
                    Some(lanes) => {
                        let leaves = InLanes::new(lanes);
                        (Box::new(AlphaBeta::new(engine, state, leaves, seed, estimates)), true)
                    }
                    None => {
                        let leaves = OneByOne::new();
                        (Box::new(AlphaBeta::new(engine, state, leaves, seed, estimates)), false)
                    }
                };
            }
        }
        if turn.sampler.is_some() {
            self.decisions.record(what("what roles know: the state is hidden"));
            let (seed, shape) = (self.seed, self.shape);
            return match lanes {
                Some(lanes) => {
                    (Box::new(Hidden::new(turn, InLanes::new(lanes), seed, shape)), true)
                }
                None => (Box::new(Hidden::new(turn, OneByOne::new(), seed, shape)), false),
            };
        }
        match lanes {
            Some(batch) => {
                let leaves = InLanes::new(batch);
                let (seed, shape) = (self.seed, self.shape);
                let parts = propnet.and_then(|propnet| self.parts(propnet, turn));
                let decision = match (engine.roles().count(), &parts) {
                    (1, None) => what("beams: there is one role"),
                    (1, Some(_)) => what("beams in independent parts: there is one role"),
                    (_, Some(_)) => what("a tree for each independent part"),
                    (_, None) => what("a tree"),
                };
                let parts_found = parts.as_ref().map_or(1, Parts::count);
                let states = self.tuning.parts_states;
                let decision = decision.measured("parts", parts_found);
                self.decisions.record(decision.bound("parts_states", states));
                let mind: Box<dyn Mind> = match (engine.roles().count(), parts) {
                    (1, parts) => {
                        Box::new(Alone::new(engine, parts, state, leaves, seed, beam_width))
                    }
                    (_, Some(parts)) => {
                        Box::new(Sum::new(engine, parts, state, leaves, seed, shape))
                    }
                    (_, None) => self.searcher(engine, state, leaves),
                };
                (mind, true)
            }
            None if engine.roles().count() == 1 => {
                self.decisions.record(what("beams: there is one role"));
                let (leaves, seed) = (OneByOne::new(), self.seed);
                (Box::new(Alone::new(engine, None, state, leaves, seed, beam_width)), false)
            }
            None => {
                self.decisions.record(what("a tree"));
                (self.searcher(engine, state, OneByOne::learning()), false)
            }
        }
    }

    /// The estimates of alpha-beta search.
    #[cfg(not(feature = "value-net"))]
    fn estimates(&mut self, _: &Turn<'_>) -> Estimates {
        Estimates::learned()
    }

    /// The estimates of alpha-beta search: those of the value net, if there is one and it suits the game.
    #[cfg(feature = "value-net")]
    fn estimates(&mut self, turn: &Turn<'_>) -> Estimates {
        let Way::AlphaBetaWith(net) = &self.way else { return Estimates::learned() };
        match Columns::new(net.clone(), turn.engine) {
            Ok(columns) => {
                self.decisions.record(Decision::new(Part::Search, "value net", "yes"));
                Estimates::Net(Box::new(columns))
            }
            Err(why) => {
                let no = Decision::new(Part::Search, "value net", format!("no: {why}"));
                self.decisions.record(no);
                Estimates::learned()
            }
        }
    }

    /// A search that the value net guides, if there is one and it suits the game.
    #[cfg(feature = "value-net")]
    fn guided(&mut self, turn: &Turn<'_>) -> Option<Guided> {
        let Way::Guided(net) = &self.way else { return None };
        let found = self.unsuited.map_or(Ok(()), |why| Err(why.to_owned()));
        match found.and_then(|()| guided::columns(net, turn)) {
            Err(why) => {
                let no = Decision::new(Part::Search, "value net", format!("no: {why}"));
                self.decisions.record(no);
                None
            }
            Ok(columns) => {
                let chosen = "a tree, by a value net";
                self.decisions.record(Decision::new(Part::Search, "searched", chosen));
                Some(Guided::new(columns, turn.engine.clone(), turn.state))
            }
        }
    }

    /// The independent parts of a game.
    fn parts(&self, propnet: &Propnet, turn: &Turn<'_>) -> Option<Parts> {
        let start = turn.clock.left();
        let is_over =
            || turn.clock.is_over() || turn.clock.left() < start - start / self.tuning.parts_share;
        Parts::find(propnet, &mut seeded(self.seed, 0), &self.tuning, &is_over)
    }

    fn searcher<L: Leaves>(&self, engine: AnyEngine, state: &AnyState, leaves: L) -> Box<dyn Mind> {
        let Search { seed, threads, shape, .. } = *self;
        Box::new(Searcher::new(engine, state, leaves, seed, threads, shape, &self.tuning))
    }
}

impl Player for Search {
    fn waits_for_lanes(&self) -> bool {
        true
    }

    fn plays_in_lanes(&self) -> bool {
        matches!(self.way, Way::Playouts)
    }

    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        let (mut mind, mut settled) = match self.come_back(turn) {
            Some((mut mind, settled)) => {
                mind.go_to(turn);
                (mind, settled)
            }
            None => self.begin(turn),
        };
        self.report = None;
        if turn.legal.len() > 1 {
            let tries = Tries::new(self.playouts);
            let is_over = || tries.are_over() || turn.clock.is_over();
            let limits = Limits { memory: self.memory, is_over: &is_over, tries: &tries };
            mind.run(&limits);
            if let Some(why) = mind.unsuited() {
                self.unsuited = Some(why);
                (mind, settled) = self.begin(turn);
                mind.run(&limits);
            }
            self.report = Some(mind.report(turn.role));
        }
        let best = mind.best(turn.role).filter(|best| turn.legal.contains(best));
        self.present = match self.ponders {
            false => Present::Resting(mind, settled),
            true => {
                let (stop, memory) = (Arc::new(AtomicBool::new(false)), self.memory);
                let theirs = stop.clone();
                let thread = std::thread::spawn(move || {
                    let is_over = || theirs.load(Ordering::Relaxed);
                    mind.run(&Limits { memory, is_over: &is_over, tries: &Tries::new(None) });
                    mind
                });
                Present::Pondering(stop, thread, settled)
            }
        };
        let any = || choose(turn.legal, &mut seeded(self.seed ^ turn.step, 0));
        best.or_else(any).expect("there is a legal move")
    }

    fn report(&self) -> Option<Report> {
        self.report.clone()
    }

    fn decisions(&self) -> Decisions {
        let mut decisions = self.decisions.clone();
        if let Present::Resting(mind, _) = &self.present {
            decisions.append(&mind.decisions());
        }
        decisions
    }

    fn stop(&mut self, _: Option<u8>) {
        // A thread that thinks on ends by itself then.
        if let Present::Pondering(stop, ..) = std::mem::replace(&mut self.present, Present::Nothing)
        {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.stop(None);
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Search { seed, memory, threads, ponders, .. } = self;
        let mut debug = f.debug_struct("Search");
        debug.field("seed", seed).field("memory", memory).field("threads", threads);
        debug.field("ponders", ponders).finish_non_exhaustive()
    }
}
