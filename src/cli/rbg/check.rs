//! `gdlr rbg check`: diagnoses games.

use super::proper::{self, Proper};
use crate::cli::diagnostics::{counts, tally};
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::diagnostic::Diagnostic;
use gdlr::rbg;
use serde_json::{Value, json};

/// Diagnose games
#[derive(Debug, Args)]
#[command(after_help = "\
An error is a violation of the language, or a text without an automaton. A
warning is about an odd text, or a text that other programs read differently. A
finding in a macro is shown with the uses of the macro. Exits with 1 if there
are errors.

In a proper game each play and each move ends, and the moves of the keeper have
one result. Only play shows whether a game is proper. --explore plays, and exits
with 1 if the game is not proper, with 3 if there are more positions.

Examples:
  gdlr rbg check mygame.rbg
  gdlr rbg check --json games/*.rbg
  gdlr rbg check --explore 100000 mygame.rbg")]
pub struct Arguments {
    /// Paths to games, `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Look at up to so many positions: is the game proper?
    #[arg(long, value_name = "N")]
    explore: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let mut status = Status::Done;
    let mut games = Vec::new();
    for file in &arguments.files {
        let source = match Source::open(file, rbg::MAX_BYTES) {
            Ok(source) => source,
            // The others are looked at all the same.
            Err(failure) => {
                status = status.max(output::status_of(Err(failure)));
                continue;
            }
        };
        let report = Report::of(source, arguments.explore);
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
    /// Whether it is proper, if that was asked and can be.
    proper: Option<Proper>,
}

impl Report {
    /// Looks at a game, and at up to so many of its positions.
    pub fn of(source: Source, explore: Option<usize>) -> Report {
        let diagnostics = interrupt::at_once(|| rbg::check(&source.bytes));
        let proper = match (explore, tally(&diagnostics).0) {
            (Some(most), 0) => proper::look(&source, most),
            _ => None,
        };
        Report { source, diagnostics, proper }
    }

    pub fn status(&self, strict: bool) -> Status {
        let (errors, warnings) = tally(&self.diagnostics);
        let diagnosed = match errors > 0 || strict && warnings > 0 {
            true => Status::No,
            false => Status::Done,
        };
        diagnosed.max(self.proper.as_ref().map_or(Status::Done, Proper::status))
    }

    pub fn print(&self) -> Result<(), Failure> {
        let printer = self.source.printer();
        self.diagnostics.iter().for_each(|one| printer.print(one));
        output::print(&format!("{}: {}\n", self.source.file, counts(&self.diagnostics)))?;
        match &self.proper {
            Some(proper) => output::print(&proper.text(&printer)),
            None => Ok(()),
        }
    }

    pub fn json(&self) -> Value {
        let printer = self.source.printer();
        let mut value = printer.report_json(&self.source.name, &self.diagnostics);
        if let Some(proper) = &self.proper {
            value["explored"] = proper.json(&printer);
        }
        value
    }
}
