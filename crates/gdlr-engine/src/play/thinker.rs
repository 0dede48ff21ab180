//! Players: choosing a move for a role within a budget of time.
//!
//! None of them knows anything of the game but what the engine says. All take a scratch at
//! the state to move in, leave it there, and give a move that is legal.

pub use super::thinking_time::ThinkingTime;

use super::thinking_time::Running;
use super::uct;
use crate::engine::{End, Engine, MoveId, Playout, RoleId, WorkLimit, choose};
use rand_xoshiro::Xoshiro256PlusPlus;

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
    let running = Running::new(budget);
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
    let mut playout = Playout::new(running.max_steps()).without_history();
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
            // A playout that is too much work did not end properly.
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
