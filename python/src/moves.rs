//! Joint moves between Python and engines.

use crate::compiled::Compiled;
use crate::errors::{defect, diagnosed, illegal_move};
use crate::node::Node;
use gdlr::engine::{AnyEngine, Engine, MoveId, RoleId, StepError, WorkLimit};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PySequence, PyString, PyTuple};
use std::sync::Arc;

/// The role of a name.
pub fn role(engine: &AnyEngine, name: &str) -> PyResult<RoleId> {
    engine.roles().find(name).ok_or_else(|| {
        let all = engine.roles().names().join(", ");
        PyValueError::new_err(format!("no role is called `{name}`; the roles are {all}"))
    })
}

/// A state was too much for the engine.
pub fn too_much(py: Python<'_>, compiled: &Compiled, limit: &WorkLimit) -> PyErr {
    let diagnostics = std::slice::from_ref(limit.diagnostic());
    diagnosed(py, "WorkError", &compiled.game.name, &compiled.text, diagnostics)
}

/// A tuple of the names of moves.
pub fn names<'py>(
    py: Python<'py>,
    compiled: &Compiled,
    moves: &[MoveId],
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, moves.iter().map(|&id| PyString::new(py, &compiled.name(id))))
}

/// A dictionary of a joint move: by role, the name of its move.
pub fn by_role<'py>(
    py: Python<'py>,
    compiled: &Compiled,
    joint: &[MoveId],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (role, &id) in compiled.engine.roles().names().iter().zip(joint) {
        dict.set_item(role, &*compiled.name(id))?;
    }
    Ok(dict)
}

/// The joint move that Python means in a state: by role or in the order of roles. A role that a
/// mapping leaves out plays its only legal move.
pub fn joint(
    py: Python<'_>,
    compiled: &Compiled,
    node: &Node,
    given: &Bound<'_, PyAny>,
) -> PyResult<Vec<MoveId>> {
    let engine = &compiled.engine;
    let roles = engine.roles();
    let asked = py.detach(|| compiled.ask(node)).map_err(|limit| too_much(py, compiled, &limit))?;
    if asked.terminal {
        let message = "the game is over: no move is legal".to_owned();
        return Err(illegal_move(py, message, "", "", Vec::new()));
    }
    let mut words: Vec<Option<String>> = vec![None; roles.count()];
    if let Ok(mapping) = given.cast::<PyMapping>() {
        for item in mapping.items()?.iter() {
            let (name, word): (String, String) = item.extract()?;
            words[role(engine, &name)?.index()] = Some(word);
        }
    } else if let Ok(sequence) = given.cast::<PySequence>()
        && !given.is_instance_of::<PyString>()
    {
        let given: Vec<String> = sequence.extract()?;
        if given.len() != words.len() {
            let (given, roles) = (given.len(), words.len());
            return Err(PyValueError::new_err(format!(
                "a joint move has one move for each role: {given} moves for {roles} roles"
            )));
        }
        words = given.into_iter().map(Some).collect();
    } else {
        return Err(PyTypeError::new_err(
            "a joint move is a mapping of roles to moves, or a sequence of moves",
        ));
    }
    let id = |(role, word): (RoleId, Option<String>)| {
        let (name, legal) = (roles.name(role), &asked.legal[role.index()]);
        let Some(word) = word else { return only(py, name, legal) };
        let id = compiled.find(role, &word);
        if let Some(id) = id.filter(|id| legal.contains(id)) {
            return Ok(id);
        }
        let legal: Vec<String> = legal.iter().map(|&id| compiled.name(id).to_string()).collect();
        let why = match id {
            None => format!("the game has no move `{word}` for {name}"),
            Some(_) => format!("`{word}` is not legal for {name} in this state"),
        };
        Err(illegal_move(py, format!("{why}; legal: {}", few(&legal)), name, &word, legal))
    };
    roles.iter().zip(words).map(id).collect()
}

/// The only legal move of a role.
fn only(py: Python<'_>, role: &str, legal: &[MoveId]) -> PyResult<MoveId> {
    match legal {
        [id] => Ok(*id),
        [] => Err(defect(py, format!("{role} has no legal move, although the game is not over"))),
        _ => Err(PyValueError::new_err(format!(
            "no move for {role}, which has {} to choose from",
            legal.len()
        ))),
    }
}

/// The first of some words.
fn few(words: &[String]) -> String {
    const SHOWN: usize = 12;
    let more = if words.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", words[..words.len().min(SHOWN)].join(", "))
}

/// The state after a joint move of legal moves.
pub fn play(
    py: Python<'_>,
    compiled: &Compiled,
    node: &Arc<Node>,
    joint: Vec<MoveId>,
) -> PyResult<Arc<Node>> {
    let stepped = py.detach(|| {
        compiled.at(node, |engine, scratch| {
            engine.step(scratch, &joint).map(|()| engine.state(scratch))
        })
    });
    match stepped {
        Ok(state) => Ok(Node::after(node.clone(), joint.into(), state)),
        Err(StepError::Limit(limit)) => Err(too_much(py, compiled, &limit)),
        Err(error) => Err(illegal_move(py, error.to_string(), "", "", Vec::new())),
    }
}
