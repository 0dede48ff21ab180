//! The command line: help, results, JSON, exit status, bad input.

mod abg;
mod automaton;
mod bad_input;
mod built_ins;
mod cases;
mod check;
#[cfg(unix)]
mod codes;
mod crosscheck;
mod decisions;
mod documents;
mod draw;
mod engines;
mod explain;
mod flat_mc;
mod fmt;
mod gdl_perf;
mod grounded;
mod help;
mod hrg;
mod infix;
mod information_sets;
mod interactive;
mod others;
mod perft;
mod positions;
mod rbg;
mod rg;
#[cfg(feature = "ggp")]
mod serve;
mod streams;
#[cfg(feature = "ggp")]
mod tutorials;
mod value_net;
mod verify;
#[cfg(feature = "web")]
mod web;

use assert_cmd::assert::OutputAssertExt;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const TICTACTOE: &str = "kif/tictactoe.kif";

const COMMANDS: &[&str] = &[
    "play",
    "positions",
    "perft",
    "information-sets",
    "check",
    "fmt",
    "info",
    "tree",
    "ground",
    "propnet",
    "draw",
    "explain",
    "explain-code",
    "match",
    "crosscheck",
    "to-rg",
    "to-hrg",
    "rg",
    "hrg",
    "rbg",
    "abg",
    "serve",
    #[cfg(feature = "web")]
    "web",
    "bench",
    "gdl-perf",
    "games",
    "completions",
];

/// The commands of `gdlr hrg`.
const HRG_COMMANDS: &[&str] = &["check", "fmt", "to-rg"];

/// The commands of `gdlr abg`.
const ABG_COMMANDS: &[&str] = &["check", "fmt", "to-rg", "info"];

/// The commands of `gdlr rbg`.
const RBG_COMMANDS: &[&str] = &["check", "fmt", "expand", "to-rg", "info"];

/// The commands of `gdlr rg`.
const RG_COMMANDS: &[&str] =
    &["check", "fmt", "run", "perft", "dot", "optimise", "pragmas", "stages"];

/// Never ends.
const ENDLESS: &str = "
    (role robot) (init (light on)) (legal robot push)
    (<= (next (light off)) (true (light on)))
    (<= (next (light on)) (true (light off)))
    (<= terminal (true (light broken)))
    (<= (goal robot 100) (true (light broken)))
    (<= (goal robot 0) (not (true (light broken))))";

/// Its second role has no move after the first step.
const STUCK: &str = "
    (role left) (role right) (init (at 0))
    (<= (legal left go) (true (at ?x)))
    (<= (legal right go) (true (at 0)))
    (<= (next (at 1)) (true (at 0)))
    (<= terminal (true (at 2)))
    (<= (goal ?r 0) (role ?r))";

/// Its role has no move after one of its two.
const CORNERED: &str = "
    (role robot) (init (at 0))
    (<= (legal robot ?x) (option ?x) (true (at 0)))
    (option out) (option in)
    (<= (next (at ?x)) (does robot ?x))
    (<= terminal (true (at out)))
    (<= (goal robot 100) (true (at out)))";

/// Gives no goal value.
const NO_GOAL: &str = "
    (role robot) (init (at 0)) (legal robot go)
    (<= (next (at 1)) (does robot go))
    (<= terminal (true (at 1)))
    (<= (goal robot 100) (true (at 7)))";

fn gdlr(arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("gdlr"));
    command
        .args(arguments)
        .env("COLUMNS", "80")
        .env_remove("NO_COLOR")
        .env_remove("GDLR_LOG")
        .stdin(Stdio::null());
    command
}

fn output(arguments: &[&str]) -> Output {
    gdlr(arguments).output().expect("the command starts")
}

/// Runs with a text on standard input.
fn output_with(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = gdlr(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments reads nothing.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the command ends")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

/// The output of a command that succeeds.
fn done(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output).to_owned()
}

/// The one JSON object that a command printed.
fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The keys of an object, in order.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// A file for tests. Tests that run at the same time may write the same one: it is there as a
/// whole at any time.
fn file(name: &str, content: &[u8]) -> String {
    static WRITTEN: AtomicUsize = AtomicUsize::new(0);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let new = path.with_file_name(format!("{name}.{number}.new"));
    std::fs::write(&new, content).expect("a file");
    std::fs::rename(&new, &path).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

/// Asserts that nothing but what can be seen was said or printed.
fn all_visible(output: &Output) {
    let is_hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!stdout(output).contains(is_hidden), "{:?}", stdout(output));
    assert!(!stderr(output).contains(is_hidden), "{:?}", stderr(output));
}

/// Asserts a refusal with status 2 and gives what was said.
fn refused(arguments: &[&str], input: &[u8]) -> String {
    let output = output_with(arguments, input);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    stderr(&output).to_owned()
}

/// The words of a command line.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let word = |(place, part): (usize, &str)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    };
    parts.flat_map(word).collect()
}

/// The examples of a page stand there as the command prints them; `GDLR_UPDATE_DOCS=1` writes
/// them anew. How many there are.
fn shows_what_is_printed(page: &str) -> usize {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(page);
    let page = std::fs::read_to_string(&path).expect("the page");
    let mut blocks = page.split("```console\n");
    let mut new = blocks.next().expect("a page").to_owned();
    let mut examples = 0;
    for block in blocks {
        let (example, rest) = block.split_once("```\n").expect("the end of an example");
        let command = example.lines().next().expect("a command");
        let words = words(command.strip_prefix("$ gdlr ").expect("a command"));
        let output = output(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(status(&output) <= 1, "{}", stderr(&output));
        new += &format!("```console\n{command}\n{}```\n{rest}", stdout(&output));
        examples += 1;
    }
    if std::env::var_os("GDLR_UPDATE_DOCS").is_some() {
        std::fs::write(&path, new).expect("a page that can be written");
    } else {
        assert_eq!(page, new, "GDLR_UPDATE_DOCS=1 writes the examples anew");
    }
    examples
}
