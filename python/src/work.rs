//! Long work: done by another thread while this one waits, without the lock of the interpreter.
//!
//! Now and then the waiting thread takes the lock, looks whether Ctrl-C was pressed, and tells
//! Python how far the work is. Whatever is raised then stops the work, and is raised once it has
//! stopped.

use crate::results::{fields, make};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// How often Ctrl-C is looked for and progress told.
const TICK: Duration = Duration::from_millis(50);

/// What the work and who waits for it know of each other.
pub struct Watch {
    stop: Arc<AtomicBool>,
    /// Stage, how much is done, and of how much.
    told: Mutex<(&'static str, u64, Option<u64>)>,
}

impl Watch {
    /// Becomes true when the work is to end.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The same, to keep.
    pub fn shared_stop(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Says how far the work is.
    pub fn tell(&self, stage: &'static str, done: u64, total: Option<u64>) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = (stage, done, total);
    }

    fn told(&self) -> (&'static str, u64, Option<u64>) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes who waits when the work is over, also by a panic.
struct Over<'a> {
    is_over: &'a AtomicBool,
    waiting: Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        self.waiting.unpark();
    }
}

/// Does something that may take long. `progress` is a callable of Python, or none.
///
/// # Errors
///
/// What Ctrl-C or `progress` raise. A panic of the work is a `RuntimeError`.
pub fn run<T: Send>(
    py: Python<'_>,
    stage: &'static str,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch { stop: Arc::default(), told: Mutex::new((stage, 0, None)) };
    let (start, is_over) = (Instant::now(), AtomicBool::new(false));
    let (watch, is_over) = (&watch, &is_over);
    std::thread::scope(|scope| {
        let waiting = std::thread::current();
        let thread = scope.spawn(move || {
            let _over = Over { is_over, waiting };
            work(watch)
        });
        let mut raised = None;
        while !is_over.load(Ordering::Acquire) {
            py.detach(|| std::thread::park_timeout(TICK));
            if raised.is_none() && !is_over.load(Ordering::Acquire) {
                let told = py.check_signals().and_then(|()| {
                    progress.map_or(Ok(()), |progress| tell(progress, watch, start.elapsed()))
                });
                raised = told.err();
                watch.stop.store(raised.is_some(), Ordering::Relaxed);
            }
        }
        let result = py.detach(|| thread.join());
        match (raised, result) {
            (Some(raised), _) => Err(raised),
            (None, Ok(result)) => Ok(result),
            (None, Err(_)) => Err(PyRuntimeError::new_err(
                "gdlr has a defect: the work ended in a panic, which standard error shows",
            )),
        }
    })
}

fn tell(progress: &Bound<'_, PyAny>, watch: &Watch, elapsed: Duration) -> PyResult<()> {
    let py = progress.py();
    let (stage, done, total) = watch.told();
    let seconds = elapsed.as_secs_f64();
    let fields = fields!(py, stage = stage, done = done, total = total, seconds = seconds);
    progress.call1((make(py, "Progress", &fields)?,)).map(|_| ())
}
