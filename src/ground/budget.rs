//! Time, memory and patience.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much grounding may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Wall-clock time.
    pub time: Duration,
    /// Memory of facts and rules, in bytes. What the process takes beyond that is small.
    pub memory: usize,
    /// Grounding ends soon after this becomes true.
    pub interrupted: Option<&'a AtomicBool>,
}

impl Default for Budget<'_> {
    /// 20 seconds and 2 GiB.
    fn default() -> Self {
        Budget { time: Duration::from_secs(20), memory: 2 << 30, interrupted: None }
    }
}

/// What grounding has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Reachable facts, those of auxiliary relations included.
    pub facts: usize,
    /// Ground rules.
    pub rules: usize,
    /// Wall-clock time.
    pub time: Duration,
    /// Memory of facts and rules, in bytes.
    pub memory: usize,
}

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Budget::time`].
    Time,
    /// [`Budget::memory`].
    Memory,
    /// [`Budget::interrupted`] became true.
    Interrupted,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Interrupted => "patience",
        })
    }
}

/// Grounding that did not end within its budget. Everything made so far has been freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// What ran out.
    pub limit: Limit,
    /// What had been reached by then.
    pub spent: Spent,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spent { facts, rules, time, memory } = self.spent;
        match self.limit {
            Limit::Interrupted => f.write_str("grounding was interrupted")?,
            limit => write!(f, "grounding ran out of {limit}")?,
        }
        let (seconds, mib) = (time.as_secs_f64(), memory >> 20);
        write!(f, " after {seconds:.1} s: {facts} facts, {rules} rules, {mib} MiB")
    }
}

impl std::error::Error for Exhausted {}

/// After so many pieces of work the clock is read.
const LOOK: u64 = 0x1000;

/// Watches a budget.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    budget: Budget<'a>,
    start: Instant,
    ticks: u64,
    pub spent: Spent,
    pub exhausted: Option<Limit>,
}

impl<'a> Watch<'a> {
    pub fn new(budget: Budget<'a>) -> Watch<'a> {
        Watch { budget, start: Instant::now(), ticks: 0, spent: Spent::default(), exhausted: None }
    }

    /// One small piece of work; whether there is budget for more.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.work(1)
    }

    /// Some small pieces of work; whether there is budget for more. The clock is read now
    /// and then only.
    #[inline]
    pub fn work(&mut self, pieces: usize) -> bool {
        let before = self.ticks;
        self.ticks += pieces as u64;
        if before / LOOK != self.ticks / LOOK {
            self.look();
        }
        self.exhausted.is_none()
    }

    /// How many pieces of work there were.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    fn look(&mut self) {
        self.spent.time = self.start.elapsed();
        let Budget { time, memory, interrupted } = self.budget;
        if self.exhausted.is_some() {
        } else if interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            self.exhausted = Some(Limit::Interrupted);
        } else if self.spent.memory > memory {
            self.exhausted = Some(Limit::Memory);
        } else if self.spent.time > time {
            self.exhausted = Some(Limit::Time);
        }
    }

    /// The error, if the budget has run out.
    pub fn check(&mut self) -> Result<(), Exhausted> {
        self.look();
        match self.exhausted {
            None => Ok(()),
            Some(limit) => Err(Exhausted { limit, spent: self.spent }),
        }
    }
}
