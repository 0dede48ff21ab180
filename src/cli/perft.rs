//! `gdlr perft`: joint-move sequences of each length.

use super::engine::{self, EngineArguments};
use super::moment::MomentArguments;
use super::output::{self, grouped, rounded, seconds};
use super::playable::{Playable, PlayableArguments};
use super::status::{Failure, Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::engine::{AnyEngine, Engine, MoveId};
use gdlr::play::{self, Branch, Divided, Perft};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Instant;

/// Count the joint-move sequences of each length
#[derive(Debug, Args)]
#[command(after_help = "\
A terminal state counts at its depth and is not expanded.

--divide prints lines as chess programs do. A line `MOVES: COUNT` has a first
joint move, and the number of sequences of DEPTH joint moves that begin with it.
The last line has the sum. If one role has a choice, MOVES is its move; else
MOVES are the moves of all roles in brackets. --after takes both forms. Lines
are sorted by their text.

--json has \"counts\" and \"terminal\", by depth from 0, and with --divide also
\"divide\": a list of {\"moves\": [a move for each role], \"counts\", \"terminal\"},
counted from the state behind these moves, so from depth 0 to DEPTH - 1.

Examples:
  gdlr perft tictactoe 4
  gdlr perft reversi 5 --divide
  gdlr perft connect4 3 --divide --after \"(drop 3) (drop 4)\"
  gdlr perft mygame.kif 3 --facts state.kif --json")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    /// The longest sequences to count, in joint moves
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    depth: u32,
    #[command(flatten)]
    moment: MomentArguments,
    /// Say how many sequences begin with each joint move
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if arguments.divide && arguments.depth == 0 {
        return Err(Failure::Unusable(
            "--divide divides by the first joint move: take a DEPTH of 1 or more".to_owned(),
        ));
    }
    let playable = Playable::open(&arguments.game)?;
    let ready = engine::make(&playable, &arguments.engine)?;
    let engine = &ready.engine;
    let start_state = arguments.moment.find(engine)?.state(engine);
    let spinner = progress::spinner();
    let start = Instant::now();
    let show = |visited| spinner.set_message(format!("{} sequences", grouped(visited)));
    let depth = arguments.depth as usize;
    let Divided { perft, branches } = match arguments.divide {
        true => play::divide(engine, &start_state, depth, &interrupt::STOP, show),
        false => {
            let perft = play::perft_from(engine, &start_state, depth, &interrupt::STOP, show);
            Divided { perft, ..Divided::default() }
        }
    };
    let elapsed = start.elapsed().as_secs_f64();
    spinner.finish_and_clear();
    let lines = Lines::of(engine, &branches);
    if arguments.json {
        let mut value = json!({
            "game": playable.name(),
            "engine": ready.kind.as_str(),
            "depth": arguments.depth,
            "counts": perft.counts,
            "terminal": perft.terminal,
            "seconds": seconds(elapsed),
        });
        if arguments.divide {
            value["divide"] = lines.json();
        }
        if let Some(limit) = &perft.limit {
            value["too_much"] = json!(limit.diagnostic().message);
        } else if !perft.complete {
            value["interrupted"] = json!(true);
        }
        output::print_json(&value)?;
    } else if arguments.divide {
        output::print(&lines.text(perft.counts[depth]))?;
    } else {
        output::print(&format!("{}\n{} s\n", table(&perft), rounded(elapsed)))?;
    }
    judge(&playable, &perft)
}

/// The counts by depth.
fn table(perft: &Perft) -> String {
    let numbers = perft.counts.iter().zip(&perft.terminal).enumerate();
    let rows = numbers.map(|(depth, (&count, &terminal))| {
        vec![depth.to_string(), grouped(count), grouped(terminal)]
    });
    output::table_text(&output::table(&["depth", "sequences", "terminal"], &[], rows.collect()))
}

/// The first joint moves, sorted by what is written of them.
struct Lines<'b>(Vec<(String, Vec<String>, &'b Perft)>);

impl<'b> Lines<'b> {
    fn of(engine: &AnyEngine, branches: &'b [Branch]) -> Lines<'b> {
        let text = |&id: &MoveId| engine.move_term(id).1.spelled(engine.symbols());
        let joints = branches.iter().map(|branch| branch.joint.iter().map(text).collect());
        let joints: Vec<Vec<String>> = joints.collect();
        // The roles that have a choice.
        let choosers: Vec<usize> = match &joints[..] {
            [first, others @ ..] => (0..first.len())
                .filter(|&role| others.iter().any(|joint| joint[role] != first[role]))
                .collect(),
            [] => Vec::new(),
        };
        let written = |joint: &Vec<String>| match (&joint[..], &choosers[..]) {
            ([only], _) => only.clone(),
            (_, &[role]) => joint[role].clone(),
            _ => format!("({})", joint.join(" ")),
        };
        let perfts = branches.iter().map(|branch| &branch.perft);
        let lines = joints.into_iter().zip(perfts);
        let mut lines: Vec<_> =
            lines.map(|(joint, perft)| (written(&joint), joint, perft)).collect();
        lines.sort_by(|one, other| one.0.cmp(&other.0));
        Lines(lines)
    }

    /// As chess programs print it.
    fn text(&self, sum: u64) -> String {
        let mut text = String::new();
        for (written, _, perft) in &self.0 {
            // At each depth of a branch there is a count.
            let _ = writeln!(text, "{written}: {}", perft.counts.last().copied().unwrap_or(0));
        }
        let _ = writeln!(text, "\nNodes searched: {sum}");
        text
    }

    fn json(&self) -> Value {
        let line = |(_, moves, perft): &(String, Vec<String>, &Perft)| json!({ "moves": moves, "counts": perft.counts, "terminal": perft.terminal });
        self.0.iter().map(line).collect()
    }
}

/// The exit status, and on standard error what is wrong with the counts.
fn judge(playable: &Playable, perft: &Perft) -> Outcome {
    if perft.terminal[0] > 0 && perft.counts.len() > 1 {
        output::note("the game is over in the state where the count begins");
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
