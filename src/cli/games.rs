//! `gdlr games`: what comes with the program.

use super::output;
use super::status::{Outcome, Status};
use clap::Args;
use gdlr::bundled::GAMES;
use serde_json::{Value, json};

/// List the bundled games
#[derive(Debug, Args)]
#[command(after_help = "`gdlr fmt NAME` prints the rulesheet of a game.")]
pub struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if arguments.json {
        let games: Vec<Value> =
            GAMES.iter().map(|game| json!({ "game": game.name, "title": game.title() })).collect();
        output::print_json(&json!({ "games": games }))?;
    } else {
        let rows = GAMES.iter().map(|game| vec![game.name.into(), game.title().into()]).collect();
        output::print(&output::table_text(&output::table(&[], &[1], rows)))?;
    }
    Ok(Status::Done)
}
