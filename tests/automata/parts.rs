//! Games as automata from their rules, with one part from the net: the moves of a kind, the next facts
//! of a base relation, the end, the goals, the percepts of a kind. It is the same game each time.

use crate::programs::{Program, programs};
use gdlr::budget::Meter;
use gdlr::engine::AnyEngine;
use gdlr::export::{Export, Origin, RgEngine, each_part_from_net, from_game};
use gdlr::gdl::Game;
use gdlr::ground::{Budget, Ground};
use gdlr::net::Net;
use gdlr::play::crosscheck::{CrosscheckOptions, NamedEngine, crosscheck};
use gdlr::tree::{Tree, TreeOptions};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The automata of a rulesheet with one part after another from the net.
fn parts(game: &Arc<Game>, net: &Net, joint: bool) -> Vec<Export> {
    let ground = Ground::new(game.clone(), &Budget::default()).expect("a game that grounds");
    each_part_from_net(game, &ground, net, joint, &Meter::unlimited()).expect("there is no limit")
}

/// The automata with one part after another from the net play as the trees do. Returns how many there are.
#[track_caller]
fn mean_the_same(text: &str) -> usize {
    let game = Arc::new(Game::from_kif("test", text).expect("a rulesheet"));
    let net = Net::of_game(game.clone(), &Budget::default()).expect("a game that grounds");
    let all = [false, true].iter().flat_map(|&joint| parts(&game, &net, joint)).collect();
    play_the_same(&game, &net, all)
}

/// Automata of a rulesheet play as the trees do. Returns how many there are.
#[track_caller]
fn play_the_same(game: &Arc<Game>, net: &Net, exports: Vec<Export>) -> usize {
    let tree = Tree::new(game.clone(), &TreeOptions::default()).expect("trees");
    let mut engines = vec![NamedEngine::new("tree", AnyEngine::new(tree))];
    let mut texts = Vec::new();
    for export in exports {
        let text = export.text().expect("printable names");
        let engine = RgEngine::of_export(game.clone(), net, export, &Meter::unlimited());
        let engine = engine.unwrap_or_else(|error| panic!("{error}\n{text}"));
        engines.push(NamedEngine::new(texts.len().to_string(), AnyEngine::new(engine)));
        texts.push(text);
    }
    let options = CrosscheckOptions {
        playouts: 5,
        max_steps: 30,
        perft_nodes: 300,
        ..CrosscheckOptions::default()
    };
    let result = crosscheck(&engines, &options, &AtomicBool::new(false), |_| {});
    if let Some(difference) = &result.difference {
        panic!("{difference}\n{}", texts.join("\n"));
    }
    texts.len()
}

fn bundled(name: &str) -> String {
    let path = format!("{}/kif/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("a bundled rulesheet")
}

#[test]
fn of_bundled_games() {
    for name in ["tictactoe", "nim", "rock_paper_scissors", "monty_hall", "kuhn_poker", "pig"] {
        let count = mean_the_same(&bundled(name));
        assert!(count >= 8, "{name}: {count}");
    }
}

/// Facts that are the value of an entry, where one always holds and where one holds at most.
#[test]
fn facts_that_are_values() {
    mean_the_same(
        "(role a) (role b) (init (at 1)) (init (lamp 1 red)) (init (lamp 2 none))
         (after 1 2) (after 2 3) (after 3 1) (colour red) (colour none) (colour green) (n 1) (n 2)
         (<= (legal a (paint ?n ?c)) (n ?n) (colour ?c) (not (true (lamp ?n ?c))))
         (<= (legal a off) (true (at 2))) (<= (legal b go)) (<= (legal b stay))
         (<= (next (at ?y)) (does b go) (true (at ?x)) (after ?x ?y))
         (<= (next (at ?x)) (does b stay) (true (at ?x)))
         (<= (next (lamp ?n ?c)) (does a (paint ?n ?c)))
         (<= (next (lamp ?n ?c)) (true (lamp ?n ?c)) (not (painted ?n)) (not (does a off)))
         (<= (painted ?n) (does a (paint ?n ?c)))
         (<= terminal (true (lamp 1 green)) (true (lamp 2 green)))
         (<= (goal a 100) terminal) (goal b 50) (<= (goal a 0) (not terminal))",
    );
}

/// A variable gives moves of several kinds: a constant, and a function without arguments.
#[test]
fn moves_of_several_kinds_from_one_rule() {
    mean_the_same(
        "(role a) (role b) (init (at 1)) (init (at 2)) (init (at (h))) (init (at (f 2)))
         (legal a wait) (<= (legal b ?x) (true (at ?x))) (<= (next (at ?x)) (does b ?x))
         (<= (next (at 1)) (does b (f ?x))) (<= (next (at (h))) (does b 2))
         (<= terminal (not (true (at 2))) (not (true (at (f 2)))))
         (goal a 50) (<= (goal b 100) (true (at 1)))",
    );
}

/// Parts that cannot be written from their rules are written from the net, and all others from the rules.
#[track_caller]
fn falls_back(text: &str, part: &str, why: &str) {
    let game = Arc::new(Game::from_kif("test", text).expect("a rulesheet"));
    let net = Net::of_game(game.clone(), &Budget::default()).expect("a game that grounds");
    let written = from_game(game.clone(), None, false, &Budget::default().start());
    let written = written.expect("a game that is written");
    assert_eq!((written.origin, written.unsuited), (Origin::Rules, None));
    let of_net: Vec<_> =
        written.export.notes.iter().filter(|(_, how)| how.starts_with("from the net")).collect();
    assert_eq!(of_net, [&(part.to_owned(), format!("from the net: {why}"))]);
    play_the_same(&game, &net, vec![written.export]);
}

/// Five roles choose a number at once: each pair of moves would be a case.
#[test]
fn a_rule_that_becomes_too_many() {
    let mut text = String::from(
        "(n 1) (n 2) (n 3) (init (round 1)) (<= (next (round 2)) (true (round 1)))
         (<= (legal ?p (name ?n)) (role ?p) (n ?n)) (<= terminal (true (round 2)))
         (<= (twice ?n) (does ?p (name ?n)) (does ?q (name ?n)) (distinct ?p ?q))
         (<= (beaten ?a ?b) (distinct ?a ?b) (n ?a) (n ?b)) (<= (beaten ?a ?b) (n ?b) (twice ?a))
         (<= (next (won p1)) (does p1 (name ?n))",
    );
    for role in 2..=5 {
        text += &format!(" (does p{role} (name ?n{role})) (beaten ?n{role} ?n)");
    }
    text += ") (goal p1 1)";
    for role in 1..=5 {
        text += &format!(" (role p{role})");
    }
    falls_back(&text, "next won/1", "a rule that becomes too many");
    mean_the_same(&text);
}

/// A static relation of a million rows.
#[test]
fn what_would_be_too_large_a_map() {
    let text = "(role p) (init (at 1 1 1)) (init (step 1)) (after 1 2) (after 2 3)
        (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
        (<= (legal p (go ?x ?y ?z)) (d ?x) (d ?y) (d ?z))
        (<= (far ?a ?b ?c ?x ?y ?z) (d ?a) (d ?b) (d ?c) (d ?x) (d ?y) (d ?z) (distinct ?a ?x)
            (distinct ?b ?z))
        (<= (next (at ?x ?y ?z)) (does p (go ?x ?y ?z)))
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
        (<= (next (went)) (does p (go ?x ?y ?z)) (true (at ?a ?b ?c)) (far ?a ?b ?c ?x ?y ?z))
        (<= terminal (true (step 3))) (<= (goal p 100) (true (went)))
        (<= (goal p 0) (not (true (went))))";
    let game = Game::from_kif("test", text).expect("a rulesheet");
    assert!(from_game(game, None, false, &Budget::default().start()).is_ok());
}

/// Nine facts in a map of more than six thousand entries, which nobody goes through.
#[test]
fn a_map_of_few_facts() {
    let mut text = String::from(
        "(role p) (<= (legal p (drop ?x)) (n ?x)) (<= (legal p keep) (true (f ?x ?a ?b ?c ?d ?e ?g)))
         (<= (next (f ?x ?a ?b ?c ?d ?e ?g)) (true (f ?x ?a ?b ?c ?d ?e ?g)) (not (does p (drop ?x))))
         (<= some (true (f ?x ?a ?b ?c ?d ?e ?g))) (<= terminal (not some)) (goal p 100)",
    );
    for n in 1..=9 {
        text += &format!(" (n {n}) (init (f {n} {n} {n} {n} {n} {n} {n}))");
    }
    falls_back(&text, "next f/7", "a loop through many entries of which few have a fact");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Random rulesheets.
    #[test]
    fn of_random_rulesheets(program in programs()) {
        mean_the_same(&Program::to_string(&program));
    }
}
