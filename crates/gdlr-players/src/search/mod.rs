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
mod tree;

pub use crate::tuning::SearchTuning;
#[cfg(feature = "value-net")]
pub use kind::NetPlayer;
pub use kind::{PlayerError, PlayerKind, UnknownPlayer};
pub use leaves::Shape;

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
        let found = self.unsuited.map(str::to_owned);
        match found.or_else(|| guided::unsuited(net, turn)) {
            Some(why) => {
                let no = Decision::new(Part::Search, "value net", format!("no: {why}"));
                self.decisions.record(no);
                None
            }
            None => {
                let chosen = "a tree, by a value net";
                self.decisions.record(Decision::new(Part::Search, "searched", chosen));
                Some(Guided::new(net.clone(), turn.engine.clone(), turn.state))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Clock;
    use gdlr_engine::engine::RoleId;
    use gdlr_net::ground::Budget;
    use gdlr_rules::gdl::Game;
    use std::time::Duration;

    fn engine(name: &str, text: &str) -> AnyEngine {
        let game = Game::from_kif(name, text).expect("a rulesheet");
        AnyEngine::new(Propnet::new(game, &Budget::default()).expect("a net"))
    }

    /// The move that a search chooses after some moves, in words.
    fn answer(engine: &AnyEngine, search: &mut Search, before: &[&[&str]]) -> String {
        answer_within(engine, search, before, Duration::from_secs(60))
    }

    fn answer_within(
        engine: &AnyEngine,
        search: &mut Search,
        before: &[&[&str]],
        time: Duration,
    ) -> String {
        let mut scratch = engine.scratch();
        for joint in before {
            let id = |(role, word): (RoleId, &&str)| {
                let mut legal = Vec::new();
                engine.legal(&mut scratch.clone(), role, &mut legal).expect("moves");
                let is =
                    |id: &&MoveId| engine.move_term(**id).1.canonical(engine.symbols()) == **word;
                *legal.iter().find(is).expect("a legal move")
            };
            let joint: Vec<MoveId> = engine.roles().iter().zip(*joint).map(id).collect();
            engine.step(&mut scratch, &joint).expect("a legal step");
        }
        let role = RoleId((before.len() % 2) as u16);
        let mut legal = Vec::new();
        engine.legal(&mut scratch, role, &mut legal).expect("moves");
        let clock = Clock::new(time);
        let state = engine.state(&scratch);
        let turn = Turn {
            engine,
            state: &state,
            role,
            legal: &legal,
            last: None,
            sampler: None,
            step: before.len() as u64,
            clock: &clock,
            lanes: None,
        };
        engine.move_term(search.play(&turn)).1.canonical(engine.symbols())
    }

    /// A player that prevents a loss in one and takes a win in one, and says why. The game is
    /// small: every position is searched to its end, long before the clock.
    fn sees(engine: &AnyEngine, mut search: Search) {
        let before: [&[&str]; 3] =
            [&["(sign 1 1)", "wait"], &["wait", "(sign 2 2)"], &["(sign 1 2)", "wait"]];
        assert_eq!(answer(engine, &mut search, &before), "(sign 1 3)");
        let Report { estimates, main_line, effort } = search.report().expect("a choice");
        let certain: Vec<Option<u8>> = estimates.iter().map(|e| e.certain).collect();
        assert_eq!(certain, [50, 0, 0, 0, 0, 0].map(Some));
        assert!(main_line.iter().all(|joint| joint.len() == 2));
        assert_eq!(main_line[0][1], estimates[0].id);
        assert!(effort.leaves > 0 && effort.playouts >= effort.leaves && effort.certain > 0);
        assert!(effort.nodes > 10 && effort.memory > effort.nodes * 10 && effort.depth > 1);
        let threat: [&[&str]; 4] = [
            &["(sign 1 1)", "wait"],
            &["wait", "(sign 2 2)"],
            &["(sign 1 2)", "wait"],
            &["wait", "(sign 3 3)"],
        ];
        assert_eq!(answer(engine, &mut search, &threat), "(sign 1 3)");
    }

    fn tictactoe() -> AnyEngine {
        engine("tictactoe", include_str!("../../../../kif/tictactoe.kif"))
    }

    #[test]
    fn a_win_in_one_is_taken_and_a_loss_in_one_is_prevented() {
        let search = Search::new(1, DEFAULT_MEMORY);
        sees(&tictactoe(), search);
    }

    #[test]
    fn playouts_are_counted_and_a_seed_gives_the_same_again() {
        let line = |playouts| {
            let mut search = Search::new(5, DEFAULT_MEMORY).with_playouts(playouts);
            let time = Duration::from_secs(600);
            answer_within(&tictactoe(), &mut search, &[], time);
            search.report().expect("a choice")
        };
        for playouts in [1, 100, 1000] {
            let Report { estimates, effort, .. } = line(playouts);
            assert!(effort.playouts <= playouts && effort.playouts * 2 > playouts, "{effort:?}");
            assert_eq!(estimates, line(playouts).estimates);
        }
        // In a game for one role, too.
        let puzzle = engine("puzzle", include_str!("../../../../kif/eight_puzzle.kif"));
        let mut search = Search::new(5, DEFAULT_MEMORY).with_playouts(500);
        answer_within(&puzzle, &mut search, &[], Duration::from_secs(600));
        assert!(search.report().expect("a choice").effort.playouts <= 500);
    }

    #[test]
    fn what_is_decided_at_the_first_move_is_kept() {
        let chosen = |search: &Search, subject| {
            let decisions = search.decisions();
            decisions.of(Part::Search, subject).map(|decision| decision.chosen.clone().into_owned())
        };
        let mut search = Search::new(1, DEFAULT_MEMORY);
        assert!(search.decisions().is_empty());
        answer_within(&tictactoe(), &mut search, &[], Duration::from_secs(2));
        assert_eq!(chosen(&search, "searched").as_deref(), Some("a tree"));
        assert_eq!(chosen(&search, "leaves").as_deref(), Some("in lanes"));
        let shape = search.shape().map(|shape| shape.to_string());
        assert!(shape.is_none() || shape == chosen(&search, "shape"), "{shape:?}");
        // Lanes that may take next to nothing of the clock are not made.
        let tuning = SearchTuning { layout_share: u32::MAX, ..SearchTuning::default() };
        let mut search = Search::new(1, DEFAULT_MEMORY).with_tuning(tuning);
        answer_within(&tictactoe(), &mut search, &[], Duration::from_secs(2));
        let leaves = chosen(&search, "leaves").expect("it is decided");
        assert!(leaves.starts_with("one by one: lanes"), "{leaves}");
        let puzzle = engine("puzzle", include_str!("../../../../kif/eight_puzzle.kif"));
        let mut search = Search::new(1, DEFAULT_MEMORY).with_playouts(100);
        answer_within(&puzzle, &mut search, &[], Duration::from_secs(60));
        let searched = chosen(&search, "searched").expect("it is decided");
        assert!(searched.starts_with("beams"), "{searched}");
    }

    #[test]
    fn trees_see_the_same() {
        let text = include_str!("../../../../kif/tictactoe.kif");
        let game = Game::from_kif("tictactoe", text).expect("a rulesheet");
        let tree = gdlr_tree::Tree::new(game, &Default::default()).expect("trees");
        sees(&AnyEngine::new(tree), Search::new(1, DEFAULT_MEMORY));
    }

    #[test]
    fn threads_see_the_same_and_so_does_who_thinks_on() {
        sees(&tictactoe(), Search::new(1, DEFAULT_MEMORY).with_threads(3).pondering());
    }

    /// 60 points for sure, or 100 if a coin shows heads. Chance has no goal.
    #[test]
    fn chance_needs_no_goal() {
        let text = "(role a) (role random) (init asked)
            (<= (legal a toss) (true asked)) (<= (legal a safe) (true asked))
            (<= (legal random heads) (true asked)) (<= (legal random tails) (true asked))
            (<= (next safe) (does a safe)) (<= (next won) (does a toss) (does random heads))
            (<= terminal (not (true asked))) (<= (goal a 60) (true safe))
            (<= (goal a 100) (true won)) (<= (goal a 0) (not (true safe)) (not (true won)))";
        let game = Game::from_kif("toss", text).expect("a rulesheet");
        let tree = gdlr_tree::Tree::new(game, &Default::default()).expect("trees");
        for engine in [engine("toss", text), AnyEngine::new(tree)] {
            for seed in 0..4 {
                let mut search = Search::new(seed, DEFAULT_MEMORY);
                let time = Duration::from_millis(100);
                assert_eq!(answer_within(&engine, &mut search, &[], time), "safe");
                let report = search.report().expect("a choice");
                let mean = report.estimates[0].mean.expect("tries");
                assert!((mean - 60.0).abs() < 3.0, "{report:?}");
                // One bad draw is not the end of a move.
                assert!(report.estimates[1].visits > 10, "{report:?}");
            }
        }
    }

    #[test]
    fn without_memory_it_still_sees_what_is_near() {
        let (engine, mut search) = (tictactoe(), Search::new(1, 0));
        let before: [&[&str]; 3] =
            [&["(sign 1 1)", "wait"], &["wait", "(sign 2 2)"], &["(sign 1 2)", "wait"]];
        let chosen = answer_within(&engine, &mut search, &before, Duration::from_millis(300));
        assert_eq!(chosen, "(sign 1 3)");
        assert_eq!(search.report().map(|report| report.effort.nodes), Some(1));
    }

    #[test]
    fn who_must_answer_at_once_gives_a_legal_move() {
        let alone = engine("eight_puzzle", include_str!("../../../../kif/eight_puzzle.kif"));
        for engine in [tictactoe(), alone] {
            let mut legal = Vec::new();
            engine.legal(&mut engine.scratch(), RoleId(0), &mut legal).expect("moves");
            let clock = Clock::stopped_by(Duration::from_secs(60), Arc::new(true.into()));
            let turn = Turn {
                engine: &engine,
                state: engine.initial(),
                role: RoleId(0),
                legal: &legal,
                last: None,
                sampler: None,
                step: 0,
                clock: &clock,
                lanes: None,
            };
            let mut search = Search::new(1, DEFAULT_MEMORY).pondering();
            assert!(legal.contains(&search.play(&turn)));
            assert_eq!(search.report().map(|report| report.effort.playouts), Some(0));
            search.stop(None);
        }
    }

    #[test]
    fn where_another_role_is_stuck_a_legal_move_is_given() {
        let text = "(role a) (role b) (init (at 0)) (legal a left) (legal a right)
            (<= (legal b go) (true (at 1))) (<= (next (at 1)) (does a left)) (goal a 0) (goal b 0)
            (<= terminal (true (at 2)))";
        let engine = engine("stuck", text);
        let mut legal = Vec::new();
        engine.legal(&mut engine.scratch(), RoleId(0), &mut legal).expect("moves");
        let clock = Clock::new(Duration::from_secs(600));
        let turn = Turn {
            engine: &engine,
            state: engine.initial(),
            role: RoleId(0),
            legal: &legal,
            last: None,
            sampler: None,
            step: 0,
            clock: &clock,
            lanes: None,
        };
        assert!(legal.contains(&Search::new(1, DEFAULT_MEMORY).play(&turn)));
        // Nobody waits for the clock.
        assert!(clock.left() > Duration::from_secs(60));
    }
}
