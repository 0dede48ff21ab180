//! `gdlr match`: a game manager.
//!
//! | file | what it is for |
//! |---|---|
//! | `mod.rs` | one match, or several of the same players |
//! | `settings` | the file of a series |
//! | `series` | a series: set-up, the matches, its JSON |
//! | `table` | who did how well in a series |

mod series;
mod settings;
mod table;

use crate::cli::engine::{self, EngineArguments, SetUpArguments};
use crate::cli::output::{self, counted, grouped, rounded};
use crate::cli::play::Player;
use crate::cli::play::seconds;
use crate::cli::progress;
use crate::cli::rulesheet::{GameArguments, ReadingArguments, Rulesheet};
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::thoughts::{Log, LogArguments};
use crate::cli::{engine::Made, interrupt};
use clap::Args;
use gdlr::engine::{Engine, EngineKind, RoleId, Roles};
use gdlr::ggp::archive;
use gdlr::ggp::client::HttpPlayer;
use gdlr::ggp::contender::Contender;
use gdlr::ggp::manager::{self, Conditions, Event};
use gdlr::ggp::record::{Ending, Record, Request};
use gdlr::ggp::series::mean_and_interval;
use gdlr::play::DEFAULT_MAX_STEPS;
use gdlr::search;
use gdlr::set_up::Handover;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The longest clock.
const LONGEST_CLOCK: Duration = Duration::from_secs(24 * 3600);

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

/// A clock, as users write it.
fn clock(text: &str) -> Result<Duration, String> {
    within_a_day(seconds(text)?)
}

/// A clock of so many seconds.
fn clock_of(seconds: f64) -> Result<Duration, String> {
    let time = Duration::try_from_secs_f64(seconds);
    within_a_day(time.map_err(|_| "not a time that can pass".to_owned())?)
}

fn within_a_day(time: Duration) -> Result<Duration, String> {
    match time {
        time if time.is_zero() => Err("nobody can answer in no time".to_owned()),
        time if time > LONGEST_CLOCK => Err("longer than a day".to_owned()),
        time => Ok(time),
    }
}

/// How a player is to be made.
#[derive(Clone, Debug)]
enum Plan {
    Random,
    Here(Player),
    Elsewhere(Arc<HttpPlayer>),
}

impl Plan {
    /// The player that a user has named.
    fn read(text: &str) -> Result<Plan, String> {
        Ok(match text {
            "random" => Plan::Random,
            "mc" => Plan::Here(Player::Mc),
            "uct" => Plan::Here(Player::Uct),
            url => match HttpPlayer::new(url) {
                Ok(player) => Plan::Elsewhere(Arc::new(player)),
                Err(error) => return Err(format!("{error}, or random, mc, uct")),
            },
        })
    }

    fn is_elsewhere(&self) -> bool {
        matches!(self, Plan::Elsewhere(_))
    }

    /// Whether it makes use of memory.
    fn remembers(&self) -> bool {
        matches!(self, Plan::Here(Player::Uct))
    }

    /// The player of a match. One on this machine plays on `engines`, of [`start_engines`].
    fn contender(
        &self,
        name: &str,
        seed: u64,
        max_steps: u64,
        memory: usize,
        engines: Option<&Arc<Handover>>,
    ) -> Contender {
        match self {
            Plan::Random => Contender::Random,
            Plan::Here(player) => {
                let engines = engines.expect("engines of a player on this machine").clone();
                let player = player.of_match(seed, max_steps, memory);
                Contender::Here(name.to_owned(), player, engines)
            }
            Plan::Elsewhere(player) => Contender::Elsewhere(name.to_owned(), player.clone()),
        }
    }
}

/// Begins to make the engines of players on this machine, if there are any: once for all.
fn start_engines<'p>(
    rulesheet: &Rulesheet,
    how: &SetUpArguments,
    plans: impl IntoIterator<Item = &'p Plan>,
) -> Result<Option<Arc<Handover>>, Failure> {
    if !plans.into_iter().any(|plan| matches!(plan, Plan::Here(_))) {
        return Ok(None);
    }
    let started = how.set_up(EngineKind::Auto).start(rulesheet.game.clone());
    let started = started.map_err(|error| engine::refused(rulesheet, &error, ""))?;
    Ok(Some(Arc::new(started)))
}

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

/// Shows a match as it goes, on standard error.
struct Show<'r> {
    roles: &'r Roles,
    /// The match.
    id: &'r str,
    log: &'r Log,
    /// Whether moves are shown, too.
    moves: bool,
    /// Who has not answered yet.
    waiting: Vec<RoleId>,
    spinner: ProgressBar,
}

impl Show<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Asked(request, step, asked) => {
                self.waiting = asked.to_vec();
                self.wait(*request, *step);
            }
            Event::Answered(role, _) => {
                self.waiting.retain(|waiting| waiting != role);
                self.name_waiting();
            }
            Event::Fault(fault) => self.say(|| {
                output::warn(&format!("{}: {fault}", self.roles.name(fault.role)));
            }),
            Event::GivenUp(role) => self.say(|| {
                let name = self.roles.name(*role);
                output::warn(&format!("{name}: too many errors; it is not asked any more"));
            }),
            Event::Thought(_, thought) => self.say(|| {
                self.log.tell(self.id, thought, |line| output::note(&line));
            }),
            Event::Played(step, joint) if self.moves => self.say(|| {
                output::note(&format!("step {}: {}", step + 1, joint.join(" | ")));
            }),
            Event::Played(..) => {}
        }
    }

    fn wait(&self, request: Request, step: u64) {
        self.spinner.set_prefix(match request {
            Request::Play => format!("step {}", step + 1),
            request => request.as_str().to_owned(),
        });
        self.name_waiting();
    }

    fn name_waiting(&self) {
        let names: Vec<&str> = self.waiting.iter().map(|&role| self.roles.name(role)).collect();
        let prefix = self.spinner.prefix();
        self.spinner.set_message(format!("{prefix}: {}", names.join(", ")));
    }

    fn say(&self, write: impl FnOnce()) {
        self.spinner.suspend(write);
    }
}

/// How a match ended, in a few words.
fn ending(record: &Record) -> String {
    let steps = counted(record.playout.length, "step");
    match &record.ending {
        Ending::Terminal => steps,
        Ending::Cap => format!("cut after {steps} (see --max-steps)"),
        Ending::Stuck(role) => {
            format!("{} has no legal move after {steps}", record.roles[role.index()])
        }
        Ending::Interrupted => format!("interrupted after {steps}"),
        Ending::Limit(_) => format!("broken off after {steps}"),
    }
}

fn goal(goal: Option<u8>) -> String {
    goal.map_or_else(|| "-".to_owned(), |goal| goal.to_string())
}

/// A match in one line.
fn line(record: &Record) -> String {
    let by_role = record.roles.iter().zip(&record.players).zip(&record.goals);
    let goals: Vec<String> = by_role
        .map(|((role, player), value)| format!("{role} ({}) {}", player.name, goal(*value)))
        .collect();
    format!("{}; {}", goals.join(", "), ending(record))
}

/// The result of one match.
fn match_text(record: &Record) -> String {
    let by_role = record.roles.iter().zip(&record.players).zip(&record.goals);
    let rows = by_role.map(|((role, player), value)| {
        vec![role.clone(), goal(*value), player.name.clone(), player.errors.to_string()]
    });
    let table = output::table(&["role", "goal", "player", "errors"], &[2], rows.collect());
    format!("{}: {}\n{}", record.game, ending(record), output::table_text(&table))
}

/// The results of a series.
fn series_text(game: &str, entrants: &[Entrant], records: &[Record]) -> String {
    let rows = entrants.iter().zip(labels(entrants)).map(|(entrant, label)| {
        let (mean, interval) = mean_and_interval(&entrant.goals);
        let interval = interval.map(|(low, high)| format!("{} .. {}", rounded(low), rounded(high)));
        vec![
            label,
            entrant.goals.len().to_string(),
            mean.map_or_else(|| "-".to_owned(), rounded),
            interval.unwrap_or_else(|| "-".to_owned()),
            entrant.errors.to_string(),
        ]
    });
    let header = ["player", "matches", "mean goal", "95 % interval", "errors"];
    let table = output::table(&header, &[], rows.collect());
    let matches = matches(records.len());
    format!("{game}: {matches}\n{}", output::table_text(&table))
}

/// `1 match`, `2 matches`.
fn matches(count: usize) -> String {
    format!("{} match{}", grouped(count as u64), if count == 1 { "" } else { "es" })
}

/// What to call the players: those that are called the same with their number.
fn labels(entrants: &[Entrant]) -> Vec<String> {
    let label = |(place, entrant): (usize, &Entrant)| {
        let alike = entrants.iter().filter(|other| other.name == entrant.name).count();
        match alike {
            1 => entrant.name.clone(),
            _ => format!("{} ({})", entrant.name, place + 1),
        }
    };
    entrants.iter().enumerate().map(label).collect()
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
