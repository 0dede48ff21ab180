//! Search for one role alone: nobody answers, so a line of moves that was found can be played to
//! its end.
//!
//! *Beam search*, again and again, with wider and wider beams: all states that follow those of
//! the beam, each once, and of these as many as the beam is wide, those that seem best. What
//! seems best is said by turns by the net ([`Insight::closeness`]) and by random playouts. A
//! beam that never had to leave a state out has seen all there is. Where a game has independent
//! parts, beams look at one part after another first (`in_parts`).

mod in_parts;

use super::insight::Insight;
use super::leaves::{Leaves, Shape, StateOf};
use super::mind::{Limits, Mind};
use super::parts::Parts;
use crate::player::Turn;
use gdlr_engine::engine::{AnyEngine, AnyState, Engine, MoveId, RoleId, seeded};
use gdlr_engine::play::report::{Effort, Estimate, Report};
use gdlr_net::propnet::Propnet;
use hashbrown::HashSet;
use in_parts::Along;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// How often a state is played out to say what it is worth, and how many are at once.
const PLAYOUTS: Shape = Shape { leaves: 64, each: 8 };

/// The only role.
const ROLE: RoleId = RoleId(0);

/// The best goal value.
const BEST: u8 = 100;

/// The order by which states of a beam stay in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guide {
    Closeness,
    Playouts,
}

/// How a beam ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Swept {
    /// At the best goal.
    Solved,
    /// It has seen every state that there is, but for those that differ in the time only if
    /// these are left out.
    All,
    /// Some states were left out.
    Some,
    /// It was told to stop.
    Stopped,
}

/// A search of a game for one role.
pub(super) struct Alone<L: Leaves> {
    engine: AnyEngine,
    leaves: L,
    scratch: <L::Engine as Engine>::Scratch,
    rng: Xoshiro256PlusPlus,
    insight: Option<Insight>,
    /// Whether states that differ in the time only are taken for the same.
    timeless: bool,
    /// The present state.
    origin: StateOf<L>,
    /// The best line from there, and what it brings in the end, if that is known and more than 0.
    line: VecDeque<MoveId>,
    goal: Option<u8>,
    /// Whether there is none better.
    certain: bool,
    first_width: usize,
    width: usize,
    guide: Guide,
    /// The parts of the game, if there are several, and whether to look at them before the next
    /// beam over the whole.
    parts: Option<Arc<Parts>>,
    parts_first: bool,
    /// The play that the present beam follows, if it looks at one part.
    along: Option<Along>,
    effort: Effort,
    values: Vec<f32>,
}

/// A beam: states, how each was come to, and the beams before it.
struct Beam<S> {
    states: Vec<S>,
    /// The place in the beam before, and the move.
    links: Vec<(u32, MoveId)>,
}

impl<L: Leaves> Alone<L> {
    /// A search from a state of a game that may have independent parts; the first beam is so wide.
    pub fn new(
        engine: AnyEngine,
        parts: Option<Parts>,
        state: &AnyState,
        leaves: L,
        seed: u64,
        first_width: usize,
    ) -> Alone<L> {
        let propnet = engine.downcast_ref::<Propnet>();
        let insight = propnet.map(|propnet| Insight::new(propnet.net(), ROLE, engine.symbols()));
        Alone {
            scratch: L::engine(&engine).scratch(),
            origin: L::state(state).clone(),
            timeless: insight.as_ref().is_some_and(Insight::tells_time),
            guide: if insight.is_some() { Guide::Closeness } else { Guide::Playouts },
            engine,
            leaves,
            rng: seeded(seed, 0),
            insight,
            line: VecDeque::new(),
            goal: None,
            certain: false,
            first_width,
            width: first_width,
            parts_first: parts.is_some(),
            parts: parts.map(Arc::new),
            along: None,
            effort: Effort::default(),
            values: Vec::new(),
        }
    }

    /// The hash that tells states apart.
    fn key(&self, state: &StateOf<L>) -> u64 {
        match (&self.insight, L::net_state(state)) {
            (Some(insight), Some(state)) if self.timeless => insight.key(state),
            _ => L::engine(&self.engine).state_hash(state),
        }
    }

    /// How much memory a state takes beside itself, in bytes.
    fn state_bytes(&self) -> usize {
        L::engine(&self.engine).state_bytes(&self.origin)
    }

    /// One beam, from the present state to where it ends.
    fn sweep(&mut self, limits: &Limits<'_>) -> Swept {
        let mut beams = vec![Beam { states: vec![self.origin.clone()], links: Vec::new() }];
        let mut seen = HashSet::from([self.key(&self.origin)]);
        let mut all = true;
        loop {
            let last = beams.last_mut().expect("the origin");
            // The way to a state is known by its links.
            let states = std::mem::take(&mut last.states);
            let mut next = Beam { states: Vec::new(), links: Vec::new() };
            let most = (limits.memory / (2 * (self.state_bytes() + 64))).max(self.width);
            for (at, state) in (0..).zip(&states) {
                match self.follow(&beams, at, state, &mut seen, &mut next, limits) {
                    None => {
                        self.lead(&beams);
                        return Swept::Stopped;
                    }
                    Some(true) => return Swept::Solved,
                    Some(false) => {}
                }
                if seen.len() > most {
                    // Some may be looked at again.
                    seen.clear();
                    all = false;
                }
                if next.states.len() > most {
                    all = false;
                    if !self.thin(&mut next, limits) {
                        self.lead(&beams);
                        return Swept::Stopped;
                    }
                }
            }
            let depth = beams.len();
            self.effort.depth = self.effort.depth.max(depth);
            self.effort.nodes = self.effort.nodes.max(seen.len());
            if next.states.is_empty() {
                return if all { Swept::All } else { Swept::Some };
            }
            if next.states.len() > self.width {
                all = false;
                if !self.thin(&mut next, limits) {
                    self.lead(&beams);
                    return Swept::Stopped;
                }
            }
            beams.push(next);
        }
    }

    /// Adds what follows a state of the last beam to the next one; whether the best goal is there,
    /// `None` if it was told to stop.
    fn follow(
        &mut self,
        beams: &[Beam<StateOf<L>>],
        at: u32,
        state: &StateOf<L>,
        seen: &mut HashSet<u64>,
        next: &mut Beam<StateOf<L>>,
        limits: &Limits<'_>,
    ) -> Option<bool> {
        let mut moves = Vec::new();
        L::engine(&self.engine).enter(&mut self.scratch, state);
        // A state with a defect, or of too much work, leads nowhere.
        if L::engine(&self.engine).legal(&mut self.scratch, ROLE, &mut moves).is_err() {
            return Some(false);
        }
        if let Some(along) = &self.along {
            along.narrow(beams.len() - 1, &mut moves);
        }
        for (turn, &id) in moves.iter().enumerate() {
            if (limits.is_over)() {
                return None;
            }
            limits.tries.spend(1);
            let (engine, scratch) = (L::engine(&self.engine), &mut self.scratch);
            if turn > 0 {
                engine.enter(scratch, state);
            }
            if engine.step(scratch, &[id]).is_err() {
                continue;
            }
            if let Some(along) = &mut self.along {
                let state = engine.state(scratch);
                if let Some((insight, state)) = self.insight.as_ref().zip(L::net_state(&state)) {
                    let closeness = insight.closeness(state, &mut self.values);
                    along.hear(closeness, || line(beams, at, Some(id)));
                }
            }
            match engine.terminal(scratch) {
                Err(_) => {}
                Ok(true) => {
                    self.effort.certain += 1;
                    // A line that brings nothing is no better than none.
                    let goal = engine.goal(scratch, ROLE).unwrap_or(0);
                    if goal > self.goal.unwrap_or(0) {
                        self.goal = Some(goal);
                        self.line = line(beams, at, Some(id));
                    }
                    if goal == BEST {
                        return Some(true);
                    }
                }
                Ok(false) => {
                    let state = engine.state(scratch);
                    if seen.insert(self.key(&state)) {
                        next.states.push(state);
                        next.links.push((at, id));
                    }
                }
            }
        }
        Some(false)
    }

    /// As long as no line that brings something is known, the way to the best state of the last
    /// beam is the line.
    fn lead(&mut self, beams: &[Beam<StateOf<L>>]) {
        if self.goal.is_none() {
            let way = line(beams, 0, None);
            if !way.is_empty() {
                self.line = way;
            }
        }
    }

    /// Leaves states out, until there are as many as a beam is wide: the best ones, best first.
    /// Whether there was time for it.
    fn thin(&mut self, beam: &mut Beam<StateOf<L>>, limits: &Limits<'_>) -> bool {
        let mut worth = Vec::with_capacity(beam.states.len());
        match (self.guide, &self.insight) {
            (Guide::Closeness, Some(insight)) => {
                let values = &mut self.values;
                let mut closeness = |state| match L::net_state(state) {
                    Some(state) => insight.closeness(state, values),
                    None => 0.0,
                };
                worth.extend(beam.states.iter().map(&mut closeness));
            }
            _ => {
                let mut rewards = Vec::new();
                for states in beam.states.chunks(PLAYOUTS.leaves) {
                    if (limits.is_over)() {
                        return false;
                    }
                    let engine = L::engine(&self.engine);
                    let rng = &mut self.rng;
                    let played = self.leaves.play(
                        engine,
                        states,
                        PLAYOUTS.each,
                        rng,
                        &mut rewards,
                        limits.is_over,
                    );
                    limits.tries.spend(played);
                    self.effort.playouts += played;
                    self.effort.leaves += states.len() as u64;
                    worth.extend(rewards.iter().map(|r| r.as_ref().map_or(0.0, |r| r[0])));
                }
            }
        }
        // Ties are broken by chance.
        let mut order: Vec<(f32, u32, u32)> =
            (0..).zip(&worth).map(|(at, &worth)| (worth, self.rng.random(), at)).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(self.width);
        beam.links = order.iter().map(|&(.., at)| beam.links[at as usize]).collect();
        let mut states: Vec<Option<StateOf<L>>> =
            std::mem::take(&mut beam.states).into_iter().map(Some).collect();
        let kept = order.iter().filter_map(|&(.., at)| states[at as usize].take());
        beam.states = kept.collect();
        true
    }
}

/// The moves to a state of the last beam, and one more if there is one.
fn line<S>(beams: &[Beam<S>], at: u32, last: Option<MoveId>) -> VecDeque<MoveId> {
    let mut moves: VecDeque<MoveId> = last.into_iter().collect();
    let mut at = at;
    for beam in beams[1..].iter().rev() {
        let (before, id) = beam.links[at as usize];
        moves.push_front(id);
        at = before;
    }
    moves
}

impl<L: Leaves> Mind for Alone<L> {
    fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    fn go_to(&mut self, turn: &Turn<'_>) {
        let state = turn.state;
        let (engine, state) = (L::engine(&self.engine), L::state(state));
        self.effort = Effort::default();
        if self.origin == *state {
            return;
        }
        engine.enter(&mut self.scratch, &self.origin);
        let played = self.line.pop_front();
        let as_planned = played.is_some_and(|id| {
            engine.step(&mut self.scratch, &[id]).is_ok() && engine.state(&self.scratch) == *state
        });
        self.origin = state.clone();
        if !as_planned {
            (self.goal, self.certain, self.width) = (None, false, self.first_width);
            self.parts_first = self.parts.is_some();
            self.line.clear();
        }
    }

    fn run(&mut self, limits: &Limits<'_>) {
        let start = Instant::now();
        while !(limits.is_over)() && !self.certain {
            if let Some(parts) = self.parts.clone().filter(|_| self.parts_first) {
                self.parts_first = false;
                self.certain = self.sweep_parts(&parts, limits) == Swept::Solved;
                continue;
            }
            match self.sweep(limits) {
                Swept::Stopped => {}
                Swept::Solved => self.certain = true,
                Swept::All if self.timeless => self.timeless = false,
                Swept::All => self.certain = true,
                Swept::Some if self.guide == Guide::Closeness => self.guide = Guide::Playouts,
                Swept::Some => {
                    self.width *= 2;
                    self.parts_first = self.parts.is_some();
                    if self.insight.is_some() {
                        self.guide = Guide::Closeness;
                    }
                }
            }
        }
        self.effort.time += start.elapsed();
    }

    fn best(&self, _: RoleId) -> Option<MoveId> {
        self.line.front().copied()
    }

    fn report(&self, _: RoleId) -> Report {
        let estimate = |&id: &MoveId| Estimate {
            id,
            visits: 1,
            mean: self.goal.map(f32::from),
            certain: self.goal.filter(|_| self.certain),
        };
        let estimates = self.line.front().map(estimate).into_iter().collect();
        let main_line = self.line.iter().map(|&id| vec![id]).collect();
        let memory = self.effort.nodes * (self.state_bytes() + 64);
        Report { estimates, main_line, effort: Effort { memory, ..self.effort } }
    }

    fn shape(&self) -> Option<Shape> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DEFAULT_MEMORY, Search};
    use super::*;
    use crate::player::{Clock, Player, Turn};
    use gdlr_net::ground::Budget;
    use gdlr_rules::gdl::Game;
    use gdlr_tree::Tree;
    use std::time::Duration;

    /// Lamps in a row, all off: a switch turns a lamp and the next one, until the time is over.
    fn lamps(lamps: usize, steps: usize) -> Game {
        let each = |from: usize, to: usize, text: &str| -> String {
            (from..to)
                .map(|n| text.replace('#', &n.to_string()).replace('+', &(n + 1).to_string()))
                .collect()
        };
        let text = format!(
            "(role a) (init (step 0)) {} {} {}
            (<= (legal a (switch ?l)) (next ?l ?m))
            (<= (turned ?l) (does a (switch ?l)))
            (<= (turned ?m) (does a (switch ?l)) (next ?l ?m))
            (<= (next (on ?l)) (turned ?l) (lamp ?l) (not (true (on ?l))))
            (<= (next (on ?l)) (true (on ?l)) (not (turned ?l)))
            (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
            (<= terminal (true (step {steps})))
            (<= dark (lamp ?l) (not (true (on ?l))))
            (<= (goal a 100) (not dark)) (<= (goal a 10) dark)",
            each(0, lamps, "(lamp #)"),
            each(0, lamps - 1, "(beside # +)"),
            each(0, steps, "(succ # +)"),
        );
        Game::from_kif("lamps", &text.replace("(next ?l ?m)", "(beside ?l ?m)"))
            .expect("a rulesheet")
    }

    /// The goal that a search comes to, and what it said before the first move.
    fn played(engine: &AnyEngine, mut search: Search) -> (u8, Report) {
        let (mut scratch, mut legal, mut first) = (engine.scratch(), Vec::new(), None);
        let mut step = 0;
        while !engine.terminal(&mut scratch).expect("little work") {
            engine.legal(&mut scratch, ROLE, &mut legal).expect("little work");
            let state = engine.state(&scratch);
            // Whatever is certain needs no clock.
            let clock = Clock::new(Duration::from_secs(600));
            let turn = Turn {
                engine,
                state: &state,
                role: ROLE,
                legal: &legal,
                last: None,
                sampler: None,
                step,
                clock: &clock,
                lanes: None,
            };
            let chosen = search.play(&turn);
            first = first.or_else(|| search.report());
            engine.step(&mut scratch, &[chosen]).expect("a legal move");
            step += 1;
        }
        (engine.goal(&mut scratch, ROLE).expect("a goal"), first.expect("a choice"))
    }

    #[test]
    fn a_line_that_was_found_is_played_to_its_end() {
        let net = Propnet::new(lamps(8, 6), &Budget::default()).expect("a net");
        let tree = Tree::new(lamps(8, 6), &Default::default()).expect("trees");
        for engine in [AnyEngine::new(net), AnyEngine::new(tree)] {
            let (goal, report) = played(&engine, Search::new(1, DEFAULT_MEMORY));
            assert_eq!(goal, 100);
            assert_eq!((report.estimates[0].certain, report.main_line.len()), (Some(100), 6));
            assert!(report.effort.depth > 1 && report.effort.nodes > 6);
        }
    }

    /// Two registers of so many bits, all 0 first, into which a move shifts a bit each, until they
    /// are full; both are to hold every other bit.
    fn registers(bits: usize) -> Game {
        let succ: String = (0..=bits).map(|n| format!("(succ {n} {})", n + 1)).collect();
        let wanted = |of: &str| -> String {
            let bit = |n: usize| match n % 2 {
                0 => format!("(true ({of} {n}))"),
                _ => format!("(not (true ({of} {n})))"),
            };
            (1..=bits).map(bit).collect()
        };
        let text = format!(
            "(role a) (init (step 0)) (bit 0) (bit 1) {succ} (<= (place ?n) (succ ?m ?n))
            (<= (legal a (shift ?x ?y)) (bit ?x) (bit ?y))
            (<= (next (left 1)) (does a (shift 1 ?y))) (<= (next (right 1)) (does a (shift ?x 1)))
            (<= (next (left ?n)) (true (left ?m)) (succ ?m ?n))
            (<= (next (right ?n)) (true (right ?m)) (succ ?m ?n))
            (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
            (<= terminal (true (step {bits})))
            (<= both {} {}) (<= (goal a 100) both) (<= (goal a 0) (not both))",
            wanted("left"),
            wanted("right"),
        );
        Game::from_kif("registers", &text).expect("a rulesheet")
    }

    #[test]
    fn parts_are_looked_at_one_after_another() {
        // A register has as many states as a beam is wide, both together have its square.
        let engine = AnyEngine::new(Propnet::new(registers(6), &Budget::default()).expect("a net"));
        let (goal, report) = played(&engine, Search::new(1, DEFAULT_MEMORY));
        assert_eq!((goal, report.main_line.len()), (100, 6));
        let Effort { playouts, nodes, .. } = report.effort;
        assert!(playouts == 0 && nodes <= 1 << 7, "{playouts} playouts, {nodes} nodes");
    }

    #[test]
    fn what_cannot_be_reached_is_known_when_everything_was_seen() {
        // An odd number of lamps is never all on.
        let net = Propnet::new(lamps(3, 4), &Budget::default()).expect("a net");
        let (goal, report) = played(&AnyEngine::new(net), Search::new(1, DEFAULT_MEMORY));
        assert_eq!((goal, report.estimates[0].certain), (10, Some(10)));
    }

    #[test]
    fn wide_beams_find_what_narrow_ones_miss() {
        let engine = AnyEngine::new(Propnet::new(lamps(14, 9), &Budget::default()).expect("a net"));
        let (goal, _) = played(&engine, Search::new(1, DEFAULT_MEMORY));
        assert_eq!(goal, 100);
    }
}
