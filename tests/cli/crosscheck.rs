//! `gdlr crosscheck`.

use super::*;

#[test]
fn as_text() {
    let text = done(&["crosscheck", "tictactoe", "--playouts", "3"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "tictactoe: tree, propnet and rg agree");
    assert!(lines[2].starts_with("engine "), "{text}");
    for (line, engine) in lines[3..].iter().zip(["tree ", "propnet ", "rg "]) {
        assert!(line.starts_with(engine), "{text}");
    }
    assert!(lines[7].starts_with("3 playouts, perft to depth 4 (5,000 joint moves), "), "{text}");
    assert_eq!(lines.len(), 8, "{text}");
}

#[test]
fn as_json() {
    let arguments = ["crosscheck", "-", "--engines", "propnet,tree", "--json"];
    let bounds = ["--max-steps", "7", "--perft-nodes", "3", "--playouts", "2"];
    let output = output_with(&[&arguments[..], &bounds].concat(), ENDLESS.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let value = json(&output);
    let expected =
        ["game", "engines", "seed", "agrees", "playouts", "capped", "states", "perft", "seconds"];
    assert_eq!(keys(&value), expected);
    assert_eq!(
        (&value["agrees"], &value["playouts"], &value["capped"]),
        (&true.into(), &2.into(), &2.into())
    );
    assert_eq!(keys(&value["engines"][0]), ["engine", "setup_seconds", "seconds"]);
    assert_eq!(value["engines"][0]["engine"], "propnet");
    assert_eq!(
        value["perft"],
        serde_json::json!({"counts": [1, 1, 1, 1], "terminal": [0, 0, 0, 0], "joint_moves": 3})
    );
}

#[test]
fn a_defect_of_the_game_is_told() {
    let output = output_with(&["crosscheck", "-", "--playouts", "2"], STUCK.as_bytes());
    assert_eq!(status(&output), 0);
    assert!(stderr(&output).contains("2 of the playouts end where a role has no legal move"));
}

#[test]
fn one_engine_is_none() {
    for engines in ["tree", "propnet,propnet"] {
        let said = refused(&["crosscheck", "tictactoe", "--engines", engines], b"");
        assert!(said.contains("only one engine to compare"), "{said}");
        assert!(said.contains("--engines tree,propnet,rg"), "{said}");
    }
    let said = refused(&["crosscheck", "tictactoe", "--engines", "auto,tree"], b"");
    assert!(said.contains("[possible values: tree, propnet, rg]"), "{said}");
}
