//! Decisions of set-up as users see them: `gdlr info`, `gdlr play --flatmc --json`, `-v`, `-vv`, `GDLR_LOG`.

use super::*;

/// The decisions that `gdlr info --json` shows.
fn decisions(arguments: &[&str]) -> Vec<Value> {
    let value = json(&output(&[&["info", "--json"], arguments].concat()));
    value["decisions"].as_array().expect("a list").clone()
}

fn parts(decisions: &[Value]) -> Vec<&str> {
    let mut parts: Vec<&str> = decisions.iter().map(|of| of["part"].as_str().unwrap()).collect();
    parts.dedup();
    parts
}

fn about<'d>(decisions: &'d [Value], part: &str, subject: &str) -> &'d Value {
    let is_it = |of: &&Value| of["part"] == part && of["subject"] == subject;
    decisions.iter().find(is_it).expect("it is decided")
}

#[test]
fn info_has_objects_with_figures_and_bounds() {
    let decisions = decisions(&["connect4"]);
    assert_eq!(parts(&decisions), ["set-up", "tree", "net", "batch"]);
    for decision in &decisions {
        assert_eq!(keys(decision), ["part", "subject", "chosen", "measured", "bound"]);
        for figure in decision["measured"].as_array().expect("a list") {
            assert_eq!(keys(figure), ["name", "value"]);
            assert!(figure["value"].is_number(), "{decision}");
        }
    }
    let engine = about(&decisions, "set-up", "engine");
    assert_eq!(engine["chosen"], "propnet");
    assert_eq!(engine["bound"], serde_json::json!({"name": "time", "value": 20.0}));
    let value = json(&output(&["info", "connect4", "--json"]));
    let computed_by = about(&decisions, "batch", "computed by");
    assert_eq!(computed_by["bound"]["name"], "most_moves_of_code");
    assert_eq!(computed_by["chosen"] == "machine code", value["batch"]["backend"] == "code");
    assert_eq!(about(&decisions, "batch", "phases")["chosen"], "2, in turn");
    let lanes = about(&decisions, "batch", "lanes")["chosen"].as_str().unwrap();
    assert_eq!(lanes, value["batch"]["lanes"].to_string());
}

#[test]
fn info_shows_what_was_made_and_no_more() {
    assert_eq!(parts(&decisions(&["nim", "--engine", "tree"])), ["tree"]);
    assert_eq!(parts(&decisions(&["nim", "--engine", "propnet"])), ["net", "batch"]);
    let hasty = decisions(&["nim", "--set-up-time", "0"]);
    assert_eq!(parts(&hasty), ["set-up", "tree"]);
    assert_eq!(hasty[0]["chosen"], "tree: set-up ran out of time");
}

#[test]
fn play_tells_what_was_decided_about_the_engine_that_played() {
    let decided = |arguments: &[&str]| {
        let all = [&["play", "--flatmc", "--playouts", "50", "--json"], arguments].concat();
        let value = json(&output(&all));
        value["decisions"].as_array().expect("a list").clone()
    };
    let rules = |engine| decided(&["nim", "--engine", engine]);
    assert_eq!(parts(&rules("tree")), ["tree"]);
    assert_eq!(parts(&rules("propnet")), ["net"]);
    assert_eq!(parts(&rules("rg")), ["net", "automata", "rg"]);
    assert_eq!(parts(&rules("auto")), ["net", "batch", "set-up"]);
    let automaton = |engine| decided(&["hrg/nim.hrg", "--engine", engine]);
    assert_eq!(parts(&automaton("rg")), ["rg"]);
    let decisions = automaton("auto");
    assert_eq!(about(&decisions, "set-up", "engine")["chosen"], "batch");
    assert_eq!(
        about(&decisions, "automata", "automaton followed")["bound"]["name"],
        "optimiser_share"
    );
    assert_eq!(about(&decisions, "rg", "rounds")["bound"]["value"], 200);
}

#[test]
fn info_of_an_automaton_has_decisions_too() {
    let decisions = decisions(&["hrg/nim.hrg"]);
    assert_eq!(parts(&decisions), ["rg", "automata", "net"]);
    assert_eq!(about(&decisions, "rg", "landmarks")["bound"]["name"], "copies");
    let text = done(&["info", "hrg/nim.hrg"]);
    assert!(text.contains("\nDecisions\nrg: landmarks "), "{text}");
}

#[test]
fn info_shows_each_decision_in_eighty_columns() {
    for game in ["connect4", "hex", "draughts"] {
        let text = done(&["info", game]);
        let (_, lines) = text.split_once("\nDecisions\n").expect("a heading");
        // A folded line goes on below the chosen value.
        let begins = |line: &&str| !line.starts_with(' ');
        assert_eq!(lines.lines().filter(begins).count(), decisions(&[game]).len(), "{text}");
        for line in lines.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let computed_by = |text: &str| -> Vec<String> {
            let rows = text.lines().filter_map(|line| line.strip_prefix("batch: computed by"));
            rows.map(|row| row.split('(').next().unwrap().trim().to_owned()).collect()
        };
        let [above, below] = &computed_by(&text)[..] else { panic!("{text}") };
        assert_eq!(above, below);
    }
}

#[test]
fn set_up_tells_who_listens() {
    let run = |arguments: &[&str], log: Option<&str>| {
        let mut command = gdlr(&["perft", "nim", "2", "--engine", "propnet", "--json"]);
        command.args(arguments);
        if let Some(log) = log {
            command.env("GDLR_LOG", log);
        }
        let output = command.output().expect("the command starts");
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        assert_eq!(json(&output)["counts"][1], 16, "results stay as they are");
        all_visible(&output);
        stderr(&output).to_owned()
    };
    let (stage, decision) = (" INFO gdlr_net: grounding: 0.", "DEBUG gdlr_net: phases: ");
    let heard = |text: &str| [stage, decision].map(|what| text.contains(what));
    assert_eq!(run(&[], None), "");
    assert_eq!(run(&[], Some("")), "");
    assert_eq!(heard(&run(&["-v"], None)), [true, false]);
    assert_eq!(heard(&run(&["-vv"], None)), [true, true]);
    assert_eq!(heard(&run(&["--verbose"], Some("off"))), [true, false], "the option counts");
    assert_eq!(heard(&run(&[], Some("info"))), [true, false]);
    assert_eq!(heard(&run(&[], Some("gdlr_net=debug"))), [true, true]);
    assert_eq!(heard(&run(&[], Some("gdlr_batch=debug"))), [false, false]);
}

#[test]
fn a_malformed_filter_is_refused() {
    for text in ["gdlr=loud", "gdlr_net=debug=info"] {
        let output = gdlr(&["games"]).env("GDLR_LOG", text).output().expect("the command starts");
        assert_eq!((status(&output), stdout(&output)), (2, ""), "{text}");
        let said = stderr(&output);
        assert!(said.starts_with("error: GDLR_LOG is no list of filters: `"), "{said}");
        assert!(said.contains(text) && said.contains("gdlr_batch=debug"), "{said}");
    }
}
