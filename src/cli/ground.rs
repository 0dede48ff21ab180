//! `gdlr ground`: the ground rules of a game.

use super::engine::{GroundArguments, refuse};
use super::output;
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Failure, Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::budget::Meter;
use gdlr::ground::{Ground, GroundError};
use std::path::PathBuf;

/// Write the ground rules of a game, as a rulesheet
#[derive(Debug, Args)]
#[command(after_help = "\
Ground rules have no variables. The written rulesheet is the same game.

Examples:
  gdlr ground tictactoe
  gdlr ground mygame.kif -o ground.kif")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    ground: GroundArguments,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let ground = ground(&rulesheet, &arguments.ground.budget().start())?;
    let text = ground.to_kif().to_string();
    output::deliver_rules(&text, arguments.output.as_deref())?;
    Ok(Status::Done)
}

/// Grounds a game within its budget; prints why that cannot be done.
pub fn ground(rulesheet: &Rulesheet, meter: &Meter<'_>) -> Result<Ground, Failure> {
    let spinner = progress::spinner();
    spinner.set_message("grounding");
    let ground = interrupt::at_once(|| Ground::within(rulesheet.game.clone(), meter));
    spinner.finish_and_clear();
    ground.map_err(|error| refusal(rulesheet, error))
}

/// Prints why a game has not been ground, and gives the failure to return.
pub fn refusal(rulesheet: &Rulesheet, error: GroundError) -> Failure {
    match error {
        GroundError::Refused(diagnostic) => rulesheet.source.refuse([&*diagnostic]),
        GroundError::Exhausted(exhausted) => refuse(&exhausted, ""),
    }
}
