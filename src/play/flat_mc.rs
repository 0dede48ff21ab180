//! Flat Monte Carlo: random playouts from the initial state, counted.
//!
//! A run of N playouts starts exactly N and finishes every one, and a run against the clock
//! finishes what it started, so that short games are not favoured. Each thread has its own
//! scratch and its own random stream, and its share of N is fixed beforehand: the result
//! does not depend on how the threads are scheduled.
//!
//! The calling thread plays nothing. It watches the clock and the stop flag and reports
//! progress, so a playing thread reads one flag a step and never the clock.

use super::{DEFAULT_MAX_STEPS, Defect, DefectKind, End, Playout, Roles, Statistics, seeded};
use crate::engine::{Engine, RoleId};
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
    /// What the random streams start from.
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

/// What the watching thread tells the others.
mod signal {
    pub const PLAY: u8 = 0;
    /// Finish the playout, start no other.
    pub const FINISH: u8 = 1;
    /// Cut the playout: the time is long over.
    pub const CUT: u8 = 2;
    /// Forget the playout: the run is interrupted.
    pub const INTERRUPT: u8 = 3;
}

/// What the threads of a run share.
#[derive(Default)]
struct Shared {
    signal: AtomicU8,
    playouts: AtomicU64,
    states: AtomicU64,
    running: AtomicUsize,
    /// A playout ended because the engine gave up: so would others.
    too_much: AtomicBool,
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
    /// # use gdlr::play::FlatMonteCarlo;
    /// # fn example(engine: &impl gdlr::engine::Engine) {
    /// let run = FlatMonteCarlo { playouts: Some(1000), ..FlatMonteCarlo::default() };
    /// let statistics = run.run(engine, &false.into(), |_| {});
    /// assert_eq!(statistics.playouts + statistics.capped + statistics.stuck, 1000);
    /// # }
    /// ```
    pub fn run<E: Engine>(
        &self,
        engine: &E,
        stop: &AtomicBool,
        mut progress: impl FnMut(Progress),
    ) -> Statistics {
        let start = Instant::now();
        let shared = Shared::default();
        shared.running.store(self.threads.get(), Ordering::Relaxed);
        let watcher = std::thread::current();
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.threads.get())
                .map(|thread| {
                    let (shared, watcher) = (&shared, watcher.clone());
                    scope.spawn(move || {
                        // Wakes the watcher also when the engine panics.
                        let _guard = Finished { shared, watcher };
                        self.work(engine, thread, shared, start)
                    })
                })
                .collect();
            self.watch(start, stop, &shared, &mut progress);
            let mut total = Statistics::new(Roles::of(engine).count());
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
            let (signal, wait) = match self.time {
                _ if stop.load(Ordering::Relaxed) => (signal::INTERRUPT, Self::TICK),
                None => (signal::PLAY, Self::TICK),
                Some(time) if elapsed < time => (signal::PLAY, Self::TICK.min(time - elapsed)),
                Some(time) if elapsed < time.saturating_mul(2).saturating_add(Self::GRACE) => {
                    (signal::FINISH, Self::TICK)
                }
                Some(_) => (signal::CUT, Self::TICK),
            };
            shared.signal.store(signal, Ordering::Relaxed);
            progress(Progress {
                playouts: shared.playouts.load(Ordering::Relaxed),
                states: shared.states.load(Ordering::Relaxed),
                elapsed,
            });
            std::thread::park_timeout(wait);
        }
    }

    fn work<E: Engine>(
        &self,
        engine: &E,
        thread: usize,
        shared: &Shared,
        start: Instant,
    ) -> Statistics {
        let mut worker = Worker {
            engine,
            scratch: engine.scratch(),
            playout: Playout::new(engine),
            roles: Roles::of(engine),
            statistics: Statistics::new(Roles::of(engine).count()),
        };
        let mut rng = seeded(self.seed, thread);
        for _ in 0..self.share(thread) {
            let too_much = shared.too_much.load(Ordering::Relaxed);
            if too_much || shared.signal.load(Ordering::Relaxed) != signal::PLAY {
                break;
            }
            engine.enter(&mut worker.scratch, engine.initial());
            let halted = || shared.signal.load(Ordering::Relaxed) >= signal::CUT;
            let end = worker.playout.run(&mut worker.scratch, &mut rng, self.max_steps, halted);
            worker.count(end, shared);
        }
        let mut statistics = worker.statistics;
        statistics.seconds = start.elapsed().as_secs_f64();
        statistics.interrupted = shared.signal.load(Ordering::Relaxed) == signal::INTERRUPT;
        statistics
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
    playout: Playout<'e, E>,
    roles: Roles,
    statistics: Statistics,
}

impl<E: Engine> Worker<'_, E> {
    /// Counts the playout just run.
    fn count(&mut self, end: End, shared: &Shared) {
        match end {
            End::Terminal => {
                let steps = self.playout.history().len() as u64;
                self.statistics.playouts += 1;
                self.statistics.states += steps;
                shared.playouts.fetch_add(1, Ordering::Relaxed);
                shared.states.fetch_add(steps, Ordering::Relaxed);
                self.count_goals(shared);
            }
            End::Capped => self.statistics.capped += 1,
            End::Halted if shared.signal.load(Ordering::Relaxed) == signal::CUT => {
                self.statistics.capped += 1;
            }
            End::Halted => {}
            End::TooMuchWork => {
                self.statistics.too_much = self.engine.gave_up(&self.scratch);
                shared.too_much.store(true, Ordering::Relaxed);
            }
            End::Stuck(role) => {
                self.statistics.stuck += 1;
                self.defect(DefectKind::Stuck, role);
            }
        }
    }

    fn count_goals(&mut self, shared: &Shared) {
        for role in self.roles.iter() {
            let counts = &mut self.statistics.roles[usize::from(role.0)];
            let goal = self.engine.goal(&mut self.scratch, role);
            if let Some(reason) = self.engine.gave_up(&self.scratch) {
                self.statistics.too_much = Some(reason);
                shared.too_much.store(true, Ordering::Relaxed);
                return;
            }
            match goal {
                Ok(value) => counts.goals[usize::from(value)] += 1,
                Err(error) => {
                    counts.improper += 1;
                    self.defect(DefectKind::Goal(error), role);
                }
            }
        }
    }

    /// Remembers the first defect, with the play that led there.
    fn defect(&mut self, kind: DefectKind, role: RoleId) {
        if self.statistics.defect.is_some() {
            return;
        }
        let symbols = &self.engine.game().symbols;
        let canonical = |&id| self.engine.move_term(&self.scratch, id).canonical(symbols);
        let play =
            self.playout.history().map(|joint| joint.iter().map(canonical).collect()).collect();
        self.statistics.defect = Some(Defect { kind, role, play });
    }
}
