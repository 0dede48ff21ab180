//! `gdlr verify`: recorded play, replayed.

use super::engine::{self, EngineArguments};
use super::output::{self, counted, grouped, seconds};
use super::playable::{Playable, PlayableArguments};
use super::status::{Failure, Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::play::trace::Trace;
use gdlr::play::verify::{Mismatch, Verified, VerifyOptions, verify};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;
use std::time::Instant;

/// The most bytes of a trace.
const LARGEST_TRACE: u64 = 256 << 20;

/// Replay recorded play and compare every state
#[derive(Debug, Args)]
#[command(after_help = "\
Exits with 1 at the first difference, and shows the play that leads to it.

Example:
  gdlr verify mygame.kif mygame.json")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    /// Path to the trace of the game
    #[arg(value_name = "TRACE")]
    trace: String,
    #[command(flatten)]
    engine: EngineArguments,
    /// Play at most so many joint moves to compare perft
    #[arg(long, value_name = "N", default_value_t = VerifyOptions::default().perft_nodes)]
    perft_nodes: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let trace = read_trace(&arguments.trace)?;
    let playable = Playable::open(&arguments.game)?;
    let case_sensitive = playable.game().symbols.is_case_sensitive();
    if !trace.is_of(&playable.source().bytes) {
        output::warn("the trace was made from a rulesheet of other bytes");
    }
    if !trace.case_variants.is_empty() && !case_sensitive {
        let names = trace.case_variants.join(", ");
        output::warn(&format!("the trace tells case apart ({names}); see --case-sensitive"));
    }
    let ready = engine::make(&playable, &arguments.engine)?;
    let options = VerifyOptions { perft_nodes: arguments.perft_nodes };
    let spinner = progress::spinner();
    spinner.set_message(playable.name().to_owned());
    let start = Instant::now();
    let result = verify(&ready.engine, &trace, &options, &interrupt::STOP);
    let elapsed = start.elapsed().as_secs_f64();
    spinner.finish_and_clear();
    let name = playable.name();
    if arguments.json {
        let mut value = json!({
            "game": name,
            "engine": ready.kind.as_str(),
            "agrees": result.is_ok(),
            "seconds": seconds(elapsed),
        });
        match &result {
            Ok(verified) => add_counts(&mut value, verified),
            Err(difference) => value["difference"] = difference_json(difference),
        }
        output::print_json(&value)?;
    } else {
        output::print(&match &result {
            Ok(verified) => format!("{name}: agrees in {}\n", counts_text(verified)),
            Err(difference) => format!("{name}: {difference}\n"),
        })?;
    }
    match result {
        Err(_) => Ok(Status::No),
        Ok(Verified { limit: Some(limit), .. }) => {
            output::warn("the rest of the trace was not compared");
            Err(playable.source().refuse([limit.diagnostic()]))
        }
        Ok(verified) if verified.interrupted => {
            output::warn("interrupted; the rest of the trace was not compared");
            Ok(Status::Interrupted)
        }
        Ok(_) => Ok(Status::Done),
    }
}

/// Reads a trace or the record of a match.
pub(super) fn read_trace(path: &str) -> Result<Trace, Failure> {
    trace_of(path, &read_record(path)?)
}

/// The trace that the text of a file is.
pub(super) fn trace_of(path: &str, text: &str) -> Result<Trace, Failure> {
    Trace::from_json(text).map_err(|error| Failure::Unusable(format!("`{path}` is {error}")))
}

/// The text of a trace.
pub(super) fn read_record(path: &str) -> Result<String, Failure> {
    let cannot = |reason: &str| Failure::Unusable(format!("cannot read `{path}`: {reason}"));
    let file = File::open(path).map_err(|error| cannot(&error.to_string()))?;
    let mut text = String::new();
    file.take(LARGEST_TRACE + 1)
        .read_to_string(&mut text)
        .map_err(|error| cannot(&error.to_string()))?;
    if text.len() as u64 > LARGEST_TRACE {
        return Err(cannot(&format!("it is larger than {} MiB", LARGEST_TRACE >> 20)));
    }
    Ok(text)
}

fn counts_text(verified: &Verified) -> String {
    let (playouts, states) =
        (counted(verified.playouts, "playout"), counted(verified.states, "state"));
    match verified.depths.checked_sub(1) {
        Some(depth) => format!(
            "{playouts}, {states}, and perft to depth {depth} ({} joint moves)",
            grouped(verified.perft_nodes)
        ),
        None => format!("{playouts} and {states}"),
    }
}

fn add_counts(value: &mut Value, verified: &Verified) {
    value["playouts"] = json!(verified.playouts);
    value["states"] = json!(verified.states);
    value["perft_depths"] = json!(verified.depths);
    value["perft_nodes"] = json!(verified.perft_nodes);
    if verified.interrupted {
        value["interrupted"] = json!(true);
    }
}

fn difference_json(difference: &Mismatch) -> Value {
    json!({
        "place": difference.place.to_string(),
        "aspect": difference.aspect.to_string(),
        "expected": difference.expected,
        "found": difference.found,
        "missing": difference.missing,
        "surplus": difference.surplus,
        "path": difference.path,
        "facts": difference.facts,
    })
}
