//! `gdlr rg pragmas`: hints that let others play an automaton faster.

use super::file::FileArgument;
use super::optimise::refuse_errors;
use crate::cli::engine::{self, GroundArguments};
use crate::cli::output::{self, counted};
use crate::cli::progress;
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::budget::Budget;
use gdlr::play::seeded;
use gdlr::rg::pragmas::{self, Effort};
use gdlr::rg::{self, Description, Hint, Pragma};
use serde_json::json;
use std::path::PathBuf;

/// Compute the pragmas of an automaton, or refute those that it has
#[derive(Debug, Args)]
#[command(after_help = "\
Pragmas are hints for other programs, which do not check them. The computed
pragmas follow from the edges, so they are true in every state. docs/rg.md has
the meaning of each kind.

With --check, the pragmas of the file are compared with the states of plays. A
false pragma is shown with a play that refutes it. Exits with 1 if a pragma is
false.

Examples:
  gdlr rg pragmas mygame.rg                  print them
  gdlr rg pragmas mygame.rg -o faster.rg     write the automaton with them
  gdlr rg pragmas mygame.rg --check          refute those that it has")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Write the automaton with its pragmas to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["check", "json"])]
    output: Option<PathBuf>,
    /// Refute the pragmas of the file rather than compute others
    #[arg(long)]
    check: bool,
    /// With --check: look at so many states, half of them in random plays
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "check")]
    states: usize,
    /// With --check: seed of the random plays
    #[arg(long, value_name = "N", default_value_t = 0, requires = "check")]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    budget: GroundArguments,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, mut description) = arguments.file.description()?;
    refuse_errors(&source, &description)?;
    let budget = arguments.budget.budget();
    if arguments.check {
        return check(&source, &description, arguments, &budget);
    }
    if arguments.output.is_some() {
        let written = integers(&description);
        annotate(&mut description, &budget)?;
        let kept = integers(&description);
        let left_out = written.into_iter().filter(|pragma| !kept.contains(pragma)).collect();
        for line in text(&description, left_out)?.lines() {
            output::note(&format!("`{line}` is left out: it is not true, as --check shows"));
        }
        output::deliver_automaton(&print(&description)?, arguments.output.as_deref())?;
        return Ok(Status::Done);
    }
    let spinner = progress::spinner();
    spinner.set_message("computing pragmas");
    let computed = pragmas::compute(&mut description, &budget.start());
    spinner.finish_and_clear();
    let computed = computed.map_err(|exhausted| engine::refuse(&exhausted, ""))?;
    let text = text(&description, computed)?;
    match arguments.json {
        true => {
            let lines: Vec<&str> = text.lines().collect();
            output::print_json(&json!({ "game": source.name, "pragmas": lines }))?;
        }
        false => output::print(&text)?,
    }
    Ok(Status::Done)
}

/// The pragmas about the numbers that symbols stand for.
fn integers(description: &Description) -> Vec<Pragma> {
    let is_integer = |pragma: &&Pragma| matches!(pragma.hint, Hint::Integer { .. });
    description.pragmas.iter().filter(is_integer).cloned().collect()
}

/// Gives an automaton the pragmas that are computed for it.
pub fn annotate(description: &mut Description, budget: &Budget<'_>) -> Result<(), Failure> {
    let spinner = progress::spinner();
    spinner.set_message("computing pragmas");
    let done = pragmas::annotate(description, &budget.start());
    spinner.finish_and_clear();
    done.map_err(|exhausted| engine::refuse(&exhausted, ""))
}

fn print(description: &Description) -> Result<String, Failure> {
    rg::print(description)
        .map_err(|error| Failure::Unusable(format!("the automaton cannot be written: {error}")))
}

/// Pragmas, a line each.
fn text(description: &Description, pragmas: Vec<Pragma>) -> Result<String, Failure> {
    let names = description.names.clone();
    let text = print(&Description { names, pragmas, ..Description::default() })?;
    Ok(text.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect())
}

fn check(
    source: &Source,
    description: &Description,
    arguments: &Arguments,
    budget: &Budget<'_>,
) -> Outcome {
    let spinner = progress::spinner();
    spinner.set_message("refuting pragmas");
    let effort = Effort { states: arguments.states };
    let mut rng = seeded(arguments.seed, 0);
    let refuted = pragmas::refute(description, effort, &mut rng, &budget.start());
    spinner.finish_and_clear();
    let refuted = refuted.map_err(|exhausted| engine::refuse(&exhausted, ""))?;
    let diagnostics: Vec<_> = refuted.found.iter().map(|one| one.diagnostic(description)).collect();
    let printer = source.printer();
    let is_unknown = |pragma: &&Pragma| matches!(pragma.hint, Hint::Unknown(_));
    let unknown = description.pragmas.iter().filter(is_unknown).count();
    let (count, states) = (description.pragmas.len(), refuted.states);
    if arguments.json {
        let mut report = printer.report_json(&source.name, &diagnostics);
        report["pragmas"] = json!(count);
        report["unknown"] = json!(unknown);
        report["refuted"] = json!(diagnostics.len());
        report["states"] = json!(states);
        report["complete"] = json!(refuted.complete);
        output::print_json(&report)?;
    } else {
        diagnostics.iter().for_each(|one| printer.print(one));
        let mut of_these = match (count, diagnostics.len()) {
            (0, _) => "no pragmas".to_owned(),
            (_, 0) => format!("{}, none of them refuted", counted(count, "pragma")),
            (_, refuted) => format!("{}, {refuted} of them false", counted(count, "pragma")),
        };
        if unknown > 0 {
            of_these.push_str(&format!(", {unknown} of them unknown"));
        }
        let looked = match refuted.complete {
            true => format!("looked at {}, which are all that matter", counted(states, "state")),
            false => format!("looked at {}, there are more", counted(states, "state")),
        };
        output::print(&format!("{}: {of_these}; {looked}\n", source.file))?;
    }
    Ok(if diagnostics.is_empty() { Status::Done } else { Status::No })
}
