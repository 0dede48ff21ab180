//! The lateness of the answers of a match: which came too late, and how late the player came back
//! from thinking.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// The lateness of the answers of a match. Shared between threads.
#[derive(Debug, Default)]
pub(super) struct Pace {
    missed: AtomicU32,
    /// In microseconds.
    overrun: AtomicU64,
}

impl Pace {
    /// How many answers the manager has not got in time.
    pub(super) fn missed(&self) -> u32 {
        self.missed.load(Ordering::Relaxed)
    }

    /// The manager has not got another one in time.
    pub(super) fn miss(&self) {
        // So many are never missed in a match.
        self.missed.fetch_add(1, Ordering::Relaxed);
    }

    /// How late the player came back: the worst, which each turn after it halves.
    pub(super) fn overrun(&self) -> Duration {
        Duration::from_micros(self.overrun.load(Ordering::Relaxed))
    }

    /// The player came back from a turn so long after its time was over.
    pub(super) fn overran(&self, late: Duration) {
        let late = u64::try_from(late.as_micros()).unwrap_or(u64::MAX);
        let before = self.overrun.load(Ordering::Relaxed);
        self.overrun.store(late.max(before / 2), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_overrun_halves() {
        let pace = Pace::default();
        let after = |late: u64| {
            pace.overran(Duration::from_millis(late));
            pace.overrun().as_millis()
        };
        assert_eq!([after(0), after(80), after(10), after(30), after(0)], [0, 80, 40, 30, 15]);
        assert_eq!(pace.missed(), 0);
        pace.miss();
        assert_eq!(pace.missed(), 1);
    }
}
