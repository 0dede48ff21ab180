//! The command line: help, results, JSON, exit status, bad input.

use assert_cmd::assert::OutputAssertExt;
use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const TICTACTOE: &str = "kif/tictactoe.kif";

const COMMANDS: &[&str] = &[
    "play",
    "perft",
    "check",
    "fmt",
    "info",
    "tree",
    "ground",
    "propnet",
    "crosscheck",
    "to-rg",
    "rg",
    "bench",
    "games",
    "completions",
];

/// The commands of `gdlr rg`.
const RG_COMMANDS: &[&str] = &["check", "fmt", "run", "perft", "dot"];

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
    command.args(arguments).env("COLUMNS", "80").env_remove("NO_COLOR").stdin(Stdio::null());
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

/// What a command that is done printed.
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

/// A file of its own for a test.
fn file(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

/// Asserts a refusal with status 2 and gives what was said.
fn refused(arguments: &[&str], input: &[u8]) -> String {
    let output = output_with(arguments, input);
    assert_eq!(status(&output), 2, "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    stderr(&output).to_owned()
}

mod help {
    use super::*;

    #[test]
    fn of_all_commands() {
        insta::assert_snapshot!("help", done(&["--help"]));
    }

    #[test]
    fn of_each_command() {
        for command in COMMANDS {
            insta::assert_snapshot!(format!("help_{command}"), done(&[command, "--help"]));
        }
        for command in RG_COMMANDS {
            insta::assert_snapshot!(format!("help_rg_{command}"), done(&["rg", command, "--help"]));
        }
    }

    #[test]
    fn fits_eighty_columns_short_and_long() {
        let commands = COMMANDS.iter().map(|&command| vec![command]);
        let rg = RG_COMMANDS.iter().map(|&command| vec!["rg", command]);
        for command in commands.chain(rg) {
            let long = done(&[&command[..], &["--help"]].concat());
            assert_eq!(long, done(&[&command[..], &["-h"]].concat()), "{command:?}");
            for line in long.lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }

    #[test]
    fn lists_every_command() {
        let help = done(&["--help"]);
        for command in COMMANDS {
            assert!(help.contains(&format!("\n  {command} ")), "{command}");
        }
        let help = done(&["rg", "--help"]);
        for command in RG_COMMANDS {
            assert!(help.contains(&format!("\n  {command} ")), "{command}");
        }
    }

    #[test]
    fn version() {
        assert_eq!(done(&["--version"]), format!("gdlr {}\n", env!("CARGO_PKG_VERSION")));
    }
}

mod flat_mc {
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
        let value = run(&["--playouts", "100"]);
        assert_eq!(
            keys(&value),
            [
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
                "roles"
            ]
        );
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
        for engine in ["tree", "propnet", "batch", "rg"] {
            let value = run(&["--playouts", "100", "--engine", engine]);
            assert_eq!(keys(&value), keys(&automatic), "{engine}");
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
        let said =
            format!("warning: {capped} playouts were cut and do not count (see --max-steps)");
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
        let output = output_with(
            &["play", "-", "--flatmc", "--playouts", "2", "--json"],
            NO_GOAL.as_bytes(),
        );
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
}

mod interactive {
    use super::*;

    const BOTH: &[&str] = &["play", "tictactoe", "--human", "crosses", "--human", "noughts"];

    #[test]
    fn a_whole_game() {
        // Numbers, terms, and terms without brackets.
        let moves = "5\nsign 1 1\n(SIGN 1 2)\n( sign  3 2 )\nundo\n(sign 3 2)\n(sign 1 3)\n(sign 3 1)\n(sign 2 1)\n(sign 2 3)\n";
        let output = output_with(BOTH, moves.as_bytes());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        insta::assert_snapshot!("interactive", stdout(&output));
    }

    #[test]
    fn help_and_nonsense() {
        let output = output_with(BOTH, b"help\n99\n0\n-1\nfoo (\n\xff\n\nstate\nquit\n");
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        assert_eq!(text.matches("That is none of your 9 moves").count(), 5, "{text}");
        assert!(text.contains("leave the game"));
    }

    #[test]
    fn the_input_may_end() {
        let output = output_with(&["play", "tictactoe"], b"");
        assert_eq!(status(&output), 0);
        assert!(stdout(&output).ends_with("crosses> \n"));
    }

    #[test]
    fn the_players_play_alone() {
        for player in ["random", "mc", "uct"] {
            let text = done(&[
                "play",
                "tictactoe",
                "--human",
                "none",
                "--player",
                player,
                "--think",
                "0.01",
            ]);
            assert!(text.contains("\nThe game is over.\n  crosses: "), "{text}");
        }
    }

    #[test]
    fn without_end_or_moves() {
        let game = file("endless_alone.kif", ENDLESS.as_bytes());
        let output = output(&["play", &game, "--max-steps", "5"]);
        assert_eq!(status(&output), 3);
        let game = file("stuck_alone.kif", STUCK.as_bytes());
        let output = super::output(&["play", &game]);
        assert_eq!(status(&output), 1);
        assert!(stderr(&output).contains("right has no legal move"));
    }

    #[test]
    fn an_engine_without_states_is_refused() {
        let said = refused(&["play", "tictactoe", "--engine", "batch"], b"");
        assert!(said.contains("the engine batch has no single states"), "{said}");
        assert!(said.contains("--flatmc") && said.contains("--engine propnet"), "{said}");
    }

    #[test]
    fn unknown_roles_and_no_input_are_refused() {
        let message = refused(&["play", "tictactoe", "--human", "third"], b"");
        assert!(message.contains("no role `third`; the roles are crosses, noughts"));
        assert!(refused(&["play", "-"], b"(role a)").contains("standard input"));
    }
}

mod perft {
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
}

mod check {
    use super::*;

    #[test]
    fn a_good_game() {
        assert_eq!(done(&["check", TICTACTOE]), "kif/tictactoe.kif: 0 errors, 0 warnings\n");
        done(&["check", "--strict", "tictactoe", TICTACTOE]);
    }

    #[test]
    fn by_simulation() {
        let line = done(&["check", "--strict", "tictactoe", "--simulate", "50"]);
        assert_eq!(line, "kif/tictactoe.kif: 0 errors, 0 warnings, 50 of 50 playouts ended\n");
        for (game, code) in [(STUCK, "S001"), (ENDLESS, "S002"), (NO_GOAL, "S003")] {
            let arguments = ["check", "-", "--simulate", "3", "--max-steps", "100"];
            let output = output_with(&arguments, game.as_bytes());
            assert_eq!(status(&output), 1, "{code}");
            assert!(stderr(&output).contains(&format!("error[{code}]")), "{}", stderr(&output));
        }
        let value = json(&output(&["check", "tictactoe", "--simulate", "20", "--json"]));
        let simulation = &value["games"][0]["simulation"];
        assert_eq!((&simulation["playouts"], &simulation["terminated"]), (&20.into(), &20.into()));
        assert_eq!(simulation["roles"][0]["highest"], 100);
    }

    #[test]
    fn diagnostics_show_the_text() {
        let output = output_with(&["check", "-"], b"(role a)\n(<= terminal (p");
        assert_eq!(status(&output), 1);
        assert_eq!(stdout(&output), "<stdin>: 2 errors, 0 warnings\n");
        insta::assert_snapshot!("check", stderr(&output));
    }

    #[test]
    fn warnings_count_only_when_strict() {
        let game = file("warned.kif", format!("{ENDLESS}\n(unused thing)").as_bytes());
        assert_eq!(status(&output(&["check", &game])), 0);
        assert_eq!(status(&output(&["check", "--strict", &game])), 1);
        let played = output(&["perft", &game, "1"]);
        assert_eq!(status(&played), 0);
        assert_eq!(
            stderr(&played),
            format!("warning: 1 warning does not forbid play; see `gdlr check {game}`\n")
        );
    }

    #[test]
    fn a_file_that_is_missing_does_not_hide_the_others() {
        let output = output(&["check", "missing.kif", "tictactoe"]);
        assert_eq!(status(&output), 2);
        assert_eq!(stdout(&output), "kif/tictactoe.kif: 0 errors, 0 warnings\n");
    }

    #[test]
    fn as_json() {
        let output = output_with(&["check", "--json", "-", "tictactoe"], b"; x\n  (role ?x");
        assert_eq!(status(&output), 1);
        assert_eq!(stderr(&output), "");
        let value = json(&output);
        let game = &value["games"][0];
        assert_eq!((&game["errors"], &game["warnings"]), (&1.into(), &0.into()));
        let found = &game["diagnostics"][0];
        assert_eq!((&found["code"], &found["severity"]), (&"K001".into(), &"error".into()));
        let place = serde_json::json!({"line": 2, "column": 3, "start": 6, "end": 7});
        assert_eq!(found["place"], place);
        assert_eq!(value["games"][1]["errors"], 0);
    }
}

mod fmt {
    use super::*;

    #[test]
    fn to_standard_output_and_back() {
        let once = output_with(&["fmt", "-"], b"; a game\n(role   a)(<= terminal (p ?x)\n(q ?x))");
        assert_eq!(status(&once), 0);
        assert!(stdout(&once).contains("; a game\n"));
        let twice = output_with(&["fmt", "-"], &once.stdout);
        assert_eq!(stdout(&once), stdout(&twice));
        assert_eq!(status(&output_with(&["fmt", "--check", "-"], &once.stdout)), 0);
    }

    #[test]
    fn check_and_write() {
        let game = file("layout.kif", b"(role   a)");
        let checked = output(&["fmt", "--check", &game]);
        assert_eq!((status(&checked), stdout(&checked)), (1, ""));
        assert_eq!(done(&["fmt", "--write", &game]), "");
        assert_eq!(std::fs::read_to_string(&game).unwrap(), "(role a)\n");
        assert_eq!(status(&output(&["fmt", "--check", &game])), 0);
        let left: Vec<_> = std::fs::read_dir(env!("CARGO_TARGET_TMPDIR"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.starts_with("layout.kif."))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        assert!(refused(&["fmt", "--write", "-"], b"(role a)").contains("no file to write to"));
        refused(&["fmt", "--write", "tictactoe"], b"");
        let game = file("broken_layout.kif", b"(role a");
        refused(&["fmt", "--write", &game], b"");
        assert_eq!(std::fs::read_to_string(&game).unwrap(), "(role a");
    }
}

mod rg {
    use super::*;

    const GAME: &str = "\
// Say any number; three wins.
type Player = { solo };
type Score = { 0, 100 };
type Number = { 1, 2, 3 };
var said: Number = 1;

begin, turn: player = solo;
turn, chosen: said = Number(*);
chosen, over: $$ said;
over, judged: player = keeper;
judged, won: ? three -> yes; three, yes: said == 3;
judged, lost: ! three -> yes;
won, last: goals[solo] = 100; lost, last: ;
last, end: player = keeper;
";

    const DEFECTIVE: &str = "\
@uniqueNodes a;
type Player = { x, o };
type Number = { 1, 2 };
const next: Number -> Number = { 1: 2 };
var at: Number = 3;
begin, turn: at = next;
turn, turn: $ t;
turn, done: ? turn -> done;
done, end: goals[player] = 100;
typeA, end: at == x;
";

    #[test]
    fn a_sound_automaton() {
        let game = file("sound.rg", GAME.as_bytes());
        assert_eq!(done(&["rg", "check", &game]), format!("{game}: 0 errors, 0 warnings\n"));
        let value = json(&output(&["rg", "check", "--json", &game]));
        assert_eq!(keys(&value), ["game", "file", "errors", "warnings", "diagnostics"]);
        assert_eq!(value["game"], "sound");
    }

    #[test]
    fn a_defective_one() {
        let output = output_with(&["rg", "check", "-"], DEFECTIVE.as_bytes());
        assert_eq!(status(&output), 1);
        assert_eq!(stdout(&output), "<stdin>: 7 errors, 4 warnings\n");
        insta::assert_snapshot!("rg_check", stderr(&output));
        for line in stderr(&output).lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn a_text_that_is_none() {
        let output = output_with(&["rg", "check", "-", "--json"], b"begin, end: \n  x = ;\xff");
        assert_eq!((status(&output), stderr(&output)), (1, ""));
        let value = json(&output);
        assert_eq!(value["diagnostics"][0]["code"], "R005");
        let output = output_with(&["rg", "check", "-", "--json"], b"begin, end: \n  x = ;");
        let found = &json(&output)["diagnostics"][0];
        assert_eq!((&found["code"], &found["severity"]), (&"R001".into(), &"error".into()));
        assert_eq!((&found["place"]["line"], &found["place"]["column"]), (&2.into(), &7.into()));
        for command in [&["fmt", "-"][..], &["run", "-"], &["perft", "-", "2"], &["dot", "-"]] {
            let said = refused(&[&["rg"], command].concat(), b"begin, end: x = ;");
            assert!(said.starts_with("error[R001]: "), "{said}");
        }
    }

    #[test]
    fn proper_games_and_others() {
        let explore = ["rg", "check", "-", "--explore"];
        let of = |game: &str, most: &str| {
            output_with(&[&explore[..], &[most]].concat(), game.as_bytes())
        };
        // The beginning, the choice, and for each number the keeper and the end.
        let all = of(GAME, "100");
        let said = "<stdin>: 0 errors, 0 warnings\n\
                    explored 8 states, which are all: the game is proper\n";
        assert_eq!((status(&all), stdout(&all)), (0, said));
        let some = of(GAME, "3");
        assert_eq!(status(&some), 0);
        assert!(stdout(&some).ends_with("explored 3 states, there are more: no defect so far\n"));
        let torn = GAME.replace("last, end: player = keeper;", "last, turn: player = solo;");
        let torn = torn + "last, end: player = keeper;";
        let found =
            output_with(&["rg", "check", "--json", "-", "--explore", "100"], torn.as_bytes());
        assert_eq!(status(&found), 1);
        let value = json(&found);
        assert_eq!(value["explored"]["defect"]["condition"], "move unambiguity");
        assert_eq!(value["explored"]["complete"], false);
        assert!(value["explored"]["defect"]["play"].as_array().expect("moves").len() == 2);
    }

    #[test]
    fn warnings_are_no_errors() {
        let game = GAME.to_owned() + "var unused: Number = 1;\n";
        let output = output_with(&["rg", "check", "-"], game.as_bytes());
        assert_eq!((status(&output), stdout(&output)), (0, "<stdin>: 0 errors, 1 warning\n"));
        assert!(stderr(&output).starts_with("warning[R201]: "), "{}", stderr(&output));
    }

    #[test]
    fn layout_to_standard_output_and_back() {
        let once = output_with(&["rg", "fmt", "-"], GAME.as_bytes());
        assert_eq!(status(&once), 0);
        insta::assert_snapshot!("rg_fmt", stdout(&once));
        let checked = output_with(&["rg", "fmt", "--check", "-"], &once.stdout);
        assert_eq!((status(&checked), stdout(&checked)), (0, ""));
    }

    #[test]
    fn layout_is_checked_and_written() {
        let game = file("layout.rg", b"begin,end:player=keeper;");
        assert_eq!(status(&output(&["rg", "fmt", "--check", &game])), 1);
        assert_eq!(done(&["rg", "fmt", "--write", &game]), "");
        assert_eq!(std::fs::read_to_string(&game).unwrap(), "begin, end: player = keeper;\n");
        assert_eq!(done(&["rg", "fmt", "--check", &game]), "");
        assert!(refused(&["rg", "fmt", "--write", "-"], b"p, q: ;").contains("no file to write"));
        refused(&["rg", "fmt", "--write", "--check", &game], b"");
    }

    #[test]
    fn dot() {
        let output = output_with(&["rg", "dot", "-"], GAME.as_bytes());
        assert_eq!(status(&output), 0);
        insta::assert_snapshot!("rg_dot", stdout(&output));
        let said = refused(&["rg", "dot", "-"], b"p, q: v = {}(*);");
        assert_eq!(said, "error: <stdin>: a set type has no symbols\n");
    }

    /// The keeper has two moves, which the player's first one leads to.
    const IMPROPER: &str = "\
type Player = { solo };
type Score = { 0, 1 };
begin, turn: player = solo;
turn, on: $ on;
on, split: player = keeper;
split, a: $ a; a, end: player = keeper;
split, b: $ b; b, end: player = keeper;
";

    #[test]
    fn random_plays_as_text() {
        let game = file("played.rg", GAME.as_bytes());
        let arguments = ["rg", "run", &game, "--plays", "300", "--seed", "5"];
        let text = done(&arguments);
        assert!(text.starts_with("played: seed 5\n\n"), "{text}");
        // What does not depend on the clock.
        let constant = |text: &str| -> Vec<String> {
            let timed = ["plays/s", "moves/s", "time", "set-up"];
            let lines =
                text.lines().filter(|line| !timed.iter().any(|name| line.starts_with(name)));
            lines.map(str::to_owned).collect()
        };
        let again = constant(&done(&arguments));
        assert_eq!(constant(&text), again);
        insta::assert_snapshot!("rg_run", again.join("\n"));
    }

    #[test]
    fn random_plays_as_json() {
        let game = file("counted.rg", GAME.as_bytes());
        let arguments = ["rg", "run", &game, "--plays", "300", "--seed", "5", "--json"];
        let value = json(&output(&arguments));
        assert_eq!(
            keys(&value),
            [
                "game",
                "engine",
                "seed",
                "setup_seconds",
                "seconds",
                "plays",
                "moves",
                "plays_per_second",
                "moves_per_second",
                "mean_length",
                "capped",
                "players"
            ]
        );
        assert_eq!((&value["game"], &value["engine"]), (&"counted".into(), &"rg".into()));
        assert_eq!((&value["seed"], &value["capped"]), (&5.into(), &0.into()));
        // Whoever says a number has made the only move there is.
        assert_eq!((&value["plays"], &value["moves"]), (&300.into(), &300.into()));
        let solo = &value["players"][0];
        assert_eq!(keys(solo), ["player", "mean_goal", "goals"]);
        assert_eq!(solo["player"], "solo");
        let often = |goal: &str| solo["goals"][goal].as_u64().expect("a count");
        assert_eq!(often("0") + often("100"), 300);
        assert!((60..140).contains(&often("100")), "{solo}");
        assert_eq!(solo["mean_goal"], often("100") as f64 / 3.0);
        let again = json(&output(&arguments));
        assert_eq!(again["players"], value["players"]);
    }

    #[test]
    fn plays_that_take_too_many_moves_are_cut() {
        let game = tictactoe("cut.rg");
        let cut = output(&["rg", "run", &game, "--plays", "9", "--max-moves", "2", "--json"]);
        assert_eq!(status(&cut), 3);
        assert!(stderr(&cut).contains("all 9 were cut (see --max-moves)"), "{}", stderr(&cut));
        let value = json(&cut);
        assert_eq!((&value["plays"], &value["capped"]), (&0.into(), &9.into()));
        assert_eq!(value["mean_length"], Value::Null);
        refused(&["rg", "run", &game, "--plays", "1", "--time", "1"], b"");
        refused(&["rg", "run", &game, "--time", "-1"], b"");
    }

    #[test]
    fn a_keeper_that_never_stops_stops_the_commands() {
        let head = "type Player = { a }; type Score = { 0 }; type D = { 0, 1, 2 };";
        let round = format!(
            "{head} var x: D = 0; begin, a: player = keeper; a, b: x == 0; b, c: x = 0;
             c, a: player = keeper; a, end: x == 1;"
        );
        for command in [&["run", "-", "--time", "1"][..], &["run", "-"], &["perft", "-", "2"]] {
            let output = output_with(&[&["rg"], command].concat(), round.as_bytes());
            assert_eq!(status(&output), 1);
            let said = "a defect of the game: the keeper goes round for ever";
            assert!(stderr(&output).contains(said), "{}", stderr(&output));
        }
        // It counts to 3^40.
        let mut text = format!("{head} const next: D -> D = {{ 0: 1, 1: 2, :0 }};");
        (0..40).for_each(|i| text += &format!("var d{i}: D = 0;"));
        text += "begin, n0: player = keeper; n, n0: player = keeper; n40, end: player = keeper;";
        for i in 0..40 {
            text += &format!("n{i}, m{i}: d{i} == 2; m{i}, n{}: d{i} = 0;", i + 1);
            text += &format!("n{i}, k{i}: d{i} != 2; k{i}, n: d{i} = next[d{i}];");
        }
        for command in [&["run", "-", "--time", "1", "--json"][..], &["perft", "-", "2", "--json"]]
        {
            let output = output_with(&[&["rg"], command].concat(), text.as_bytes());
            assert_eq!(status(&output), 3, "{}", stderr(&output));
            assert!(json(&output)["error"].as_str().is_some());
        }
    }

    /// The automaton of a bundled game.
    fn tictactoe(name: &str) -> String {
        let path = file(name, b"");
        done(&["to-rg", "tictactoe", "-o", &path]);
        path
    }

    #[test]
    fn plays_of_each_length() {
        let game = tictactoe("lengths.rg");
        let text = done(&["rg", "perft", &game, "5"]);
        let table: Vec<&str> = text.lines().take(7).collect();
        insta::assert_snapshot!("rg_perft", table.join("\n"));
        let value = json(&output(&["rg", "perft", &game, "5", "--json"]));
        assert_eq!(keys(&value), ["game", "engine", "depth", "counts", "terminal", "seconds"]);
        assert_eq!((&value["game"], &value["engine"]), (&"lengths".into(), &"rg".into()));
        assert_eq!(value["depth"], 5);
        assert_eq!(value["counts"], serde_json::json!([1, 9, 72, 504, 3024, 15120]));
        assert_eq!(value["terminal"], serde_json::json!([0, 0, 0, 0, 0, 1440]));
        for depth in ["-1", "x", "100001", ""] {
            refused(&["rg", "perft", &game, depth], b"");
        }
    }

    #[test]
    fn improper_games() {
        for command in [&["run", "-", "--plays", "3"][..], &["perft", "-", "3"]] {
            let arguments = [&["rg"], command, &["--json"]].concat();
            let output = output_with(&arguments, IMPROPER.as_bytes());
            assert_eq!(status(&output), 1, "{}", stderr(&output));
            let defect = "the keeper has 2 moves at `split` rather than one";
            assert!(stderr(&output).starts_with(&format!("error: a defect of the game: {defect}")));
            assert_eq!(json(&output)["error"], defect);
        }
        let output = output_with(&["rg", "run", "-", "--plays", "3"], IMPROPER.as_bytes());
        assert_eq!(status(&output), 1);
        assert!(stdout(&output).starts_with("stdin: seed 1\n"), "{}", stdout(&output));
        // Errors that can be seen without playing are errors of the input.
        for command in [&["run", "-"][..], &["perft", "-", "3"]] {
            let said = refused(&[&["rg"], command].concat(), DEFECTIVE.as_bytes());
            assert!(said.starts_with("error[R"), "{said}");
        }
    }

    #[test]
    fn files_that_are_not_there() {
        for command in RG_COMMANDS {
            // The name of a bundled game is no automaton.
            for missing in ["missing.rg", "tictactoe"] {
                let mut arguments = vec!["rg", command, missing];
                arguments.extend((*command == "perft").then_some("2"));
                let said = refused(&arguments, b"");
                assert!(said.starts_with(&format!("error: cannot read `{missing}`: ")), "{said}");
            }
        }
    }
}

mod others {
    use super::*;

    #[test]
    fn info() {
        let text = done(&["info", "tictactoe"]);
        for row in [
            "game ",
            "roles ",
            "strata ",
            "recursive ",
            "flat arities ",
            "tree: set-up ",
            "propnet: gates ",
        ] {
            assert!(text.lines().any(|line| line.starts_with(row)), "{text}");
        }
        assert!(text.lines().any(|line| line.ends_with("  crosses, noughts")), "{text}");
        let value = json(&output(&["info", "tictactoe", "--json"]));
        assert_eq!(value["roles"], serde_json::json!(["crosses", "noughts"]));
        assert!(value["rules"].as_u64().unwrap() > 10);
        assert_eq!(value["flat_arities"]["legal/2"], 4);
        assert!(value["tree"]["set_up_seconds"].is_number());
        assert!(value["propnet"]["gates"].is_u64());
        let tree = json(&output(&["info", "tictactoe", "--json", "--engine", "tree"]));
        assert!(tree["tree"].is_object() && tree["propnet"].is_null());
        let none = json(&output(&["info", "tictactoe", "--json", "--ground-time", "0"]));
        assert_eq!(none["propnet"]["exhausted"], "time");
    }

    #[test]
    fn tree() {
        let text = done(&["tree", "tictactoe"]);
        assert!(text.starts_with("#0 legal/2, root\n  line 22: (legal ?player (sign ?x ?y))\n"));
        let dot = done(&["tree", "tictactoe", "--dot"]);
        assert!(dot.starts_with("digraph") && dot.contains("line 48: (line ?player)"));
    }

    #[test]
    fn ground() {
        let text = done(&["ground", "tictactoe"]);
        assert!(text.starts_with("(role crosses)\n(role noughts)\n") && !text.contains('?'));
        let file = file("ground.kif", b"replaced");
        assert_eq!(done(&["ground", "tictactoe", "-o", &file]), "");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        let counts = |game: &str| json(&output(&["perft", game, "4", "--json"]))["counts"].clone();
        assert_eq!(counts(&file), counts("tictactoe"));
        let said = refused(&["ground", "tictactoe", "-o", "missing/ground.kif"], b"");
        assert!(said.starts_with("error: cannot write `missing/ground.kif`: "), "{said}");
    }

    #[test]
    fn to_rg() {
        let text = done(&["to-rg", "tictactoe"]);
        assert!(text.starts_with("type Player = { crosses, noughts };\n"), "{text}");
        let (automaton, names) = (file("written.rg", b"replaced"), file("names.json", b""));
        let files = ["-o", &automaton, "--names", &names];
        assert_eq!(done(&[&["to-rg", "tictactoe"], &files[..]].concat()), "");
        assert_eq!(std::fs::read_to_string(&automaton).unwrap(), text);
        let errors = done(&["rg", "check", &automaton]);
        assert!(errors.starts_with(&format!("{automaton}: 0 errors, ")), "{errors}");
        let joint = done(&["to-rg", "tictactoe", "--joint"]);
        assert!(joint.contains("$ sign_1_1;\n") && joint != text, "{joint}");

        let names = std::fs::read_to_string(&names).unwrap();
        let names: Value = serde_json::from_str(&names).expect("JSON");
        assert_eq!(keys(&names), ["game", "roles", "moves", "facts", "scores", "turns"]);
        assert_eq!(names["game"], "tictactoe");
        assert_eq!(names["roles"]["crosses"], "crosses");
        assert_eq!(names["moves"]["sign_1_1"], "(sign 1 1)");
        assert_eq!(names["scores"], serde_json::json!({"0": "0", "50": "50", "100": "100"}));
        let fact = |variable: &str, value: &str, fact: &str| {
            serde_json::json!(
                {"fact": fact, "variable": variable, "value": value, "equal": true}
            )
        };
        let facts = names["facts"].as_array().unwrap();
        assert!(
            facts.contains(&fact("signed_1_1", "crosses", "(signed 1 1 crosses)")),
            "{facts:?}"
        );
        assert!(facts.contains(&fact("turn", "noughts", "(turn noughts)")), "{facts:?}");
        let turns = names["turns"].as_object().unwrap();
        let crosses = serde_json::json!({"crosses": "ply", "noughts": {"move": "wait"}});
        assert!(turns.values().any(|turn| *turn == crosses), "{turns:?}");
        // All names are in the automaton.
        let words: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        for name in facts.iter().map(|fact| fact["variable"].as_str().unwrap()) {
            assert!(words.contains(&name), "{name}");
        }
        for name in turns.keys() {
            assert!(words.contains(&&**name), "{name}");
        }
    }

    #[test]
    fn to_rg_writes_all_or_nothing() {
        let (automaton, names) = (file("kept.rg", b"kept"), file("kept.json", b"kept"));
        let files = ["-o", &automaton, "--names", &names];
        let arguments = [&["to-rg", "reversi", "--ground-time", "0"], &files[..]].concat();
        assert_eq!(status(&output(&arguments)), 3);
        for file in [&automaton, &names] {
            assert_eq!(std::fs::read_to_string(file).unwrap(), "kept");
        }
        let same = ["to-rg", "tictactoe", "-o", &automaton, "--names", &automaton];
        assert!(refused(&same, b"").contains("are the same file"));
        assert_eq!(std::fs::read_to_string(&automaton).unwrap(), "kept");
        for option in ["-o", "--names"] {
            let said = refused(&["to-rg", "tictactoe", option, "missing/file"], b"");
            assert!(said.starts_with("error: cannot write `missing/file`: "), "{said}");
        }
    }

    #[test]
    fn facts_that_never_change_have_no_variable() {
        let game = "(role a) (init (on)) (init (lamp)) (legal a go) (<= (next (on)) (true (on)))
                    (<= terminal (not (true (lamp)))) (goal a 1)";
        let names = file("constant.json", b"");
        let output = output_with(&["to-rg", "-", "--names", &names], game.as_bytes());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let names = std::fs::read_to_string(&names).unwrap();
        let names: Value = serde_json::from_str(&names).expect("JSON");
        let on = serde_json::json!({"fact": "(on)", "always": true});
        assert!(names["facts"].as_array().unwrap().contains(&on), "{names}");
    }

    #[test]
    fn propnet() {
        let text = done(&["propnet", "tictactoe"]);
        assert!(text.starts_with("after ") && text.contains("\nconstants "), "{text}");
        let value = json(&output(&["propnet", "tictactoe", "--json"]));
        let stages = value["stages"].as_array().unwrap();
        assert_eq!(stages.len() + 1, text.lines().count());
        assert_eq!(stages[0]["after"], "grounding");
        let gates = |stage: &Value| stage["gates"].as_u64().unwrap();
        assert!(gates(&stages[0]) > gates(stages.last().unwrap()));
        assert!(done(&["propnet", "tictactoe", "--dot"]).starts_with("digraph"));
        let dumped = |pass| done(&["propnet", "tictactoe", "--dump-after", pass]);
        let (first, last) = (dumped("grounding"), dumped("polarity"));
        assert!(first.starts_with("latch (") && last.starts_with("latch ("), "{last}");
        assert_ne!(first, last);
        let said = refused(&["propnet", "tictactoe", "--dump-after", "luck"], b"");
        assert!(said.contains("grounding, constants, "), "{said}");
        let net = &json(&output(&["info", "tictactoe", "--json"]))["propnet"];
        assert_eq!(net["passes"].as_array().unwrap().len(), stages.len());
    }

    #[test]
    fn games_are_listed_and_playable() {
        let text = done(&["games"]);
        assert!(text.lines().any(|line| line.starts_with("tictactoe ")));
        let value = json(&output(&["games", "--json"]));
        let games = value["games"].as_array().unwrap();
        assert_eq!(games.len(), text.lines().count());
        for game in games {
            done(&["perft", game["game"].as_str().unwrap(), "1"]);
        }
    }

    #[test]
    fn bench() {
        let options = ["--time", "0.02", "--repeat", "2"];
        let value = json(&output(&[&["bench", "tictactoe", "--json"], &options[..]].concat()));
        let engines = ["tree", "propnet", "batch"];
        assert_eq!(value["games"].as_array().unwrap().len(), engines.len());
        for (game, engine) in value["games"].as_array().unwrap().iter().zip(engines) {
            assert_eq!(game["engine"], engine);
            assert_eq!(game["gates"].is_null(), engine == "tree");
            assert!(game["playouts_per_cpu_second"].as_f64().unwrap() > 0.0);
            assert!(game["ratio"].as_f64().unwrap() > 0.0);
            assert_eq!(game["runs"].as_array().unwrap().len(), 2);
        }
        let table = done(&[&["bench", "tictactoe", "--engine", "tree"], &options[..]].concat());
        assert!(table.contains("MB") && table.lines().count() == 2, "{table}");
        let table = done(&[&["bench", "tictactoe", "--markdown"], &options[..]].concat());
        assert_eq!(table.lines().count(), 2 + 3, "{table}");
        assert!(table.contains("propnet") && table.contains("batch") && table.contains("ratio"));
        assert!(table.lines().all(|line| line.starts_with('|') && line.ends_with('|')));
        let table = done(&[&["bench", "tictactoe", "--ablation"], &options[..]].concat());
        assert!(table.contains("filter-removal") && table.contains(" %"), "{table}");
    }

    #[test]
    fn completions() {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            assert!(done(&["completions", shell]).contains("perft"), "{shell}");
        }
    }
}

mod engines {
    use super::*;

    const NO_TIME: [&str; 2] = ["--ground-time", "0"];

    #[test]
    fn the_automatic_choice_falls_back_and_says_so() {
        for budget in [NO_TIME, ["--ground-memory", "0"]] {
            let output = output(&[&["perft", "tictactoe", "1", "--json"], &budget[..]].concat());
            assert_eq!(status(&output), 0);
            assert_eq!(json(&output)["engine"], "tree");
            let said = stderr(&output);
            assert!(said.starts_with("playing with engine tree: grounding ran out of "), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
        let arguments = ["play", "tictactoe", "--flatmc", "--playouts", "3", "--json"];
        let output = output(&[&arguments[..], &NO_TIME].concat());
        assert_eq!((status(&output), &json(&output)["engine"]), (0, &"tree".into()));
        assert!(stderr(&output).starts_with("playing with engine tree: grounding ran out of "));
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
            assert!(said.contains("tree, propnet, rg]"), "{said}");
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
            assert!(said.starts_with("error: grounding ran out of time after 0.0 s: "), "{said}");
            assert!(said.contains(" facts, ") && said.contains(" rules, "), "{said}");
            assert!(said.contains("allow more with --ground-time SECS"), "{said}");
            assert_eq!(said.contains("--engine tree"), matches!(command, "perft" | "play"));
        }
    }

    #[test]
    fn the_same_counts() {
        let counts = |engine: &str| {
            json(&output(&["perft", "reversi", "4", "--json", "--engine", engine]))["counts"]
                .clone()
        };
        assert_eq!(counts("tree"), counts("propnet"));
    }
}

mod crosscheck {
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
        assert!(
            lines[7].starts_with("3 playouts, perft to depth 4 (5,000 joint moves), "),
            "{text}"
        );
        assert_eq!(lines.len(), 8, "{text}");
    }

    #[test]
    fn as_json() {
        let arguments = ["crosscheck", "-", "--engines", "propnet,tree", "--json"];
        let bounds = ["--max-steps", "7", "--perft-nodes", "3", "--playouts", "2"];
        let output = output_with(&[&arguments[..], &bounds].concat(), ENDLESS.as_bytes());
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let value = json(&output);
        let expected = [
            "game", "engines", "seed", "agrees", "playouts", "capped", "states", "perft", "seconds",
        ];
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
}

mod verify {
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
        assert_eq!(
            stderr(&output),
            "warning: the trace was made from a rulesheet of other bytes\n"
        );
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
}

mod bad_input {
    use super::*;

    /// The commands that read a rulesheet, for one that is refused by all.
    fn refused_by_all(game: &str, message: &str) {
        for arguments in [
            &["play", game, "--flatmc"][..],
            &["play", game],
            &["perft", game, "2"],
            &["info", game],
            &["tree", game],
        ] {
            let said = refused(arguments, b"");
            assert!(said.contains(message), "{said}");
        }
    }

    #[test]
    fn no_file() {
        refused_by_all("missing.kif", "cannot read `missing.kif`");
        refused_by_all("tictaktoe", "did you mean `tictactoe`?");
        refused_by_all("xyzzy", "neither a file nor a bundled game");
        refused_by_all(env!("CARGO_TARGET_TMPDIR"), "cannot read");
    }

    #[test]
    fn not_utf8() {
        refused_by_all(&file("latin1.kif", b"(role a)\n(role \xe9)"), "error[K005]");
    }

    #[test]
    fn an_unclosed_bracket_has_its_line() {
        let game = file("unclosed.kif", b"(role a)\n\n  (role (b)\n");
        refused_by_all(&game, "unclosed.kif:3:3\n");
    }

    #[test]
    fn brackets_without_end() {
        let said = refused(&["play", "-", "--flatmc"], "(".repeat(100_000).as_bytes());
        assert!(said.contains("error[K003]") && said.contains("<stdin>:1:257"), "{said}");
        assert!(said.len() < 10_000, "{}", said.len());
    }

    #[test]
    fn too_large() {
        let text = " ".repeat((16 << 20) + 1);
        assert!(refused(&["perft", "-", "1"], text.as_bytes()).contains("larger than 16 MiB"));
        let game = file("large.kif", text.as_bytes());
        assert!(refused(&["perft", &game, "1"], b"").contains("larger than 16 MiB"));
        std::fs::remove_file(game).unwrap();
    }

    #[test]
    fn without_meaning() {
        refused_by_all(&file("empty.kif", b""), "error[E001]");
        refused_by_all(&file("no_role.kif", b"(legal a b) (<= terminal (true x))"), "error[E001]");
        let unsafe_rule = "(role a) (legal a b) (<= (p ?x) (not (q ?x))) (<= terminal (true x))";
        refused_by_all(&file("unsafe.kif", unsafe_rule.as_bytes()), "error[E012]");
    }

    #[test]
    fn case_sensitive_reading() {
        let game = "(role a) (legal a B) (legal a b) (init P) (<= terminal (true p))";
        let count = |arguments: &[&str]| {
            json(&output_with(arguments, game.as_bytes()))["counts"][1].clone()
        };
        assert_eq!(count(&["perft", "-", "1", "--json"]), 0);
        assert_eq!(count(&["perft", "-", "1", "--json", "--case-sensitive"]), 2);
    }

    #[test]
    fn arguments() {
        for arguments in [
            &[][..],
            &["nonsense"],
            &["play"],
            &["check"],
            &["play", "tictactoe", "--time", "1"],
            &["play", "tictactoe", "--flatmc", "--time", "-1"],
            &["play", "tictactoe", "--flatmc", "--time", "nan"],
            &["play", "tictactoe", "--flatmc", "--time", "1", "--playouts", "1"],
            &["play", "tictactoe", "--flatmc", "--engine", "prolog"],
            &["play", "tictactoe", "--flatmc", "--without", "luck"],
            &["bench", "--ablation", "--without", "hashing"],
            &["bench", "--repeat", "0"],
            &["completions", "dos"],
        ] {
            refused(arguments, b"");
        }
    }
}

mod streams {
    use super::*;

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
}
