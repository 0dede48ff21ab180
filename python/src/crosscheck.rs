//! Engines against each other.

use crate::compiled::Compiled;
use crate::errors::no_engine;
use crate::limits;
use crate::moves::too_much;
use crate::results::{fields, make};
use crate::work;
use gdlr::engine::{AnyEngine, EngineKind};
use gdlr::play::crosscheck::{
    CrosscheckOptions, Difference, NamedEngine, Stage, Turn, crosscheck as compare,
};
use gdlr::set_up::{SetUp, SetUpError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::atomic::AtomicBool;

/// The engines that are compared where none are named.
const ALL: [EngineKind; 3] = [EngineKind::Tree, EngineKind::Propnet, EngineKind::Rg];

/// Compares; the result is a `gdlr.Crosscheck`.
pub fn crosscheck<'py>(
    py: Python<'py>,
    compiled: &Compiled,
    engines: Option<Vec<String>>,
    options: &CrosscheckOptions,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let kinds = match engines {
        None => ALL.to_vec(),
        Some(names) => kinds(&names)?,
    };
    let compared = work::run(py, "setting up", progress, |watch| {
        let (made, left_out) = make_all(compiled, &kinds, watch.stop())?;
        let engines: Vec<NamedEngine> =
            made.into_iter().map(|(kind, made)| NamedEngine::new(kind.as_str(), made)).collect();
        let comparison = compare(&engines, options, watch.stop(), |now| {
            let stage = match now.stage {
                Stage::Perft => "all short plays",
                Stage::Playouts => "random playouts",
                Stage::Shortening => "looking for a shorter play",
            };
            watch.tell(stage, now.playouts, Some(options.playouts));
        });
        let names: Vec<String> = engines.iter().map(|engine| engine.name.to_string()).collect();
        Ok((names, left_out, comparison))
    })?;
    let (names, left_out, found) =
        compared.map_err(|error| no_engine(py, &compiled.game.name, &compiled.text, &error))?;
    if let Some((_, limit)) = found.limit.as_ref().filter(|_| found.difference.is_none()) {
        return Err(too_much(py, compiled, limit));
    }
    let out = PyDict::new(py);
    for (kind, error) in left_out {
        out.set_item(kind.as_str(), error.to_string())?;
    }
    let fields = fields!(
        py,
        engines = PyTuple::new(py, names)?,
        left_out = out,
        playouts = found.playouts,
        states = found.states,
        perft = PyTuple::new(py, found.perft)?,
        difference = found.difference.as_ref().map(|it| difference(py, it)).transpose()?,
    );
    make(py, "Crosscheck", &fields)
}

/// The engines of these names, each once.
fn kinds(names: &[String]) -> PyResult<Vec<EngineKind>> {
    let mut kinds = Vec::new();
    for name in names {
        let kind = limits::engine(name)?;
        if !ALL.contains(&kind) {
            let message =
                format!("the engine `{name}` cannot be compared; tree, propnet and rg can");
            return Err(PyValueError::new_err(message));
        }
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.len() {
        0 | 1 => Err(PyValueError::new_err("name two engines or more to compare")),
        _ => Ok(kinds),
    }
}

type MadeEngines = (Vec<(EngineKind, AnyEngine)>, Vec<(EngineKind, SetUpError)>);

/// Makes the engines. One that cannot be made is left out, as long as two others can.
fn make_all(
    compiled: &Compiled,
    kinds: &[EngineKind],
    stop: &AtomicBool,
) -> Result<MadeEngines, SetUpError> {
    let (mut made, mut left_out) = (Vec::new(), Vec::new());
    for &kind in kinds {
        if kind == compiled.kind {
            made.push((kind, compiled.engine.clone()));
            continue;
        }
        let set_up = SetUp { kind, budget: compiled.cost.budget(stop), ..SetUp::default() };
        match set_up.make(compiled.game.clone()) {
            Ok(one) => made.push((kind, one.engine)),
            Err(error) if error.is_interruption() => return Err(error),
            Err(error) => left_out.push((kind, error)),
        }
    }
    match left_out.pop() {
        Some((_, error)) if made.len() < 2 => Err(error),
        last => {
            left_out.extend(last);
            Ok((made, left_out))
        }
    }
}

fn difference<'py>(py: Python<'py>, found: &Difference) -> PyResult<Bound<'py, PyAny>> {
    let says = PyDict::new(py);
    says.set_item(&found.first, &found.says)?;
    for dissent in &found.dissents {
        says.set_item(&dissent.engine, &dissent.says)?;
    }
    let turn = |turn: &Turn| match turn {
        Turn::Play(joint) => PyTuple::new(py, joint).map(Bound::into_any),
        Turn::Enter(after) => Ok(after.into_pyobject(py)?.into_any()),
    };
    let play = found.play.iter().map(turn).collect::<PyResult<Vec<_>>>()?;
    let fields = fields!(
        py,
        aspect = found.aspect.to_string(),
        says = says,
        play = PyTuple::new(py, play)?,
        facts = PyTuple::new(py, &found.facts)?,
    );
    make(py, "Difference", &fields)
}
