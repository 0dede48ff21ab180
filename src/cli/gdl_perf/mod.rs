//! `gdlr gdl-perf`: the performance test of the project `AlexLandau/gdl-perf`, which runs engines
//! in any language.
//!
//! Its framework starts a process for each game and engine, with the paths of the rulesheet and
//! of a file for the result, and with the seconds to play. It reads the file when the process has
//! ended, whatever the exit status: lines `NAME = VALUE`. [`correctness`] is its other test.

mod correctness;

use super::engine::{self, RandomPlayArguments};
use super::interrupt;
use super::output::{self, grouped};
use super::progress::Playouts;
use super::rulesheet::{GameArguments, Rulesheet, Source};
use super::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::diagnostic::legible;
use gdlr::gdl::Game;
use gdlr::kif;
use gdlr::play::{FlatMonteCarlo, Statistics};
use std::path::PathBuf;
use std::time::Duration;

/// Run the performance test of the project gdl-perf
#[derive(Debug, Args)]
#[command(after_help = "\
The arguments are those with which the framework of AlexLandau/gdl-perf starts
an engine. OUT gets lines of NAME = VALUE: version, millisecondsTaken,
numStateChanges and numRollouts; version and errorMessage if there is no result.

With --correctness, OUT gets random playouts with all their legal moves, and the
last argument says how many state changes they have at least.

Exits with 1 if the game has a defect, and with 3 if no playout ended.

Example:
  gdlr gdl-perf mygame.kif results.txt 30 && cat results.txt")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Path to the file for the result
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// How long to play
    #[arg(value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    #[command(flatten)]
    engine: RandomPlayArguments,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cut a playout after so many joint moves
    #[arg(long, value_name = "N", default_value_t = gdlr::play::DEFAULT_MAX_STEPS)]
    max_steps: u64,
    /// Write random playouts, for the test of correctness
    #[arg(long)]
    correctness: bool,
}

/// Why there is no result.
struct NoResult {
    /// What the file says.
    message: String,
    /// How the command ends.
    outcome: Outcome,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if arguments.correctness {
        return correctness::run(arguments);
    }
    let result = measure(arguments);
    if interrupt::raised() {
        output::warn("interrupted; nothing is written");
        return Ok(Status::Interrupted);
    }
    let (lines, outcome) = match result {
        Ok(statistics) => (lines(&statistics), Ok(Status::Done)),
        Err(none) => (format!("errorMessage = {}\n", in_a_line(&none.message)), none.outcome),
    };
    let version = format!("version = {} {}\n", env!("CARGO_PKG_VERSION"), arguments.engine.engine);
    let path = &arguments.out;
    output::write_file(path, &(version + &lines)).map_err(|error| {
        Failure::Unusable(format!("cannot write `{}`: {error}", path.display()))
    })?;
    outcome
}

/// Plays as long as the arguments say.
fn measure(arguments: &Arguments) -> Result<Statistics, NoResult> {
    let refused = |failure| NoResult::of(failure, arguments);
    let rulesheet = Rulesheet::playable(&arguments.game).map_err(refused)?;
    let made = engine::make_random_play(&rulesheet, &arguments.engine).map_err(refused)?;
    let run = FlatMonteCarlo {
        time: Some(Duration::from_secs(arguments.seconds.into())),
        seed: arguments.seed,
        max_steps: arguments.max_steps,
        ..FlatMonteCarlo::default()
    };
    let progress = Playouts::new(None, run.time);
    let statistics = run.run(&made.engine, &interrupt::STOP, |now| progress.show(now));
    progress.clear();
    if let Some(limit) = &statistics.limit {
        let message = limit.diagnostic().message.clone();
        let outcome = Err(rulesheet.source.refuse([limit.diagnostic()]));
        return Err(NoResult { message, outcome });
    }
    let improper = statistics.roles.iter().any(|role| role.improper > 0);
    let (message, status) = match &statistics {
        Statistics { stuck: 1.., .. } => {
            let message = "a defect of the game: playouts end where a role has no legal move";
            (message.to_owned(), Status::No)
        }
        _ if improper => {
            let message = "a defect of the game: playouts end without a proper goal value";
            (message.to_owned(), Status::No)
        }
        Statistics { playouts: 0, capped, .. } => {
            (output::none_ended("playout", *capped, "--max-steps"), Status::Budget)
        }
        _ => return Ok(statistics),
    };
    output::error(&message);
    Err(NoResult { message, outcome: Ok(status) })
}

/// A result, for the file; and in words for who looks on.
fn lines(statistics: &Statistics) -> String {
    let Statistics { states, playouts, seconds, .. } = statistics;
    let milliseconds = (seconds * 1e3).round() as u64;
    let (changes, rollouts) = (grouped(*states), grouped(*playouts));
    output::note(&format!(
        "{changes} state changes and {rollouts} rollouts in {} ms",
        grouped(milliseconds)
    ));
    format!(
        "millisecondsTaken = {milliseconds}\nnumStateChanges = {states}\nnumRollouts = {playouts}\n"
    )
}

impl NoResult {
    /// There is none because of a failure that has been printed, or will be.
    fn of(failure: Failure, arguments: &Arguments) -> NoResult {
        let message = match &failure {
            Failure::Unusable(message) => message.clone(),
            Failure::Reported(_) | Failure::BrokenPipe => {
                let budget = || "set-up ran out of its time or memory".to_owned();
                defect(&arguments.game).unwrap_or_else(budget)
            }
        };
        NoResult { message, outcome: Err(failure) }
    }
}

/// The first defect of a rulesheet that forbids play, with its place.
fn defect(game: &GameArguments) -> Option<String> {
    let source = Source::find(&game.game).ok()?;
    let found = kif::read_bytes(&source.bytes)
        .and_then(|document| Game::from_document(&source.name, document, game.reading.reading()))
        .map_or_else(|errors| errors, |game| gdlr::check::check(&game));
    let first = Game::forbidding(&found).next()?;
    Some(format!("{} at {}: {}", first.code, first.span.locate(&source.text()), first.message))
}

/// A message as a value of the file can be: on one line, without what divides the columns of the
/// framework's tables.
fn in_a_line(message: &str) -> String {
    legible(message).replace(['\n', '\r'], " ").replace(';', ",")
}
