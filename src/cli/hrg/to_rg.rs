//! `gdlr hrg to-rg`: a game as an automaton of Regular Games.

use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::budget::Meter;
use gdlr::rg::optimise::tidy;
use gdlr::{hrg, rg};
use std::path::PathBuf;

/// Write a game as an automaton in the language Regular Games
#[derive(Debug, Args)]
#[command(after_help = "\
A game is refused if it needs more than two million edges, or a million values
of its domains. The message names the limit. If a value of a wider domain is
assigned or used as a key, the automaton has a cast. Functions that only initial
values use are left out. `docs/hrg.md` explains the translation.

Examples:
  gdlr hrg to-rg mygame.hrg
  gdlr hrg to-rg mygame.hrg -o mygame.rg
  gdlr hrg to-rg mygame.hrg | gdlr rg run -")]
pub struct Arguments {
    /// Path to a game, `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = Source::open(&arguments.file, hrg::MAX_BYTES)?;
    let description = interrupt::at_once(|| {
        let game = hrg::read_bytes(&source.bytes)?;
        let mut description = hrg::translate(&game)?;
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
