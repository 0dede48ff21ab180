//! `gdlr rg perft`: plays of each length.

use super::file::FileArgument;
use super::run::{refuse, search, status_of};
use crate::cli::output::{self, counted, grouped, rounded, seconds};
use crate::cli::progress;
use crate::cli::status::{Outcome, Status};
use clap::Args;
use gdlr::rg::{self, PlayError};
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
    let show = |visited| spinner.set_message(counted(visited as usize, "play"));
    let depth = arguments.depth as usize;
    let perft = rg::perft(&automaton, &mut search(), depth, show);
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
        match &perft.error {
            Some(PlayError::Interrupted) => value["interrupted"] = json!(true),
            Some(error) => value["error"] = json!(error.to_string()),
            None => {}
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
    let Some(error) = &perft.error else { return Ok(Status::Done) };
    refuse(error);
    let interrupted = if *error == PlayError::Interrupted { "interrupted; " } else { "" };
    output::warn(&format!("{interrupted}these are the plays counted so far"));
    Ok(status_of(error))
}
