//! How long before the end of a clock a player is to be done.
//!
//! A player cannot see when its answer reaches the manager. What it can see is how late its own
//! threads are, how late the player comes back from thinking, how long a round trip takes on the
//! connections of this manager, and that another move was played than the one that it gave. All
//! of it moves its answers forward, by no more than half of the clock:
//!
//! ```text
//!             thinking ends     the answer leaves      the clock is over
//! ────────────────┼─────────────────────┼───────────────────────┤
//!                  half of the margin,    half of the margin,
//!                  or the last overrun    and the road
//! ```
//!
//! The road is two round trips, of which one opens the connection, and the hands of the threads
//! through which a message goes.

use std::time::Duration;

/// How many threads a message waits for, one after the other, on its way in and out.
const HANDS: u32 = 3;

/// The measurements that decide how early a player is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Margin {
    /// The margin that the user wants; of a short clock it is a third.
    pub(super) wanted: Duration,
    /// How many answers of the match the manager has not got in time. Each doubles the margin.
    pub(super) missed: u32,
    /// How late the player came back from thinking.
    pub(super) overrun: Duration,
    /// How late threads wake up.
    pub(super) lateness: Duration,
    /// How long a round trip to the manager takes.
    pub(super) round_trip: Duration,
}

/// How long before the end of a clock things happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Before {
    /// The thinking ends.
    pub(super) thinking: Duration,
    /// The answer leaves, whatever the player does.
    pub(super) leaving: Duration,
}

impl Margin {
    /// How long before the end of this clock the player is to be done.
    pub(super) fn before_the_end_of(&self, clock: Duration) -> Before {
        let doubled = 1u32.checked_shl(self.missed).unwrap_or(u32::MAX);
        let half = self.wanted.min(clock / 3).saturating_mul(doubled) / 2;
        let road = self.lateness.saturating_mul(HANDS);
        let road = road.saturating_add(self.round_trip.saturating_mul(2));
        // However late all is, the player has half of the clock, and a tenth to come back.
        let leaving = half.saturating_add(road).min(clock / 5 * 2);
        let thinking = leaving.saturating_add(half.max(self.overrun)).min(clock / 2);
        Before { thinking, leaving }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARGIN: Margin = Margin {
        wanted: Duration::from_millis(500),
        missed: 0,
        overrun: Duration::ZERO,
        lateness: Duration::ZERO,
        round_trip: Duration::ZERO,
    };

    /// When thinking ends and the answer leaves, in milliseconds before the end of a clock.
    fn of(margin: Margin, clock: u64) -> (u128, u128) {
        let before = margin.before_the_end_of(Duration::from_millis(clock));
        (before.thinking.as_millis(), before.leaving.as_millis())
    }

    fn millis(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn half_of_it_is_for_the_player_and_half_for_the_road() {
        assert_eq!(of(MARGIN, 10_000), (500, 250));
        assert_eq!(of(MARGIN, 900), (300, 150));
        assert_eq!(of(MARGIN, 0), (0, 0));
    }

    #[test]
    fn what_is_late_is_added() {
        assert_eq!(of(Margin { lateness: millis(100), ..MARGIN }, 10_000), (800, 550));
        assert_eq!(of(Margin { round_trip: millis(70), ..MARGIN }, 10_000), (640, 390));
        let both = Margin { lateness: millis(100), round_trip: millis(70), ..MARGIN };
        assert_eq!(of(both, 10_000), (940, 690));
        // Who comes back soon enough has no more time for that.
        assert_eq!(of(Margin { overrun: millis(200), ..MARGIN }, 10_000), (500, 250));
        assert_eq!(of(Margin { overrun: millis(600), ..MARGIN }, 10_000), (850, 250));
    }

    #[test]
    fn what_was_missed_doubles_it() {
        for (missed, expected) in [(1, (1000, 500)), (2, (2000, 1000)), (3, (4000, 2000))] {
            assert_eq!(of(Margin { missed, ..MARGIN }, 10_000), expected);
        }
    }

    #[test]
    fn half_of_the_clock_is_left() {
        for margin in [
            Margin { missed: 100, ..MARGIN },
            Margin { missed: 31, ..MARGIN },
            Margin { wanted: Duration::MAX, overrun: Duration::MAX, missed: 9, ..MARGIN },
        ] {
            assert_eq!(of(margin, 10_000), (5000, 4000), "{margin:?}");
        }
        for margin in [
            Margin { lateness: millis(60_000), ..MARGIN },
            Margin { round_trip: Duration::MAX, lateness: Duration::MAX, ..MARGIN },
        ] {
            assert_eq!(of(margin, 10_000), (4250, 4000), "{margin:?}");
        }
        assert_eq!(of(Margin { overrun: millis(60_000), ..MARGIN }, 10_000), (5000, 250));
    }
}
