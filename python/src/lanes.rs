//! Games in lanes, for `gdlr._env`: numpy arrays in, numpy arrays out.
//!
//! The arrays that a step writes are bound once, and written at each step without the lock of the
//! interpreter. They are exported as buffers as long as they are bound, so that Python neither
//! frees nor moves them; they are checked to be writable, whole, of the right type and size, and
//! not to overlap; and they belong to the lanes alone, which only one call at a time may use.
//! What Python reads of them during a step may be of either state. Actions are copied first.

use crate::children;
use crate::compiled::Compiled;
use crate::errors::{illegal_actions, out_of_budget};
use crate::game::Game;
use crate::gate::Gate;
use crate::limits;
use crate::saved::Rows;
use crate::state::State as PyState;
use crate::work;
use gdlr::batch::{Batch, BatchLanes};
use gdlr::board::{Board, Planes};
use gdlr::budget::{Budget, Exhausted, Meter};
use gdlr::engine::{
    self, AnyState, Asked, Children, Ended, Engine, EngineLanes, ExpandError, Illegal, NO_GOAL,
    NumberedEngine, Refusal, SKIP, TERMINAL,
};
use gdlr::gdl::Term;
use gdlr::ground::{GroundError, VocabularyError, vocabulary};
use gdlr::propnet::{Propnet, State};
use pyo3::buffer::{Element, PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The most moves, facts and percepts that are numbered where there is no net.
const MOST_WORDS: usize = 1 << 20;

/// When lanes that are over begin again.
#[derive(Clone, Copy, PartialEq)]
enum Autoreset {
    /// With the next step, whose action is not looked at.
    NextStep,
    /// With the step that ends them.
    SameStep,
    /// When they are told to.
    Disabled,
}

/// An array of Python that is written at each step.
pub struct Output<T> {
    buffer: PyBuffer<T>,
    /// How many items belong to a lane.
    width: usize,
}

/// The part of an output that belongs to some lanes.
pub struct Part<T>(*mut T, usize);

// SAFETY: a part is a pointer to items that nobody else writes (see the top of the file).
unsafe impl<T: Send> Send for Part<T> {}

impl<T> Part<T> {
    /// The items.
    ///
    /// # Safety
    ///
    /// The buffer must still be bound, and no other reference to the part in use.
    pub unsafe fn slice(&mut self) -> &mut [T] {
        // SAFETY: the pointer and the length are of a part of a buffer that is bound, writable,
        // whole and aligned.
        unsafe { slice::from_raw_parts_mut(self.0, self.1) }
    }
}

impl<T: Element> Output<T> {
    /// Checks an array; `width` items belong to each of some lanes.
    pub fn bind(
        name: &str,
        array: &Bound<'_, PyAny>,
        lanes: usize,
        width: usize,
    ) -> PyResult<Self> {
        let buffer = PyBuffer::<T>::get(array)
            .map_err(|error| PyTypeError::new_err(format!("{name}: {error}")))?;
        let problem = match &buffer {
            buffer if buffer.readonly() => "is read-only",
            buffer if !buffer.is_c_contiguous() => "is not contiguous",
            buffer if buffer.item_count() != lanes * width => "has another size",
            buffer if buffer.buf_ptr().addr() % align_of::<T>() != 0 => "is not aligned",
            _ => return Ok(Output { buffer, width }),
        };
        Err(PyValueError::new_err(format!("{name}: the array {problem}")))
    }

    /// What belongs to some lanes.
    pub fn part(&self, lanes: &Range<usize>) -> Part<T> {
        let first = self.buffer.buf_ptr().cast::<T>();
        Part(first.wrapping_add(lanes.start * self.width), lanes.len() * self.width)
    }

    /// The addresses of all items.
    fn addresses(&self) -> Range<usize> {
        let start = self.buffer.buf_ptr().addr();
        start..start + self.buffer.len_bytes()
    }
}

/// All that may be bound; what is not bound is not computed.
#[derive(Default)]
struct Outputs {
    legal: Option<Output<u8>>,
    legal_bits: Option<Output<u64>>,
    observation: Option<Output<u8>>,
    observation_bits: Option<Output<u64>>,
    final_observation: Option<Output<u8>>,
    rewards: Option<Output<f32>>,
    terminated: Option<Output<u8>>,
    truncated: Option<Output<u8>>,
    ended: Option<Output<u8>>,
    current_player: Option<Output<i32>>,
    last_action: Option<Output<i32>>,
}

/// The same of some lanes.
#[derive(Default)]
struct Parts {
    legal: Option<Part<u8>>,
    legal_bits: Option<Part<u64>>,
    observation: Option<Part<u8>>,
    observation_bits: Option<Part<u64>>,
    final_observation: Option<Part<u8>>,
    rewards: Option<Part<f32>>,
    terminated: Option<Part<u8>>,
    truncated: Option<Part<u8>>,
    ended: Option<Part<u8>>,
    current_player: Option<Part<i32>>,
    last_action: Option<Part<i32>>,
}

impl Outputs {
    fn parts(&self, lanes: &Range<usize>) -> Parts {
        macro_rules! parts {
            ($($name:ident),*) => {
                Parts { $($name: self.$name.as_ref().map(|output| output.part(lanes))),* }
            };
        }
        parts!(
            legal,
            legal_bits,
            observation,
            observation_bits,
            final_observation,
            rewards,
            terminated,
            truncated,
            ended,
            current_player,
            last_action
        )
    }

    fn addresses(&self) -> Vec<Range<usize>> {
        macro_rules! addresses {
            ($($name:ident),*) => {
                [$(self.$name.as_ref().map(Output::addresses)),*].into_iter().flatten().collect()
            };
        }
        addresses!(
            legal,
            legal_bits,
            observation,
            observation_bits,
            final_observation,
            rewards,
            terminated,
            truncated,
            ended,
            current_player,
            last_action
        )
    }
}

/// The lanes of one thread.
struct Shard {
    lanes: Box<dyn engine::Lanes>,
    /// Which of all lanes they are.
    range: Range<usize>,
    ended: Vec<u8>,
    goals: Vec<u8>,
    /// Whether what is observed is what roles see, and not the state.
    sees: bool,
    /// What [`Lanes::expand`] has found, until it is taken.
    children: Result<Children, ExpandError>,
}

impl Shard {
    /// Plays what was chosen, or at random, and writes what there is to say.
    ///
    /// # Safety
    ///
    /// As for [`Part::slice`].
    unsafe fn play(&mut self, at_random: bool, autoreset: Autoreset, parts: &mut Parts) {
        // SAFETY: the caller's.
        let last = parts.last_action.as_mut().map(|part| unsafe { part.slice() });
        match (at_random, last) {
            (true, None) => self.lanes.step_at_random(autoreset.ended()),
            (false, None) => self.lanes.play(),
            (at_random, Some(last)) => {
                if at_random {
                    self.lanes.choose_at_random(autoreset.ended());
                }
                self.lanes.chosen(last);
                self.lanes.play();
            }
        }
        // SAFETY: the caller's.
        unsafe { self.end(autoreset, parts) };
        // SAFETY: the caller's.
        unsafe { self.look(parts) };
    }

    /// Lanes that have begun, or were put into a state, have played nothing.
    ///
    /// # Safety
    ///
    /// As for [`Part::slice`].
    unsafe fn forget_actions(&mut self, parts: &mut Parts) {
        // SAFETY: the caller's.
        let Some(out) = parts.last_action.as_mut().map(|part| unsafe { part.slice() }) else {
            return;
        };
        for (lane, row) in out.chunks_mut(self.lanes.acting()).enumerate() {
            if self.lanes.age(lane) == 0 {
                row.fill(SKIP);
            }
        }
    }

    /// Writes what has ended, and begins again where that is wanted.
    ///
    /// # Safety
    ///
    /// As for [`Part::slice`].
    unsafe fn end(&mut self, autoreset: Autoreset, parts: &mut Parts) {
        self.lanes.ended(&mut self.ended);
        // SAFETY: the caller's, here and below.
        if let Some(out) = parts.ended.as_mut().map(|part| unsafe { part.slice() }) {
            out.copy_from_slice(&self.ended);
        }
        if let Some(out) = parts.terminated.as_mut().map(|part| unsafe { part.slice() }) {
            let is_terminal = |(out, &ended): (&mut u8, &u8)| *out = u8::from(ended == TERMINAL);
            out.iter_mut().zip(&self.ended).for_each(is_terminal);
        }
        if let Some(out) = parts.truncated.as_mut().map(|part| unsafe { part.slice() }) {
            let is_other = |(out, &ended): (&mut u8, &u8)| *out = u8::from(ended > TERMINAL);
            out.iter_mut().zip(&self.ended).for_each(is_other);
        }
        if let Some(out) = parts.rewards.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.goals(&mut self.goals);
            // Most lanes are not over.
            out.fill(0.0);
            let roles = self.goals.len() / self.ended.len();
            let rows = out.chunks_exact_mut(roles).zip(self.goals.chunks_exact(roles));
            for ((out, goals), _) in rows.zip(&self.ended).filter(|of| *of.1 == TERMINAL) {
                for (out, &goal) in out.iter_mut().zip(goals) {
                    *out = if goal == NO_GOAL { f32::NAN } else { f32::from(goal) / 100.0 };
                }
            }
        }
        if let Some(out) = parts.final_observation.as_mut().map(|part| unsafe { part.slice() }) {
            match self.sees {
                true => self.lanes.last_percepts(out),
                false => self.lanes.last_observations(out),
            }
        }
        if autoreset == Autoreset::SameStep {
            self.lanes.reset_over();
        }
    }

    /// Writes what there is to say about the states.
    ///
    /// # Safety
    ///
    /// As for [`Part::slice`].
    unsafe fn look(&mut self, parts: &mut Parts) {
        // SAFETY: the caller's, here and below.
        if let Some(out) = parts.legal.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.legal(out);
        }
        if let Some(out) = parts.legal_bits.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.legal_bits(out);
        }
        if let Some(out) = parts.observation.as_mut().map(|part| unsafe { part.slice() }) {
            match self.sees {
                true => self.lanes.percepts(out),
                false => self.lanes.observations(out),
            }
        }
        if let Some(out) = parts.observation_bits.as_mut().map(|part| unsafe { part.slice() }) {
            match self.sees {
                true => self.lanes.percept_bits(out),
                false => self.lanes.observation_bits(out),
            }
        }
        if let Some(out) = parts.current_player.as_mut().map(|part| unsafe { part.slice() }) {
            self.lanes.to_move(out);
        }
    }
}

impl Autoreset {
    fn ended(self) -> Ended {
        match self {
            Autoreset::NextStep => Ended::Restart,
            Autoreset::SameStep | Autoreset::Disabled => Ended::Stay,
        }
    }
}

/// Games of one rulesheet, stepped together: what `gdlr.Env` is made of.
#[pyclass(module = "gdlr._gdlr", name = "_Lanes")]
pub struct Lanes {
    compiled: Arc<Compiled>,
    shards: Vec<Shard>,
    threads: Option<rayon::ThreadPool>,
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
        match self.shards[0].sees {
            true => self.any().roles() * self.any().percept_terms().len(),
            false => self.any().observed().len(),
        }
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
            shard.lanes.enter_many(&states).expect("states that can be entered");
        }
        Ok(())
    }

    /// Does something with all shards, each on a thread of its own, the first on this one.
    fn each(&mut self, py: Python<'_>, work: impl Fn(&mut Shard, &mut Parts) + Send + Sync) {
        let Lanes { shards, threads, outputs, .. } = self;
        let mut parts: Vec<Parts> =
            shards.iter().map(|shard| outputs.parts(&shard.range)).collect();
        let mut pairs = shards.iter_mut().zip(&mut parts);
        let (first, first_parts) = pairs.next().expect("there is one lane at least");
        let work = &work;
        py.detach(|| match threads {
            None => work(first, first_parts),
            Some(threads) => threads.in_place_scope(|scope| {
                for (shard, parts) in pairs {
                    scope.spawn(move |_| work(shard, parts));
                }
                work(first, first_parts);
            }),
        });
    }

    /// Copies the actions of all lanes out of an array.
    fn read_actions(&mut self, py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
        let wrong_type =
            |_| PyTypeError::new_err("actions are an array of integers, such as numpy.int32");
        let buffer = PyUntypedBuffer::get(array).map_err(wrong_type)?;
        let (lanes, acting) = (self.len(), self.any().acting());
        let expected = if self.any().is_simultaneous() { vec![lanes, acting] } else { vec![lanes] };
        if buffer.shape() != expected {
            let shape = |sizes: &[usize]| {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                format!("({}{})", sizes.join(", "), if sizes.len() == 1 { "," } else { "" })
            };
            return Err(PyValueError::new_err(format!(
                "actions have the shape {}, not {}",
                shape(buffer.shape()),
                shape(&expected)
            )));
        }
        self.actions.clear();
        macro_rules! copy {
            ($($type:ty),*) => {
                $(if let Ok(typed) = buffer.as_typed::<$type>() {
                    match typed.as_slice_ptr() {
                        Some(items) => {
                            // SAFETY: the items are there and aligned as long as the buffer is,
                            // and are read while the interpreter is locked.
                            let read = |at| unsafe { items.cast::<$type>().add(at).read() };
                            self.actions.extend((0..items.len()).map(|at| narrow(read(at))));
                        }
                        None => {
                            let items = typed.to_vec(py)?;
                            self.actions.extend(items.into_iter().map(narrow));
                        }
                    }
                    return Ok(());
                })*
            };
        }
        copy!(i64, i32, u8, i8, u16, i16, u32, u64);
        Err(PyTypeError::new_err("actions are an array of integers, such as numpy.int32"))
    }

    /// Says which actions are not legal.
    fn refused(&self, py: Python<'_>, found: &[(usize, Illegal)]) -> PyErr {
        let engine = &self.compiled.engine;
        let (lane, illegal) = found[0];
        let name = self.any().actions().get(illegal.action as usize);
        let what = match name {
            Some(term) => {
                format!(
                    "action {}, {}, is not legal",
                    illegal.action,
                    term.spelled(engine.symbols())
                )
            }
            None if illegal.action == OUT_OF_RANGE => {
                "there is no such action: it does not fit into 32 bits".to_owned()
            }
            None => format!(
                "there is no action {}: they are 0 to {}, or -1 for a lane that is to wait",
                illegal.action,
                self.any().actions().len() as i64 - 1
            ),
        };
        let role = &engine.roles().names()[usize::from(illegal.role)];
        let more = match found.len() - 1 {
            0 => String::new(),
            more => format!("; the actions of {more} more are not, either"),
        };
        let lanes = found.iter().map(|of| of.0).collect();
        illegal_actions(py, format!("lane {lane}, {role}: {what}{more}"), lanes)
    }
}

/// Instead of an action that does not fit into 32 bits.
const OUT_OF_RANGE: i32 = i32::MIN;

/// An action as a number of 32 bits; what is out of range is no action.
fn narrow<T: TryInto<i32>>(action: T) -> i32 {
    action.try_into().unwrap_or(OUT_OF_RANGE)
}

/// What makes so many lanes with a seed.
type MakeLanes =
    Box<dyn Fn(usize, u64, &Meter<'_>) -> Result<Box<dyn engine::Lanes>, VocabularyError> + Send>;

/// Sets lanes up: on the net, or on any other engine.
fn set_up(
    compiled: &Compiled,
    stop: &AtomicBool,
    meter: &Meter<'_>,
) -> Result<MakeLanes, VocabularyError> {
    let exhausted = |error: Exhausted| VocabularyError::from(GroundError::from(error));
    let Some(propnet) = compiled.engine.downcast_ref::<Propnet>() else {
        // Trees are made where the budget ran out, and cannot do without it.
        let needed = Budget { interrupted: Some(stop), ..Budget::UNLIMITED };
        let words = vocabulary(compiled.game.clone(), MOST_WORDS, &needed.start())?;
        let numbered = Arc::new(NumberedEngine::new(compiled.engine.clone(), words));
        return Ok(Box::new(move |lanes, seed, _| {
            Ok(Box::new(EngineLanes::new(numbered.clone(), lanes, seed)))
        }));
    };
    let batch = match compiled.lanes(stop) {
        Some(batch) => batch,
        // Again, to say why.
        None => {
            let (game, net) = (propnet.game().clone(), propnet.net().clone());
            Arc::new(Batch::within(game, net, meter).map_err(exhausted)?)
        }
    };
    Ok(Box::new(move |lanes, seed, meter| {
        let lanes = BatchLanes::new(batch.clone(), lanes, seed, meter).map_err(exhausted)?;
        Ok(Box::new(lanes))
    }))
}

#[pymethods]
impl Lanes {
    #[new]
    #[pyo3(signature = (game, lanes, *, threads=1, autoreset="next_step", illegal="raise",
                        max_steps=None, seed=0))]
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
    ) -> PyResult<Lanes> {
        let compiled = game.compiled().clone();
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
        let made = work::run(py, "setting up", None, |watch| {
            let meter = compiled.cost.budget(watch.stop()).start();
            let threads = threads.min(lanes);
            let ranges = (0..threads).map(|at| at * lanes / threads..(at + 1) * lanes / threads);
            let make = set_up(&compiled, watch.stop(), &meter)?;
            let roles = compiled.engine.roles().count();
            let shards = ranges.map(|range| {
                let mut of_shard = make(range.len(), seed, &meter)?;
                of_shard.cut_after(max_steps);
                let (ended, goals) = (vec![0; range.len()], vec![0; range.len() * roles]);
                let children = Ok(Children::default());
                Ok(Shard { lanes: of_shard, range, ended, goals, sees: false, children })
            });
            shards.collect::<Result<Vec<Shard>, VocabularyError>>()
        })?;
        let shards = made.map_err(|error| match error {
            VocabularyError::Ground(GroundError::Exhausted(exhausted)) => {
                out_of_budget(py, &exhausted)
            }
            error => {
                PyValueError::new_err(format!("no columns for {}: {error}", compiled.game.name))
            }
        })?;
        let threads = match shards.len() {
            1 => None,
            count => {
                // The thread that calls has a part, too.
                let pool = rayon::ThreadPoolBuilder::new().num_threads(count - 1).build();
                Some(pool.map_err(|error| PyValueError::new_err(error.to_string()))?)
            }
        };
        let (actions, outputs) = Default::default();
        let propnet = compiled.engine.downcast_ref::<Propnet>();
        let rows = propnet.map(|of| Rows::new(of.net(), compiled.engine.symbols()));
        let mut made =
            Lanes { compiled, shards, threads, autoreset, refusal, actions, outputs, rows };
        made.seed(seed);
        Ok(made)
    }

    /// The names of all actions.
    #[getter]
    fn actions(&self) -> Vec<String> {
        let symbols = self.compiled.engine.symbols();
        self.any().actions().iter().map(|term| term.spelled(symbols)).collect()
    }

    /// The facts that can be true, in the order of :meth:`observe`.
    #[getter]
    fn facts(&self) -> Vec<String> {
        let symbols = self.compiled.engine.symbols();
        self.any().facts().iter().map(|term| term.spelled(symbols)).collect()
    }

    /// What can be seen of a step, the same for every role.
    #[getter]
    fn percepts(&self) -> Vec<String> {
        let symbols = self.compiled.engine.symbols();
        self.any().percept_terms().iter().map(|term| term.spelled(symbols)).collect()
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
        let planes = Planes::new(boards, self.any().facts(), symbols);
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
        let known = self.any().facts().len();
        let number = |fact: i64| match fact {
            -1 => Ok(None),
            fact => match u32::try_from(fact) {
                Ok(number) if (number as usize) < known => Ok(Some(number)),
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
        self.shards.iter_mut().for_each(|shard| shard.sees = true);
    }

    /// Binds the arrays that each step writes, by name.
    fn bind(&mut self, arrays: &Bound<'_, PyDict>) -> PyResult<()> {
        let (lanes, any) = (self.len(), self.any());
        let actions = any.acting() * any.actions().len();
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
                unsafe { shard.play(false, autoreset, parts) };
            }
        });
        let mut found: Vec<(usize, Illegal)> = (self.shards.iter())
            .flat_map(|shard| {
                let first = shard.range.start;
                shard.lanes.illegal().iter().map(move |&illegal| (first + illegal.lane, illegal))
            })
            .collect();
        found.sort_by_key(|of| of.0);
        let fails = !found.is_empty() && refusal == Refusal::Fail;
        self.actions = actions;
        if fails { Err(self.refused(py, &found)) } else { Ok(()) }
    }

    /// Plays a random move of each role in each lane, and writes the arrays.
    fn step_random(&mut self, py: Python<'_>) {
        let autoreset = self.autoreset;
        // SAFETY: the arrays are bound, and each part is in one place.
        self.each(py, |shard, parts| unsafe { shard.play(true, autoreset, parts) });
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
        let asked =
            Asked { legal_bits: legal, observations: observation, to_move: true, goals: true };
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
        let found: Vec<(usize, &Children)> = self.shards.iter().filter_map(of_shard).collect();
        children::write(&found, arrays)
    }

    /// How many steps a lane has played since it began.
    fn age(&self, lane: usize) -> PyResult<u64> {
        let (shard, lane) = self.find(lane)?;
        Ok(self.shards[shard].lanes.age(lane))
    }
}
