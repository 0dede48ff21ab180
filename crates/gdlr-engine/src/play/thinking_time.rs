//! How long a player may think.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a player may think.
#[derive(Clone, Copy, Debug)]
pub struct ThinkingTime<'a> {
    /// The time from the call to the answer.
    pub time: Duration,
    /// Ends the thinking early; the best move so far is the answer.
    pub stop: &'a AtomicBool,
    /// The bound on the length of a playout.
    pub max_steps: u64,
}

/// A budget that has begun to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running<'a> {
    start: Instant,
    budget: ThinkingTime<'a>,
}

impl<'a> Running<'a> {
    /// Begins now.
    pub(super) fn new(budget: ThinkingTime<'a>) -> Self {
        Running { start: Instant::now(), budget }
    }

    pub(super) fn is_over(&self) -> bool {
        self.budget.stop.load(Ordering::Relaxed) || self.start.elapsed() >= self.budget.time
    }

    pub(super) fn max_steps(&self) -> u64 {
        self.budget.max_steps
    }
}
