//! Two engines on one game: every state of random plays is compared, and what an engine
//! promises of a state is tried on both.
// Each test that includes this module uses a part of it.
#![allow(dead_code, reason = "a test uses a part of it")]

use gdlr::engine::{Engine, GoalError, MoveId, RoleId, StepError, WorkLimit};
use gdlr::gdl::Game;
use gdlr::play::View;
use gdlr::tree::{Tree, TreeOptions};

/// How many joint moves a random play has.
pub const STEPS: usize = 8;

/// Why two engines were not compared to the end.
#[derive(Debug)]
pub enum Failure {
    /// A state was too much work for the first one.
    Limit(WorkLimit),
    /// The difference.
    Wrong(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Limit(limit) => limit.fmt(f),
            Failure::Wrong(what) => f.write_str(what),
        }
    }
}

impl From<String> for Failure {
    fn from(what: String) -> Failure {
        Failure::Wrong(what)
    }
}

/// Looks at the state of a scratch, in canonical strings.
pub fn view<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    turn: u64,
) -> Result<View<String>, WorkLimit> {
    Ok(View::of(engine, scratch, turn)?.canonical(engine.symbols()))
}

/// The legal moves of all roles, as the engine orders them. Roles are asked in turn from one on.
fn legal<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    first: usize,
) -> Result<Vec<Vec<MoveId>>, WorkLimit> {
    let count = engine.roles().count();
    let mut legal = vec![Vec::new(); count];
    for place in (0..count).map(|place| (first + place) % count) {
        engine.legal(scratch, RoleId(place as u16), &mut legal[place])?;
    }
    Ok(legal)
}

/// The legal moves of all roles, in the order of their strings.
pub fn sorted_moves<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
) -> Result<Vec<Vec<MoveId>>, WorkLimit> {
    let mut legal = legal(engine, scratch, 0)?;
    for moves in &mut legal {
        moves.sort_by_cached_key(|&id| engine.move_term(id).1.canonical(engine.symbols()));
    }
    Ok(legal)
}

/// An engine on its way through a game.
struct Walk<'a, E: Engine> {
    engine: &'a E,
    scratch: E::Scratch,
    /// Another scratch, which has been elsewhere.
    other: E::Scratch,
    /// A state that other ones are saved into.
    state: E::State,
    /// The states so far.
    met: Vec<E::State>,
}

impl<'a, E: Engine> Walk<'a, E> {
    fn new(engine: &'a E) -> Self {
        Walk {
            engine,
            scratch: engine.scratch(),
            other: engine.scratch(),
            state: engine.initial().clone(),
            met: vec![engine.initial().clone()],
        }
    }

    fn enter(&mut self, place: usize) {
        self.engine.enter(&mut self.scratch, &self.met[place]);
    }

    fn remember(&mut self) {
        self.met.push(self.engine.state(&self.scratch));
    }

    /// Whether each state that was met equals the last one.
    fn equals_last(&self) -> Vec<bool> {
        self.met.iter().map(|state| Some(state) == self.met.last()).collect()
    }

    /// The properties that every engine promises of every state of every game. The view is that of the
    /// state at hand.
    fn keeps_promises(&mut self, view: &View<String>, turn: usize) -> Result<(), Failure> {
        let Walk { engine, scratch, other, state, .. } = self;
        let wrong = |what: &str| Err(Failure::Wrong(format!("{what}: {view:#?}")));
        let here = engine.state(scratch);
        engine.save(scratch, state);
        if *state != here {
            return wrong("a state saved into another one differs");
        }
        // The order of moves depends on the state alone.
        let moves = legal(*engine, scratch, turn).map_err(Failure::Limit)?;
        if legal(*engine, scratch, turn + 1).map_err(Failure::Limit)? != moves {
            return wrong("the order of moves depends on who is asked first");
        }
        engine.enter(other, &here);
        if legal(*engine, other, turn).map_err(Failure::Limit)? != moves {
            return wrong("the order of moves depends on the scratch");
        }
        for (role, moves) in engine.roles().iter().zip(&moves) {
            for &id in moves {
                let (whose, term) = engine.move_term(id);
                if whose != role || engine.move_id(role, &term) != Some(id) {
                    return wrong("a move has another role or number than its own");
                }
                if engine.moves().is_some_and(|count| id.index() >= count) {
                    return wrong("a move has a number that is too large");
                }
            }
        }
        let mut facts = engine.facts(&here);
        facts.reverse();
        if let Err(error) = engine.enter_facts(other, &facts) {
            return wrong(&format!("its own facts are no state: {error}"));
        }
        if engine.state(other) != here {
            return wrong("its own facts are another state");
        }
        if self::view(*engine, other, turn as u64 + 1).map_err(Failure::Limit)? != *view {
            return wrong("after entering the facts the answers are different");
        }
        if legal(*engine, other, turn).map_err(Failure::Limit)? != moves {
            return wrong("the order of moves depends on how a state was entered");
        }
        if view.terminal {
            if moves.iter().any(|moves| !moves.is_empty()) {
                return wrong("a terminal state has legal moves");
            }
            let joint = vec![MoveId(0); engine.roles().count()];
            if engine.step(scratch, &joint) != Err(StepError::Terminal)
                || engine.state(scratch) != here
            {
                return wrong("a terminal state is left");
            }
        }
        let nobody = RoleId(engine.roles().count() as u16);
        let mut none = vec![MoveId(0)];
        engine.legal(scratch, nobody, &mut none).map_err(Failure::Limit)?;
        if !none.is_empty() || engine.goal(scratch, nobody) != Err(GoalError::Missing) {
            return wrong("a role that is not there has moves or a goal");
        }
        // The other scratch is left in some other state, with something asked.
        let elsewhere = turn % self.met.len();
        engine.enter(other, &self.met[elsewhere]);
        engine.terminal(other).map_err(Failure::Limit)?;
        Ok(())
    }
}

/// Plays at random on both engines, and compares every state. Now and then, and where it is
/// over, the play goes on from a state that was met before.
///
/// # Errors
///
/// When the engines do not agree, one breaks a promise, or a state is too much for the first.
pub fn compare<A: Engine, B: Engine>(a: &A, b: &B, seed: u64) -> Result<(), Failure> {
    let (mut a, mut b) = (Walk::new(a), Walk::new(b));
    let mut random = Choices(seed);
    let second = |limit: WorkLimit| Failure::Wrong(format!("only the second: {limit}"));
    for step in 0..STEPS {
        let turn = random.below(3);
        let left = view(a.engine, &mut a.scratch, turn as u64).map_err(Failure::Limit)?;
        let right = view(b.engine, &mut b.scratch, turn as u64).map_err(second)?;
        if left != right {
            return Err(Failure::Wrong(format!("step {step}: {left:#?}\nis not {right:#?}")));
        }
        a.keeps_promises(&left, turn)?;
        b.keeps_promises(&right, turn).map_err(|failure| match failure {
            Failure::Limit(limit) => second(limit),
            wrong => wrong,
        })?;
        if left.terminal {
            let place = random.below(a.met.len());
            a.enter(place);
            b.enter(place);
            continue;
        }
        if left.legal.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let choice: Vec<usize> = left.legal.iter().map(|moves| random.below(moves.len())).collect();
        let joint = |legal: Vec<Vec<MoveId>>| -> Vec<MoveId> {
            choice.iter().zip(legal).map(|(&at, moves)| moves[at]).collect()
        };
        let moves = joint(sorted_moves(a.engine, &mut a.scratch).map_err(Failure::Limit)?);
        let seen = percepts(a.engine, &mut a.scratch, &moves).map_err(|failure| match failure {
            StepError::Limit(limit) => Failure::Limit(limit),
            error => Failure::Wrong(format!("step {step}, percepts of the first: {error}")),
        })?;
        match a.engine.step(&mut a.scratch, &moves) {
            Ok(()) => {}
            Err(StepError::Limit(limit)) => return Err(Failure::Limit(limit)),
            Err(error) => return Err(Failure::Wrong(format!("step {step}, first: {error}"))),
        }
        let moves = joint(sorted_moves(b.engine, &mut b.scratch).map_err(second)?);
        let others = percepts(b.engine, &mut b.scratch, &moves)
            .map_err(|error| format!("step {step}, percepts of the second: {error}"))?;
        if seen != others {
            return Err(Failure::Wrong(format!("step {step}: seen {seen:#?}\nis not {others:#?}")));
        }
        b.engine
            .step(&mut b.scratch, &moves)
            .map_err(|error| format!("step {step}, second: {error}"))?;
        a.remember();
        b.remember();
        if a.equals_last() != b.equals_last() {
            return Err(Failure::Wrong(format!("step {step}: equal states on one engine only")));
        }
        if random.below(4) == 0 {
            let place = random.below(a.met.len());
            a.enter(place);
            b.enter(place);
        }
    }
    Ok(())
}

/// The percepts of each role after a joint move, in canonical strings; whether the game has
/// percepts at all.
fn percepts<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    joint: &[MoveId],
) -> Result<(bool, Vec<Vec<String>>), StepError> {
    let mut seen = Vec::new();
    for terms in engine.percepts(scratch, joint)? {
        assert!(terms.is_sorted_by(|a, b| a < b), "percepts are sorted, each once");
        let mut text: Vec<String> =
            terms.iter().map(|term| term.canonical(engine.symbols())).collect();
        text.sort_unstable();
        seen.push(text);
    }
    Ok((engine.has_percepts(), seen))
}

/// Random numbers that need not be good.
pub struct Choices(pub u64);

impl Choices {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

/// The engine `tree` without the optimisations whose bits are set.
pub fn tree(game: Game, without: u64) -> Result<Tree, String> {
    let on = |bit: u32| without >> bit & 1 == 0;
    let options = TreeOptions {
        filters: on(0),
        hashing: on(1),
        filter_removal: on(2),
        redundant_removal: on(3),
        ..TreeOptions::default()
    };
    Tree::new(game, &options).map_err(|error| format!("{options:?}: {error}"))
}
