//! Waiting for what happens within microseconds, without falling asleep.

use std::hint;
use std::thread;
use std::time::{Duration, Instant};

/// So often is looked before the processor is offered to others.
const SPINS: usize = 1 << 10;

/// After that, for so long: as numpy takes to choose the actions of a step.
const A_WHILE: Duration = Duration::from_micros(200);

/// Looks again and again, for a while, whether something is so. Whether it is.
pub fn wait_a_while(is_so: impl Fn() -> bool) -> bool {
    for _ in 0..SPINS {
        if is_so() {
            return true;
        }
        hint::spin_loop();
    }
    let start = Instant::now();
    while start.elapsed() < A_WHILE {
        if is_so() {
            return true;
        }
        thread::yield_now();
    }
    is_so()
}

/// Waits until something is so, in the end with little work.
pub fn wait_until(is_so: impl Fn() -> bool) {
    while !wait_a_while(&is_so) {
        thread::sleep(A_WHILE);
    }
}
