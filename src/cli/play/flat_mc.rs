//! `gdlr play GAME --flatmc`: runs, and shows what was found.

use super::arguments::Arguments;
use crate::cli::engine;
use crate::cli::output::{self, grouped, rounded};
use crate::cli::playable::Playable;
use crate::cli::progress::Playouts;
use crate::cli::status::{Outcome, Status};
use crate::cli::{interrupt, output::seconds};
use gdlr::batch::{Backend, Batch};
use gdlr::gdl::Game;
use gdlr::play::{Control, Defect, DefectKind, FlatMonteCarlo, RandomPlay, Share, Statistics};
use gdlr::propnet::Propnet;
use gdlr::set_up::AnyRandomPlay;
use serde_json::{Map, Value, json};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

type RandomPlayEngine = engine::TimedEngine<AnyRandomPlay>;

const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// The most goal values of a role that the table tells one by one.
const SHOWN_GOALS: usize = 6;

/// The most playouts, and the most time, that go into finding a play with a defect which was
/// only counted; and how many of those playouts are a turn.
const SEARCH: (usize, Duration, u64) = (4096, Duration::from_secs(5), 16);

pub fn run(timed: &RandomPlayEngine, arguments: &Arguments, playable: &Playable) -> Outcome {
    let game = &**playable.game();
    let threads = match arguments.threads {
        Some(0) => available_parallelism().unwrap_or(NonZeroUsize::MIN),
        Some(threads) => NonZeroUsize::new(threads.into()).unwrap_or(NonZeroUsize::MIN),
        None => NonZeroUsize::MIN,
    };
    let time = match arguments.playouts {
        Some(_) => None,
        None => Some(arguments.time.unwrap_or(DEFAULT_TIME)),
    };
    let run = FlatMonteCarlo {
        playouts: arguments.playouts,
        time,
        threads,
        seed: arguments.seed,
        max_steps: arguments.max_steps,
    };
    let progress = Playouts::new(run.playouts, run.time);
    let mut statistics = run.run(&timed.engine, &interrupt::STOP, |now| progress.show(now));
    progress.clear();
    if let AnyRandomPlay::Batch(batch) = &timed.engine
        && defective(&statistics) > 0
    {
        statistics.defect = find_defect(batch, &run);
    }
    if arguments.json {
        output::print_json(&to_json(game, timed, &run, &statistics))?;
    } else {
        output::print(&to_text(game, timed, &run, &statistics))?;
    }
    let status = judge(game, &statistics);
    match &statistics.limit {
        Some(limit) => Err(playable.source().refuse([limit.diagnostic()])),
        None => Ok(status),
    }
}

/// How many defects of the game were met.
fn defective(statistics: &Statistics) -> u64 {
    statistics.stuck + statistics.roles.iter().map(|role| role.improper).sum::<u64>()
}

/// A play with a defect, by the engine of single states: many playouts at once only count them.
/// `None` if random play does not come upon one soon.
fn find_defect(batch: &Batch, run: &FlatMonteCarlo) -> Option<Defect> {
    let (turns, time, playouts) = SEARCH;
    let engine = Propnet::of_net(batch.game().clone(), batch.net().clone());
    let start = Instant::now();
    (0..turns).find_map(|thread| {
        let share = Share { thread, seed: run.seed, playouts, max_steps: run.max_steps };
        let control = |_, _| match interrupt::raised() || start.elapsed() > time {
            true => Control::Forget,
            false => Control::Play,
        };
        engine.random_play(&share, control).defect
    })
}

/// The exit status, and on standard error what is wrong.
fn judge(game: &Game, statistics: &Statistics) -> Status {
    let mut status = Status::Done;
    if statistics.capped > 0 && statistics.playouts == 0 {
        output::error(&output::none_ended("playout", statistics.capped, "--max-steps"));
        status = Status::Budget;
    } else if statistics.capped > 0 {
        output::warn(&output::some_cut("playout", statistics.capped, "--max-steps"));
    }
    if let Some(defect) = &statistics.defect {
        output::error(&defect_text(game, defect));
        status = Status::No;
    } else if defective(statistics) > 0 {
        output::error(&counted_defects(game, statistics));
        status = Status::No;
    }
    if statistics.interrupted {
        output::warn("interrupted; the playouts under way do not count");
        status = Status::Interrupted;
    }
    status
}

/// The defects of the game, where no play is known that shows them.
fn counted_defects(game: &Game, statistics: &Statistics) -> String {
    let playouts = |count: u64| format!("{} of the playouts", grouped(count));
    let mut lines = Vec::new();
    if statistics.stuck > 0 {
        let stuck = playouts(statistics.stuck);
        lines.push(format!("{stuck} end where a role has no legal move"));
    }
    for (role, counts) in game.roles.iter().zip(&statistics.roles) {
        if counts.improper > 0 {
            let (role, improper) = (role.spelled(&game.symbols), playouts(counts.improper));
            lines.push(format!("{improper} end without a proper goal value for {role}"));
        }
    }
    format!(
        "a defect of the game: {}; a search for a play that shows it found none \
         (--engine propnet shows the first that it meets)",
        lines.join(", ")
    )
}

/// The defects of the game, and the play that shows them.
fn defect_text(game: &Game, defect: &Defect) -> String {
    let role = game.roles[usize::from(defect.role.0)].spelled(&game.symbols);
    let mut text = match &defect.kind {
        DefectKind::Stuck => {
            format!(
                "a defect of the game: {role} has no legal move in a state that is not terminal"
            )
        }
        DefectKind::Goal(error) => {
            format!("a defect of the game: {error} for {role} in a terminal state")
        }
    };
    text += "; it was reached by";
    if defect.play.is_empty() {
        text += " no move at all";
    }
    for (step, joint) in defect.play.iter().enumerate() {
        text += &format!("\n  {:>3}. {}", step + 1, joint.join("  "));
    }
    text
}

fn to_json(
    game: &Game,
    timed: &RandomPlayEngine,
    run: &FlatMonteCarlo,
    statistics: &Statistics,
) -> Value {
    let roles: Vec<Value> = game
        .roles
        .iter()
        .zip(&statistics.roles)
        .map(|(role, counts)| {
            let goals: Map<String, Value> =
                counts.values().map(|(value, count)| (value.to_string(), json!(count))).collect();
            let mut value = json!({
                "role": role.spelled(&game.symbols),
                "mean_goal": counts.mean_goal(),
                "goals": goals,
            });
            if counts.improper > 0 {
                value["improper_goals"] = json!(counts.improper);
            }
            value
        })
        .collect();
    let mut value = json!({
        "game": game.name,
        "engine": timed.kind.as_str(),
        "threads": run.threads,
        "seed": run.seed,
        "setup_seconds": seconds(timed.setup.as_secs_f64()),
        "seconds": seconds(statistics.seconds),
        "playouts": statistics.playouts,
        "states": statistics.states,
        "playouts_per_second": statistics.playouts_per_second(),
        "states_per_second": statistics.states_per_second(),
        "mean_length": statistics.mean_length(),
        "capped": statistics.capped,
        "roles": roles,
    });
    if let AnyRandomPlay::Batch(batch) = &timed.engine {
        let backend = batch.backend();
        value["lanes"] = json!(batch.width().lanes());
        value["backend"] = json!(backend.as_str());
        if let Backend::Loops(why) = backend {
            value["without_code"] = json!(why.to_string());
        }
    }
    value["decisions"] = output::decisions_json(&timed.decisions);
    // Rows that only a game with a defect or a broken run has.
    if statistics.stuck > 0 {
        value["stuck"] = json!(statistics.stuck);
    }
    if let Some(defect) = &statistics.defect {
        value["defect"] = json!({
            "kind": match defect.kind { DefectKind::Stuck => "stuck", DefectKind::Goal(_) => "goal" },
            "role": game.roles[usize::from(defect.role.0)].spelled(&game.symbols),
            "play": defect.play,
        });
    }
    if let Some(limit) = &statistics.limit {
        value["too_much"] = json!(limit.diagnostic().message);
    }
    if statistics.interrupted {
        value["interrupted"] = json!(true);
    }
    value
}

fn to_text(
    game: &Game,
    timed: &RandomPlayEngine,
    run: &FlatMonteCarlo,
    statistics: &Statistics,
) -> String {
    let mut text = format!(
        "{}: engine {}, {}, seed {}\n\n",
        game.name,
        timed.kind,
        output::counted(run.threads.get(), "thread"),
        run.seed
    );
    let mean_length = statistics.mean_length().map_or("-".to_owned(), rounded);
    let mut rows = vec![
        ("playouts/s", rounded(statistics.playouts_per_second())),
        ("states/s", rounded(statistics.states_per_second())),
        ("mean length", mean_length),
        ("playouts", grouped(statistics.playouts)),
        ("states", grouped(statistics.states)),
        ("time", format!("{} s", rounded(statistics.seconds))),
        ("set-up", format!("{} ms", rounded(timed.setup.as_secs_f64() * 1e3))),
    ];
    if let AnyRandomPlay::Batch(batch) = &timed.engine {
        let by = match batch.backend() {
            Backend::Code => "machine code",
            Backend::Loops(_) => "loops",
        };
        rows.push(("lanes", format!("{}, by {by}", batch.width().lanes())));
    }
    if statistics.capped > 0 {
        rows.push(("cut", grouped(statistics.capped)));
    }
    if statistics.stuck > 0 {
        rows.push(("stuck", grouped(statistics.stuck)));
    }
    let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    text += &output::table_text(&output::table(&[], &[], rows));
    text += "\n";
    let mut rows = Vec::new();
    for (role, counts) in game.roles.iter().zip(&statistics.roles) {
        let mean = counts.mean_goal().map_or("-".to_owned(), rounded);
        let mut values: Vec<(u8, u64)> = counts.values().collect();
        let all: u64 = values.iter().map(|(_, count)| count).sum::<u64>() + counts.improper;
        let hidden = values.len().saturating_sub(SHOWN_GOALS);
        values.sort_by_key(|&(value, count)| (std::cmp::Reverse(count), value));
        values.truncate(SHOWN_GOALS);
        values.sort_unstable();
        let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / all as f64);
        let mut goals: Vec<String> =
            values.iter().map(|&(value, count)| format!("{value}: {}", share(count))).collect();
        if hidden > 0 {
            goals.push(format!("{hidden} more"));
        }
        if counts.improper > 0 {
            goals.push(format!("none: {}", share(counts.improper)));
        }
        rows.push(vec![role.spelled(&game.symbols), mean, goals.join(", ")]);
    }
    text + &output::table_text(&output::table(&["role", "mean goal", "goals"], &[2], rows))
}
