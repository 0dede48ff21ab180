//! `gdlr rbg`: the language Regular Boardgames, and other commands on it.

use super::*;

const DEFECTIVE: &str = "\
#players = white(100), black(100)
#pieces = empty, pawn
#variables = turn(1000000)
#board = rectangle(up, down, left, right, [empty, pawn] [empty])
#step(dir) = dir {empty, pwan} // a slip
#rules = ->white step(up) (step(dwon) ->black)* {? ->> }
";

#[test]
fn a_sound_game() {
    let game = "rbg/walk.rbg";
    assert_eq!(done(&["rbg", "check", game]), format!("{game}: 0 errors, 0 warnings\n"));
    let value = json(&output(&["rbg", "check", "--json", game, game]));
    assert_eq!(keys(&value["games"][1]), ["game", "file", "errors", "warnings", "diagnostics"]);
    assert_eq!(done(&["rbg", "fmt", "--check", game]), "");
    assert_eq!(done(&["rg", "fmt", "--check", game]), "");
}

#[test]
fn a_defective_one() {
    let output = output_with(&["rbg", "check", "-"], DEFECTIVE.as_bytes());
    assert_eq!(status(&output), 1);
    let said = stderr(&output);
    for code in ["B103", "B104", "B105", "B106"] {
        assert!(said.contains(code), "{code}: {said}");
    }
    assert!(said.contains("in the expansion of `step`"), "{said}");
}

/// What is expanded and what is translated have the plays of the game.
#[test]
fn what_becomes_of_a_game_is_the_same_game() {
    let game = "rbg/walk.rbg";
    let expected = json(&output(&["perft", game, "3", "--json"]));
    for command in ["expand", "to-rg"] {
        let text = done(&["rbg", command, game]);
        let file = file(&format!("walk_{command}.txt"), text.as_bytes());
        let counted = json(&output(&["perft", &file, "3", "--json"]));
        assert_eq!(counted["counts"], expected["counts"], "{command}");
    }
}

#[test]
fn commands_that_take_automata_take_it() {
    for game in ["rbg/walk.rbg", "rbg/tictactoe.rbg"] {
        let played = json(&output(&["play", game, "--flatmc", "--time", "0.2", "--json"]));
        assert!(played["engine"].is_string(), "{played}");
        done(&["crosscheck", game, "--playouts", "5"]);
        done(&["info", game]);
        done(&["rg", "check", "--explore", "200", game]);
        done(&["rg", "optimise", game]);
    }
}

#[test]
fn sizes() {
    let value = json(&output(&["rbg", "info", "--json", "rbg/walk.rbg"]));
    assert_eq!(value["squares"], 5);
    assert_eq!(value["straightness"], 4);
    let text = done(&["rbg", "info", "rbg/walk.rbg"]);
    assert!(text.contains(&format!("{:<32} 5\n", "squares")), "{text}");
}
