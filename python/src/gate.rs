//! A gate where threads wait for each other for a short time, and that opens if all agree.

use crate::awake::wait_until;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A gate for so many threads, each of which must run.
pub struct Gate {
    missing: AtomicUsize,
    is_refused: AtomicBool,
}

/// A thread on its way to the gate. It arrives when this is dropped, by a panic, too.
pub struct Arrival<'g> {
    gate: &'g Gate,
    /// Whether the thread agrees to go on.
    pub agrees: bool,
}

impl Gate {
    /// For so many threads.
    pub fn new(threads: usize) -> Gate {
        Gate { missing: AtomicUsize::new(threads), is_refused: AtomicBool::new(false) }
    }

    /// A thread goes to the gate; it does not agree yet.
    pub fn enter(&self) -> Arrival<'_> {
        Arrival { gate: self, agrees: false }
    }

    /// Waits until all threads have arrived. Whether all agree.
    pub fn wait(&self) -> bool {
        wait_until(|| self.missing.load(Ordering::Acquire) == 0);
        !self.is_refused.load(Ordering::Relaxed)
    }
}

impl Drop for Arrival<'_> {
    fn drop(&mut self) {
        if !self.agrees {
            self.gate.is_refused.store(true, Ordering::Relaxed);
        }
        self.gate.missing.fetch_sub(1, Ordering::Release);
    }
}
