//! What a search thinks of a state.

use crate::compiled::Compiled;
use crate::errors::defect;
use crate::limits;
use crate::moves::{by_role, role as role_of, too_much};
use crate::node::{Asked, Node};
use crate::results::{fields, make};
use crate::work::{self, Watch};
use gdlr::engine::{AnyState, Engine, MoveId, RoleId, seeded};
use gdlr::play::player::{Clock, Player, Turn};
use gdlr::play::report::{Estimate, Report};
use gdlr::play::sampler::{DEFAULT_CANDIDATES, Observation, Sampler};
use gdlr::search::Search;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::time::Duration;

/// What is asked for.
pub struct Wanted<'a> {
    pub role: Option<&'a str>,
    pub seconds: Option<f64>,
    pub playouts: Option<u64>,
    pub threads: usize,
    pub seed: u64,
    /// For the tree, in bytes.
    pub memory: usize,
}

/// Searches from a state; the result is a `gdlr.SearchResult`.
pub fn mcts<'py>(
    py: Python<'py>,
    compiled: &Compiled,
    node: &Node,
    wanted: &Wanted<'_>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let time = match (wanted.seconds, wanted.playouts) {
        (None, None) => {
            return Err(PyValueError::new_err("say how many playouts, or how many seconds"));
        }
        (Some(seconds), _) => limits::duration("seconds", seconds)?,
        (None, Some(_)) => Duration::MAX,
    };
    let threads = limits::threads(wanted.threads)?.get();
    let asked = py.detach(|| compiled.ask(node)).map_err(|limit| too_much(py, compiled, &limit))?;
    let role = role(py, compiled, asked, wanted.role)?;
    let legal = &asked.legal[role.index()];
    let mut search = Search::new(wanted.seed, wanted.memory).with_threads(threads);
    if let Some(playouts) = wanted.playouts {
        search = search.with_playouts(playouts);
    }
    let question = Question { compiled, node, role, legal };
    let thought = work::run(py, "searching", progress, |watch| {
        let chosen = question.put_to(&mut search, time, wanted.seed, watch);
        chosen.map(|id| (id, search.report()))
    })?;
    let Some((best, report)) = thought else {
        return Err(PyValueError::new_err(
            "no state was found that agrees with what the role was told; the play must begin at \
             the initial state",
        ));
    };
    let hidden = compiled.engine.has_percepts();
    result(py, compiled, role, best, &report.unwrap_or_default(), hidden)
}

/// For whom is searched: who was named, or else the first role with a choice that is not chance.
fn role(
    py: Python<'_>,
    compiled: &Compiled,
    asked: &Asked,
    name: Option<&str>,
) -> PyResult<RoleId> {
    if asked.terminal {
        return Err(PyValueError::new_err("the game is over: there is nothing to choose"));
    }
    let roles = compiled.engine.roles();
    let role = match name {
        Some(name) => role_of(&compiled.engine, name)?,
        None => {
            let mut players = roles.iter().filter(|&role| roles.random() != Some(role));
            let has_choice = |role: &RoleId| asked.legal[role.index()].len() > 1;
            let first = players.clone().next().unwrap_or(RoleId(0));
            players.find(has_choice).unwrap_or(first)
        }
    };
    match asked.legal[role.index()].is_empty() {
        true => {
            let name = roles.name(role);
            Err(defect(py, format!("{name} has no legal move, although the game is not over")))
        }
        false => Ok(role),
    }
}

/// What a search is asked.
struct Question<'a> {
    compiled: &'a Compiled,
    node: &'a Node,
    role: RoleId,
    legal: &'a [MoveId],
}

impl Question<'_> {
    /// The move that the search chooses. `None` if it found no state that agrees with what the role
    /// was told, in a game with rules for `sees`.
    fn put_to(
        &self,
        search: &mut Search,
        time: Duration,
        seed: u64,
        watch: &Watch,
    ) -> Option<MoveId> {
        let Question { compiled, node, role, legal } = *self;
        let lanes = compiled.lanes(None, watch.stop());
        let clock = Clock::stopped_by(time, watch.shared_stop());
        let sampler = match compiled.engine.has_percepts() {
            true => Some(self.follow(seed, &clock)?),
            false => None,
        };
        let drawn: Option<AnyState> = match &sampler {
            Some(sampler) => Some(sampler.draw(&mut seeded(seed, 0))?.state.clone()),
            None => None,
        };
        let turn = Turn {
            engine: &compiled.engine,
            state: drawn.as_ref().unwrap_or(&node.state),
            sampler: sampler.as_ref(),
            role,
            legal,
            last: None,
            step: node.steps,
            clock: &clock,
            lanes: lanes.as_ref(),
        };
        Some(search.play(&turn))
    }

    /// What the role can know of the state, by the way to it. That takes half of the time at most.
    fn follow(&self, seed: u64, clock: &Clock) -> Option<Sampler> {
        let Question { compiled, node, role, .. } = *self;
        let engine = &compiled.engine;
        let mut sampler = Sampler::new(engine.clone(), role, DEFAULT_CANDIDATES);
        let way: Vec<&Node> = node.back().collect();
        if way.last()?.state != *engine.initial() {
            return None;
        }
        let (start, mut rng) = (clock.left(), seeded(seed, 1));
        let is_over = || clock.left() <= start / 2 && start != Duration::MAX;
        for step in way.iter().rev() {
            let Some((before, joint)) = &step.before else { continue };
            let told =
                compiled.at(before, |engine, scratch| Observation::of(engine, scratch, joint));
            let told = told.ok()?.swap_remove(role.index());
            sampler.observe(told, false, &mut rng, &is_over).ok()?;
        }
        Some(sampler)
    }
}

fn result<'py>(
    py: Python<'py>,
    compiled: &Compiled,
    role: RoleId,
    best: MoveId,
    report: &Report,
    hidden: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let estimate = |estimate: &Estimate| {
        let fields = fields!(
            py,
            move = &*compiled.name(estimate.id),
            visits = estimate.visits,
            mean = estimate.mean,
            certain = estimate.certain,
        );
        make(py, "Estimate", &fields)
    };
    let estimates = report.estimates.iter().map(estimate).collect::<PyResult<Vec<_>>>()?;
    // A line of play would be that of one state of many.
    let line = if hidden { &[][..] } else { &report.main_line };
    let line =
        line.iter().map(|joint| by_role(py, compiled, joint)).collect::<PyResult<Vec<_>>>()?;
    let effort = &report.effort;
    let fields = fields!(
        py,
        role = compiled.engine.roles().name(role),
        best = &*compiled.name(best),
        estimates = PyTuple::new(py, estimates)?,
        main_line = PyTuple::new(py, line)?,
        playouts = effort.playouts,
        leaves = effort.leaves,
        nodes = effort.nodes,
        depth = effort.depth,
        memory = effort.memory,
        seconds = effort.time.as_secs_f64(),
    );
    make(py, "SearchResult", &fields)
}
