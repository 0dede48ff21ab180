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
    assert_eq!(text.matches("Your moves have the numbers 1 to 9").count(), 3, "{text}");
    assert_eq!(text.matches("A bracket is missing").count(), 1, "{text}");
    assert_eq!(text.matches("is neither a command nor a word of the game").count(), 1, "{text}");
    assert!(text.contains("leave the game"));
}

/// A command that is misspelled, a move that is not legal now, one that never is, and words that
/// are in no move have answers of their own.
#[test]
fn what_is_no_move_is_told_apart() {
    let said = |input: &[u8]| {
        let output = output_with(&["play", "connect4"], input);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        let text = stdout(&output);
        text.rsplit_once("red> ").expect("a prompt").0.rsplit_once("red> ").unwrap().1.to_owned()
    };
    let command = said(b"und\nquit\n");
    assert!(command.starts_with("There is no command `und`; did you mean `undo`?"), "{command}");
    let legal = said(b"wait\nquit\n");
    assert!(legal.starts_with("wait is not legal now"), "{legal}");
    assert!(legal.contains("✗ (not (true (turn red)))"), "{legal}");
    let never = said(b"drop 9\nquit\n");
    assert!(
        never.contains("9  no rule gives it for ?column, but 1, 2, 3, 4, 5, 6, 7\n"),
        "{never}"
    );
    let word = said(b"drp 1\nquit\n");
    assert!(word.starts_with("That is no move: the game has no name `drp`; did you mean `drop`?"));
}

/// A random choice depends on the seed and on no order of an engine.
#[test]
fn a_seed_is_the_same_play_on_every_engine() {
    for game in ["connect4", "light_cycles"] {
        let on = |engine: &str| {
            let arguments = ["play", game, "--human", "none", "--seed", "5", "--engine", engine];
            let output = output_with(&arguments, b"");
            assert_eq!(status(&output), 0, "{}", stderr(&output));
            stdout(&output).to_owned()
        };
        let on_trees = on("tree");
        assert!(on_trees.lines().count() > 5, "{on_trees}");
        assert_eq!([on("propnet"), on("auto")], [on_trees.clone(), on_trees], "{game}");
    }
}

/// The best moves stay on the screen.
#[test]
fn a_hint_shows_the_best_moves_only() {
    let output = output_with(&["play", "breakthrough"], b"hint 0.2\nquit\n");
    let text = stdout(&output);
    assert!(text.contains("best first") && text.contains(" moves that promise less\n"), "{text}");
    assert!(text.lines().count() < 70, "{text}");
}

#[test]
fn the_input_may_end() {
    let output = output_with(&["play", "tictactoe"], b"");
    assert_eq!(status(&output), 0);
    assert!(stdout(&output).ends_with("crosses> \n"));
}

#[test]
fn the_players_play_alone() {
    for player in ["random", "mc", "uct", "alphabeta"] {
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

/// The output and the messages of a game of Kuhn poker with these lines typed.
fn poker(more: &[&str], input: &str) -> (String, String) {
    let output = output_with(&[&["play", "kuhn_poker"], more].concat(), input.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    (stdout(&output).to_owned(), stderr(&output).to_owned())
}

#[test]
fn a_role_is_shown_what_it_sees() {
    let text = poker(&["--seed", "2"], "state\ncheck\ncall\n").0;
    insta::assert_snapshot!("hidden", text);
    // In many games, until the end: no card but the own one, no word but those that are heard.
    for (role, other) in [("ann", "ben"), ("ben", "ann")] {
        let mut shown = std::collections::BTreeSet::new();
        for seed in 1..=12 {
            let (seed, player) = (seed.to_string(), ["random", "mc"][seed % 2]);
            let more = ["--human", role, "--seed", &seed, "--player", player, "--think", "0.01"];
            let text = poker(&more, "1\n1\n1\n").0;
            let (_, played) = text.split_once("you can type.\n").expect("an introduction");
            let (before, end) = played.split_once("\n(holds ann ").expect("the last state");
            assert!(end.contains("The game is over.\n  ann: "), "{text}");
            for hidden in [format!("{other}:"), "random".to_owned(), "deal ".to_owned()] {
                assert!(!before.contains(&hidden), "{hidden}: {text}");
            }
            assert_eq!(before.matches("dealt").count(), 1, "{text}");
            let first = before.lines().next().expect("a line").to_owned();
            assert!(first.starts_with(&format!("  1.  {role}: wait; sees (dealt ")), "{text}");
            shown.insert(first);
        }
        assert_eq!(shown.len(), 3, "{shown:?}");
    }
}

#[test]
fn two_roles_at_one_terminal() {
    let text = poker(&["--human", "ann", "--human", "ben"], "bet\ncall\n").0;
    insta::assert_snapshot!("hidden_from_nobody", text);
}

#[test]
fn who_is_omniscient_is_shown_everything() {
    let all = poker(&["--omniscient"], "1\n1\n").0;
    assert!(all.contains("  1.  ann: wait  ben: wait  random: (deal "), "{all}");
    assert!(all.contains("\n(holds ann ") && !all.contains("sees"), "{all}");
    // Without a human there is nobody from whom to hide anything.
    let alone = done(&["play", "kuhn_poker", "--human", "none"]);
    assert!(alone.contains("  1.  ann: wait  ben: wait  random: (deal "), "{alone}");
    // Where nothing is hidden it is all the same.
    let plain = |more: &[&str]| output_with(&[BOTH, more].concat(), b"5\n1\nquit\n").stdout;
    assert_eq!(plain(&["--omniscient"]), plain(&[]));
}

#[test]
fn hidden_games_have_hints_and_undo() {
    let input = b"hint 0.2\n(try 2 2)\nhint 0.2\nhelp\nundo\nundo\n(try 1 1)\nstate\nquit\n";
    let arguments = ["play", "krieg_tictactoe", "--player", "mc", "--think", "0.05"];
    let output = output_with(&arguments, input);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.matches("\n    move").count(), 2, "{text}");
    assert!(!text.contains("expected play") && !text.contains("noughts:"), "{text}");
    assert!(text.contains("show what you played and saw") && !text.contains("save FILE"), "{text}");
    assert!(text.contains("\nNothing was played yet.\n"), "{text}");
    assert!(text.contains("There is nothing to undo.\n"), "{text}");
    let told = text.rsplit("crosses> ").nth(1).expect("what the role knows");
    assert!(told.starts_with("  1.  crosses: (try 1 1); sees nothing\n  2.  "), "{told}");
}

#[test]
fn it_takes_as_long_whatever_others_have_to_think_about() {
    // Nobody has a choice before the first prompt, two steps on.
    let start = Instant::now();
    poker(&["--player", "mc", "--think", "0.4"], "quit\n");
    assert!(start.elapsed() >= Duration::from_millis(800), "{:?}", start.elapsed());
}

#[test]
fn a_hidden_position_is_saved_with_its_play() {
    let saved = file("hidden.kif", b"");
    let said = poker(&[], &format!("save {saved}\nquit\n")).1;
    assert!(said.contains("would show the state") && said.contains("--omniscient"), "{said}");
    assert_eq!(std::fs::read_to_string(&saved).expect("a file"), "");
    let text = poker(&["--omniscient"], &format!("save {saved}\nquit\n")).0;
    assert!(text.contains("Saved to "), "{text}");
    let text = std::fs::read_to_string(&saved).expect("a file");
    assert!(text.contains("\n; step 1\n; played (wait wait (deal "), "{text}");
    // Ann knows the card that she saw; ben knows his, too.
    for (role, moves) in [("ann", "1\n1\n"), ("ben", "1\n")] {
        // Another seed deals other cards, before the file is read.
        let input = format!("load {saved}\n{moves}");
        let text = poker(&["--human", role, "--seed", "5"], &input).0;
        let dealt = text.matches(&format!("\n  1.  {role}: wait; sees (dealt ")).count();
        assert!(dealt == 2 && text.contains("\nThe game is over.\n"), "{text}");
    }
    for (position, code, message) in [
        ("(stage opening) (holds ann jack) (holds ben king)".to_owned(), "P002", "another state"),
        (text.replace("; played", "; was"), "P002", "another state"),
        (text.replace("(deal ", "(steal "), "P003", "no name `steal`"),
        (text.replace("(wait wait ", "(wait "), "P003", "one move a role"),
        (text.replace("(wait wait ", "(wait bet "), "P003", "legal"),
        (text.replace("; played (", "; played "), "P003", "no joint move"),
    ] {
        let path = file("hidden_wrong.kif", position.as_bytes());
        let said = poker(&[], &format!("load {path}\nquit\n")).1;
        assert!(said.contains(&format!("error[{code}]")), "{position}: {said}");
        assert!(said.contains(message) && said.contains(&path), "{position}: {said}");
    }
}

/// Crosses have two in a row, noughts are to move.
const THREAT: &str = "(turn noughts) (signed 1 1 crosses) (true (signed 1 2 crosses))
    (signed 3 3 noughts)";

#[test]
fn a_hint_shows_what_a_search_expects() {
    let threat = file("threat.kif", THREAT.as_bytes());
    // All of it is looked at, long before the time is over.
    let input = format!("load {threat}\nhint 600\nundo\nhint 0\nhint soon\nquit\n");
    let output = output_with(BOTH, input.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    let hint = text.split("noughts> ").nth(1).expect("a prompt");
    let rows: Vec<Vec<&str>> = hint.lines().map(|line| line.split_whitespace().collect()).collect();
    let first = rows.iter().position(|row| row[..] == ["move", "goal", "tried"]).expect("a head");
    // Whatever else noughts do, they lose at once; this way they win.
    assert_eq!(rows[first + 1][..5], ["1", "(sign", "1", "3)", "100.0"], "{hint}");
    let losses = &rows[first + 2..first + 7];
    assert!(losses.iter().all(|row| row[4] == "0.0" && row[6] == "certain"), "{hint}");
    assert!(rows[first + 7].is_empty(), "{hint}");
    assert!(hint.contains("\nexpected play\n  1.  noughts: (sign 1 3)\n  2.  crosses: "), "{hint}");
    // The same of the first state, where the search has no time at all.
    assert_eq!(text.matches("tried").count(), 2, "{text}");
    assert!(text.contains("`soon` is not a number of seconds: `hint SECS`."), "{text}");
}

#[test]
fn a_hint_without_a_net() {
    let input = b"hint 0.1\nquit\n";
    let output = output_with(&[BOTH, &["--engine", "tree"]].concat(), input);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output).matches("crosses> ").count(), 2);
}

#[test]
fn the_search_plays_for_uct() {
    // It answers as soon as a state is known to its end; any other player would take its time.
    let start = Instant::now();
    let text = done(&["play", "tictactoe", "--human", "none", "--player", "uct", "--think", "60"]);
    assert!(text.ends_with("  crosses: 50\n  noughts: 50\n"), "{text}");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_role_resigns() {
    let output = output_with(BOTH, b"1\nresign\n");
    assert_eq!(status(&output), 0);
    assert!(stdout(&output).ends_with("noughts> The game is over: noughts resigned.\n"));
}

#[test]
fn a_position_is_saved_and_loaded() {
    let saved = file("saved.kif", b"(something else)");
    let input = format!("1\n(sign 2 2)\nsave {saved}\n2\n");
    let output = output_with(BOTH, input.as_bytes());
    assert!(stdout(&output).contains(&format!("Saved to {saved}.\n")), "{}", stdout(&output));
    let text = std::fs::read_to_string(&saved).expect("a file");
    let expected = "; a position of tictactoe\n; step 2\n\
        (signed 1 1 crosses)\n(signed 2 2 noughts)\n(turn crosses)\n";
    assert_eq!(text, expected);
    // Steps go on from there, and undo leads back.
    let input = format!("load {saved}\n2\nundo\nundo\nquit\n");
    let output = output_with(BOTH, input.as_bytes());
    let text = stdout(&output);
    assert!(text.contains("\ncrosses>   3.  crosses: (sign 1 3)  noughts: wait\n"), "{text}");
    assert!(text.ends_with("9 (sign 3 3)\n  2 (sign 1 2)    4 (sign 2 1)    6 (sign 2 3)    8 (sign 3 2)\ncrosses> "), "{text}");
    // A game that is over is a position, too.
    let over = "(turn noughts) (signed 1 1 crosses) (signed 1 2 crosses) (signed 1 3 crosses)
        (signed 3 3 noughts) (signed 3 2 noughts)";
    let over = file("over.kif", over.as_bytes());
    let output = output_with(BOTH, format!("load {over}\n").as_bytes());
    assert_eq!(status(&output), 0);
    assert!(stdout(&output).ends_with("The game is over.\n  crosses: 100\n  noughts: 0\n"));
}

#[test]
fn what_is_no_position_of_the_game_is_refused() {
    let cases = [
        ("(turn noughts)\n(signd 1 1 noughts)", "P001", ":2:2", "the game has no name `signd`"),
        ("(turn noughts)\n  (signed 1 ?x noughts)", "P001", ":2:13", "a variable, `?x`"),
        ("(turn noughts) ((signed) 1)", "P001", ":1:17", "the name of a function"),
        ("(turn noughts) (signed 1 ())", "P001", ":1:26", "nothing in it"),
        ("(turn noughts)\n(true (signed 1 noughts 1))", "P001", ":2:7", "never true"),
        ("(turn noughts)\n(turn crosses)", "P002", ":", "true"),
        ("(turn noughts", "K001", ":1:1", "never closed"),
    ];
    for (number, (text, code, place, message)) in cases.into_iter().enumerate() {
        let path = file(&format!("no_position_{number}.kif"), text.as_bytes());
        let output = output_with(BOTH, format!("load {path}\n5\nquit\n").as_bytes());
        let said = stderr(&output);
        assert!(said.contains(&format!("error[{code}]")), "{text}: {said}");
        assert!(
            said.contains(&format!("{path}{place}")) && said.contains(message),
            "{text}: {said}"
        );
        // The game goes on.
        assert_eq!(status(&output), 0);
        assert!(stdout(&output).contains("  1.  crosses: (sign 2 2)"), "{}", stdout(&output));
    }
    // The trees enter whatever they are told to, but play must go on from there.
    let (game, empty) =
        (file("cornered_here.kif", CORNERED.as_bytes()), file("empty.kif", b"; no"));
    let output =
        output_with(&["play", &game, "--engine", "tree"], format!("load {empty}\n").as_bytes());
    assert!(stderr(&output).contains("error[P002]"), "{}", stderr(&output));
    assert!(stderr(&output).contains("no legal move"), "{}", stderr(&output));
    let output =
        output_with(BOTH, b"load\nsave\nload -\nsave /nowhere/at/all\nload /nowhere\nquit\n");
    assert_eq!(stdout(&output).matches("Say which file").count(), 2);
    assert!(stderr(&output).contains("cannot write `/nowhere/at/all`"), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot read `/nowhere`"), "{}", stderr(&output));
}
