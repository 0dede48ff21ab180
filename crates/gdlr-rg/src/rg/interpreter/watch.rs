//! The budgets of a search: a number of steps, a flag, the clock.
//!
//! Steps are counted for each question, such as one list of moves. The flag and the clock are
//! looked at every [`LOOK`] steps, over all questions together. So a long play of short moves is
//! watched like one long move. The loop makes one comparison for both: with the step at which to
//! look next.

use super::error::PlayError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The number of steps between two looks at the flag and the clock: about a millisecond.
const LOOK: u64 = 1 << 14;

/// The cost of a question besides its search, in steps.
const QUESTION: u64 = 32;

/// The number of symbols whose copy or comparison costs one step.
const SYMBOLS_A_STEP: usize = 64;

/// The cost in steps of an operation on so many symbols.
#[inline(always)]
pub(super) fn price(symbols: usize) -> u64 {
    (symbols / SYMBOLS_A_STEP) as u64
}

/// The limits of searches, and the distance to them.
#[derive(Clone, Debug)]
pub(super) struct Watch<'s> {
    /// The number of steps that a question may take.
    pub limit: u64,
    pub stop: Option<&'s AtomicBool>,
    pub deadline: Option<Instant>,
    /// The step of this question after which to look at the flag and the clock.
    look: u64,
    /// The lesser of `look` and `limit`.
    alarm: u64,
}

impl Watch<'_> {
    pub fn new(limit: u64) -> Self {
        Watch { limit, stop: None, deadline: None, look: 0, alarm: 0 }
    }

    /// Begins a question. Returns the steps that it has taken so far. Looks at the flag and the
    /// clock if it is time to, as a question may need no step at all.
    ///
    /// # Errors
    ///
    /// When a limit is reached already.
    pub fn begin(&mut self) -> Result<u64, PlayError> {
        self.look = self.look.min(LOOK);
        self.alarm = self.look.min(self.limit);
        if self.look == 0 {
            self.look(0)?;
        }
        Ok(0)
    }

    /// Ends a question that took so many steps.
    pub fn end(&mut self, steps: u64) {
        self.look = self.look.saturating_sub(steps + QUESTION);
    }

    /// Begins and ends a question that took so many steps, and has a limit of its own.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    #[cfg(feature = "native")]
    pub fn pass(&mut self, steps: u64) -> Result<(), PlayError> {
        self.end(steps);
        if self.look == 0 { self.look(0) } else { Ok(()) }
    }

    /// Compares the steps of the question so far with the limits. Call it often.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
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
        // After an error, the next question looks at once, too.
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
            let outcome = (first..=steps).try_for_each(|steps| watch.check(steps));
            watch.end(steps);
            outcome
        };
        assert_eq!(ask(10), Ok(()));
        stop.store(true, Ordering::Relaxed);
        let unnoticed = (0..LOOK).take_while(|_| ask(10).is_ok()).count() as u64;
        assert!((LOOK / 50..LOOK / 10).contains(&unnoticed), "{unnoticed}");
        assert_eq!(ask(2 * LOOK), Err(PlayError::Interrupted));
        stop.store(false, Ordering::Relaxed);
        assert_eq!(ask(1), Ok(()));
        stop.store(true, Ordering::Relaxed);
        // Questions without a step look, too.
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
