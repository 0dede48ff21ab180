//! Looks at the clock in the middle of a loop over rows.
//!
//! Play has no clock: what bounds it is work. In set-up the rows of one condition may take
//! longer than there is time, so every loop over rows asks now and then. In play that is one
//! comparison a row.

use std::time::Instant;

/// After so many rows the clock is read: some tens of microseconds.
const ROWS: usize = 1 << 10;

/// Reads the clock now and then, if there is a time at which to end.
pub(super) struct Looks {
    until: Option<Instant>,
    /// At how many rows to look next; 0 once it is late.
    next: usize,
    late: bool,
}

impl Looks {
    #[inline]
    pub(super) fn new(until: Option<Instant>) -> Looks {
        Looks { until, next: if until.is_some() { ROWS } else { usize::MAX }, late: false }
    }

    /// Whether it has been late at one of the looks so far; to be asked with a number of rows
    /// that grows.
    #[inline]
    pub(super) fn is_late(&mut self, rows: usize) -> bool {
        rows >= self.next && self.look(rows)
    }

    #[cold]
    fn look(&mut self, rows: usize) -> bool {
        self.late |= self.until.is_some_and(|until| Instant::now() > until);
        self.next = if self.late { 0 } else { rows + ROWS };
        self.late
    }

    /// Whether the loop was broken off.
    #[inline]
    pub(super) fn were_late(&self) -> bool {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_clock_is_read_now_and_then_and_late_is_late() {
        let past = Instant::now();
        while Instant::now() <= past {}
        let mut looks = Looks::new(Some(past));
        assert!((0..ROWS).all(|rows| !looks.is_late(rows)) && !looks.were_late());
        assert!(looks.is_late(ROWS) && looks.is_late(0) && looks.were_late());
        let mut looks = Looks::new(Some(past + Duration::from_secs(3600)));
        assert!((0..10 * ROWS).all(|rows| !looks.is_late(rows)));
        assert!(!Looks::new(None).is_late(usize::MAX - 1));
    }
}
