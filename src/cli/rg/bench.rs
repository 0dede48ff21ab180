//! The tables of `gdlr bench --rg`: what automata play, and what optimising them costs and brings.
//!
//! As in the tables of rulesheets, rates are per second of processor time, games take turns, and
//! every figure is the median of the rounds. An automaton and the optimised one play one after the
//! other, and the ratio is that of neighbouring runs.

use super::{file, optimise, run};
use crate::cli::clock::{Clock, median};
use crate::cli::output::{self, rounded};
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Status};
use crate::cli::{interrupt, progress};
use gdlr::budget::Budget;
use gdlr::play::{DEFAULT_MAX_STEPS, seeded};
use gdlr::rg::optimise::Size;
use gdlr::rg::{self, Automaton, Description, Ending, Moves};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How long the last play may go on after the time is up, but for that time again.
const GRACE: Duration = Duration::from_secs(1);

/// How games are measured.
pub struct Runs {
    /// How long a run starts plays.
    pub time: Duration,
    /// How many runs a game.
    pub repeat: u16,
    /// Seed of the first run.
    pub seed: u64,
    /// The budget of optimising.
    pub budget: Budget<'static>,
}

/// Plays of an automaton.
struct Plays {
    a_second: f64,
    mean_length: Option<f64>,
}

/// One round of a game; times in milliseconds.
struct Round {
    read: f64,
    check: f64,
    optimise: f64,
    /// Written, optimised.
    plays: [Plays; 2],
}

/// A game, and what was measured of it.
pub struct Row {
    source: Source,
    /// Written, optimised.
    sizes: Option<[Size; 2]>,
    rounds: Vec<Round>,
    /// Why it cannot be measured.
    failed: Option<String>,
}

/// Measures games round by round, all in turn.
pub fn measure(files: &[String], runs: &Runs) -> Result<Vec<Row>, Failure> {
    let row = |file: &String| {
        let source = Source::open(file, rg::MAX_BYTES)?;
        let description = file::description(&source)?;
        optimise::refuse_errors(&source, &description)?;
        Ok(Row { source, sizes: None, rounds: Vec::new(), failed: None })
    };
    let mut rows = files.iter().map(row).collect::<Result<Vec<Row>, Failure>>()?;
    let bar = progress::bar(u64::from(runs.repeat) * rows.len() as u64);
    for round in 0..u64::from(runs.repeat) {
        for row in &mut rows {
            bar.set_message(row.source.name.clone());
            if row.failed.is_none() {
                match once(row, runs, runs.seed.wrapping_add(round)) {
                    Ok(round) => row.rounds.push(round),
                    Err(reason) => row.failed = Some(reason),
                }
            }
            if interrupt::raised() {
                return Ok(rows);
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(rows)
}

/// A round of a game.
fn once(row: &mut Row, runs: &Runs, seed: u64) -> Result<Round, String> {
    let first = |errors: Vec<_>| {
        errors
            .first()
            .map_or(String::new(), |error: &gdlr::diagnostic::Diagnostic| error.to_string())
    };
    let clock = Clock::start();
    let written = gdlr::hrg::read_automaton(&row.source.bytes).map_err(first)?;
    let read = clock.seconds() * 1e3;
    let clock = Clock::start();
    drop(rg::validate(&written));
    let check = clock.seconds() * 1e3;
    let mut optimised = written.clone();
    let clock = Clock::start();
    let meter = runs.budget.start();
    rg::optimise::optimise(&mut optimised, |_| true, &meter, |_, _| ())
        .map_err(|exhausted| exhausted.to_string())?;
    let optimise = clock.seconds() * 1e3;
    row.sizes = Some([Size::of(&written), Size::of(&optimised)]);
    let plays = [play(&written, runs, seed)?, play(&optimised, runs, seed)?];
    Ok(Round { read, check, optimise, plays })
}

/// Plays at random for a time.
fn play(description: &Description, runs: &Runs, seed: u64) -> Result<Plays, String> {
    let automaton = Automaton::new(description)
        .map_err(|errors| errors.first().map_or(String::new(), ToString::to_string))?;
    let deadline = Instant::now() + 2 * runs.time + GRACE;
    let (mut search, mut moves) = (run::search().until(deadline), Moves::default());
    let (mut rng, mut state) = (seeded(seed, 0), automaton.initial().clone());
    let (mut plays, mut length) = (0_u64, 0_u64);
    let (clock, start) = (Clock::start(), Instant::now());
    while start.elapsed() < runs.time {
        state.clone_from(automaton.initial());
        let memory = (&mut search, &mut moves);
        let played = automaton.playout(memory, &mut state, &mut rng, DEFAULT_MAX_STEPS);
        let played = played.map_err(|error| error.to_string())?;
        if played.ending == Ending::End {
            plays += 1;
            length += played.moves;
        }
    }
    if plays == 0 {
        return Err("no play ended".to_owned());
    }
    let mean_length = Some(length as f64 / plays as f64);
    Ok(Plays { a_second: plays as f64 / clock.seconds(), mean_length })
}

impl Row {
    fn median(&self, figure: impl Fn(&Round) -> Option<f64>) -> Option<f64> {
        median(self.rounds.iter().filter_map(figure))
    }

    /// The plays a second of the automaton as written, or optimised.
    fn rate(&self, which: usize) -> Option<f64> {
        self.median(|round| Some(round.plays[which].a_second))
    }

    /// How many times as fast the optimised automaton is.
    fn ratio(&self) -> Option<f64> {
        self.median(|round| Some(round.plays[1].a_second / round.plays[0].a_second))
    }

    fn mean_length(&self) -> Option<f64> {
        self.median(|round| round.plays[0].mean_length)
    }

    /// The times of reading, checking and optimising.
    fn times(&self) -> [Option<f64>; 3] {
        let of = |figure: fn(&Round) -> f64| self.median(|round| Some(figure(round)));
        [of(|round| round.read), of(|round| round.check), of(|round| round.optimise)]
    }
}

/// The two tables.
pub fn to_text(rows: &[Row], markdown: bool) -> String {
    let figure = |value: Option<f64>| value.map_or("-".to_owned(), rounded);
    let plays = rows.iter().map(|row| {
        let figures = [row.rate(0), row.rate(1), row.ratio(), row.mean_length()];
        std::iter::once(row.source.name.clone()).chain(figures.map(figure)).collect()
    });
    let sizes = rows.iter().map(|row| {
        let size = |measure: fn(&Size) -> u64| match &row.sizes {
            Some(sizes) => sizes.each_ref().map(|size| measure(size).to_string()),
            None => ["-".to_owned(), "-".to_owned()],
        };
        let measures = [
            size(|size| size.nodes as u64),
            size(|size| size.edges as u64),
            size(|size| size.state_bits),
        ];
        let name = std::iter::once(row.source.name.clone());
        name.chain(measures.into_iter().flatten()).chain(row.times().map(figure)).collect()
    });
    let of_plays = ["game", "plays/s", "optimised", "ratio", "length"];
    let of_sizes = [
        "game", "nodes", "after", "edges", "after", "bits", "after", "read ms", "check", "optimise",
    ];
    let table = |header: &[&str], lines: Vec<Vec<String>>| {
        let mut table = output::table(header, &[], lines);
        if markdown {
            output::make_markdown(&mut table);
        }
        output::table_text(&table)
    };
    format!("{}\n{}", table(&of_plays, plays.collect()), table(&of_sizes, sizes.collect()))
}

/// The same as JSON.
pub fn to_json(runs: &Runs, rows: &[Row]) -> Value {
    let games: Vec<Value> = rows.iter().map(to_json_of).collect();
    json!({
        "seconds_per_run": runs.time.as_secs_f64(),
        "repeat": runs.repeat,
        "seed": runs.seed,
        "games": games,
    })
}

fn to_json_of(row: &Row) -> Value {
    let automaton = |which: usize| {
        let size = row.sizes.as_ref().map(|sizes| sizes[which]);
        json!({
            "plays_per_cpu_second": row.rate(which),
            "nodes": size.map(|size| size.nodes),
            "edges": size.map(|size| size.edges),
            "variables": size.map(|size| size.variables),
            "state_bits": size.map(|size| size.state_bits),
        })
    };
    let [read, check, optimise] = row.times();
    let mut value = json!({
        "game": row.source.name,
        "written": automaton(0),
        "optimised": automaton(1),
        "ratio": row.ratio(),
        "mean_length": row.mean_length(),
        "read_ms": read,
        "check_ms": check,
        "optimise_ms": optimise,
    });
    if let Some(reason) = &row.failed {
        value["error"] = json!(reason);
    }
    value
}

/// Says which games could not be measured, and ends accordingly.
pub fn status(rows: &[Row]) -> Status {
    let mut status = Status::Done;
    for row in rows {
        if let Some(reason) = row.failed.as_ref().filter(|_| !interrupt::raised()) {
            output::error(&format!("{}: {reason}", row.source.name));
            status = Status::Unusable;
        }
    }
    if interrupt::raised() { Status::Interrupted } else { status }
}
