//! A player that tries each move in random play, as `docs/tutorial-player.md` tells step by step.
//!
//! ```sh
//! cargo run --release --example playouts
//! ```

use gdlr::bundled;
use gdlr::engine::{Engine, MoveId, choose, seeded};
use gdlr::gdl::Game;
use gdlr::ggp::contender::Contender;
use gdlr::ggp::manager::{self, Conditions};
use gdlr::play::player::{Player, Turn};
use gdlr::set_up::SetUp;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Plays the move after which random play ends best, in so many playouts of each move.
pub struct Playouts(pub u64);

impl Player for Playouts {
    fn play(&mut self, turn: &Turn<'_>) -> MoveId {
        let total = |&mine: &MoveId| (0..self.0).map(|seed| outcome(turn, mine, seed)).sum::<u64>();
        turn.legal.iter().copied().max_by_key(total).expect("there is a legal move")
    }
}

/// The goal that the role gets if it plays this move, and everybody moves at random from then on.
fn outcome(turn: &Turn<'_>, mine: MoveId, seed: u64) -> u64 {
    let (engine, mut rng) = (turn.engine, seeded(seed, 0));
    let (mut scratch, mut legal) = (engine.scratch(), Vec::new());
    engine.enter(&mut scratch, turn.state);
    let mut first = Some(mine);
    while !engine.terminal(&mut scratch).expect("little work") {
        let mut joint = Vec::new();
        for role in engine.roles().iter() {
            engine.legal(&mut scratch, role, &mut legal).expect("little work");
            joint.push(choose(&legal, &mut rng).expect("a role has a move until the end"));
            if let Some(mine) = first.filter(|_| role == turn.role) {
                joint[role.index()] = mine;
            }
        }
        engine.step(&mut scratch, &joint).expect("a legal joint move");
        first = None;
    }
    engine.goal(&mut scratch, turn.role).map_or(0, u64::from)
}

/// The goals of the player in matches of a bundled game against random moves; it has the first role.
pub fn goals(name: &str, matches: u64) -> Vec<u8> {
    let rules = bundled::find(name).expect("a bundled game").text;
    let game = Arc::new(Game::from_kif(name, rules).expect("a readable rulesheet"));
    let engine = SetUp::default().make(game.clone()).expect("a playable game").engine;
    let engines = Arc::new(SetUp::default().start(game.clone()).expect("a playable game"));
    let one = |seed| {
        let player = Box::new(Playouts(20));
        let both = vec![
            Contender::Here("playouts".to_owned(), player, engines.clone()),
            Contender::Random,
        ];
        let conditions = Conditions { seed, ..Conditions::default() };
        let record =
            manager::run(&game, &engine, both, &conditions, &AtomicBool::new(false), &mut |_| {});
        record.goals[0].expect("a goal at the end")
    };
    (0..matches).map(one).collect()
}

fn main() {
    let goals = goals("connect4", 10);
    println!("goals in ten matches of connect four against random moves: {goals:?}");
}
