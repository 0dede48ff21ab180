//! Writing down what happens: states, joint moves, goals.

use super::conditions::Conditions;
use super::event::Event;
use super::running::Match;
use crate::ggp::contender::Contender;
use crate::ggp::record::{Ending, Participant, Record};
use gdlr_engine::engine::{AnyEngine, Engine, GoalError, MoveId, RoleId, WorkLimit};
use gdlr_engine::play::trace::{Legals, Outcome, Playout, StateDigest, Step, sorted_strings};
use gdlr_rules::gdl::{Game, Term};
use std::time::{Duration, SystemTime};

/// The record of a match that has not begun.
pub(super) fn opened(
    game: &Game,
    engine: &AnyEngine,
    contenders: &[Contender],
    conditions: &Conditions,
) -> Record {
    let roles = engine.roles();
    let name = |(role, contender): (RoleId, &Contender)| match roles.random() == Some(role) {
        true => "random".to_owned(),
        false => contender.name().to_owned(),
    };
    let participant = |name| Participant { name, errors: 0, given_up: None };
    Record {
        id: conditions.id.clone(),
        game: game.name.clone(),
        gdl2: roles.random().is_some() || engine.has_percepts(),
        case_variants: game.symbols.case_variants(),
        roles: roles.names().iter().map(|name| name.to_lowercase()).collect(),
        players: roles.iter().zip(contenders).map(name).map(participant).collect(),
        start_clock: conditions.start_clock,
        play_clock: conditions.play_clock,
        began: SystemTime::now(),
        lasted: Duration::ZERO,
        states: Vec::new(),
        playout: Playout {
            seed: conditions.seed,
            outcome: Outcome::Time,
            terminal: false,
            length: 0,
            steps: Vec::new(),
            last: None,
            goals: None,
            goal_sets: None,
            stuck_role: None,
        },
        ending: Ending::Interrupted,
        goals: vec![None; roles.count()],
        answers: Vec::new(),
        faults: Vec::new(),
    }
}

impl Match<'_> {
    /// Writes down the facts of the state at hand.
    pub(super) fn note_state(&mut self) {
        let facts = self.facts();
        self.note_facts(&facts);
    }

    fn note_facts(&mut self, facts: &[Term]) {
        self.record.states.push(sorted_strings(facts, self.engine.symbols()));
    }

    /// The facts of the state at hand.
    fn facts(&self) -> Vec<Term> {
        self.engine.facts(&self.engine.state(&self.scratch))
    }

    /// Writes down the joint move that led to the state at hand, and the state.
    pub(super) fn note_step(&mut self, legal: &[Vec<MoveId>]) {
        let symbols = self.engine.symbols();
        let joint: Vec<String> = self.last.iter().map(|term| term.canonical(symbols)).collect();
        let (number, facts) = (self.steps(), self.facts());
        (self.tell)(&Event::Played(number, &joint, &facts));
        let step = self.step_of(legal, Some(joint));
        self.record.playout.steps.push(step);
        self.record.playout.length += 1;
        self.note_facts(&facts);
    }

    /// The last state that was written down, as a step of a trace.
    pub(super) fn step_of(&self, legal: &[Vec<MoveId>], joint: Option<Vec<String>>) -> Step {
        let name = |id: &MoveId| self.engine.move_term(*id).1.canonical(self.engine.symbols());
        let legals = self
            .record
            .roles
            .iter()
            .zip(legal)
            .map(|(role, moves)| (role.clone(), Legals::of(moves.iter().map(name).collect())));
        let StateDigest { state_hash, state_size } = self.digest();
        Step { state_hash, state_size, terminal: false, legals: legals.collect(), joint }
    }

    /// The last state that was written down, in short.
    pub(super) fn digest(&self) -> StateDigest {
        let facts = self.record.states.last().map_or(&[][..], Vec::as_slice);
        StateDigest::of(facts)
    }

    /// Writes the goals down.
    pub(super) fn goals(&mut self) -> Result<(), WorkLimit> {
        let symbols = self.engine.symbols();
        let mut sets: Vec<Vec<String>> = Vec::new();
        for role in self.engine.roles().iter() {
            sets.push(match self.engine.goal(&mut self.scratch, role) {
                Ok(value) => {
                    self.record.goals[role.index()] = Some(value);
                    vec![value.to_string()]
                }
                Err(GoalError::Missing) => Vec::new(),
                Err(GoalError::Improper(values)) => sorted_strings(&values, symbols),
                Err(GoalError::Limit(limit)) => return Err(limit),
            });
        }
        let only = |set: &Vec<String>| match &set[..] {
            [only] => only.parse::<i64>().ok(),
            _ => None,
        };
        let (roles, playout) = (&self.record.roles, &mut self.record.playout);
        playout.goals = Some(roles.iter().cloned().zip(sets.iter().map(only)).collect());
        if sets.iter().any(|set| only(set).is_none()) {
            playout.goal_sets = Some(roles.iter().cloned().zip(sets).collect());
        }
        Ok(())
    }
}
