//! Walking the same play down several engines, and comparing every state.
//!
//! An engine is right when it says what the rules say, and the best witness for that is
//! another engine which came to the same by another road. [`crosscheck`] takes any number of
//! them through the same states and compares, in each one,
//!
//! * the facts, as sets of terms;
//! * whether the state is terminal;
//! * the legal moves of every role;
//! * the goal of every role, in every state: a value, or what is wrong with it;
//! * whether the state equals one that was met before, and its hash;
//! * whether the state can be entered by its facts.
//!
//! The first engine is the one that the others are compared with, which covers all pairs:
//! what equals the same is equal. Which ways are gone:
//!
//! * **Perft.** All sequences of joint moves, shorter ones first, up to a bound on the joint
//!   moves played. States that several sequences lead to are expanded once for each depth.
//!   The counts cannot differ where the states do not, and so need no comparison of their own.
//! * **Random playouts.** The joint move is drawn from the sorted legal moves, so that a seed
//!   gives the same play whatever the order in which an engine lists them. Now and then the
//!   playout is left for some state that was met before, from which a few moves are played,
//!   and comes back: agents jump about, and so what an engine keeps from state to state must
//!   not be what it needs.
//!
//! In what order `terminal`, `legal` and `goal` are asked changes from state to state, and
//! some states are entered and left without a question.
//!
//! The first [`Difference`] ends the work. The play that leads to it is made short
//! (`shorten.rs`). Where a [`Difference`] is met by perft, no shorter play of joint moves
//! differs.
//!
//! | file | has |
//! |---|---|
//! | `walker.rs` | engines of different types behind one face |
//! | `events.rs` | what they did |
//! | `lockstep.rs` | engines on the same way, compared at every state |
//! | `difference.rs` | what is said about a difference |
//! | `shorten.rs` | a shorter play with a difference |

mod difference;
mod events;
mod lockstep;
mod shorten;
mod walker;

#[allow(deprecated, reason = "the former name is there for those who use it")]
pub use difference::Place;
pub use difference::{Aspect, Difference, Dissent, PlayPosition, Turn};
pub use walker::NamedEngine;

use crate::engine::{AnyEngine, Engine, WorkLimit, seeded};
use crate::play::joint_moves::{JointMoves, draw};
use hashbrown::HashMap;
use lockstep::{Halt, Lockstep};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use shorten::Shortener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// After so many events new scratches are taken: the states met are remembered until then.
const RENEWAL: usize = 4096;
/// One in so many steps of a playout is left for another state.
const EXCURSIONS: u32 = 8;
/// The most joint moves that are played there.
const EXCURSION_LENGTH: u32 = 3;

/// How much to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrosscheckOptions {
    /// How many random playouts.
    pub playouts: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Cut a playout after so many joint moves.
    pub max_steps: u64,
    /// The most joint moves to play for perft.
    pub perft_nodes: u64,
    /// The most states to look at in order to make a play with a difference shorter.
    pub shortening: u64,
}

impl Default for CrosscheckOptions {
    /// Twenty playouts of at most a thousand steps, five thousand joint moves of perft, ten
    /// thousand states for a shorter play.
    fn default() -> Self {
        CrosscheckOptions {
            playouts: 20,
            seed: 1,
            max_steps: 1000,
            perft_nodes: 5000,
            shortening: 10_000,
        }
    }
}

/// The counts of comparisons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Crosschecked {
    /// Random playouts that are over, those cut and those stuck included.
    pub playouts: u64,
    /// Those that were cut by the bound on their length.
    pub capped: u64,
    /// Those that ended where a role has no legal move and the state is not terminal.
    pub stuck: u64,
    /// How often a state was compared.
    pub states: u64,
    /// By depth: the sequences of so many joint moves.
    pub perft: Vec<u64>,
    /// By depth: how many of them end in a terminal state.
    pub perft_terminal: Vec<u64>,
    /// The joint moves that were played for it.
    pub perft_nodes: u64,
    /// By engine: how long it worked.
    pub times: Vec<Duration>,
    /// The first difference.
    pub difference: Option<Box<Difference>>,
    /// Whether `stop` was set before the work was done.
    pub interrupted: bool,
    /// The number of an engine that a state was too much for, and why. Nothing was compared
    /// after that.
    pub limit: Option<(usize, WorkLimit)>,
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The stage of the comparison.
    pub stage: Stage,
    /// Random playouts that are over.
    pub playouts: u64,
    /// States compared.
    pub states: u64,
}

/// A stage of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// All sequences of joint moves.
    Perft,
    /// Random playouts.
    Playouts,
    /// A shorter play is looked for.
    Shortening,
}

/// Compares engines with each other, which were made from the same [`Game`](gdlr_rules::gdl::Game) or
/// at least have the same roles and [names](crate::engine::Engine::symbols).
///
/// When `stop` becomes true the work ends after the step at hand; while a play is made
/// shorter, with the shortest found so far. `progress` is called at every step.
///
/// ```
/// # mod gdlr {
/// #     pub use gdlr_engine::{engine, play};
/// #     pub use gdlr_rules::gdl;
/// #     pub use gdlr_tree as tree;
/// # }
/// use gdlr::engine::AnyEngine;
/// use gdlr::gdl::Game;
/// use gdlr::play::crosscheck::{NamedEngine, CrosscheckOptions, crosscheck};
/// use gdlr::tree::{Tree, TreeOptions};
///
/// let game = Game::from_kif("nim", include_str!("../../../../../kif/nim.kif")).unwrap();
/// let tree = Tree::new(game.clone(), &TreeOptions::default()).unwrap();
/// let slow = TreeOptions { hashing: false, ..TreeOptions::default() };
/// let slow = Tree::new(game, &slow).unwrap();
/// let engines = [NamedEngine::new("tree", AnyEngine::new(tree)), NamedEngine::new("without hashing", AnyEngine::new(slow))];
/// let options = CrosscheckOptions { playouts: 2, perft_nodes: 100, ..Default::default() };
/// let result = crosscheck(&engines, &options, &false.into(), |_| {});
/// assert_eq!(result.playouts, 2);
/// assert!(result.difference.is_none());
/// ```
///
/// # Panics
///
/// When there is no engine, or they have other roles or names.
pub fn crosscheck(
    engines: &[NamedEngine],
    options: &CrosscheckOptions,
    stop: &AtomicBool,
    progress: impl FnMut(Progress),
) -> Crosschecked {
    assert!(!engines.is_empty(), "nothing to compare");
    assert!(same_rules(engines), "the engines were made from different rulesheets");
    let mut check = Crosscheck {
        engines,
        options,
        stop,
        progress,
        rng: seeded(options.seed, 0),
        done: Crosschecked { times: vec![Duration::ZERO; engines.len()], ..Default::default() },
        stage: Stage::Perft,
        place: PlayPosition::Initial,
    };
    let _ = check.perft().and_then(|()| check.playouts());
    check.done
}

/// Whether terms of one engine mean the same to another one.
fn same_rules(engines: &[NamedEngine]) -> bool {
    let first = &engines[0].engine;
    let alike = |engine: &AnyEngine| {
        let shared = std::ptr::eq(first.symbols(), engine.symbols());
        first.roles() == engine.roles() && (shared || first.symbols() == engine.symbols())
    };
    engines.iter().all(|engine| alike(&engine.engine))
}

/// Nothing more is to be compared; why is written down.
struct Over;

struct Crosscheck<'a, P> {
    engines: &'a [NamedEngine],
    options: &'a CrosscheckOptions,
    stop: &'a AtomicBool,
    progress: P,
    rng: Xoshiro256PlusPlus,
    done: Crosschecked,
    stage: Stage,
    /// Where the engines are.
    place: PlayPosition,
}

impl<'a, P: FnMut(Progress)> Crosscheck<'a, P> {
    /// Walks all sequences of joint moves, those of a length before longer ones.
    fn perft(&mut self) -> Result<(), Over> {
        let mut lockstep = self.lockstep()?;
        let result = self.levels(&mut lockstep);
        self.settle(&lockstep, result)
    }

    fn levels(&mut self, lockstep: &mut Lockstep) -> Result<(), Halt> {
        // States, and how many sequences lead to each.
        let mut level: Vec<(u32, u64)> = vec![(lockstep.here(), 1)];
        while !level.is_empty() && !self.done.interrupted {
            let sum = |sum: u64, &(_, count): &(u32, u64)| sum.saturating_add(count);
            let ends = level.iter().filter(|&&(state, _)| lockstep.is_terminal(state));
            self.done.perft_terminal.push(ends.fold(0, sum));
            self.done.perft.push(level.iter().fold(0, sum));
            self.place = PlayPosition::Perft { depth: self.done.perft.len() };
            let mut next = Level::default();
            for &(state, count) in &level {
                if !lockstep.is_terminal(state)
                    && !self.expand(lockstep, state, count, &mut next)?
                {
                    return Ok(());
                }
            }
            level = next.states;
        }
        Ok(())
    }

    /// Plays all joint moves of a state; false when the bound was reached before.
    fn expand(
        &mut self,
        lockstep: &mut Lockstep,
        state: u32,
        count: u64,
        next: &mut Level,
    ) -> Result<bool, Halt> {
        lockstep.enter(state, true)?;
        let legal = lockstep.legal().to_vec();
        let (mut joints, mut joint) = (JointMoves::of(&legal), Vec::new());
        let mut entered = true;
        while joints.next(&mut joint) {
            if self.done.perft_nodes == self.options.perft_nodes || self.stopped() {
                return Ok(false);
            }
            self.done.perft_nodes += 1;
            self.show(lockstep);
            if !std::mem::take(&mut entered) {
                lockstep.enter(state, false)?;
            }
            lockstep.play(joint.as_slice().into())?;
            next.add(lockstep.here(), count);
        }
        Ok(true)
    }

    fn playouts(&mut self) -> Result<(), Over> {
        self.stage = Stage::Playouts;
        let mut lockstep = self.lockstep()?;
        while self.done.playouts < self.options.playouts && !self.stopped() {
            if lockstep.events().len() > RENEWAL {
                self.settle(&lockstep, Ok(()))?;
                lockstep = self.lockstep()?;
            }
            let result = self.playout(&mut lockstep);
            if result.is_err() || self.done.interrupted {
                return self.settle(&lockstep, result);
            }
            self.done.playouts += 1;
        }
        self.settle(&lockstep, Ok(()))
    }

    fn playout(&mut self, lockstep: &mut Lockstep) -> Result<(), Halt> {
        let playout = self.done.playouts;
        self.place = PlayPosition::Playout { playout, step: 0 };
        if !lockstep.events().is_empty() {
            lockstep.enter(0, true)?;
        }
        for step in 0..self.options.max_steps {
            if lockstep.is_terminal(lockstep.here()) || self.stopped() {
                return Ok(());
            }
            let mut joint = Vec::new();
            if !draw(lockstep.legal(), &mut joint, &mut self.rng) {
                self.done.stuck += 1;
                return Ok(());
            }
            self.place = PlayPosition::Playout { playout, step };
            self.show(lockstep);
            if self.rng.random_range(0..EXCURSIONS) == 0 {
                let here = lockstep.here();
                self.excursion(lockstep)?;
                lockstep.enter(here, self.rng.random())?;
            }
            self.place = PlayPosition::Playout { playout, step: step + 1 };
            lockstep.play(joint.into())?;
        }
        self.done.capped += u64::from(!lockstep.is_terminal(lockstep.here()));
        Ok(())
    }

    /// Enters some state that was met before, and plays from there.
    fn excursion(&mut self, lockstep: &mut Lockstep) -> Result<(), Halt> {
        let there = self.rng.random_range(0..lockstep.known());
        lockstep.enter(there, true)?;
        for _ in 0..self.rng.random_range(0..=EXCURSION_LENGTH) {
            if lockstep.is_terminal(lockstep.here()) {
                break;
            }
            let mut joint = Vec::new();
            if !draw(lockstep.legal(), &mut joint, &mut self.rng) {
                break;
            }
            lockstep.play(joint.into())?;
        }
        Ok(())
    }

    /// New scratches.
    fn lockstep(&mut self) -> Result<Lockstep<'a>, Over> {
        self.place = PlayPosition::Initial;
        let (lockstep, result) = Lockstep::new(self.engines);
        match result {
            Ok(()) => Ok(lockstep),
            Err(halt) => Err(self.over(&lockstep, halt)),
        }
    }

    /// Adds up what a lockstep did.
    fn settle(&mut self, lockstep: &Lockstep, result: Result<(), Halt>) -> Result<(), Over> {
        match result {
            Ok(()) => {
                self.add_up(lockstep);
                if self.done.interrupted { Err(Over) } else { Ok(()) }
            }
            Err(halt) => Err(self.over(lockstep, halt)),
        }
    }

    fn add_up(&mut self, lockstep: &Lockstep) {
        self.done.states += lockstep.looks();
        for (sum, time) in self.done.times.iter_mut().zip(lockstep.times()) {
            *sum += *time;
        }
    }

    fn over(&mut self, lockstep: &Lockstep, halt: Halt) -> Over {
        self.add_up(lockstep);
        match halt {
            Halt::Limit { engine, limit } => self.done.limit = Some((engine, limit)),
            Halt::Clash(clash) | Halt::Refused(clash) => {
                self.stage = Stage::Shortening;
                self.progress(self.done.states);
                self.done.difference = Some(Box::new(self.shortened(lockstep, *clash)));
            }
        }
        Over
    }

    /// The difference that a lockstep met, at the end of a play as short as can be found.
    fn shortened(&self, lockstep: &Lockstep, clash: difference::Clash) -> Difference {
        let CrosscheckOptions { shortening, seed, .. } = *self.options;
        // All states of shorter plays were compared.
        let shortest = self.done.perft.len();
        let mut shortener = Shortener::new(self.engines, shortening, seed, self.stop);
        let Some(shortened) = shortener.shorten(lockstep, shortest) else {
            let path: Vec<_> = lockstep.path().into_iter().map(events::Event::Play).collect();
            let difference = clash.after(self.engines, self.place, &path);
            return Difference { repeatable: false, ..difference };
        };
        let is_shortest = shortened.is_plain() && shortened.events.len() <= shortest;
        let difference = shortened.clash.after(self.engines, self.place, &shortened.events);
        Difference { shortest: is_shortest, ..difference }
    }

    fn stopped(&mut self) -> bool {
        self.done.interrupted |= self.stop.load(Ordering::Relaxed);
        self.done.interrupted
    }

    fn show(&mut self, lockstep: &Lockstep) {
        self.progress(self.done.states + lockstep.looks());
    }

    fn progress(&mut self, states: u64) {
        let Crosschecked { playouts, .. } = self.done;
        (self.progress)(Progress { stage: self.stage, playouts, states });
    }
}

/// The states after sequences of one length, in the order in which they were met.
#[derive(Default)]
struct Level {
    /// With the number of sequences that lead to each.
    states: Vec<(u32, u64)>,
    places: HashMap<u32, usize>,
}

impl Level {
    fn add(&mut self, state: u32, count: u64) {
        let place = *self.places.entry(state).or_insert(self.states.len());
        match self.states.get_mut(place) {
            Some((_, sum)) => *sum = sum.saturating_add(count),
            None => self.states.push((state, count)),
        }
    }
}
