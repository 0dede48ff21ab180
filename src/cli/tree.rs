//! `gdlr tree`: the resolution trees of a game.

use super::engine::WithoutArguments;
use super::output;
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Outcome, Status};
use clap::Args;
use gdlr::tree::Tree;

/// Print the resolution trees of a game
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gdlr tree tictactoe
  gdlr tree tictactoe --dot | dot -Tsvg > tictactoe.svg")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    without: WithoutArguments,
    /// Print a graph for Graphviz
    #[arg(long)]
    dot: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let tree = Tree::new(rulesheet.game.clone(), &arguments.without.options())
        .map_err(|error| rulesheet.source.refuse([&error]))?;
    output::print(&if arguments.dot { tree.to_dot() } else { tree.to_text() })?;
    Ok(Status::Done)
}
