//! Monte Carlo tree search: the tree grows, its leaves are played out.
//!
//! One at a time, a playout of an engine of single states costs more than all the work on the
//! tree. In lanes it costs a small part of that. So leaves are collected, with choices whose
//! result is still to come counted as nothing won (*virtual loss*), and all of them are played
//! out at once, several times each. How many leaves, and how often each, is measured at the
//! start. Several threads share the tree: while one collects, the others play out.

use super::leaves::{Leaves, Rewards, Shape, StateOf};
use super::mind::{Limits, Mind};
use super::tree::{Bottom, Goals, NewState, Path, Tree};
use crate::player::Turn;
use crate::tuning::SearchTuning;
use gdlr_engine::engine::{AnyEngine, AnyState, Engine, MoveId, RoleId, seeded};
use gdlr_engine::play::report::{Effort, Estimate, Report};
use gdlr_text::decisions::{Decision, Decisions, Part};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A search of one game, which may go on from state to state.
pub(super) struct Searcher<L: Leaves> {
    engine: AnyEngine,
    tree: Mutex<Tree<StateOf<L>>>,
    /// One a thread.
    workers: Vec<Worker<L>>,
    shape: Option<Shape>,
    tuning: SearchTuning,
    decisions: Decisions,
    /// How long it has searched from the present state.
    time: Duration,
}

/// The memory of one thread.
struct Worker<L: Leaves> {
    leaves: L,
    scratch: <L::Engine as Engine>::Scratch,
    rng: Xoshiro256PlusPlus,
    effort: Effort,
    /// Leaves of a round: how they were come to, their states, and what came of them.
    paths: Vec<Path>,
    states: Vec<StateOf<L>>,
    rewards: Vec<Option<Rewards>>,
    moves: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
}

impl<L: Leaves> Searcher<L> {
    /// A search from a state, on so many threads.
    pub fn new(
        engine: AnyEngine,
        state: &AnyState,
        leaves: L,
        seed: u64,
        threads: usize,
        shape: Option<Shape>,
        tuning: &SearchTuning,
    ) -> Searcher<L> {
        let worker = |thread: usize, leaves: L| Worker {
            leaves,
            scratch: L::engine(&engine).scratch(),
            rng: seeded(seed, thread),
            effort: Effort::default(),
            paths: Vec::new(),
            states: Vec::new(),
            rewards: Vec::new(),
            moves: Vec::new(),
            joint: Vec::new(),
        };
        let others: Vec<Worker<L>> =
            (1..threads.max(1)).map(|thread| worker(thread, leaves.fork())).collect();
        let mut first = worker(0, leaves);
        let tree = Mutex::new(first.tree_at(L::engine(&engine), L::state(state)));
        let workers = std::iter::once(first).chain(others).collect();
        let (tuning, decisions, time) = (*tuning, Decisions::default(), Duration::ZERO);
        Searcher { engine, tree, workers, shape, tuning, decisions, time }
    }

    fn tree(&self) -> MutexGuard<'_, Tree<StateOf<L>>> {
        lock(&self.tree)
    }

    /// The shape that says most in a while. Playouts of a leaf come cheap where lanes would be
    /// idle otherwise, but more of them make the game no better by much: at 80 ms a move, 64
    /// playouts of a leaf rather than 16 won 41 % of 40 games of connect four, with three times
    /// as many playouts and three quarters of the leaves; 32 rather than 16 won 40 % of 30 games
    /// of breakthrough. So k playouts count as the fourth root of k. Fewer than 16 bring nothing
    /// more: 64 leaves with 8 each against 128 with 16, in 100 ms a move, won 52 % of 60 games of
    /// connect four and 57 % of 40 of breakthrough, which is within what chance does.
    fn best_shape(&mut self, limits: &Limits<'_>) -> Shape {
        let engine = L::engine(&self.engine);
        let (tuning, mut best) = (self.tuning, (L::SHAPES[0], 0.0));
        let mut first = 0.0;
        for &shape in L::SHAPES.iter().filter(|_| L::SHAPES.len() > 1) {
            let worker = &mut self.workers[0];
            let (start, before) = (Instant::now(), worker.effort.leaves);
            let mut rounds = 0;
            while (rounds < tuning.shape_rounds || start.elapsed() < tuning.shape_time)
                && !(limits.is_over)()
                && !lock(&self.tree).is_done()
            {
                worker.round(engine, &self.tree, shape, limits);
                rounds += 1;
            }
            let leaves = (worker.effort.leaves - before) as f64;
            let worth = leaves * (shape.each as f64).powf(0.25) / start.elapsed().as_secs_f64();
            if first == 0.0 {
                first = worth;
            }
            if worth > best.1 {
                best = (shape, worth);
            }
        }
        if L::SHAPES.len() > 1 {
            self.decisions.record(
                Decision::new(Part::Search, "shape", best.0.to_string())
                    .measured("worth a second", first)
                    .measured("then", best.1)
                    .bound("shape_time", tuning.shape_time.as_secs_f64()),
            );
        }
        best.0
    }
}

impl<L: Leaves> Mind for Searcher<L> {
    fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    fn go_to(&mut self, turn: &Turn<'_>) {
        let state = turn.state;
        let (engine, state) = (L::engine(&self.engine), L::state(state));
        self.time = Duration::ZERO;
        self.workers.iter_mut().for_each(|worker| worker.effort = Effort::default());
        let tree = self.tree.get_mut().unwrap_or_else(PoisonError::into_inner);
        match tree.find(state) {
            Some(node) => tree.grow_from(node),
            None => *tree = self.workers[0].tree_at(engine, state),
        }
    }

    fn run(&mut self, limits: &Limits<'_>) {
        let start = Instant::now();
        let shape = match self.shape {
            Some(shape) => shape,
            None => self.best_shape(limits),
        };
        // A trial that was cut short says nothing.
        let whole = !(limits.is_over)() && !self.tree().is_done();
        self.shape = self.shape.or(whole.then_some(shape));
        let (engine, tree) = (L::engine(&self.engine), &self.tree);
        let work = |worker: &mut Worker<L>| {
            while !(limits.is_over)() && !lock(tree).is_done() {
                worker.round(engine, tree, shape, limits);
            }
        };
        std::thread::scope(|scope| {
            let (first, others) = self.workers.split_first_mut().expect("one thread at least");
            for worker in others {
                scope.spawn(move || work(worker));
            }
            work(first);
        });
        self.tree().conclude();
        self.time += start.elapsed();
    }

    fn best(&self, role: RoleId) -> Option<MoveId> {
        let tree = self.tree();
        tree.best(tree.root(), role.index()).map(|estimate| estimate.id)
    }

    fn report(&self, role: RoleId) -> Report {
        let best = self.best(role);
        let tree = self.tree();
        let mut estimates: Vec<Estimate> = tree.estimates(role.index()).collect();
        estimates.sort_by_key(|estimate| (Some(estimate.id) != best, Reverse(estimate.visits)));
        let (nodes, memory) = (tree.len(), tree.bytes());
        let mut effort = Effort { nodes, memory, time: self.time, ..Effort::default() };
        for worker in &self.workers {
            effort.playouts += worker.effort.playouts;
            effort.leaves += worker.effort.leaves;
            effort.certain += worker.effort.certain;
            effort.depth = effort.depth.max(worker.effort.depth);
        }
        Report { estimates, main_line: tree.main_line(), effort }
    }

    fn shape(&self) -> Option<Shape> {
        self.shape
    }

    fn decisions(&self) -> Decisions {
        self.decisions.clone()
    }
}

impl<L: Leaves> Worker<L> {
    /// A tree of a state; nobody has a move there if it has a defect.
    fn tree_at(&mut self, engine: &L::Engine, state: &StateOf<L>) -> Tree<StateOf<L>> {
        let Worker { scratch, moves, .. } = self;
        engine.enter(scratch, state);
        let none = vec![Vec::new(); engine.roles().count()];
        let defect = NewState { state: state.clone(), terminal: None, moves: &none };
        let root = look(engine, scratch, moves).unwrap_or(defect);
        Tree::new(root, engine.roles().random(), engine.state_bytes(state))
    }

    /// Collects leaves and plays them out. Beyond its memory the tree grows no more.
    fn round(
        &mut self,
        engine: &L::Engine,
        shared: &Mutex<Tree<StateOf<L>>>,
        shape: Shape,
        limits: &Limits<'_>,
    ) {
        self.states.clear();
        let mut tree = lock(shared);
        let grow = tree.bytes() < limits.memory;
        let most = limits.tries.leaves(shape);
        let (mut spare, mut tries) = (4 * shape.leaves, 0);
        while self.states.len() < most && spare > 0 && !tree.is_done() {
            spare -= 1;
            let before = self.states.len();
            self.collect(engine, &mut tree, grow);
            tries += if self.states.len() > before { shape.each } else { 1 };
        }
        drop(tree);
        limits.tries.spend(tries);
        if self.states.is_empty() {
            return;
        }
        let Worker { leaves, rng, states, rewards, effort, .. } = self;
        effort.playouts += leaves.play(engine, states, shape.each, rng, rewards, limits.is_over);
        effort.leaves += states.len() as u64;
        let mut tree = lock(shared);
        for (rewards, path) in rewards.iter().zip(&self.paths) {
            match rewards {
                Some(rewards) => tree.reward(path, rewards),
                None => tree.forget(path),
            }
        }
    }

    /// Goes down once: to a state whose value is certain, or to a leaf to play out.
    fn collect(&mut self, engine: &L::Engine, tree: &mut Tree<StateOf<L>>, grow: bool) {
        let at = self.states.len();
        if self.paths.len() == at {
            self.paths.push(Path::default());
        }
        let Worker { rng, paths, states, scratch, moves, joint, effort, .. } = self;
        let path = &mut paths[at];
        let bottom = tree.descend(path, rng);
        effort.depth = effort.depth.max(path.len());
        let node = match bottom {
            Bottom::Proven(node) => node,
            Bottom::Nowhere => return tree.forget(path),
            Bottom::New => {
                engine.enter(scratch, tree.last(path, joint));
                let stepped = engine.step(scratch, joint);
                match stepped.ok().and_then(|()| look(engine, scratch, moves)) {
                    // A defect of the game.
                    None => return tree.forget(path),
                    Some(new_state) if grow => tree.expand(path, new_state),
                    Some(NewState { terminal: Some(goals), .. }) => {
                        effort.certain += 1;
                        return tree.reward(path, &scaled(&goals));
                    }
                    Some(new_state) => return states.push(new_state.state),
                }
            }
        };
        match tree.proven(node) {
            Some(goals) => {
                tree.reward(path, &scaled(goals));
                tree.prove(path, node);
                effort.certain += 1;
            }
            None => states.push(tree.state(node).clone()),
        }
    }
}

fn lock<S>(tree: &Mutex<Tree<S>>) -> MutexGuard<'_, Tree<S>> {
    // A thread that panics takes the search with it.
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn scaled(goals: &Goals) -> Rewards {
    goals.iter().map(|&goal| f32::from(goal) / 100.0).collect()
}

/// The state that a scratch speaks of; `None` if it has a defect.
fn look<'m, E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    moves: &'m mut Vec<Vec<MoveId>>,
) -> Option<NewState<'m, E::State>> {
    moves.resize_with(engine.roles().count(), Vec::new);
    let state = engine.state(scratch);
    if engine.terminal(scratch).ok()? {
        moves.iter_mut().for_each(Vec::clear);
        let goals = engine.roles().iter().map(|role| engine.payoff(scratch, role).ok());
        let terminal = Some(goals.collect::<Option<Goals>>()?);
        return Some(NewState { state, terminal, moves });
    }
    for (role, moves) in engine.roles().iter().zip(&mut *moves) {
        engine.legal(scratch, role, moves).ok()?;
        if moves.is_empty() {
            return None;
        }
    }
    Some(NewState { state, terminal: None, moves })
}
