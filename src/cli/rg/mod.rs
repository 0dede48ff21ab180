//! `gdlr rg`: the language Regular Games by itself. One file a command, as above.

mod check;
mod dot;
mod fmt;
mod perft;
mod run;

use super::interrupt;
use super::rulesheet::Source;
use super::status::{Failure, Outcome};
use clap::{Args, Subcommand};
use gdlr::rg::{self, Automaton, Description};

/// Check, lay out, play and draw automata in the language Regular Games
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "FILE is a path to an automaton (.rg), or `-` for standard input."
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
}

pub fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Dot(arguments) => dot::run(arguments),
    }
}

/// The FILE of every command.
#[derive(Clone, Debug, Args)]
struct FileArgument {
    /// Path to an automaton, `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
}

impl FileArgument {
    /// Opens the file.
    fn source(&self) -> Result<Source, Failure> {
        Source::open(&self.file, rg::MAX_BYTES)
    }

    /// Opens the file and reads it; prints what is wrong with it.
    fn description(&self) -> Result<(Source, Description), Failure> {
        let source = self.source()?;
        let description = interrupt::at_once(|| rg::read_bytes(&source.bytes))
            .map_err(|errors| source.refuse(&errors))?;
        Ok((source, description))
    }

    /// Opens the file, reads it and makes it ready to be played; prints what is wrong with it.
    fn automaton(&self) -> Result<(Source, Automaton), Failure> {
        let (source, description) = self.description()?;
        let automaton = interrupt::at_once(|| Automaton::new(&description))
            .map_err(|errors| source.refuse(&errors))?;
        Ok((source, automaton))
    }
}
