//! `gdlr rg run`: random plays.

use super::file::FileArgument;
use super::seen;
use crate::cli::output::{self, grouped, rounded, seconds};
use crate::cli::rulesheet::Source;
use crate::cli::status::{Outcome, Status};
use crate::cli::time::seconds as time;
use crate::cli::{interrupt, progress};
use clap::Args;
use gdlr::play::{DEFAULT_MAX_STEPS, seeded};
use gdlr::rg::{Automaton, Ending, Moves, Name, PlayError, Search};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How many plays there are between two looks at the clock.
const LOOKS: u64 = 16;

/// The message after Ctrl-C.
const INTERRUPTED: &str = "interrupted; the play under way does not count";

/// How long the last play may go on after the time is up, but for that time again.
const GRACE: Duration = Duration::from_secs(1);

/// Play at random
#[derive(Debug, Args)]
#[command(after_help = "\
Players and chance take each of their moves with the same probability; the
keeper moves on its own. With --plays, every play is finished. With --time, no
play begins after that time. If the last play then takes as long again, it is
cut, and the exit status is 3.

With --as, each play is printed as that player sees it: its own moves, and the
tags of others that are visible to it.

Examples:
  gdlr rg run mygame.rg
  gdlr rg run mygame.rg --as white
  gdlr rg run mygame.rg --plays 1000 --seed 7 --json")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Start plays for this time [default: 5]
    #[arg(long, value_name = "SECS", value_parser = time, conflicts_with = "plays")]
    time: Option<Duration>,
    /// Start exactly so many plays
    #[arg(long, value_name = "N")]
    plays: Option<u64>,
    /// Print what this player sees of each play; one play, unless --plays says more
    #[arg(long = "as", value_name = "PLAYER", conflicts_with = "time")]
    seen_by: Option<String>,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cut a play after so many moves
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_STEPS)]
    max_moves: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The percepts.
#[derive(Default)]
struct Tally {
    plays: u64,
    moves: u64,
    capped: u64,
    /// By player: how often which symbol was its goal.
    goals: Vec<BTreeMap<Name, u64>>,
    seconds: f64,
    /// Why there are no more plays.
    error: Option<PlayError>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let start = Instant::now();
    let (source, automaton) = arguments.file.automaton()?;
    let set_up = start.elapsed();
    if let Some(name) = &arguments.seen_by {
        return run_as(&source, &automaton, arguments, name);
    }
    let tally = play(&automaton, arguments);
    if arguments.json {
        output::print_json(&to_json(&source, &automaton, arguments, &tally, set_up))?;
    } else {
        output::print(&to_text(&source, &automaton, arguments, &tally, set_up))?;
    }
    let mut status = Status::Done;
    if tally.capped > 0 && tally.plays == 0 {
        output::error(&output::none_ended("play", tally.capped, "--max-moves"));
        status = Status::Budget;
    } else if tally.capped > 0 {
        output::warn(&output::some_cut("play", tally.capped, "--max-moves"));
    }
    if let Some(error) = &tally.error {
        refuse(error);
        status = status_of(error);
    }
    if status == Status::Interrupted {
        output::warn(INTERRUPTED);
    }
    Ok(status)
}

/// Plays as a player sees them.
fn run_as(source: &Source, automaton: &Automaton, arguments: &Arguments, name: &str) -> Outcome {
    let player = seen::player(automaton, name)?;
    let &Arguments { seed, max_moves, .. } = arguments;
    let how = (arguments.plays.unwrap_or(1), seed, max_moves);
    let (plays, error) = seen::play(automaton, player, search(), how);
    match arguments.json {
        true => {
            let value = seen::to_json(source, automaton, (name, seed), &plays, error.as_ref());
            output::print_json(&value)?;
        }
        false => output::print(&seen::to_text(source, automaton, (name, seed), &plays))?,
    }
    let Some(error) = error else { return Ok(Status::Done) };
    refuse(&error);
    let status = status_of(&error);
    if status == Status::Interrupted {
        output::warn(INTERRUPTED);
    }
    Ok(status)
}

/// Says why the game is not played on.
pub fn refuse(error: &PlayError) {
    match error {
        PlayError::Interrupted => {}
        _ if error.is_defect() => output::error(&format!("a defect of the game: {error}")),
        PlayError::OutOfTime => output::error("the last play did not end in good time"),
        _ => output::error(&error.to_string()),
    }
}

/// The exit status for a game that is not played on.
pub fn status_of(error: &PlayError) -> Status {
    match error {
        PlayError::Interrupted => Status::Interrupted,
        _ if error.is_defect() => Status::No,
        _ => Status::Budget,
    }
}

/// Working memory that Ctrl-C stops.
pub fn search() -> Search<'static> {
    Search::default().stopped_by(&interrupt::STOP)
}

fn play(automaton: &Automaton, arguments: &Arguments) -> Tally {
    let mut tally =
        Tally { goals: automaton.players().map(|_| BTreeMap::new()).collect(), ..Tally::default() };
    let time = match arguments.plays {
        Some(_) => None,
        None => Some(arguments.time.unwrap_or(Duration::from_secs(5))),
    };
    let bar = progress::spinner();
    let (mut search, mut moves) = (search(), Moves::default());
    let mut rng = seeded(arguments.seed, 0);
    let mut state = automaton.initial().clone();
    let start = Instant::now();
    if let Some(time) = time {
        search = search.until(start + 2 * time + GRACE);
    }
    let mut started = 0u64;
    while arguments.plays != Some(started) {
        if started.is_multiple_of(LOOKS) {
            bar.set_message(format!("{} plays", grouped(tally.plays)));
            if time.is_some_and(|time| start.elapsed() >= time) {
                break;
            }
        }
        started += 1;
        state.clone_from(automaton.initial());
        let played =
            automaton.playout((&mut search, &mut moves), &mut state, &mut rng, arguments.max_moves);
        match played {
            Ok(played) if played.ending == Ending::End => {
                tally.plays += 1;
                tally.moves += played.moves;
                for (player, goals) in automaton.players().zip(&mut tally.goals) {
                    *goals.entry(automaton.goal(&state, player)).or_insert(0) += 1;
                }
            }
            Ok(_) => tally.capped += 1,
            Err(error) => {
                tally.error = Some(error);
                break;
            }
        }
    }
    tally.seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    tally
}

impl Tally {
    fn a_second(&self, count: u64) -> f64 {
        count as f64 / self.seconds.max(1e-9)
    }

    fn mean_length(&self) -> Option<f64> {
        (self.plays > 0).then(|| self.moves as f64 / self.plays as f64)
    }
}

/// The mean of goals that are all numbers.
fn mean(automaton: &Automaton, goals: &BTreeMap<Name, u64>) -> Option<f64> {
    let mut sum = 0.0;
    for (&goal, &count) in goals {
        sum += automaton.text(goal).parse::<i64>().ok()? as f64 * count as f64;
    }
    let count: u64 = goals.values().sum();
    (count > 0).then(|| sum / count as f64)
}

fn to_json(
    source: &Source,
    automaton: &Automaton,
    arguments: &Arguments,
    tally: &Tally,
    set_up: Duration,
) -> Value {
    let players: Vec<Value> = (automaton.players().zip(&tally.goals))
        .map(|(player, goals)| {
            let counts: Map<String, Value> = (goals.iter())
                .map(|(&goal, &count)| (automaton.text(goal).to_owned(), json!(count)))
                .collect();
            json!({
                "player": automaton.text(automaton.player_name(player)),
                "mean_goal": mean(automaton, goals),
                "goals": counts,
            })
        })
        .collect();
    let mut value = json!({
        "game": source.name,
        "engine": "rg",
        "seed": arguments.seed,
        "setup_seconds": seconds(set_up.as_secs_f64()),
        "seconds": seconds(tally.seconds),
        "plays": tally.plays,
        "moves": tally.moves,
        "plays_per_second": tally.a_second(tally.plays),
        "moves_per_second": tally.a_second(tally.moves),
        "mean_length": tally.mean_length(),
        "capped": tally.capped,
        "players": players,
    });
    match &tally.error {
        Some(PlayError::Interrupted) => value["interrupted"] = json!(true),
        Some(error) => value["error"] = json!(error.to_string()),
        None => {}
    }
    value
}

fn to_text(
    source: &Source,
    automaton: &Automaton,
    arguments: &Arguments,
    tally: &Tally,
    set_up: Duration,
) -> String {
    let mut text = format!("{}: seed {}\n\n", source.name, arguments.seed);
    let mut rows = vec![
        ("plays/s", rounded(tally.a_second(tally.plays))),
        ("moves/s", rounded(tally.a_second(tally.moves))),
        ("mean length", tally.mean_length().map_or("-".to_owned(), rounded)),
        ("plays", grouped(tally.plays)),
        ("moves", grouped(tally.moves)),
        ("time", format!("{} s", rounded(tally.seconds))),
        ("set-up", format!("{} ms", rounded(set_up.as_secs_f64() * 1e3))),
    ];
    if tally.capped > 0 {
        rows.push(("cut", grouped(tally.capped)));
    }
    let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    text += &output::table_text(&output::table(&[], &[], rows));
    text += "\n";
    let rows = (automaton.players().zip(&tally.goals))
        .map(|(player, goals)| {
            let mean = mean(automaton, goals).map_or("-".to_owned(), rounded);
            let shares: Vec<String> = (goals.iter())
                .map(|(&goal, &count)| {
                    let share = 100.0 * count as f64 / tally.plays as f64;
                    format!("{}: {share:.1} %", automaton.text(goal))
                })
                .collect();
            let name = automaton.text(automaton.player_name(player)).to_owned();
            vec![name, mean, shares.join(", ")]
        })
        .collect();
    text + &output::table_text(&output::table(&["player", "mean goal", "goals"], &[2], rows))
}
