//! `gdlr to-hrg`: a game as a program in High-level Regular Games.

use super::engine::GroundArguments;
use super::ground::refusal;
use super::output;
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Failure, Outcome, Status};
use super::to_rg::explanation;
use super::{interrupt, progress};
use clap::Args;
use gdlr::export::{Origin, from_game};
use gdlr::ground::GroundError;
use gdlr::hrg;
use std::path::PathBuf;

/// Write a game as a program in High-level Regular Games
#[derive(Debug, Args)]
#[command(after_help = "\
The program means the same game. Commands that take an automaton also take the
program. Its domains are the values of facts and moves. Its functions are the
relations that are known before play. Its variables are the state. Its graphs
are turns and conditions. Comments quote the rules. `docs/hrg.md` has an
example.

A game is refused if it cannot be written from its rules, or if two of its
relations depend on each other.

Examples:
  gdlr to-hrg tictactoe
  gdlr to-hrg mygame.kif -o mygame.hrg
  gdlr to-hrg breakthrough --explain >breakthrough.hrg
  gdlr to-hrg connect4 | gdlr hrg to-rg -")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    ground: GroundArguments,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say on standard error how each relation and move was written
    #[arg(long)]
    explain: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let spinner = progress::spinner();
    spinner.set_message("writing the program");
    let budget = arguments.ground.budget();
    let game = rulesheet.game.clone();
    let export =
        interrupt::at_once(|| from_game(game, Some(Origin::Rules), false, &budget.start()));
    spinner.finish_and_clear();
    let written = export.map_err(|error: GroundError| refusal(&rulesheet, error))?;
    let refused = |why: &str| {
        let name = &rulesheet.game.name;
        let instead = "`gdlr to-rg` writes it as an automaton";
        Failure::Unusable(format!("`{name}` cannot be written as a program: {why}; {instead}"))
    };
    if let Some(why) = &written.unsuited {
        return Err(refused(why));
    }
    let text = written.export.hrg().map_err(refused)?;
    if arguments.explain {
        explanation(&written).lines().for_each(output::note);
    }
    // A text that is too long to be read again stays as it is.
    let text = hrg::format(&text).unwrap_or(text);
    output::deliver(&text, arguments.output.as_deref())?;
    Ok(Status::Done)
}
