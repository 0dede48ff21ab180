//! `gdlr rg`: the language Regular Games by itself. One file a command, as above.

pub mod bench;
mod check;
mod choice;
mod compile;
mod dot;
pub mod file;
mod fmt;
pub mod optimise;
mod perft;
pub mod pragmas;
pub mod run;
mod seen;
mod stages;
mod to_kif;

use super::status::Outcome;
use clap::{Args, Subcommand};

/// Check, lay out, play and draw automata in the language Regular Games
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "FILE is a path to an automaton (.rg) or a game in HRG (.hrg), which is told by
its text, or `-` for standard input."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Arguments),
    Fmt(fmt::Arguments),
    Run(run::Arguments),
    Perft(perft::Arguments),
    Dot(dot::Arguments),
    Optimise(optimise::Arguments),
    Pragmas(pragmas::Arguments),
    Stages(stages::Arguments),
    ToKif(to_kif::Arguments),
    Compile(compile::Arguments),
}

pub use file::description;

pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Dot(arguments) => dot::run(arguments),
        Command::Optimise(arguments) => optimise::run(arguments),
        Command::Pragmas(arguments) => pragmas::run(arguments),
        Command::Stages(arguments) => stages::run(arguments),
        Command::ToKif(arguments) => to_kif::run(arguments),
        Command::Compile(arguments) => compile::run(arguments),
    }
}
