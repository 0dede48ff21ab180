//! `gdlr rg fmt`: canonical layout.

use super::file::FileArgument;
use crate::cli::fmt::Destination;
use crate::cli::interrupt;
use crate::cli::status::Outcome;
use clap::Args;
use gdlr::{abg, hrg, rbg, rg};

/// Lay out an automaton in the canonical way, comments kept
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gdlr rg fmt mygame.rg              print the result
  gdlr rg fmt --check mygame.rg      exit 1 if the file would change
  gdlr rg fmt --write mygame.rg      change the file")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    #[command(flatten)]
    destination: Destination,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = arguments.file.source()?;
    let text = source.text();
    let laid_out = interrupt::at_once(|| {
        if rbg::is_rbg(&text) {
            rbg::format_bytes(&source.bytes)
        } else if abg::is_abg(&text) {
            abg::format_bytes(&source.bytes)
        } else if hrg::is_hrg(&text) {
            hrg::format_bytes(&source.bytes)
        } else {
            rg::format_bytes(&source.bytes)
        }
    })
    .map_err(|errors| source.refuse(&errors))?;
    arguments.destination.take(&source, &arguments.file.file, &laid_out)
}
