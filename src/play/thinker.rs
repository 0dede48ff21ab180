//! Players: choosing a move for a role within a budget of time.
//!
//! None of them knows anything of the game but what the engine says. All take a scratch at
//! the state to move in, leave it there, and give a move that is legal.

use super::uct;
use crate::engine::{End, Engine, MoveId, Playout, RoleId, WorkLimit, choose};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A way to choose a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinker {
    /// Any legal move, each with the same chance.
    Random,
    /// Flat Monte Carlo: the move with the best mean goal value over random playouts.
    MonteCarlo,
    /// A tree search that leans towards what was good so far, see [`uct`].
    Uct,
}

/// How long a player may think.
#[derive(Clone, Copy, Debug)]
pub struct ThinkingTime<'a> {
    /// The time from the call to the answer.
    pub time: Duration,
    /// Ends the thinking early; the best move so far is the answer.
    pub stop: &'a AtomicBool,
    /// The bound on the length of a playout.
    pub max_steps: u64,
}

/// A budget that has begun to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running<'a> {
    start: Instant,
    budget: ThinkingTime<'a>,
}

impl Running<'_> {
    pub(super) fn is_over(&self) -> bool {
        self.budget.stop.load(Ordering::Relaxed) || self.start.elapsed() >= self.budget.time
    }

    pub(super) fn max_steps(&self) -> u64 {
        self.budget.max_steps
    }
}

/// Chooses a move of `role` in the state of `scratch`; `None` when it has none.
///
/// # Errors
///
/// When it is too much work to say which moves are legal here. What is too much further on is
/// not gone into.
pub fn think<E: Engine>(
    thinker: Thinker,
    engine: &E,
    scratch: &mut E::Scratch,
    role: RoleId,
    budget: ThinkingTime<'_>,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Option<MoveId>, WorkLimit> {
    let running = Running { start: Instant::now(), budget };
    let mut moves = Vec::new();
    engine.legal(scratch, role, &mut moves)?;
    if moves.len() < 2 || thinker == Thinker::Random {
        return Ok(choose(&moves, rng));
    }
    let state = engine.state(scratch);
    let best = match thinker {
        Thinker::Random => None,
        Thinker::MonteCarlo => monte_carlo(engine, scratch, role, &moves, &running, rng)?,
        Thinker::Uct => uct::search(engine, scratch, role, &running, rng)?,
    };
    engine.enter(scratch, &state);
    Ok(best.or_else(|| choose(&moves, rng)))
}

/// Tries the moves in turn until the time is over. `None` when no playout ended properly.
fn monte_carlo<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    role: RoleId,
    moves: &[MoveId],
    running: &Running<'_>,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Option<MoveId>, WorkLimit> {
    let root = engine.state(scratch);
    let mut playout = Playout::new(running.max_steps());
    let mut legal = Vec::new();
    let mut joint = Vec::new();
    let mut tried = vec![(0u64, 0u64); moves.len()];
    'thinking: loop {
        for (&mine, (count, sum)) in moves.iter().zip(&mut tried) {
            if running.is_over() {
                break 'thinking;
            }
            engine.enter(scratch, &root);
            joint.clear();
            for other in engine.roles().iter() {
                engine.legal(scratch, other, &mut legal)?;
                match if other == role { Some(mine) } else { choose(&legal, rng) } {
                    Some(id) => joint.push(id),
                    None => return Ok(None),
                }
            }
            // What is too much work is no playout that ended properly.
            let end = match engine.step(scratch, &joint) {
                Ok(()) => engine.playout(scratch, &mut playout, rng, &mut || running.is_over()),
                Err(_) => continue,
            };
            if end == End::Terminal
                && let Ok(goal) = engine.goal(scratch, role)
            {
                *count += 1;
                *sum += u64::from(goal);
            }
        }
    }
    let mean = |&(count, sum): &(u64, u64)| sum as f64 / count as f64;
    let tried = moves.iter().zip(&tried).filter(|(_, (count, _))| *count > 0);
    Ok(tried.max_by(|(_, a), (_, b)| mean(a).total_cmp(&mean(b))).map(|(&best, _)| best))
}
