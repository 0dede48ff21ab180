//! The arguments of `gdlr gdl-perf`.

use crate::cli::engine::RandomPlayArguments;
use crate::cli::rulesheet::GameArguments;
use clap::Args;
use std::path::PathBuf;

/// Run the performance test of the project gdl-perf
#[derive(Debug, Args)]
#[command(after_help = "\
The framework of AlexLandau/gdl-perf starts an engine with these arguments. OUT
gets lines of NAME = VALUE: version, millisecondsTaken, numStateChanges and
numRollouts. Without a result it gets version and errorMessage.

With --correctness, OUT gets random playouts with all their legal moves. Then
the last argument is the least number of state changes.

Exits with 1 if the game has a defect, and with 3 if no playout ended.

Example:
  gdlr gdl-perf mygame.kif results.txt 30 && cat results.txt")]
pub struct Arguments {
    #[command(flatten)]
    pub game: GameArguments,
    /// Path to the file for the result
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// How long to play
    #[arg(value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub seconds: u32,
    #[command(flatten)]
    pub engine: RandomPlayArguments,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Cut a playout after so many joint moves
    #[arg(long, value_name = "N", default_value_t = gdlr::play::DEFAULT_MAX_STEPS)]
    pub max_steps: u64,
    /// Write random playouts, for the test of correctness
    #[arg(long)]
    pub correctness: bool,
}
