//! `gdlr hrg`: the language High-level Regular Games, and the commands of `gdlr rg` on it.

use super::*;

const GAME: &str = "\
// Say any number; three wins.
domain Player = solo
domain Score = 0 | 100
domain Number = N(I) where I in 1..3

said: Number

graph rules() {
    player = solo
    said = Number(*)
    $$ said
    player = keeper
    if said == N(3) {
        goals[solo] = 100
    }
    end()
}
";

const DEFECTIVE: &str = "\
domain Player = x | o
domain Score = 0 | 100
domain Cell = C(I) where I in 0..2
next: Cell -> Cell
next(C(I)) = if I < 2 then C(I + 1) else none
board: Cell -> Pieces
graph move(me: Player) {
    borad[C(0)] = me
    if board[C(1)] == me {
        end()
        $ never
    }
}
graph rules() {
    loop {
        mvoe(x)
        move(x, o)
    }
    break()
}
";

#[test]
fn a_sound_game() {
    let game = file("sound.hrg", GAME.as_bytes());
    assert_eq!(done(&["hrg", "check", &game]), format!("{game}: 0 errors, 0 warnings\n"));
    let value = json(&output(&["hrg", "check", "--json", &game, &game]));
    assert_eq!(keys(&value["games"][1]), ["game", "file", "errors", "warnings", "diagnostics"]);
    assert_eq!(value["games"][0]["game"], "sound");
}

#[test]
fn a_defective_one() {
    let output = output_with(&["hrg", "check", "-"], DEFECTIVE.as_bytes());
    assert_eq!(status(&output), 1);
    insta::assert_snapshot!("hrg_check", format!("{}{}", stdout(&output), stderr(&output)));
    for line in stderr(&output).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn defects_that_are_only_seen_when_a_game_is_expanded() {
    let game = GAME.replace("1..3", "1..2").replace("said = Number(*)", "said = solo");
    let output = output_with(&["hrg", "check", "-"], game.as_bytes());
    assert_eq!(status(&output), 1);
    insta::assert_snapshot!(
        "hrg_check_expanded",
        format!("{}{}", stdout(&output), stderr(&output))
    );
    let large = GAME.replace("1..3", "1..2000000");
    let said = refused(&["hrg", "to-rg", "-"], large.as_bytes());
    assert!(said.contains("with `Number` there are more than 1000000 values"), "{said}");
}

#[test]
fn a_text_that_is_none() {
    let checked = output_with(&["hrg", "check", "-"], b"domain = x\ngraph rules( {\n  v w\n}\n");
    assert_eq!((status(&checked), stdout(&checked)), (1, "<stdin>: 2 errors, 0 warnings\n"));
    for command in ["fmt", "to-rg"] {
        let said = refused(&["hrg", command, "-"], b"domain x");
        assert!(said.starts_with("error[H001]: "), "{said}");
    }
    let missing = output(&["hrg", "check", "no/such.hrg"]);
    assert_eq!(status(&missing), 2);
}

#[test]
fn a_game_as_an_automaton() {
    let output = output_with(&["hrg", "to-rg", "-"], GAME.as_bytes());
    assert_eq!(status(&output), 0);
    insta::assert_snapshot!("hrg_to_rg", stdout(&output));
    let checked = output_with(&["rg", "check", "-"], &output.stdout);
    assert_eq!((status(&checked), stdout(&checked)), (0, "<stdin>: 0 errors, 0 warnings\n"));
    let (game, to) = (file("to_rg.hrg", GAME.as_bytes()), file("to_rg.rg", b""));
    assert_eq!(done(&["hrg", "to-rg", &game, "-o", &to]), "");
    assert_eq!(std::fs::read_to_string(&to).unwrap(), stdout(&output));
}

#[test]
fn layout_is_checked_and_written() {
    let game = file("layout.hrg", b"domain D=a graph rules(){end()}");
    assert_eq!(status(&output(&["hrg", "fmt", "--check", &game])), 1);
    assert_eq!(done(&["hrg", "fmt", "--write", &game]), "");
    let text = "domain D = a\ngraph rules() {\n    end()\n}\n";
    assert_eq!(std::fs::read_to_string(&game).unwrap(), text);
    assert_eq!(done(&["hrg", "fmt", "--check", &game]), "");
    assert_eq!(done(&["rg", "fmt", &game]), text);
    assert_eq!(done(&["hrg", "fmt", &game]), text);
}

/// Whatever takes an automaton takes a game, by its text and not by its name.
#[test]
fn commands_of_automata_take_games() {
    let game = file("any_name.rg", GAME.as_bytes());
    let explored = done(&["rg", "check", "--explore", "100", &game]);
    assert!(explored.ends_with("the game is proper\n"), "{explored}");
    let value = json(&output(&["rg", "perft", "--json", &game, "2"]));
    assert_eq!(value["counts"], serde_json::json!([1, 3, 0]));
    let value = json(&output(&["rg", "run", "--json", "--plays", "10", &game]));
    assert_eq!(value["plays"], 10);
    assert!(done(&["rg", "dot", &game]).starts_with("digraph"));
    let said = output_with(&["rg", "check", "-"], DEFECTIVE.as_bytes());
    assert!(status(&said) == 1 && stderr(&said).contains("error[H104]: "), "{}", stderr(&said));
}

#[test]
fn what_a_game_becomes_is_no_reason_to_warn_of_the_game() {
    // Its automaton has two variables that nobody reads.
    let nim = concat!(env!("CARGO_MANIFEST_DIR"), "/hrg/nim.hrg");
    let played = output(&["play", nim, "--flatmc", "--playouts", "1", "--engine", "rg"]);
    assert_eq!((status(&played), stderr(&played)), (0, ""));
    let checked = done(&["hrg", "check", nim]);
    assert_eq!(checked, format!("{nim}: 0 errors, 0 warnings\n"));
}
