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
FILE is a path to a game (.hrg), or `-` for standard input. Commands that take
an automaton also take such a file, and translate it to its automaton."
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
