//! `gdlr rbg info`: how large a game is, and what random plays are like.

use super::FileArgument;
use crate::cli::interrupt;
use crate::cli::output::{self, grouped, rounded};
use crate::cli::rg::run::search;
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::time::seconds;
use clap::Args;
use gdlr::rbg::simulate::{Budget, Simulation, Spread, simulate};
use gdlr::rbg::{self, Game, Size};
use gdlr::rg::{Automaton, Description};
use serde_json::{Value, json};
use std::time::Duration;

/// Say how large a game is, and what random plays are like
#[derive(Debug, Args)]
#[command(after_help = "\
Actions, modifiers and patterns are counted in the low-level text, in which
powers are written out. Each pattern counts once. A modifier is an action that
changes the state. The straightness is the largest number of modifiers of a
move, by the rules alone. The strong straightness also counts the modifiers
within patterns. `no bound` means that a star repeats a modifier.

Examples:
  gdlr rbg info mygame.rbg
  gdlr rbg info --plays 1000 --seed 7 mygame.rbg
  gdlr rbg info --json mygame.rbg")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Play at random for so long [default: 1, without --plays]
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    time: Option<Duration>,
    /// Play so many random plays, 0 for none
    #[arg(long, value_name = "N")]
    plays: Option<u64>,
    /// Cut a play after so many moves
    #[arg(long, value_name = "N", default_value_t = Budget::default().length)]
    max_moves: u64,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, game) = arguments.file.game()?;
    let (size, description) = interrupt::at_once(|| Ok((Size::of(&game)?, rbg::translate(&game)?)))
        .map_err(|errors: Vec<_>| source.refuse(&errors))?;
    let seen = play(arguments, &description)
        .map_err(|problem| Failure::Unusable(format!("`{}`: {problem}", source.file)))?;
    if arguments.json {
        let mut value = sizes_json(&game, &size, &description);
        value["game"] = json!(source.name);
        value["simulation"] = simulation_json(&game, &seen);
        output::print_json(&value)?;
        return Ok(Status::Done);
    }
    let rows = sizes(&game, &size, &description).into_iter().chain(simulation(&game, &seen));
    for (what, value) in rows {
        output::print(&format!("{what:<32} {value}\n"))?;
    }
    Ok(Status::Done)
}

/// Plays at random.
fn play(arguments: &Arguments, description: &Description) -> Result<Simulation, String> {
    let Arguments { time, plays, max_moves: length, seed, .. } = *arguments;
    let time = match (time, plays) {
        (None, None) => Budget::default().time,
        _ => time,
    };
    let automaton = interrupt::at_once(|| Automaton::new(description))
        .map_err(|errors| errors.first().map(ToString::to_string).unwrap_or_default())?;
    let budget = Budget { plays, time, length, seed };
    simulate(&automaton, &mut search(), &budget).map_err(|problem| problem.to_string())
}

fn sizes(game: &Game, size: &Size, description: &Description) -> Vec<(String, String)> {
    let bound = |most: Option<usize>| most.map_or("no bound".to_owned(), |most| most.to_string());
    [
        ("players", game.players().len().to_string()),
        ("variables", (game.variables.len() - game.players).to_string()),
        ("pieces", game.pieces.len().to_string()),
        ("squares", game.board.squares.len().to_string()),
        ("directions", game.board.labels.len().to_string()),
        ("actions", size.actions.to_string()),
        ("modifiers", size.modifiers.to_string()),
        ("patterns", size.patterns.to_string()),
        ("straightness by the rules alone", bound(size.straightness)),
        ("strong straightness", bound(size.strong_straightness)),
        ("edges of the automaton", description.edges.len().to_string()),
    ]
    .map(|(what, value)| (what.to_owned(), value))
    .into()
}

fn sizes_json(game: &Game, size: &Size, description: &Description) -> Value {
    json!({
        "players": game.players().len(),
        "variables": game.variables.len() - game.players,
        "pieces": game.pieces.len(),
        "squares": game.board.squares.len(),
        "directions": game.board.labels.len(),
        "actions": size.actions,
        "modifiers": size.modifiers,
        "patterns": size.patterns,
        "straightness": size.straightness,
        "strong_straightness": size.strong_straightness,
        "edges": description.edges.len(),
    })
}

fn simulation(game: &Game, seen: &Simulation) -> Vec<(String, String)> {
    let text = |spread: &Spread| match spread.mean() {
        Some(mean) => format!("{} ({} to {})", rounded(mean), spread.least, spread.most),
        None => "-".to_owned(),
    };
    let cut = if seen.cut > 0 { format!(", {} cut", grouped(seen.cut)) } else { String::new() };
    let mut rows = vec![
        ("random plays".to_owned(), format!("{}{cut}", grouped(seen.plays))),
        ("moves of a turn".to_owned(), text(&seen.branching)),
        ("moves of a play".to_owned(), text(&seen.length)),
    ];
    let scores = game.players().iter().zip(&seen.scores);
    rows.extend(scores.map(|(player, score)| (format!("score of {}", player.name), text(score))));
    rows
}

fn simulation_json(game: &Game, seen: &Simulation) -> Value {
    let spread =
        |spread: &Spread| json!({ "mean": spread.mean(), "min": spread.least, "max": spread.most });
    let score = |(player, score): (&rbg::Bounded, &Spread)| {
        let mut value = spread(score);
        value["player"] = json!(player.name);
        value
    };
    json!({
        "plays": seen.plays,
        "cut": seen.cut,
        "states": seen.branching.count,
        "branching": spread(&seen.branching),
        "length": spread(&seen.length),
        "scores": game.players().iter().zip(&seen.scores).map(score).collect::<Vec<Value>>(),
    })
}
