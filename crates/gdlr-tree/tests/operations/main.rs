//! The meaning of the notation of operations: each case is an answer of the interpreter of Stanford's course
//! (`epilog.js`, `general.js` in github.com/Trendoplasm/cs227b-harness), found by experiment.

mod arithmetic;
mod from_gdl;
mod games;
mod steps;

use gdlr_engine::engine::{Engine, MoveId};
use gdlr_engine::play::View;
use gdlr_rules::gdl::Game;
use gdlr_tree::{Tree, TreeOptions};

/// The engine of a sheet.
#[track_caller]
fn engine(text: &str) -> Tree {
    let game =
        Game::from_text("test", text).unwrap_or_else(|errors| panic!("{}: {text}", errors[0]));
    Tree::new(game, &TreeOptions::default()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The state after moves of the first role, while the others have one move each.
#[track_caller]
fn after(text: &str, moves: &[&str]) -> View<String> {
    let engine = engine(text);
    let mut scratch = engine.scratch();
    let mut legal = Vec::new();
    for wanted in moves {
        let mut joint: Vec<MoveId> = Vec::new();
        for role in engine.roles().iter() {
            engine.legal(&mut scratch, role, &mut legal).expect("legal moves");
            let name = |id: MoveId| engine.move_term(id).1.canonical(engine.symbols());
            let chosen = legal.iter().find(|&&id| legal.len() == 1 || name(id) == *wanted);
            joint.push(*chosen.unwrap_or_else(|| panic!("no move {wanted}: {text}")));
        }
        engine.step(&mut scratch, &joint).expect("a step");
    }
    View::of(&engine, &mut scratch, 0).expect("a state").canonical(engine.symbols())
}

/// The facts after moves of the one role `r`, which is in control.
#[track_caller]
fn facts(rules: &str, moves: &[&str]) -> Vec<String> {
    let mut facts = after(&format!("{SOLO}\n{rules}"), moves).facts;
    facts.retain(|fact| fact != "(control r)");
    facts
}

/// The legal moves of the one role `r` in the initial state.
#[track_caller]
fn legal(rules: &str) -> Vec<String> {
    after(&format!("{SOLO}\n{rules}"), &[]).legal.swap_remove(0)
}

const SOLO: &str = "role(r) init(control(r)) goal(r,0) terminal :- never";
