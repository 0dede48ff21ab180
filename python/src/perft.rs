//! Sequences of joint moves, counted.

use crate::compiled::Compiled;
use crate::moves::too_much;
use crate::results::{fields, make};
use crate::work;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Counts up to a depth; the result is a `gdlr.Perft`.
pub fn perft<'py>(
    py: Python<'py>,
    compiled: &Compiled,
    depth: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let count = |watch: &work::Watch| {
        let tell = |visited| watch.tell("counting", visited, None);
        gdlr::play::perft(&compiled.engine, depth, watch.stop(), tell)
    };
    let counted = work::run(py, "counting", progress, count)?;
    if let Some(limit) = &counted.limit {
        return Err(too_much(py, compiled, limit));
    }
    let fields = fields!(
        py,
        counts = PyTuple::new(py, counted.counts)?,
        terminal = PyTuple::new(py, counted.terminal)?,
        stuck = PyTuple::new(py, counted.stuck)?,
    );
    make(py, "Perft", &fields)
}
