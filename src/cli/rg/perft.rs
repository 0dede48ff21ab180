//! `gdlr rg perft`: plays of each length.

use super::FileArgument;
use super::run::{refuse, status_of};
use crate::cli::output::{self, grouped, rounded, seconds};
use crate::cli::status::{Outcome, Status};
use crate::cli::{interrupt, progress};
use clap::Args;
use gdlr::rg::{self, Search};
use serde_json::json;
use std::time::Instant;

/// Count the plays of each length
#[derive(Debug, Args)]
#[command(after_help = "\
A play is a sequence of moves of players and of chance; the keeper moves on its
own and is not counted. A play that is over counts at its length.

Example:
  gdlr rg perft mygame.rg 4")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// The longest plays to count, in moves
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    depth: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, automaton) = arguments.file.automaton()?;
    let spinner = progress::spinner();
    let start = Instant::now();
    let show = |visited| spinner.set_message(format!("{} plays", grouped(visited)));
    let depth = arguments.depth as usize;
    let perft = rg::perft(&automaton, &mut Search::default(), depth, &interrupt::STOP, show);
    let elapsed = start.elapsed().as_secs_f64();
    spinner.finish_and_clear();
    if arguments.json {
        let mut value = json!({
            "game": source.name,
            "engine": "rg",
            "depth": arguments.depth,
            "counts": perft.counts,
            "terminal": perft.terminal,
            "seconds": seconds(elapsed),
        });
        if let Some(error) = &perft.error {
            value["error"] = json!(error.to_string());
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
        let table = output::table(&["depth", "plays", "over"], &[], rows);
        let time = rounded(elapsed);
        output::print(&format!("{}\n{time} s\n", output::table_text(&table)))?;
    }
    if let Some(error) = &perft.error {
        refuse(error);
        output::warn("these are the plays counted so far");
        return Ok(status_of(error));
    }
    if perft.complete {
        Ok(Status::Done)
    } else {
        output::warn("interrupted; these are the plays counted so far");
        Ok(Status::Interrupted)
    }
}
