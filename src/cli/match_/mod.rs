//! `gdlr match`: a game manager.
//!
//! | file | what it is for |
//! |---|---|
//! | `mod.rs` | one match, or several of the same players |
//! | `arguments` | what can be said on the command line |
//! | `entrants` | the players of these matches |
//! | `id` | identifiers of matches |
//! | `status` | how they end, as an exit status |
//! | `plan` | who is to play |
//! | `clock` | clocks, as users write them |
//! | `dialect` | how players elsewhere are told of a step, as users choose it |
//! | `estimate` | how long matches are likely to take |
//! | `show` | a match as it goes |
//! | `text` | results of matches |
//! | `settings` | the file of a series |
//! | `series` | a series: set-up, the matches, its JSON |
//! | `played` | a game of a series, and a match that was played |
//! | `records` | files with the records of a series |
//! | `table` | who did how well in a series |

mod arguments;
mod clock;
mod dialect;
mod entrants;
mod estimate;
mod id;
mod plan;
mod played;
mod records;
mod series;
mod settings;
mod show;
mod status;
mod table;
mod text;

pub use arguments::Arguments;

use crate::cli::engine;
use crate::cli::output;
use crate::cli::playable::{Playable, PlayableArguments};
use crate::cli::progress;
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::thoughts::Log;
use crate::cli::{engine::TimedEngine, interrupt};
use clock::{can_be_told, default_play_clock};
use entrants::{Entrant, entrants, labels};
use gdlr::engine::Engine;
use gdlr::ggp::archive;
use gdlr::ggp::contender::Contender;
use gdlr::ggp::manager::{self, Conditions};
use gdlr::ggp::record::{Ending, Record};
use gdlr::ggp::series::mean_and_interval;
use gdlr::search;
use gdlr::set_up::Handover;
use gdlr::viewer::Viewer;
use id::id;
use plan::{can_be_sent, start_engines, suit};
use serde_json::{Value, json};
use show::Show;
use status::status_of;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use text::{line, match_text, series_text};

pub fn run(arguments: &Arguments) -> Outcome {
    if let Some(path) = &arguments.series {
        return series::run(path, arguments);
    }
    for path in [&arguments.record, &arguments.xml].into_iter().flatten() {
        can_be_written(path)?;
    }
    let game = arguments.game.clone().unwrap_or_default();
    let playable = Playable::open(&PlayableArguments { game, reading: arguments.reading })?;
    let mut entrants = entrants(&playable.roles(), &arguments.player)?;
    let plans = entrants.iter().map(|entrant| &entrant.plan);
    can_be_sent(&playable, plans).map_err(Failure::Unusable)?;
    let is_anybody_elsewhere = entrants.iter().any(|entrant| entrant.plan.is_elsewhere());
    let play_clock =
        arguments.play_clock.unwrap_or_else(|| default_play_clock(is_anybody_elsewhere));
    if is_anybody_elsewhere {
        can_be_told([arguments.start_clock, play_clock]).map_err(Failure::Unusable)?;
    }
    let dialect = arguments.dialect.of(playable.game()).map_err(Failure::Unusable)?;
    let log = arguments.log.open()?;
    let timed = engine::make(&playable, &arguments.engine)?;
    let plans = || entrants.iter().map(|entrant| &entrant.plan);
    suit(&timed.engine, plans()).map_err(Failure::Unusable)?;
    let engines =
        start_engines(&playable, &timed, arguments.engine.engine, &arguments.engine.how, plans())?;
    if entrants.iter().any(|entrant| entrant.plan.thinks()) {
        let length = estimate::mean_length(&timed.engine, arguments.seed, arguments.max_steps);
        output::note(&estimate::text(length, play_clock, arguments.repeat));
    }
    let mut boards = boards(arguments, &playable, &timed);
    let mut records: Vec<Record> = Vec::new();
    for number in 0..u64::from(arguments.repeat) {
        let conditions = Conditions {
            id: id(playable.name(), number),
            start_clock: arguments.start_clock,
            play_clock,
            seed: arguments.seed.wrapping_add(number),
            max_steps: arguments.max_steps,
            max_errors: arguments.max_errors,
            dialect,
        };
        let one = One { number, conditions: &conditions, boards: boards.take() };
        let record = play(arguments, &playable, &timed, engines.as_ref(), &log, &mut entrants, one);
        let is_over = matches!(record.ending, Ending::Interrupted | Ending::Limit(_));
        records.push(record);
        if is_over {
            break;
        }
    }
    if let (Some(path), Some(value)) =
        (&arguments.record, Record::to_json(&records, &playable.source().bytes))
    {
        output::deliver(&format!("{value}\n"), Some(path))?;
    }
    if let (Some(path), Some(record)) = (&arguments.xml, records.first()) {
        output::deliver(&archive::to_xml(record), Some(path))?;
    }
    match (arguments.json, &records[..]) {
        (true, _) => {
            output::print_json(&to_json(arguments, play_clock, &timed, &entrants, &records))?;
        }
        (false, [only]) if arguments.repeat == 1 => output::print(&match_text(only))?,
        (false, _) => output::print(&series_text(playable.name(), &entrants, &records))?,
    }
    if let Some(Ending::Limit(limit)) = records.last().map(|record| &record.ending) {
        return Err(playable.source().refuse([limit.diagnostic()]));
    }
    Ok(records.iter().map(status_of).max().unwrap_or(Status::Done))
}

/// Refuses a path in a folder that is not there, before anything is played.
fn can_be_written(path: &Path) -> Result<(), Failure> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Failure::Unusable(format!(
                "cannot write `{}`: there is no folder `{}`",
                path.display(),
                folder.display()
            )))
        }
        _ => Ok(()),
    }
}

/// The boards of a match that is watched: a single one, on a terminal.
fn boards(arguments: &Arguments, playable: &Playable, timed: &TimedEngine) -> Option<Viewer> {
    let is_watched = arguments.repeat == 1 && !arguments.json && io::stderr().is_terminal();
    is_watched.then(|| {
        let mut viewer = Viewer::new(playable.game().clone(), &timed.engine);
        viewer.explore(&timed.engine, arguments.seed, &mut interrupt::raised);
        viewer
    })
}

/// One match of several.
struct One<'c> {
    number: u64,
    conditions: &'c Conditions,
    /// The viewer of its states, if somebody looks on.
    boards: Option<Viewer>,
}

/// Plays one match of a series and adds its result.
fn play(
    arguments: &Arguments,
    playable: &Playable,
    timed: &TimedEngine,
    engines: Option<&Arc<Handover>>,
    log: &Log,
    entrants: &mut [Entrant],
    One { number, conditions, boards }: One<'_>,
) -> Record {
    let roles = timed.engine.roles();
    // By role: the place of its player.
    let mut players = vec![None; roles.count()];
    for place in 0..entrants.len() {
        let turn = if arguments.rotate { number as usize } else { 0 };
        let role = entrants[(place + turn) % entrants.len()].role;
        players[role.index()] = Some(place);
    }
    let contenders = roles.iter().map(|role| match players[role.index()] {
        // The manager draws from streams of the seed itself.
        Some(place) => {
            let seed = conditions.seed ^ (u64::from(role.0) + 1) << 32;
            let (Entrant { name, plan, .. }, memory) = (&entrants[place], search::DEFAULT_MEMORY);
            plan.contender(name, seed, arguments.max_steps, memory, engines)
        }
        None => Contender::Random,
    });
    let mut show = Show {
        roles,
        id: &conditions.id,
        log,
        moves: arguments.repeat == 1,
        boards,
        before: Vec::new(),
        waiting: Vec::new(),
        spinner: progress::spinner(),
    };
    let record = manager::run(
        playable.game(),
        &timed.engine,
        contenders.collect(),
        conditions,
        &interrupt::STOP,
        &mut |event| show.event(event),
    );
    show.spinner.finish_and_clear();
    for (role, place) in roles.iter().zip(players) {
        let Some(place) = place else { continue };
        entrants[place].goals.extend(record.goals[role.index()].map(f64::from));
        entrants[place].errors += record.players[role.index()].errors;
    }
    if arguments.repeat > 1 {
        output::note(&format!("match {}: {}", number + 1, line(&record)));
    }
    record
}

fn to_json(
    arguments: &Arguments,
    play_clock: Duration,
    timed: &TimedEngine,
    entrants: &[Entrant],
    records: &[Record],
) -> Value {
    let players: Vec<Value> = entrants
        .iter()
        .zip(labels(entrants))
        .map(|(entrant, label)| {
            let (mean, interval) = mean_and_interval(&entrant.goals);
            json!({
                "player": label,
                "matches": entrant.goals.len(),
                "mean_goal": mean,
                "interval": interval.map(|(low, high)| [low, high]),
                "errors": entrant.errors,
            })
        })
        .collect();
    json!({
        "game": records.first().map(|record| &record.game),
        "engine": timed.kind.as_str(),
        "seed": arguments.seed,
        "start_clock": arguments.start_clock.as_secs_f64(),
        "play_clock": play_clock.as_secs_f64(),
        "roles": records.first().map(|record| &record.roles),
        "players": players,
        "matches": records.iter().map(match_json).collect::<Value>(),
    })
}

/// A match with its moves.
fn match_json(record: &Record) -> Value {
    let mut value = record.of_match();
    let joints = record.playout.steps.iter().filter_map(|step| step.joint.as_ref());
    value["steps"] = json!(record.playout.length);
    value["moves"] = joints.map(|joint| json!(joint)).collect();
    value
}
