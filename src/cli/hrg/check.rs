//! `gdlr hrg check`: diagnoses games.

use crate::cli::diagnostics::{counts, tally};
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::rulesheet::Source;
use crate::cli::status::{Outcome, Status};
use clap::Args;
use gdlr::hrg;
use serde_json::json;

/// Diagnose games
#[derive(Debug, Args)]
#[command(after_help = "\
An error is a violation of the language, or a text without an automaton. A
warning is about an odd text. Exits with 1 if there are errors.

Examples:
  gdlr hrg check mygame.hrg
  gdlr hrg check --json games/*.hrg
  gdlr rg check --explore 100000 mygame.hrg   is the game proper, in play?")]
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
        let source = match Source::open(file, hrg::MAX_BYTES) {
            Ok(source) => source,
            // The others are looked at all the same.
            Err(failure) => {
                status = status.max(output::status_of(Err(failure)));
                continue;
            }
        };
        let diagnostics = interrupt::at_once(|| match hrg::read_bytes(&source.bytes) {
            Ok(game) => hrg::check(&game),
            Err(errors) => errors,
        });
        let (errors, _) = tally(&diagnostics);
        if errors > 0 {
            status = status.max(Status::No);
        }
        let printer = source.printer();
        if arguments.json {
            games.push(printer.report_json(&source.name, &diagnostics));
        } else {
            diagnostics.iter().for_each(|diagnostics| printer.print(diagnostics));
            output::print(&format!("{}: {}\n", source.file, counts(&diagnostics)))?;
        }
    }
    if arguments.json {
        output::print_json(&json!({ "games": games }))?;
    }
    Ok(status)
}
