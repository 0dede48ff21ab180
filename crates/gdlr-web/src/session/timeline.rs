//! The states of a match, from the first to the present one, and how play went from one to the
//! next.
//!
//! Facts and moves are kept as terms, so that they outlast the engine: play begins on the trees and
//! goes over to the net when it is ready.

use gdlr_engine::engine::{
    AnyEngine, AnyScratch, AnyState, Engine, EngineKind, GoalError, MoveId, RoleId, StepError,
    WorkLimit,
};
use gdlr_engine::play::sampler::Observation;
use gdlr_players::set_up::Handover;
use gdlr_rules::gdl::{Term, natural_order};
use std::fmt;
use std::sync::Arc;

/// A match as it was played.
pub struct Timeline {
    handover: Arc<Handover>,
    engine: AnyEngine,
    kind: EngineKind,
    /// At the present state.
    scratch: AnyScratch,
    /// For other states.
    elsewhere: AnyScratch,
    /// The facts of every state, in natural order.
    states: Vec<Arc<[Term]>>,
    fact_count: usize,
    /// The joint moves between them.
    joints: Vec<Vec<Term>>,
    /// By step and role: the observation of the role.
    observations: Vec<Vec<Observation>>,
    now: Arc<Situation>,
}

/// The answers of the engine about a state.
#[derive(Clone, Debug)]
pub struct Situation {
    pub terminal: bool,
    /// By role: the legal moves, in natural order.
    pub legal: Vec<Vec<Term>>,
    /// By role: the goal value, where the state is terminal and the rules give a proper one.
    pub goals: Vec<Option<u8>>,
}

impl Situation {
    /// Who has no move though the game is not over.
    pub fn stuck(&self) -> Option<RoleId> {
        let place = self.legal.iter().position(Vec::is_empty).filter(|_| !self.terminal);
        place.map(|place| RoleId(place as u16))
    }

    /// Whether a role has more than one move.
    pub fn has_choice(&self, role: RoleId) -> bool {
        self.legal[role.index()].len() > 1
    }
}

impl Timeline {
    /// A match that has not begun.
    pub fn new(handover: Arc<Handover>) -> Result<Timeline, WorkLimit> {
        let (engine, kind) = handover.best();
        let mut scratch = engine.scratch();
        let now = Arc::new(look(&engine, &mut scratch)?);
        let first = facts(&engine, &engine.state(&scratch));
        Ok(Timeline {
            elsewhere: engine.scratch(),
            handover,
            engine,
            kind,
            scratch,
            fact_count: first.len(),
            states: vec![first],
            joints: Vec::new(),
            observations: Vec::new(),
            now,
        })
    }

    /// The engine that is played on at present.
    pub fn engine(&self) -> &AnyEngine {
        &self.engine
    }

    /// How many joint moves were played.
    pub fn last(&self) -> usize {
        self.joints.len()
    }

    /// How many facts all states have together.
    pub fn fact_count(&self) -> usize {
        self.fact_count
    }

    pub fn joints(&self) -> &[Vec<Term>] {
        &self.joints
    }

    /// By step: the observation of a role.
    pub fn observations(&self, role: RoleId) -> Vec<Observation> {
        self.observations.iter().map(|of_roles| of_roles[role.index()].clone()).collect()
    }

    /// The facts of a state.
    pub fn facts(&self, step: usize) -> Option<&Arc<[Term]>> {
        self.states.get(step)
    }

    /// The present state, on the engine that is played on.
    pub fn state(&self) -> AnyState {
        self.engine.state(&self.scratch)
    }

    pub fn now(&self) -> &Arc<Situation> {
        &self.now
    }

    /// The answers about a state of the match; `None` if there is no state of that number.
    pub fn at(&mut self, step: usize) -> Result<Option<Arc<Situation>>, WorkLimit> {
        if step == self.last() {
            return Ok(Some(self.now.clone()));
        }
        let Some(facts) = self.states.get(step) else { return Ok(None) };
        // Play came there, so every engine of the game has this state.
        if self.engine.enter_facts(&mut self.elsewhere, facts).is_err() {
            return Ok(None);
        }
        look(&self.engine, &mut self.elsewhere).map(|situation| Some(Arc::new(situation)))
    }

    /// Plays a joint move.
    pub fn step(&mut self, joint: Vec<Term>) -> Result<(), StepError> {
        self.take_better();
        let ids = self.engine.roles().iter().zip(&joint);
        let ids = ids.map(|(role, term)| self.engine.move_id(role, term)).enumerate();
        let ids = ids.map(|(place, id)| id.ok_or(StepError::Illegal(RoleId(place as u16))));
        let ids = ids.collect::<Result<Vec<MoveId>, _>>()?;
        let observations = Observation::of(&self.engine, &mut self.scratch, &ids)?;
        let before = self.state();
        self.engine.step(&mut self.scratch, &ids)?;
        match look(&self.engine, &mut self.scratch) {
            Ok(now) => self.now = Arc::new(now),
            Err(limit) => {
                self.engine.enter(&mut self.scratch, &before);
                return Err(StepError::Limit(limit));
            }
        }
        let facts = facts(&self.engine, &self.state());
        self.fact_count += facts.len();
        self.states.push(facts);
        self.joints.push(joint);
        self.observations.push(observations);
        Ok(())
    }

    /// Goes back to an earlier state; those behind it are forgotten. Whether there is one.
    pub fn back(&mut self, step: usize) -> Result<bool, WorkLimit> {
        let Some(now) = self.at(step)? else { return Ok(false) };
        let facts = &self.states[step];
        if self.engine.enter_facts(&mut self.scratch, facts).is_err() {
            return Ok(false);
        }
        self.now = now;
        let gone = self.states.drain(step + 1..);
        self.fact_count -= gone.map(|facts| facts.len()).sum::<usize>();
        self.joints.truncate(step);
        self.observations.truncate(step);
        Ok(true)
    }

    /// Goes over to the net, if it is ready.
    pub fn take_better(&mut self) {
        let (engine, kind) = self.handover.best();
        if kind == self.kind {
            return;
        }
        let mut scratch = engine.scratch();
        if engine.enter_facts(&mut scratch, &self.states[self.last()]).is_ok() {
            self.elsewhere = engine.scratch();
            (self.engine, self.kind, self.scratch) = (engine, kind, scratch);
        }
    }
}

/// The answers of the engine about the state of a scratch.
fn look(engine: &AnyEngine, scratch: &mut AnyScratch) -> Result<Situation, WorkLimit> {
    let roles = engine.roles();
    let terminal = engine.terminal(scratch)?;
    let (mut legal, mut goals) = (Vec::new(), Vec::new());
    let mut moves = Vec::new();
    for role in roles.iter() {
        engine.legal(scratch, role, &mut moves)?;
        let mut terms: Vec<Term> = moves.iter().map(|&id| engine.move_term(id).1).collect();
        terms.sort_by_cached_key(|term| natural_order(&term.canonical(engine.symbols())));
        legal.push(terms);
        goals.push(match engine.goal(scratch, role) {
            _ if !terminal => None,
            Ok(goal) => Some(goal),
            Err(GoalError::Limit(limit)) => return Err(limit),
            Err(GoalError::Missing | GoalError::Improper(_)) => None,
        });
    }
    Ok(Situation { terminal, legal, goals })
}

/// The facts of a state, in natural order.
fn facts(engine: &AnyEngine, state: &AnyState) -> Arc<[Term]> {
    let mut facts = engine.facts(state);
    facts.sort_by_cached_key(|fact| natural_order(&fact.canonical(engine.symbols())));
    facts.into()
}

impl fmt::Debug for Timeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timeline").field("joints", &self.joints).finish_non_exhaustive()
    }
}
