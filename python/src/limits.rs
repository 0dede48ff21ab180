//! Times, threads and engines that Python names.

use gdlr::batch::{UnsupportedWidth, Width};
use gdlr::engine::EngineKind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The most threads.
const THREADS: usize = 1024;

/// A time in seconds.
pub fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{name}={seconds} is no time in seconds")))
}

/// How many threads, 1 to 1024.
pub fn threads(threads: usize) -> PyResult<NonZeroUsize> {
    NonZeroUsize::new(threads).filter(|threads| threads.get() <= THREADS).ok_or_else(|| {
        PyValueError::new_err(format!("threads={threads} is not from 1 to {THREADS}"))
    })
}

/// The width of so many lanes, if they are said.
pub fn width(name: &str, lanes: Option<usize>) -> PyResult<Option<Width>> {
    let Some(lanes) = lanes else { return Ok(None) };
    let width = Width::of_lanes(lanes).ok_or_else(|| {
        let all = Width::ALL.map(|width| width.lanes().to_string()).join(", ");
        PyValueError::new_err(format!("{name}={lanes} is none of {all}"))
    })?;
    match width.is_available() {
        true => Ok(Some(width)),
        false => Err(PyValueError::new_err(UnsupportedWidth::new(width).to_string())),
    }
}

/// The engine of a name.
pub fn engine(name: &str) -> PyResult<EngineKind> {
    name.parse().map_err(|_| {
        let all: Vec<&str> = EngineKind::ALL.iter().map(|kind| kind.as_str()).collect();
        PyValueError::new_err(format!("no engine is called `{name}`; one of {}", all.join(", ")))
    })
}
