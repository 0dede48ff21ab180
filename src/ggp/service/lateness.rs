//! How late threads wake up on a machine that may be busy.

use std::time::{Duration, Instant};

/// So often a thread that waits for an answer sees how late it wakes up.
pub(super) const TICK: Duration = Duration::from_millis(50);

/// How late a thread wakes up on this machine. What was seen counts half after some seconds.
#[derive(Debug)]
pub(super) struct Lateness {
    worst: Duration,
    seen: Instant,
}

impl Lateness {
    /// No thread has been late yet.
    pub(super) fn none() -> Lateness {
        Lateness { worst: Duration::ZERO, seen: Instant::now() }
    }

    /// How late a thread may be now.
    pub(super) fn now(&self) -> Duration {
        let half_lives = self.seen.elapsed().as_secs_f64() / 10.0;
        self.worst.mul_f64(0.5f64.powf(half_lives))
    }

    /// A thread was so late.
    pub(super) fn see(&mut self, late: Duration) {
        if late > self.now() {
            *self = Lateness { worst: late, seen: Instant::now() };
        }
    }
}
