//! `gdlr rg`: the language Regular Games.

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
    assert_eq!(stdout(&output), "<stdin>: 7 errors, 6 warnings\n");
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
    let diagnostic = &json(&output)["diagnostics"][0];
    assert_eq!((&diagnostic["code"], &diagnostic["severity"]), (&"R001".into(), &"error".into()));
    assert_eq!(
        (&diagnostic["place"]["line"], &diagnostic["place"]["column"]),
        (&2.into(), &7.into())
    );
    for command in [&["fmt", "-"][..], &["run", "-"], &["perft", "-", "2"], &["dot", "-"]] {
        let said = refused(&[&["rg"], command].concat(), b"begin, end: x = ;");
        assert!(said.starts_with("error[R001]: "), "{said}");
    }
}

#[test]
fn proper_games_and_others() {
    let explore = ["rg", "check", "-", "--explore"];
    let of =
        |game: &str, most: &str| output_with(&[&explore[..], &[most]].concat(), game.as_bytes());
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
    let output = output_with(&["rg", "check", "--json", "-", "--explore", "100"], torn.as_bytes());
    assert_eq!(status(&output), 1);
    let value = json(&output);
    assert_eq!(value["explored"]["defect"]["condition"], "move unambiguity");
    assert_eq!(value["explored"]["complete"], false);
    assert!(value["explored"]["defect"]["play"].as_array().expect("moves").len() == 2);
}

/// A text that shows to be improper gets a warning, since other programs play it; a search for
/// what is improper finds it.
#[test]
fn games_that_the_text_shows_to_be_improper() {
    let improper = [
        (
            "type Player = { x, o }; type Score = { 0 }; begin, a: player = keeper; a, end: player = x;",
            "R219",
            "ended by the keeper",
            "`end` is entered with `player = x`, not by the keeper",
        ),
        (
            "type Player = { x, keeper }; type Score = { 0 }; begin, end: player = keeper;",
            "R215",
            "special definitions",
            "`keeper` is among the players",
        ),
        (
            "type Player = { x }; type Score = { 0 }; type Bool = { 0, 1, 2 }; begin, end: player = keeper;",
            "R220",
            "special definitions",
            "`Bool` is { 0, 1, 2 }, and must be { 0, 1 }",
        ),
        (
            "type Player = { x, o }; type Score = { 0, 1 }; type Bool = { 0, 1, 2 };
          type Visibility = Player -> Bool; begin, v: visible[o] = 2; v, a: player = x; a, b: $ 1;
          b, end: player = keeper;",
            "R220",
            "special definitions",
            "`Bool` is { 0, 1, 2 }, and must be { 0, 1 }",
        ),
    ];
    for (game, code, condition, message) in improper {
        let plain = output_with(&["rg", "check", "-"], game.as_bytes());
        assert_eq!(
            (status(&plain), stdout(&plain)),
            (0, "<stdin>: 0 errors, 1 warning\n"),
            "{game}"
        );
        assert!(stderr(&plain).starts_with(&format!("warning[{code}]: ")), "{}", stderr(&plain));
        let explored = output_with(&["rg", "check", "-", "--explore", "100"], game.as_bytes());
        assert_eq!(status(&explored), 1, "{game}");
        let told = format!("\nnot proper ({condition}): {message}\n");
        assert!(stdout(&explored).contains(&told), "{}", stdout(&explored));
        let run = output_with(&["rg", "run", "-", "--plays", "1"], game.as_bytes());
        assert_eq!(status(&run), 0, "{}", stderr(&run));
    }
}

/// Maps of other keys are assigned and cast, and constants stand in any order; the commands that
/// play, look and transform agree on that.
#[test]
fn maps_are_cast_and_constants_stand_in_any_order() {
    let head = "type Player = { x };\ntype Score = { 0 };\n";
    let casts = "type A = { 1, 2 }; type B = { 1, 2, 3 }; type MA = A -> A; type MB = B -> B;
        var ma: MA = { 1: 2, :1 }; var mb: MB = { :1 }; begin, b: mb = MB(ma);
        b, c: mb[1] == 2; c, d: mb[3] == 1; d, e: ma = MA(mb); e, end: player = keeper;";
    let constants = "const initBoard: Board = { :initColumn }; const initColumn: Column = { :e };
        type Board = Coord -> Column; type Column = Coord -> Piece; type Piece = { e, X };
        type Coord = { 0, 1 }; var board: Board = initBoard; begin, a: board[0][0] == e;
        a, end: player = keeper;";
    for (game, warnings) in [(casts, "0 warnings"), (constants, "1 warning")] {
        let game = format!("{head}{game}");
        let ask = |arguments: &[&str]| output_with(arguments, game.as_bytes());
        let explored = ask(&["rg", "check", "-", "--explore", "100"]);
        let proper = "explored 2 states, which are all: the game is proper\n";
        let told = format!("<stdin>: 0 errors, {warnings}\n{proper}");
        assert_eq!((status(&explored), stdout(&explored)), (0, &told[..]));
        let optimised = ask(&["rg", "optimise", "-"]);
        assert_eq!(status(&optimised), 0, "{}", stderr(&optimised));
        let again = output_with(&["rg", "check", "-", "--explore", "100"], &optimised.stdout);
        assert_eq!((status(&again), stdout(&again).ends_with(proper)), (0, true));
        for arguments in [
            &["rg", "run", "-", "--plays", "1"][..],
            &["rg", "perft", "-", "1"],
            &["rg", "pragmas", "-"],
            &["crosscheck", "-"],
        ] {
            let output = ask(arguments);
            assert_eq!(status(&output), 0, "{arguments:?} {}", stderr(&output));
        }
    }
}

#[test]
fn constants_that_are_defined_by_themselves() {
    let game = "type Player = { x }; type Score = { 0 }; const a: Score = b; const b: Score = a;
        begin, end: player = keeper;";
    let output = output_with(&["rg", "check", "-"], game.as_bytes());
    assert_eq!(status(&output), 1);
    let text = stderr(&output);
    assert_eq!(
        text.matches("error[R118]: the constant `a` is defined by itself").count(),
        1,
        "{text}"
    );
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
    // The rows that do not depend on the clock, as the width of the columns does.
    let constant = |text: &str| -> Vec<String> {
        let timed = ["plays/s", "moves/s", "time", "set-up"];
        let lines = text.lines().filter(|line| !timed.iter().any(|name| line.starts_with(name)));
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
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
    for command in [&["run", "-", "--time", "1", "--json"][..], &["perft", "-", "2", "--json"]] {
        let output = output_with(&[&["rg"], command].concat(), text.as_bytes());
        assert_eq!(status(&output), 3, "{}", stderr(&output));
        assert!(json(&output)["error"].as_str().is_some());
    }
}

#[test]
fn a_player_sees_its_moves_and_what_is_visible_to_it() {
    let game = file("seen.rg", b"");
    done(&["to-rg", "monty_hall", "-o", &game]);
    let text = done(&["rg", "run", &game, "--as", "candidate"]);
    let lines: Vec<Vec<&str>> =
        text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "seen: seed 1, as candidate");
    let [wait, pick, goat, decision, prize, goal] = &lines[2..] else { panic!("{text}") };
    assert_eq!(wait[..], ["keeper", "wait"]);
    assert!(pick[0] == "candidate" && pick[1] == "pick", "{text}");
    assert!(goat[..3] == ["keeper", "wait", "sees_goat"], "{text}");
    assert!(decision[0] == "candidate" && ["stay", "switch"].contains(&decision[1]), "{text}");
    assert!(prize[..2] == ["keeper", "sees_prize"], "{text}");
    assert!(goal[0] == "goal" && ["0", "100"].contains(&goal[1]), "{text}");
    // Moves of the host are not seen but as a percept.
    assert!(!text.contains("hide") && !text.contains("open"), "{text}");

    let arguments = ["rg", "run", &game, "--as", "candidate", "--plays", "3", "--json"];
    let value = json(&output(&arguments));
    assert_eq!(keys(&value), ["game", "engine", "seed", "as", "plays"]);
    let plays = value["plays"].as_array().expect("a list");
    assert_eq!(plays.len(), 3);
    assert_eq!(keys(&plays[0]), ["moves", "over", "goal"]);
    assert_eq!(
        (&plays[0]["over"], keys(&plays[0]["moves"][0])),
        (&true.into(), vec!["by", "tags"])
    );
    // The first play is the one printed for people.
    assert_eq!(plays[0]["moves"][1]["tags"][0], pick[1]);
    assert_eq!(plays[0]["goal"], goal[1]);
    let several = done(&arguments[..arguments.len() - 1]);
    assert!(several.contains("\nplay 1\n") && several.contains("\nplay 3\n"), "{several}");

    let cut = output(&["rg", "run", &game, "--as", "candidate", "--max-moves", "1"]);
    assert!(stdout(&cut).ends_with("cut\n"), "{}", stdout(&cut));
    let said = refused(&["rg", "run", &game, "--as", "host"], b"");
    assert!(said.contains("there is no player `host`: the automaton has 1 player, `candidate`"));
    refused(&["rg", "run", &game, "--as", "candidate", "--time", "1"], b"");
}

#[test]
fn percepts_have_names() {
    let names = |game: &str| -> Value {
        let automaton = file(&format!("named_{game}.rg"), b"");
        let names = done(&["to-rg", game, "-o", &automaton, "--names", "-"]);
        serde_json::from_str(&names).expect("JSON")
    };
    let value = names("monty_hall");
    assert_eq!(value["percepts"]["sees_goat 3"], "(goat 3)");
    assert_eq!(value["roles"]["random"], "random");
    assert_eq!(names("tictactoe")["percepts"], Value::Null);
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

#[test]
fn an_automaton_becomes_smaller() {
    let text = "type Player = { x }; type Score = { 0, 100 }; type N = { 1, 2, 3 };
        const up: N -> N = { 1: 2, :3 }; var n: N = 1; var m: N = 1;
        begin, p: player = x; p, q: n = N(*); q, r: m = up[n]; r, s: m == 3; s, t: $$ n;
        t, u: ; u, v: player = keeper; v, end: player = keeper;";
    let game = file("large.rg", text.as_bytes());
    let small = done(&["rg", "optimise", &game]);
    assert!(small.contains("up[n] == 3;") && !small.contains("var m"), "{small}");
    // The moves are the same, and so is what it makes of its own result.
    let checked = output_with(&["crosscheck", "-", "--with", &game], small.as_bytes());
    assert_eq!(status(&checked), 0, "{}", stderr(&checked));
    let again = output_with(&["rg", "optimise", "-"], small.as_bytes());
    assert_eq!(stdout(&again), small);
    let only = done(&["rg", "optimise", &game, "--only", "prune-self-loops"]);
    assert!(only.contains("var m"), "{only}");
    let without = done(&["rg", "optimise", &game, "--without", "inline-assignment"]);
    assert!(without.contains("m == 3;"), "{without}");
    let form = done(&["rg", "optimise", &game, "--only", "expand-any-assignments"]);
    assert!(form.contains("p, q: n = 3;") && form.contains("var m"), "{form}");
    let forms = done(&["rg", "optimise", &game, "--with", "normalise-types,add-explicit-casts"]);
    assert!(forms.contains("N(up[N(n)]) == N(3);"), "{forms}");
    // Without --with it is compared with what becomes of it, and with its net.
    let checked = done(&["crosscheck", &game]);
    assert!(
        checked.starts_with("large: large, large optimised and large propnet agree\n"),
        "{checked}"
    );
}

#[test]
fn what_an_optimiser_is_told_wrongly() {
    let game = file("defective.rg", DEFECTIVE.as_bytes());
    let refused = output(&["rg", "optimise", &game]);
    assert_eq!((status(&refused), stdout(&refused)), (2, ""));
    assert!(stderr(&refused).contains("error[R"), "{}", stderr(&refused));
    let unknown = output(&["rg", "optimise", &game, "--only", "fold"]);
    assert_eq!(status(&unknown), 2);
    assert!(stderr(&unknown).contains("rg optimise --list"), "{}", stderr(&unknown));
    let missing = output(&["rg", "optimise"]);
    assert_eq!(status(&missing), 2);
    assert!(stderr(&missing).contains("<FILE>"), "{}", stderr(&missing));
    let list = done(&["rg", "optimise", "--list"]);
    assert!(list.lines().count() >= 20 && list.lines().all(|line| line.chars().count() <= 80));
    let sound = file("sound_in_no_time.rg", GAME.as_bytes());
    let late = output(&["rg", "optimise", &sound, "--set-up-time", "0"]);
    assert_eq!((status(&late), stdout(&late)), (3, ""), "{}", stderr(&late));
    assert!(stderr(&late).contains("--without LIST"), "{}", stderr(&late));
}

#[test]
fn pragmas_are_computed_and_refuted() {
    let game = file("with_pragmas.rg", GAME.as_bytes());
    let lines = done(&["rg", "pragmas", &game]);
    assert!(lines.lines().all(|line| line.starts_with('@') && line.ends_with(';')), "{lines}");
    assert!(lines.contains("@unique begin "), "{lines}");
    let json = done(&["rg", "pragmas", &game, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["pragmas"].as_array().unwrap().len(), lines.lines().count());
    // The whole automaton has the same ones, which are true, and they stay the same.
    let whole = done(&["rg", "pragmas", &game, "-o", "-"]);
    let laid_out = gdlr::rg::format(&lines).expect("pragmas");
    assert!(whole.starts_with(&laid_out) && whole.contains("\nbegin, "), "{whole}");
    let again = output_with(&["rg", "pragmas", "-", "-o", "-"], whole.as_bytes());
    assert_eq!(stdout(&again), whole);
    let checked = output_with(&["rg", "pragmas", "-", "--check"], whole.as_bytes());
    assert_eq!(status(&checked), 0, "{}", stderr(&checked));
    assert!(stdout(&checked).contains("none of them refuted; looked at"), "{}", stdout(&checked));
    let exported = done(&["to-rg", "tictactoe", "--optimise", "--pragmas"]);
    assert!(exported.contains("@simpleApply") && exported.contains("@unique"), "{exported}");
    // A false one has its place in the text, and a play.
    let text = "@disjoint p : q r;\ntype Player = { x }; type Score = { 0 };
        begin, p: player = x; p, q: $ q; p, r: $ r; q, end: player = keeper;
        r, end: player = keeper;";
    let game = file("false_pragma.rg", text.as_bytes());
    let refuted = output(&["rg", "pragmas", &game, "--check"]);
    assert_eq!(status(&refuted), 1);
    assert!(stdout(&refuted).contains(": 1 pragma, 1 of them false; "), "{}", stdout(&refuted));
    for part in ["warning[R217]: `@disjoint` is not true", ":1:1", "after the move -"] {
        assert!(stderr(&refuted).contains(part), "{}", stderr(&refuted));
    }
    let json = output(&["rg", "pragmas", &game, "--check", "--json"]);
    assert_eq!(status(&json), 1);
    let json: serde_json::Value = serde_json::from_str(stdout(&json)).unwrap();
    assert_eq!((&json["refuted"], &json["pragmas"]), (&1.into(), &1.into()));
    let late = output(&["rg", "pragmas", &game, "--set-up-time", "0"]);
    assert_eq!((status(&late), stdout(&late)), (3, ""), "{}", stderr(&late));
}

/// Nothing fails because of a pragma that nobody knows.
#[test]
fn unknown_pragmas_pass_through() {
    let pragma = "@tagIndexMax q1 q2 : 0;";
    let text = format!(
        "type Player = {{ p }}; type Score = {{ 0, 1 }}; type A = {{ 0, 1, 2 }};
         var x: A = 0; var y: A = 0; {pragma}
         begin, q0: player = p; q0, q1: x = A(*); q1, q2: $$ x; q2, q3: $$ y;
         q3, q4: player = keeper; q4, end: player = keeper;"
    );
    let game = file("unknown_pragma.rg", text.as_bytes());
    for keeps in [&["optimise"][..], &["pragmas", "-o", "-"], &["fmt"], &["stages"]] {
        let arguments = [&["rg", keeps[0], &game], &keeps[1..]].concat();
        let written = done(&arguments);
        assert!(written.contains(pragma), "{keeps:?}: {written}");
    }
    done(&["rg", "check", &game]);
    done(&["rg", "dot", &game]);
    done(&["rg", "to-kif", &game]);
    done(&["rg", "run", &game, "--plays", "1"]);
    done(&["rg", "perft", &game, "2"]);
    done(&["perft", &game, "1"]);
    done(&["crosscheck", &game]);
    let checked = done(&["rg", "pragmas", &game, "--check"]);
    assert!(checked.contains("1 pragma, none of them refuted, 1 of them unknown; "), "{checked}");
    // One that speaks of nothing any more is left out, and a line says so.
    let text = text.replace(pragma, "@tagIndexMax q2 q3 : 1;");
    let game = file("gone_pragma.rg", text.as_bytes());
    let optimised = output(&["rg", "optimise", &game]);
    assert_eq!(status(&optimised), 0);
    assert!(!stdout(&optimised).contains('@'), "{}", stdout(&optimised));
    let line = "the pragma `@tagIndexMax q2 q3 : 1` is left out: there is no node `q2` any more\n";
    assert_eq!(stderr(&optimised), line);
    // So is a written one about numbers that is false.
    let text = text.replace("@tagIndexMax q2 q3 : 1;", "@integer 1 : 0 1;");
    let game = file("false_integer.rg", text.as_bytes());
    let written = output(&["rg", "pragmas", &game, "-o", "-"]);
    assert!(stdout(&written).contains("@integer 0 : 0 1;"), "{}", stdout(&written));
    assert!(!stdout(&written).contains("@integer 1"), "{}", stdout(&written));
    assert!(
        stderr(&written).starts_with("`@integer 1 : 0 1;` is left out"),
        "{}",
        stderr(&written)
    );
}

#[test]
fn what_an_optimiser_did() {
    let game = file("explained.rg", GAME.as_bytes());
    let explained = output(&["rg", "optimise", &game, "--explain"]);
    assert_eq!(status(&explained), 0);
    let lines: Vec<&str> = stderr(&explained).lines().collect();
    assert!(lines.iter().any(|line| line.contains("compact-skip-edges")), "{lines:?}");
    assert!(lines[lines.len() - 2].starts_with("before: 11 nodes, 10 edges"), "{lines:?}");
    assert!(lines[lines.len() - 1].starts_with("after:  "), "{lines:?}");
    assert!(lines.iter().all(|line| line.chars().count() <= 100), "{lines:?}");
}

#[test]
fn stages_as_a_page() {
    let game = file("in_stages.rg", GAME.as_bytes());
    let page = done(&["rg", "stages", &game]);
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    assert!(page.contains("<title>in_stages: stages</title>"));
    let stages = |page: &str| -> Vec<String> {
        let (_, data) = page.split_once("id=\"data\">").expect("data");
        let data: Value =
            serde_json::from_str(data.split_once("</script>").expect("an end").0).expect("JSON");
        let names = data["stages"].as_array().expect("stages").iter();
        names.map(|stage| stage["name"].as_str().expect("a name").to_owned()).collect()
    };
    let all = stages(&page);
    assert!(all[0] == "source" && all.iter().any(|name| name == "compact-skip-edges"), "{all:?}");
    // The same choice as of `optimise`.
    let only = stages(&done(&["rg", "stages", &game, "--only", "compact-skip-edges"]));
    assert_eq!(only.last().map(String::as_str), Some("compact-skip-edges"), "{only:?}");
    let without = stages(&done(&["rg", "stages", &game, "--without", "compact-skip-edges"]));
    assert!(!without.contains(&"compact-skip-edges".to_owned()), "{without:?}");
    let with = stages(&done(&["rg", "stages", &game, "--with", "mangle-symbols"]));
    assert_eq!(with.last().map(String::as_str), Some("mangle-symbols"), "{with:?}");
    // Into a file, and from games in HRG.
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stages.html");
    let written = path.to_str().expect("a path");
    assert_eq!(done(&["rg", "stages", "hrg/hex.hrg", "-o", written]), "");
    let page = std::fs::read_to_string(&path).expect("a page");
    assert!(page.contains("<title>hex: stages</title>") && page.ends_with("</html>\n"));
}

#[test]
fn stages_that_there_are_not() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no_stages.html");
    let _ = std::fs::remove_file(&path);
    let written = path.to_str().expect("a path");
    let game = file("defective_stages.rg", DEFECTIVE.as_bytes());
    assert!(refused(&["rg", "stages", &game, "-o", written], b"").contains("error[R"));
    assert!(refused(&["rg", "stages", "-", "--only", "fold"], b"").contains("--list"));
    refused(&["rg", "stages", "hrg/hex.hrg", "-o", "/nowhere/at/all.html"], b"");
    let late = output(&["rg", "stages", "hrg/hex.hrg", "--set-up-time", "0", "-o", written]);
    assert_eq!((status(&late), stdout(&late)), (3, ""), "{}", stderr(&late));
    assert!(stderr(&late).contains("--only LIST"), "{}", stderr(&late));
    let symbols: Vec<String> = (0..700_000).map(|at| format!("a_symbol_of_many_{at}")).collect();
    let text = format!(
        "type Player = {{ x }}; type Score = {{ 0 }}; type T = {{ {} }};
         begin, p: player = x; p, q: $ go; q, end: player = keeper;",
        symbols.join(", ")
    );
    let large = refused(&["rg", "stages", "-", "-o", written], text.as_bytes());
    assert!(large.contains("larger than a page of 12 MiB"), "{large}");
    assert!(!path.exists(), "nothing is written of what is not done");
}
