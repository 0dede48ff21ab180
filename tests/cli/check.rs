//! `gdlr check`.

use super::*;

#[test]
fn a_good_game() {
    assert_eq!(
        done(&["check", TICTACTOE]),
        "kif/tictactoe.kif: 0 errors, 0 warnings, 20 playouts looked at\n"
    );
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

/// Without being asked, `check` plays a little: what stops play at once is found.
#[test]
fn a_game_without_a_first_move() {
    let game = STUCK.replace("(<= (legal right go) (true (at 0)))", "");
    let output = output_with(&["check", "-"], game.as_bytes());
    assert_eq!(status(&output), 1);
    assert_eq!(stdout(&output), "<stdin>: 1 error, 0 warnings, 20 playouts looked at\n");
    let said = stderr(&output);
    assert!(
        said.contains("error[S001]: role `right`: no legal move in 20 of 20 playouts"),
        "{said}"
    );
    assert!(said.contains("it happens in the initial state"), "{said}");
    assert!(said.contains("add `(legal right noop)`"), "{said}");

    let later = output_with(&["check", "-"], STUCK.as_bytes());
    assert!(stderr(&later).contains("add `(<= (legal right noop) ...)`"), "{}", stderr(&later));
    let report = json(&output_with(&["check", "-", "--json"], NO_GOAL.as_bytes()));
    let game = &report["games"][0];
    assert_eq!((&game["diagnostics"][0]["code"], &game["errors"]), (&"S003".into(), &1.into()));
    assert_eq!(game["playouts_looked_at"], 20);
    // Findings that a few playouts cannot prove are not reported; nor are those that the rules show already.
    let endless = output_with(&["check", "-"], ENDLESS.as_bytes());
    assert_eq!((status(&endless), stderr(&endless)), (0, ""));
    let values = NO_GOAL.replace("100) (true (at 7))", "win) (true (at 1))");
    let values = json(&output_with(&["check", "-", "--json"], values.as_bytes()));
    let codes = values["games"][0]["diagnostics"].as_array().unwrap();
    assert_eq!(codes.iter().map(|one| &one["code"]).collect::<Vec<_>>(), ["E021"]);
}

/// One message for a `not`, however many variables it has; slips of the pen with what is meant.
#[test]
fn slips_of_a_newcomer() {
    let game = "(role you) (init (cell 1 1 b)) (init (control you)) (index 1)
(<= (legal you (mark ?x ?y)) (true (cell ?x ?y b)) (true (control you)))
(<= (next (cel ?x ?y x)) (does you (mark ?x ?y)))
(<= terminal (not (true (cell ?x ?y b))))
(<= (goal you 100) (true (cell 1 1 x)) (indx 1))
(<= (goal yu 101) (index 1))
";
    let output = output_with(&["check", "-"], game.as_bytes());
    assert_eq!(status(&output), 1);
    insta::assert_snapshot!("slips", stderr(&output));
}

/// Rules about `base` and `input` are no part of the game, whatever they say.
#[test]
fn hints_never_stop_a_game() {
    let with_variables = "(role p) (base (step ?s)) (input ?r (go ?s)) (init (step 1)) (succ 1 2)
        (<= (legal p (go ?s)) (true (step ?s)))
        (<= (next (step ?t)) (does p (go ?s)) (succ ?s ?t))
        (<= terminal (true (step 2))) (<= (goal p 100) (role p))";
    let of_other_use = "(role p) (base control (val 1 2)) (init (cube 0 base)) (legal p go)
        (<= (next (cube 1 base)) (true (cube 0 base)) (base control ?v))
        (<= terminal (true (cube 1 base))) (<= (goal p 100) (role p))";
    for (name, text) in [("hints.kif", with_variables), ("base.kif", of_other_use)] {
        let game = file(name, text.as_bytes());
        let infix = file(&format!("{name}.hrf"), done(&["fmt", &game, "--to", "infix"]).as_bytes());
        for game in [&game, &infix] {
            done(&["check", game]);
            done(&["crosscheck", game, "--playouts", "3"]);
            for engine in ["tree", "propnet", "rg"] {
                let perft = json(&output(&["perft", game, "2", "--json", "--engine", engine]));
                assert_eq!(perft["counts"], serde_json::json!([1, 1, 0]), "{name} {engine}");
            }
            for arguments in
                [&["ground", game][..], &["to-rg", game], &["explain", game, "terminal"]]
            {
                assert!(status(&output(arguments)) < 2, "{arguments:?}");
            }
        }
        let again =
            output_with(&["perft", "-", "2", "--json"], done(&["ground", &game]).as_bytes());
        assert_eq!(json(&again)["counts"], serde_json::json!([1, 1, 0]), "{name}");
    }
}

/// A coin is thrown; `a` guesses twice, and is told nothing.
const BLIND: &str = "
    (role a) (role random) (init (step 1)) (side heads) (side tails) (after 1 2) (after 2 3)
    (<= (legal random (throw ?s)) (true (step 1)) (side ?s))
    (<= (legal random wait) (not (true (step 1))))
    (<= (legal a wait) (true (step 1)))
    (<= (legal a (guess ?s)) (true (step 2)) (side ?s))
    (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= (next (up ?s)) (does random (throw ?s))) (<= (next (up ?s)) (true (up ?s)))
    (<= (next right) (does a (guess ?s)) (true (up ?s)))
    (<= terminal (true (step 3)))
    (<= (goal a 100) (true right)) (<= (goal a 0) (not (true right)))
    (<= (sees a never) (true (step 3)))";

#[test]
fn by_simulation_who_is_in_the_dark() {
    let check = |rules: &str, more: &[&str]| {
        let arguments = [&["check", "-", "--simulate", "20"], more].concat();
        output_with(&arguments, format!("{BLIND} {rules}").as_bytes())
    };
    let fair = check("", &[]);
    assert_eq!(status(&fair), 0, "{}", stderr(&fair));
    let line = ", 20 of 20 playouts ended, all plays compared up to 2 joint moves\n";
    assert!(stdout(&fair).ends_with(line), "{}", stdout(&fair));

    let moves = "(<= (legal a pass) (true (step 2)) (true (up heads)))";
    let end = "(<= terminal (true (up heads)))";
    for (rules, code, untold) in
        [(moves, "S006", "which moves it has"), (end, "S007", "whether the game is over")]
    {
        let output = check(rules, &[]);
        assert_eq!(status(&output), 1);
        let said = stderr(&output);
        let message = format!("error[{code}]: role `a` cannot tell {untold} from what it sees");
        assert!(said.contains(&message), "{said}");
        assert!(said.contains("(sees a never)"), "{said}");
        for play in ["`wait (throw heads)`", "`wait (throw tails)`", "looks to it like"] {
            assert!(said.contains(play), "{said}");
        }
        let value = json(&check(rules, &["--json"]));
        let game = &value["games"][0];
        assert_eq!((&game["errors"], &game["diagnostics"][0]["code"]), (&1.into(), &code.into()));
        let sight = &game["simulation"]["sight"];
        assert_eq!(keys(sight), ["depth", "complete", "look_alikes"]);
        let look_alike = &sight["look_alikes"][0];
        assert_eq!((&look_alike["role"], &look_alike["untold"]), (&"a".into(), &untold.into()));
        let plays: Vec<&Value> = look_alike["plays"].as_array().unwrap().iter().collect();
        assert_eq!(plays.len(), 2);
        assert!(plays.contains(&&serde_json::json!([["wait", "(throw heads)"]])), "{plays:?}");
        assert!(plays.contains(&&serde_json::json!([["wait", "(throw tails)"]])), "{plays:?}");
    }

    // The beginning and two throws; then there are four more situations.
    let few = check(moves, &["--max-situations", "2"]);
    assert_eq!(status(&few), 1, "{}", stderr(&few));
    let few = check("", &["--max-situations", "3"]);
    assert_eq!(status(&few), 0);
    assert!(stdout(&few).ends_with(", plays compared up to 1 joint move\n"), "{}", stdout(&few));
    let none = json(&output(&["check", "tictactoe", "--simulate", "2", "--json"]));
    assert_eq!(none["games"][0]["simulation"]["sight"], Value::Null, "no rules for `sees`");
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
    assert_eq!(stdout(&output), "kif/tictactoe.kif: 0 errors, 0 warnings, 20 playouts looked at\n");
}

#[test]
fn as_json() {
    let output = output_with(&["check", "--json", "-", "tictactoe"], b"; x\n  (role ?x");
    assert_eq!(status(&output), 1);
    assert_eq!(stderr(&output), "");
    let value = json(&output);
    let game = &value["games"][0];
    assert_eq!((&game["errors"], &game["warnings"]), (&1.into(), &0.into()));
    let diagnostic = &game["diagnostics"][0];
    assert_eq!((&diagnostic["code"], &diagnostic["severity"]), (&"K001".into(), &"error".into()));
    let place = serde_json::json!({"line": 2, "column": 3, "start": 6, "end": 7});
    assert_eq!(diagnostic["place"], place);
    assert_eq!(value["games"][1]["errors"], 0);
}

/// Programs differ in what they take for white space; KIF has five characters.
#[test]
fn blanks_that_are_no_white_space_are_refused() {
    let game = "(role a) ; here\u{a0}they are text\n(init (p\u{a0}1)) (é\u{2028}b)";
    let output = output_with(&["check", "-"], game.as_bytes());
    assert_eq!((status(&output), stdout(&output)), (1, "<stdin>: 2 errors, 0 warnings\n"));
    let said = stderr(&output);
    assert!(said.contains("error[K006]: U+00A0 (no-break space) is no white space"), "{said}");
    assert!(said.contains("<stdin>:2:9\n") && said.contains("help: write a space"), "{said}");
    assert!(said.contains("U+2028 (line separator)"), "{said}");
}
