//! `gdlr rg check`: diagnoses automata.

use super::FileArgument;
use crate::cli::diagnostics::Printer;
use crate::cli::output;
use crate::cli::rulesheet::{counts, tally};
use crate::cli::status::{Outcome, Status};
use clap::Args;
use gdlr::rg;

/// Diagnose an automaton
#[derive(Debug, Args)]
#[command(after_help = "\
Errors are what the language forbids; warnings are what is odd, or what other
programs read as something else. Exits with 1 if there are errors.

Examples:
  gdlr rg check mygame.rg
  gdlr rg check --json mygame.rg")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = arguments.file.source()?;
    let found = match rg::read_bytes(&source.bytes) {
        Ok(description) => rg::validate(&description),
        Err(errors) => errors,
    };
    let printer = Printer::new(&source);
    if arguments.json {
        output::print_json(&printer.report_json(&source.name, &found))?;
    } else {
        found.iter().for_each(|found| printer.print(found));
        output::print(&format!("{}: {}\n", source.file, counts(&found)))?;
    }
    let (errors, _) = tally(&found);
    Ok(if errors > 0 { Status::No } else { Status::Done })
}
