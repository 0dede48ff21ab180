//! `gdlr play --flatmc`: random playouts.

use super::*;

fn run(arguments: &[&str]) -> Value {
    let all = [&["play", TICTACTOE, "--flatmc", "--json"], arguments].concat();
    let output = output(&all);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    json(&output)
}

/// All but the times and rates.
fn counts(arguments: &[&str]) -> (Value, Value, Value) {
    let value = run(arguments);
    (value["playouts"].clone(), value["states"].clone(), value["roles"].clone())
}

#[test]
fn has_the_shape_of_the_contract() {
    let value = run(&["--playouts", "100", "--engine", "propnet"]);
    let contract = [
        "game",
        "engine",
        "threads",
        "seed",
        "setup_seconds",
        "seconds",
        "playouts",
        "states",
        "playouts_per_second",
        "states_per_second",
        "mean_length",
        "capped",
        "roles",
    ];
    assert_eq!(keys(&value), [&contract[..], &["decisions"]].concat());
    // How many at once, and by what, is told where there are several.
    let value = run(&["--playouts", "100"]);
    let keys_of_lanes = keys(&value).split_off(contract.len());
    match value["backend"].as_str() {
        Some("code") => assert_eq!(keys_of_lanes, ["lanes", "backend", "decisions"]),
        _ => assert_eq!(keys_of_lanes, ["lanes", "backend", "without_code", "decisions"]),
    }
    assert_eq!(value["game"], "tictactoe");
    assert_eq!(value["engine"], "batch");
    assert_eq!((&value["threads"], &value["seed"]), (&1.into(), &1.into()));
    assert_eq!((&value["playouts"], &value["capped"]), (&100.into(), &0.into()));
    assert_eq!(keys(&value["roles"][0]), ["role", "mean_goal", "goals"]);
    assert_eq!(value["roles"].as_array().unwrap().len(), 2);
}

#[test]
fn counts_agree_with_each_other() {
    let value = run(&["--playouts", "300"]);
    let states = value["states"].as_f64().unwrap();
    assert_eq!(value["mean_length"].as_f64().unwrap(), states / 300.0);
    assert!((5.0 * 300.0..=9.0 * 300.0).contains(&states));
    for role in value["roles"].as_array().unwrap() {
        let goals = role["goals"].as_object().unwrap();
        let sum: u64 = goals.values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(sum, 300);
        let weigh = |(value, count): (&String, &Value)| {
            value.parse::<f64>().unwrap() * count.as_f64().unwrap()
        };
        let mean = goals.iter().map(weigh).sum::<f64>() / 300.0;
        assert!((role["mean_goal"].as_f64().unwrap() - mean).abs() < 1e-9);
    }
}

#[test]
fn every_engine_has_the_same_shape() {
    let automatic = run(&["--playouts", "100"]);
    let of_lanes = ["lanes", "backend", "without_code"];
    for engine in ["tree", "propnet", "batch", "rg"] {
        let value = run(&["--playouts", "100", "--engine", engine]);
        let mut shape = keys(&automatic);
        if engine != "batch" {
            shape.retain(|key| !of_lanes.contains(key));
        }
        assert_eq!(keys(&value), shape, "{engine}");
        assert_eq!((&value["engine"], &value["playouts"]), (&engine.into(), &100.into()));
    }
}

#[test]
fn the_seed_and_the_threads_decide() {
    let one = counts(&["--playouts", "200"]);
    assert_eq!(one, counts(&["--playouts", "200", "--seed", "1", "--threads", "1"]));
    assert_ne!(one, counts(&["--playouts", "200", "--seed", "2"]));
    // However the threads are scheduled.
    for playouts in ["1", "201", "5001"] {
        let two = counts(&["--playouts", playouts, "--threads", "2"]);
        for _ in 0..5 {
            assert_eq!(two, counts(&["--playouts", playouts, "--threads", "2"]));
        }
        assert_eq!(two.0.to_string(), playouts);
    }
}

#[test]
fn by_time() {
    let value = run(&["--time", "0.2", "--threads", "0"]);
    assert!(value["seconds"].as_f64().unwrap() >= 0.2);
    assert!(value["playouts"].as_u64().unwrap() > 0);
    assert!(value["threads"].as_u64().unwrap() > 0);
}

/// The same playouts for a seed, whatever else is there; a width that the processor lacks is refused.
#[test]
fn as_many_lanes_as_are_asked_for() {
    let automaton = automaton::nim();
    for lanes in ["64", "128", "256", "512"] {
        for game in [TICTACTOE, &automaton] {
            let play = ["play", game, "--flatmc", "--playouts", "100", "--json"];
            let output = output(&[&play[..], &["--lanes", lanes]].concat());
            if status(&output) == 2 {
                assert!(["256", "512"].contains(&lanes), "{lanes}");
                let said = stderr(&output);
                let instead =
                    "which this processor does not have; take --lanes with one of 64, 128";
                assert!(said.contains(instead), "{said}");
                continue;
            }
            let value = json(&output);
            assert_eq!(value["lanes"].to_string(), lanes);
            assert_eq!(value["playouts"], 100);
            if lanes == "128" && !cfg!(feature = "cranelift") {
                let why = value["without_code"].as_str().unwrap();
                assert!(why.ends_with("it lacks the feature `cranelift`"), "{why}");
            }
            if lanes == "64" {
                assert_eq!(value["backend"], "loops");
                assert_eq!(value["without_code"], "machine code is for 128 lanes and more");
            }
        }
    }
    let text = done(&["play", "tictactoe", "--flatmc", "--playouts", "50", "--lanes", "64"]);
    assert!(text.contains("\nlanes        64, by loops\n"), "{text}");
    let info = json(&output(&["info", "tictactoe", "--json"]));
    assert_eq!(info["batch"]["lanes"], run(&["--playouts", "1"])["lanes"]);
    assert_eq!(info["batch"]["backend"], run(&["--playouts", "1"])["backend"]);
}

#[test]
fn lanes_are_of_random_playouts_on_a_net() {
    let flat = ["play", "tictactoe", "--flatmc", "--playouts", "5"];
    let said = refused(&[&flat[..], &["--lanes", "100"]].concat(), b"");
    assert!(said.contains("[possible values: auto, 64, 128, 256, 512]"), "{said}");
    let said = refused(&[&flat[..], &["--engine", "tree", "--lanes", "64"]].concat(), b"");
    assert!(said.contains("--lanes is for the engine batch, and not for tree"), "{said}");
    let said = refused(&["play", "tictactoe", "--lanes", "64"], b"");
    assert!(said.contains("take --flatmc with it"), "{said}");
}

#[test]
fn as_text() {
    let text = done(&["play", "tictactoe", "--flatmc", "--playouts", "50", "--seed", "7"]);
    assert!(text.starts_with("tictactoe: engine batch, 1 thread, seed 7\n\nplayouts/s  "));
    for row in ["states/s ", "mean length ", "playouts ", "states ", "time ", "set-up "] {
        assert!(text.contains(&format!("\n{row}")), "{text}");
    }
    assert!(text.contains("\nrole     mean goal  goals\n"), "{text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn optimisations_change_no_result() {
    let all = counts(&["--playouts", "50", "--engine", "tree"]);
    let without = "filters,hashing,filter-removal,redundant-removal";
    let none = counts(&["--playouts", "50", "--engine", "tree", "--without", without]);
    assert_eq!(all.0, none.0);
}

#[test]
fn long_playouts_are_cut() {
    // A game of tic-tac-toe takes five to nine moves.
    let output = output(&[
        "play",
        TICTACTOE,
        "--flatmc",
        "--json",
        "--playouts",
        "1000",
        "--max-steps",
        "6",
    ]);
    assert_eq!(status(&output), 0);
    let value = json(&output);
    let [playouts, capped] = ["playouts", "capped"].map(|name| value[name].as_u64().unwrap());
    assert_eq!(playouts + capped, 1000);
    assert!(playouts > 0 && capped > 500, "{value}");
    assert!(value["mean_length"].as_f64().unwrap() <= 6.0, "{value}");
    let said = format!("warning: {capped} playouts were cut and do not count (see --max-steps)");
    assert_eq!(stderr(&output).trim_end(), said);
}

#[test]
fn an_endless_game_is_cut() {
    let game = file("endless.kif", ENDLESS.as_bytes());
    let bounds = ["--playouts", "3", "--max-steps", "100", "--json"];
    let output = output(&[&["play", &game, "--flatmc"], &bounds[..]].concat());
    assert_eq!(status(&output), 3);
    assert!(stderr(&output).contains("no playout ended: all 3 were cut"));
    let value = json(&output);
    assert_eq!((&value["playouts"], &value["capped"]), (&0.into(), &3.into()));
    assert_eq!((&value["states"], &value["mean_length"]), (&0.into(), &Value::Null));
}

#[test]
fn a_role_without_a_move_is_named_with_the_play() {
    let output =
        output_with(&["play", "-", "--flatmc", "--playouts", "2", "--json"], STUCK.as_bytes());
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains(
        "a defect of the game: right has no legal move in a state that is not terminal; \
         it was reached by\n    1. go  go\n"
    ));
    let value = json(&output);
    assert_eq!((&value["stuck"], &value["defect"]["role"]), (&2.into(), &"right".into()));
}

#[test]
fn a_missing_goal_value_is_named() {
    let output =
        output_with(&["play", "-", "--flatmc", "--playouts", "2", "--json"], NO_GOAL.as_bytes());
    assert_eq!(status(&output), 1);
    assert!(stderr(&output).contains("the rules give no goal value for robot"));
    let value = json(&output);
    assert_eq!(value["playouts"], 2);
    assert_eq!(value["roles"][0]["improper_goals"], 2);
    assert_eq!(value["roles"][0]["mean_goal"], Value::Null);
}

#[test]
fn defects_are_told_alike_by_all_engines() {
    for game in [STUCK, NO_GOAL, CORNERED] {
        let told = |engine: &str| {
            let arguments = ["play", "-", "--flatmc", "--playouts", "500", "--json"];
            let output =
                output_with(&[&arguments[..], &["--engine", engine]].concat(), game.as_bytes());
            assert_eq!(status(&output), 1, "{engine}");
            let defect = &json(&output)["defect"];
            (stderr(&output).to_owned(), defect["kind"].clone(), defect["role"].clone())
        };
        let expected = told("tree");
        for engine in ["propnet", "batch"] {
            assert_eq!(told(engine), expected, "{engine}");
        }
    }
}

#[test]
fn a_defect_that_is_not_found_again_is_counted() {
    // One playout in two to the power of twenty ends without a goal value.
    let mut game = "
        (role robot) (init (at 0)) (succ 0 1)
        (legal robot a) (legal robot b)
        (<= (next (well)) (does robot a)) (<= (next (well)) (true (well)))
        (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
        (<= terminal (true (at 20)))
        (<= (goal robot 100) (true (well)))"
        .to_owned();
    for n in 1..20 {
        game += &format!(" (succ {n} {})", n + 1);
    }
    let arguments = ["play", "-", "--flatmc", "--playouts", "20000000", "--json"];
    let output = output_with(&arguments, game.as_bytes());
    let value = json(&output);
    let improper = value["roles"][0]["improper_goals"].as_u64().expect("some are improper");
    assert_eq!((status(&output), &value["defect"]), (1, &Value::Null));
    let said = format!(
        "error: a defect of the game: {improper} of the playouts end without a proper goal \
         value for robot; a search"
    );
    assert!(stderr(&output).contains(&said), "{}", stderr(&output));
}
