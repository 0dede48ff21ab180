//! Flat Monte Carlo: random playouts from the initial state, counted.
//!
//! A run of N playouts starts exactly N and finishes every one, and a run against the clock
//! finishes what it started, so that short games are not favoured. Each thread has its own
//! scratch and its own random stream, and its share of N is fixed beforehand: the result
//! does not depend on how the threads are scheduled.
//!
//! The calling thread plays nothing. It watches the clock and the stop flag and reports
//! progress, so a playing thread reads one flag a step and never the clock.
//!
//! The player is a [`RandomPlay`]: any engine, one playout at a time, or hundreds at once.

use super::{Defect, DefectKind, Statistics};
use crate::engine::{DEFAULT_MAX_STEPS, End, Engine, GoalError, Playout, RoleId, seeded};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A run of random playouts; [`FlatMonteCarlo::run`] starts it.
///
/// With neither `playouts` nor `time` it runs until it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlatMonteCarlo {
    /// Start exactly so many playouts.
    pub playouts: Option<u64>,
    /// Start no playout after this time. One that is still not over after twice the time
    /// and [`FlatMonteCarlo::GRACE`] is cut, so that a game without an end cannot hold up
    /// the run for ever.
    pub time: Option<Duration>,
    /// How many threads play.
    pub threads: NonZeroUsize,
    /// The seed of the random streams.
    pub seed: u64,
    /// Cut a playout after so many joint moves.
    pub max_steps: u64,
}

impl Default for FlatMonteCarlo {
    /// One thread, seed 1, [`DEFAULT_MAX_STEPS`], no limit else.
    fn default() -> Self {
        FlatMonteCarlo {
            playouts: None,
            time: None,
            threads: NonZeroUsize::MIN,
            seed: 1,
            max_steps: DEFAULT_MAX_STEPS,
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Playouts that are over.
    pub playouts: u64,
    /// States of those playouts.
    pub states: u64,
    /// Since the start.
    pub elapsed: Duration,
}

/// The control of a run: what its threads do with playouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Control {
    /// Go on.
    Play,
    /// Finish those under way, start no other.
    Finish,
    /// Cut those under way: the time is long over.
    Cut,
    /// Forget those under way: the run is interrupted.
    Forget,
}

/// The share of a thread in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which thread it is, from 0: each has a random stream of its own.
    pub thread: usize,
    /// The seed of the random streams.
    pub seed: u64,
    /// Start exactly so many playouts.
    pub playouts: u64,
    /// Cut a playout after so many joint moves.
    pub max_steps: u64,
}

/// Something that plays random playouts from the initial state of a game.
///
/// Every engine does, one at a time; `Batch` plays many at once.
pub trait RandomPlay: Sync {
    /// How many roles the game has.
    fn roles(&self) -> usize;

    /// Plays, as one thread of a run. `control` is asked before every step, and told how many
    /// playouts have ended and how many states they had.
    fn random_play(&self, share: &Share, control: impl FnMut(u64, u64) -> Control) -> Statistics;
}

/// The memory that the threads of a run share.
struct Shared {
    control: AtomicU8,
    /// By thread: playouts that are over, and their states.
    done: Vec<[AtomicU64; 2]>,
    running: AtomicUsize,
    /// A playout ended because the engine gave up: so would others.
    limit: AtomicBool,
}

impl Shared {
    fn control(&self) -> Control {
        let all = [Control::Play, Control::Finish, Control::Cut, Control::Forget];
        let control = all[usize::from(self.control.load(Ordering::Relaxed))];
        if self.limit.load(Ordering::Relaxed) { control.max(Control::Finish) } else { control }
    }

    fn tell(&self, control: Control) {
        self.control.store(control as u8, Ordering::Relaxed);
    }

    fn done(&self, what: usize) -> u64 {
        self.done.iter().map(|counts| counts[what].load(Ordering::Relaxed)).sum()
    }
}

impl FlatMonteCarlo {
    /// The overtime of a run against the clock, beyond twice its time.
    pub const GRACE: Duration = Duration::from_secs(10);
    /// How often progress is reported.
    const TICK: Duration = Duration::from_millis(100);

    /// Plays. `stop` breaks the run off: playouts under way then count nowhere. `progress`
    /// is called some ten times a second, on the calling thread.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_engine::{engine, play}; }
    /// # use gdlr::play::FlatMonteCarlo;
    /// # fn example(engine: &impl gdlr::engine::Engine) {
    /// let run = FlatMonteCarlo { playouts: Some(1000), ..FlatMonteCarlo::default() };
    /// let statistics = run.run(engine, &false.into(), |_| {});
    /// assert_eq!(statistics.playouts + statistics.capped + statistics.stuck, 1000);
    /// # }
    /// ```
    pub fn run(
        &self,
        player: &impl RandomPlay,
        stop: &AtomicBool,
        mut progress: impl FnMut(Progress),
    ) -> Statistics {
        let start = Instant::now();
        let threads = self.threads.get();
        let shared = Shared {
            control: AtomicU8::new(Control::Play as u8),
            done: std::iter::repeat_with(Default::default).take(threads).collect(),
            running: AtomicUsize::new(threads),
            limit: AtomicBool::new(false),
        };
        let watcher = std::thread::current();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    let (shared, watcher) = (&shared, watcher.clone());
                    scope.spawn(move || {
                        // Wakes the watcher also when the engine panics.
                        let _guard = Finished { shared, watcher };
                        self.work(player, thread, shared, start)
                    })
                })
                .collect();
            self.watch(start, stop, &shared, &mut progress);
            let mut total = Statistics::new(player.roles());
            for worker in workers {
                match worker.join() {
                    Ok(part) => total.merge(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            total
        })
    }

    /// How many playouts a thread has to start.
    fn share(&self, thread: usize) -> u64 {
        let (threads, thread) = (self.threads.get() as u64, thread as u64);
        self.playouts.map_or(u64::MAX, |all| all / threads + u64::from(thread < all % threads))
    }

    fn watch(
        &self,
        start: Instant,
        stop: &AtomicBool,
        shared: &Shared,
        progress: &mut impl FnMut(Progress),
    ) {
        while shared.running.load(Ordering::Acquire) > 0 {
            let elapsed = start.elapsed();
            let (control, wait) = match self.time {
                _ if stop.load(Ordering::Relaxed) => (Control::Forget, Self::TICK),
                None => (Control::Play, Self::TICK),
                Some(time) if elapsed < time => (Control::Play, Self::TICK.min(time - elapsed)),
                Some(time) if elapsed < time.saturating_mul(2).saturating_add(Self::GRACE) => {
                    (Control::Finish, Self::TICK)
                }
                Some(_) => (Control::Cut, Self::TICK),
            };
            shared.tell(control);
            progress(Progress { playouts: shared.done(0), states: shared.done(1), elapsed });
            std::thread::park_timeout(wait);
        }
    }

    fn work(
        &self,
        player: &impl RandomPlay,
        thread: usize,
        shared: &Shared,
        start: Instant,
    ) -> Statistics {
        let share = Share {
            thread,
            seed: self.seed,
            playouts: self.share(thread),
            max_steps: self.max_steps,
        };
        let mut statistics = player.random_play(&share, |playouts, states| {
            shared.done[thread][0].store(playouts, Ordering::Relaxed);
            shared.done[thread][1].store(states, Ordering::Relaxed);
            shared.control()
        });
        if statistics.limit.is_some() {
            shared.limit.store(true, Ordering::Relaxed);
        }
        statistics.seconds = start.elapsed().as_secs_f64();
        statistics.interrupted = shared.control() == Control::Forget;
        statistics
    }
}

impl<E: Engine> RandomPlay for E {
    fn roles(&self) -> usize {
        Engine::roles(self).count()
    }

    fn random_play(
        &self,
        share: &Share,
        mut control: impl FnMut(u64, u64) -> Control,
    ) -> Statistics {
        let mut worker = Worker {
            engine: self,
            scratch: self.scratch(),
            playout: Playout::new(share.max_steps).without_history(),
            statistics: Statistics::new(Engine::roles(self).count()),
        };
        let mut rng = seeded(share.seed, share.thread);
        for _ in 0..share.playouts {
            let Statistics { playouts, states, .. } = worker.statistics;
            if worker.statistics.limit.is_some() || control(playouts, states) != Control::Play {
                break;
            }
            let Worker { scratch, playout, .. } = &mut worker;
            self.enter(scratch, self.initial());
            let mut last = Control::Play;
            let mut halted = || {
                last = control(playouts, states);
                last >= Control::Cut
            };
            let before = rng.clone();
            let end = self.playout(scratch, playout, &mut rng, &mut halted);
            worker.count(end, last, before);
        }
        worker.statistics
    }
}

/// Tells the watcher that a thread is done.
struct Finished<'a> {
    shared: &'a Shared,
    watcher: std::thread::Thread,
}

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        self.shared.running.fetch_sub(1, Ordering::Release);
        self.watcher.unpark();
    }
}

struct Worker<'e, E: Engine> {
    engine: &'e E,
    scratch: E::Scratch,
    playout: Playout,
    statistics: Statistics,
}

impl<E: Engine> Worker<'_, E> {
    /// Counts the playout just run. It began with the generator `before`.
    fn count(&mut self, end: End, control: Control, before: Xoshiro256PlusPlus) {
        match end {
            End::Terminal => {
                self.statistics.playouts += 1;
                self.statistics.states += self.playout.steps();
                self.count_goals(before);
            }
            End::Capped => self.statistics.capped += 1,
            End::Halted if control == Control::Cut => self.statistics.capped += 1,
            End::Halted => {}
            End::Limit(limit) => self.statistics.limit = Some(limit),
            End::Stuck(role) => {
                self.statistics.stuck += 1;
                self.defect(DefectKind::Stuck, role, before);
            }
        }
    }

    fn count_goals(&mut self, before: Xoshiro256PlusPlus) {
        for role in self.engine.roles().iter() {
            let counts = &mut self.statistics.roles[role.index()];
            match self.engine.goal(&mut self.scratch, role) {
                Ok(value) => counts.goals[usize::from(value)] += 1,
                // Chance needs no goal.
                Err(GoalError::Missing) if self.engine.roles().random() == Some(role) => {}
                Err(GoalError::Limit(limit)) => {
                    self.statistics.limit = Some(limit);
                    return;
                }
                Err(error) => {
                    counts.improper += 1;
                    self.defect(DefectKind::Goal(error), role, before.clone());
                }
            }
        }
    }

    /// Remembers the first defect, with the play that led there: it is played again.
    fn defect(&mut self, kind: DefectKind, role: RoleId, mut before: Xoshiro256PlusPlus) {
        if self.statistics.defect.is_some() {
            return;
        }
        let mut again = Playout::new(self.playout.steps());
        let mut scratch = self.engine.scratch();
        self.engine.playout(&mut scratch, &mut again, &mut before, &mut || false);
        let play = canonical_play(self.engine, &again);
        self.statistics.defect = Some(Defect { kind, role, play });
    }
}

/// The joint moves of a playout as canonical strings.
pub(super) fn canonical_play<E: Engine>(engine: &E, playout: &Playout) -> Vec<Vec<String>> {
    let canonical = |&id| engine.move_term(id).1.canonical(engine.symbols());
    playout.history().map(|joint| joint.iter().map(canonical).collect()).collect()
}
