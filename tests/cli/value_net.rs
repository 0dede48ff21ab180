//! `net:FILE`: players with value nets.

use super::*;

/// A value net of tic-tac-toe: `tests/nets/README.md`.
const NET: &str = concat!("net:", env!("CARGO_MANIFEST_DIR"), "/tests/nets/tictactoe.onnx");

#[test]
fn it_plays_alone_and_with_others() {
    let text = done(&["play", "tictactoe", "--human", "none", "--player", NET, "--think", "0.05"]);
    assert!(text.starts_with(&format!("tictactoe: crosses ({NET}), noughts ({NET})\n")), "{text}");
    // How well it plays depends on the time that it has.
    assert!(text.contains("\nThe game is over.\n  crosses: "), "{text}");
    let player = format!("crosses={NET}");
    let both = ["--player", &player, "--player", "noughts=uct", "--play-clock", "0.1", "--json"];
    let value = json(&output(&[&["match", "tictactoe"][..], &both].concat()));
    assert_eq!(value["players"][0]["player"], NET);
    assert_eq!(
        (&value["errors"], &value["matches"][0]["ending"]),
        (&Value::Null, &"terminal".into())
    );
}

#[test]
fn alpha_beta_takes_one_too() {
    let name = NET.replacen("net:", "alphabeta:", 1);
    let players = ["--player", &format!("crosses={name}"), "--player", &format!("noughts={NET}")];
    let clock = ["--play-clock", "0.5", "--json"];
    let value = json(&output(&[&["match", "tictactoe"][..], &players, &clock].concat()));
    assert_eq!(
        (&value["players"][0]["player"], &value["players"][1]["player"]),
        (&name.into(), &NET.into())
    );
    assert_eq!(value["matches"][0]["ending"], "terminal");
}

#[test]
fn it_thinks_by_the_net() {
    let path = file(
        "net_positions.kif",
        b"(position win (facts (turn crosses) (signed 1 1 crosses) (signed 1 2 crosses)
        (signed 2 2 noughts) (signed 3 2 noughts)) (good (sign 1 3)))",
    );
    // The search ends when it has found the win.
    let command = ["positions", "tictactoe", &path, "--player", NET, "--think", "600", "--json"];
    let value = json(&output(&command));
    assert_eq!((&value["player"], &value["solved"]), (&NET.into(), &1.into()));
    // No game is played out.
    assert_eq!(value["positions"][0]["playouts"], 0);
    assert_eq!(value["positions"][0]["estimates"][0]["certain"], true, "{value}");
    assert!(value["positions"][0]["nodes"].as_u64() > Some(1), "{value}");
}

#[test]
fn another_game_is_refused_before_play() {
    let player = format!("red={NET}");
    let positions = file("net_other.kif", b"(position start (bad (drop 1)))");
    for command in [
        &["play", "connect4", "--player", NET][..],
        &["match", "connect4", "--player", &player],
        &["positions", "connect4", &positions, "--player", NET],
    ] {
        let said = refused(command, b"");
        let why = format!("`{NET}` cannot play this game: it was learned for another game: ");
        assert!(said.contains(&why) && said.contains("its roles are others"), "{said}");
    }
}

#[test]
fn files_without_a_value_net_are_refused() {
    let rules = file("no_net.onnx", b"(role x)");
    for (name, why) in [
        ("net:/nowhere.onnx", "it cannot be read: "),
        ("net:", "it cannot be read: "),
        (&format!("net:{rules}"), "it is no network in ONNX: "),
        (
            "nett",
            "there is no player of this name; players are random, mc, uct, alphabeta, net:FILE, alphabeta:FILE",
        ),
    ] {
        for command in [
            &["play", "tictactoe", "--player", name][..],
            &["serve", "--player", name],
            &["web", "--player", name],
        ] {
            let said = refused(command, b"");
            let invalid = format!("error: invalid value '{name}' for '--player <");
            assert!(said.starts_with(&invalid) && said.contains(why), "{said}");
        }
    }
    let said = refused(&["web", "--player", "uct"], b"");
    assert!(said.contains("the page has `uct` in every game; name a file, net:FILE"), "{said}");
}
