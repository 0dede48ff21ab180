//! Nets of public rulesheets: no larger than the best published one, and with the invariants
//! that anybody who knows the game would name.

use crate::rulesheets;
use gdlr::budget::Budget;
use gdlr::gdl::Game;
use gdlr::ground::Ground;
use gdlr::net::{FluentBit, Net, Operation, Signal, optimise};

/// The optimised net of a rulesheet of the corpus, and its game; `None` without the corpus.
fn net(name: &str) -> Option<(Net, Game)> {
    let path = rulesheets::public(name)?;
    let text = std::fs::read_to_string(path).expect("a rulesheet");
    let game = Game::from_kif(name, &text).expect("rules");
    let meter = Budget { time: std::time::Duration::from_secs(600), ..Budget::default() }.start();
    let ground = Ground::within(game.clone(), &meter).expect("a game to ground");
    let net =
        optimise(Net::from_ground(&ground, &meter).expect("no limit"), &meter, &mut |_, _| ())
            .expect("no limit");
    Some((net, game))
}

#[test]
fn no_larger_than_the_best_published() {
    let mut compared = 0;
    for line in include_str!("../../benches/sancho.tsv").lines() {
        let mut cells = line.split('\t');
        let name = cells.next().expect("a game");
        let Some(Ok(published)) = cells.next().map(str::parse::<usize>) else { continue };
        let Some((net, _)) = net(name) else { return };
        let gates = net.size().gates();
        assert!(gates <= published, "{name}: {gates} gates, published are {published}");
        compared += 1;
    }
    assert_eq!(compared, 10);
}

/// Whether the facts of a net fall into exclusive groups like these: those whose text begins
/// so, up to a last argument.
fn is_grouped(name: &str, prefixes: &[&str]) {
    let Some((net, game)) = net(name) else { return };
    for prefix in prefixes {
        let facts = net.fluents.iter();
        let members: Vec<Signal> = facts
            .filter(|fluent| fluent.fact.canonical(&game.symbols).starts_with(prefix))
            .map(|fluent| fluent.signal)
            .filter(|signal| matches!(net.operation(signal.gate()), Operation::Latch(_)))
            .collect();
        assert!(members.len() > 1, "{name}: {prefix}");
        let complements = |group: &[Signal]| matches!(group, [a, b] if *a == !*b);
        let within = |group: &Vec<Signal>| members.iter().all(|member| group.contains(member));
        assert!(complements(&members) || net.exclusive.iter().any(within), "{name}: {prefix}");
    }
}

#[test]
fn what_is_exclusive() {
    is_grouped("ticTacToe", &["(cell 1 1 ", "(cell 3 2 ", "(control "]);
    is_grouped("connectFour", &["(cell 1 1 ", "(cell 7 6 ", "(control "]);
    is_grouped("breakthrough", &["(cellholds 1 1 ", "(cellholds 8 8 ", "(control "]);
    is_grouped("eightPuzzle", &["(cell 2 2 ", "(cell 3 3 "]);
    is_grouped("checkers", &["(control ", "(step "]);
    is_grouped("chess_200", &["(cell a 1 ", "(cell e 4 ", "(control "]);
}

/// Squares of connect4 are empty as long as those below are.
#[test]
fn what_is_exclusive_by_gravity() {
    let Some((net, game)) = net("connect4") else { return };
    for column in 1..=7 {
        for row in 1..=6 {
            let mut members: Vec<Signal> = ["b", "w", "r"]
                .map(|mark| {
                    let name = format!("(cell {column} {row} {mark})");
                    let is_it = |fact: &&FluentBit| fact.fact.canonical(&game.symbols) == name;
                    net.fluents.iter().find(is_it).expect("a fact").signal
                })
                .to_vec();
            members.sort_unstable();
            assert!(net.exclusive.contains(&members), "{column} {row}");
            assert!(net.covering.contains(&members), "{column} {row}");
        }
    }
}
