//! The choice of an engine, and what one may cost.

use super::*;

const NO_TIME: [&str; 2] = ["--set-up-time", "0"];

#[test]
fn the_automatic_choice_falls_back_and_says_so() {
    for budget in [NO_TIME, ["--set-up-memory", "0"]] {
        let output = output(&[&["perft", "tictactoe", "1", "--json"], &budget[..]].concat());
        assert_eq!(status(&output), 0);
        assert_eq!(json(&output)["engine"], "tree");
        let said = stderr(&output);
        assert!(said.starts_with("playing with engine tree: set-up ran out of "), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let arguments = ["play", "tictactoe", "--flatmc", "--playouts", "3", "--json"];
    let output = output(&[&arguments[..], &NO_TIME].concat());
    assert_eq!((status(&output), &json(&output)["engine"]), (0, &"tree".into()));
    assert!(stderr(&output).starts_with("playing with engine tree: set-up ran out of "));
}

#[test]
fn only_random_play_offers_an_engine_without_states() {
    for arguments in [
        &["perft", "tictactoe", "2", "--engine"][..],
        &["info", "tictactoe", "--engine"],
        &["verify", "tictactoe", "trace.json", "--engine"],
        &["crosscheck", "tictactoe", "--engines"],
    ] {
        let said = refused(&[arguments, &["batch"]].concat(), b"");
        assert!(said.contains("invalid value 'batch'"), "{said}");
        assert!(said.contains("tree, propnet, rg, native]"), "{said}");
    }
}

#[test]
fn a_net_that_is_asked_for_is_made_or_refused() {
    for (command, more) in [
        ("perft", &["2", "--engine", "propnet"][..]),
        ("play", &["--flatmc", "--engine", "propnet"]),
        ("play", &["--flatmc", "--engine", "batch"]),
        ("info", &["--engine", "propnet"]),
        ("ground", &[]),
        ("crosscheck", &[]),
        ("to-rg", &[]),
    ] {
        let output = output(&[&[command, "tictactoe"], more, &NO_TIME].concat());
        assert_eq!((status(&output), stdout(&output)), (3, ""), "{command}");
        let said = stderr(&output);
        assert!(said.starts_with("error: set-up ran out of time after "), "{said}");
        assert!(said.contains(" facts, ") && said.contains(" rules, "), "{said}");
        assert!(said.contains("allow more with --set-up-time SECS"), "{said}");
        assert_eq!(said.contains("--engine tree"), matches!(command, "perft" | "play"));
    }
}

#[test]
fn the_same_counts() {
    let counts = |engine: &str| {
        json(&output(&["perft", "reversi", "4", "--json", "--engine", engine]))["counts"].clone()
    };
    assert_eq!(counts("tree"), counts("propnet"));
}

/// Scripts that still say `--ground-time` and `--ground-memory` go on to work.
#[test]
fn the_limits_of_set_up_have_old_names() {
    for budget in [["--ground-time", "0"], ["--ground-memory", "0"]] {
        let old = output(&[&["ground", "tictactoe"], &budget[..]].concat());
        assert_eq!(status(&old), 3, "{}", stderr(&old));
    }
    for command in ["play", "perft", "ground", "bench"] {
        let help = done(&[command, "--help"]);
        assert!(help.contains("--set-up-time") && !help.contains("--ground-"), "{help}");
    }
}
