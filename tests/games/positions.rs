//! The test positions of `tests/positions`: they can be read on both roads, and those that can be
//! looked at to the end are solved.

use crate::rulesheets;
use gdlr::engine::{AnyEngine, Engine};
use gdlr::gdl::Game;
use gdlr::ground::Budget;
use gdlr::kif;
use gdlr::play::player::{Clock, Player, Turn};
use gdlr::play::test_positions;
use gdlr::propnet::Propnet;
use gdlr::search::{DEFAULT_MEMORY, Search};
use gdlr::tree::{Tree, TreeOptions};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Games in which a search does not come to the end: their positions are for measurements.
const LARGE: [&str; 6] =
    ["2pffa", "3pConnectFour", "4pffa", "breakthroughWalls", "escortLatch", "pentago"];

/// The time of a position. Nearly all are known to the end in a hundredth of it.
const TIME: Duration = Duration::from_secs(60);

#[test]
fn they_are_read_and_the_small_ones_are_solved() {
    let Some(corpus) = rulesheets::corpus() else { return };
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = project.join("tests/positions");
    let mut count = 0;
    for path in rulesheets::files(&folder, "kif") {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let file = format!("{name}.kif");
        let rules = std::fs::read_to_string(corpus.join(&file))
            .or_else(|_| std::fs::read_to_string(project.join("kif").join(&file)));
        let rules = rules.expect("a rulesheet");
        let game = Arc::new(Game::from_kif(name, &rules).expect("a rulesheet"));
        let text = std::fs::read_to_string(&path).expect("positions");
        let document = kif::read(&text).expect("KIF");
        let tree = Tree::new(game.clone(), &TreeOptions::default()).expect("a game");
        let on_trees = test_positions::read(&tree, &document).expect("positions");
        let budget = Budget { time: Duration::from_secs(600), ..Budget::default() };
        let engine = AnyEngine::new(Propnet::new(game, &budget).expect("a net"));
        let positions = test_positions::read(&engine, &document).expect("positions");
        count += positions.len();
        for (position, other) in positions.iter().zip(&on_trees) {
            let name = &position.name;
            assert_eq!(
                (position.role, position.good.len()),
                (other.role, other.good.len()),
                "{name}"
            );
            assert_eq!(position.legal.len(), other.legal.len(), "{name}");
            assert!(position.good.len() < position.legal.len(), "{name}: all moves are good");
        }
        if LARGE.contains(&name) {
            continue;
        }
        for position in positions {
            let clock = Clock::new(TIME);
            let turn = Turn {
                engine: &engine,
                state: &position.state,
                role: position.role,
                legal: &position.legal,
                sampler: None,
                last: None,
                step: position.step,
                clock: &clock,
                lanes: None,
            };
            let chosen = Search::new(1, DEFAULT_MEMORY).play(&turn);
            let spelled = engine.move_term(chosen).1.spelled(engine.symbols());
            assert!(position.good.contains(&chosen), "{}: {spelled} is not good", position.name);
        }
    }
    assert_eq!(count, 28);
}

#[test]
fn asteroids_that_are_steered_together_are_looked_at_one_after_the_other() {
    let Some(corpus) = rulesheets::corpus() else { return };
    let rules = std::fs::read_to_string(corpus.join("asteroidsParallel.kif")).expect("a rulesheet");
    let game = Arc::new(Game::from_kif("asteroidsParallel", &rules).expect("a rulesheet"));
    let engine = AnyEngine::new(Propnet::new(game, &Budget::default()).expect("a net"));
    let role = engine.roles().iter().next().expect("a role");
    let (mut scratch, mut legal) = (engine.scratch(), Vec::new());
    engine.legal(&mut scratch, role, &mut legal).expect("moves");
    let clock = Clock::new(TIME);
    let turn = Turn {
        engine: &engine,
        state: engine.initial(),
        role,
        legal: &legal,
        sampler: None,
        last: None,
        step: 0,
        clock: &clock,
        lanes: None,
    };
    let mut search = Search::new(1, DEFAULT_MEMORY);
    search.play(&turn);
    let report = search.report().expect("a choice");
    assert_eq!(report.estimates[0].certain, Some(100));
    // Beams over both asteroids come there after millions of playouts.
    assert!(report.effort.playouts < 1_000_000, "{:?}", report.effort);
}
