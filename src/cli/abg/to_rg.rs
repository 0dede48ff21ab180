//! `gdlr abg to-rg`: a game as an automaton of Regular Games.

use super::FileArgument;
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::budget::Meter;
use gdlr::rg::optimise::tidy;
use gdlr::{abg, rg};
use std::path::PathBuf;

/// Write a game as an automaton in the language Regular Games
#[derive(Debug, Args)]
#[command(after_help = "\
`docs/abg.md` explains the translation.

Examples:
  gdlr abg to-rg mygame.abg
  gdlr abg to-rg mygame.abg -o mygame.rg
  gdlr abg to-rg mygame.abg | gdlr rg run -")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, game) = arguments.file.game()?;
    let description = interrupt::at_once(|| {
        let mut description = abg::translate(&game)?;
        // There is no budget to exhaust.
        let _ = tidy(&mut description, &Meter::unlimited());
        Ok(description)
    })
    .map_err(|errors: Vec<_>| source.refuse(&errors))?;
    let text = rg::print(&description)
        .map_err(|error| Failure::Unusable(format!("the automaton cannot be written: {error}")))?;
    output::deliver_automaton(&text, arguments.output.as_deref())?;
    Ok(Status::Done)
}
