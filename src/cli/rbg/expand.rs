//! `gdlr rbg expand`: the low-level text.

use super::FileArgument;
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::rbg;

/// Write a game as low-level text: no macros, generators, powers or lists
#[derive(Debug, Args)]
#[command(after_help = "\
The squares of `rectangle`, `hexagon` and `cuboid` have the names that the
reference parser gives them: rx0y0, hx0y0, cx0y0z0. That parser, and programs
that take low-level text only, read the result.

Examples:
  gdlr rbg expand mygame.rbg
  gdlr rbg expand mygame.rbg >low.rbg")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (_, game) = arguments.file.game()?;
    let text = interrupt::at_once(|| rbg::print(&game))
        .ok_or_else(|| Failure::Unusable("the text would be larger than 256 MiB".to_owned()))?;
    output::print(&text)?;
    Ok(Status::Done)
}
