//! `gdlr draw`.

use super::*;

#[test]
fn a_state_after_moves() {
    let picture = done(&["draw", "tictactoe", "--after", "(sign 2 2) (sign 1 1)"]);
    assert!(picture.starts_with("<svg xmlns="), "{picture}");
    assert!(picture.contains("(turn crosses)") && picture.ends_with("</svg>\n"), "{picture}");
    assert_eq!(picture.matches("class=\"changed\"").count(), 1, "the last move is marked");
    assert_eq!(picture.matches("piece ring").count(), 1);
    // On trees the boards are those that play shows.
    let arguments = ["draw", "tictactoe", "--after", "(sign 2 2) (sign 1 1)", "--engine", "tree"];
    assert_eq!(done(&arguments), picture);
}

#[test]
fn into_a_file() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("board.svg");
    let path = file.to_str().expect("a path");
    assert_eq!(done(&["draw", "connect4", "-o", path]), "");
    let picture = std::fs::read_to_string(&file).expect("a picture");
    assert_eq!(picture.matches("class=\"square\"").count(), 42);
    refused(&["draw", "connect4", "-o", "/nowhere/at/all.svg"], b"");
}

#[test]
fn pictures_are_svg_and_nothing_else() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for name in ["board.png", "board.JPEG", "board.pdf"] {
        let file = folder.join(name);
        let path = file.to_str().expect("a path");
        let message = refused(&["draw", "tictactoe", "-o", path], b"");
        assert!(message.contains("pictures are SVG. Write `-o "), "{message}");
        assert!(message.contains("rsvg-convert"), "{message}");
        assert!(!file.exists(), "half a picture");
    }
    refused(&["draw", "tictactoe", "--graph", "dependencies", "-o", "rules.png"], b"");
}

#[test]
fn moves_as_play_takes_them() {
    let picture = done(&["draw", "tictactoe", "--after", "(sign 2 2) (sign 1 1)"]);
    // Without brackets, in any case, and by their numbers in the list of `play`.
    for after in ["sign 2 2 sign 1 1", "Sign 2 2 (sign 1 1)", "5 1", "((sign 2 2) wait) 1"] {
        assert_eq!(done(&["draw", "tictactoe", "--after", after]), picture, "{after}");
    }
    let refusal = refused(&["draw", "tictactoe", "--after", "sign 2 2 sign 2 2"], b"");
    assert!(refusal.contains("no legal joint move"), "{refusal}");
    refused(&["draw", "tictactoe", "--after", "10"], b"");
    refused(&["draw", "tictactoe", "--after", "0"], b"");
    let question = "(true (disc 3 1 red))";
    assert!(done(&["explain", "connect4", question, "--after", "drop 3"]).contains("holds after"));
}

#[test]
fn boards_are_whole_on_trees() {
    // Squares on which nothing stands before somebody plays there.
    for game in ["gomoku", "amazons", "light_cycles"] {
        let on = |engine| done(&["draw", game, "--engine", engine]);
        let squares = |picture: &str| picture.matches("class=\"square").count();
        assert_eq!(on("auto"), on("tree"), "{game}");
        let all = match game {
            "gomoku" => 225,
            "amazons" => 100,
            _ => continue,
        };
        assert_eq!(squares(&on("auto")), all, "{game}");
    }
}

#[test]
fn where_the_next_disc_falls_is_an_empty_square() {
    let picture = done(&["draw", "connect4"]);
    assert!(!picture.contains("gap") && picture.matches("class=\"piece").count() == 0, "{picture}");
    let text = done(&["play", "connect4", "--human", "none", "--max-steps", "50", "--seed", "1"]);
    assert!(!text.contains("gap"), "{text}");
}

#[test]
fn what_a_role_knows() {
    let after = "(try 2 2) (try 2 2) (try 1 1)";
    let of = |role| done(&["draw", "krieg_tictactoe", "--after", after, "--as", role]);
    let whole = done(&["draw", "krieg_tictactoe", "--after", after]);
    let crosses = |picture: &str| picture.matches("rotate(45").count();
    let rings = |picture: &str| picture.matches("piece ring").count();
    assert!(crosses(&whole) > 0 && rings(&whole) > 0, "{whole}");
    assert_eq!(crosses(&of("crosses")), crosses(&whole), "its own signs");
    // Noughts found the middle taken, so it knows who tried and signed it.
    assert_eq!(crosses(&of("noughts")), 2);
    assert_eq!(rings(&of("noughts")), rings(&whole), "its own signs");
    let hidden = done(&["draw", "krieg_tictactoe", "--after", "(try 2 2)", "--as", "noughts"]);
    assert_eq!(crosses(&hidden), 0, "what it has not seen");
    refused(&["draw", "krieg_tictactoe", "--as", "nobody"], b"");
}

#[test]
fn moves_that_are_not_legal() {
    refused(&["draw", "tictactoe", "--after", "(sign 2 2) (sign 2 2)"], b"");
    refused(&["draw", "tictactoe", "--after", "(sign 2"], b"");
    refused(&["draw", "tictactoe", "--facts", "/nowhere/at/all"], b"");
}

#[test]
fn a_recorded_match() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("film.json");
    let path = file.to_str().expect("a path");
    let players = ["--player", "crosses=random", "--player", "noughts=random"];
    let mut arguments = vec!["match", "tictactoe", "--start-clock", "1", "--play-clock", "1"];
    arguments.extend(players);
    arguments.extend(["--record", path]);
    done(&arguments);
    let film = done(&["draw", "tictactoe", "--record", path]);
    let frames = film.matches("<g class=\"frame").count();
    assert!((6..=10).contains(&frames), "{frames} states");
    assert_eq!(film.matches("class=\"frame last\"").count(), 1);
    assert_eq!(film.matches("class=\"square\"").count(), 9, "the board is drawn once");
    // Each state has one sign more than the one before it.
    let signs = film.matches("rotate(45").count() + film.matches("piece ring").count();
    assert_eq!(signs, (0..frames).sum::<usize>());
    assert_eq!(film.matches("class=\"changed\"").count(), frames - 1);
    refused(&["draw", "connect4", "--record", path], b"");
    refused(&["draw", "tictactoe", "--record", "kif/tictactoe.kif"], b"");
}

#[test]
fn what_a_game_is_made_of() {
    let rules = done(&["draw", "tictactoe", "--graph", "dependencies"]);
    assert!(rules.starts_with("<svg xmlns=") && rules.ends_with("</svg>\n"), "{rules}");
    assert_eq!(rules.matches(">legal/2<").count(), 1, "{rules}");
    let net = done(&["draw", "nim", "--graph", "net"]);
    assert!(net.contains("class=\"node and\""), "{net}");
    let automaton = done(&["draw", "tictactoe", "--graph", "automaton"]);
    assert_eq!(automaton.matches(">begin<").count(), 1, "{automaton}");
    refused(&["draw", "gomoku", "--graph", "net"], b"");
    refused(&["draw", "tictactoe", "--graph", "net", "--after", "(sign 2 2)"], b"");
}
