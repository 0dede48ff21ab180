//! The estimates of a player, as JSON.

use super::task::Thought;
use crate::loaded::Loaded;
use gdlr_engine::engine::{Engine, MoveId};
use serde_json::{Value, json};

/// The most moves with an estimate.
const ESTIMATES: usize = 60;

/// Whose thought it is, and of which state.
pub struct ThoughtOf {
    pub role: String,
    pub step: usize,
    pub is_hint: bool,
}

/// The estimates of a player.
pub fn to_json(loaded: &Loaded, of: &ThoughtOf, thought: &Thought<'_>) -> Value {
    let Thought { engine, report, playouts, time, is_last } = *thought;
    let term = |id: MoveId| engine.move_term(id).1;
    let estimates = report.estimates.iter().take(ESTIMATES).map(|estimate| {
        let chosen = term(estimate.id);
        json!({
            "move": loaded.spelled(&chosen),
            "id": loaded.move_id(&chosen),
            "visits": estimate.visits,
            "mean": estimate.value(),
            "certain": estimate.certain.is_some(),
        })
    });
    let joint = |joint: &Vec<MoveId>| -> Value {
        joint.iter().map(|&id| loaded.spelled(&term(id))).collect()
    };
    // A line of play would be that of one state of many.
    let hides = loaded.game.has_percepts();
    let main_line: Vec<Value> = match hides {
        true => Vec::new(),
        false => report.main_line.iter().map(joint).collect(),
    };
    let seconds = time.as_secs_f64();
    json!({
        "step": of.step,
        "role": of.role,
        "hint": of.is_hint,
        "estimates": estimates.collect::<Vec<_>>(),
        "main_line": main_line,
        "playouts": playouts,
        "playouts_per_second": if seconds > 0.0 { playouts as f64 / seconds } else { 0.0 },
        "seconds": seconds,
        "done": is_last,
    })
}
