//! `gdlr check`: diagnoses rulesheets.

use super::diagnostics::Printer;
use super::output::{self, counted};
use super::rulesheet::{ReadingArguments, Source, tally};
use super::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::diagnostic::Diagnostic;
use gdlr::gdl::{Game, Reading};
use gdlr::kif;
use serde_json::{Value, json};

/// Diagnose rulesheets
#[derive(Debug, Args)]
#[command(after_help = "\
Exits with 1 if there are errors (with --strict: or warnings).

Examples:
  gdlr check mygame.kif
  gdlr check --strict *.kif")]
pub struct Arguments {
    /// Paths to rulesheets, `-` for standard input, or bundled games
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Count warnings as errors
    #[arg(long)]
    strict: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was found in a rulesheet.
struct Report {
    source: Source,
    found: Vec<Diagnostic>,
}

impl Report {
    fn of(name: &str, reading: Reading) -> Result<Report, Failure> {
        let source = Source::find(name)?;
        let found = match diagnose(&source, reading) {
            Ok(found) | Err(found) => found,
        };
        Ok(Report { source, found })
    }

    fn status(&self, strict: bool) -> Status {
        let (errors, warnings) = tally(&self.found);
        if errors > 0 || strict && warnings > 0 { Status::No } else { Status::Done }
    }

    fn line(&self) -> String {
        let (errors, warnings) = tally(&self.found);
        let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
        format!("{}: {errors}, {warnings}\n", self.source.file)
    }

    fn json(&self) -> Value {
        let printer = Printer::new(&self.source);
        let (errors, warnings) = tally(&self.found);
        json!({
            "game": self.source.name,
            "file": self.source.file,
            "errors": errors,
            "warnings": warnings,
            "diagnostics": self.found.iter().map(|found| printer.json(found)).collect::<Vec<_>>(),
        })
    }
}

/// What the checks find, or the errors that keep them from being made.
fn diagnose(source: &Source, reading: Reading) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let document = kif::read_bytes(&source.bytes)?;
    let game = Game::from_document(&source.name, &document, reading)?;
    Ok(gdlr::check::check(&document, &game))
}

pub fn run(arguments: &Arguments) -> Outcome {
    let mut status = Status::Done;
    let mut games = Vec::new();
    for name in &arguments.games {
        let report = match Report::of(name, arguments.reading.reading()) {
            Ok(report) => report,
            // The others are looked at all the same.
            Err(failure) => {
                status = status.max(super::status_of(Err(failure)));
                continue;
            }
        };
        status = status.max(report.status(arguments.strict));
        if arguments.json {
            games.push(report.json());
        } else {
            let printer = Printer::new(&report.source);
            report.found.iter().for_each(|found| printer.print(found));
            output::print(&report.line())?;
        }
    }
    if arguments.json {
        output::print_json(&json!({ "games": games }))?;
    }
    Ok(status)
}
