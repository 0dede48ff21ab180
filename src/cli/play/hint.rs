//! A hint: what a search expects of every move.

use super::game_position::GamePosition;
use crate::cli::output::{self, duration, grouped};
use gdlr::engine::{AnyEngine, Engine, MoveId};
use gdlr::play::report::{Estimate, Report};

/// The most moves that are told, so that the best stay on the screen.
const MOVES: usize = 12;

/// The most joint moves of a main line that are told.
const LINE: usize = 8;

/// A report in words: the moves, best first, with the numbers under which they are listed, and
/// the main line from there on.
pub fn text(
    engine: &AnyEngine,
    place: &GamePosition,
    listed: &[MoveId],
    report: &Report,
) -> String {
    let spelled = |id: MoveId| engine.move_term(id).1.spelled(engine.symbols());
    let row = |estimate: &Estimate| {
        let number = listed.iter().position(|&id| id == estimate.id)?;
        Some(vec![
            format!("{:>3} {}", number + 1, spelled(estimate.id)),
            estimate.value().map_or("-".to_owned(), |goal| format!("{goal:.1}")),
            grouped(estimate.visits.into()),
            if estimate.certain.is_some() { "certain" } else { "" }.to_owned(),
        ])
    };
    let mut rows: Vec<Vec<String>> = report.estimates.iter().filter_map(row).collect();
    let others = rows.len().saturating_sub(MOVES);
    rows.truncate(MOVES);
    let table = output::table(&["    move", "goal", "tried", ""], &[3], rows);
    let mut text = format!("\n{}", output::table_text(&table));
    if others > 0 {
        text += &format!("    and {} that promise less\n", output::counted(others, "move"));
    }
    text += "\nbest first, by what the search is surest of; each try is played out several times\n";
    let line = main_line(engine, place, &report.main_line);
    if !line.is_empty() {
        text += &format!("\nexpected play\n{line}");
    }
    let effort = &report.effort;
    // Of a state that is known to its end nothing has to be looked at.
    if effort.playouts > 0 {
        text += &format!(
            "\n{}, {} deep, in {}\n",
            output::counted(effort.playouts as usize, "playout"),
            output::counted(effort.depth, "step"),
            duration(effort.time),
        );
    }
    text
}

/// The joint moves that are expected, each without the moves of roles that have no choice.
fn main_line(engine: &AnyEngine, place: &GamePosition, line: &[Vec<MoveId>]) -> String {
    let mut scratch = engine.scratch();
    engine.enter(&mut scratch, &place.state);
    let mut text = String::new();
    let mut legal = Vec::new();
    for (joint, step) in line.iter().take(LINE).zip(place.step + 1..) {
        let mut told = Vec::new();
        for (role, &id) in engine.roles().iter().zip(joint) {
            let is_answered = engine.legal(&mut scratch, role, &mut legal).is_ok();
            told.push((is_answered && legal.len() == 1, engine.roles().name(role), id));
        }
        if told.iter().any(|(forced, ..)| !forced) {
            told.retain(|(forced, ..)| !forced);
        }
        text += &format!("{step:>3}.");
        for (_, role, id) in told {
            text += &format!("  {role}: {}", engine.move_term(id).1.spelled(engine.symbols()));
        }
        text += "\n";
        if engine.step(&mut scratch, joint).is_err() {
            break;
        }
    }
    text
}
