//! `gdlr rg stages`: what the optimiser does, as a page.

use super::choice::Choice;
use super::file::FileArgument;
use super::optimise::refuse_errors;
use crate::cli::engine::{self, GroundArguments};
use crate::cli::output::{self, counted};
use crate::cli::progress;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::stages;
use std::path::PathBuf;

/// Show what the optimiser does to an automaton, stage by stage, as a web page
#[derive(Debug, Args)]
#[command(after_help = "\
The page has a stage for each transformation that changed the automaton. A stage
shows the text of the automaton with the added, removed and moved lines, a
drawing of the changes, and the sizes. The page is one file that loads no other.
The arrow keys go from stage to stage.

An automaton of more than 400 nodes and actions is not drawn as a whole; only
its changes are drawn. A page of more than 12 MiB is refused: choose
transformations with --only.

Examples:
  gdlr rg stages mygame.rg -o stages.html
  gdlr rg stages mygame.hrg --only compact-skip-edges -o stages.html
  gdlr to-rg tictactoe | gdlr rg stages - -o stages.html")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    #[command(flatten)]
    choice: Choice,
    /// Write the page here instead of to standard output
    #[arg(short, long, value_name = "PAGE.html")]
    output: Option<PathBuf>,
    #[command(flatten)]
    budget: GroundArguments,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, description) = arguments.file.description()?;
    refuse_errors(&source, &description)?;
    let choice = &arguments.choice;
    let forms: Vec<_> = choice.forms().collect();
    let meter = arguments.budget.budget().start();
    let spinner = progress::spinner();
    spinner.set_message("optimising");
    let told = |count| spinner.set_message(counted(count, "stage"));
    let takes = |one: &_| choice.takes(one);
    let record = stages::record(&source.name, &description, takes, &forms, &meter, told);
    spinner.finish_and_clear();
    let record = record.map_err(|failure| match failure {
        stages::Failure::Exhausted(exhausted) => engine::refuse(
            &exhausted,
            "or choose transformations with --only LIST or --without LIST",
        ),
        stages::Failure::TooLarge(1..) => Failure::Unusable(format!(
            "{failure}; choose transformations with --only LIST or --without LIST"
        )),
        _ => Failure::Unusable(failure.to_string()),
    })?;
    output::deliver(&stages::page(&record), arguments.output.as_deref())?;
    Ok(Status::Done)
}
