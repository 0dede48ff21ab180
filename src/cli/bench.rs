//! `gdlr bench`: the tables of `docs/benchmarks.md`.
//!
//! Rates are taken per second of processor time, which other programs on the machine
//! disturb little. Games and variants take turns: what changes during a run of the whole
//! table (heat, other programs) touches all of them, and a speed-up is the ratio of two
//! neighbouring runs. Every figure is the median of the rounds.
//!
//! Automata have tables of their own, in `rg/bench.rs`.
//!
//! A variant is an engine, or the resolution trees without one of their optimisations.

use super::clock::{Clock, median};
use super::engine::{GroundArguments, Switch, WithoutArguments, kind_parser};
use super::interrupt;
use super::output::{self, rounded};
use super::progress;
use super::rg;
use super::rulesheet::{ReadingArguments, Source};
use super::status::{Failure, Outcome, Status};
use super::time::seconds;
use clap::Args;
use gdlr::bundled;
use gdlr::diagnostic::Diagnostic;
use gdlr::engine::EngineKind;
use gdlr::gdl::{Game, Reading};
use gdlr::notation;
use gdlr::play::FlatMonteCarlo;
use gdlr::set_up::SetUp;
use gdlr::tree::TreeOptions;
use serde_json::{Value, json};
use std::time::Duration;

/// Measure set-up and random playouts, one row a game
#[derive(Debug, Args)]
#[command(after_help = "\
Without GAME, all bundled games are measured. A rate is per second of processor
time, and the median of the runs. The spread is half the range of the runs.
There is a row for each engine. The ratio is the rate of states, divided by the
rate of the first engine. M is a million; --markdown prints all digits. The
memory is the largest memory of the whole process in a run (Linux only).

With --rg there are two tables. The first has the plays of each automaton, as it
is written and optimised (gdlr rg optimise), the ratio of both rates, and the
number of moves of players in a play. The second has the sizes before and after,
and the times of reading (and of translating HRG), checking and optimising.

Examples:
  gdlr bench
  gdlr bench --engine tree
  gdlr bench tictactoe mygame.kif --time 5 --repeat 9 --markdown
  gdlr bench --ablation            what each optimisation brings
  gdlr bench --rg mygame.hrg other.rg --markdown")]
pub struct Arguments {
    /// Paths to rulesheets, or bundled games; with --rg, to automata
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Which engines, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "tree,propnet,batch",
          value_parser = kind_parser(EngineKind::ALL.iter().copied()))]
    engine: Vec<EngineKind>,
    /// How long a run starts playouts
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "1")]
    time: Duration,
    /// How many runs a game (and variant)
    #[arg(long, value_name = "N", default_value_t = 5,
          value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
    /// Seed of the first run
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The speed-up by each optimisation of the resolution trees
    #[arg(long, conflicts_with_all = ["without", "engine"])]
    ablation: bool,
    /// Measure automata, in RG or HRG, and what optimising them brings
    #[arg(long, requires = "games", conflicts_with_all = ["engine", "ablation", "without"])]
    rg: bool,
    #[command(flatten)]
    ground: GroundArguments,
    #[command(flatten)]
    without: WithoutArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Print the table as Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The figures of each game.
#[derive(Clone, Copy)]
struct Variant {
    kind: EngineKind,
    options: TreeOptions,
}

/// One run of one variant.
struct Run {
    engine: EngineKind,
    setup_ms: f64,
    /// Of the propositional net, if it is one.
    gates: Option<f64>,
    playouts_per_second: f64,
    states_per_second: f64,
    mean_length: Option<f64>,
    /// The most resident memory, in bytes, where the system tells.
    memory: Option<f64>,
}

/// A game, and the runs of each of its variants.
struct Row {
    source: Source,
    /// By variant, the full engine first.
    runs: Vec<Vec<Run>>,
    /// By variant: why it cannot be measured.
    failed: Vec<Option<String>>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    if arguments.rg {
        let &Arguments { time, repeat, seed, .. } = arguments;
        let runs = rg::bench::Runs { time, repeat, seed, budget: arguments.ground.budget() };
        let rows = rg::bench::measure(&arguments.games, &runs)?;
        match arguments.json {
            true => output::print_json(&rg::bench::to_json(&runs, &rows))?,
            false => output::print(&rg::bench::to_text(&rows, arguments.markdown))?,
        }
        return Ok(rg::bench::status(&rows));
    }
    let options = arguments.without.options();
    let variants: Vec<Variant> = if arguments.ablation {
        let without = Switch::ALL.map(|switch| switch.off(&options));
        let all = std::iter::once(options).chain(without);
        all.map(|options| Variant { kind: EngineKind::Tree, options }).collect()
    } else {
        arguments.engine.iter().map(|&kind| Variant { kind, options }).collect()
    };
    let names: Vec<String> = match &arguments.games[..] {
        [] => bundled::GAMES.iter().map(|game| game.name.to_owned()).collect(),
        games => games.to_vec(),
    };
    let mut rows = names
        .iter()
        .map(|name| {
            let source = Source::find(name)?;
            source.rulesheet()?;
            let failed = vec![None; variants.len()];
            Ok(Row { source, runs: variants.iter().map(|_| Vec::new()).collect(), failed })
        })
        .collect::<Result<Vec<Row>, Failure>>()?;
    measure(arguments, &variants, &mut rows);
    if arguments.json {
        output::print_json(&to_json(arguments, &rows))?;
    } else {
        output::print(&to_text(arguments, &rows))?;
    }
    let mut status = Status::Done;
    // Trees without one of their optimisations may fail: the table says so.
    let shown = if arguments.ablation { 1 } else { variants.len() };
    for row in &rows {
        for reason in row.failed[..shown].iter().flatten() {
            output::error(&format!("{}: {reason}", row.source.name));
            status = Status::Unusable;
        }
    }
    Ok(if interrupt::raised() { Status::Interrupted } else { status })
}

/// Round by round, every game and variant in turn.
fn measure(arguments: &Arguments, variants: &[Variant], rows: &mut [Row]) {
    let bar = progress::bar(u64::from(arguments.repeat) * (rows.len() * variants.len()) as u64);
    for round in 0..u64::from(arguments.repeat) {
        for row in &mut *rows {
            for (at, variant) in variants.iter().enumerate() {
                bar.set_message(row.source.name.clone());
                if row.failed[at].is_none() {
                    let seed = arguments.seed.wrapping_add(round);
                    match measure_once(arguments, &row.source, variant, seed) {
                        Ok(run) => row.runs[at].push(run),
                        Err(reason) => row.failed[at] = Some(reason),
                    }
                }
                if interrupt::raised() {
                    return;
                }
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
}

fn measure_once(
    arguments: &Arguments,
    source: &Source,
    variant: &Variant,
    seed: u64,
) -> Result<Run, String> {
    let reading: Reading = arguments.reading.reading();
    let first = |errors: Vec<Diagnostic>| errors.first().map_or(String::new(), ToString::to_string);
    let memory_is_fresh = memory::forget_peak();
    let clock = Clock::start();
    let document = notation::read_bytes(&source.bytes).map_err(first)?;
    let game = Game::from_document(&source.name, document, reading).map_err(first)?;
    let diagnostics = gdlr::check::check(&game);
    if let Some(error) = Game::forbidding(&diagnostics).next() {
        return Err(error.to_string());
    }
    let Variant { kind, options } = *variant;
    let budget = arguments.ground.budget();
    let set_up = SetUp { kind, budget, tree: options, ..SetUp::default() };
    let ready = interrupt::at_once(|| set_up.make_random_play(game));
    let ready = ready.map_err(|error| error.to_string())?;
    let setup_ms = clock.seconds() * 1e3;
    let engine = ready.engine;
    let gates = engine.net().map(|net| net.size().gates() as f64);
    let time = Some(arguments.time);
    let run = FlatMonteCarlo { time, seed, ..FlatMonteCarlo::default() };
    let clock = Clock::start();
    let statistics = run.run(&engine, &interrupt::STOP, |_| {});
    let seconds = clock.seconds();
    if statistics.playouts == 0 {
        return Err("no playout ended".to_owned());
    }
    Ok(Run {
        engine: ready.kind,
        setup_ms,
        gates,
        playouts_per_second: statistics.playouts as f64 / seconds,
        states_per_second: statistics.states as f64 / seconds,
        mean_length: statistics.mean_length(),
        memory: if memory_is_fresh { memory::peak() } else { None },
    })
}

/// The resident memory of this process, as Linux tells it.
mod memory {
    /// Makes the peak start from what is resident now. Returns whether that can be done.
    pub fn forget_peak() -> bool {
        std::fs::write("/proc/self/clear_refs", "5").is_ok()
    }

    /// The peak in bytes.
    pub fn peak() -> Option<f64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024.0)
    }
}

impl Row {
    fn median(&self, variant: usize, figure: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
        median(self.runs[variant].iter().filter_map(figure))
    }

    /// Half the range of the playout rates, in parts of their median.
    fn spread(&self, variant: usize) -> Option<f64> {
        let rates = || self.runs[variant].iter().map(|run| run.playouts_per_second);
        let (low, high) = (rates().reduce(f64::min)?, rates().reduce(f64::max)?);
        Some((high - low) / 2.0 / median(rates())?)
    }

    /// How many times as fast as the first variant another one is.
    fn ratio(&self, variant: usize) -> Option<f64> {
        let pairs = self.runs[variant].iter().zip(&self.runs[0]);
        median(pairs.map(|(run, first)| run.states_per_second / first.states_per_second))
    }

    /// By how much an optimisation makes the playouts faster, in per cent: the rate with it
    /// over the rate without it, less one.
    fn speed_up(&self, variant: usize) -> Option<f64> {
        let pairs = self.runs[0].iter().zip(&self.runs[variant]);
        median(pairs.map(|(with, without)| {
            100.0 * (with.playouts_per_second / without.playouts_per_second - 1.0)
        }))
    }
}

impl Row {
    /// The line of a variant; large rates in millions if they are to be short.
    fn figures(&self, variant: usize, several: bool, short: bool) -> Vec<String> {
        let figure = |value: Option<f64>| value.map_or("-".to_owned(), rounded);
        let rate = |value: Option<f64>| match value {
            Some(rate) if short && rate >= 1e7 => format!("{} M", rounded(rate / 1e6)),
            _ => figure(value),
        };
        let setup = figure(self.median(variant, |run| Some(run.setup_ms)));
        let playouts = rate(self.median(variant, |run| Some(run.playouts_per_second)));
        let spread = self.spread(variant);
        let spread = spread.map_or("-".to_owned(), |spread| format!("{:.1} %", 100.0 * spread));
        let states = rate(self.median(variant, |run| Some(run.states_per_second)));
        let game = self.source.name.clone();
        if several {
            let engine = self.runs[variant].first().map_or("-", |run| run.engine.as_str());
            let gates = self.median(variant, |run| run.gates);
            let gates = gates.map_or("-".to_owned(), |gates| format!("{gates:.0}"));
            let ratio = figure(self.ratio(variant));
            vec![game, engine.to_owned(), setup, gates, playouts, spread, states, ratio]
        } else {
            let length = figure(self.median(variant, |run| run.mean_length));
            let memory = self.median(variant, |run| run.memory);
            let memory = figure(memory.map(|bytes| bytes / 1e6));
            vec![game, setup, playouts, spread, states, length, memory]
        }
    }

    /// A variant as JSON.
    fn json(&self, variant: usize) -> Value {
        let rates = self.runs[variant].iter().map(|run| run.playouts_per_second);
        let mut value = json!({
            "game": self.source.name,
            "engine": self.runs[variant].first().map(|run| run.engine.as_str()),
            "setup_ms": self.median(variant, |run| Some(run.setup_ms)),
            "gates": self.median(variant, |run| run.gates).map(|gates| gates as u64),
            "playouts_per_cpu_second": self.median(variant, |run| Some(run.playouts_per_second)),
            "states_per_cpu_second": self.median(variant, |run| Some(run.states_per_second)),
            "ratio": self.ratio(variant),
            "mean_length": self.median(variant, |run| run.mean_length),
            "peak_memory_bytes": self.median(variant, |run| run.memory),
            "spread": self.spread(variant),
            "runs": rates.collect::<Vec<f64>>(),
        });
        if let Some(reason) = &self.failed[variant] {
            value["error"] = json!(reason);
        }
        value
    }
}

fn to_text(arguments: &Arguments, rows: &[Row]) -> String {
    let mut header = vec!["game"];
    let mut lines = Vec::new();
    if arguments.ablation {
        header.extend(Switch::ALL.map(Switch::name));
        for row in rows {
            let speed_up = |variant| match row.speed_up(variant) {
                // Adding zero makes of a negative zero a positive one.
                Some(percent) => format!("{:.0} %", percent.round() + 0.0),
                None if row.failed[variant].is_some() => "required".to_owned(),
                None => "-".to_owned(),
            };
            let figures = (1..=Switch::ALL.len()).map(speed_up);
            lines.push(std::iter::once(row.source.name.clone()).chain(figures).collect());
        }
    } else {
        let several = arguments.engine.len() > 1;
        header.extend(match several {
            true => ["engine", "set-up ms", "gates", "playouts/s", "spread", "states/s", "ratio"],
            false => ["set-up ms", "playouts/s", "spread", "states/s", "length", "MB", ""],
        });
        header.retain(|column| !column.is_empty());
        for row in rows {
            for variant in 0..row.runs.len() {
                lines.push(row.figures(variant, several, !arguments.markdown));
            }
        }
    }
    let mut table = output::table(&header, &[], lines);
    if arguments.markdown {
        output::make_markdown(&mut table);
    }
    output::table_text(&table)
}

fn to_json(arguments: &Arguments, rows: &[Row]) -> Value {
    let games: Vec<Value> = if arguments.ablation {
        rows.iter().map(with_speed_ups).collect()
    } else {
        let variants = |row: &Row| 0..row.runs.len();
        rows.iter().flat_map(|row| variants(row).map(|variant| row.json(variant))).collect()
    };
    json!({
        "seconds_per_run": arguments.time.as_secs_f64(),
        "repeat": arguments.repeat,
        "seed": arguments.seed,
        "games": games,
    })
}

fn with_speed_ups(row: &Row) -> Value {
    let speed_ups = Switch::ALL.iter().enumerate();
    let mut value = row.json(0);
    value["speed_up_percent"] = speed_ups
        .map(|(index, switch)| (switch.name().to_owned(), json!(row.speed_up(index + 1))))
        .collect::<serde_json::Map<_, _>>()
        .into();
    value
}
