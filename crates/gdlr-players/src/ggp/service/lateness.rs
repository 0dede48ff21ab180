//! How late threads are on a machine that may be busy.

use std::time::{Duration, Instant};

/// So often a thread that waits for an answer sees how late it wakes up.
pub(super) const TICK: Duration = Duration::from_millis(50);

/// After so long, what was seen counts half.
const HALF_LIFE: Duration = Duration::from_secs(10);

/// How late threads are on this machine: the worst that was seen, the less the longer ago.
#[derive(Debug)]
pub(super) struct Lateness {
    worst: Duration,
    seen: Instant,
}

impl Lateness {
    /// No thread has been late yet.
    pub(super) fn none(now: Instant) -> Lateness {
        Lateness { worst: Duration::ZERO, seen: now }
    }

    /// How late a thread may be at a time.
    pub(super) fn at(&self, now: Instant) -> Duration {
        let age = now.saturating_duration_since(self.seen);
        self.worst.mul_f64(0.5f64.powf(age.as_secs_f64() / HALF_LIFE.as_secs_f64()))
    }

    /// A thread was so late.
    pub(super) fn see(&mut self, late: Duration, now: Instant) {
        if late > self.at(now) {
            *self = Lateness { worst: late, seen: now };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_counts_the_less_the_longer_ago() {
        let start = Instant::now();
        let mut lateness = Lateness::none(start);
        let mut see = |late: u64, after: u32| {
            let now = start + HALF_LIFE * after;
            lateness.see(Duration::from_millis(late), now);
            lateness.at(now).as_millis()
        };
        assert_eq!(see(0, 0), 0);
        assert_eq!(see(800, 0), 800);
        assert_eq!(see(100, 0), 800);
        assert_eq!(see(100, 1), 400);
        assert_eq!(see(0, 2), 200);
        assert_eq!(see(150, 3), 150);
    }
}
