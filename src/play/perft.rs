//! Perft: joint-move sequences of each length, counted by walking all of them.

use crate::engine::{Engine, MoveId, StepError, WorkLimit};
use std::sync::atomic::{AtomicBool, Ordering};

/// The counts of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// By depth: sequences of exactly that many joint moves from the initial state.
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

/// A state on the way down, and the joint move to play next.
struct Frame<S> {
    state: S,
    /// By role: its legal moves.
    legal: Vec<Vec<MoveId>>,
    /// By role: which of them is next. The last role's turns fastest.
    next: Vec<usize>,
    exhausted: bool,
}

/// Walks all joint-move sequences up to `depth`. A terminal state counts at its depth and
/// is not expanded. `progress` is called with every sequence counted so far, now and then.
///
/// The walk keeps one state a level on a stack of its own: memory grows with `depth` only.
pub fn perft<E: Engine>(
    engine: &E,
    depth: usize,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64),
) -> Perft {
    let mut walk =
        Walk { engine, depth, result: Perft::default(), stack: Vec::new(), pool: Vec::new() };
    let mut scratch = engine.scratch();
    engine.enter(&mut scratch, engine.initial());
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
        limit = match engine.step(&mut scratch, &joint) {
            Ok(()) => walk.visit(&mut scratch).err(),
            Err(StepError::Limit(limit)) => Some(limit),
            Err(error) => panic!("an engine plays the moves that it calls legal: {error}"),
        };
        visited += 1;
        if visited.is_multiple_of(1 << 12) {
            progress(visited);
        }
    }
    let mut result = walk.result;
    complete &= limit.is_none();
    for counts in [&mut result.counts, &mut result.terminal, &mut result.stuck] {
        counts.resize(depth + 1, 0);
    }
    Perft { complete, limit, ..result }
}

struct Walk<'e, E: Engine> {
    engine: &'e E,
    depth: usize,
    result: Perft,
    stack: Vec<Frame<E::State>>,
    /// Frames to use again, for their buffers.
    pool: Vec<Frame<E::State>>,
}

impl<E: Engine> Walk<'_, E> {
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
