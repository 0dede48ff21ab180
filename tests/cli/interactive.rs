//! `gdlr play`: a game in the terminal.

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
        let text =
            done(&["play", "tictactoe", "--human", "none", "--player", player, "--think", "0.01"]);
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
