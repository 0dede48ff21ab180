//! Standard output and error, pipes, interruption.

use super::*;
use std::io::{BufRead, Read};

#[test]
fn nothing_is_coloured_off_a_terminal() {
    for no_color in [None, Some("1")] {
        let mut command = gdlr(&["check", "missing.kif", "-", "tictactoe"]);
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        let output = command.output().unwrap();
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
    }
}

/// A game whose every name clears the screen, and whose role is `robot`.
const SCREEN: &str = "(role robot\u{1b}[2J) (init (light\u{1b}[2J on\u{7f} \u{9b}2J))
    (<= (legal ?r (push\u{1b}[2J ?x)) (role ?r) (option ?x)) (option a\u{7}) (option b\u{7})
    (<= (next (light\u{1b}[2J on\u{7f} ?x)) (does ?r (push\u{1b}[2J ?x)))
    (<= terminal (true (light\u{1b}[2J on\u{7f} b\u{7})))
    (<= (goal ?r 50) (role ?r)) (<= (goal ?r 60) (role ?r) (true (light\u{1b}[2J on\u{7f} ?x)))";

#[test]
fn control_characters_of_a_rulesheet_are_shown_as_signs() {
    let game = file("screen.kif", SCREEN.as_bytes());
    for arguments in [
        &["check", &game][..],
        &["check", &game, "--simulate", "3"],
        &["play", &game],
        &["play", &game, "--human", "nobody"],
        &["play", &game, "--flatmc", "--playouts", "3"],
        &["perft", &game, "2"],
        &["info", &game],
        &["tree", &game],
        &["tree", &game, "--dot"],
        &["propnet", &game, "--dump-after", "grounding"],
        &["crosscheck", &game, "--playouts", "2"],
    ] {
        let output = output_with(arguments, b"1\n2\n");
        assert!(status(&output) <= 2, "{arguments:?}");
        all_visible(&output);
    }
    // Snippets show them in place; documents have them as they are.
    let checked = output(&["check", &game]);
    assert!(stderr(&checked).contains("(role robot␛[2J)"), "{}", stderr(&checked));
    assert!(done(&["ground", &game]).contains("(role robot\u{1b}[2J)"));
    assert!(done(&["fmt", &game]).contains("(role robot\u{1b}[2J)"));
    let named = output(&["check", "mis\u{1b}[2Jsing.kif"]);
    all_visible(&named);
}

#[test]
fn a_long_name_is_shortened_in_messages() {
    let name = "n".repeat(70_000);
    let game = format!("{ENDLESS} (<= ({name} ?x) (not ({name}2 ?x))) (legal {name})");
    for command in [&["check", "-"][..], &["check", "-", "--json"], &["play", "-", "--flatmc"]] {
        let output = output_with(command, game.as_bytes());
        assert!(status(&output) == 1 || status(&output) == 2);
        let length = output.stdout.len() + output.stderr.len();
        assert!((200..10_000).contains(&length), "{length}");
    }
    let said = refused(&["play", &name], b"");
    assert!(said.len() < 1000, "{}", said.len());
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let mut child = gdlr(&["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(status(&output), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let output = gdlr(&["games"]).stdout(full).output().unwrap();
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("cannot write to standard output"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_comparison() {
    let child = gdlr(&["crosscheck", "tictactoe", "--playouts", "1000000000", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let value = json(&output);
    assert_eq!((&value["interrupted"], &value["agrees"]), (&true.into(), &true.into()));
    assert!(stderr(&output).contains("the rest was not compared"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_result_so_far() {
    let start = Instant::now();
    let child = gdlr(&["play", "tictactoe", "--flatmc", "--time", "300", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let value = json(&output);
    assert_eq!(value["interrupted"], true);
    assert!(value["playouts"].as_u64().unwrap() > 0);
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// A search that is interrupted plays no move.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_game_without_a_move() {
    let arguments = ["play", "connect4", "--human", "none", "--player", "uct", "--think", "300"];
    let mut child = gdlr(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut printed = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut introduction = String::new();
    printed.read_line(&mut introduction).unwrap();
    assert!(introduction.starts_with("connect4: "), "{introduction}");
    std::thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
    let mut rest = String::new();
    printed.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(rest, "");
}

/// Whoever waits for a rulesheet that does not come can leave.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_reading_of_standard_input() {
    for arguments in [&["check", "-"][..], &["rg", "check", "-"]] {
        let mut child = gdlr(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let held_open = child.stdin.take();
        std::thread::sleep(Duration::from_millis(1500));
        Command::new("kill").args(["-INT", &child.id().to_string()]).assert().success();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let ended = child.try_wait().unwrap();
        drop(held_open);
        assert_eq!(ended.and_then(|status| status.code()), Some(130), "{arguments:?}");
    }
}
