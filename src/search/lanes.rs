//! A search whose leaves are played out in lanes.
//!
//! One at a time, a playout of the engine of single states costs more than all the work on the
//! tree. In lanes it costs a small part of that. So leaves are collected, with choices whose
//! result is still to come counted as nothing won (*virtual loss*), and all of them are played
//! out at once, several times each. How many leaves, and how often each, is measured at the
//! start.

use super::tree::{Bottom, Found, Goals, Path, Tree};
use crate::batch::{Batch, Scratch as Lanes};
use crate::engine::{Engine, MoveId, RoleId, seeded};
use crate::play::Statistics;
use crate::play::report::{Effort, Estimate, Report};
use crate::propnet::{Propnet, Scratch, State};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::time::{Duration, Instant};

/// How many leaves are played out at once, and how often each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Leaves of a round.
    pub leaves: usize,
    /// Playouts of each.
    pub each: u64,
}

/// What is tried at the start.
const SHAPES: [Shape; 5] = [
    Shape { leaves: 16, each: 32 },
    Shape { leaves: 32, each: 16 },
    Shape { leaves: 32, each: 32 },
    Shape { leaves: 64, each: 8 },
    Shape { leaves: 64, each: 16 },
];

/// How long each shape is tried, and how often at least.
const TRIAL: (Duration, u32) = (Duration::from_millis(8), 2);

/// A search of one game, which may go on from state to state.
#[derive(Debug)]
pub(super) struct LaneSearch {
    batch: Batch,
    lanes: Lanes,
    scratch: Scratch,
    tree: Tree,
    shape: Option<Shape>,
    effort: Effort,
    rng: Xoshiro256PlusPlus,
    /// Leaves of a round: how they were come to, and their states.
    paths: Vec<Path>,
    states: Vec<State>,
    moves: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
}

impl LaneSearch {
    /// A search from a state of an engine, whose net is laid out in lanes here.
    pub fn new(engine: &Propnet, state: &State, seed: u64) -> LaneSearch {
        let batch = Batch::of_net(engine.game().clone(), engine.net().clone());
        let lanes = batch.scratch();
        let mut scratch = engine.scratch();
        engine.enter(&mut scratch, state);
        let mut moves = Vec::new();
        let tree = tree_at(engine, &mut scratch, &mut moves);
        LaneSearch {
            batch,
            lanes,
            scratch,
            tree,
            shape: None,
            effort: Effort::default(),
            rng: seeded(seed, 0),
            paths: Vec::new(),
            states: Vec::new(),
            moves,
            joint: Vec::new(),
        }
    }

    /// Goes on from this state: keeps what is known of it.
    pub fn go_to(&mut self, engine: &Propnet, state: &State) {
        self.effort = Effort::default();
        match self.tree.find(state) {
            Some(node) => self.tree.grow_from(node),
            None => {
                engine.enter(&mut self.scratch, state);
                self.tree = tree_at(engine, &mut self.scratch, &mut self.moves);
            }
        }
    }

    /// What a role thinks of the state.
    pub fn report(&self, role: RoleId) -> Report {
        let mut estimates: Vec<Estimate> = self.tree.estimates(role.index()).collect();
        estimates.sort_by_key(|estimate| Reverse(estimate.visits));
        if let Some(best) = self.best(role) {
            estimates.sort_by_key(|estimate| estimate.id != best);
        }
        let (nodes, memory) = (self.tree.len(), self.tree.bytes());
        let effort = Effort { nodes, memory, ..self.effort };
        Report { estimates, main_line: self.tree.main_line(), effort }
    }

    /// The move of a role that is preferred, if any was looked at: the one that is certain to be
    /// best, or was tried most often.
    pub fn best(&self, role: RoleId) -> Option<MoveId> {
        self.tree.best(self.tree.root(), role.index()).map(|estimate| estimate.id)
    }

    /// How many leaves are played out at once, once that has been measured.
    pub fn shape(&self) -> Option<Shape> {
        self.shape
    }

    /// What every role gets, if that is certain.
    pub fn proven(&self) -> Option<&Goals> {
        self.tree.proven(self.tree.root())
    }

    /// Searches until it is told to stop, the value of the state is certain, or the tree takes so
    /// much memory, in bytes.
    pub fn run(&mut self, engine: &Propnet, memory: usize, is_over: &dyn Fn() -> bool) {
        let start = Instant::now();
        if self.shape.is_none() {
            self.shape = Some(self.best_shape(engine, is_over));
        }
        let shape = self.shape.unwrap_or(SHAPES[0]);
        while !is_over() && self.proven().is_none() && self.tree.bytes() < memory {
            self.round(engine, shape);
        }
        self.effort.time += start.elapsed();
    }

    /// The shape that says most in a while. A mean of k playouts is worth √k of one.
    fn best_shape(&mut self, engine: &Propnet, is_over: &dyn Fn() -> bool) -> Shape {
        let mut best = (SHAPES[0], 0.0);
        for shape in SHAPES {
            let (start, before) = (Instant::now(), self.effort.leaves);
            let mut rounds = 0;
            while (rounds < TRIAL.1 || start.elapsed() < TRIAL.0) && !is_over() {
                self.round(engine, shape);
                rounds += 1;
            }
            let leaves = (self.effort.leaves - before) as f64;
            let worth = leaves * (shape.each as f64).sqrt() / start.elapsed().as_secs_f64();
            if worth > best.1 {
                best = (shape, worth);
            }
        }
        best.0
    }

    /// Collects leaves and plays them out.
    fn round(&mut self, engine: &Propnet, shape: Shape) {
        self.states.clear();
        let mut spare = 4 * shape.leaves;
        while self.states.len() < shape.leaves && spare > 0 && self.proven().is_none() {
            spare -= 1;
            self.collect(engine);
        }
        if self.states.is_empty() {
            return;
        }
        let LaneSearch { batch, lanes, tree, effort, rng, paths, states, .. } = self;
        let found = batch.rollouts_many(lanes, states, shape.each, rng.random());
        for (statistics, path) in found.iter().zip(paths) {
            match rewards(statistics) {
                Some(rewards) => tree.reward(path, &rewards),
                None => tree.forget(path),
            }
            effort.playouts += statistics.playouts;
        }
        effort.leaves += self.states.len() as u64;
    }

    /// Goes down once: to a state whose value is certain, or to a leaf to play out.
    fn collect(&mut self, engine: &Propnet) {
        let at = self.states.len();
        if self.paths.len() == at {
            self.paths.push(Path::default());
        }
        let LaneSearch { tree, rng, paths, scratch, moves, joint, .. } = self;
        let path = &mut paths[at];
        let depth = &mut self.effort.depth;
        let node = match tree.descend(path, rng) {
            Bottom::Proven(node) => node,
            Bottom::Nowhere => return tree.forget(path),
            Bottom::New => {
                let state = tree.last(path, joint);
                engine.enter(scratch, state);
                let stepped = engine.step(scratch, joint);
                match stepped.ok().and_then(|()| look(engine, scratch, moves)) {
                    Some(found) => tree.expand(path, found),
                    // A defect of the game.
                    None => return tree.forget(path),
                }
            }
        };
        *depth = path.len().max(*depth);
        match tree.proven(node) {
            Some(goals) => {
                let rewards: SmallVec<[f32; 4]> =
                    goals.iter().map(|&goal| f32::from(goal) / 100.0).collect();
                tree.reward(path, &rewards);
                tree.prove(path, node);
                self.effort.certain += 1;
            }
            None => {
                let state = tree.state(node).clone();
                self.states.push(state);
            }
        }
    }
}

/// A tree of the state that a scratch speaks of; nobody has a move there if it has a defect.
fn tree_at(engine: &Propnet, scratch: &mut Scratch, moves: &mut Vec<Vec<MoveId>>) -> Tree {
    let none = vec![Vec::new(); engine.roles().count()];
    let state = engine.state(scratch);
    let defect = Found { state, terminal: None, moves: &none };
    Tree::new(look(engine, scratch, moves).unwrap_or(defect))
}

/// The state that a scratch speaks of; `None` if it has a defect.
fn look<'m>(
    engine: &Propnet,
    scratch: &mut Scratch,
    moves: &'m mut Vec<Vec<MoveId>>,
) -> Option<Found<'m>> {
    moves.resize_with(engine.roles().count(), Vec::new);
    let state = engine.state(scratch);
    if engine.terminal(scratch).ok()? {
        moves.iter_mut().for_each(Vec::clear);
        let goals = engine.roles().iter().map(|role| engine.goal(scratch, role).ok());
        let terminal = Some(goals.collect::<Option<Goals>>()?);
        return Some(Found { state, terminal, moves });
    }
    for (role, moves) in engine.roles().iter().zip(&mut *moves) {
        engine.legal(scratch, role, moves).ok()?;
        if moves.is_empty() {
            return None;
        }
    }
    Some(Found { state, terminal: None, moves })
}

/// The mean goal value of every role, scaled to 0..=1.
fn rewards(statistics: &Statistics) -> Option<SmallVec<[f32; 4]>> {
    let mean = |role: &crate::play::RoleStatistics| Some(role.mean_goal()? as f32 / 100.0);
    statistics.roles.iter().map(mean).collect()
}
