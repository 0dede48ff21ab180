//! Random play to learn from.

use gdlr_engine::engine::{AnyEngine, AnyScratch, Engine, MoveId, RoleId, choose, seeded};
use gdlr_rules::gdl::{Symbol, Term};
use hashbrown::HashMap;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// How much is played: whichever ends first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub playouts: usize,
    /// In each playout.
    pub steps: usize,
    /// In all states together.
    pub facts: usize,
    pub time: Duration,
}

/// A playout, as far as it went.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    pub states: Vec<Vec<Term>>,
    /// Between each state and the next.
    pub joints: Vec<Vec<Term>>,
}

/// The function of a move and how many arguments it has.
type Form = (Symbol, usize);

/// The moves of an engine, by their forms.
struct Moves<'e> {
    engine: &'e AnyEngine,
    known: HashMap<MoveId, (Term, Form)>,
    /// How often each form was played.
    played: HashMap<Form, usize>,
    rng: Xoshiro256PlusPlus,
}

impl Moves<'_> {
    fn form(&mut self, id: MoveId) -> Form {
        let engine = self.engine;
        let new_entry = || {
            let term = engine.move_term(id).1;
            let form = match &term {
                Term::Function(name, args) => (*name, args.len()),
                Term::Constant(name) => (*name, 0),
                Term::Variable(_) => unreachable!("moves are ground"),
            };
            (term, form)
        };
        self.known.entry(id).or_insert_with(new_entry).1
    }

    /// One of these: every other time any, else one of the forms that were played least often.
    fn choose(&mut self, legal: &[MoveId]) -> Option<MoveId> {
        if self.rng.random_bool(0.5) {
            return choose(legal, &mut self.rng);
        }
        let forms: Vec<Form> = legal.iter().map(|&id| self.form(id)).collect();
        let times = |form: &Form| self.played.get(form).copied().unwrap_or(0);
        let least = forms.iter().map(times).min()?;
        let rare = legal.iter().zip(&forms).filter(|(_, form)| times(form) == least);
        let rare: Vec<MoveId> = rare.map(|(&id, _)| id).collect();
        choose(&rare, &mut self.rng)
    }

    /// A joint move of the state; `None` where there is none, or it is too much work to say.
    fn draw(&mut self, scratch: &mut AnyScratch) -> Option<Vec<MoveId>> {
        let engine = self.engine;
        let mut legal = Vec::new();
        let mut draw = |role: RoleId| {
            engine.legal(scratch, role, &mut legal).ok()?;
            let id = self.choose(&legal)?;
            let form = self.form(id);
            *self.played.entry(form).or_default() += 1;
            Some(id)
        };
        engine.roles().iter().map(&mut draw).collect()
    }
}

/// Plays at random, the moves of rare forms more often than others. `halted` is asked before every
/// step whether to break off.
pub(super) fn walk(
    engine: &AnyEngine,
    limits: Limits,
    seed: u64,
    halted: &mut dyn FnMut() -> bool,
) -> Vec<Walk> {
    let (known, played) = Default::default();
    let mut moves = Moves { engine, known, played, rng: seeded(seed, 1) };
    let mut scratch = engine.scratch();
    let start = Instant::now();
    let mut facts = 0;
    let mut walks = Vec::new();
    let mut is_over = false;
    while walks.len() < limits.playouts && !is_over {
        let mut walk = Walk::default();
        engine.enter(&mut scratch, engine.initial());
        loop {
            let state = engine.facts(&engine.state(&scratch));
            facts += state.len() + 1;
            walk.states.push(state);
            is_over = facts > limits.facts || start.elapsed() > limits.time || halted();
            if is_over || walk.joints.len() == limits.steps {
                break;
            }
            let goes_on = matches!(engine.terminal(&mut scratch), Ok(false));
            let joint = if goes_on { moves.draw(&mut scratch) } else { None };
            let Some(joint) = joint.filter(|joint| engine.step(&mut scratch, joint).is_ok()) else {
                break;
            };
            walk.joints.push(joint.iter().map(|id| moves.known[id].0.clone()).collect());
        }
        walks.push(walk);
    }
    walks
}
