//! The class `State`: a state of a game, which never changes.

use crate::compiled::Compiled;
use crate::errors::defect;
use crate::moves::{by_role, names, play, too_much};
use crate::node::{Asked, Node};
use gdlr::engine::{Engine, GoalError, MoveId, Position, RoleId, StepError, choose, seeded};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// A state of a game, which never changes: a step gives another one.
///
/// States are made by :attr:`Game.initial`, :meth:`Game.state_from_facts` and :meth:`step`. Two
/// states are equal if their games have the same rules and the same facts are true in them,
/// whatever the way to them; equal states have equal hashes, in other processes, too. A state
/// keeps the one that it came from, for :meth:`undo`; pickles keep the facts alone.
#[pyclass(frozen, module = "gdlr")]
pub struct State {
    pub compiled: Arc<Compiled>,
    /// The `Game`, for Python.
    pub game: Py<PyAny>,
    pub node: Arc<Node>,
}

impl State {
    fn ask(&self, py: Python<'_>) -> PyResult<&Asked> {
        py.detach(|| self.compiled.ask(&self.node))
            .map_err(|limit| too_much(py, &self.compiled, &limit))
    }

    fn with(&self, py: Python<'_>, node: Arc<Node>) -> State {
        State { compiled: self.compiled.clone(), game: self.game.clone_ref(py), node }
    }

    fn position(&self) -> Position {
        Position::of(&self.compiled.engine, &self.node.state)
    }

    /// The goal value of a role, if the rules give one.
    fn goal_of(&self, py: Python<'_>, role: RoleId) -> PyResult<Option<u8>> {
        let goal = py
            .detach(|| self.compiled.at(&self.node, |engine, scratch| engine.goal(scratch, role)));
        match goal {
            Ok(value) => Ok(Some(value)),
            Err(GoalError::Missing) => Ok(None),
            Err(GoalError::Limit(limit)) => Err(too_much(py, &self.compiled, &limit)),
            Err(error @ GoalError::Improper(_)) => {
                let name = self.compiled.engine.roles().name(role);
                Err(defect(py, format!("goal of {name}: {error}")))
            }
        }
    }
}

#[pymethods]
impl State {
    /// The state as text: boards as grids, where the rules show any, and the other facts below.
    fn render(&self) -> String {
        let facts = self.compiled.engine.facts(&self.node.state);
        self.compiled.boards().render(&facts, self.compiled.engine.symbols())
    }

    /// The game that this is a state of.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<PyAny> {
        self.game.clone_ref(py)
    }

    /// The facts that are true, in KIF, sorted; names are spelled as in the rulesheet.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.position().facts())
    }

    /// Whether the game is over.
    #[getter]
    fn terminal(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.ask(py)?.terminal)
    }

    /// The legal moves of a role, in KIF, in an order that depends on the state alone; none in a
    /// terminal state.
    #[pyo3(signature = (role, /))]
    fn legal<'py>(&self, py: Python<'py>, role: &str) -> PyResult<Bound<'py, PyTuple>> {
        let role = crate::moves::role(&self.compiled.engine, role)?;
        names(py, &self.compiled, &self.ask(py)?.legal[role.index()])
    }

    /// By role: its legal moves, as :meth:`legal` gives them.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (role, moves) in self.compiled.engine.roles().names().iter().zip(&self.ask(py)?.legal) {
            dict.set_item(role, names(py, &self.compiled, moves)?)?;
        }
        Ok(dict)
    }

    /// The roles that have a choice: more than one legal move. Chance is one of them.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names = self.compiled.engine.roles().names().iter().zip(&self.ask(py)?.legal);
        let choosing = names.filter(|(_, moves)| moves.len() > 1).map(|(name, _)| name);
        PyTuple::new(py, choosing.collect::<Vec<_>>())
    }

    /// The goal value of a role, 0 to 100, also before the game is over; ``None`` where the rules
    /// give none.
    #[pyo3(signature = (role, /))]
    fn goal(&self, py: Python<'_>, role: &str) -> PyResult<Option<u8>> {
        self.goal_of(py, crate::moves::role(&self.compiled.engine, role)?)
    }

    /// By role: its goal value, as :meth:`goal` gives it.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (dict, roles) = (PyDict::new(py), self.compiled.engine.roles());
        for role in roles.iter() {
            dict.set_item(roles.name(role), self.goal_of(py, role)?)?;
        }
        Ok(dict)
    }

    /// The state after a joint move: a mapping of roles to moves, or a sequence of moves in the
    /// order of :attr:`Game.roles`. A role that a mapping leaves out plays its only legal move.
    ///
    /// >>> gdlr.Game("tictactoe").initial.step({"crosses": "(sign 2 2)"}).legal("crosses")
    /// ('wait',)
    #[pyo3(signature = (joint, /))]
    fn step(&self, py: Python<'_>, joint: &Bound<'_, PyAny>) -> PyResult<State> {
        let joint = crate::moves::joint(py, &self.compiled, &self.node, joint)?;
        Ok(self.with(py, play(py, &self.compiled, &self.node, joint)?))
    }

    /// The state after every role has drawn one of its legal moves, each with the same chance.
    ///
    /// ``rng`` is an integer as a seed, a ``random.Random``, a ``numpy.random.Generator``, or
    /// ``None`` for the generator of the module ``random``.
    #[pyo3(signature = (rng=None))]
    fn random_step(&self, py: Python<'_>, rng: Option<&Bound<'_, PyAny>>) -> PyResult<State> {
        let asked = self.ask(py)?;
        let mut stream = seeded(seed_of(py, rng)?, 0);
        let roles = self.compiled.engine.roles();
        let draw = |(role, moves): (RoleId, &Vec<MoveId>)| {
            choose(moves, &mut stream).ok_or_else(|| {
                let name = roles.name(role);
                defect(py, format!("{name} has no legal move, although the game is not over"))
            })
        };
        if asked.terminal {
            return Err(PyValueError::new_err("the game is over: there is no step"));
        }
        let drawn = roles.iter().zip(&asked.legal).map(draw).collect::<PyResult<Vec<_>>>()?;
        Ok(self.with(py, play(py, &self.compiled, &self.node, drawn)?))
    }

    /// The state before the last joint move. A ``ValueError`` where there is none.
    fn undo(&self, py: Python<'_>) -> PyResult<State> {
        match &self.node.before {
            Some((before, _)) => Ok(self.with(py, before.clone())),
            None => Err(PyValueError::new_err("there is no state before this one")),
        }
    }

    /// The joint move that led here, by role; ``None`` at the beginning.
    #[getter]
    fn last_moves<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let before = self.node.before.as_ref();
        before.map(|(_, joint)| by_role(py, &self.compiled, joint)).transpose()
    }

    /// The joint moves from the beginning to here, each in the order of :attr:`Game.roles`.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let mut joints = Vec::new();
        for node in self.node.back() {
            if let Some((_, joint)) = &node.before {
                joints.push(names(py, &self.compiled, joint)?);
            }
        }
        joints.reverse();
        PyTuple::new(py, joints)
    }

    /// How many joint moves lie behind this state.
    #[getter]
    fn steps(&self) -> u64 {
        self.node.steps
    }

    /// By role: what it saw of the last joint move by the rules for ``sees``, sorted. Empty at the
    /// beginning, and in games without such rules, where every role is told the joint move.
    #[getter]
    fn percepts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (dict, engine) = (PyDict::new(py), &self.compiled.engine);
        let seen =
            py.detach(|| match self.node.before.as_ref().filter(|_| engine.has_percepts()) {
                None => Ok(vec![Vec::new(); engine.roles().count()]),
                Some((before, joint)) => {
                    self.compiled.at(before, |engine, scratch| engine.percepts(scratch, joint))
                }
            });
        let seen = seen.map_err(|error: StepError| match error {
            StepError::Limit(limit) => too_much(py, &self.compiled, &limit),
            error => defect(py, error.to_string()),
        })?;
        for (role, percepts) in engine.roles().names().iter().zip(seen) {
            let mut words: Vec<String> =
                percepts.iter().map(|term| term.spelled(engine.symbols())).collect();
            words.sort_unstable();
            dict.set_item(role, PyTuple::new(py, words)?)?;
        }
        Ok(dict)
    }

    fn __hash__(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.compiled.hash(&self.node))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> Py<PyAny> {
        let Ok(other) = other.cast::<State>() else { return py.NotImplemented() };
        let other = other.get();
        let equal = py.detach(|| {
            if self.compiled.engine.is(&other.compiled.engine) {
                return self.node.state == other.node.state;
            }
            self.compiled.has_rules_of(&other.compiled) && self.position() == other.position()
        });
        equal
            .into_pyobject(py)
            .map_or_else(|error| match error {}, |it| it.to_owned().into_any().unbind())
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        let restore = self.game.bind(py).getattr("state_from_facts")?;
        Ok((restore, (self.facts(py)?,)))
    }

    fn __repr__(&self) -> String {
        let (name, steps) = (&self.compiled.game.name, self.node.steps);
        let facts = self.compiled.engine.facts(&self.node.state).len();
        format!("<gdlr.State of {name}, {facts} facts, step {steps}>")
    }

    fn __str__(&self) -> String {
        self.position().to_string()
    }
}

/// The seed that a generator of Python gives, or that is one itself.
fn seed_of(py: Python<'_>, rng: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let rng = match rng {
        None => py.import("random")?.into_any(),
        Some(seed) if seed.extract::<u64>().is_ok() => return seed.extract(),
        Some(rng) => rng.clone(),
    };
    if rng.hasattr("getrandbits")? {
        return rng.call_method1("getrandbits", (64,))?.extract();
    }
    if rng.hasattr("integers")? {
        return rng.call_method1("integers", (0, i64::MAX))?.extract();
    }
    Err(PyTypeError::new_err(
        "rng is a seed from 0 to 2**64 - 1, a random.Random, or a numpy.random.Generator",
    ))
}
