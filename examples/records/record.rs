//! A record: the figures of some experiments, each with its commit, date, machine and command.

use serde_json::{Map, Value};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The figures of one run of a benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// Its name, as tables and the command line have it.
    pub name: String,
    /// The commit that was measured.
    pub commit: String,
    /// The day, as in 2026-11-27.
    pub date: String,
    /// The processor, and how many cores there were.
    pub machine: String,
    /// The command that printed the figures.
    pub command: String,
    /// How figures were made of runs, and other programs' with which versions.
    pub method: String,
    /// The names of the figures of a row. The first is the name of the row.
    pub columns: Vec<String>,
    /// By row and column: a number, a text, or null where there is none.
    pub rows: Vec<Vec<Value>>,
}

impl Experiment {
    /// The place of a column.
    pub fn column(&self, name: &str) -> Result<usize, String> {
        let place = self.columns.iter().position(|column| column == name);
        place.ok_or_else(|| format!("the experiment {} has no column {name}", self.name))
    }
}

/// The experiments of one file in `benches/record/`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    pub experiments: Vec<Experiment>,
}

impl Record {
    /// The record in a file.
    pub fn read(path: &Path) -> Result<Record, String> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        Record::from_json(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The experiment of a name.
    pub fn experiment(&self, name: &str) -> Result<&Experiment, String> {
        let experiment = self.experiments.iter().find(|experiment| experiment.name == name);
        experiment.ok_or_else(|| format!("the record has no experiment {name}"))
    }

    /// Puts an experiment in the place of the one of its name, or behind all others.
    pub fn put(&mut self, experiment: Experiment) {
        match self.experiments.iter_mut().find(|other| other.name == experiment.name) {
            Some(other) => *other = experiment,
            None => self.experiments.push(experiment),
        }
    }

    fn from_json(text: &str) -> Result<Record, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let experiments = value["experiments"].as_array().ok_or("there are no experiments")?;
        let experiments = experiments.iter().map(experiment).collect::<Result<_, _>>()?;
        Ok(Record { experiments })
    }

    /// The text of the file: a row of figures is a line.
    pub fn to_json(&self) -> String {
        let mut text = "{\"experiments\": [\n".to_owned();
        for (place, experiment) in self.experiments.iter().enumerate() {
            let mut head = Map::new();
            for (name, value) in KEYS.into_iter().zip(fields(experiment)) {
                head.insert(name.to_owned(), Value::from(value));
            }
            head.insert("columns".to_owned(), Value::from(experiment.columns.clone()));
            text.push_str(if place == 0 { "{\n" } else { ",\n{\n" });
            for (name, value) in &head {
                let _ = writeln!(text, "  {}: {value},", Value::from(name.as_str()));
            }
            text.push_str("  \"rows\": [\n");
            let rows =
                experiment.rows.iter().map(|row| format!("    {}", Value::from(row.clone())));
            text.push_str(&rows.collect::<Vec<_>>().join(",\n"));
            text.push_str("\n  ]\n}");
        }
        text.push_str("\n]}\n");
        text
    }
}

/// The file of a record.
pub fn path(root: &Path, name: &str) -> PathBuf {
    root.join("benches/record").join(format!("{name}.json"))
}

const KEYS: [&str; 6] = ["name", "commit", "date", "machine", "command", "method"];

fn fields(experiment: &Experiment) -> [&str; 6] {
    let Experiment { name, commit, date, machine, command, method, .. } = experiment;
    [name, commit, date, machine, command, method]
}

fn experiment(value: &Value) -> Result<Experiment, String> {
    let text = |key: &str| match value[key].as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(format!("an experiment has no text `{key}`")),
    };
    let list = |key: &str| match value[key].as_array() {
        Some(list) => Ok(list.clone()),
        None => Err(format!("an experiment has no list `{key}`")),
    };
    let [name, commit, date, machine, command, method] = KEYS.map(text);
    let name = name?;
    let columns = list("columns")?;
    let columns: Vec<String> =
        columns.iter().filter_map(|column| Some(column.as_str()?.to_owned())).collect();
    let rows: Vec<Vec<Value>> =
        list("rows")?.into_iter().filter_map(|row| row.as_array().cloned()).collect();
    if rows.iter().any(|row| row.len() != columns.len()) {
        return Err(format!(
            "a row of the experiment {name} has more or fewer figures than columns"
        ));
    }
    Ok(Experiment {
        name,
        commit: commit?,
        date: date?,
        machine: machine?,
        command: command?,
        method: method?,
        columns,
        rows,
    })
}
