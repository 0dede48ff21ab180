//! `gdlr hrg`: the language High-level Regular Games. One file a command, as above.

mod check;
mod fmt;
mod to_rg;

use super::status::Outcome;
use clap::{Args, Subcommand};

/// Check, lay out and translate games in High-level Regular Games (HRG)
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
FILE is a path to a game (.hrg), or `-` for standard input. The commands of
`gdlr rg` take such files as well, and play and draw the automata that they
stand for."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Fmt(fmt::Arguments),
    ToRg(to_rg::Arguments),
}

pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::ToRg(arguments) => to_rg::run(arguments),
    }
}
