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
fn games_of_operations() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/operations");
    for entry in std::fs::read_dir(folder).expect("the games") {
        let path = entry.expect("a readable folder").path();
        let text = done(&["crosscheck", path.to_str().expect("UTF-8"), "--playouts", "20"]);
        let agree = ": tree, propnet and rg agree";
        assert!(text.lines().next().is_some_and(|line| line.ends_with(agree)), "{text}");
    }
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

/// One move of ten thousand: nothing for an interpreter, and too much for a net of little memory.
const WIDE: &str = "
    type Player = { x }; type Score = { 0 }; type D = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    var a: D = 0; var b: D = 0; var c: D = 0; var d: D = 0;
    begin, here: player = x; here, p: a = D(*); p, q: $$ a; q, r: b = D(*); r, s: $$ b;
    s, t: c = D(*); t, u: $$ c; u, v: d = D(*); v, w: $$ d;
    w, y: player = keeper; y, end: player = keeper;";

/// An engine that takes too much is named and left out, as long as two are left.
#[test]
fn engines_that_cannot_be_made_are_left_out() {
    let game = file("wide.rg", WIDE.as_bytes());
    let arguments = ["crosscheck", &game, "--playouts", "0", "--perft-nodes", "1"];
    let little = ["--set-up-memory", "1"];
    let compared = output(&[&arguments[..], &little, &["--json"]].concat());
    assert_eq!(status(&compared), 0, "{}", stderr(&compared));
    assert!(stderr(&compared).contains("wide propnet is left out: set-up ran out of memory"));
    let value = json(&compared);
    assert_eq!(value["left_out"][0]["engine"], "wide propnet");
    let reason = value["left_out"][0]["reason"].as_str().expect("a text");
    assert!(reason.starts_with("set-up ran out of memory"), "{reason}");
    let engines = value["engines"].as_array().map(Vec::len);
    assert_eq!((engines, &value["agrees"]), (Some(2), &true.into()));
    // Of two one is left.
    let two = output(&[&arguments[..], &little, &["--engines", "rg,propnet"]].concat());
    assert_eq!((status(&two), stdout(&two)), (3, ""));
    let said = stderr(&two);
    assert!(said.starts_with("error: set-up ran out of memory after "), "{said}");
    assert!(said.contains("allow more with --set-up-memory MIB"), "{said}");
    let only = "only wide rg is left, and nothing to compare it with; left out: wide propnet";
    assert!(said.contains(only), "{said}");
}

/// So is one that a game does not have.
#[test]
fn an_automaton_without_a_net() {
    let text = "type Player = { x, o }; type Score = { 0 }; var visible: Visibility = { :0 };
        begin, here: player = x; here, p: $ a; here, p: $ b; p, there: player = o;
        there, q: $ c; q, r: player = keeper; r, end: player = keeper;";
    let game = file("hides.rg", text.as_bytes());
    let arguments = ["crosscheck", &game, "--playouts", "1"];
    let compared = output(&arguments);
    assert_eq!(status(&compared), 0, "{}", stderr(&compared));
    let said = stderr(&compared);
    assert!(
        said.contains("hides propnet is left out: there is no net of a game that hides"),
        "{said}"
    );
    let two = output(&[&arguments[..], &["--engines", "rg,propnet"]].concat());
    assert_eq!((status(&two), stdout(&two)), (3, ""));
    assert!(stderr(&two).contains("only hides rg is left"), "{}", stderr(&two));
    // Interpreters alone are compared as ever.
    let same = file("hides_too.rg", text.replace("there, q", "there, s: ; s, q").as_bytes());
    done(&["crosscheck", &game, "--with", &same, "--playouts", "1"]);
    let none = output(&[&arguments[..], &["--set-up-time", "0"]].concat());
    assert_eq!((status(&none), stdout(&none)), (3, ""), "{}", stderr(&none));
    assert!(stderr(&none).contains("left out: hides optimised, "), "{}", stderr(&none));
}

#[test]
fn one_engine_is_none() {
    for engines in ["tree", "propnet,propnet"] {
        let said = refused(&["crosscheck", "tictactoe", "--engines", engines], b"");
        assert!(said.contains("only one engine to compare"), "{said}");
        assert!(said.contains("--engines tree,propnet,rg,native"), "{said}");
    }
    let said = refused(&["crosscheck", "tictactoe", "--engines", "auto,tree"], b"");
    assert!(said.contains("[possible values: tree, propnet, rg, native]"), "{said}");
}
