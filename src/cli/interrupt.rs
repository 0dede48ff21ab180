//! Ctrl-C and SIGTERM: the first signal asks the work to stop, the second one ends the process.

use super::output;
use super::status::Status;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// Raised by the first signal; long work looks at it, clocks of players share it.
pub static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Nothing is under way whose results are worth keeping: the first signal ends the process.
static NOTHING_TO_KEEP: AtomicBool = AtomicBool::new(false);

/// The first signal was SIGTERM.
static TERMINATED: AtomicBool = AtomicBool::new(false);

/// The exit status of an interrupted process.
const INTERRUPTED: i32 = 130;

/// Listens for the signals. Threads that there are already may be ended by SIGTERM.
pub fn install() -> Result<(), Box<dyn Error>> {
    // Before any thread: each has the mask of the one that began it.
    #[cfg(unix)]
    listen_for_termination()?;
    ctrlc::set_handler(stop)?;
    Ok(())
}

/// Takes SIGTERM, and SIGHUP of a terminal that is closed, on a thread that waits for them.
#[cfg(unix)]
fn listen_for_termination() -> Result<(), Box<dyn Error>> {
    use nix::sys::signal::{SigSet, Signal};
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGTERM);
    signals.add(Signal::SIGHUP);
    signals.thread_block()?;
    let wait = move || {
        while let Ok(signal) = signals.wait() {
            if signal == Signal::SIGTERM && !raised() {
                TERMINATED.store(true, Ordering::Relaxed);
            }
            stop();
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    Ok(())
}

/// The handler of a signal.
#[allow(clippy::disallowed_methods, reason = "nobody is left to whom a status could be returned")]
fn stop() {
    if STOP.swap(true, Ordering::AcqRel) || NOTHING_TO_KEEP.load(Ordering::Relaxed) {
        output::note("");
        std::process::exit(INTERRUPTED);
    }
}

/// Whether a signal has come.
pub fn raised() -> bool {
    STOP.load(Ordering::Acquire)
}

/// How a service ends that was told to: SIGTERM is the ordinary way, Ctrl-C an interruption.
pub fn end_of_service() -> Status {
    match TERMINATED.load(Ordering::Relaxed) {
        true => Status::Done,
        false => Status::Interrupted,
    }
}

/// Runs what leaves nothing worth keeping before it is done: waiting for the user, reading, or
/// making an engine. It may run something of its kind within.
pub fn at_once<T>(run: impl FnOnce() -> T) -> T {
    let outer = NOTHING_TO_KEEP.swap(true, Ordering::Relaxed);
    let result = run();
    NOTHING_TO_KEEP.store(outer, Ordering::Relaxed);
    result
}
