//! `gdlr positions`: positions whose good moves are known.

use super::*;

/// Noughts lose but at one place; crosses win at one; nobody has ever begun badly.
const POSITIONS: &str = "
    ; What noughts must see.
    (position threat
      (facts (turn noughts) (signed 1 1 crosses) (true (signed 1 2 crosses)) (signed 3 2 noughts))
      (good (sign 1 3)))
    (position win
      (moves ((sign 1 1) wait) (wait (sign 3 3)) ((sign 1 2) wait) (wait (sign 2 3)))
      (good (sign 1 3)))
    (position start (bad (sign 1 2) (sign 2 1) (sign 2 3) (sign 3 2)))";

#[test]
fn positions_are_solved() {
    let path = file("positions.kif", POSITIONS.as_bytes());
    // The game is known to its end soon.
    let command = ["positions", "tictactoe", &path, "--think", "600"];
    let text = done(&command);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("threat  solved  (sign 1 3), goal "), "{text}");
    assert!(lines[1].starts_with("win     solved  (sign 1 3), goal 100.0 for certain, "), "{text}");
    assert_eq!(lines[3..], ["solved 3 of 3 in 600 s each"], "{text}");
    let value = json(&output(&[&command[..], &["--json"]].concat()));
    let expected = ["game", "engine", "player", "seed", "think", "solved", "of", "positions"];
    assert_eq!(keys(&value), expected);
    assert_eq!((value["solved"].as_u64(), value["of"].as_u64()), (Some(3), Some(3)));
    let win = &value["positions"][1];
    assert_eq!((&win["name"], &win["role"]), (&"win".into(), &"crosses".into()));
    assert_eq!((&win["move"], &win["solved"]), (&"(sign 1 3)".into(), &true.into()));
    assert_eq!(win["good"], serde_json::json!(["(sign 1 3)"]));
    assert_eq!(win["estimates"][0]["move"], "(sign 1 3)");
    assert_eq!(win["estimates"][0]["certain"], true);
}

#[test]
fn one_that_is_not_solved_is_a_no() {
    // A move that loses at once is taken for the good one.
    let wrong = POSITIONS.replacen("(good (sign 1 3))", "(good (sign 2 1))", 1);
    let path = file("wrong_positions.kif", wrong.as_bytes());
    let output = output(&["positions", "tictactoe", &path, "--think", "600"]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.lines().next().unwrap().ends_with("; good: (sign 2 1)"), "{text}");
    assert!(text.starts_with("threat  failed  (sign 1 3), "), "{text}");
    assert!(text.ends_with("\nsolved 2 of 3 in 600 s each\n"), "{text}");
}

#[test]
fn other_players_and_engines_are_asked() {
    let path = file("other_positions.kif", POSITIONS.as_bytes());
    let others = ["--engine", "tree", "--player", "random", "--seed", "3", "--json"];
    let output = output(&[&["positions", "tictactoe", &path], &others[..]].concat());
    let value = json(&output);
    assert_eq!((&value["engine"], &value["player"]), (&"tree".into(), &"random".into()));
    let solved = value["solved"].as_u64().unwrap();
    assert_eq!(status(&output), i32::from(solved < 3));
    assert!(value["positions"][0]["estimates"].is_null());
    let mc = ["--player", "mc", "--think", "0.3"];
    let text = super::output(&[&["positions", "tictactoe", &path], &mc[..]].concat());
    assert!(stdout(&text).contains("win     solved  (sign 1 3), 3"), "{}", stdout(&text));
}

#[test]
fn what_is_wrong_with_the_file_is_said() {
    let wrong = "(position a (good (sign 1 1)))\n(position b (good (sign 1 9)))\n(position c)";
    let path = file("no_positions.kif", wrong.as_bytes());
    let said = refused(&["positions", "tictactoe", &path], b"");
    assert!(said.contains(&format!("{path}:2:27")) && said.contains("P003"), "{said}");
    assert!(said.contains(&format!("{path}:3:1")) && said.contains("P004"), "{said}");
    assert!(said.contains("which moves are good?"), "{said}");
    let said = refused(&["positions", "tictactoe", "-"], b"; nothing yet");
    assert!(said.contains("there are no positions in `<stdin>`"), "{said}");
    let said = refused(&["positions", "tictactoe", "/nowhere.kif"], b"");
    assert!(said.contains("cannot read `/nowhere.kif`"), "{said}");
    let said = refused(&["positions", "tictactoe", &path, "--think", "long"], b"");
    assert!(said.contains("not a number of seconds"), "{said}");
}

/// Whoever is asked would be shown what the rules hide.
#[test]
fn games_that_hide_the_state_are_refused() {
    let positions = "(position picking (moves (wait (hide 2))) (good (pick 2)))";
    let path = file("hidden_positions.kif", positions.as_bytes());
    for player in ["uct", "alphabeta", "mc", "random"] {
        let said = refused(&["positions", "monty_hall", &path, "--player", player], b"");
        assert!(said.contains(&format!("{path}:1:1")) && said.contains("P004"), "{said}");
        assert!(said.contains("the rules of this game hide"), "{said}");
        assert!(said.contains("`sees`"), "{said}");
    }
}
