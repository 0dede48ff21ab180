//! The games of `operations/`. `check` reports nothing on any of them, and each is laid out in the canonical way.
//! Random play finds no game that is not well-formed. Trees and nets count as many plays as are written here.

use crate::rulesheets;
use gdlr::budget::Budget;
use gdlr::check::check_text;
use gdlr::diagnostic::Code;
use gdlr::engine::Engine;
use gdlr::gdl::Game;
use gdlr::operations;
use gdlr::play::perft;
use gdlr::play::well_formed::{Simulation, simulate};
use gdlr::propnet::Propnet;
use gdlr::tree::{Tree, TreeOptions};
use std::sync::atomic::AtomicBool;

/// By game: how many sequences of joint moves there are, by their length.
const COUNTS: [(&str, &[u64]); 10] = [
    ("coin_line", &[1, 2, 4, 8, 16, 32, 64, 64]),
    ("drop_three", &[1, 4, 16, 64, 252, 960, 3096]),
    ("frogs", &[1, 4, 4, 4, 6, 8, 2, 2, 2]),
    ("hexapawn", &[1, 3, 10, 28, 56, 70, 64]),
    ("lights", &[1, 5, 25, 105, 525, 2285]),
    ("nim", &[1, 16, 206, 2116, 17338]),
    ("river", &[1, 4, 2, 7, 10, 26, 48]),
    ("tictactoe", &[1, 9, 72, 504, 3024, 15120]),
    ("trio", &[1, 10, 90, 720, 5040, 30240]),
    ("twenty_one", &[1, 3, 9, 27, 81, 243, 729, 2187, 6516]),
];

fn counts(engine: &impl Engine, depth: usize) -> Vec<u64> {
    perft(engine, depth, &AtomicBool::new(false), |_| {}).counts
}

#[test]
fn games_of_operations_are_well_formed() {
    let paths = rulesheets::operations();
    assert_eq!(paths.len(), COUNTS.len());
    for (path, (name, expected)) in paths.iter().zip(COUNTS) {
        assert_eq!(path.file_stem().and_then(|stem| stem.to_str()), Some(name));
        let text = std::fs::read_to_string(path).expect("a readable rulesheet");
        let game = || Game::from_text(name, &text).expect("rules");
        assert_eq!(check_text(&game(), &text), [], "{name}");
        let laid_out = operations::format(&text).expect("what can be read");
        assert_eq!(laid_out, text, "{name}: `gdlr fmt --write` mends this");
        let tree = Tree::new(game(), &TreeOptions::default()).expect("a playable game");
        let options = Simulation { playouts: 200, max_steps: 1_000, seed: 1, situations: 0 };
        let report = simulate(&tree, tree.game(), &options, &AtomicBool::new(false));
        let mut diagnostics = report.diagnostics(tree.game());
        // Nobody gets all coins.
        diagnostics.retain(|one| name != "coin_line" || one.code != Code::NotSeenWinning);
        assert_eq!(diagnostics, [], "{name}");
        assert!(report.is_well_formed() || name == "coin_line", "{name}");
        let net = Propnet::new(game(), &Budget::default()).expect("a net");
        let depth = expected.len() - 1;
        assert_eq!(counts(&tree, depth), expected, "{name} on trees");
        assert_eq!(counts(&net, depth), expected, "{name} on nets");
    }
}
