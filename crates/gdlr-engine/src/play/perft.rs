//! Perft: joint-move sequences of each length, counted by walking all of them; and the same behind
//! each first joint move, so that two programs that differ find the move at which they do.

use crate::engine::{Engine, MoveId, StepError, WorkLimit};
use std::sync::atomic::{AtomicBool, Ordering};

/// The counts of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// By depth: sequences of exactly that many joint moves from the state where the walk begins.
    pub counts: Vec<u64>,
    /// By depth: how many of them end in a terminal state.
    pub terminal: Vec<u64>,
    /// By depth: how many of them end in a state, not terminal, in which a role has no legal
    /// move. Such a state has no successors. Not looked for at the last depth.
    pub stuck: Vec<u64>,
    /// Whether every sequence was walked; `false` when the stop flag was raised.
    pub complete: bool,
    /// Why it was not, if a state was too much for the engine.
    pub limit: Option<WorkLimit>,
}

/// The plays behind one joint move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The move of each role.
    pub joint: Vec<MoveId>,
    /// The counts from the state that it leads to: at depth 0 that state alone.
    pub perft: Perft,
}

/// The counts of a walk, and those behind each first joint move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divided {
    /// The whole: at each depth the sum of what the branches have one joint move later.
    pub perft: Perft,
    /// In the order in which the engine lists moves; the last role's turn fastest. None where the
    /// walk begins in a state that is terminal or in which a role has no legal move.
    pub branches: Vec<Branch>,
}

/// A state on the way down, and the joint move to play next.
struct Frame<S> {
    state: S,
    /// By role: its legal moves.
    legal: Vec<Vec<MoveId>>,
    /// By role: which of them is next. The last role's turns fastest.
    next: Vec<usize>,
    exhausted: bool,
}

/// Walks all joint-move sequences from the initial state up to `depth`. A terminal state counts at
/// its depth and is not expanded. `progress` is called with every sequence counted so far, now and
/// then.
///
/// The walk keeps one state a level on a stack of its own: memory grows with `depth` only.
pub fn perft<E: Engine>(
    engine: &E,
    depth: usize,
    stop: &AtomicBool,
    progress: impl FnMut(u64),
) -> Perft {
    perft_from(engine, engine.initial(), depth, stop, progress)
}

/// The same from another state.
pub fn perft_from<E: Engine>(
    engine: &E,
    start: &E::State,
    depth: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64),
) -> Perft {
    let mut walk = Walk::new(engine, depth);
    let mut scratch = engine.scratch();
    engine.enter(&mut scratch, start);
    let mut limit = walk.visit(&mut scratch).err();
    let mut joint = Vec::new();
    let mut visited = 1u64;
    let mut complete = true;
    while let Some(frame) = walk.stack.last_mut() {
        if frame.exhausted {
            walk.pool.extend(walk.stack.pop());
            continue;
        }
        if stop.load(Ordering::Relaxed) || limit.is_some() {
            complete = false;
            break;
        }
        frame.take(&mut joint);
        engine.enter(&mut scratch, &frame.state);
        limit = play(engine, &mut scratch, &joint).and_then(|()| walk.visit(&mut scratch)).err();
        visited += 1;
        if visited.is_multiple_of(1 << 12) {
            progress(visited);
        }
    }
    complete &= limit.is_none();
    Perft { complete, limit, ..walk.result.with_all_depths(depth) }
}

/// The same, with the counts behind each joint move of the state where it begins. `depth` is that
/// of the whole; at 0 there are no branches.
pub fn divide<E: Engine>(
    engine: &E,
    start: &E::State,
    depth: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64),
) -> Divided {
    let mut walk = Walk::new(engine, depth);
    let mut scratch = engine.scratch();
    engine.enter(&mut scratch, start);
    let mut limit = walk.visit(&mut scratch).err();
    let mut complete = limit.is_none();
    let mut perft = walk.result.with_all_depths(depth);
    let mut branches = Vec::new();
    let mut root = walk.stack.pop();
    while let Some(frame) = root.as_mut().filter(|frame| !frame.exhausted && complete) {
        let mut joint = Vec::new();
        frame.take(&mut joint);
        engine.enter(&mut scratch, &frame.state);
        if let Err(too_much) = play(engine, &mut scratch, &joint) {
            (limit, complete) = (Some(too_much), false);
            break;
        }
        let before: u64 = perft.counts.iter().sum();
        let state = engine.state(&scratch);
        let behind =
            perft_from(engine, &state, depth - 1, stop, |visited| progress(before + visited));
        perft.add(&behind);
        (limit, complete) = (behind.limit.clone(), behind.complete);
        branches.push(Branch { joint, perft: behind });
    }
    Divided { perft: Perft { complete, limit, ..perft }, branches }
}

/// Plays a joint move that the engine has listed.
fn play<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    joint: &[MoveId],
) -> Result<(), WorkLimit> {
    engine.step(scratch, joint).map_err(|error| match error {
        StepError::Limit(limit) => limit,
        error => panic!("an engine plays the moves that it calls legal: {error}"),
    })
}

impl Perft {
    /// The same with a count for each depth up to this one.
    fn with_all_depths(mut self, depth: usize) -> Perft {
        for counts in [&mut self.counts, &mut self.terminal, &mut self.stuck] {
            counts.resize(depth + 1, 0);
        }
        self
    }

    /// Adds what lies behind a joint move.
    fn add(&mut self, behind: &Perft) {
        let pairs = [
            (&mut self.counts, &behind.counts),
            (&mut self.terminal, &behind.terminal),
            (&mut self.stuck, &behind.stuck),
        ];
        for (counts, behind) in pairs {
            counts[1..].iter_mut().zip(behind).for_each(|(count, more)| *count += more);
        }
    }
}

struct Walk<'e, E: Engine> {
    engine: &'e E,
    depth: usize,
    result: Perft,
    stack: Vec<Frame<E::State>>,
    /// Frames to use again, for their buffers.
    pool: Vec<Frame<E::State>>,
}

impl<'e, E: Engine> Walk<'e, E> {
    fn new(engine: &'e E, depth: usize) -> Self {
        Walk { engine, depth, result: Perft::default(), stack: Vec::new(), pool: Vec::new() }
    }

    /// Counts the state of the scratch, which is one level below the top of the stack, and
    /// pushes it if it is to be expanded.
    fn visit(&mut self, scratch: &mut E::Scratch) -> Result<(), WorkLimit> {
        let level = self.stack.len();
        for counts in [&mut self.result.counts, &mut self.result.terminal, &mut self.result.stuck] {
            if counts.len() <= level {
                counts.push(0);
            }
        }
        self.result.counts[level] += 1;
        if self.engine.terminal(scratch)? {
            self.result.terminal[level] += 1;
            return Ok(());
        }
        if level == self.depth {
            return Ok(());
        }
        let roles = self.engine.roles().count();
        let mut frame = self.pool.pop().unwrap_or_else(|| Frame {
            state: self.engine.initial().clone(),
            legal: vec![Vec::new(); roles],
            next: Vec::new(),
            exhausted: false,
        });
        frame.next.clear();
        frame.next.resize(roles, 0);
        for (role, moves) in self.engine.roles().iter().zip(&mut frame.legal) {
            self.engine.legal(scratch, role, moves)?;
        }
        self.engine.save(scratch, &mut frame.state);
        let stuck = frame.legal.iter().any(Vec::is_empty);
        frame.exhausted = stuck;
        if stuck {
            self.result.stuck[level] += 1;
            self.pool.push(frame);
        } else {
            self.stack.push(frame);
        }
        Ok(())
    }
}

impl<S> Frame<S> {
    /// Puts the next joint move into `joint`.
    fn take(&mut self, joint: &mut Vec<MoveId>) {
        joint.clear();
        joint.extend(self.legal.iter().zip(&self.next).map(|(moves, &index)| moves[index]));
        for (moves, index) in self.legal.iter().zip(&mut self.next).rev() {
            *index += 1;
            if *index < moves.len() {
                return;
            }
            *index = 0;
        }
        self.exhausted = true;
    }
}
