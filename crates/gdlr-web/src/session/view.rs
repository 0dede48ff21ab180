//! A state, and how a match stands, as JSON.

use super::table::Table;
use super::timeline::Situation;
use super::{Session, no_state, too_much};
use crate::refusal::Refusal;
use gdlr_engine::engine::{Engine, RoleId, Roles};
use gdlr_engine::play::sampler::Observation;
use gdlr_players::search::PlayerKind;
use gdlr_rules::gdl::Term;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::sync::{Arc, PoisonError};

/// A state as it is told. It has thousands of moves in some games: they go into the text at once,
/// without a [`Value`] of each.
#[derive(Debug, Serialize)]
pub struct StateView {
    step: usize,
    last: usize,
    #[serde(rename = "as")]
    viewer: Option<String>,
    terminal: bool,
    goals: Option<Map<String, Value>>,
    joint: Option<Value>,
    facts: Value,
    beside: Value,
    targets: Vec<Value>,
    /// By role.
    #[serde(serialize_with = "as_object")]
    legal: Vec<(String, Vec<LegalMove>)>,
    seen: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Value>,
}

/// A legal move, with the places in `targets` of the squares that it names.
#[derive(Debug, Serialize)]
struct LegalMove {
    id: String,
    #[serde(rename = "move")]
    text: String,
    squares: Vec<usize>,
}

fn as_object<S: Serializer>(
    pairs: &[(String, Vec<LegalMove>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, moves)| (name, moves)))
}

/// Goal values by role.
fn by_role<T>(roles: &Roles, values: impl IntoIterator<Item = T>) -> Map<String, Value>
where
    Value: From<T>,
{
    roles.names().iter().cloned().zip(values.into_iter().map(Value::from)).collect()
}

impl Session {
    /// How the match stands.
    pub fn status(&self) -> Value {
        self.status_of(&self.table())
    }

    pub(super) fn status_of(&self, table: &Table) -> Value {
        let Table { timeline, seats, .. } = table;
        let (roles, now) = (timeline.engine().roles(), timeline.now());
        let name = |role: RoleId| roles.name(role);
        let seat = |(name, who): (&String, &str)| json!({ "name": name, "player": who });
        let spelled = |joint: &Vec<Term>| self.spelled(joint);
        let moves = timeline.joints().iter().map(spelled).collect::<Vec<Value>>();
        json!({
            "id": self.id,
            "game": self.loaded.id,
            "name": self.loaded.game.name,
            "chance": roles.random().map(name),
            "hidden": self.loaded.game.has_percepts(),
            "omniscient": self.omniscient,
            "roles": roles.names().iter().zip(seats.iter().map(|seat| seat.who.name())).map(seat)
                .collect::<Vec<Value>>(),
            "nets": self.loaded.nets.iter().map(PlayerKind::name).collect::<Vec<_>>(),
            "think": table.think.as_secs_f64(),
            "paused": table.paused,
            "step": timeline.last(),
            "terminal": now.terminal,
            "goals": now.terminal.then(|| by_role(roles, now.goals.iter().copied())),
            "waiting": table.waiting().map(name).collect::<Vec<_>>(),
            "chosen": table.has_chosen().map(name).collect::<Vec<_>>(),
            "thinking": table.thinking.map(name),
            "stopped": table.stopped,
            "moves": (!self.hides(table.is_over())).then_some(moves),
        })
    }

    fn spelled(&self, terms: &[Term]) -> Value {
        terms.iter().map(|term| self.loaded.spelled(term)).collect()
    }

    /// A state, the present one if none is named, as a role sees it or as it is.
    pub fn state(
        &self,
        step: Option<usize>,
        viewer: Option<RoleId>,
        with_picture: bool,
    ) -> Result<StateView, Refusal> {
        let mut table = self.table();
        let last = table.timeline.last();
        let step = step.unwrap_or(last);
        let then = table.timeline.at(step).map_err(too_much)?;
        let then = then.ok_or_else(|| no_state(step, &table))?;
        let is_over = table.is_over();
        // Whose eyes make a difference.
        let eyes = viewer.filter(|_| self.loaded.game.has_percepts());
        if eyes.is_none() && self.hides(is_over) {
            return Err(Refusal::hidden());
        }
        let engine = table.timeline.engine().clone();
        let states: Vec<Arc<[Term]>> =
            (0..=step).filter_map(|step| table.timeline.facts(step).cloned()).collect();
        let joint = step.checked_sub(1).and_then(|before| table.timeline.joints().get(before));
        let joint = joint.map(|joint| self.spelled(joint));
        let observations: Vec<Observation> = match eyes {
            Some(role) => table.timeline.observations(role).into_iter().take(step).collect(),
            None => Vec::new(),
        };
        let seed = table.seed;
        drop(table);
        let facts_of = |step: usize| match eyes {
            None => states[step].clone(),
            Some(role) => {
                let eyes = self.eyes[role.index()].lock();
                let mut eyes = eyes.unwrap_or_else(PoisonError::into_inner);
                eyes.see(&engine, &observations[..step], |step| states[step].clone(), seed)
            }
        };
        let before = step.checked_sub(1).map(facts_of);
        let facts = facts_of(step);
        let seen = |(step, observation)| self.seen(step, observation);
        let roles = engine.roles();
        let view = self.loaded.pictures.show(&facts, before.as_deref(), &then.legal, with_picture);
        Ok(StateView {
            step,
            last,
            viewer: viewer.map(|role| roles.name(role).to_owned()),
            terminal: then.terminal,
            goals: then.terminal.then(|| by_role(roles, then.goals.iter().copied())),
            joint: joint.filter(|_| eyes.is_none()),
            facts: self.spelled(&facts),
            beside: self.spelled(&view.beside),
            targets: view.targets,
            legal: self.legal(roles, &then, view.squares, eyes),
            seen: eyes.map(|_| (1..).zip(&observations).map(seen).collect()),
            picture: view.picture,
        })
    }

    /// The legal moves, of all roles or of one, with the squares that they name.
    fn legal(
        &self,
        roles: &Roles,
        then: &Situation,
        squares: Vec<Vec<Vec<usize>>>,
        only: Option<RoleId>,
    ) -> Vec<(String, Vec<LegalMove>)> {
        let of = |((role, legal), squares): ((RoleId, &Vec<Term>), Vec<Vec<usize>>)| {
            let moves = legal.iter().zip(squares).map(|(term, squares)| LegalMove {
                id: self.loaded.move_id(term),
                text: self.loaded.spelled(term),
                squares,
            });
            (roles.name(role).to_owned(), moves.collect())
        };
        let by_role = roles.iter().zip(&then.legal).zip(squares);
        by_role.filter(|((role, _), _)| only.is_none_or(|only| only == *role)).map(of).collect()
    }

    /// The observation of a role in a step, counted from 1.
    fn seen(&self, step: usize, observation: &Observation) -> Value {
        match observation {
            Observation::Own { action, percepts } => json!({
                "step": step,
                "move": self.loaded.spelled(action),
                "percepts": self.spelled(percepts),
            }),
            Observation::Joint(joint) => json!({ "step": step, "moves": self.spelled(joint) }),
        }
    }
}
