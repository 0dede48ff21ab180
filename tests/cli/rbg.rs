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

/// The expanded text and the translated one have the plays of the game.
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
    let command = ["rbg", "info", "--json", "--plays", "20", "rbg/walk.rbg"];
    let value = json(&output(&command));
    assert_eq!(value["squares"], 5);
    assert_eq!((&value["straightness"], &value["strong_straightness"]), (&4.into(), &4.into()));
    assert_eq!(value, json(&output(&command)), "the same seed, the same plays");
    let seen = &value["simulation"];
    assert_eq!((&seen["plays"], &seen["cut"]), (&20.into(), &0.into()));
    assert!(seen["branching"]["max"].as_i64() <= Some(2), "{seen}");
    assert!(seen["length"]["max"].as_i64() <= Some(30), "{seen}");
    let mean = |player: usize| seen["scores"][player]["mean"].as_f64().expect("a mean");
    assert_eq!(mean(0) + mean(1), 100.0);
    let text = done(&["rbg", "info", "--plays", "0", "rbg/walk.rbg"]);
    assert!(text.contains(&format!("{:<32} 5\n", "squares")), "{text}");
    assert!(text.contains(&format!("{:<32} -\n", "moves of a play")), "{text}");
    let cut = json(&output(&[&command[..], &["--max-moves", "1"]].concat()));
    assert!(cut["simulation"]["cut"].as_i64() > Some(0), "{cut}");
    // A star within a pattern.
    let text = "#players = x(1) #pieces = e #variables = #board = rectangle(u, d, l, r, [e, e])
        #rules = ->x [e] {? ([e] r)*} ->>";
    let value =
        json(&output_with(&["rbg", "info", "--json", "--plays", "1", "-"], text.as_bytes()));
    assert_eq!(value["straightness"], 1);
    assert!(value["strong_straightness"].is_null(), "{value}");
}

#[test]
fn the_automaton_quotes_the_rules() {
    let output = output(&["rbg", "to-rg", "--explain", "rbg/walk.rbg"]);
    assert_eq!(status(&output), 0);
    let quoted = "\n// line 20: [$ moves = moves + 1]\n";
    assert!(stdout(&output).contains(quoted), "{}", stdout(&output));
    let plain = done(&["rbg", "to-rg", "rbg/walk.rbg"]);
    let statements = |text: &str| -> Vec<String> {
        let kept = text.lines().filter(|line| !line.starts_with("//") && !line.is_empty());
        kept.map(str::to_owned).collect()
    };
    assert_eq!(statements(stdout(&output)), statements(&plain));
    assert_eq!(stderr(&output).lines().next(), Some("squares are tags, too; the others stand for"));
}

#[test]
fn whether_a_game_is_proper() {
    let game = "rbg/walk.rbg";
    let line = "explored 903 positions, which are all: the game is proper, its straightness is 4";
    for command in [&["check"][..], &["rbg", "check"]] {
        let text = done(&[command, &["--explore", "1000", game]].concat());
        assert_eq!(text, format!("{game}: 0 errors, 0 warnings\n{line}\n"));
        let output = output(&[command, &["--explore", "100", game]].concat());
        assert_eq!(status(&output), 3);
        assert!(stdout(&output).contains("there are more: not decided"), "{}", stdout(&output));
    }
    let text = "#players = x(1) #pieces = e, p #variables = v(2)
        #board = rectangle(up, down, left, right, [e, e])
        #rules = (->x [p] ->> ([$ v = 3] + [$ v = 1]) (left + right) ->x [e] ->>)*";
    let output = output_with(&["check", "--json", "--explore", "100", "-"], text.as_bytes());
    assert_eq!(status(&output), 1);
    let explored = &json(&output)["games"][0]["explored"];
    assert_eq!(explored["proper"], false);
    assert_eq!(explored["defect"]["condition"], "finite straightness");
    let last = explored["defect"]["play"].as_array().expect("a play").last().expect("a move");
    assert_eq!((&last["player"], &last["move"]), (&"x".into(), &"b1 [e], b1 ->>".into()));
    assert_eq!(explored["never_valid"][0]["assignment"], "[$ v = 3]");
    assert_eq!(explored["never_valid"][0]["place"]["line"], 3);
}

#[test]
fn pictures_of_all_kinds_of_boards() {
    for (game, squares) in [("hexline", 19), ("cube", 27), ("leap", 20), ("tictactoe", 9)] {
        let svg = done(&["draw", &format!("rbg/{game}.rbg")]);
        assert!(svg.matches("class=\"square").count() >= squares, "{game}: {svg}");
    }
    let played = output_with(&["play", "rbg/hexline.rbg"], b"");
    let text = stdout(&played);
    assert!(text.contains("\nboard\n") && !text.contains("(board hx0y0"), "{text}");
    let svg = done(&["draw", "--graph", "board", "rbg/walk.rbg"]);
    assert!(["north", "middle", "west"].iter().all(|square| svg.contains(square)), "{svg}");
    assert!(refused(&["draw", "--graph", "board", "nim"], b"").contains("Regular Boardgames"));
}

#[cfg(unix)]
#[test]
fn a_match_by_the_protocol_of_boardgames() {
    use std::io::{BufRead, BufReader};
    let mut manager = gdlr(&[
        "match",
        "rbg/tictactoe.rbg",
        "--player",
        "cross=uct",
        "--player",
        "nought=rbg://127.0.0.1:0",
        "--play-clock",
        "2",
        "--repeat",
        "2",
        "--json",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("the command starts");
    let mut said = BufReader::new(manager.stderr.take().expect("a pipe"));
    let mut line = String::new();
    said.read_line(&mut line).expect("a line");
    let place = line.trim().strip_prefix("a player is expected at ").expect("a place").to_owned();
    let player = output(&["serve", "--protocol", "rbg", "--manager", &place, "--player", "random"]);
    std::io::Read::read_to_string(&mut said, &mut line).expect("text");
    let manager = manager.wait_with_output().expect("the command ends");
    assert_eq!(status(&player), 0, "{}{line}", stderr(&player));
    assert_eq!(manager.status.code(), Some(0), "{line}");
    let played = json(&manager);
    for one in played["matches"].as_array().expect("matches") {
        assert_eq!(one["ending"], "terminal", "{one}");
        assert_eq!(one["errors"].as_array().map(Vec::len), Some(0), "{one}");
        assert_eq!(one["goals"], serde_json::json!([100, 0]), "{one}");
    }
    assert!(stderr(&player).contains("the manager has ended after 2 plays"), "{}", stderr(&player));
}

#[test]
fn who_comes_to_no_manager() {
    assert!(refused(&["serve", "--protocol", "rbg"], b"").contains("--manager"));
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let said = refused(&["serve", "--protocol", "rbg", "--manager", &port.to_string()], b"");
    assert!(said.contains("there is no manager at"), "{said}");
    let said = refused(&["match", "nim", "--player", "first=rbg://127.0.0.1:0"], b"");
    assert!(said.contains("Regular Boardgames") || said.contains("first"), "{said}");
    let said = refused(&["match", "rbg/walk.rbg", "--player", "white=rbg://nowhere"], b"");
    assert!(said.contains("rbg://ADDRESS:PORT"), "{said}");
}

#[test]
fn the_page_shows_what_is_printed() {
    assert!(shows_what_is_printed("docs/rbg.md") >= 3);
}
