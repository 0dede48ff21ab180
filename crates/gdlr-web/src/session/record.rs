//! Matches as records, as `gdlr match --record` writes them and `gdlr verify` replays them.

use super::seat::{Seat, Who};
use super::table::Table;
use super::timeline::Timeline;
use crate::refusal::Refusal;
use gdlr_engine::engine::{AnyEngine, Engine, RoleId, WorkLimit};
use gdlr_engine::play::trace::{
    Legals, Outcome, Playout, StateDigest, Step, Trace, sorted_strings,
};
use gdlr_players::ggp::record::{Ending, Participant, Record};
use gdlr_rules::gdl::{Game, Term};
use gdlr_text::diagnostic::counted;
use gdlr_text::kif;
use serde_json::Value;
use std::time::Duration;

/// A match as a record.
pub fn write(id: &str, game: &Game, text: &str, table: &mut Table) -> Result<Value, Refusal> {
    let record = record(id, game, table).map_err(|limit| Refusal::budget(limit.to_string()))?;
    Record::to_json(&[record], text.as_bytes()).ok_or_else(Refusal::internal)
}

fn record(id: &str, game: &Game, table: &mut Table) -> Result<Record, WorkLimit> {
    let engine = table.timeline.engine().clone();
    let (roles, symbols) = (engine.roles(), engine.symbols());
    let names: Vec<String> = roles.names().iter().map(|name| name.to_lowercase()).collect();
    let name = |seat: &Seat| match &seat.who {
        Who::Chance => "random".to_owned(),
        who => who.name().to_owned(),
    };
    let participant = |name| Participant { name, errors: 0, given_up: None };
    let players = table.seats.iter().map(name).map(participant).collect();
    let timeline = &mut table.timeline;
    let last = timeline.last();
    let (mut states, mut steps) = (Vec::new(), Vec::new());
    for step in 0..=last {
        let facts = timeline.facts(step).cloned().unwrap_or_default();
        let facts = sorted_strings(facts.iter(), symbols);
        let joint = timeline.joints().get(step);
        let joint = joint.map(|joint| joint.iter().map(|term| term.canonical(symbols)).collect());
        let then = if joint.is_some() { timeline.at(step)? } else { None };
        if let Some(then) = then {
            let legal = |moves: &Vec<Term>| {
                Legals::of(moves.iter().map(|term| term.canonical(symbols)).collect())
            };
            let legals = names.iter().cloned().zip(then.legal.iter().map(legal)).collect();
            let StateDigest { state_hash, state_size } = StateDigest::of(&facts);
            steps.push(Step { state_hash, state_size, terminal: false, legals, joint });
        }
        states.push(facts);
    }
    let now = timeline.now().clone();
    let digest = states.last().map(|facts| StateDigest::of(facts));
    let goal_of = |goal: &Option<u8>| goal.map(i64::from);
    let goals = names.iter().cloned().zip(now.goals.iter().map(goal_of)).collect();
    let set = |goal: &Option<u8>| goal.iter().map(ToString::to_string).collect();
    let sets = names.iter().cloned().zip(now.goals.iter().map(set)).collect();
    let improper = now.goals.contains(&None);
    Ok(Record {
        id: id.to_owned(),
        game: game.name.clone(),
        gdl2: roles.random().is_some() || game.has_percepts(),
        case_variants: game.symbols.case_variants(),
        players,
        start_clock: Duration::ZERO,
        play_clock: table.think,
        began: table.began,
        lasted: table.began.elapsed().unwrap_or_default(),
        playout: Playout {
            seed: table.seed,
            outcome: if now.terminal { Outcome::Terminal } else { Outcome::Cap },
            terminal: now.terminal,
            length: last,
            steps,
            last: digest,
            goals: now.terminal.then_some(goals),
            goal_sets: (now.terminal && improper).then_some(sets),
            stuck_role: None,
        },
        ending: if now.terminal { Ending::Terminal } else { Ending::Interrupted },
        goals: now.goals.clone(),
        answers: vec![vec![None; names.len()]; last],
        faults: Vec::new(),
        roles: names,
        states,
    })
}

/// The joint moves of a play of a record.
pub fn read(record: &str, playout: usize) -> Result<Vec<Vec<String>>, Refusal> {
    let trace = Trace::from_json(record);
    let trace = trace.map_err(|error| Refusal::record(error.to_string()))?;
    let Some(play) = trace.playouts.get(playout) else {
        let count = trace.playouts.len();
        return Err(Refusal::record(format!(
            "the record has {}, counted from 0",
            counted(count, "play")
        )));
    };
    Ok(play.steps.iter().filter_map(|step| step.joint.clone()).collect())
}

/// Plays the joint moves of a record of the same game.
pub fn replay(timeline: &mut Timeline, joints: &[Vec<String>]) -> Result<(), Refusal> {
    let engine = timeline.engine().clone();
    for (step, joint) in joints.iter().enumerate() {
        let wrong = |why: &str| {
            let message = format!("step {}: {why}", step + 1);
            Refusal::record(message).with_help("is it a record of this game?")
        };
        let count = engine.roles().count();
        if joint.len() != count {
            return Err(wrong(&format!(
                "it has {}, the game {}",
                counted(joint.len(), "move"),
                counted(count, "role")
            )));
        }
        let mut terms = Vec::new();
        for (role, text) in engine.roles().iter().zip(joint) {
            let legal = &timeline.now().legal[role.index()];
            let term = term(&engine, text).filter(|term| legal.contains(term));
            terms.push(term.ok_or_else(|| wrong(&not_legal(&engine, role, text)))?);
        }
        timeline.step(terms).map_err(|error| wrong(&error.to_string()))?;
    }
    Ok(())
}

fn term(engine: &AnyEngine, text: &str) -> Option<Term> {
    let document = kif::read(text).ok()?;
    Term::from_expr(document.items.first()?, engine.symbols())
}

fn not_legal(engine: &AnyEngine, role: RoleId, text: &str) -> String {
    format!("`{text}` is not legal for {}", engine.roles().name(role))
}
