//! `gdlr gdl-perf`: the performance test of the project `AlexLandau/gdl-perf`, which runs engines
//! in any language.
//!
//! Its framework starts a process for each game and engine, with the paths of the rulesheet and
//! of a file for the result, and with the seconds to play. It reads the file when the process has
//! ended, whatever the exit status: lines `NAME = VALUE`. [`correctness`] is its other test.

mod arguments;
mod correctness;
mod no_result;

pub use arguments::Arguments;

use super::engine;
use super::interrupt;
use super::output::{self, grouped};
use super::playable::Playable;
use super::progress::Playouts;
use super::rulesheet::Rulesheet;
use super::status::{Failure, Outcome, Status};
use gdlr::play::{FlatMonteCarlo, Statistics};
use no_result::{NoResult, in_a_line};
use std::time::Duration;

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
    let playable = Playable::Rules(rulesheet);
    let ready = engine::make_random_play(&playable, &arguments.engine).map_err(refused)?;
    let run = FlatMonteCarlo {
        time: Some(Duration::from_secs(arguments.seconds.into())),
        seed: arguments.seed,
        max_steps: arguments.max_steps,
        ..FlatMonteCarlo::default()
    };
    let progress = Playouts::new(None, run.time);
    let statistics = run.run(&ready.engine, &interrupt::STOP, |now| progress.show(now));
    progress.clear();
    if let Some(limit) = &statistics.limit {
        let message = limit.diagnostic().message.clone();
        let outcome = Err(playable.source().refuse([limit.diagnostic()]));
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
