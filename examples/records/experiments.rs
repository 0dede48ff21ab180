//! The experiments: which command measures which figures. What the machine lacks is left out, and said so.

use crate::figures::value;
use crate::markdown;
use crate::record::{self, Experiment, Record};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// A benchmark that prints a table, and the columns of it that are kept.
struct Measured {
    name: &'static str,
    /// A command of the shell, in the folder of the project.
    command: &'static str,
    /// Which of the tables that it prints, counted from 0.
    table: usize,
    /// The titles of columns as they are printed, and their names in the record.
    columns: &'static [(&'static str, &'static str)],
    /// Variables of the environment without which it is left out.
    needs: &'static [&'static str],
    method: &'static str,
}

const OF_BENCH: &[(&str, &str)] = &[
    ("game", "game"),
    ("set-up ms", "set-up ms"),
    ("playouts/s", "playouts/s"),
    ("spread", "spread"),
    ("states/s", "states/s"),
    ("length", "length"),
    ("MB", "MB"),
];

const EXPERIMENTS: &[Measured] = &[
    Measured {
        name: "yardstick",
        command: "benches/yardstick --time 1 --repeat 5",
        table: 0,
        columns: &[
            ("game", "game"),
            ("set-up ms", "set-up ms"),
            ("playouts/s", "playouts/s"),
            ("spread", "spread"),
            ("states/s", "states/s"),
            ("length", "length"),
            ("MB", "MB"),
            ("YAP", "YAP"),
        ],
        needs: &[],
        method: "*YAP*: YAP Prolog on the same rulesheets, with first-argument indexing and an incremental store of facts, per second of processor time: fixed rates of another day, 2026-11-21 at the latest, and of a quiet AMD EPYC (family 26) (`benches/yardstick.tsv`).",
    },
    Measured {
        name: "sancho",
        command: "benches/sancho --time 1 --repeat 3",
        table: 0,
        columns: &[
            ("game", "game"),
            ("set-up ms", "set-up ms"),
            ("gates", "gates"),
            ("playouts/s", "playouts/s"),
            ("spread", "spread"),
            ("states/s", "states/s"),
            ("to tree", "to tree"),
            ("gates, Java", "gates, Java"),
            ("states/s, Java", "states/s, Java"),
        ],
        needs: &[],
        method: "*Java*: the net of Sancho, per second of processor time: fixed figures of another day, 2026-11-21 at the latest, and of a quiet AMD EPYC (family 26) (`benches/sancho.tsv`).",
    },
    Measured {
        name: "widths",
        command: "benches/widths 5 0.6",
        table: 0,
        columns: &[("game", "game"), ("512", "512"), ("256", "256"), ("RBG", "RBG")],
        needs: &["RBG"],
        method: "Millions of states per second, medians of rounds in which all programs take turns. *RBG*: programs of rbg2cpp (fd93c43, with its parser d2ba9e8 and Boost 1.74), the faster of two modes.",
    },
    Measured {
        name: "ablation",
        command: "benches/yardstick --ablation --time 0.5 --repeat 3",
        table: 0,
        columns: &[
            ("game", "game"),
            ("filters", "filters"),
            ("hashing", "hashing"),
            ("filter-removal", "filter-removal"),
            ("redundant-removal", "redundant-removal"),
        ],
        needs: &[],
        method: "",
    },
    Measured {
        name: "bundled",
        command: "gdlr bench --engine tree --time 1 --repeat 3 --markdown",
        table: 0,
        columns: OF_BENCH,
        needs: &[],
        method: "",
    },
    Measured {
        name: "percepts",
        command: "gdlr bench --engine tree,propnet,batch,rg --time 0.7 --repeat 3 --markdown monty_hall kuhn_poker krieg_tictactoe hidden_whist dice_race pig",
        table: 0,
        columns: &[
            ("game", "game"),
            ("engine", "engine"),
            ("set-up ms", "set-up ms"),
            ("gates", "gates"),
            ("playouts/s", "playouts/s"),
            ("spread", "spread"),
            ("states/s", "states/s"),
            ("ratio", "ratio"),
        ],
        needs: &[],
        method: "",
    },
    Measured {
        name: "gringo",
        command: "benches/gringo",
        table: 0,
        columns: &[
            ("game", "game"),
            ("gringo rules", "gringo rules"),
            ("gdlr rules", "gdlr rules"),
            ("ratio", "ratio of rules"),
            ("gringo s", "gringo s"),
            ("gdlr s", "gdlr s"),
            ("ratio", "ratio of seconds"),
        ],
        needs: &[],
        method: "Seconds of processor time, medians of five runs, or a single run of more than two seconds; gringo 5.4.1.",
    },
    Measured {
        name: "automata",
        command: "benches/automata",
        table: 0,
        columns: &[
            ("game", "game"),
            ("edges", "edges"),
            ("export s", "export s"),
            ("set-up", "set-up ms"),
            ("plays/s", "plays/s"),
            ("moves/s", "moves/s"),
        ],
        needs: &[],
        method: "One run of each game.",
    },
    Measured {
        name: "optimised",
        command: "gdlr bench --rg hrg/*.hrg --time 1 --repeat 3 --markdown",
        table: 0,
        columns: &[
            ("game", "game"),
            ("plays/s", "plays/s"),
            ("optimised", "optimised"),
            ("ratio", "ratio"),
            ("length", "length"),
        ],
        needs: &[],
        method: "",
    },
    Measured {
        name: "sizes",
        command: "gdlr bench --rg hrg/*.hrg --time 1 --repeat 3 --markdown",
        table: 1,
        columns: &[
            ("game", "game"),
            ("nodes", "nodes"),
            ("after", "nodes after"),
            ("edges", "edges"),
            ("after", "edges after"),
            ("bits", "bits"),
            ("after", "bits after"),
            ("read ms", "read ms"),
            ("check", "check ms"),
            ("optimise", "optimise ms"),
        ],
        needs: &[],
        method: "",
    },
    Measured {
        name: "table1",
        command: "benches/table1 $TABLE1 --time 2",
        table: 0,
        columns: &[
            ("game", "game"),
            ("set-up", "set-up"),
            ("512", "512"),
            ("256", "256"),
            ("paper, best", "paper, best"),
        ],
        needs: &["TABLE1"],
        method: "One run of each game. *Paper, best*: the greatest number of the row in RG, Table 1 (`benches/table1.tsv`), of another machine.",
    },
    Measured {
        name: "table1-single",
        command: "benches/table1 $TABLE1 --time 2",
        table: 0,
        columns: &[
            ("game", "game"),
            ("paper, best", "paper, best"),
            ("interpreter", "interpreter"),
            ("propnet", "propnet"),
            ("native", "native"),
            ("native set-up", "native set-up"),
        ],
        needs: &["TABLE1"],
        method: "One run of each game and engine. *Set-up*: of `native`, with its compilation. *Paper, best*: as in the table above, of another machine.",
    },
    Measured {
        name: "rbg",
        command: "benches/rbg 3 1",
        table: 0,
        columns: &[
            ("game", "game"),
            ("gates", "gates"),
            ("512", "512"),
            ("256", "256"),
            ("interpreter", "interpreter"),
            ("HRG, 512", "HRG, 512"),
            ("plain", "plain"),
            ("monotonic", "monotonic"),
            ("semisplit", "semisplit"),
            ("best", "best"),
        ],
        needs: &["RBG_GAMES", "HRG", "RBG"],
        method: "Thousands of plays per second of processor time, medians of three rounds in which all programs take turns. Files of marekesz/rbgGames (3ae4fb7), and of `games/hrg` in radekmie/rg (46ed895); programs of rbg2cpp (fd93c43, with its parser d2ba9e8 and Boost 1.74), *best* the fastest of its three modes.",
    },
    Measured {
        name: "rbg-single",
        command: "benches/rbg single 3 1",
        table: 0,
        columns: &[
            ("game", "game"),
            ("interpreter", "interpreter"),
            ("native", "native"),
            ("HRG, native", "HRG, native"),
            ("plain", "plain"),
            ("monotonic", "monotonic"),
            ("semisplit", "semisplit"),
            ("best", "best"),
        ],
        needs: &["RBG_GAMES", "HRG", "RBG"],
        method: "Thousands of plays per second of processor time, medians of three rounds in which all programs take turns. Files and programs as in the table above, *best* the fastest of its three modes.",
    },
    Measured {
        name: "course",
        command: "node benches/epilog/rates.mjs $HARNESS target/release/gdlr $CORPUS 5",
        table: 0,
        columns: &[
            ("game", "game"),
            ("interpreter", "interpreter"),
            ("wires", "wires"),
            ("net", "net"),
            ("lanes", "lanes"),
            ("length", "length"),
            ("classic wires", "classic wires"),
            ("classic net", "classic net"),
            ("classic lanes", "classic lanes"),
            ("classic length", "classic length"),
        ],
        needs: &["HARNESS", "CORPUS"],
        method: "Random playouts in a second of user time, without set-up. *Interpreter*: the depth charges of the course's own Monte Carlo player on its interpreter, in Node.js (Trendoplasm/cs227b-harness). *Classic*: a public rulesheet of the same game in KIF.",
    },
    Measured {
        name: "lanes-all",
        command: "cargo bench --bench lanes -- 3",
        table: 0,
        columns: &[
            ("game", "game"),
            ("lanes of a register", "lanes of a register"),
            ("batch", "batch"),
            ("random", "random"),
            ("many", "many"),
            ("step", "step"),
            ("two threads", "two threads"),
            ("given", "given"),
            ("bytes", "bytes"),
            ("leaves", "leaves"),
            ("ratio", "ratio"),
        ],
        needs: &[],
        method: "Medians of three runs.",
    },
];

/// Measures experiments, all or those named, and puts them into a record.
pub fn measure(root: &Path, name: &str, names: &[&str]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| EXPERIMENTS.iter().all(|of| of.name != **name))
    {
        let all_names: Vec<&str> = EXPERIMENTS.iter().map(|of| of.name).collect();
        return Err(format!(
            "there is no experiment {unknown}; there are {}",
            all_names.join(", ")
        ));
    }
    let path = record::path(root, name);
    let mut record = if path.exists() { Record::read(&path)? } else { Record::default() };
    let commit = said(root, "git rev-parse --short HEAD")?;
    if !said(root, "git status --porcelain --untracked-files=no")?.is_empty() {
        return Err("there are changes that are in no commit: commit them first".to_owned());
    }
    said(root, "cargo build --release --quiet")?;
    // Of experiments with the same command, the first runs it.
    let mut printed: BTreeMap<&str, String> = BTreeMap::new();
    for of in EXPERIMENTS.iter().filter(|of| names.is_empty() || names.contains(&of.name)) {
        if let Some(missing) = of.needs.iter().find(|need| std::env::var_os(need).is_none()) {
            println!("{}: left out, ${missing} is not set", of.name);
            continue;
        }
        println!("{}: {}", of.name, of.command);
        let kept = match printed.get(of.command) {
            Some(text) => of.kept(text),
            None => said(root, &of.runnable()).and_then(|text| {
                let kept = of.kept(&text);
                printed.insert(of.command, text);
                kept
            }),
        };
        let (columns, rows) = match kept {
            Ok(kept) => kept,
            Err(why) => {
                println!("{}: left out, {why}", of.name);
                continue;
            }
        };
        record.put(Experiment {
            name: of.name.to_owned(),
            commit: commit.clone(),
            date: said(root, "date +%F")?,
            machine: machine(),
            command: of.command.to_owned(),
            method: of.method.to_owned(),
            columns,
            rows,
        });
        std::fs::write(&path, record.to_json()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

impl Measured {
    /// The command, with the command `gdlr` that was built.
    fn runnable(&self) -> String {
        self.command.replace("gdlr bench", "target/release/gdlr bench")
    }

    /// The columns and rows that are kept of a printed table.
    fn kept(&self, printed: &str) -> Result<(Vec<String>, Vec<Vec<serde_json::Value>>), String> {
        let tables = markdown::tables(printed);
        let table = tables.get(self.table);
        let table = table.ok_or_else(|| format!("{}: it printed no table", self.name))?;
        let mut places = Vec::new();
        for (title, _) in self.columns {
            // Titles may be there twice; columns are in the order in which they are printed.
            let from = places.last().map_or(0, |place| place + 1);
            let place = table.header.iter().skip(from).position(|own| own == title);
            let place = place.ok_or_else(|| format!("{}: no column {title}", self.name))?;
            places.push(from + place);
        }
        let row = |row: &Vec<String>| {
            let cell = |&place: &usize| row.get(place).map_or("-", String::as_str);
            places.iter().map(|place| value(cell(place))).collect()
        };
        let columns = self.columns.iter().map(|(_, name)| (*name).to_owned()).collect();
        Ok((columns, table.rows.iter().map(row).collect()))
    }
}

/// The output of a command of the shell.
fn said(root: &Path, command: &str) -> Result<String, String> {
    let mut shell = Command::new("bash");
    let output = shell.arg("-c").arg(command).current_dir(root).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{command}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(format!("{command}: {}", output.status)),
    }
}

/// The processor as Linux names it, the number of cores, and how many of them the benchmarks may use.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = |name: &str| {
        let line =
            text.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map_or("?", |(_, value)| value.trim()).to_owned()
    };
    let flags = line("flags");
    let has = |flag: &str| flags.split(' ').any(|own| own == flag);
    let width = match (has("avx512f"), has("avx2")) {
        (true, _) => ", AVX-512",
        (_, true) => ", AVX2",
        _ => "",
    };
    let used = std::thread::available_parallelism().map_or(1, usize::from);
    let all = text.lines().filter(|line| line.starts_with("processor")).count().max(used);
    let cores = if used < all { format!("{used} of {all} cores") } else { format!("{all} cores") };
    let (family, model) = (line("cpu family"), line("model"));
    format!("{} (family {family}, model {model}){width}, {cores}", line("model name"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn columns_of_one_title_are_told_by_their_order() {
        let sizes = EXPERIMENTS.iter().find(|of| of.name == "sizes").unwrap();
        let printed = "| a |\n|---|\n\n| game | nodes | after | edges | after | bits | after | read ms | check | optimise |\n|---|---|---|---|---|---|---|---|---|---|\n| hex | 42 | 36 | 43 | 37 | 178 | 177 | 0.74 | 0.05 | 0.65 |\n";
        let (columns, rows) = sizes.kept(printed).unwrap();
        assert_eq!((columns[2].as_str(), columns[6].as_str()), ("nodes after", "bits after"));
        assert_eq!((rows[0][2].clone(), rows[0][6].clone()), (Value::from(36), Value::from(177)));
    }
}
