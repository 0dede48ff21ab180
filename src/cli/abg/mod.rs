//! `gdlr abg`: the language Abstract Board Games. One file a command, as above.

pub mod check;
mod fmt;
mod info;
mod to_rg;

use super::interrupt;
use super::rulesheet::Source;
use super::status::{Failure, Outcome};
use clap::{Args, Subcommand};
use gdlr::abg::{self, Game};

/// Check, lay out and translate games in Abstract Board Games (ABG)
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
FILE is a path to a game (.abg), or `-` for standard input. Commands that take
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
    Info(info::Arguments),
}

pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::ToRg(arguments) => to_rg::run(arguments),
        Command::Info(arguments) => info::run(arguments),
    }
}

/// The FILE of every command.
#[derive(Clone, Debug, Args)]
struct FileArgument {
    /// Path to a game, `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
}

impl FileArgument {
    fn source(&self) -> Result<Source, Failure> {
        Source::open(&self.file, abg::MAX_BYTES)
    }

    /// Opens the file and reads it; prints what is wrong with it.
    fn game(&self) -> Result<(Source, Game), Failure> {
        let source = self.source()?;
        let game = interrupt::at_once(|| {
            abg::read_bytes(&source.bytes).and_then(|tree| abg::resolve(&tree))
        })
        .map_err(|errors| source.refuse(&errors))?;
        Ok((source, game))
    }
}
