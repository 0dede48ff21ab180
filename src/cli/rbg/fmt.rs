//! `gdlr rbg fmt`: canonical layout.

use super::FileArgument;
use crate::cli::fmt::Destination;
use crate::cli::interrupt;
use crate::cli::status::Outcome;
use clap::Args;
use gdlr::rbg;

/// Lay out a game in the canonical way, macros and comments kept
#[derive(Debug, Args)]
#[command(after_help = "\
Lines end where they do in the file; blanks and indentation are canonical.

Examples:
  gdlr rbg fmt mygame.rbg              print the result
  gdlr rbg fmt --check mygame.rbg      exit 1 if the file would change
  gdlr rbg fmt --write mygame.rbg      change the file")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    #[command(flatten)]
    destination: Destination,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = arguments.file.source()?;
    let laid_out = interrupt::at_once(|| rbg::format_bytes(&source.bytes))
        .map_err(|errors| source.refuse(&errors))?;
    arguments.destination.take(&source, &arguments.file.file, &laid_out)
}
