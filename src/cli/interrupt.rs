//! Ctrl-C: the first one asks the work to stop, the second one ends the process.

use super::output;
use std::sync::atomic::{AtomicBool, Ordering};

/// Raised by the first Ctrl-C; long work looks at it.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// While standard input is read nothing else is under way: the first Ctrl-C ends the process.
static AT_PROMPT: AtomicBool = AtomicBool::new(false);

/// The exit status of an interrupted process.
const INTERRUPTED: i32 = 130;

/// Installs the handler.
// Here nobody is left to whom a status could be returned.
#[allow(clippy::disallowed_methods)]
pub fn install() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) || AT_PROMPT.load(Ordering::Relaxed) {
            output::note("");
            std::process::exit(INTERRUPTED);
        }
    })
}

/// Whether Ctrl-C was pressed.
pub fn raised() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Runs `read`, which waits for the user.
pub fn at_prompt<T>(read: impl FnOnce() -> T) -> T {
    AT_PROMPT.store(true, Ordering::Relaxed);
    let result = read();
    AT_PROMPT.store(false, Ordering::Relaxed);
    result
}
