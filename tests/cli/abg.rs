//! `gdlr abg`: the language Abstract Board Games, and other commands on it.

use super::*;

const DEFECTIVE: &str = "players = white;
pieces = empty, p(white);
rule p = [0, 1, Emtpy] | [0, 1, Empty]*;
post black p = [0, 1, Empty];
board_size = 1, 2;
board = p;
";

#[test]
fn a_game_is_checked_and_laid_out() {
    let game = "abg/chess.abg";
    for command in [&["abg", "check"][..], &["check"], &["rg", "check"]] {
        let said = done(&[command, &[game]].concat());
        assert_eq!(said, format!("{game}: 0 errors, 0 warnings\n"));
    }
    let value = json(&output(&["abg", "check", "--json", game, game]));
    assert_eq!(value["games"].as_array().map(Vec::len), Some(2));
    for command in [&["abg", "fmt", "--check"][..], &["rg", "fmt", "--check"]] {
        assert_eq!(done(&[command, &[game]].concat()), "");
    }
}

#[test]
fn several_errors_in_one_run() {
    let output = output_with(&["abg", "check", "-"], DEFECTIVE.as_bytes());
    assert_eq!(status(&output), 1);
    let said = stderr(&output);
    for told in ["[A103]", "there is no player `black`", "[A104]", "did you mean `Empty`?"] {
        assert!(said.contains(told), "{told}: {said}");
    }
}

#[test]
fn a_game_goes_wherever_an_automaton_goes() {
    let game = "abg/breakthrough_4x4.abg";
    let text = done(&["abg", "to-rg", game]);
    let automaton = output_with(&["rg", "check", "-"], text.as_bytes());
    assert_eq!(stdout(&automaton), "<stdin>: 0 errors, 0 warnings\n");
    let counted = done(&["perft", game, "4"]);
    assert!(counted.contains("6,324"), "{counted}");
    let rules = done(&["rg", "to-kif", game]);
    assert!(rules.contains("(role white)"), "{rules}");
}

#[test]
fn the_pieces_are_shown() {
    let text = done(&["abg", "info", "abg/breakthrough_4x4.abg"]);
    assert!(text.contains("squares                  16\n"), "{text}");
    assert!(text.contains("\nwPawn of white: 2 states, 3 letters\n. # # #\n. . P .\n"), "{text}");
    let value = json(&output(&["abg", "info", "--json", "abg/tictactoe.abg"]));
    assert_eq!(value["rules"][0]["reached"][1], ". P .");
    let dot = done(&["abg", "info", "--dot", "abg/breakthrough_4x4.abg"]);
    assert!(dot.starts_with("digraph rules {\n"), "{dot}");
}
