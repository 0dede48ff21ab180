//! `gdlr match --series FILE`: a tournament.

use super::arguments::Arguments;
use super::id::id;
use super::plan::{can_be_sent, start_engines, suit};
use super::played::{Ground, Played};
use super::records::Records;
use super::settings::{Contest, Entry, SeriesFile, Settings, are_enough};
use super::status::status_of;
use super::table::Tables;
use super::text::{line, matches};
use crate::cli::engine;
use crate::cli::output;
use crate::cli::playable::{Playable, PlayableArguments};
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::thoughts::Log;
use crate::cli::{interrupt, progress};
use gdlr::engine::{Engine, RoleId};
use gdlr::ggp::contender::Contender;
use gdlr::ggp::manager::{self, Conditions, Event};
use gdlr::ggp::record::{Ending, Record};
use gdlr::ggp::series::{self, Fixture, Schedule};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::path::Path;
use std::thread;
use std::time::Duration;
use toml::Spanned;

/// The most matches of a series.
const MOST: u64 = 1_000_000;

/// Plays the series of a file.
pub fn run(path: &Path, arguments: &Arguments) -> Outcome {
    let file = SeriesFile::read(path)?;
    let settings = &file.settings;
    let players: Vec<&Entry> = settings.players.iter().map(Spanned::get_ref).collect();
    let log = arguments.log.open()?;
    let records = file.records()?;
    let grounds = grounds(&file, &players, arguments)?;
    let schedule = Schedule {
        seats: grounds.iter().map(|ground| ground.seats.len()).collect(),
        players: players.len(),
        rounds: settings.rounds.get(),
        rotate: settings.rotate,
    };
    match schedule.count() {
        Some(count) if count <= MOST => {}
        _ => {
            return Err(Failure::Unusable(format!(
                "`{}` asks for more than {} matches: take fewer rounds, games or players",
                path.display(),
                output::grouped(MOST)
            )));
        }
    }
    let fixtures = schedule.fixtures();
    let records = records.map(|folder| Records::new(folder, fixtures.len()));
    let played = play(settings, &players, &grounds, &fixtures, records.as_ref(), &log);
    let names: Vec<&str> = players.iter().map(|player| player.name()).collect();
    let tables = Tables::new(&names, &grounds, &played);
    match arguments.json {
        true => output::print_json(&json!({
            "series": path.to_string_lossy(),
            "settings": settings_json(settings, &grounds),
            "interrupted": interrupt::raised(),
            "scheduled": fixtures.len(),
            "matches": played.iter().map(|one| match_json(one, &grounds)).collect::<Value>(),
            "players": tables.players_json(),
            "games": tables.games_json(),
        }))?,
        false => output::print(&format!("{}\n{}", head(&played, &fixtures), tables.text()))?,
    }
    let mut unwritten = played.iter().filter_map(|played| played.unwritten.as_deref());
    if let Some(first) = unwritten.next() {
        let others = match unwritten.count() {
            0 => String::new(),
            count => format!("; nor {} more", output::counted(count, "record")),
        };
        return Err(Failure::Unusable(format!("{first}{others}")));
    }
    let interrupted = interrupt::raised().then_some(Status::Interrupted);
    let statuses = played.iter().map(|played| status_of(&played.record));
    Ok(statuses.chain(interrupted).max().unwrap_or(Status::Done))
}

/// Reads all games, and sets them up.
fn grounds(
    file: &SeriesFile,
    players: &[&Entry],
    arguments: &Arguments,
) -> Result<Vec<Ground>, Failure> {
    let mut games = Vec::new();
    for (Contest { game: place, clocks, .. }, game) in file.games() {
        let wanted = PlayableArguments { game, reading: arguments.reading };
        let playable = Playable::open(&wanted).map_err(|failure| match failure {
            Failure::Unusable(why) => file.refuse(&why, place),
            other => other,
        })?;
        let roles = playable.roles();
        let chance = roles.random();
        let seats: Vec<RoleId> = roles.iter().filter(|&role| chance != Some(role)).collect();
        are_enough(players.len(), seats.len()).map_err(|why| file.refuse(&why, place))?;
        let dialect = file.settings.dialect.of(playable.game());
        let dialect = dialect.map_err(|why| file.refuse(&why, place))?;
        let plans = players.iter().map(|player| &player.kind.plan);
        can_be_sent(&playable, plans).map_err(|why| file.refuse(&why, place))?;
        games.push((place, clocks, dialect, playable, seats));
    }
    // Whatever is wrong with a game is said before the first one is set up.
    let mut grounds = Vec::new();
    for (place, clocks, dialect, playable, seats) in games {
        let name = place.get_ref().clone();
        let timed = engine::make(&playable, &arguments.engine)?;
        let plans = || players.iter().map(|player| &player.kind.plan);
        suit(&timed.engine, plans()).map_err(|why| file.refuse(&why, place))?;
        let engines = start_engines(
            &playable,
            &timed,
            arguments.engine.engine,
            &arguments.engine.how,
            plans(),
        )?;
        if let Some(engines) = &engines {
            // The first matches are to be played as fast as the later ones.
            let spinner = progress::spinner();
            spinner.set_message(format!("setting up the players of {name}"));
            interrupt::at_once(|| while !engines.wait(Duration::from_millis(100)) {});
            spinner.finish_and_clear();
        }
        grounds.push(Ground { name, clocks, dialect, playable, timed, engines, seats });
    }
    Ok(grounds)
}

/// Plays the matches.
fn play(
    settings: &Settings,
    players: &[&Entry],
    grounds: &[Ground],
    fixtures: &[Fixture],
    records: Option<&Records>,
    log: &Log,
) -> Vec<Played> {
    let alone: Vec<bool> = players.iter().map(|player| player.kind.plan.is_elsewhere()).collect();
    let threads = match settings.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads.into(),
    };
    let bar = progress::bar(fixtures.len() as u64);
    let show = |ended: usize| {
        let stopping = if interrupt::raised() { ", stopping" } else { "" };
        bar.set_message(format!("{ended} of {}{stopping}", matches(fixtures.len())));
        bar.set_position(ended as u64);
    };
    show(0);
    let mut ended = 0;
    let one = |number: usize, fixture: &Fixture| {
        let ground = &grounds[fixture.game];
        let mut record = play_one(settings, players, ground, (number, fixture), log, &bar);
        let unwritten = records.and_then(|records| records.write(number, &record, ground).err());
        record.states = Vec::new();
        let steps = std::mem::take(&mut record.playout.steps);
        let moves = steps.into_iter().filter_map(|step| step.joint).collect();
        Played { number, fixture: fixture.clone(), record, unwritten, moves }
    };
    let tell = |number: usize, played: &Played| {
        ended += 1;
        let (game, line) = (&grounds[played.fixture.game].name, line(&played.record));
        bar.suspend(|| {
            output::note(&format!("match {} of {}: {game}: {line}", number + 1, fixtures.len()));
            if let Ending::Limit(limit) = &played.record.ending {
                output::warn(&format!("{game}: {limit}"));
            }
            if let Some(why) = &played.unwritten {
                output::warn(why);
            }
        });
        show(ended);
    };
    let played = series::run(fixtures, &alone, threads, &interrupt::STOP, one, tell);
    bar.finish_and_clear();
    played.into_iter().map(|(_, played)| played).collect()
}

fn play_one(
    settings: &Settings,
    players: &[&Entry],
    ground: &Ground,
    (number, fixture): (usize, &Fixture),
    log: &Log,
    bar: &ProgressBar,
) -> Record {
    let roles = ground.timed.engine.roles();
    let contender = |role: RoleId| {
        let Some(seat) = ground.seats.iter().position(|&seat| seat == role) else {
            return Contender::Random;
        };
        let entry = players[fixture.players[seat]];
        let seed = entry.seed.unwrap_or(settings.seed).wrapping_add(number as u64);
        // The manager draws from streams of the seed itself.
        let seed = seed ^ (u64::from(role.0) + 1) << 32;
        let (plan, engines) = (&entry.kind.plan, ground.engines.as_ref());
        plan.contender(entry.name(), seed, settings.max_steps, entry.memory(), engines)
    };
    let conditions = Conditions {
        id: id(ground.playable.name(), number as u64),
        start_clock: ground.clocks.start,
        play_clock: ground.clocks.play,
        seed: settings.seed.wrapping_add(number as u64),
        max_steps: settings.max_steps,
        max_errors: settings.max_errors.get(),
        dialect: ground.dialect,
    };
    let mut record = manager::run(
        ground.playable.game(),
        &ground.timed.engine,
        roles.iter().map(contender).collect(),
        &conditions,
        &interrupt::STOP,
        &mut |event| {
            let name = |role: RoleId| {
                let seat = ground.seats.iter().position(|&seat| seat == role);
                seat.map_or("random", |seat| players[fixture.players[seat]].name())
            };
            let number = number + 1;
            match event {
                Event::Fault(fault) => {
                    let text = format!("match {number}: {}: {fault}", name(fault.role));
                    bar.suspend(|| output::warn(&text));
                }
                Event::Thought(role, thought) => log.tell(&conditions.id, thought, |line| {
                    let text = format!("match {number}: {}: {line}", name(*role));
                    bar.suspend(|| output::note(&text));
                }),
                _ => {}
            }
        },
    );
    for (&role, &player) in ground.seats.iter().zip(&fixture.players) {
        record.players[role.index()].name = players[player].name().to_owned();
    }
    record
}

/// How much was played.
fn head(played: &[Played], fixtures: &[Fixture]) -> String {
    let ended = played.iter().filter(|one| one.record.ending == Ending::Terminal).count();
    match ended == fixtures.len() {
        true => matches(ended),
        false => format!("{ended} of {} came to their end", matches(fixtures.len())),
    }
}

fn settings_json(settings: &Settings, grounds: &[Ground]) -> Value {
    let games = grounds.iter().map(|ground| {
        json!({
            "game": ground.name,
            "engine": ground.timed.kind.as_str(),
            "start_clock": ground.clocks.start.as_secs_f64(),
            "play_clock": ground.clocks.play.as_secs_f64(),
            "roles": ground.timed.engine.roles().names(),
        })
    });
    let players = settings.players.iter().map(Spanned::get_ref).map(|entry| {
        json!({
            "player": entry.name(),
            "kind": entry.kind.text,
            "seed": entry.seed,
            "memory": entry.kind.plan.remembers().then(|| entry.memory()),
        })
    });
    json!({
        "rounds": settings.rounds,
        "rotate": settings.rotate,
        "threads": settings.threads,
        "seed": settings.seed,
        "max_errors": settings.max_errors,
        "max_steps": settings.max_steps,
        "dialect": settings.dialect,
        "games": games.collect::<Value>(),
        "players": players.collect::<Value>(),
    })
}

fn match_json(played: &Played, grounds: &[Ground]) -> Value {
    let mut value = played.record.of_match();
    value["number"] = json!(played.number + 1);
    value["round"] = json!(played.fixture.round + 1);
    value["game"] = json!(grounds[played.fixture.game].name);
    value["steps"] = json!(played.record.playout.length);
    value["moves"] = json!(played.moves);
    value
}
