//! `gdlr abg check`: diagnoses games.

use crate::cli::diagnostics::{counts, tally};
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::abg;
use gdlr::diagnostic::Diagnostic;
use serde_json::{Value, json};

/// Diagnose games
#[derive(Debug, Args)]
#[command(after_help = "\
An error is a violation of the language, or a text without an automaton. A
warning is about an odd text. Exits with 1 if there are errors.

Examples:
  gdlr abg check mygame.abg
  gdlr abg check --json games/*.abg
  gdlr rg check --explore 100000 mygame.abg   is the game proper, in play?")]
pub struct Arguments {
    /// Paths to games, `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let mut status = Status::Done;
    let mut games = Vec::new();
    for file in &arguments.files {
        let source = match Source::open(file, abg::MAX_BYTES) {
            Ok(source) => source,
            // The others are looked at all the same.
            Err(failure) => {
                status = status.max(output::status_of(Err(failure)));
                continue;
            }
        };
        let report = Report::of(source);
        status = status.max(report.status(false));
        match arguments.json {
            true => games.push(report.json()),
            false => report.print()?,
        }
    }
    if arguments.json {
        output::print_json(&json!({ "games": games }))?;
    }
    Ok(status)
}

/// The diagnostics of a game.
pub struct Report {
    source: Source,
    diagnostics: Vec<Diagnostic>,
}

impl Report {
    /// Looks at a game.
    pub fn of(source: Source) -> Report {
        let diagnostics = interrupt::at_once(|| abg::check(&source.bytes));
        Report { source, diagnostics }
    }

    pub fn status(&self, strict: bool) -> Status {
        let (errors, warnings) = tally(&self.diagnostics);
        match errors > 0 || strict && warnings > 0 {
            true => Status::No,
            false => Status::Done,
        }
    }

    pub fn print(&self) -> Result<(), Failure> {
        let printer = self.source.printer();
        self.diagnostics.iter().for_each(|one| printer.print(one));
        output::print(&format!("{}: {}\n", self.source.file, counts(&self.diagnostics)))
    }

    pub fn json(&self) -> Value {
        self.source.printer().report_json(&self.source.name, &self.diagnostics)
    }
}
