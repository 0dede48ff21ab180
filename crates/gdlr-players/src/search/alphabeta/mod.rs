//! Alpha-beta search, for two roles that move by turns.
//!
//! | file | what it is for |
//! |---|---|
//! | `search` | the search to a given depth |
//! | `table` | the transposition table |
//! | `order` | which moves are searched first |
//! | `estimates` | the estimate of a state that is no end: by weights of facts, or by a value net |
//! | `evaluate` | the weights of facts |
//! | `value` | values as numbers |
//!
//! *Iterative deepening*: a search of depth 1, then 2, and so on, each helped by what the one before
//! left in the table. Each role wants the greatest difference between its own goal and that of the
//! other role. In a zero-sum game that is its own goal. In other games a role may prefer less for
//! itself where the other then gets much less.
//!
//! A value that no estimate goes into is *settled*: it holds to the ends of the game. The search
//! stops when that is so of the root, and of a win when there is none that comes sooner.

mod estimates;
mod evaluate;
mod order;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod value;

use super::leaves::{Leaves, Shape, StateOf};
use super::mind::{Limits, Mind};
use crate::player::Turn;
pub(super) use estimates::Estimates;
use gdlr_engine::engine::{AnyEngine, AnyState, Engine, MoveId, RoleId, seeded};
use gdlr_engine::play::report::{Effort, Estimate, Report};
use rand_xoshiro::Xoshiro256PlusPlus;
use search::{Broken, Child, Mover, ROLES, Searching, Seen};
use std::cmp::Reverse;
use std::time::{Duration, Instant};
use value::{INFINITE, MOST_STEPS, Outcome, Value};

/// The weights of facts are learned in one part of so many of the time.
const LEARNING_SHARE: u32 = 5;

/// Why a game is not searched by alpha-beta, as far as that is known before.
pub(super) fn unsuited(turn: &Turn<'_>) -> Option<&'static str> {
    let roles = turn.engine.roles();
    match () {
        () if turn.sampler.is_some() => Some("the state is hidden"),
        () if roles.random().is_some() => Some("there is chance"),
        () if roles.count() != ROLES.len() => Some("there are not two roles"),
        () => None,
    }
}

/// Alpha-beta search of one game, which may go on from state to state.
pub(super) struct AlphaBeta<L: Leaves> {
    engine: AnyEngine,
    leaves: L,
    rng: Xoshiro256PlusPlus,
    searching: Searching<L>,
    root: StateOf<L>,
    /// Who moves at the root, once that was looked at; and its moves, the best one first.
    mover: Option<Mover>,
    moves: Vec<RootMove<StateOf<L>>>,
    /// Whether a search of depth 1 at least has compared the moves.
    compared: bool,
    /// Whether nothing is left to find out.
    done: bool,
    /// Whether both roles choose in some state.
    simultaneous: bool,
    playouts: u64,
    time: Duration,
    learning: Duration,
}

/// A move at the root.
struct RootMove<S> {
    child: Child<S>,
    /// Its value from the view of the mover, and whether that is exact; else the true value is no
    /// greater.
    outcome: Option<(Outcome, bool)>,
    /// How many states were estimated below it.
    visits: u64,
}

impl<L: Leaves> AlphaBeta<L> {
    /// A search from a state of a game for two roles without chance.
    pub fn new(
        engine: AnyEngine,
        state: &AnyState,
        leaves: L,
        seed: u64,
        estimates: Estimates,
    ) -> AlphaBeta<L> {
        let searching = Searching::new(L::engine(&engine), estimates);
        let root = L::state(state).clone();
        AlphaBeta {
            engine,
            leaves,
            rng: seeded(seed, 0),
            searching,
            root,
            mover: None,
            moves: Vec::new(),
            compared: false,
            done: false,
            simultaneous: false,
            playouts: 0,
            time: Duration::ZERO,
            learning: Duration::ZERO,
        }
    }

    /// Looks at the moves of the root.
    fn look(&mut self) -> Result<(), Broken> {
        let engine = L::engine(&self.engine);
        let searching = &mut self.searching;
        engine.enter(&mut searching.scratch, &self.root);
        let mut moves = Vec::new();
        self.mover = searching.mover(engine, &mut moves)?;
        let Some(mover) = self.mover else { return Ok(()) };
        for id in moves {
            let end = searching.follow(engine, &self.root, mover.joint(id), 1);
            let state = engine.state(&searching.scratch);
            let key = searching.key(&state);
            self.moves.push(RootMove {
                child: Child { id, state, key, end },
                outcome: None,
                visits: 0,
            });
        }
        Ok(())
    }

    /// One search of the depth that is set.
    fn iterate(&mut self, mover: Mover, limits: &Limits<'_>) -> Result<(), Broken> {
        let engine = L::engine(&self.engine);
        let AlphaBeta { searching, moves, compared, .. } = self;
        let (sign, depth) = (mover.sign(), searching.depth);
        searching.iteration += 1;
        let mut low = -INFINITE;
        for place in 0..moves.len() {
            let before = searching.seen.estimates;
            let RootMove { child, .. } = &moves[place];
            let next = (&child.state, child.key);
            let mut search = |low: Value, high: Value| {
                let window = if sign > 0 { (low, high) } else { (-high, -low) };
                let outcome = match child.end {
                    Some(end) => end,
                    None => searching.visit(engine, limits, next, (depth - 1, 1), window)?,
                };
                Ok(Outcome { value: sign * outcome.value, ..outcome })
            };
            let (outcome, exact) = match place {
                0 => (search(low, INFINITE)?, true),
                _ => match search(low, low + 1)? {
                    outcome if outcome.value > low => (search(low, INFINITE)?, true),
                    outcome => (outcome, child.end.is_some()),
                },
            };
            moves[place].visits += searching.seen.estimates - before;
            moves[place].outcome = Some((outcome, exact));
            if place == 0 || outcome.value > low {
                low = outcome.value;
                // The best one is first, even if the search stops now.
                moves[..=place].rotate_right(1);
                *compared = true;
            }
        }
        // The others by what they can be worth at most.
        moves[1..].sort_by_key(|one| Reverse(one.outcome.map(|(outcome, _)| outcome.value)));
        Ok(())
    }

    /// Whether the value of the root is settled, and of a win that none is nearer.
    fn is_settled(&self) -> bool {
        let settled = |one: &RootMove<_>| one.outcome.is_some_and(|(outcome, _)| outcome.settled);
        let Some((best, _)) = self.moves.first().and_then(|first| first.outcome) else {
            return false;
        };
        match best.settled && value::is_best(best.value) {
            true => value::steps(best.value) <= self.searching.depth,
            false => self.moves.iter().all(settled),
        }
    }

    /// Learns the weights of facts, unless that has had its share of the time.
    fn learn(&mut self, start: Instant, limits: &Limits<'_>) {
        while !(limits.is_over)() && self.learning * LEARNING_SHARE <= self.time + start.elapsed() {
            let begun = Instant::now();
            let AlphaBeta { engine, leaves, rng, searching, root, .. } = self;
            let Searching { estimates, scratch, .. } = searching;
            let Some(evaluation) = estimates.weights() else { break };
            let engine = L::engine(engine);
            let played = evaluation.learn(engine, scratch, leaves, root, rng, limits.is_over);
            limits.tries.spend(played);
            self.playouts += played;
            self.learning += begun.elapsed();
            if played == 0 {
                break;
            }
        }
    }

    fn search(&mut self, start: Instant, limits: &Limits<'_>) -> Result<(), Broken> {
        if self.moves.is_empty() {
            self.look()?;
        }
        let Some(mover) = self.mover else {
            // A defect of the game, or its end.
            self.done = true;
            return Ok(());
        };
        while !self.done {
            if (limits.is_over)() {
                return Err(Broken::Stopped);
            }
            self.searching.depth += 1;
            let iterated = self.iterate(mover, limits);
            if iterated.is_err() {
                // It is not finished.
                self.searching.depth -= 1;
            }
            iterated?;
            self.done = self.is_settled() || self.searching.depth == MOST_STEPS;
            if !self.done {
                self.learn(start, limits);
            }
        }
        Ok(())
    }

    /// The goal value of the mover that a value stands for, if that is known: where the goals in
    /// all ends had the same sum.
    fn goal(&self, value: Value) -> Option<f32> {
        let (sum, same) = self.searching.seen.sum.unwrap_or((100, true));
        same.then(|| (f32::from(sum) + value::points(value)) / 2.0)
    }

    fn estimate(&self, one: &RootMove<StateOf<L>>) -> Estimate {
        let certain = one.outcome.filter(|(outcome, exact)| {
            // Nothing is worse.
            *exact || outcome.settled && value::is_best(-outcome.value)
        });
        let goal = |(outcome, _): (Outcome, bool)| match outcome.settled {
            true => self.goal(value::of_difference(value::whole_points(outcome.value), 0)),
            false => self.goal(outcome.value),
        };
        let mean = certain.and_then(goal);
        let settled = certain.is_some_and(|(outcome, _)| outcome.settled);
        Estimate {
            id: one.child.id,
            visits: u32::try_from(one.visits).unwrap_or(u32::MAX),
            mean,
            certain: mean.filter(|_| settled).map(|goal| goal.round() as u8),
        }
    }

    /// The joint moves that are best from the root on, as far as the table knows them.
    fn main_line(&self) -> Vec<Vec<MoveId>> {
        let (Some(mover), Some(first)) = (self.mover, self.moves.first()) else {
            return Vec::new();
        };
        let engine = L::engine(&self.engine);
        let mut line = vec![mover.joint(first.child.id).to_vec()];
        let mut scratch = engine.scratch();
        engine.enter(&mut scratch, &first.child.state);
        let mut both = [Vec::new(), Vec::new()];
        while line.len() <= self.searching.depth {
            let state = engine.state(&scratch);
            let Some(known) = self.searching.table.get(self.searching.key(&state)) else { break };
            let listed = ROLES.iter().zip(&mut both);
            listed.for_each(|(&role, moves)| drop(engine.legal(&mut scratch, role, moves)));
            let joint = match (&both[0][..], &both[1][..]) {
                (moves, &[other]) if moves.contains(&known.best) => vec![known.best, other],
                (&[other], moves) if moves.contains(&known.best) => vec![other, known.best],
                _ => break,
            };
            if engine.step(&mut scratch, &joint).is_err() {
                break;
            }
            line.push(joint);
        }
        line
    }
}

impl<L: Leaves> Mind for AlphaBeta<L> {
    fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    fn go_to(&mut self, turn: &Turn<'_>) {
        let state = L::state(turn.state);
        let sum = self.searching.seen.sum;
        self.searching.seen = Seen { sum, ..Seen::default() };
        (self.playouts, self.time, self.learning) = (0, Duration::ZERO, Duration::ZERO);
        if self.root == *state {
            return;
        }
        self.root = state.clone();
        self.mover = None;
        self.moves.clear();
        (self.compared, self.done) = (false, false);
        self.searching.depth = 0;
        self.searching.order.move_on();
    }

    fn run(&mut self, limits: &Limits<'_>) {
        let start = Instant::now();
        self.searching.table.set_memory(limits.memory);
        if !self.done && !self.simultaneous && !(limits.is_over)() {
            let broken = self.search(start, limits).err();
            self.simultaneous = broken == Some(Broken::Simultaneous);
        }
        self.time += start.elapsed();
    }

    fn unsuited(&self) -> Option<&'static str> {
        self.simultaneous.then_some("both roles choose at once in some states")
    }

    fn best(&self, role: RoleId) -> Option<MoveId> {
        let is_mover = self.mover.is_some_and(|mover| mover.role == role.index());
        let first = self.moves.first().filter(|_| is_mover && self.compared);
        first.map(|first| first.child.id)
    }

    fn report(&self, role: RoleId) -> Report {
        let Searching { table, seen, .. } = &self.searching;
        let effort = Effort {
            playouts: self.playouts,
            leaves: seen.estimates,
            certain: seen.ends,
            time: self.time,
            nodes: table.len(),
            depth: seen.depth,
            memory: table.bytes(),
        };
        let moves = self.moves.iter().filter(|_| self.best(role).is_some());
        let estimates = moves.map(|one| self.estimate(one)).collect();
        Report { estimates, main_line: self.main_line(), effort }
    }

    fn shape(&self) -> Option<Shape> {
        None
    }
}
