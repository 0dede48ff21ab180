//! Rulesheets with accidents: bundled games with some words of their texts changed at random,
//! always the same way. Whatever becomes of them, nothing panics; what the checks do not forbid
//! can be played; and the engines that take it say the same in every state.

use gdlr::budget::Budget;
use gdlr::check::check;
use gdlr::engine::{AnyEngine, choose, seeded};
use gdlr::export::RgEngine;
use gdlr::gdl::Game;
use gdlr::net::Net;
use gdlr::play::crosscheck::{CrosscheckOptions, NamedEngine, crosscheck};
use gdlr::propnet::Propnet;
use gdlr::tree::{Tree, TreeOptions};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::time::Duration;

/// How many texts are made of each game.
const MUTANTS: usize = 120;

const GAMES: [&str; 8] = [
    include_str!("../../kif/tictactoe.kif"),
    include_str!("../../kif/nim.kif"),
    include_str!("../../kif/eight_puzzle.kif"),
    include_str!("../../kif/light_cycles.kif"),
    include_str!("../../kif/rock_paper_scissors.kif"),
    include_str!("../../kif/three_player_auction.kif"),
    include_str!("../../kif/monty_hall.kif"),
    include_str!("../../kif/krieg_tictactoe.kif"),
];

/// Words that come into a text besides its own.
const STRANGE: [&str; 11] =
    ["true", "not", "or", "does", "distinct", "?x", "terminal", "(f ?x)", "init", "100", "sees"];

/// The words of a text: brackets, and what is between them.
fn words(text: &str) -> Vec<String> {
    let code: Vec<&str> =
        text.lines().map(|line| line.split(';').next().unwrap_or_default()).collect();
    let spaced = code.join("\n").replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// The text with one to three words changed. Brackets stay, so that it can be read.
fn mutated(words: &[String], rng: &mut Xoshiro256PlusPlus) -> String {
    let mut words = words.to_vec();
    let names: Vec<usize> =
        (0..words.len()).filter(|&place| !"()<=".contains(&*words[place])).collect();
    for _ in 0..rng.random_range(1..=3) {
        let place = choose(&names, rng).expect("a rulesheet has names");
        words[place] = match rng.random_range(0..4) {
            0 => choose(&STRANGE, rng).expect("some").to_owned(),
            1 => String::new(),
            _ => words[choose(&names, rng).expect("names")].clone(),
        };
    }
    words.join(" ")
}

/// The outcomes of the mutants.
#[derive(Debug, Default)]
struct Tally {
    unreadable: usize,
    forbidden: usize,
    /// Too much work for an engine, or for its set-up.
    too_much: usize,
    compared: usize,
}

/// Plays a text on all engines that take it.
fn play(text: &str, tally: &mut Tally) -> Result<(), String> {
    let Ok(game) = Game::from_kif("mutant", text) else {
        tally.unreadable += 1;
        return Ok(());
    };
    let diagnostics = check(&game);
    let game = Arc::new(game);
    let tree = Tree::new(game.clone(), &TreeOptions::default());
    if Game::forbidding(&diagnostics).next().is_some() {
        tally.forbidden += 1;
        return Ok(());
    }
    let tree = match tree {
        Ok(tree) => tree,
        Err(refused) if refused.code.as_str() == "S005" => {
            tally.too_much += 1;
            return Ok(());
        }
        Err(refused) => return Err(format!("refused, though nothing forbids it: {refused}")),
    };
    let mut engines = vec![NamedEngine::new("tree", AnyEngine::new(tree))];
    let budget = Budget { time: Duration::from_secs(2), memory: 200 << 20, interrupted: None };
    if let Ok(net) = Net::of_game(game.clone(), &budget) {
        if let Ok(rg) = RgEngine::new(game.clone(), &net, false) {
            engines.push(NamedEngine::new("rg", AnyEngine::new(rg)));
        }
        engines.push(NamedEngine::new("propnet", AnyEngine::new(Propnet::of_net(game, net))));
    }
    let options = CrosscheckOptions {
        playouts: 2,
        max_steps: 15,
        perft_nodes: 40,
        shortening: 200,
        ..CrosscheckOptions::default()
    };
    let result = crosscheck(&engines, &options, &false.into(), |_| {});
    match result.difference {
        Some(difference) => return Err(difference.to_string()),
        None if result.limit.is_some() || engines.len() == 1 => tally.too_much += 1,
        None => tally.compared += 1,
    }
    Ok(())
}

#[test]
fn mutants_mean_the_same_on_every_engine() {
    let mut rng = seeded(1, 0);
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for text in GAMES {
        let words = words(text);
        for _ in 0..MUTANTS {
            let mutant = mutated(&words, &mut rng);
            if let Err(what) = play(&mutant, &mut tally) {
                wrong.push(format!("{what}\n{mutant}\n"));
            }
        }
    }
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of them: {tally:?}\n{shown}", wrong.len());
    // They are no trifles.
    assert!(tally.compared > 300, "{tally:?}");
    assert!(tally.forbidden > 20, "{tally:?}");
}
