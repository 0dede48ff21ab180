//! The class `Game`: a rulesheet with its engine, and all that can be asked of it.

use crate::automaton::{self, NoRules};
use crate::compiled::{Compiled, Cost};
use crate::crosscheck;
use crate::errors::{diagnosed, no_engine, no_rules_in_budget, out_of_budget};
use crate::limits;
use crate::mcts;
use crate::moves::names;
use crate::node::Node;
use crate::perft;
use crate::playouts;
use crate::source::Source;
use crate::state::State;
use crate::work;
use gdlr::automaton::net::NoNet;
use gdlr::budget::Exhausted;
use gdlr::diagnostic::Diagnostic;
use gdlr::engine::{Engine, EngineKind, enter_written};
use gdlr::export::{Origin, from_game, from_net_within};
use gdlr::gdl::{self, Reading};
use gdlr::ground::GroundError;
use gdlr::play::crosscheck::CrosscheckOptions;
use gdlr::propnet::Propnet;
use gdlr::set_up::SetUpError;
use gdlr::{bundled, hrg, kif, notation};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The names of the bundled games, sorted. :meth:`Game.bundled` makes one.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    bundled::GAMES.iter().map(|game| game.name).collect()
}

/// A rulesheet with an engine that plays it. It never changes, and threads may share it.
///
/// ``rules`` is a rulesheet as text, in KIF or in infix notation; a path to one; or the name of a
/// bundled game (:func:`gdlr.games`). An automaton in RG, HRG, RBG or ABG will do, too: the game is the
/// rulesheet that its net gives, as ``gdlr rg to-kif`` writes it. Where that could be mistaken, use :meth:`from_string`,
/// :meth:`from_path` and :meth:`bundled`, which take the same options:
///
/// * ``engine``: ``"propnet"`` grounds the rules and plays on a net of gates, ``"tree"`` joins
///   relations, ``"rg"`` plays an automaton. ``"auto"`` is ``propnet``, or ``tree`` where set-up
///   runs out of its budget.
/// * ``set_up_time`` in seconds and ``set_up_memory`` in MiB: the budget of set-up.
/// * ``case_sensitive``: whether upper and lower case are told apart.
/// * ``built_ins``: whether ``plus``, ``less`` and other relations are computed, unless the rulesheet
///   has rules for them. In a rulesheet with operations they always are.
/// * ``progress``: a callable that is given a :class:`gdlr.Progress` some times a second.
///
/// Raises ``RulesError`` for rules that cannot be read or played, ``SetUpError`` when set-up runs
/// out of its budget.
///
/// >>> game = gdlr.Game("tictactoe")
/// >>> game.roles
/// ('crosses', 'noughts')
/// >>> game.initial.step({"crosses": "(sign 2 2)"}).facts
/// ('(signed 2 2 crosses)', '(turn noughts)')
#[pyclass(frozen, module = "gdlr")]
pub struct Game {
    compiled: Arc<Compiled>,
}

/// What is said beside the rules.
struct Options<'a> {
    engine: &'a str,
    set_up_time: f64,
    set_up_memory: usize,
    reading: Reading,
}

/// Games that came out of pickles and are still in use, so that many states share one.
static RESTORED: Mutex<Vec<Weak<Compiled>>> = Mutex::new(Vec::new());

/// Why there is no game.
enum Refused {
    Rules(Vec<Diagnostic>),
    NoNet(NoNet),
    SetUp(SetUpError),
}

impl Game {
    /// The game with its engine.
    pub fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// Reads, checks and sets up.
    fn make(
        py: Python<'_>,
        source: &Source,
        options: &Options<'_>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Game> {
        let wanted = limits::engine(options.engine)?;
        let time = limits::duration("set_up_time", options.set_up_time)?;
        let cost = Cost { time, memory: options.set_up_memory.saturating_mul(1 << 20) };
        let reading = options.reading;
        let compiled = work::run(py, "setting up", progress, |watch| {
            let written = match hrg::is_automaton(&source.text()) {
                false => None,
                true => {
                    let meter = cost.budget(watch.stop()).start();
                    Some(automaton::rules(&source.name, &source.bytes, &meter).map_err(|why| {
                        match why {
                            NoRules::Refused(errors) => Refused::Rules(errors),
                            NoRules::NoNet(why) => Refused::NoNet(why),
                        }
                    })?)
                }
            };
            let bytes = written.as_ref().map_or(&source.bytes[..], |written| written.as_bytes());
            let document = notation::read_bytes(bytes).map_err(Refused::Rules)?;
            let game = gdl::Game::from_document(&source.name, document, reading)
                .map_err(Refused::Rules)?;
            let diagnostics = gdlr::check::check(&game);
            let forbidding: Vec<Diagnostic> =
                gdl::Game::forbidding(&diagnostics).cloned().collect();
            if !forbidding.is_empty() {
                return Err(Refused::Rules(forbidding));
            }
            let text = written.unwrap_or_else(|| source.text().into_owned());
            let game = Arc::new(game);
            Compiled::new(game, text, reading, wanted, cost, watch.stop()).map_err(Refused::SetUp)
        })?;
        match compiled {
            Ok(compiled) => Ok(Game { compiled: Arc::new(compiled) }),
            Err(Refused::Rules(found)) => {
                Err(diagnosed(py, "RulesError", &source.name, &source.text(), &found))
            }
            Err(Refused::NoNet(NoNet::Exhausted(exhausted))) => {
                Err(no_rules_in_budget(py, &exhausted))
            }
            Err(Refused::NoNet(why)) => {
                let message =
                    format!("{} is an automaton, and has no rulesheet: {why}", source.name);
                Err(PyValueError::new_err(message))
            }
            Err(Refused::SetUp(error)) => Err(no_engine(py, &source.name, &source.text(), &error)),
        }
    }

    /// A state for Python.
    fn state(slf: &Bound<'_, Self>, node: Arc<Node>) -> State {
        let game = slf.clone().into_any().unbind();
        State { compiled: slf.get().compiled.clone(), game, node }
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules, *, engine="auto", set_up_time=20.0, set_up_memory=2048,
                        case_sensitive=false, built_ins=false, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        py: Python<'_>,
        rules: &Bound<'_, PyAny>,
        engine: &str,
        set_up_time: f64,
        set_up_memory: usize,
        case_sensitive: bool,
        built_ins: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Game> {
        let reading = Reading { case_sensitive, built_ins };
        let options = Options { engine, set_up_time, set_up_memory, reading };
        Game::make(py, &Source::find(rules)?, &options, progress)
    }

    /// The game of a rulesheet as text, in KIF or in infix notation. ``name`` is what to call it.
    #[classmethod]
    #[pyo3(signature = (text, *, name="game", engine="auto", set_up_time=20.0, set_up_memory=2048,
                        case_sensitive=false, built_ins=false, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn from_string(
        class: &Bound<'_, PyType>,
        text: String,
        name: &str,
        engine: &str,
        set_up_time: f64,
        set_up_memory: usize,
        case_sensitive: bool,
        built_ins: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Game> {
        let reading = Reading { case_sensitive, built_ins };
        let options = Options { engine, set_up_time, set_up_memory, reading };
        Game::make(class.py(), &Source::of_text(text, name), &options, progress)
    }

    /// The game of the rulesheet in a file.
    #[classmethod]
    #[pyo3(signature = (path, *, engine="auto", set_up_time=20.0, set_up_memory=2048,
                        case_sensitive=false, built_ins=false, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn from_path(
        class: &Bound<'_, PyType>,
        path: PathBuf,
        engine: &str,
        set_up_time: f64,
        set_up_memory: usize,
        case_sensitive: bool,
        built_ins: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Game> {
        let reading = Reading { case_sensitive, built_ins };
        let options = Options { engine, set_up_time, set_up_memory, reading };
        Game::make(class.py(), &Source::of_path(&path)?, &options, progress)
    }

    /// A bundled game, by its name; :func:`gdlr.games` lists them.
    #[classmethod]
    #[pyo3(signature = (name, *, engine="auto", set_up_time=20.0, set_up_memory=2048,
                        progress=None))]
    fn bundled(
        class: &Bound<'_, PyType>,
        name: &str,
        engine: &str,
        set_up_time: f64,
        set_up_memory: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Game> {
        let reading = Reading::default();
        let options = Options { engine, set_up_time, set_up_memory, reading };
        Game::make(class.py(), &Source::bundled(name)?, &options, progress)
    }

    /// What the game is called: the name of its file or of the bundled game.
    #[getter]
    fn name(&self) -> &str {
        &self.compiled.game.name
    }

    /// The rulesheet, as it was given.
    #[getter]
    fn rules(&self) -> &str {
        &self.compiled.text
    }

    /// The roles, in the order of joint moves.
    #[getter]
    fn roles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.compiled.engine.roles().names())
    }

    /// The role of chance, which moves at random; ``None`` if there is none.
    #[getter]
    fn chance(&self) -> Option<&str> {
        let roles = self.compiled.engine.roles();
        roles.random().map(|role| roles.name(role))
    }

    /// Whether roles see of a step what rules for ``sees`` say, and nothing else (GDL-II).
    #[getter]
    fn has_percepts(&self) -> bool {
        self.compiled.engine.has_percepts()
    }

    /// The engine that plays: ``"propnet"``, ``"tree"`` or ``"rg"``.
    #[getter]
    fn engine(&self) -> &'static str {
        self.compiled.kind.as_str()
    }

    /// Why ``engine="auto"`` fell back to the trees; ``None`` if it did not.
    #[getter]
    fn fallback(&self) -> Option<&str> {
        self.compiled.fallback.as_deref()
    }

    /// How long set-up took, in seconds.
    #[getter]
    fn set_up_seconds(&self) -> f64 {
        self.compiled.set_up.as_secs_f64()
    }

    /// By role: all moves that it can ever have, in an order that does not change; ``None`` where
    /// the engine does not know them (``"tree"``).
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(all) = py.detach(|| self.compiled.moves()) else { return Ok(None) };
        let dict = PyDict::new(py);
        for (role, moves) in self.compiled.engine.roles().names().iter().zip(&all) {
            dict.set_item(role, names(py, &self.compiled, moves)?)?;
        }
        Ok(Some(dict))
    }

    /// All facts that can ever be true in a state, sorted; ``None`` where the engine does not know
    /// them (``"tree"``).
    #[getter]
    fn fluents<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let all = py.detach(|| self.compiled.fluents());
        all.map(|all| PyTuple::new(py, all)).transpose()
    }

    /// By role: all that it can ever see by rules for ``sees``, sorted; nothing in games without.
    /// ``None`` where the engine does not know it (``"tree"`` and ``"rg"``).
    #[getter]
    fn percepts<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(all) = py.detach(|| self.compiled.percepts()) else { return Ok(None) };
        let dict = PyDict::new(py);
        for (role, percepts) in self.compiled.engine.roles().names().iter().zip(all) {
            dict.set_item(role, PyTuple::new(py, percepts)?)?;
        }
        Ok(Some(dict))
    }

    /// The initial state.
    #[getter]
    fn initial(slf: &Bound<'_, Self>) -> State {
        Game::state(slf, slf.get().compiled.initial.clone())
    }

    /// The state in which just these facts are true: strings in KIF, or one string with all of
    /// them; each as it is or as ``(true FACT)``.
    ///
    /// Raises ``PositionError`` for what is no state of the game. The engines ``propnet`` and
    /// ``rg`` have no room for states that play cannot reach, as far as they make use of that;
    /// ``tree`` takes any.
    #[pyo3(signature = (facts, /))]
    fn state_from_facts(slf: &Bound<'_, Self>, facts: &Bound<'_, PyAny>) -> PyResult<State> {
        let (py, compiled) = (slf.py(), &slf.get().compiled);
        let text = match facts.extract::<String>() {
            Ok(text) => text,
            Err(_) => {
                let facts = facts.try_iter()?.map(|fact| fact?.extract::<String>());
                facts.collect::<PyResult<Vec<_>>>()?.join("\n")
            }
        };
        let entered = py.detach(|| {
            let document = kif::read(&text)?;
            compiled
                .with_scratch(|scratch| {
                    enter_written(&compiled.engine, scratch, &document.items)?;
                    Ok(compiled.engine.state(scratch))
                })
                .map_err(|error: Diagnostic| vec![error])
        });
        match entered {
            Ok(state) => Ok(Game::state(slf, Node::first(state))),
            Err(found) => Err(diagnosed(py, "PositionError", "facts", &text, &found)),
        }
    }

    /// Plays random playouts from the initial state, and counts how they end.
    ///
    /// ``n`` is how many, ``seconds`` how long; at least one of them must be given. ``engine`` is
    /// ``"auto"`` for the fastest: hundreds at once on the net (``"batch"``) where the game has one.
    /// The same ``seed``, ``threads`` and engine give the same playouts (``batch``: with as many
    /// ``lanes``). These are how many playouts there are at once, 64, 128, 256 or 512, and as many as
    /// the processor can if nothing is said. A playout is cut after ``max_steps`` joint moves.
    ///
    /// >>> result = gdlr.Game("tictactoe").playouts(1000)
    /// >>> result.playouts
    /// 1000
    #[pyo3(signature = (n=None, *, seconds=None, threads=1, seed=1, engine="auto",
                        lanes=None, max_steps=100_000, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        n: Option<u64>,
        seconds: Option<f64>,
        threads: usize,
        seed: u64,
        engine: &str,
        lanes: Option<usize>,
        max_steps: u64,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let wanted =
            playouts::Wanted { playouts: n, seconds, threads, seed, engine, lanes, max_steps };
        playouts::playouts(py, &self.compiled, &wanted, progress)
    }

    /// Counts the sequences of joint moves of each length up to ``depth``, by walking all of them.
    ///
    /// >>> gdlr.Game("tictactoe").perft(3).counts
    /// (1, 9, 72, 504)
    #[pyo3(signature = (depth, *, progress=None))]
    fn perft<'py>(
        &self,
        py: Python<'py>,
        depth: usize,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        perft::perft(py, &self.compiled, depth, progress)
    }

    /// What Monte Carlo tree search expects of the moves of a role in a state.
    ///
    /// It ends after ``seconds``, after ``playouts``, or when everything is proven; one of the two
    /// must be given. Without ``role``, it is for the first role with a choice that is not chance.
    /// ``memory`` bounds the tree, in MiB. With ``playouts`` alone and one thread, the same ``seed``
    /// gives the same result. In a game with rules for ``sees``, the role knows what it was told on
    /// the way from the initial state to ``state``, and not the state.
    #[pyo3(signature = (state, role=None, *, seconds=None, playouts=None, threads=1, seed=1,
                        memory=1024, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn mcts<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, State>,
        role: Option<&str>,
        seconds: Option<f64>,
        playouts: Option<u64>,
        threads: usize,
        seed: u64,
        memory: usize,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = state.get();
        if !Arc::ptr_eq(&state.compiled, &self.compiled) {
            return Err(PyValueError::new_err("the state is one of another game"));
        }
        let memory = memory.saturating_mul(1 << 20);
        let wanted = mcts::Wanted { role, seconds, playouts, threads, seed, memory };
        mcts::mcts(py, &self.compiled, &state.node, &wanted, progress)
    }

    /// Walks the same play down several engines and compares every state: all short sequences of
    /// joint moves, and ``playouts`` random ones.
    ///
    /// ``engines`` are two or more of ``"tree"``, ``"propnet"`` and ``"rg"``; all by default.
    #[pyo3(signature = (playouts=20, *, engines=None, seed=1, max_steps=1000, perft_nodes=5000,
                        progress=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn crosscheck<'py>(
        &self,
        py: Python<'py>,
        playouts: u64,
        engines: Option<Vec<String>>,
        seed: u64,
        max_steps: u64,
        perft_nodes: u64,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = CrosscheckOptions {
            playouts,
            seed,
            max_steps,
            perft_nodes,
            ..CrosscheckOptions::default()
        };
        crosscheck::crosscheck(py, &self.compiled, engines, &options, progress)
    }

    /// The game as an automaton in the language Regular Games: small, from its ``"rules"``, unless
    /// these cannot be written so; or from its ``"net"``, larger and mostly faster. With ``joint``,
    /// a step has a ply for every role, also for one without a choice.
    #[pyo3(signature = (*, origin="rules", joint=false, progress=None))]
    fn to_rg(
        &self,
        py: Python<'_>,
        origin: &str,
        joint: bool,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let origin = match origin {
            "rules" => Origin::Rules,
            "net" => Origin::Net,
            other => {
                let message = format!("origin must be 'rules' or 'net', not {other:?}");
                return Err(PyValueError::new_err(message));
            }
        };
        let compiled = &self.compiled;
        let written = work::run(py, "writing the automaton", progress, |watch| {
            let meter = compiled.cost.budget(watch.stop()).start();
            let export = match (origin, compiled.engine.downcast_ref::<Propnet>()) {
                (Origin::Net, Some(propnet)) => {
                    from_net_within(propnet.net(), &compiled.game, joint, &meter)
                        .map_err(|error: Exhausted| GroundError::from(error))?
                }
                _ => from_game(compiled.game.clone(), Some(origin), joint, &meter)?.export,
            };
            Ok(export.text())
        })?;
        match written {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(error)) => Err(PyValueError::new_err(error.to_string())),
            Err(GroundError::Exhausted(exhausted)) => Err(out_of_budget(py, &exhausted)),
            Err(error) => {
                let (name, text) = (&compiled.game.name, &compiled.text);
                Err(no_engine(py, name, text, &error.into()))
            }
        }
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Game>() else { return Ok(py.NotImplemented()) };
        let equal = self.compiled.has_rules_of(&other.get().compiled);
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn __hash__(&self) -> u64 {
        self.compiled.hash(&self.compiled.initial)
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
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let Compiled { game, text, reading, wanted, cost, .. } = &*self.compiled;
        let Reading { case_sensitive, built_ins } = *reading;
        let (seconds, mib) = (cost.time.as_secs_f64(), cost.memory >> 20);
        let restore = py.import("gdlr._gdlr")?.getattr("_restored")?;
        let arguments =
            (text, &game.name, wanted.as_str(), seconds, mib, case_sensitive, built_ins);
        Ok((restore, arguments.into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        let Compiled { game, engine, kind, .. } = &*self.compiled;
        format!(
            "<gdlr.Game {}, roles {}, engine {kind}>",
            game.name,
            engine.roles().names().join(", ")
        )
    }
}

/// The game of a pickle; one that is in use already, if there is one.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are what a pickle has")]
pub fn _restored(
    py: Python<'_>,
    text: String,
    name: &str,
    engine: &str,
    set_up_time: f64,
    set_up_memory: usize,
    case_sensitive: bool,
    built_ins: bool,
) -> PyResult<Game> {
    let wanted: EngineKind = limits::engine(engine)?;
    let reading = Reading { case_sensitive, built_ins };
    let is_same = |compiled: &Arc<Compiled>| {
        compiled.game.name == name
            && compiled.text == text
            && compiled.reading == reading
            && compiled.wanted == wanted
    };
    // Nobody holds it for long, and never while waiting for the interpreter.
    let lock = || RESTORED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(compiled) = lock().iter().filter_map(Weak::upgrade).find(is_same) {
        return Ok(Game { compiled });
    }
    let options = Options { engine, set_up_time, set_up_memory, reading };
    let game = Game::make(py, &Source::of_text(text, name), &options, None)?;
    let mut restored = lock();
    restored.retain(|known| known.strong_count() > 0);
    restored.push(Arc::downgrade(&game.compiled));
    Ok(game)
}
