//! What ends a search before it is done: too many steps, a flag, the clock.
//!
//! Steps are counted for each question. The flag and the clock are looked at every [`LOOK`]
//! steps, whatever questions these were for, so a long play of short moves is watched like one
//! long move. Both are one comparison in the loop: with the step at which to look next.

use super::error::PlayError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How many steps there are between two looks at the flag and the clock: about a millisecond.
const LOOK: u64 = 1 << 14;

/// What a question costs besides its search, in steps.
const QUESTION: u64 = 32;

/// How many symbols are copied or compared at the price of a step.
const SYMBOLS_A_STEP: usize = 64;

/// The price in steps of going through so many symbols.
#[inline(always)]
pub(super) fn price(symbols: usize) -> u64 {
    (symbols / SYMBOLS_A_STEP) as u64
}

/// The limits of searches, and how near they are.
#[derive(Clone, Debug)]
pub(super) struct Watch<'s> {
    /// How many steps a question may take.
    pub limit: u64,
    pub stop: Option<&'s AtomicBool>,
    pub deadline: Option<Instant>,
    /// After how many steps of this question to look at the flag and the clock.
    look: u64,
    /// The lesser of that and the limit.
    alarm: u64,
}

impl Watch<'_> {
    pub fn new(limit: u64) -> Self {
        Watch { limit, stop: None, deadline: None, look: 0, alarm: 0 }
    }

    /// Begins a question; returns the steps that it has taken so far. Looks if it is time to:
    /// a question may be answered without any step.
    ///
    /// # Errors
    ///
    /// If it is not even to begin.
    pub fn begin(&mut self) -> Result<u64, PlayError> {
        self.look = self.look.min(LOOK);
        self.alarm = self.look.min(self.limit);
        if self.look == 0 {
            self.look(0)?;
        }
        Ok(0)
    }

    /// A question has been answered in so many steps.
    pub fn end(&mut self, steps: u64) {
        self.look = self.look.saturating_sub(steps + QUESTION);
    }

    /// To be called often, with the steps of the question so far.
    ///
    /// # Errors
    ///
    /// If it is to end here.
    #[inline(always)]
    pub fn check(&mut self, steps: u64) -> Result<(), PlayError> {
        if steps > self.alarm { self.look(steps) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self, steps: u64) -> Result<(), PlayError> {
        if steps > self.limit {
            return Err(PlayError::TooMuchWork { steps: self.limit });
        }
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(PlayError::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(PlayError::OutOfTime);
        }
        // After an error the next question looks at once, too.
        self.look = steps + LOOK;
        self.alarm = self.look.min(self.limit);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_questions_are_watched_like_a_long_one() {
        let stop = AtomicBool::new(false);
        let mut watch = Watch { stop: Some(&stop), ..Watch::new(u64::MAX) };
        let mut ask = |steps: u64| {
            let first = watch.begin()?;
            let asked = (first..=steps).try_for_each(|steps| watch.check(steps));
            watch.end(steps);
            asked
        };
        assert_eq!(ask(10), Ok(()));
        stop.store(true, Ordering::Relaxed);
        let unnoticed = (0..LOOK).take_while(|_| ask(10).is_ok()).count() as u64;
        assert!((LOOK / 50..LOOK / 10).contains(&unnoticed), "{unnoticed}");
        assert_eq!(ask(2 * LOOK), Err(PlayError::Interrupted));
        stop.store(false, Ordering::Relaxed);
        assert_eq!(ask(1), Ok(()));
        stop.store(true, Ordering::Relaxed);
        // Those without a step, too.
        let unnoticed = (0..LOOK).take_while(|_| ask(0).is_ok()).count() as u64;
        assert!((LOOK / 50..LOOK / 10).contains(&unnoticed), "{unnoticed}");
    }

    #[test]
    fn the_first_question_looks_at_once() {
        let now = Instant::now();
        let mut watch = Watch { deadline: Some(now), ..Watch::new(100) };
        assert_eq!(watch.begin(), Err(PlayError::OutOfTime));
        let mut watch = Watch::new(100);
        assert_eq!(watch.begin(), Ok(0));
        assert_eq!(watch.check(100), Ok(()));
        assert_eq!(watch.check(101), Err(PlayError::TooMuchWork { steps: 100 }));
    }
}
