//! `gdlr hrg fmt`: canonical layout.

use crate::cli::fmt::Destination;
use crate::cli::interrupt;
use crate::cli::rulesheet::Source;
use crate::cli::status::Outcome;
use clap::Args;
use gdlr::hrg;

/// Lay out a game in the canonical way, comments kept
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gdlr hrg fmt mygame.hrg              print the result
  gdlr hrg fmt --check mygame.hrg      exit 1 if the file would change
  gdlr hrg fmt --write mygame.hrg      change the file")]
pub struct Arguments {
    /// Path to a game, `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    destination: Destination,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = Source::open(&arguments.file, hrg::MAX_BYTES)?;
    let laid_out = interrupt::at_once(|| hrg::format_bytes(&source.bytes))
        .map_err(|errors| source.refuse(&errors))?;
    arguments.destination.take(&source, &arguments.file, &laid_out)
}
