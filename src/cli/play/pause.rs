//! Waiting for others: where it is hidden what they do, it takes the same time whatever they do.

use crate::cli::{interrupt, progress};
use indicatif::ProgressBar;
use std::thread;
use std::time::{Duration, Instant};

/// By how much players may overrun their time without being noticed.
const SLACK: Duration = Duration::from_millis(100);

/// How often it is looked for Ctrl-C.
const LOOK: Duration = Duration::from_millis(20);

/// A time in which others think, or do not.
pub struct Pause {
    spinner: ProgressBar,
    end: Instant,
}

impl Pause {
    /// Begins now; the others think for so long together, at most.
    pub fn new(time: Duration) -> Pause {
        let spinner = progress::spinner();
        spinner.set_message("the others move");
        Pause { spinner, end: Instant::now() + time + SLACK }
    }

    /// Waits for its end.
    pub fn wait(self) {
        while !interrupt::raised() {
            match self.end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => break,
                left => thread::sleep(left.min(LOOK)),
            }
        }
        self.spinner.finish_and_clear();
    }
}
