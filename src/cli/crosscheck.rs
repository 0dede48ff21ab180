//! `gdlr crosscheck`: engines against each other.

use super::engine::{self, GroundArguments, kind_parser, with_engine};
use super::output::{self, counted, grouped, rounded, seconds};
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Failure, Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::engine::EngineKind;
use gdlr::play::crosscheck::{
    Contestant, CrosscheckOptions, Crosschecked, Difference, Progress, Stage, Turn, crosscheck,
};
use gdlr::tree::TreeOptions;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Walk the same play down several engines and compare every state
#[derive(Debug, Args)]
#[command(after_help = "\
Facts, legal moves, terminality and goals are compared in every state of all
short sequences of joint moves and of random playouts, which leave for earlier
states now and then. Exits with 1 at the first difference, which is shown with
a play that leads to it, as short as could be found.

Examples:
  gdlr crosscheck tictactoe
  gdlr crosscheck mygame.kif --engines tree,propnet --playouts 1000 --seed 7")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Two or more engines; the others are compared with the first [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = kind_parser())]
    engines: Vec<EngineKind>,
    /// How many random playouts
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().playouts)]
    playouts: u64,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().seed)]
    seed: u64,
    /// Cut a playout after so many joint moves
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().max_steps)]
    max_steps: u64,
    /// Play at most so many joint moves for all short sequences
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().perft_nodes)]
    perft_nodes: u64,
    #[command(flatten)]
    ground: GroundArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is known of an engine before the comparison.
struct Entry {
    name: &'static str,
    setup: Duration,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let kinds = kinds(&arguments.engines)?;
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let make =
        |&kind| engine::make_kind(&rulesheet, kind, arguments.ground, TreeOptions::default());
    let made = kinds.iter().map(make).collect::<Result<Vec<_>, _>>()?;
    let entries: Vec<Entry> =
        made.iter().map(|made| Entry { name: made.kind.as_str(), setup: made.setup }).collect();
    let contestants: Vec<Contestant> = made
        .iter()
        .map(|made| {
            with_engine!(&made.engine, engine => Contestant::new(made.kind.as_str(), engine))
        })
        .collect();
    let options = CrosscheckOptions {
        playouts: arguments.playouts,
        seed: arguments.seed,
        max_steps: arguments.max_steps,
        perft_nodes: arguments.perft_nodes,
        ..CrosscheckOptions::default()
    };
    let bar = progress::bar(options.playouts);
    let start = Instant::now();
    let result = crosscheck(&contestants, &options, &interrupt::STOP, |now| show(&bar, now));
    let elapsed = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let name = &rulesheet.game.name;
    if arguments.json {
        output::print_json(&to_json(name, &entries, options.seed, &result, elapsed))?;
    } else {
        output::print(&to_text(name, &entries, &result, elapsed))?;
    }
    judge(&rulesheet, &entries, &result)
}

/// The engines to compare, each once.
fn kinds(wanted: &[EngineKind]) -> Result<Vec<EngineKind>, Failure> {
    let all = || EngineKind::ALL.iter().copied().filter(|kind| *kind != EngineKind::Auto);
    let mut kinds: Vec<EngineKind> = Vec::new();
    for &kind in wanted {
        if kind == EngineKind::Auto {
            let names: Vec<&str> = all().map(EngineKind::as_str).collect();
            return Err(Failure::Unusable(format!(
                "`auto` is one of the others; the engines to compare are {}",
                names.join(", ")
            )));
        }
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.len() {
        0 => Ok(all().collect()),
        1 => Err(Failure::Unusable(format!(
            "only one engine to compare, `{}`; name two or more, such as --engines {}",
            kinds[0],
            all().map(EngineKind::as_str).collect::<Vec<_>>().join(",")
        ))),
        _ => Ok(kinds),
    }
}

fn show(bar: &indicatif::ProgressBar, now: Progress) {
    let what = match now.stage {
        Stage::Perft => "all short plays",
        Stage::Playouts => "random playouts",
        Stage::Shortening => "they differ; looking for a shorter play",
    };
    let stopping = if interrupt::raised() { ", stopping" } else { "" };
    bar.set_position(now.playouts);
    bar.set_message(format!("{what}, {} states{stopping}", grouped(now.states)));
}

/// The exit status, and on standard error why the comparison is not complete.
fn judge(rulesheet: &Rulesheet, entries: &[Entry], result: &Crosschecked) -> Outcome {
    if result.stuck > 0 {
        output::warn(&format!(
            "a defect of the game: {} of the playouts end where a role has no legal move",
            grouped(result.stuck)
        ));
    }
    if result.difference.is_some() {
        return Ok(Status::No);
    }
    if let Some((engine, reason)) = &result.too_much {
        let name = entries[*engine].name;
        output::warn(&format!("a state was too much for {name}; the rest was not compared"));
        return Err(rulesheet.source.refuse([reason]));
    }
    if result.interrupted {
        output::warn("interrupted; the rest was not compared");
        return Ok(Status::Interrupted);
    }
    Ok(Status::Done)
}

fn to_text(name: &str, entries: &[Entry], result: &Crosschecked, elapsed: f64) -> String {
    let verdict = match &result.difference {
        Some(difference) => difference.to_string(),
        None => {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            let complete = result.too_much.is_none() && !result.interrupted;
            format!("{} agree{}", names.join(", "), if complete { "" } else { " so far" })
        }
    };
    let rows = entries
        .iter()
        .zip(&result.times)
        .map(|(entry, time)| {
            let rate = result.states as f64 / time.as_secs_f64();
            vec![
                entry.name.to_owned(),
                format!("{} ms", rounded(entry.setup.as_secs_f64() * 1e3)),
                format!("{} s", rounded(time.as_secs_f64())),
                rounded(rate),
            ]
        })
        .collect();
    let table = output::table(&["engine", "set-up", "time", "states/s"], &[], rows);
    let playouts = counted(result.playouts as usize, "playout");
    let states = counted(result.states as usize, "state");
    let perft = match result.perft.len().checked_sub(1) {
        Some(depth) => {
            let moves = counted(result.perft_nodes as usize, "joint move");
            format!(", perft to depth {depth} ({moves})")
        }
        None => String::new(),
    };
    let capped = match result.capped {
        0 => String::new(),
        capped => format!(" ({} cut)", grouped(capped)),
    };
    format!(
        "{name}: {verdict}\n\n{}\n{playouts}{capped}{perft}, {states} compared in {} s\n",
        output::table_text(&table),
        rounded(elapsed)
    )
}

fn to_json(name: &str, entries: &[Entry], seed: u64, result: &Crosschecked, elapsed: f64) -> Value {
    let engine = |(entry, time): (&Entry, &Duration)| {
        json!({
            "engine": entry.name,
            "setup_seconds": seconds(entry.setup.as_secs_f64()),
            "seconds": seconds(time.as_secs_f64()),
        })
    };
    let mut value = json!({
        "game": name,
        "engines": entries.iter().zip(&result.times).map(engine).collect::<Vec<_>>(),
        "seed": seed,
        "agrees": result.difference.is_none(),
        "playouts": result.playouts,
        "capped": result.capped,
        "states": result.states,
        "perft": {
            "counts": result.perft,
            "terminal": result.perft_terminal,
            "joint_moves": result.perft_nodes,
        },
        "seconds": seconds(elapsed),
    });
    if result.stuck > 0 {
        value["stuck"] = json!(result.stuck);
    }
    if let Some(difference) = &result.difference {
        value["difference"] = difference_json(difference);
    }
    if let Some((engine, reason)) = &result.too_much {
        value["too_much"] = json!({ "engine": entries[*engine].name, "reason": reason.message });
    }
    if result.interrupted {
        value["interrupted"] = json!(true);
    }
    value
}

fn difference_json(difference: &Difference) -> Value {
    let turn = |turn: &Turn| match turn {
        Turn::Play(joint) => json!({ "play": joint }),
        Turn::Enter(after) => json!({ "enter_state_after": after }),
    };
    let others: Vec<Value> = difference
        .dissents
        .iter()
        .map(|dissent| {
            json!({
                "engine": dissent.engine,
                "says": dissent.says,
                "lacks": dissent.lacks,
                "adds": dissent.adds,
            })
        })
        .collect();
    json!({
        "aspect": difference.aspect.to_string(),
        "first": { "engine": difference.first, "says": difference.says },
        "others": others,
        "place": difference.place.to_string(),
        "play": difference.play.iter().map(turn).collect::<Vec<_>>(),
        "shortest": difference.shortest,
        "repeatable": difference.repeatable,
        "facts": difference.facts,
    })
}
