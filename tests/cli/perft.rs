//! `gdlr perft`.

use super::*;

#[test]
fn as_text() {
    let text = done(&["perft", "tictactoe", "5"]);
    let table: Vec<&str> = text.lines().take(7).collect();
    insta::assert_snapshot!("perft", table.join("\n"));
}

#[test]
fn as_json() {
    let value = json(&output(&["perft", "tictactoe", "3", "--json"]));
    assert_eq!(keys(&value), ["game", "engine", "depth", "counts", "terminal", "seconds"]);
    assert_eq!(value["counts"], serde_json::json!([1, 9, 72, 504]));
    assert_eq!(value["terminal"], serde_json::json!([0, 0, 0, 0]));
    assert_eq!((&value["depth"], &value["engine"]), (&3.into(), &"propnet".into()));
}

#[test]
fn a_depth_that_is_none_is_refused() {
    for depth in ["-1", "x", "100001", ""] {
        refused(&["perft", "tictactoe", depth], b"");
    }
}
