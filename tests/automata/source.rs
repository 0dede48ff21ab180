//! Automata as source files: what `rustc` and `cc` make of them has as many plays as the interpreter finds.

use crate::bundled::games;
use crate::rg_naive::generator::Generator;
use gdlr::rg::{Automaton, Description, PlayError, Search, SourceLanguage, perft, read, to_source};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A game, and its numbers of plays by length.
struct Case {
    name: String,
    description: Description,
    counts: Vec<u64>,
}

/// Of random automata, those that are proper to this depth.
fn random_cases(seed: u64, count: usize) -> Vec<Case> {
    let mut generator = Generator::new(seed);
    let mut cases = Vec::new();
    while cases.len() < count {
        let text = generator.text();
        let description = read(&text).expect("a text");
        let Ok(automaton) = Automaton::new(&description) else { continue };
        let found = perft(&automaton, &mut Search::with_limit(20_000), 2, |_| ());
        let has_choice = found.counts.last().is_some_and(|&last| last > 1);
        // Proper automata are rare: the generator makes few nodes where all actions are valid.
        if found.error.is_none() && (has_choice || cases.len() % 3 > 0) {
            cases.push(Case { name: text, description, counts: found.counts });
        }
    }
    cases
}

fn all_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, description) in games() {
        let automaton = Automaton::new(&description).expect("an automaton");
        let found = perft(&automaton, &mut Search::default(), 2, |_| ());
        assert_eq!(found.error, None);
        cases.push(Case { name, description, counts: found.counts });
    }
    cases.extend(random_cases(5, 40));
    cases
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The output of a program, which has to end well.
#[track_caller]
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}", &errors[..errors.len().min(2000)]);
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn models_in_rust() {
    let (folder, cases) = (folder("models_in_rust"), all_cases());
    let mut main = String::from("#![allow(dead_code)]\n");
    let mut calls = String::new();
    for (number, case) in cases.iter().enumerate() {
        let text = to_source(&case.description, "a game", SourceLanguage::Rust).expect("a model");
        std::fs::write(folder.join(format!("m{number}.rs")), text).expect("written");
        writeln!(main, "mod m{number};").unwrap();
        writeln!(
            calls,
            "println!(\"{{:?}}\", m{number}::game::Search::new().perft(&m{number}::game::State::initial(), 2));"
        )
        .unwrap();
    }
    writeln!(main, "fn main() {{ {calls} }}").unwrap();
    std::fs::write(folder.join("main.rs"), main).expect("written");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let options = ["--edition", "2021", "-C", "debuginfo=0", "-D", "warnings", "main.rs"];
    output(Command::new(rustc).args(options).current_dir(&folder));
    let printed = output(Command::new(folder.join("main")).current_dir(&folder));
    assert_eq!(printed.lines().count(), cases.len());
    for (line, case) in printed.lines().zip(&cases) {
        assert_eq!(line, format!("{:?}", case.counts), "{}", case.name);
    }
}

#[test]
fn models_in_c() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("left out: there is no C compiler `cc`");
        return;
    }
    let folder = folder("models_in_c");
    for case in all_cases() {
        let text = to_source(&case.description, "a game", SourceLanguage::C).expect("a model");
        std::fs::write(folder.join("model.c"), text).expect("written");
        let options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-o", "model"];
        output(Command::new("cc").args(options).arg("model.c").current_dir(&folder));
        let printed = output(Command::new(folder.join("model")).args(["perft", "2"]));
        let counts: Vec<u64> = (printed.lines())
            .map(|line| line.split_once(' ').expect("two numbers").1.parse().expect("a number"))
            .collect();
        assert_eq!(counts, case.counts, "{}", case.name);
    }
}

/// A walk in a circle ends. The node of the move has the name that the check would have.
#[test]
fn models_end_where_the_interpreter_does() {
    let text = "type Player = { a }; type Score = { 0, 7 }; type S = { s, t, u };
        const next: S -> S = { s: t, t: u, :s }; var here: S = s;
        begin, circle_to_found: player = a; circle_to_found, seen: ? circle -> found; circle, circle: here = next[here];
        circle, found: here == u; seen, tag: $ go; tag, moved: player = keeper;
        moved, over: goals[a] = 7; over, end: player = keeper;";
    let description = read(text).expect("a text");
    let automaton = Automaton::new(&description).expect("an automaton");
    let found = perft(&automaton, &mut Search::default(), 3, |_| ());
    assert_eq!((found.counts, found.error), (vec![1, 1, 0, 0], None::<PlayError>));
    let folder = folder("model_of_a_circle");
    let source = to_source(&description, "a circle", SourceLanguage::Rust).expect("a model");
    std::fs::write(folder.join("circle.rs"), source).expect("written");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    output(Command::new(rustc).arg("circle.rs").current_dir(&folder));
    let model = folder.join("circle");
    assert_eq!(output(Command::new(&model).args(["perft", "3"])), "0 1\n1 1\n2 0\n3 0\n");
    assert_eq!(output(Command::new(&model).args(["play", "5"])), "5 plays, 5 moves\na 7.000\n");
    assert_eq!(Command::new(&model).output().expect("a program").status.code(), Some(2));
}
