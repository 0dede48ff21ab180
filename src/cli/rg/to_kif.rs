//! `gdlr rg to-kif`: an automaton as a rulesheet.

use super::file::FileArgument;
use crate::cli::engine::{GroundArguments, net_of, no_net};
use crate::cli::output;
use crate::cli::status::{Outcome, Status};
use clap::Args;
use gdlr::automaton::AutomatonGame;
use gdlr::decisions::Decisions;
use std::path::PathBuf;
use std::sync::Arc;

/// Write an automaton as a rulesheet in GDL
#[derive(Debug, Args)]
#[command(after_help = "\
The rules are ground: there is one rule for each gate of the automaton's net.
The rulesheet is the same game, move by move. A move has the tags of a walk, as
in `gdlr play FILE`. The roles that are not on turn play noop.

Examples:
  gdlr rg to-kif mygame.rg -o mygame.kif
  gdlr rg to-kif mygame.hrg | gdlr play - --flatmc --engine tree")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    #[command(flatten)]
    ground: GroundArguments,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, description) = arguments.file.description()?;
    let game = AutomatonGame::new(&source.name, description);
    let game = Arc::new(game.map_err(|problem| source.refuse([&*problem]))?);
    let meter = arguments.ground.budget().start();
    let net =
        net_of(&game, &meter, &mut Decisions::default()).map_err(|why| no_net(&source, &why))?;
    let text = net.to_kif(&game.game().roles, &game.game().symbols);
    output::deliver_rules(&text, arguments.output.as_deref())?;
    Ok(Status::Done)
}
