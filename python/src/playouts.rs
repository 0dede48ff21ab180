//! Random playouts, counted.

use crate::compiled::Compiled;
use crate::errors::no_engine;
use crate::limits;
use crate::moves::too_much;
use crate::results::{fields, make};
use crate::work;
use gdlr::engine::{Engine, EngineKind};
use gdlr::play::{FlatMonteCarlo, Statistics};
use gdlr::set_up::AnyRandomPlay;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What is asked for.
pub struct Wanted<'a> {
    pub playouts: Option<u64>,
    pub seconds: Option<f64>,
    pub threads: usize,
    pub seed: u64,
    pub engine: &'a str,
    pub lanes: Option<usize>,
    pub max_steps: u64,
}

/// Plays and counts; the result is a `gdlr.Playouts`.
pub fn playouts<'py>(
    py: Python<'py>,
    compiled: &Compiled,
    wanted: &Wanted<'_>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if wanted.playouts.is_none() && wanted.seconds.is_none() {
        return Err(PyValueError::new_err("say how many playouts, or how many seconds"));
    }
    let kind = limits::engine(wanted.engine)?;
    let width = limits::width("lanes", wanted.lanes)?;
    if width.is_some() && !matches!(kind, EngineKind::Auto | EngineKind::Batch) {
        let message = format!("lanes are for the engine batch, and not for {kind}");
        return Err(PyValueError::new_err(message));
    }
    let run = FlatMonteCarlo {
        playouts: wanted.playouts,
        time: wanted.seconds.map(|seconds| limits::duration("seconds", seconds)).transpose()?,
        threads: limits::threads(wanted.threads)?,
        seed: wanted.seed,
        max_steps: wanted.max_steps,
    };
    let played = work::run(py, "setting up", progress, |watch| {
        let (player, kind) = compiled.random_play(kind, width, watch.stop())?;
        let statistics = run.run(&*player, watch.stop(), |now| {
            watch.tell("playing", now.playouts, run.playouts);
        });
        Ok((statistics, kind, player))
    })?;
    let (statistics, kind, player) =
        played.map_err(|error| no_engine(py, &compiled.game.name, &compiled.text, &error))?;
    if let Some(limit) = &statistics.limit {
        return Err(too_much(py, compiled, limit));
    }
    result(py, compiled, &statistics, kind.as_str(), &player)
}

fn result<'py>(
    py: Python<'py>,
    compiled: &Compiled,
    statistics: &Statistics,
    engine: &str,
    player: &AnyRandomPlay,
) -> PyResult<Bound<'py, PyAny>> {
    let roles = PyDict::new(py);
    for (name, role) in compiled.engine.roles().names().iter().zip(&statistics.roles) {
        let goals = PyDict::new(py);
        for (value, count) in role.values() {
            goals.set_item(value, count)?;
        }
        let (improper, mean) = (role.improper, role.mean_goal());
        let fields = fields!(py, goals = goals, improper = improper, mean = mean);
        roles.set_item(name, make(py, "RoleResult", &fields)?)?;
    }
    let batch = match player {
        AnyRandomPlay::Batch(batch) => Some(batch),
        AnyRandomPlay::Engine(_) => None,
    };
    let fields = fields!(
        py,
        lanes = batch.map(|batch| batch.width().lanes()),
        backend = batch.map(|batch| batch.backend().as_str()),
        playouts = statistics.playouts,
        states = statistics.states,
        capped = statistics.capped,
        stuck = statistics.stuck,
        roles = roles,
        seconds = statistics.seconds,
        engine = engine,
    );
    make(py, "Playouts", &fields)
}
