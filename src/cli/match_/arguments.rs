//! The arguments of `gdlr match`.

use super::clock::clock;
use super::dialect::DialectChoice;
use crate::cli::engine::EngineArguments;
use crate::cli::rulesheet::ReadingArguments;
use crate::cli::thoughts::LogArguments;
use clap::Args;
use gdlr::ggp::manager::Conditions;
use gdlr::play::DEFAULT_MAX_STEPS;
use std::path::PathBuf;
use std::time::Duration;

/// Run matches between players, here or elsewhere
#[derive(Debug, Args)]
#[command(after_help = "\
A player is `random`, `mc` (Monte Carlo), `uct` (tree search), `alphabeta`
(alpha-beta search for two roles that move by turns, or else tree search),
`net:FILE` or `alphabeta:FILE` (the same with a neural network that has learned
the game, see docs/value-nets.md), or the address of a player with the protocol
of General Game Playing. If an answer is late, unreadable or illegal, a random
legal move is played. A player at an address needs rules in GDL, so it cannot
play an automaton. Players of Regular Boardgames have another protocol: they
connect to rbg://ADDRESS:PORT.

Exits with 1 if the game gives no proper goals, and with 3 if --max-steps cut a
match.

Examples:
  gdlr match tictactoe --player crosses=http://127.0.0.1:9147
  gdlr match connect4 --player red=uct --player yellow=mc --play-clock 1 \\
      --repeat 20 --rotate
  gdlr match mygame.rbg --player white=uct --player black=rbg://127.0.0.1:8000
  gdlr match nim --record nim.json && gdlr verify nim nim.json
  gdlr match --series tournament.toml --json > tournament.json")]
pub struct Arguments {
    /// Path to a rulesheet or an automaton, `-` for standard input, or a bundled
    /// game
    #[arg(value_name = "GAME", required_unless_present = "series")]
    pub game: Option<String>,
    #[command(flatten)]
    pub reading: ReadingArguments,
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Play the tournament that a TOML file describes: games with their clocks,
    /// players, a folder for records; see docs/ggp.md
    #[arg(long, value_name = "FILE", conflicts_with_all = IN_THE_FILE)]
    pub series: Option<PathBuf>,
    /// Who plays a role: an address, random, mc, uct, alphabeta or net:FILE
    /// [default: random]
    #[arg(long, value_name = "ROLE=PLAYER")]
    pub player: Vec<String>,
    /// The time that players have to get ready
    #[arg(long, value_name = "SECS", value_parser = clock, default_value = "30")]
    pub start_clock: Duration,
    /// The time that players have for a move [default: 1 where all players are
    /// built in, else 10]
    #[arg(long, value_name = "SECS", value_parser = clock)]
    pub play_clock: Option<Duration>,
    /// How players elsewhere are told of a step: by the joint move, or by what
    /// their role did and saw; `auto` is `gdl-ii` in games with rules for `sees`,
    /// where `gdl` is refused
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub dialect: DialectChoice,
    /// Ask a player no more after so many answers that do not count
    #[arg(long, value_name = "N", default_value_t = Conditions::default().max_errors,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_errors: u32,
    /// Cut a match after so many joint moves
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_STEPS)]
    pub max_steps: u64,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Play so many matches
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
    /// Let the players change roles from match to match
    #[arg(long)]
    pub rotate: bool,
    #[command(flatten)]
    pub log: LogArguments,
    /// Write what happened to a file, which `gdlr verify` replays
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Write the match to a file in the form of public archives
    #[arg(long, value_name = "FILE", conflicts_with = "repeat")]
    pub xml: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The options that the file of a series has itself, or has no place for.
const IN_THE_FILE: [&str; 12] = [
    "game",
    "player",
    "start_clock",
    "play_clock",
    "dialect",
    "max_errors",
    "max_steps",
    "seed",
    "repeat",
    "rotate",
    "record",
    "xml",
];
