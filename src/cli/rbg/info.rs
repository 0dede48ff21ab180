//! `gdlr rbg info`: how large a game is.

use super::FileArgument;
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::status::{Outcome, Status};
use clap::Args;
use gdlr::rbg;
use serde_json::json;

/// Say how large a game is
#[derive(Debug, Args)]
#[command(after_help = "\
Actions, modifiers and patterns are those of the low-level text, in which
powers are written out and each pattern counts once.

Examples:
  gdlr rbg info mygame.rbg
  gdlr rbg info --json mygame.rbg")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, game) = arguments.file.game()?;
    let (size, description) =
        interrupt::at_once(|| Ok((rbg::Size::of(&game)?, rbg::translate(&game)?)))
            .map_err(|errors: Vec<_>| source.refuse(&errors))?;
    let straightness = size.straightness.map_or("no bound".to_owned(), |most| most.to_string());
    let rows = [
        ("players", game.players().len().to_string()),
        ("variables", (game.variables.len() - game.players).to_string()),
        ("pieces", game.pieces.len().to_string()),
        ("squares", game.board.squares.len().to_string()),
        ("directions", game.board.labels.len().to_string()),
        ("actions", size.actions.to_string()),
        ("modifiers", size.modifiers.to_string()),
        ("patterns", size.patterns.to_string()),
        ("straightness by the rules alone", straightness),
        ("edges of the automaton", description.edges.len().to_string()),
    ];
    if arguments.json {
        output::print_json(&json!({
            "game": source.name,
            "players": game.players().len(),
            "variables": game.variables.len() - game.players,
            "pieces": game.pieces.len(),
            "squares": game.board.squares.len(),
            "directions": game.board.labels.len(),
            "actions": size.actions,
            "modifiers": size.modifiers,
            "patterns": size.patterns,
            "straightness": size.straightness,
            "edges": description.edges.len(),
        }))?;
        return Ok(Status::Done);
    }
    for (what, value) in rows {
        output::print(&format!("{what:<32} {value}\n"))?;
    }
    Ok(Status::Done)
}
