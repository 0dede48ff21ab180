//! Who plays a role: the trait that players implement.
//!
//! A player is asked by whoever runs a match: a manager on this machine, the service that
//! answers one over HTTP, the terminal. It is told the state and its legal moves and gives one
//! of them before its clock is over; everything else (rules, messages, other roles) is done
//! for it. In a game with rules for `sees` nobody can tell it the state: it is given one that
//! agrees with all that the role knows, and the [`Sampler`] that has others.
//!
//! Two players of a kind play a match:
//!
//! ```
//! # mod gdlr {
//! #     pub use gdlr_engine::engine;
//! #     pub mod play { pub use gdlr_engine::play::*; pub use gdlr_players::player; }
//! #     pub use gdlr_rules::gdl;
//! #     pub use gdlr_players::{ggp, set_up};
//! # }
//! use gdlr::engine::{Engine, MoveId, choose, seeded};
//! use gdlr::gdl::Game;
//! use gdlr::ggp::contender::Contender;
//! use gdlr::ggp::manager::{self, Conditions};
//! use gdlr::ggp::record::Ending;
//! use gdlr::play::player::{Player, Turn};
//! use gdlr::set_up::SetUp;
//! use std::sync::Arc;
//! use std::sync::atomic::AtomicBool;
//!
//! /// Takes the move after which it would be worth most, were the game over; the others move at
//! /// random.
//! struct Greedy;
//!
//! impl Player for Greedy {
//!     fn play(&mut self, turn: &Turn<'_>) -> MoveId {
//!         let (mut scratch, mut rng) = (turn.engine.scratch(), seeded(turn.step, 0));
//!         let mut others = Vec::new();
//!         let worth = |&mine: &MoveId| {
//!             turn.engine.enter(&mut scratch, turn.state);
//!             // A step needs a move of each role.
//!             let mut joint = Vec::new();
//!             for role in turn.engine.roles().iter() {
//!                 turn.engine.legal(&mut scratch, role, &mut others).expect("legal moves");
//!                 let other = choose(&others, &mut rng).expect("a legal move");
//!                 joint.push(if role == turn.role { mine } else { other });
//!             }
//!             turn.engine.step(&mut scratch, &joint).expect("a legal joint move");
//!             turn.engine.goal(&mut scratch, turn.role).ok()
//!         };
//!         turn.legal.iter().copied().max_by_key(worth).expect("a legal move")
//!     }
//! }
//!
//! let rules = include_str!("../../../kif/tictactoe.kif");
//! let game = Arc::new(Game::from_kif("tictactoe", rules).expect("a readable rulesheet"));
//! let engine = SetUp::default().make(game.clone()).expect("a playable game").engine;
//! let engines = Arc::new(SetUp::default().start(game.clone()).expect("a playable game"));
//! let greedy = || Contender::Here("greedy".to_owned(), Box::new(Greedy), engines.clone());
//!
//! let (both, conditions) = (vec![greedy(), greedy()], Conditions::default());
//! let stop = AtomicBool::new(false);
//! let record = manager::run(&game, &engine, both, &conditions, &stop, &mut |_| {});
//! assert_eq!((record.ending, record.faults), (Ending::Terminal, vec![]));
//! assert!(record.goals.iter().all(Option::is_some), "{:?}", record.goals);
//! ```

use gdlr_batch::Batch;
use gdlr_engine::engine::{AnyEngine, AnyState, Engine, MoveId, RoleId, choose, seeded};
use gdlr_engine::play::report::Report;
use gdlr_engine::play::sampler::{Observation, Sampler};
use gdlr_engine::play::thinker::{Thinker, ThinkingTime, think};
use gdlr_text::decisions::Decisions;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When an answer must be there.
#[derive(Clone, Debug)]
pub struct Clock {
    start: Instant,
    time: Duration,
    stop: Arc<AtomicBool>,
}

impl Clock {
    /// A clock that runs for so long from now on.
    pub fn new(time: Duration) -> Clock {
        Clock::stopped_by(time, Arc::default())
    }

    /// The same; it is over early when `stop` becomes true.
    pub fn stopped_by(time: Duration, stop: Arc<AtomicBool>) -> Clock {
        Clock { start: Instant::now(), time, stop }
    }

    /// How much time is left.
    pub fn left(&self) -> Duration {
        match self.stop.load(Ordering::Relaxed) {
            true => Duration::ZERO,
            false => self.time.saturating_sub(self.start.elapsed()),
        }
    }

    /// Whether no time is left.
    pub fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    /// The flag that ends it early.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }
}

/// The beginning of a match, for a player.
#[derive(Debug)]
pub struct Start<'a> {
    /// The fastest engine there is so far; another one may come with any turn.
    pub engine: &'a AnyEngine,
    /// Whom it plays.
    pub role: RoleId,
    /// How much time it will have for each move.
    pub play_clock: Duration,
    /// How much time it has to get ready.
    pub clock: &'a Clock,
}

/// A turn, for the player that is to move.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The fastest engine there is by now. States and moves are this engine's.
    pub engine: &'a AnyEngine,
    /// The state, which is not terminal. In a game with rules for `sees`, one of the candidates
    /// of the sampler, drawn by its chance.
    pub state: &'a AnyState,
    /// In a game with rules for `sees`: the states that agree with what the role was told.
    pub sampler: Option<&'a Sampler>,
    /// Whom it plays.
    pub role: RoleId,
    /// Its legal moves, one at least; where the state is hidden, as far as it can tell.
    pub legal: &'a [MoveId],
    /// Its observation of the last step; nothing at first.
    pub last: Option<&'a Observation>,
    /// How many joint moves have been played.
    pub step: u64,
    /// When its move must be there.
    pub clock: &'a Clock,
    /// Lanes of the same game, for random play of many states at once, when they are ready.
    pub lanes: Option<&'a Arc<Batch>>,
}

/// Plays a role of a match.
pub trait Player: Send {
    /// A match begins.
    fn start(&mut self, start: &Start<'_>) {
        let _ = start;
    }

    /// Whether it wants a net and lanes so much that it waits for them as long as the clock of the
    /// start allows. Otherwise the match begins on the trees, and they come when they are ready.
    fn waits_for_lanes(&self) -> bool {
        false
    }

    /// Whether it plays in lanes. One that does not wants the engine that plays single states fastest.
    fn plays_in_lanes(&self) -> bool {
        self.waits_for_lanes()
    }

    /// Chooses one of the legal moves. Whatever else it gives is taken for no answer.
    fn play(&mut self, turn: &Turn<'_>) -> MoveId;

    /// Its evaluation of the last turn; `None` if it has none.
    fn report(&self) -> Option<Report> {
        None
    }

    /// Its decisions about how it plays, with their figures, since it began.
    fn decisions(&self) -> Decisions {
        Decisions::default()
    }

    /// The match is over, or was broken off: `goal` is what the player has achieved, if it is
    /// over.
    fn stop(&mut self, goal: Option<u8>) {
        let _ = goal;
    }
}

/// How many states a [`ThinkingPlayer`] thinks about where the state is hidden.
const STATES: u32 = 16;

/// A [`Thinker`] as a player.
#[derive(Debug)]
pub struct ThinkingPlayer {
    thinker: Thinker,
    rng: Xoshiro256PlusPlus,
    /// The bound on the length of a playout.
    max_steps: u64,
}

impl ThinkingPlayer {
    /// A player that thinks in this way; `seed` is that of its random choices.
    pub fn new(thinker: Thinker, seed: u64, max_steps: u64) -> ThinkingPlayer {
        ThinkingPlayer { thinker, rng: seeded(seed, 0), max_steps }
    }
}

impl ThinkingPlayer {
    /// The move that it would play in a state, after so much time.
    fn choose(&mut self, turn: &Turn<'_>, state: &AnyState, time: Duration) -> Option<MoveId> {
        let mut scratch = turn.engine.scratch();
        turn.engine.enter(&mut scratch, state);
        let time = ThinkingTime { time, stop: turn.clock.stop(), max_steps: self.max_steps };
        let chosen_move =
            think(self.thinker, turn.engine, &mut scratch, turn.role, time, &mut self.rng);
        chosen_move.ok().flatten().filter(|chosen| turn.legal.contains(chosen))
    }
}

impl Player for ThinkingPlayer {
    /// Where the state is hidden, it thinks about several that may be it, as if it knew, and plays
    /// what it would play most often.
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        let most = match (turn.sampler, self.thinker) {
            (None, _) => self.choose(turn, turn.state, turn.clock.left()),
            (Some(_), Thinker::Random) => None,
            (Some(sampler), _) => {
                let time = turn.clock.left() / STATES;
                let chosen = (0..STATES).filter_map(|_| {
                    let drawn = sampler.draw(&mut self.rng)?.state.clone();
                    self.choose(turn, &drawn, time)
                });
                let mut votes = vec![0; turn.legal.len()];
                for chosen in chosen {
                    let vote = turn.legal.iter().zip(&mut votes).find(|(id, _)| **id == chosen);
                    vote.into_iter().for_each(|(_, votes)| *votes += 1);
                }
                let voted = turn.legal.iter().zip(&votes).filter(|(_, votes)| **votes > 0);
                voted.max_by_key(|(_, votes)| **votes).map(|(&id, _)| id)
            }
        };
        most.or_else(|| choose(turn.legal, &mut self.rng)).expect("there is a legal move")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_out_or_is_stopped() {
        assert!(Clock::new(Duration::ZERO).is_over());
        let stop = Arc::new(AtomicBool::new(false));
        let clock = Clock::stopped_by(Duration::from_secs(1000), stop.clone());
        assert!(clock.left() > Duration::from_secs(900) && !clock.is_over());
        stop.store(true, Ordering::Relaxed);
        assert!(clock.is_over() && clock.stop().load(Ordering::Relaxed));
    }
}
