//! `gdlr tree`: the resolution trees of a game.

use super::engine::WithoutArguments;
use super::interrupt;
use super::output;
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Outcome, Status};
use clap::Args;
use gdlr::tree::Tree;

/// Print the resolution trees of a game
#[derive(Debug, Args)]
#[command(after_help = "\
A node is a relation and the rules below it. The conditions of a rule are in the
order in which they are proved. Each has the name of the merge that joins it
with the rows before. Behind a relation are its columns: a symbol, `+` for a
value that is known then, `-` for a value that is not known, `=2` for the value
of column 2.

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
    let options = arguments.without.options();
    let tree = interrupt::at_once(|| Tree::new(rulesheet.game.clone(), &options))
        .map_err(|error| rulesheet.source.refuse([&error]))?;
    let text = rulesheet.source.text();
    output::print(&if arguments.dot { tree.to_dot(&text) } else { tree.to_text(&text) })?;
    Ok(Status::Done)
}
