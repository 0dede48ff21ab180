//! `gdlr rg dot`: the automaton as a graph.

use super::file::FileArgument;
use crate::cli::output;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::rg;

/// Print an automaton as a graph for Graphviz
#[derive(Debug, Args)]
#[command(after_help = "\
Thick edges end a move. Dashed edges are reachability checks. Nodes that only
reachability checks visit are grey.

Examples:
  gdlr rg dot mygame.rg | dot -Tsvg > mygame.svg")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, description) = arguments.file.description()?;
    let dot = rg::to_dot(&description)
        .map_err(|error| Failure::Unusable(format!("{}: {error}", source.file)))?;
    output::print(&dot)?;
    Ok(Status::Done)
}
