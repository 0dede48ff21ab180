//! The tables of the documents: which columns of which experiment.

use crate::figures::Format::{Count, Digits, Milliseconds, Percent, Plain, WholePercent};
use crate::figures::{self, Format, geometric_mean};
use crate::markdown;
use crate::record::{Experiment, Record};
use serde_json::Value;

/// A column of a table.
struct Column {
    title: &'static str,
    of: Of,
    format: Format,
}

/// Where the figures of a column are from.
enum Of {
    /// A column of the experiment.
    Figure(&'static str),
    /// The quotient of two columns of the experiment.
    Ratio(&'static str, &'static str),
}

fn figure(title: &'static str, format: Format) -> Column {
    Column { title, of: Of::Figure(title), format }
}

fn ratio(title: &'static str, ours: &'static str, theirs: &'static str) -> Column {
    Column { title, of: Of::Ratio(ours, theirs), format: Digits }
}

/// A line of the table of ratios: two columns of an experiment, and the texts that say which they are.
struct Comparison {
    experiment: &'static str,
    ours: &'static str,
    theirs: &'static str,
    what: &'static str,
    beside: &'static str,
}

/// The table of the README.
const RATIOS: &[Comparison] = &[
    Comparison {
        experiment: "yardstick",
        ours: "playouts/s",
        theirs: "YAP",
        what: "resolution trees (`tree`)",
        beside: "the same rulesheets in YAP Prolog",
    },
    Comparison {
        experiment: "sancho",
        ours: "states/s",
        theirs: "states/s, Java",
        what: "propositional net, one state at a time (`propnet`)",
        beside: "the net of the player Sancho, in Java",
    },
    Comparison {
        experiment: "widths",
        ours: "512",
        theirs: "RBG",
        what: "512 lanes on the net, AVX-512 (`batch`)",
        beside: "Regular Boardgames compiled to C++",
    },
    Comparison {
        experiment: "widths",
        ours: "256",
        theirs: "RBG",
        what: "256 lanes on the net, AVX2 (`batch`)",
        beside: "Regular Boardgames compiled to C++",
    },
    Comparison {
        experiment: "table1",
        ours: "512",
        theirs: "paper, best",
        what: "512 lanes on automata, AVX-512 (`batch`)",
        beside: "the best rate of each game in Table 1 of the paper on Regular Games, on another machine",
    },
];

/// The columns of engines that play at random, and others behind them.
fn of_bench(others: Vec<Column>) -> Vec<Column> {
    let mut columns = vec![
        figure("game", Plain),
        figure("set-up ms", Digits),
        figure("playouts/s", Count),
        figure("spread", Percent),
        figure("states/s", Count),
        figure("length", Digits),
        figure("MB", Digits),
    ];
    columns.extend(others);
    columns
}

/// The columns of the table of an experiment; nothing for one that is shown as it is recorded.
fn columns(experiment: &str) -> Vec<Column> {
    match experiment {
        "yardstick" => of_bench(vec![figure("YAP", Digits), ratio("ratio", "playouts/s", "YAP")]),
        "sancho" => vec![
            figure("game", Plain),
            figure("set-up ms", Digits),
            figure("gates", Count),
            figure("playouts/s", Count),
            figure("spread", Percent),
            figure("states/s", Count),
            figure("to tree", Digits),
            figure("gates, Java", Count),
            figure("states/s, Java", Count),
            ratio("ratio", "states/s", "states/s, Java"),
        ],
        "widths" => vec![
            figure("game", Plain),
            figure("512", Digits),
            figure("256", Digits),
            figure("RBG", Digits),
            ratio("512 to RBG", "512", "RBG"),
            ratio("256 to RBG", "256", "RBG"),
        ],
        "notifications" | "notifications-automata" => vec![
            figure("game", Plain),
            figure("notifications", WholePercent),
            figure("effects of moves", WholePercent),
        ],
        "choice" => vec![
            figure("game", Plain),
            figure("gates a step", Count),
            figure("moves", Count),
            figure("choice", WholePercent),
        ],
        "ablation" => vec![
            figure("game", Plain),
            figure("filters", WholePercent),
            figure("hashing", WholePercent),
            figure("filter-removal", WholePercent),
            figure("redundant-removal", WholePercent),
        ],
        "bundled" => of_bench(Vec::new()),
        "percepts" => vec![
            figure("game", Plain),
            figure("engine", Plain),
            figure("set-up ms", Digits),
            figure("gates", Count),
            figure("playouts/s", Count),
            figure("spread", Percent),
            figure("states/s", Count),
            figure("ratio", Digits),
        ],
        _ => other_columns(experiment),
    }
}

/// The same for experiments that are about single parts.
fn other_columns(experiment: &str) -> Vec<Column> {
    match experiment {
        "chance" => vec![
            figure("game", Plain),
            figure("random, playouts/s", Count),
            figure("spread", Percent),
            figure("as a player, playouts/s", Count),
            figure("spread as a player", Percent),
            ratio("ratio", "random, playouts/s", "as a player, playouts/s"),
        ],
        "gringo" => vec![
            figure("game", Plain),
            figure("gringo rules", Count),
            figure("gdlr rules", Count),
            figure("ratio of rules", Plain),
            figure("gringo s", Plain),
            figure("gdlr s", Plain),
            figure("ratio of seconds", Plain),
        ],
        "automata" => vec![
            figure("game", Plain),
            figure("edges", Count),
            figure("export s", Plain),
            figure("set-up ms", Digits),
            figure("plays/s", Count),
            figure("moves/s", Count),
        ],
        "interpreters" => vec![
            figure("game", Plain),
            figure("our edges", Count),
            figure("their edges", Count),
            figure("ours, plays/s", Count),
            figure("theirs, plays/s", Digits),
            ratio("ratio", "ours, plays/s", "theirs, plays/s"),
        ],
        "optimised" => vec![
            figure("game", Plain),
            figure("plays/s", Count),
            figure("optimised", Count),
            figure("ratio", Digits),
            figure("length", Digits),
        ],
        "sizes" => vec![
            figure("game", Plain),
            figure("nodes", Count),
            figure("nodes after", Count),
            figure("edges", Count),
            figure("edges after", Count),
            figure("bits", Count),
            figure("bits after", Count),
            figure("read ms", Digits),
            figure("check ms", Digits),
            figure("optimise ms", Digits),
        ],
        "table1" => vec![
            figure("game", Plain),
            figure("set-up", Milliseconds),
            figure("512", Count),
            figure("256", Count),
            figure("paper, best", Count),
            ratio("512 to paper", "512", "paper, best"),
            ratio("256 to paper", "256", "paper, best"),
        ],
        "table1-single" => vec![
            figure("game", Plain),
            figure("interpreter", Digits),
            figure("propnet", Digits),
            figure("native", Digits),
            figure("native set-up", Milliseconds),
            ratio("propnet to interpreter", "propnet", "interpreter"),
            ratio("native to interpreter", "native", "interpreter"),
            ratio("native to paper", "native", "paper, best"),
        ],
        "rbg" => vec![
            figure("game", Plain),
            figure("gates", Count),
            figure("512", Digits),
            figure("256", Digits),
            figure("interpreter", Digits),
            figure("plain", Digits),
            figure("monotonic", Digits),
            figure("semisplit", Digits),
            ratio("512 to best", "512", "best"),
            ratio("256 to best", "256", "best"),
            ratio("interpreter to best", "interpreter", "best"),
            figure("HRG, 512", Digits),
            ratio("512 to HRG", "512", "HRG, 512"),
        ],
        "rbg-single" => vec![
            figure("game", Plain),
            figure("interpreter", Digits),
            figure("native", Digits),
            figure("HRG, native", Digits),
            figure("plain", Digits),
            figure("monotonic", Digits),
            figure("semisplit", Digits),
            ratio("native to interpreter", "native", "interpreter"),
            ratio("native to plain", "native", "plain"),
            ratio("native to best", "native", "best"),
            ratio("HRG, native to best", "HRG, native", "best"),
        ],
        _ => search_columns(experiment),
    }
}

/// The same for experiments with searches, matches and lanes that are stepped from outside.
fn search_columns(experiment: &str) -> Vec<Column> {
    match experiment {
        "course" => vec![
            figure("game", Plain),
            figure("interpreter", Digits),
            figure("net", Count),
            figure("lanes", Count),
            ratio("lanes to interpreter", "lanes", "interpreter"),
            figure("wires", Count),
            figure("length", Digits),
            ratio("net to classic", "net", "classic net"),
            ratio("lanes to classic", "lanes", "classic lanes"),
            ratio("wires to classic", "wires", "classic wires"),
            figure("classic length", Digits),
        ],
        "duels" => vec![
            figure("game", Plain),
            figure("against plain UCT", Plain),
            figure("against flat Monte Carlo", Plain),
            figure("playouts/s", Count),
        ],
        "threads" => vec![
            figure("game", Plain),
            figure("one thread", Count),
            figure("two threads", Count),
            ratio("ratio", "two threads", "one thread"),
        ],
        "sampler" => vec![
            figure("game", Plain),
            figure("candidates at most", Plain),
            figure("on average", Plain),
            figure("before, us", Plain),
            figure("now, us", Plain),
            ratio("ratio", "before, us", "now, us"),
        ],
        "rows-256" => vec![
            figure("game", Plain),
            figure("step before", Plain),
            figure("step after", Plain),
            figure("moves drawn inside, before", Plain),
            figure("after", Plain),
        ],
        "matches" => vec![figure("figure", Plain), figure("value", Plain)],
        "lanes" | "lanes-all" => vec![
            figure("game", Plain),
            figure("lanes of a register", Plain),
            figure("batch", Digits),
            figure("random", Digits),
            figure("many", Digits),
            figure("step", Digits),
            figure("two threads", Digits),
            figure("given", Digits),
            figure("bytes", Count),
            figure("leaves", Digits),
            figure("ratio", Digits),
        ],
        _ => Vec::new(),
    }
}

/// The text of a table: its rows, means of its ratios, and where its figures are from.
pub fn text(name: &str, record: &Record) -> Result<String, String> {
    if name == "ratios" {
        return ratios(record);
    }
    let experiment = record.experiment(name)?;
    let columns = columns(name);
    if columns.is_empty() {
        return Ok(format!("{}\n{}\n", as_recorded(experiment), source(experiment)));
    }
    let figures: Vec<Vec<Value>> =
        columns.iter().map(|column| column.figures(experiment)).collect::<Result<_, _>>()?;
    let rows = (0..experiment.rows.len()).map(|row| {
        let cells = columns.iter().zip(&figures);
        cells.map(|(column, figures)| figures::cell(&figures[row], column.format)).collect()
    });
    let header = columns.iter().map(|column| column.title.to_owned()).collect();
    let mut text = markdown::text(&markdown::Table { header, rows: rows.collect() });
    let means: Vec<String> = columns.iter().zip(&figures).filter_map(mean).collect();
    if !means.is_empty() {
        text.push_str(&format!("\nGeometric means: {}.\n", means.join("; ")));
    }
    text.push_str(&format!("\n{}\n", source(experiment)));
    Ok(text)
}

/// All columns of an experiment, as the record has them.
fn as_recorded(experiment: &Experiment) -> String {
    let cell = |value: &Value| {
        let format = if value.is_i64() { Count } else { Plain };
        figures::cell(value, format)
    };
    let rows = experiment.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    markdown::text(&markdown::Table { header: experiment.columns.clone(), rows })
}

impl Column {
    /// The figures of all rows; null where there is none.
    fn figures(&self, experiment: &Experiment) -> Result<Vec<Value>, String> {
        match self.of {
            Of::Figure(name) => {
                let place = experiment.column(name)?;
                Ok(experiment.rows.iter().map(|row| row[place].clone()).collect())
            }
            Of::Ratio(ours, theirs) => quotients(experiment, ours, theirs),
        }
    }
}

/// By row: the quotient of two columns, or null.
fn quotients(experiment: &Experiment, ours: &str, theirs: &str) -> Result<Vec<Value>, String> {
    let [ours, theirs] = [experiment.column(ours)?, experiment.column(theirs)?];
    let quotient = |row: &Vec<Value>| match (row[ours].as_f64(), row[theirs].as_f64()) {
        (Some(ours), Some(theirs)) if ours > 0.0 && theirs > 0.0 => Value::from(ours / theirs),
        _ => Value::Null,
    };
    Ok(experiment.rows.iter().map(quotient).collect())
}

/// The mean of a column of ratios, in words.
fn mean((column, figures): (&Column, &Vec<Value>)) -> Option<String> {
    let Of::Ratio(..) = column.of else { return None };
    let numbers: Vec<f64> = figures.iter().filter_map(Value::as_f64).collect();
    let mean = Value::from(geometric_mean(&numbers)?);
    Some(format!("*{}* {} ({} rows)", column.title, figures::cell(&mean, Digits), numbers.len()))
}

/// Where the figures of an experiment are from.
fn source(experiment: &Experiment) -> String {
    let Experiment { commit, date, machine, command, method, .. } = experiment;
    let method = if method.is_empty() { String::new() } else { format!(" {method}") };
    format!("{machine}; {date}, commit {commit}; `{command}`.{method}")
}

/// The table of all comparisons.
fn ratios(record: &Record) -> Result<String, String> {
    let header = ["engine", "beside", "games", "least", "geometric mean", "most"];
    let mut rows = Vec::new();
    for comparison in RATIOS {
        let experiment = record.experiment(comparison.experiment)?;
        let quotients = quotients(experiment, comparison.ours, comparison.theirs)?;
        let numbers: Vec<f64> = quotients.iter().filter_map(Value::as_f64).collect();
        let least = numbers.iter().copied().reduce(f64::min);
        let most = numbers.iter().copied().reduce(f64::max);
        let mut row = vec![comparison.what.to_owned(), comparison.beside.to_owned()];
        row.push(numbers.len().to_string());
        for number in [least, geometric_mean(&numbers), most] {
            row.push(figures::cell(&number.map_or(Value::Null, Value::from), Digits));
        }
        rows.push(row);
    }
    let header = header.map(str::to_owned).to_vec();
    Ok(markdown::text(&markdown::Table { header, rows }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let experiment = Experiment {
            name: "widths".into(),
            commit: "abc".into(),
            date: "2026-01-01".into(),
            machine: "a processor".into(),
            command: "benches/widths".into(),
            columns: ["game", "512", "256", "RBG"].map(String::from).to_vec(),
            rows: vec![
                vec!["hex".into(), 800.into(), 400.into(), 4.into()],
                vec!["go".into(), 100.into(), Value::Null, 2.into()],
            ],
            ..Experiment::default()
        };
        Record { experiments: vec![experiment] }
    }

    #[test]
    fn ratios_and_means_are_computed() {
        let text = text("widths", &record()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "| hex | 800 | 400 | 4.00 | 200 | 100 |");
        assert_eq!(lines[3], "| go | 100 | - | 2.00 | 50.0 | - |");
        assert_eq!(
            lines[5],
            "Geometric means: *512 to RBG* 100 (2 rows); *256 to RBG* 100 (1 rows)."
        );
        assert_eq!(lines[7], "a processor; 2026-01-01, commit abc; `benches/widths`.");
    }

    #[test]
    fn other_experiments_are_shown_as_recorded() {
        let mut record = record();
        record.experiments[0].name = "parts".into();
        let text = text("parts", &record).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "| game | 512 | 256 | RBG |");
        assert_eq!(lines[3], "| go | 100 | - | 2 |");
        assert_eq!(lines[5], "a processor; 2026-01-01, commit abc; `benches/widths`.");
    }

    #[test]
    fn what_a_record_lacks_is_said() {
        assert_eq!(
            text("yardstick", &record()),
            Err("the record has no experiment yardstick".into())
        );
        let mut broken = record();
        broken.experiments[0].columns[3] = "other".into();
        assert_eq!(text("widths", &broken), Err("the experiment widths has no column RBG".into()));
    }
}
