//! `gdlr match`: a game manager.
//!
//! | file | what it is for |
//! |---|---|
//! | `mod.rs` | one match, or several of the same players |
//! | `plan` | who is to play |
//! | `clock` | clocks, as users write them |
//! | `show` | a match as it goes |
//! | `text` | results of matches |
//! | `settings` | the file of a series |
//! | `series` | a series: set-up, the matches, its JSON |
//! | `table` | who did how well in a series |

mod clock;
mod plan;
mod series;
mod settings;
mod show;
mod table;
mod text;

use crate::cli::engine::{self, EngineArguments};
use crate::cli::output;
use crate::cli::progress;
use crate::cli::rulesheet::{GameArguments, ReadingArguments, Rulesheet};
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::thoughts::{Log, LogArguments};
use crate::cli::{engine::Made, interrupt};
use clap::Args;
use clock::{can_be_told, clock};
use gdlr::engine::{Engine, RoleId, Roles};
use gdlr::ggp::archive;
use gdlr::ggp::contender::Contender;
use gdlr::ggp::manager::{self, Conditions};
use gdlr::ggp::record::{Ending, Record};
use gdlr::ggp::series::mean_and_interval;
use gdlr::play::DEFAULT_MAX_STEPS;
use gdlr::search;
use gdlr::set_up::Handover;
use plan::{Plan, start_engines};
use serde_json::{Value, json};
use show::Show;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use text::{labels, line, match_text, series_text};

/// Run matches between players, here or elsewhere
#[derive(Debug, Args)]
#[command(after_help = "\
A player is `random`, `mc` (Monte Carlo), `uct` (tree search), or the address of
one that speaks the protocol of General Game Playing. An answer that is late,
unreadable or illegal is replaced by a random legal move.

Exits with 1 if the game gives no proper goals, and with 3 if --max-steps cut a
match.

Examples:
  gdlr match tictactoe --player crosses=http://127.0.0.1:9147
  gdlr match connect4 --player red=uct --player yellow=mc --play-clock 1 \\
      --repeat 20 --rotate
  gdlr match nim --record nim.json && gdlr verify nim nim.json
  gdlr match --series tournament.toml --json > tournament.json")]
pub struct Arguments {
    /// Path to a rulesheet, `-` for standard input, or a bundled game
    #[arg(value_name = "GAME", required_unless_present = "series")]
    game: Option<String>,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    engine: EngineArguments,
    /// Play the tournament that a TOML file describes, see docs/ggp.md
    #[arg(long, value_name = "FILE", conflicts_with_all = IN_THE_FILE)]
    series: Option<PathBuf>,
    /// Who plays a role: an address, random, mc or uct [default: random]
    #[arg(long, value_name = "ROLE=PLAYER")]
    player: Vec<String>,
    /// The time that players have to get ready
    #[arg(long, value_name = "SECS", value_parser = clock, default_value = "30")]
    start_clock: Duration,
    /// The time that players have for a move
    #[arg(long, value_name = "SECS", value_parser = clock, default_value = "10")]
    play_clock: Duration,
    /// Ask a player no more after so many answers that do not count
    #[arg(long, value_name = "N", default_value_t = Conditions::default().max_errors,
          value_parser = clap::value_parser!(u32).range(1..))]
    max_errors: u32,
    /// Cut a match after so many joint moves
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_STEPS)]
    max_steps: u64,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play so many matches
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Let the players change roles from match to match
    #[arg(long)]
    rotate: bool,
    #[command(flatten)]
    log: LogArguments,
    /// Write what happened to a file, which `gdlr verify` replays
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write the match to a file in the form of public archives
    #[arg(long, value_name = "FILE", conflicts_with = "repeat")]
    xml: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What the file of a series says itself, or has no place for.
const IN_THE_FILE: [&str; 11] = [
    "game",
    "player",
    "start_clock",
    "play_clock",
    "max_errors",
    "max_steps",
    "seed",
    "repeat",
    "rotate",
    "record",
    "xml",
];

/// A player of a series, and how it has done.
#[derive(Debug)]
struct Entrant {
    /// What the user calls it.
    name: String,
    plan: Plan,
    /// The role that it has in the first match.
    role: RoleId,
    /// Its goal values.
    goals: Vec<f64>,
    errors: u32,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if let Some(path) = &arguments.series {
        return series::run(path, arguments);
    }
    for path in [&arguments.record, &arguments.xml].into_iter().flatten() {
        can_be_written(path)?;
    }
    let game = arguments.game.clone().unwrap_or_default();
    let rulesheet = Rulesheet::playable(&GameArguments { game, reading: arguments.reading })?;
    let roles = Roles::of(&rulesheet.game);
    let mut entrants = entrants(&roles, &arguments.player)?;
    if entrants.iter().any(|entrant| entrant.plan.is_elsewhere()) {
        can_be_told([arguments.start_clock, arguments.play_clock]).map_err(Failure::Unusable)?;
    }
    let log = arguments.log.open()?;
    let made = engine::make(&rulesheet, &arguments.engine)?;
    let plans = entrants.iter().map(|entrant| &entrant.plan);
    let engines = start_engines(&rulesheet, &arguments.engine.how, plans)?;
    let mut records: Vec<Record> = Vec::new();
    for number in 0..u64::from(arguments.repeat) {
        let record =
            play(arguments, &rulesheet, &made, engines.as_ref(), &log, &mut entrants, number);
        let is_over = matches!(record.ending, Ending::Interrupted | Ending::Limit(_));
        records.push(record);
        if is_over {
            break;
        }
    }
    if let (Some(path), Some(value)) =
        (&arguments.record, Record::to_json(&records, &rulesheet.source.bytes))
    {
        output::deliver(&format!("{value}\n"), Some(path))?;
    }
    if let (Some(path), Some(record)) = (&arguments.xml, records.first()) {
        output::deliver(&archive::to_xml(record), Some(path))?;
    }
    match (arguments.json, &records[..]) {
        (true, _) => output::print_json(&to_json(arguments, &made, &entrants, &records))?,
        (false, [only]) if arguments.repeat == 1 => output::print(&match_text(only))?,
        (false, _) => output::print(&series_text(&rulesheet.game.name, &entrants, &records))?,
    }
    if let Some(Ending::Limit(limit)) = records.last().map(|record| &record.ending) {
        return Err(rulesheet.source.refuse([limit.diagnostic()]));
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

/// What the user has said of the players; those of whom nothing was said play at random.
fn entrants(roles: &Roles, wanted: &[String]) -> Result<Vec<Entrant>, Failure> {
    let mut plans: Vec<Option<(String, Plan)>> = vec![None; roles.count()];
    for text in wanted {
        let refuse = |why: String| Failure::Unusable(format!("--player {text}: {why}"));
        let Some((role, player)) = text.split_once('=') else {
            return Err(refuse("write ROLE=PLAYER".to_owned()));
        };
        let Some(role) = roles.find(role) else {
            let names = roles.names().join(", ");
            return Err(refuse(format!("there is no role `{role}`; the roles are {names}")));
        };
        if plans[role.index()].is_some() {
            return Err(refuse("the role has a player already".to_owned()));
        }
        if roles.random() == Some(role) && player != "random" {
            return Err(refuse("the role of chance is played at random".to_owned()));
        }
        let plan = Plan::read(player).map_err(refuse)?;
        plans[role.index()] = Some((player.to_owned(), plan));
    }
    let chance = roles.random();
    let entrants = roles.iter().zip(plans).filter(|&(role, _)| chance != Some(role));
    let entrant = |(role, plan): (RoleId, Option<(String, Plan)>)| {
        let (name, plan) = plan.unwrap_or_else(|| ("random".to_owned(), Plan::Random));
        Entrant { name, plan, role, goals: Vec::new(), errors: 0 }
    };
    Ok(entrants.map(entrant).collect())
}

/// Plays one match of a series and adds its result.
fn play(
    arguments: &Arguments,
    rulesheet: &Rulesheet,
    made: &Made,
    engines: Option<&Arc<Handover>>,
    log: &Log,
    entrants: &mut [Entrant],
    number: u64,
) -> Record {
    let roles = made.engine.roles();
    let seed = arguments.seed.wrapping_add(number);
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
            let seed = seed ^ (u64::from(role.0) + 1) << 32;
            let (Entrant { name, plan, .. }, memory) = (&entrants[place], search::DEFAULT_MEMORY);
            plan.contender(name, seed, arguments.max_steps, memory, engines)
        }
        None => Contender::Random,
    });
    let conditions = Conditions {
        id: id(&rulesheet.game.name, number),
        start_clock: arguments.start_clock,
        play_clock: arguments.play_clock,
        seed,
        max_steps: arguments.max_steps,
        max_errors: arguments.max_errors,
    };
    let mut show = Show {
        roles,
        id: &conditions.id,
        log,
        moves: arguments.repeat == 1,
        waiting: Vec::new(),
        spinner: progress::spinner(),
    };
    let record = manager::run(
        &rulesheet.game,
        &made.engine,
        contenders.collect(),
        &conditions,
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

/// An identifier that no other match has: one symbol, whatever the game is called.
fn id(game: &str, number: u64) -> String {
    let legible = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let game: String = game.chars().map(legible).take(40).collect();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("gdlr.{game}.{}.{}.{number}", now.as_millis(), std::process::id())
}

fn to_json(arguments: &Arguments, made: &Made, entrants: &[Entrant], records: &[Record]) -> Value {
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
        "engine": made.kind.as_str(),
        "seed": arguments.seed,
        "start_clock": arguments.start_clock.as_secs_f64(),
        "play_clock": arguments.play_clock.as_secs_f64(),
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

fn status_of(record: &Record) -> Status {
    match record.ending {
        Ending::Terminal if record.goals.iter().all(Option::is_some) => Status::Done,
        Ending::Terminal | Ending::Stuck(_) => Status::No,
        Ending::Cap | Ending::Limit(_) => Status::Budget,
        Ending::Interrupted => Status::Interrupted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let roles = Roles::new(["white", "random", "black"].map(String::from));
        let read = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            entrants(&roles, &texts).map_err(|failure| format!("{failure:?}"))
        };
        let all = read(&["black=uct", "WHITE=http://localhost:9147"]).expect("players");
        let names: Vec<&str> = all.iter().map(|entrant| entrant.name.as_str()).collect();
        assert_eq!(names, ["http://localhost:9147", "uct"]);
        assert_eq!(read(&["random=random"]).expect("players").len(), 2);
        for (wrong, why) in [
            ("uct", "ROLE=PLAYER"),
            ("green=uct", "white, random, black"),
            ("random=uct", "chance"),
            ("white=https://localhost", "http://HOST:PORT"),
            ("white=uctt", "random, mc, uct"),
        ] {
            assert!(read(&[wrong]).expect_err(wrong).contains(why), "{wrong}");
        }
        assert!(read(&["white=uct", "white=mc"]).expect_err("twice").contains("already"));
    }

    #[test]
    fn an_identifier_is_one_symbol() {
        let id = id("a (game) of; ?x", 3);
        assert!(id.starts_with("gdlr.a--game--of---x.") && id.ends_with(".3"), "{id}");
    }
}
