//! `gdlr perft`: joint-move sequences of each length.

use super::engine::{self, EngineArguments};
use super::output::{self, grouped, rounded, seconds};
use super::playable::{Playable, PlayableArguments};
use super::status::{Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::play;
use serde_json::json;
use std::time::Instant;

/// Count the joint-move sequences of each length
#[derive(Debug, Args)]
#[command(after_help = "\
A terminal state counts at its depth and is not expanded.

Example:
  gdlr perft tictactoe 4")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    /// The longest sequences to count, in joint moves
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    depth: u32,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let playable = Playable::open(&arguments.game)?;
    let made = engine::make(&playable, &arguments.engine)?;
    let spinner = progress::spinner();
    let start = Instant::now();
    let show = |visited| spinner.set_message(format!("{} sequences", grouped(visited)));
    let perft = play::perft(&made.engine, arguments.depth as usize, &interrupt::STOP, show);
    let elapsed = start.elapsed().as_secs_f64();
    spinner.finish_and_clear();
    if arguments.json {
        let mut value = json!({
            "game": playable.name(),
            "engine": made.kind.as_str(),
            "depth": arguments.depth,
            "counts": perft.counts,
            "terminal": perft.terminal,
            "seconds": seconds(elapsed),
        });
        if let Some(limit) = &perft.limit {
            value["too_much"] = json!(limit.diagnostic().message);
        } else if !perft.complete {
            value["interrupted"] = json!(true);
        }
        output::print_json(&value)?;
    } else {
        let numbers = perft.counts.iter().zip(&perft.terminal).enumerate();
        let rows = numbers
            .map(|(depth, (&count, &terminal))| {
                vec![depth.to_string(), grouped(count), grouped(terminal)]
            })
            .collect();
        let table = output::table(&["depth", "sequences", "terminal"], &[], rows);
        let time = rounded(elapsed);
        output::print(&format!("{}\n{time} s\n", output::table_text(&table)))?;
    }
    let stuck: u64 = perft.stuck.iter().sum();
    if stuck > 0 {
        output::warn(&format!(
            "a defect of the game: {} sequences end where a role has no legal move",
            grouped(stuck)
        ));
    }
    if let Some(limit) = &perft.limit {
        output::warn("these are the sequences counted so far");
        return Err(playable.source().refuse([limit.diagnostic()]));
    }
    if perft.complete {
        Ok(Status::Done)
    } else {
        output::warn("interrupted; these are the sequences counted so far");
        Ok(Status::Interrupted)
    }
}
