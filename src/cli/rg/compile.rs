//! `gdlr rg compile`: the forward model of a game as one source file.

use super::optimise;
use crate::cli::engine::GroundArguments;
use crate::cli::ground::refusal;
use crate::cli::output;
use crate::cli::playable::{Playable, PlayableArguments};
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::{interrupt, progress};
use clap::{Args, ValueEnum};
use gdlr::export::from_game;
use gdlr::rg::{self, Description, SourceLanguage};
use std::path::PathBuf;

/// Write a game as one source file in Rust or C, without dependencies
#[derive(Debug, Args)]
#[command(after_help = "\
The file has the forward model of the game: its states, the moves of a state,
playing a move, turns, ends and scores, random plays, and perft. It is for
programs that embed one game. Its functions are the nodes of the automaton, with
each edge as a comment. A rulesheet is first written as by `gdlr to-rg`. Every
automaton is made smaller as by `gdlr rg optimise`. Moves keep their tags.

Players see everything: what a game hides is not hidden.

Examples:
  gdlr rg compile breakthrough -o model.rs && rustc -O model.rs
  gdlr rg compile mygame.hrg -o model.c && cc -O2 model.c -o model
  ./model perft 4
  ./model play 1000")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The language [default: c if FILE ends with `.c`, or else rust]
    #[arg(long, value_name = "LANGUAGE")]
    to: Option<To>,
    #[command(flatten)]
    budget: GroundArguments,
}

/// The language of the file.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    Rust,
    C,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let Arguments { game, output, to, budget } = arguments;
    let is_c = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "c");
    let language = match to {
        Some(To::Rust) => SourceLanguage::Rust,
        Some(To::C) => SourceLanguage::C,
        None if output.as_ref().is_some_and(is_c) => SourceLanguage::C,
        None => SourceLanguage::Rust,
    };
    let playable = Playable::open(game)?;
    let mut description = automaton(&playable, budget)?;
    optimise::apply(&mut description, optimise::keeps_moves, &budget.budget(), |_, _| ())?;
    let text = interrupt::at_once(|| rg::to_source(&description, playable.name(), language))
        .map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Failure::Unusable(format!("{}: {}", playable.name(), problems.join("\n")))
        })?;
    output::deliver(&text, output.as_deref())?;
    Ok(Status::Done)
}

/// The game as an automaton.
fn automaton(playable: &Playable, budget: &GroundArguments) -> Result<Description, Failure> {
    match playable {
        Playable::Automaton(source, _) => super::description(source),
        Playable::Rules(rulesheet) => {
            let spinner = progress::spinner();
            spinner.set_message("writing the automaton");
            let (game, budget) = (rulesheet.game.clone(), budget.budget());
            let written = interrupt::at_once(|| from_game(game, None, false, &budget.start()));
            spinner.finish_and_clear();
            written
                .map(|written| written.export.description)
                .map_err(|error| refusal(rulesheet, error))
        }
    }
}
