//! `gdlr verify`.

use super::*;

/// A trace of the endless game, cut after a step.
const TRACE: &str = r#"{"game":"endless","rulesheet":"endless.kif",
    "kif_fnv":"0000000000000000","gdl2":false,"roles":["robot"],"init":["(light on)"],
    "perft":[1,1,1],"perft_terminal":[0,0,0],"perft_states":[1,1,1],"perft_stop":"time",
    "playouts":[{"seed":1,"outcome":"time","terminal":false,"length":1,"steps":[
    {"state_hash":"HASH","state_size":1,"terminal":false,"legals":{"robot":["push"]},
    "move":["push"]}]}],"notes":[],"error":null}"#;

/// The trace with the right hash, then changed.
fn trace(name: &str, from: &str, to: &str) -> String {
    assert!(TRACE.contains(from));
    let text = TRACE.replacen(from, to, 1).replace("HASH", "e7e039bdd6bfd1d5");
    file(name, text.as_bytes())
}

fn run(trace: &str, options: &[&str]) -> Output {
    output_with(&[&["verify", "-", trace], options].concat(), ENDLESS.as_bytes())
}

#[test]
fn agreement() {
    let trace = trace("agrees.json", "robot", "robot");
    let output = run(&trace, &[]);
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    assert_eq!(
        stdout(&output),
        "stdin: agrees in 1 playout, 1 state, and perft to depth 2 (2 joint moves)\n"
    );
    assert_eq!(stderr(&output), "warning: the trace was made from a rulesheet of other bytes\n");
    let value = json(&run(&trace, &["--json"]));
    assert_eq!((&value["agrees"], &value["playouts"]), (&true.into(), &1.into()));
}

#[test]
fn difference() {
    let trace = trace("differs.json", "\"push\"]", "\"pull\"]");
    let output = run(&trace, &[]);
    assert_eq!(status(&output), 1);
    assert!(stdout(&output).contains("legal moves of robot differ in playout 0 at step 0"));
    let value = json(&run(&trace, &["--json"]));
    assert_eq!(value["agrees"], false);
    assert_eq!(value["difference"]["missing"], serde_json::json!(["pull"]));
}

#[test]
fn what_is_no_trace_is_refused() {
    refused(&["verify", "tictactoe", "missing.json"], b"");
    let said = refused(&["verify", "tictactoe", TICTACTOE], b"");
    assert!(said.contains("no trace of the known format"), "{said}");
    let other = trace("version.json", "\"gdl2\"", "\"version\":2,\"gdl2\"");
    assert!(refused(&["verify", "tictactoe", &other], b"").contains("version"));
}
