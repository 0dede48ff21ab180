//! Replaying a trace on an engine and comparing every state.
//!
//! A [`Mismatch`] says where the first disagreement is, what the trace expects there and
//! what the engine found, and the play that leads to it.

use super::trace::{Hash64, Legals, Outcome, Playout, StateDigest, Step, Trace};
use super::trace::{hash_of, sorted_strings};
use crate::engine::{Engine, GoalError, MoveId, RoleId, StepError, WorkLimit};
use gdlr_text::diagnostic::counted;
use hashbrown::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much to verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyOptions {
    /// The most joint moves to play for counting; whole depths beyond are left out.
    pub perft_nodes: u64,
}

impl Default for VerifyOptions {
    /// A hundred thousand joint moves.
    fn default() -> Self {
        VerifyOptions { perft_nodes: 100_000 }
    }
}

/// The counts of comparisons that found no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// The playouts that were replayed to their end.
    pub playouts: usize,
    /// The states in them.
    pub states: usize,
    /// The depths of perft that were counted, the initial state's included.
    pub depths: usize,
    /// The joint moves that were played for it.
    pub perft_nodes: u64,
    /// Whether `stop` was set before the work was done.
    pub interrupted: bool,
    /// Why the rest was not compared, if a state was too much for the engine.
    pub limit: Option<WorkLimit>,
}

/// Where an engine and a trace disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TracePosition {
    /// In the list of roles.
    Roles,
    /// In the initial state.
    Initial,
    /// In a playout, counted from 0.
    Playout {
        /// Which playout.
        playout: usize,
        /// After how many joint moves.
        step: usize,
    },
    /// In the counts of joint-move sequences of this length.
    Perft {
        /// The length.
        depth: usize,
    },
}

/// The former name of [`TracePosition`].
#[deprecated(note = "it is `TracePosition`")]
pub type Place = TracePosition;

/// The subject of a disagreement between an engine and a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The list of roles.
    Roles,
    /// The facts of a state.
    Facts,
    /// Whether a state is terminal.
    Terminal,
    /// The legal moves of this role.
    Legals(String),
    /// Whether the recorded joint move can be played.
    Move,
    /// The goal value of this role.
    Goal(String),
    /// The number of joint-move sequences.
    Sequences,
    /// The number of them that end in a terminal state.
    TerminalSequences,
    /// The number of different states.
    States,
}

/// The first disagreement of an engine with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where.
    pub place: TracePosition,
    /// About what.
    pub aspect: Aspect,
    /// The value in the trace.
    pub expected: String,
    /// The value of the engine.
    pub found: String,
    /// The terms that the trace lists and the engine does not, where the trace has a list.
    pub missing: Vec<String>,
    /// The terms that the engine lists and the trace does not, where the trace has a list.
    pub surplus: Vec<String>,
    /// The joint moves that lead there, one string a role each.
    pub path: Vec<Vec<String>>,
    /// The facts of the state there, as the engine sees them.
    pub facts: Vec<String>,
}

impl fmt::Display for TracePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TracePosition::Roles => f.write_str("in the rulesheet"),
            TracePosition::Initial => f.write_str("in the initial state"),
            TracePosition::Playout { playout, step } => {
                write!(f, "in playout {playout} at step {step}")
            }
            TracePosition::Perft { depth } => write!(f, "at depth {depth} from the initial state"),
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Aspect::Roles => f.write_str("roles"),
            Aspect::Facts => f.write_str("facts"),
            Aspect::Terminal => f.write_str("terminality"),
            Aspect::Legals(role) => write!(f, "legal moves of {role}"),
            Aspect::Move => f.write_str("the recorded move"),
            Aspect::Goal(role) => write!(f, "goal of {role}"),
            Aspect::Sequences => f.write_str("joint-move sequences"),
            Aspect::TerminalSequences => f.write_str("terminal joint-move sequences"),
            Aspect::States => f.write_str("different states"),
        }
    }
}

/// Several lines, the last without its end.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} differ {}", self.aspect, self.place)?;
        write!(f, "\n  expected: {}\n  found:    {}", self.expected, self.found)?;
        for (title, list) in [
            ("missing", &self.missing),
            ("surplus", &self.surplus),
            ("facts found there", &self.facts),
        ] {
            if !list.is_empty() {
                write!(f, "\n  {title}: {}", list.join(" "))?;
            }
        }
        for (step, joint) in self.path.iter().enumerate() {
            write!(f, "\n  move {step}: {}", joint.join(" | "))?;
        }
        Ok(())
    }
}

impl std::error::Error for Mismatch {}

/// Replays a trace on an engine. The trace must fit the engine's game: compare the
/// rulesheet by [`Trace::is_of`] before.
///
/// When `stop` becomes true the work ends after the step at hand, as if it had been done.
///
/// # Errors
///
/// The first difference.
pub fn verify<E: Engine>(
    engine: &E,
    trace: &Trace,
    options: &VerifyOptions,
    stop: &AtomicBool,
) -> Result<Verified, Box<Mismatch>> {
    let roles: Vec<String> =
        engine.roles().names().iter().map(|name| name.to_lowercase()).collect();
    let mut replay = Replay {
        engine,
        scratch: engine.scratch(),
        place: TracePosition::Roles,
        path: Vec::new(),
        roles,
        done: Verified::default(),
        stop,
    };
    if replay.roles != trace.roles {
        return Err(replay.lists(Aspect::Roles, &trace.roles, &replay.roles));
    }
    replay.place = TracePosition::Initial;
    let init = replay.facts();
    if init != trace.init {
        return Err(replay.lists(Aspect::Facts, &trace.init, &init));
    }
    match replay.all(trace, options) {
        Ok(()) => {}
        Err(Halt::Interrupted) => replay.done.interrupted = true,
        Err(Halt::Limit(limit)) => replay.done.limit = Some(limit),
        Err(Halt::Mismatch(difference)) => return Err(difference),
    }
    Ok(replay.done)
}

/// Why a replay ends before its end.
enum Halt {
    Interrupted,
    Limit(WorkLimit),
    Mismatch(Box<Mismatch>),
}

impl From<Box<Mismatch>> for Halt {
    fn from(difference: Box<Mismatch>) -> Halt {
        Halt::Mismatch(difference)
    }
}

impl From<WorkLimit> for Halt {
    fn from(limit: WorkLimit) -> Halt {
        Halt::Limit(limit)
    }
}

struct Replay<'a, E: Engine> {
    engine: &'a E,
    scratch: E::Scratch,
    place: TracePosition,
    path: Vec<Vec<String>>,
    roles: Vec<String>,
    done: Verified,
    stop: &'a AtomicBool,
}

impl<E: Engine> Replay<'_, E> {
    fn all(&mut self, trace: &Trace, options: &VerifyOptions) -> Result<(), Halt> {
        for (number, playout) in trace.playouts.iter().enumerate() {
            self.playout(number, playout)?;
        }
        self.perft(trace, options)
    }

    fn go_on(&self) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) { Err(Halt::Interrupted) } else { Ok(()) }
    }

    /// The facts of the state at hand.
    fn facts(&self) -> Vec<String> {
        let state = self.engine.state(&self.scratch);
        sorted_strings(&self.engine.facts(&state), self.engine.symbols())
    }

    fn differ(
        &self,
        aspect: Aspect,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Box<Mismatch> {
        let facts = match self.place {
            TracePosition::Playout { .. } => self.facts(),
            _ => Vec::new(),
        };
        Box::new(Mismatch {
            place: self.place,
            aspect,
            expected: expected.to_string(),
            found: found.to_string(),
            missing: Vec::new(),
            surplus: Vec::new(),
            path: self.path.clone(),
            facts,
        })
    }

    fn lists(&self, aspect: Aspect, expected: &[String], found: &[String]) -> Box<Mismatch> {
        let beyond = |list: &[String], other: &[String]| {
            let others: HashSet<&String> = other.iter().collect();
            list.iter().filter(|item| !others.contains(item)).cloned().collect::<Vec<_>>()
        };
        let (missing, surplus) = (beyond(expected, found), beyond(found, expected));
        let text = |list: &[String]| match (missing.is_empty(), surplus.is_empty()) {
            (true, true) => list.join(" "),
            _ => format!("{} entries", list.len()),
        };
        let mut difference = self.differ(aspect, text(expected), text(found));
        (difference.missing, difference.surplus) = (missing, surplus);
        difference
    }

    fn state(&self, digest: StateDigest) -> Result<(), Box<Mismatch>> {
        let facts = self.facts();
        let text =
            |hash: Hash64, size: usize| format!("{} with hash {hash}", counted(size, "fact"));
        let hash = hash_of(&facts);
        if (hash, facts.len()) == (digest.state_hash, digest.state_size) {
            return Ok(());
        }
        let expected = text(digest.state_hash, digest.state_size);
        Err(self.differ(Aspect::Facts, expected, text(hash, facts.len())))
    }

    fn terminal(&mut self, expected: bool) -> Result<(), Halt> {
        let found = self.engine.terminal(&mut self.scratch)?;
        let text = |terminal: bool| if terminal { "terminal" } else { "not terminal" };
        if found == expected {
            return Ok(());
        }
        Err(self.differ(Aspect::Terminal, text(expected), text(found)).into())
    }

    /// The legal moves of a role with their strings, sorted by them.
    fn legal(&mut self, role: RoleId) -> Result<Vec<(String, MoveId)>, WorkLimit> {
        let mut moves = Vec::new();
        self.engine.legal(&mut self.scratch, role, &mut moves)?;
        let symbols = self.engine.symbols();
        let mut named: Vec<(String, MoveId)> = moves
            .into_iter()
            .map(|id| (self.engine.move_term(id).1.canonical(symbols), id))
            .collect();
        named.sort_unstable();
        Ok(named)
    }

    fn playout(&mut self, number: usize, playout: &Playout) -> Result<(), Halt> {
        self.engine.enter(&mut self.scratch, self.engine.initial());
        self.path.clear();
        for (index, step) in playout.steps.iter().enumerate() {
            self.go_on()?;
            self.place = TracePosition::Playout { playout: number, step: index };
            self.step(step)?;
            self.done.states += 1;
        }
        self.place = TracePosition::Playout { playout: number, step: playout.length };
        if let Some(last) = playout.last {
            self.state(last)?;
            self.terminal(playout.terminal)?;
            self.done.states += 1;
        }
        if playout.outcome == Outcome::Terminal {
            self.goals(playout)?;
        }
        self.done.playouts += 1;
        Ok(())
    }

    /// Compares the state at hand with a step, and plays its move.
    fn step(&mut self, step: &Step) -> Result<(), Halt> {
        self.state(StateDigest { state_hash: step.state_hash, state_size: step.state_size })?;
        self.terminal(step.terminal)?;
        let mut joint = Vec::new();
        for place in 0..self.roles.len() {
            let legal = self.legal(RoleId(place as u16))?;
            let names: Vec<String> = legal.iter().map(|(name, _)| name.clone()).collect();
            let role = self.roles[place].clone();
            match step.legals.get(&role) {
                Some(Legals::List(list)) if *list != names => {
                    return Err(self.lists(Aspect::Legals(role), list, &names).into());
                }
                Some(&Legals::Digest { count, hash })
                    if (count, hash) != (names.len(), hash_of(&names)) =>
                {
                    let text = |count, hash| format!("{} with hash {hash}", counted(count, "move"));
                    let found = text(names.len(), hash_of(&names));
                    let expected = text(count, hash);
                    return Err(self.differ(Aspect::Legals(role), expected, found).into());
                }
                _ => {}
            }
            if let Some(recorded) = &step.joint {
                match legal.iter().find(|(name, _)| *name == recorded[place]) {
                    Some(&(_, id)) => joint.push(id),
                    None => {
                        let expected = format!("{role} plays {}", recorded[place]);
                        return Err(self.differ(Aspect::Move, expected, "it is not legal").into());
                    }
                }
            }
        }
        if let Some(recorded) = &step.joint {
            match self.engine.step(&mut self.scratch, &joint) {
                Ok(()) => {}
                Err(StepError::Limit(limit)) => return Err(limit.into()),
                Err(error) => {
                    return Err(self.differ(Aspect::Move, recorded.join(" | "), error).into());
                }
            }
            self.path.push(recorded.clone());
        }
        Ok(())
    }

    fn goals(&mut self, playout: &Playout) -> Result<(), Halt> {
        for place in 0..self.roles.len() {
            let role = self.roles[place].clone();
            let goal = self.engine.goal(&mut self.scratch, RoleId(place as u16));
            let symbols = self.engine.symbols();
            let mut values = match goal {
                Ok(value) => vec![value.to_string()],
                Err(GoalError::Missing) => Vec::new(),
                Err(GoalError::Improper(values)) => sorted_strings(&values, symbols),
                Err(GoalError::Limit(limit)) => return Err(limit.into()),
            };
            if let Some(set) = playout.goal_sets.as_ref().and_then(|sets| sets.get(&role)) {
                let mut set = set.clone();
                set.sort_unstable();
                values.sort_unstable();
                if set != values {
                    return Err(self.lists(Aspect::Goal(role), &set, &values).into());
                }
            }
            let Some(&expected) = playout.goals.as_ref().and_then(|goals| goals.get(&role)) else {
                continue;
            };
            let found = match &values[..] {
                [value] => value.parse::<i64>().ok(),
                _ => None,
            };
            if found != expected {
                let expected = expected.map_or("no single integer".to_owned(), |v| v.to_string());
                let found = match values.len() {
                    0 => "no value".to_owned(),
                    _ => values.join(" "),
                };
                return Err(self.differ(Aspect::Goal(role), expected, found).into());
            }
        }
        Ok(())
    }

    /// Counts level by level. A state that several sequences lead to is expanded once.
    fn perft(&mut self, trace: &Trace, options: &VerifyOptions) -> Result<(), Halt> {
        self.path.clear();
        let mut level: HashMap<E::State, u64> = HashMap::new();
        level.insert(self.engine.initial().clone(), 1);
        for depth in 0..trace.perft.len() {
            self.place = TracePosition::Perft { depth };
            let more = depth + 1 < trace.perft.len();
            let mut next: HashMap<E::State, u64> = HashMap::new();
            let mut terminal = 0u64;
            let mut within = more;
            for (state, &count) in &level {
                self.go_on()?;
                self.engine.enter(&mut self.scratch, state);
                if self.engine.terminal(&mut self.scratch)? {
                    terminal = terminal.saturating_add(count);
                } else if within {
                    within = self.successors(state, options.perft_nodes, &mut |successor| {
                        let sequences = next.entry(successor).or_insert(0);
                        *sequences = sequences.saturating_add(count);
                    })?;
                }
            }
            let sequences = level.values().fold(0u64, |sum, &count| sum.saturating_add(count));
            let found = [sequences, terminal, level.len() as u64];
            let expected =
                [trace.perft[depth], trace.perft_terminal[depth], trace.perft_states[depth]];
            let aspects = [Aspect::Sequences, Aspect::TerminalSequences, Aspect::States];
            for (aspect, (found, expected)) in
                aspects.into_iter().zip(found.into_iter().zip(expected))
            {
                if found != expected {
                    return Err(self.differ(aspect, expected, found).into());
                }
            }
            self.done.depths += 1;
            if !within {
                break;
            }
            level = next;
        }
        Ok(())
    }

    /// Visits the states after every joint move; false when the budget ran out before.
    fn successors(
        &mut self,
        state: &E::State,
        budget: u64,
        visit: &mut impl FnMut(E::State),
    ) -> Result<bool, Halt> {
        let roles = self.roles.len();
        let mut legal = vec![Vec::new(); roles];
        for (place, moves) in legal.iter_mut().enumerate() {
            self.engine.legal(&mut self.scratch, RoleId(place as u16), moves)?;
            if moves.is_empty() {
                return Ok(true);
            }
        }
        let mut choice = vec![0; roles];
        loop {
            if self.done.perft_nodes == budget {
                return Ok(false);
            }
            self.done.perft_nodes += 1;
            let joint: Vec<MoveId> =
                legal.iter().zip(&choice).map(|(moves, &at)| moves[at]).collect();
            self.engine.enter(&mut self.scratch, state);
            match self.engine.step(&mut self.scratch, &joint) {
                Ok(()) => {}
                Err(StepError::Limit(limit)) => return Err(limit.into()),
                Err(error) => panic!("legal moves can be played: {error}"),
            }
            visit(self.engine.state(&self.scratch));
            let Some(place) =
                (0..roles).rev().find(|&place| choice[place] + 1 < legal[place].len())
            else {
                return Ok(true);
            };
            choice[place] += 1;
            choice[place + 1..].fill(0);
        }
    }
}
