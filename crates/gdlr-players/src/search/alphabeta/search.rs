//! Depth-first search with a window: alpha-beta (Knuth and Moore, 1975) as principal variation
//! search (Marsland, 1983).
//!
//! All values are from the view of the first role. At a node its *mover* chooses, the role with more
//! than one legal move, so a role may move several times in a row. Ends are asked first: a move that
//! ends the game well enough cuts off before any other is searched.

use super::estimates::Estimates;
use super::order::Order;
use super::table::{Bound, NewEntry, Table};
use super::value::{self, MOST_STEPS, Outcome, Value};
use crate::search::leaves::{Leaves, StateOf};
use crate::search::mind::Limits;
use gdlr_engine::engine::{Engine, MoveId, RoleId};
use hashbrown::DefaultHashBuilder;
use std::cmp::Reverse;
use std::hash::BuildHasher;

/// The roles, the first of which values are good for.
pub(super) const ROLES: [RoleId; 2] = [RoleId(0), RoleId(1)];

/// Why a search came to no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// It was told to stop.
    Stopped,
    /// Both roles choose in some state.
    Simultaneous,
}

/// A window, from the view of the first role: values outside of it need not be exact.
type Window = (Value, Value);

/// Who moves in a state, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    /// The place of the role.
    pub role: usize,
    /// The only move of the other one.
    other: MoveId,
}

impl Mover {
    /// 1 if greater values are better for it, or -1.
    pub fn sign(self) -> Value {
        if self.role == 0 { 1 } else { -1 }
    }

    /// The joint move with one of its moves.
    pub fn joint(self, id: MoveId) -> [MoveId; 2] {
        if self.role == 0 { [id, self.other] } else { [self.other, id] }
    }
}

/// A state that follows.
#[derive(Debug)]
pub(super) struct Child<S> {
    pub id: MoveId,
    pub state: S,
    pub key: u64,
    /// The value of the state, if it is an end or has a defect.
    pub end: Option<Outcome>,
}

/// The memory of a node under way.
#[derive(Debug)]
struct Node<S> {
    moves: Vec<MoveId>,
    children: Vec<Child<S>>,
    /// The places of the children, in the order in which they are searched.
    order: Vec<(Reverse<i64>, u32)>,
}

impl<S> Default for Node<S> {
    fn default() -> Node<S> {
        Node { moves: Vec::new(), children: Vec::new(), order: Vec::new() }
    }
}

/// The memory of a search.
pub(super) struct Searching<L: Leaves> {
    pub scratch: <L::Engine as Engine>::Scratch,
    pub table: Table,
    pub order: Order,
    pub estimates: Estimates,
    hasher: DefaultHashBuilder,
    /// By steps from the root.
    nodes: Vec<Node<StateOf<L>>>,
    others: Vec<MoveId>,
    pub iteration: u32,
    /// How deep this iteration goes.
    pub depth: usize,
    pub seen: Seen,
}

/// The counters of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Estimates of states.
    pub estimates: u64,
    /// Ends, each time.
    pub ends: u64,
    /// The longest way.
    pub depth: usize,
    /// The sum of the goals in all ends, and whether it was always the same.
    pub sum: Option<(u16, bool)>,
}

impl<L: Leaves> Searching<L> {
    pub fn new(engine: &L::Engine, estimates: Estimates) -> Searching<L> {
        Searching {
            scratch: engine.scratch(),
            table: Table::new(),
            order: Order::new(),
            estimates,
            hasher: DefaultHashBuilder::default(),
            nodes: Vec::new(),
            others: Vec::new(),
            iteration: 0,
            depth: 0,
            seen: Seen::default(),
        }
    }

    pub fn key(&self, state: &StateOf<L>) -> u64 {
        self.hasher.hash_one(state)
    }

    /// Who moves in the state of the scratch, with its moves; `None` if a role has none.
    ///
    /// # Errors
    ///
    /// When both roles choose.
    pub fn mover(
        &mut self,
        engine: &L::Engine,
        moves: &mut Vec<MoveId>,
    ) -> Result<Option<Mover>, Broken> {
        let Searching { scratch, others, .. } = self;
        let both = engine.legal(scratch, ROLES[0], moves).is_ok()
            && engine.legal(scratch, ROLES[1], others).is_ok();
        if !both {
            return Ok(None);
        }
        match (&moves[..], &others[..]) {
            ([], _) | (_, []) => Ok(None),
            (_, &[other]) => Ok(Some(Mover { role: 0, other })),
            (&[other], _) => {
                std::mem::swap(moves, others);
                Ok(Some(Mover { role: 1, other }))
            }
            _ => Err(Broken::Simultaneous),
        }
    }

    /// Makes the scratch speak of the state after a move, so many steps from the root. Gives what
    /// is known of it if it is an end or has a defect.
    pub fn follow(
        &mut self,
        engine: &L::Engine,
        from: &StateOf<L>,
        joint: [MoveId; 2],
        steps: usize,
    ) -> Option<Outcome> {
        let Searching { scratch, seen, .. } = self;
        // A defect is no end, and worth as much to both.
        let defect = Some(Outcome { value: 0, settled: false });
        engine.enter(scratch, from);
        if engine.step(scratch, &joint).is_err() {
            return defect;
        }
        seen.depth = seen.depth.max(steps);
        match engine.terminal(scratch) {
            Ok(false) => None,
            Err(_) => defect,
            Ok(true) => {
                let goals = ROLES.map(|role| engine.payoff(scratch, role));
                let [Ok(first), Ok(second)] = goals else { return defect };
                let sum = u16::from(first) + u16::from(second);
                let same = |(known, same)| (known, same && known == sum);
                seen.sum = Some(seen.sum.map_or((sum, true), same));
                seen.ends += 1;
                let points = i32::from(first) - i32::from(second);
                Some(Outcome { value: value::of_difference(points, steps), settled: true })
            }
        }
    }

    /// The estimate of a state, `steps` steps from the root.
    fn estimate(&mut self, engine: &L::Engine, state: &StateOf<L>, steps: usize) -> Outcome {
        self.seen.estimates += 1;
        let estimate = self.estimates.estimate::<L>(engine, state);
        Outcome { value: value::of_estimate(estimate, steps), settled: false }
    }

    /// The value of a state that is no end, by a search so deep; 0 is an estimate.
    ///
    /// # Errors
    ///
    /// When it is told to stop, or both roles choose.
    pub fn visit(
        &mut self,
        engine: &L::Engine,
        limits: &Limits<'_>,
        (state, key): (&StateOf<L>, u64),
        (depth, steps): (usize, usize),
        window: Window,
    ) -> Result<Outcome, Broken> {
        if depth == 0 || steps >= MOST_STEPS {
            limits.tries.spend(1);
            return Ok(self.estimate(engine, state, steps));
        }
        if (limits.is_over)() {
            return Err(Broken::Stopped);
        }
        let entry = self.table.get(key).copied();
        if let Some(entry) = &entry
            && let Some(outcome) = entry.answer(self.iteration, depth, steps, window)
        {
            return Ok(outcome);
        }
        if self.nodes.len() <= steps {
            self.nodes.resize_with(steps + 1, Node::default);
        }
        let Node { mut moves, mut children, mut order } = std::mem::take(&mut self.nodes[steps]);
        engine.enter(&mut self.scratch, state);
        let mover = self.mover(engine, &mut moves);
        let outcome = match mover {
            Err(broken) => Err(broken),
            Ok(None) => Ok(Outcome { value: 0, settled: false }),
            Ok(Some(mover)) => {
                let best = entry.map(|entry| entry.best);
                let at = At { state, key, depth, steps, window, mover, best };
                self.choose(engine, limits, &at, &moves, &mut children, &mut order)
            }
        };
        self.nodes[steps] = Node { moves, children, order };
        outcome
    }

    /// The value of a state by that of its best move.
    fn choose(
        &mut self,
        engine: &L::Engine,
        limits: &Limits<'_>,
        at: &At<'_, StateOf<L>>,
        moves: &[MoveId],
        children: &mut Vec<Child<StateOf<L>>>,
        order: &mut Vec<(Reverse<i64>, u32)>,
    ) -> Result<Outcome, Broken> {
        let &At { depth, steps, window, mover, best, .. } = at;
        let sign = mover.sign();
        // From the view of the mover from here on.
        let (mut low, high) = turned(window, sign);
        // A forced move is searched through, but not round and round.
        let forced = moves.len() == 1 && steps < 2 * self.depth;
        let below = if forced { depth } else { depth - 1 };
        order.clear();
        let ends_first = below > 0;
        for (place, &id) in (0..).zip(moves) {
            let mut score = self.order.score(id, steps, best);
            if ends_first {
                if (limits.is_over)() {
                    return Err(Broken::Stopped);
                }
                self.expand(engine, at, id, place as usize, children);
                let child = &children[place as usize];
                match child.end {
                    Some(end) if end.settled && sign * end.value >= high => {
                        let value = sign * end.value;
                        return Ok(self.remember(at, id, Best { value, settled: true }, true));
                    }
                    // It costs nothing to look at it first.
                    Some(_) => score = i64::MAX,
                    None if below > 1 => {
                        let child = &children[place as usize];
                        let estimate = self.estimates.estimate::<L>(engine, &child.state);
                        score += (f64::from(sign as f32 * estimate) * f64::from(1 << 20)) as i64;
                    }
                    None => {}
                }
            }
            order.push((Reverse(score), place));
        }
        order.sort_unstable();
        let mut best: Option<(MoveId, Best)> = None;
        let mut all = true;
        for &(_, place) in order.iter() {
            let (place, id) = (place as usize, moves[place as usize]);
            if !ends_first {
                self.expand(engine, at, id, 0, children);
            }
            let child = &children[if ends_first { place } else { 0 }];
            let outcome = match child.end {
                Some(end) => end,
                None => {
                    let whole = turned((low, high), sign);
                    let narrow = turned((low, low + 1), sign);
                    let (next, deep) = ((&child.state, child.key), (below, steps + 1));
                    // One that is no better than the best is refuted by a window of no width.
                    let refuted = match best.is_some() && below > 0 && low + 1 < high {
                        false => None,
                        true => Some(self.visit(engine, limits, next, deep, narrow)?).filter(
                            |outcome| sign * outcome.value <= low || sign * outcome.value >= high,
                        ),
                    };
                    match refuted {
                        Some(outcome) => outcome,
                        None => self.visit(engine, limits, next, deep, whole)?,
                    }
                }
            };
            let candidate = Best { value: sign * outcome.value, settled: outcome.settled };
            all &= candidate.settled;
            if best.is_none_or(|(_, best)| candidate.value > best.value) {
                best = Some((id, candidate));
            }
            low = low.max(candidate.value);
            if low >= high {
                self.order.cuts_off(id, steps, depth);
                break;
            }
        }
        let (id, best) = best.expect("a legal move");
        Ok(self.remember(at, id, best, all))
    }

    /// Makes the child of a move at a place.
    fn expand(
        &mut self,
        engine: &L::Engine,
        at: &At<'_, StateOf<L>>,
        id: MoveId,
        place: usize,
        children: &mut Vec<Child<StateOf<L>>>,
    ) {
        let end = self.follow(engine, at.state, at.mover.joint(id), at.steps + 1);
        if children.len() <= place {
            let state = engine.state(&self.scratch);
            children.push(Child { id, state, key: 0, end });
        } else {
            engine.save(&self.scratch, &mut children[place].state);
        }
        let child = &mut children[place];
        (child.id, child.end) = (id, end);
        if end.is_none() {
            child.key = self.hasher.hash_one(&child.state);
        }
    }

    /// Remembers what was found by the best move of a state; `all` says whether the values of all
    /// moves that were looked at are settled.
    fn remember(&mut self, at: &At<'_, StateOf<L>>, id: MoveId, best: Best, all: bool) -> Outcome {
        let sign = at.mover.sign();
        let (low, high) = turned(at.window, sign);
        let (bound, settled) = match best.value {
            value if value >= high => (Bound::Lower, best.settled),
            value if value <= low => (Bound::Upper, all),
            // Nothing is better, but another end may be nearer.
            value if best.settled && !all && value::is_best(value) => (Bound::Lower, true),
            _ => (Bound::Exact, best.settled && all),
        };
        let outcome = Outcome { value: sign * best.value, settled };
        self.table.put(&NewEntry {
            key: at.key,
            outcome,
            bound: if sign > 0 { bound } else { bound.turned() },
            best: id,
            iteration: self.iteration,
            depth: at.depth,
            steps: at.steps,
        });
        outcome
    }
}

/// The place of a node in the search.
struct At<'s, S> {
    state: &'s S,
    key: u64,
    depth: usize,
    steps: usize,
    window: Window,
    mover: Mover,
    /// The best move so far.
    best: Option<MoveId>,
}

/// A value from the view of the mover.
#[derive(Clone, Copy)]
struct Best {
    value: Value,
    settled: bool,
}

/// A window from the view of the mover, or back.
fn turned((low, high): Window, sign: Value) -> Window {
    if sign > 0 { (low, high) } else { (-high, -low) }
}
