//! `gdlr abg fmt`: canonical layout.

use super::FileArgument;
use crate::cli::fmt::Destination;
use crate::cli::interrupt;
use crate::cli::status::Outcome;
use clap::Args;
use gdlr::abg;

/// Lay out a game in the canonical way, comments kept
#[derive(Debug, Args)]
#[command(after_help = "\
Lines end where they do in the file; blanks and indentation are canonical.

Examples:
  gdlr abg fmt mygame.abg              print the result
  gdlr abg fmt --check mygame.abg      exit 1 if the file would change
  gdlr abg fmt --write mygame.abg      change the file")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    #[command(flatten)]
    destination: Destination,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = arguments.file.source()?;
    let laid_out = interrupt::at_once(|| abg::format_bytes(&source.bytes))
        .map_err(|errors| source.refuse(&errors))?;
    arguments.destination.take(&source, &arguments.file.file, &laid_out)
}
