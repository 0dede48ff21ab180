//! Games in lanes, for `gdlr._env`: numpy arrays in, numpy arrays out.
//!
//! [`set_up`] makes lanes. [`actions`] copies actions before a step. What is written goes through
//! [`outputs`](crate::outputs), by the lanes of each thread ([`shard`](crate::shard)).

mod actions;
mod set_up;

use crate::children;
use crate::compiled::Compiled;
use crate::crew::Crew;
use crate::errors::out_of_budget;
use crate::game::Game;
use crate::gate::Gate;
use crate::limits;
use crate::outputs::{Output, Outputs, Parts};
use crate::saved::Rows;
use crate::shard::{Autoreset, Moves, Shard};
use crate::state::State as PyState;
use crate::work;
use gdlr::board::{Board, Planes};
use gdlr::engine::{self, AnyState, ChildOutputs, Children, Engine, Illegal, Refusal};
use gdlr::gdl::Term;
use gdlr::ground::{GroundError, VocabularyError};
use gdlr::propnet::{Propnet, State};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use set_up::set_up;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Games of one rulesheet, stepped together: what `gdlr.Env` is made of.
#[pyclass(module = "gdlr._gdlr", name = "_Lanes")]
pub struct Lanes {
    compiled: Arc<Compiled>,
    shards: Vec<Shard>,
    /// If there are more threads than the one that calls.
    crew: Option<Crew>,
    autoreset: Autoreset,
    refusal: Refusal,
    actions: Vec<i32>,
    outputs: Outputs,
    /// How states are saved, where there is a net.
    rows: Option<Rows>,
}

impl Lanes {
    fn len(&self) -> usize {
        self.shards.last().map_or(0, |shard| shard.range.end)
    }

    fn any(&self) -> &dyn engine::Lanes {
        &*self.shards[0].lanes
    }

    /// How many bits are observed of a lane.
    fn observed(&self) -> usize {
        self.any().width(self.shards[0].observed)
    }

    /// The facts that are true in a lane.
    fn facts_of(&self, lane: usize) -> PyResult<Vec<Term>> {
        let (shard, lane) = self.find(lane)?;
        Ok(self.compiled.engine.facts(&self.shards[shard].lanes.state(lane)))
    }

    /// The shard of a lane, and the number that the lane has there.
    fn find(&self, lane: usize) -> PyResult<(usize, usize)> {
        let at = self.shards.iter().position(|shard| shard.range.contains(&lane));
        match at {
            Some(at) => Ok((at, lane - self.shards[at].range.start)),
            None => Err(PyIndexError::new_err(format!(
                "there is no lane {lane}: they are 0 to {}",
                self.len() - 1
            ))),
        }
    }

    /// How states are saved as rows of words.
    fn rows(&self) -> PyResult<&Rows> {
        self.rows.as_ref().ok_or_else(|| {
            let message = "lanes without a net have no rows of words to save: use state, set_state";
            PyValueError::new_err(message)
        })
    }

    /// Puts lanes into states, all or, where one is refused, none.
    fn put(&mut self, lanes: &[usize], states: &[&AnyState]) -> PyResult<()> {
        let mut by_shard = vec![Vec::new(); self.shards.len()];
        for (&lane, &state) in lanes.iter().zip(states) {
            let (shard, at) = self.find(lane)?;
            if !self.shards[shard].lanes.can_enter(state) {
                let message = format!("lane {lane}: play does not come to this state");
                return Err(PyValueError::new_err(message));
            }
            by_shard[shard].push((at, state));
        }
        for (shard, states) in self.shards.iter_mut().zip(by_shard) {
            shard.lanes.enter(&states).expect("states that can be entered");
        }
        Ok(())
    }

    /// Does something with all shards, each on a thread of its own, the first on this one.
    fn each(&mut self, py: Python<'_>, work: impl Fn(&mut Shard, &mut Parts) + Send + Sync) {
        let Lanes { shards, crew, outputs, .. } = self;
        let mut parts: Vec<Parts> =
            shards.iter().map(|shard| outputs.parts(&shard.range)).collect();
        let Some(crew) = crew else {
            return py.detach(|| work(&mut shards[0], &mut parts[0]));
        };
        let pairs: Vec<Mutex<_>> = shards.iter_mut().zip(&mut parts).map(Mutex::new).collect();
        let work_of = |thread: usize| {
            let mut pair = pairs[thread].lock().expect("each is taken once");
            let (shard, parts) = &mut *pair;
            work(shard, parts);
        };
        py.detach(|| crew.run(&work_of));
    }
}

#[pymethods]
impl Lanes {
    #[new]
    #[pyo3(signature = (game, lanes, *, threads=1, autoreset="next_step", illegal="raise",
                        max_steps=None, seed=0, width=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        py: Python<'_>,
        game: &Game,
        lanes: usize,
        threads: usize,
        autoreset: &str,
        illegal: &str,
        max_steps: Option<u64>,
        seed: u64,
        width: Option<usize>,
    ) -> PyResult<Lanes> {
        let compiled = game.compiled().clone();
        let width = limits::width("width", width)?;
        let threads = limits::threads(threads)?.get();
        if lanes == 0 || lanes > i32::MAX as usize {
            let message = format!("num_envs={lanes} is not from 1 to {}", i32::MAX);
            return Err(PyValueError::new_err(message));
        }
        if max_steps == Some(0) {
            return Err(PyValueError::new_err("max_steps=0: a game has one step at least"));
        }
        let autoreset = match autoreset {
            "next_step" => Autoreset::NextStep,
            "same_step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            other => {
                let message =
                    format!("autoreset={other:?} is none of next_step, same_step, disabled");
                return Err(PyValueError::new_err(message));
            }
        };
        let refusal = match illegal {
            "raise" => Refusal::Fail,
            "end" => Refusal::End,
            other => {
                let message = format!("illegal={other:?} is none of raise, end");
                return Err(PyValueError::new_err(message));
            }
        };
        let shards = work::run(py, "setting up", None, |watch| {
            let meter = compiled.cost.budget(watch.stop()).start();
            let threads = threads.min(lanes);
            let ranges = (0..threads).map(|at| at * lanes / threads..(at + 1) * lanes / threads);
            let make = set_up(&compiled, width, watch.stop(), &meter)?;
            let shards = ranges.map(|range| {
                let mut of_shard = make(range.len(), seed, &meter)?;
                of_shard.cut_after(max_steps);
                Ok(Shard::new(of_shard, range))
            });
            shards.collect::<Result<Vec<Shard>, VocabularyError>>()
        })?;
        let shards = shards.map_err(|error| match error {
            VocabularyError::Ground(GroundError::Exhausted(exhausted)) => {
                out_of_budget(py, &exhausted)
            }
            error => {
                PyValueError::new_err(format!("no columns for {}: {error}", compiled.game.name))
            }
        })?;
        // The thread that calls has a part, too.
        let crew = match shards.len() {
            1 => None,
            threads => Some(Crew::new(threads)?),
        };
        let (actions, outputs) = Default::default();
        let propnet = compiled.engine.downcast_ref::<Propnet>();
        let rows = propnet.map(|of| Rows::new(of.net(), compiled.engine.symbols()));
        let mut vector =
            Lanes { compiled, shards, crew, autoreset, refusal, actions, outputs, rows };
        vector.seed(seed);
        Ok(vector)
    }

    /// The names of all actions.
    #[getter]
    fn actions(&self) -> Vec<String> {
        let symbols = self.compiled.engine.symbols();
        self.any().vocabulary().moves.iter().map(|term| term.spelled(symbols)).collect()
    }

    /// The facts that can be true, in the order of :meth:`observe`.
    #[getter]
    fn facts(&self) -> Vec<String> {
        let symbols = self.compiled.engine.symbols();
        self.any().vocabulary().facts.iter().map(|term| term.spelled(symbols)).collect()
    }

    /// What can be seen of a step, the same for every role.
    #[getter]
    fn percepts(&self) -> Vec<String> {
        let symbols = self.compiled.engine.symbols();
        self.any().vocabulary().percepts.iter().map(|term| term.spelled(symbols)).collect()
    }

    /// How many actions a step takes for a lane.
    #[getter]
    fn acting(&self) -> usize {
        self.any().acting()
    }

    /// Whether all roles act at once.
    #[getter]
    fn simultaneous(&self) -> bool {
        self.any().is_simultaneous()
    }

    /// How many bytes the lanes take.
    #[getter]
    fn nbytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.lanes.bytes()).sum()
    }

    /// The boards that states show, and where each fact stands in an observation with the planes
    /// of boards first: a list of `(name, channels, rows, columns, hexagonal)`; by slot, the number
    /// of the fact or -1; the number of slots on boards.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn layout(
        &self,
    ) -> (Vec<(String, Vec<String>, Vec<String>, Vec<String>, bool)>, Vec<i64>, usize) {
        let boards = self.compiled.boards();
        let symbols = self.compiled.engine.symbols();
        let planes = Planes::new(boards, &self.any().vocabulary().facts, symbols);
        let describe = |board: &Board| {
            let channels = board.channels.iter().map(|channel| channel.name.clone()).collect();
            let (rows, columns) = (board.rows.labels.clone(), board.columns.labels.clone());
            (board.name.clone(), channels, rows, columns, board.is_hexagonal)
        };
        let fact = |slot| planes.fact(slot).map_or(-1, |fact| fact as i64);
        (
            boards.boards().iter().map(describe).collect(),
            (0..planes.len()).map(fact).collect(),
            planes.other_range().start,
        )
    }

    /// Observes these facts: their numbers, or -1 for what is never true.
    fn observe(&mut self, facts: Vec<i64>) -> PyResult<()> {
        let count = self.any().vocabulary().facts.len();
        let number = |fact: i64| match fact {
            -1 => Ok(None),
            fact => match u32::try_from(fact) {
                Ok(number) if (number as usize) < count => Ok(Some(number)),
                _ => Err(PyValueError::new_err(format!("there is no fact {fact}"))),
            },
        };
        let facts = facts.into_iter().map(number).collect::<PyResult<Vec<Option<u32>>>>()?;
        // The arrays that are bound have another size.
        self.outputs = Outputs::default();
        self.shards.iter_mut().for_each(|shard| shard.lanes.observe(facts.clone()));
        Ok(())
    }

    /// Observes what roles see of each step, a row for each role, and not the state.
    fn see(&mut self) {
        self.outputs = Outputs::default();
        self.shards.iter_mut().for_each(|shard| shard.observed = engine::Output::Percepts);
    }

    /// Binds the arrays that each step writes, by name.
    fn bind(&mut self, arrays: &Bound<'_, PyDict>) -> PyResult<()> {
        let (lanes, any) = (self.len(), self.any());
        let actions = any.width(engine::Output::Legal);
        let (observed, roles) = (self.observed(), any.roles());
        let mut outputs = Outputs::default();
        for (name, array) in arrays.iter() {
            let name: String = name.extract()?;
            macro_rules! bind {
                ($($of:ident: $width:expr,)*) => {
                    match &*name {
                        $(stringify!($of) => {
                            outputs.$of = Some(Output::bind(&name, &array, lanes, $width)?);
                        })*
                        _ => return Err(PyValueError::new_err(format!("no array is called {name}"))),
                    }
                };
            }
            bind! {
                legal: actions,
                legal_bits: actions.div_ceil(64),
                observation: observed,
                observation_bits: observed.div_ceil(64),
                final_observation: observed,
                rewards: roles,
                terminated: 1,
                truncated: 1,
                ended: 1,
                current_player: 1,
                last_action: any.acting(),
            }
        }
        let mut addresses = outputs.addresses();
        addresses.sort_by_key(|range| range.start);
        if addresses.windows(2).any(|two| two[1].start < two[0].end) {
            return Err(PyValueError::new_err("two of the arrays overlap"));
        }
        self.outputs = outputs;
        Ok(())
    }

    /// Draws from other seeds; those of all lanes follow from one.
    fn seed(&mut self, seed: u64) {
        for (shard, at) in self.shards.iter_mut().zip(0..) {
            // The lanes of one thread are those of any number of threads only by their own seeds.
            shard.lanes.seed(seed.wrapping_add(at));
        }
    }

    /// Draws chance in a lane from a seed of its own.
    fn seed_lane(&mut self, lane: usize, seed: u64) -> PyResult<()> {
        let (shard, lane) = self.find(lane)?;
        self.shards[shard].lanes.seed_lane(lane, seed);
        Ok(())
    }

    /// Puts lanes into the initial state, all or those of a list, and writes the arrays.
    #[pyo3(signature = (lanes=None))]
    fn reset(&mut self, py: Python<'_>, lanes: Option<Vec<usize>>) -> PyResult<()> {
        let mut lanes = lanes.unwrap_or_else(|| (0..self.len()).collect());
        lanes.sort_unstable();
        lanes.dedup();
        if let Some(&last) = lanes.last() {
            self.find(last)?;
        }
        for shard in &mut self.shards {
            let mine = lanes.iter().filter(|&lane| shard.range.contains(lane));
            let first = shard.range.start;
            shard.lanes.reset(&mine.map(|lane| lane - first).collect::<Vec<usize>>());
        }
        self.refresh(py);
        Ok(())
    }

    /// Writes the arrays.
    fn refresh(&mut self, py: Python<'_>) {
        // SAFETY: the arrays are bound, and each part is in one place.
        self.each(py, |shard, parts| unsafe {
            shard.forget_actions(parts);
            shard.end(Autoreset::Disabled, parts);
            shard.look(parts);
        });
    }

    /// Plays an action in each lane, and writes the arrays.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        self.read_actions(py, actions)?;
        let actions = std::mem::take(&mut self.actions);
        let (autoreset, refusal) = (self.autoreset, self.refusal);
        let acting = self.any().acting();
        let of_shard = |range: &Range<usize>| &actions[range.start * acting..range.end * acting];
        let gate = Gate::new(self.shards.len());
        self.each(py, |shard, parts| {
            let mut arrival = gate.enter();
            let range = shard.range.clone();
            let chosen = shard.lanes.choose(of_shard(&range), autoreset.ended());
            arrival.agrees = chosen.is_ok() || refusal == Refusal::End;
            drop(arrival);
            if gate.wait() {
                // SAFETY: the arrays are bound, and each part is in one place.
                unsafe { shard.play(Moves::Chosen, autoreset, parts) };
            }
        });
        let mut illegal: Vec<(usize, Illegal)> = (self.shards.iter())
            .flat_map(|shard| {
                let first = shard.range.start;
                shard.lanes.illegal().iter().map(move |&illegal| (first + illegal.lane, illegal))
            })
            .collect();
        illegal.sort_by_key(|of| of.0);
        let fails = !illegal.is_empty() && refusal == Refusal::Fail;
        self.actions = actions;
        if fails { Err(self.refused(py, &illegal)) } else { Ok(()) }
    }

    /// Plays a random move of each role in each lane, and writes the arrays.
    fn step_random(&mut self, py: Python<'_>) {
        let autoreset = self.autoreset;
        // SAFETY: the arrays are bound, and each part is in one place.
        self.each(py, |shard, parts| unsafe { shard.play(Moves::Random, autoreset, parts) });
    }

    /// Ends lanes where they are.
    fn cut(&mut self, lanes: Vec<usize>) -> PyResult<()> {
        for lane in lanes {
            let (shard, lane) = self.find(lane)?;
            self.shards[shard].lanes.cut(&[lane]);
        }
        Ok(())
    }

    /// The facts that are true in a lane.
    fn state(&self, lane: usize) -> PyResult<Vec<String>> {
        let symbols = self.compiled.engine.symbols();
        Ok(self.facts_of(lane)?.iter().map(|fact| fact.spelled(symbols)).collect())
    }

    /// The state of a lane as text.
    fn render(&self, lane: usize) -> PyResult<String> {
        let facts = self.facts_of(lane)?;
        Ok(self.compiled.boards().render(&facts, self.compiled.engine.symbols()))
    }

    /// Puts lanes into states of the same game, all or none.
    fn enter(&mut self, lanes: Vec<usize>, states: Vec<PyRef<'_, PyState>>) -> PyResult<()> {
        let other = || PyValueError::new_err("the state is not one of this game and engine");
        if lanes.len() != states.len() {
            let message = format!("{} states for {} lanes", states.len(), lanes.len());
            return Err(PyValueError::new_err(message));
        }
        let of_game = |state: &PyRef<'_, PyState>| {
            let is_ours = Arc::ptr_eq(&state.compiled, &self.compiled);
            // The node stays, whatever happens to the object.
            is_ours.then(|| state.node.clone())
        };
        let nodes = states.iter().map(of_game).collect::<Option<Vec<_>>>().ok_or_else(other)?;
        let states: Vec<&AnyState> = nodes.iter().map(|node| &node.state).collect();
        self.put(&lanes, &states)
    }

    /// How many words the state of a lane is.
    #[getter]
    fn words(&self) -> PyResult<usize> {
        Ok(self.rows()?.width())
    }

    /// Writes the states of lanes into an array, a row of words for each.
    #[pyo3(signature = (array, lanes=None))]
    fn save(&self, array: &Bound<'_, PyAny>, lanes: Option<Vec<usize>>) -> PyResult<()> {
        let lanes = lanes.unwrap_or_else(|| (0..self.len()).collect());
        let places = lanes.iter().map(|&lane| self.find(lane)).collect::<PyResult<Vec<_>>>()?;
        let rows = self.rows()?;
        let width = rows.width();
        let output = Output::<u64>::bind("saved", array, lanes.len(), width)?;
        let mut part = output.part(&(0..lanes.len()));
        // SAFETY: the array was just checked, and the interpreter is locked.
        let words = unsafe { part.slice() };
        for (row, (shard, lane)) in words.chunks_mut(width).zip(places) {
            let state = self.shards[shard].lanes.state(lane);
            let state = state.downcast_ref::<State>().expect("a state of a net");
            row.iter_mut().zip(rows.of(state)).for_each(|(out, word)| *out = word);
        }
        Ok(())
    }

    /// Puts lanes into states that were saved, all or none.
    #[pyo3(signature = (array, lanes=None))]
    fn restore(
        &mut self,
        py: Python<'_>,
        array: &Bound<'_, PyAny>,
        lanes: Option<Vec<usize>>,
    ) -> PyResult<()> {
        let lanes = lanes.unwrap_or_else(|| (0..self.len()).collect());
        let buffer = PyBuffer::<u64>::get(array)
            .map_err(|error| PyTypeError::new_err(format!("saved states: {error}")))?;
        let rows = self.rows()?;
        let width = rows.width();
        if buffer.shape() != [lanes.len(), width] {
            return Err(PyValueError::new_err(format!(
                "saved states have the shape {:?}, not {:?}",
                buffer.shape(),
                [lanes.len(), width]
            )));
        }
        let words = buffer.to_vec(py)?;
        let state = |(at, row)| {
            rows.state(row).map(AnyState::new).ok_or_else(|| {
                PyValueError::new_err(format!("row {at} is no saved state of this game"))
            })
        };
        let states =
            words.chunks(width).enumerate().map(state).collect::<PyResult<Vec<AnyState>>>()?;
        self.put(&lanes, &states.iter().collect::<Vec<_>>())
    }

    /// Finds what comes after every legal action of every lane; returns how many children there
    /// are.
    fn expand(&mut self, py: Python<'_>, legal: bool, observation: bool) -> PyResult<usize> {
        let asked = ChildOutputs {
            legal_bits: legal,
            observations: observation,
            to_move: true,
            goals: true,
        };
        self.each(py, |shard, _| {
            let mut children = std::mem::replace(&mut shard.children, Ok(Children::default()));
            if let Ok(found) = &mut children {
                children = shard.lanes.expand(asked, found).map(|()| std::mem::take(found));
            }
            shard.children = children;
        });
        let mut count = 0;
        for shard in &mut self.shards {
            match &shard.children {
                Ok(children) => count += children.len(),
                Err(error) => return Err(PyValueError::new_err(error.to_string())),
            }
        }
        Ok(count)
    }

    /// Writes what was found into arrays, by name.
    fn take_children(&self, arrays: &Bound<'_, PyDict>) -> PyResult<()> {
        let of_shard = |shard| match shard {
            &Shard { children: Ok(ref children), ref range, .. } => Some((range.start, children)),
            _ => None,
        };
        let children: Vec<(usize, &Children)> = self.shards.iter().filter_map(of_shard).collect();
        children::write(&children, arrays)
    }

    /// How many steps a lane has played since it began.
    fn age(&self, lane: usize) -> PyResult<u64> {
        let (shard, lane) = self.find(lane)?;
        Ok(self.shards[shard].lanes.age(lane))
    }
}
