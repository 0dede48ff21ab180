//! Ctrl-C: the first one asks the work to stop, the second one ends the process.

use super::output;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// Raised by the first Ctrl-C; long work looks at it, clocks of players share it.
pub static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Nothing is under way whose results are worth keeping: the first Ctrl-C ends the process.
static NOTHING_TO_KEEP: AtomicBool = AtomicBool::new(false);

/// The exit status of an interrupted process.
const INTERRUPTED: i32 = 130;

/// Installs the handler.
// Here nobody is left to whom a status could be returned.
#[allow(clippy::disallowed_methods)]
pub fn install() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) || NOTHING_TO_KEEP.load(Ordering::Relaxed) {
            output::note("");
            std::process::exit(INTERRUPTED);
        }
    })
}

/// Whether Ctrl-C was pressed.
pub fn raised() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Runs what leaves nothing worth keeping before it is done: waiting for the user, reading, or
/// making an engine. It may run something of its kind within.
pub fn at_once<T>(run: impl FnOnce() -> T) -> T {
    let outer = NOTHING_TO_KEEP.swap(true, Ordering::Relaxed);
    let result = run();
    NOTHING_TO_KEEP.store(outer, Ordering::Relaxed);
    result
}
