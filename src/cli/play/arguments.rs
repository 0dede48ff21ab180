//! The arguments of `gdlr play`.

use crate::cli::engine::RandomPlayArguments;
use crate::cli::playable::PlayableArguments;
use crate::cli::player_name;
use crate::cli::time::seconds;
use clap::Args;
use gdlr::play::DEFAULT_MAX_STEPS;
use gdlr::search::PlayerKind;
use std::time::Duration;

/// Play a game in the terminal, or random playouts with --flatmc
#[derive(Debug, Args)]
#[command(after_help = "\
With --flatmc, the engine `auto` is `batch`, which plays 64 to 512 playouts at
once (--lanes). In the terminal, `auto` is `propnet`, and `tree` until the net
is ready. If grounding takes too much time or memory, `auto` is `tree`. For an
automaton in the terminal, `auto` is `native`, or `rg` if the automaton cannot
be compiled to machine code.

In a game with rules for `sees` you see only the moves and percepts of your
role. The state and the moves of others are shown at the end, or always with
--omniscient. The other roles also know only their own moves and percepts.

Examples:
  gdlr play tictactoe                            you against random moves
  gdlr play tictactoe --human noughts --player uct --think 2
  gdlr play kuhn_poker --human ben --player mc   your card, and what you hear
  gdlr play mygame.rg --player uct               an automaton
  gdlr play mygame.kif --flatmc                  random playouts for 5 seconds
  gdlr play mygame.kif --flatmc --playouts 1000 --threads 0 --json")]
pub struct Arguments {
    #[command(flatten)]
    pub game: PlayableArguments,
    #[command(flatten)]
    pub engine: RandomPlayArguments,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Cut a playout after so many joint moves
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_STEPS)]
    pub max_steps: u64,

    /// Count random playouts (flat Monte Carlo)
    #[arg(long, help_heading = "Random playouts")]
    pub flatmc: bool,
    /// Start playouts for this time [default: 5]
    #[arg(long, value_name = "SECS", value_parser = seconds, requires = "flatmc",
          conflicts_with = "playouts", help_heading = "Random playouts")]
    pub time: Option<Duration>,
    /// Start exactly so many playouts
    #[arg(long, value_name = "N", requires = "flatmc", help_heading = "Random playouts")]
    pub playouts: Option<u64>,
    /// Threads, 0 for all cores [default: 1]
    #[arg(long, value_name = "N", requires = "flatmc", help_heading = "Random playouts",
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: Option<u16>,
    /// Print one JSON object
    #[arg(long, requires = "flatmc", help_heading = "Random playouts")]
    pub json: bool,

    /// A role that you play, or `none` [default: the first role]
    #[arg(long, value_name = "ROLE", conflicts_with = "flatmc", help_heading = "In the terminal")]
    pub human: Vec<String>,
    /// Who plays the other roles: random, mc (Monte Carlo), uct (tree search),
    /// alphabeta, net:FILE or alphabeta:FILE (by a value net)
    #[arg(
        long,
        value_name = "NAME",
        default_value = "random",
        conflicts_with = "flatmc",
        help_heading = "In the terminal", value_parser = player_name::parser(),
        hide_possible_values = true)]
    pub player: PlayerKind,
    /// How long they think about a move, and about a hint
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "1",
          conflicts_with = "flatmc", help_heading = "In the terminal")]
    pub think: Duration,
    /// Show the state and all moves also where rules for `sees` hide them
    #[arg(long, conflicts_with = "flatmc", help_heading = "In the terminal")]
    pub omniscient: bool,
}
