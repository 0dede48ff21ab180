//! `gdlr info`, `tree`, `games`, `bench` and `completions`.

use super::*;

#[test]
fn info() {
    let text = done(&["info", "tictactoe"]);
    for row in [
        "game ",
        "players      crosses, noughts: in turn",
        "length       5 to 9 steps, ",
        "choice       up to 9 moves",
        "players see  all of the state",
        "boards       ",
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
    let play = &value["play"];
    assert_eq!((&play["order"], &play["most_moves"]), (&"in turn".into(), &9.into()));
    assert_eq!((&play["plays"], &play["chance"]), (&100.into(), &false.into()));
    let tree = json(&output(&["info", "tictactoe", "--json", "--engine", "tree"]));
    assert!(tree["tree"].is_object() && tree["propnet"].is_null());
    let none = json(&output(&["info", "tictactoe", "--json", "--set-up-time", "0"]));
    assert_eq!(none["propnet"]["exhausted"], "time");
}

#[test]
fn info_says_who_plays_and_how() {
    let kinds = ["light_cycles", "kuhn_poker", "nim"];
    let of = |game| json(&output(&["info", game, "--engine", "tree", "--json"]))["play"].clone();
    let orders = kinds.map(|game| of(game)["order"].clone());
    assert_eq!(orders, ["at once", "in turn", "in turn"]);
    let poker = of("kuhn_poker");
    assert_eq!((&poker["chance"], &poker["hides"]), (&true.into(), &true.into()));
}

#[test]
fn tree() {
    let text = done(&["tree", "tictactoe"]);
    assert!(text.starts_with("#0 legal/2, root\n  line 22: (legal ?player (sign ?x ?y))\n"));
    let dot = done(&["tree", "tictactoe", "--dot"]);
    assert!(dot.starts_with("digraph") && dot.contains("line 48: (line ?player)"));
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
fn bench_of_automata() {
    let files = ["bench", "--rg", "hrg/tictactoe.hrg", "hrg/nim.hrg"];
    let options = ["--time", "0.02", "--repeat", "2"];
    let value = json(&output(&[&files[..], &options, &["--json"]].concat()));
    for (game, name) in value["games"].as_array().unwrap().iter().zip(["tictactoe", "nim"]) {
        assert_eq!(game["game"], name);
        let of = |which: &str, what: &str| game[which][what].as_f64().unwrap();
        assert!(of("written", "plays_per_cpu_second") > 0.0);
        assert!(of("optimised", "plays_per_cpu_second") > 0.0);
        assert!(of("optimised", "edges") < of("written", "edges"));
        assert!(game["ratio"].as_f64().unwrap() > 0.0);
        assert!(game["optimise_ms"].as_f64().unwrap() > 0.0);
    }
    let length = value["games"][0]["mean_length"].as_f64().unwrap();
    assert!((5.0..=9.0).contains(&length), "{length}");
    let table = done(&[&files[..], &options, &["--markdown"]].concat());
    assert_eq!(table.lines().count(), 2 * (2 + 2) + 1, "{table}");
    assert!(table.contains("optimised") && table.contains("read ms"), "{table}");
    let stuck = "type Player = { x }; type Score = { 0 }; begin, a: player = x;
        a, b: player == keeper; b, end: player = keeper;";
    let failed = output_with(&["bench", "--rg", "-", "--repeat", "1"], stuck.as_bytes());
    assert_eq!(status(&failed), 2);
    assert!(stderr(&failed).contains("has no move"), "{}", stderr(&failed));
    refused(&["bench", "--rg"], b"");
    refused(&["bench", "--rg", "-"], b"begin, end: x == y;");
}

#[test]
fn completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(done(&["completions", shell]).contains("perft"), "{shell}");
    }
}
