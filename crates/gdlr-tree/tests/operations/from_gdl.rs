//! Classic games that are written with operations: the same plays, move by move.

use gdlr_engine::engine::{Engine, MoveId};
use gdlr_engine::play::View;
use gdlr_rules::gdl::Game;
use gdlr_text::{notation, operations};
use gdlr_tree::{Tree, TreeOptions};

/// The engines of a game as it is written, and as operations write it.
#[track_caller]
fn both(text: &str) -> (Tree, Tree, String) {
    let document = notation::read(text).expect("a rulesheet");
    let written = operations::from_gdl(text, &document)
        .unwrap_or_else(|errors| panic!("{} at {:?}", errors[0], &text[errors[0].span.range()]));
    assert_eq!(operations::format(&written).expect("what was written"), written);
    let engine = |text: &str| {
        let game =
            Game::from_text("test", text).unwrap_or_else(|errors| panic!("{}: {text}", errors[0]));
        Tree::new(game, &TreeOptions::default()).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    (engine(text), engine(&written), written)
}

/// The same state in the names of operations.
fn renamed(view: View<String>, names: &[(&str, &str)]) -> View<String> {
    let rename = |term: String| {
        let whole = names.iter().find(|(old, _)| *old == term);
        whole.map_or_else(
            || {
                names.iter().fold(term.clone(), |term, (old, new)| {
                    term.replacen(&format!("({old} "), &format!("({new} "), 1)
                })
            },
            |(_, new)| (*new).to_owned(),
        )
    };
    let mut view = view;
    view.hash = 0;
    // A role without a goal value has 0.
    for goal in &mut view.goals {
        if goal.as_ref().is_err_and(Vec::is_empty) {
            *goal = Ok(0);
        }
    }
    view.facts = view.facts.into_iter().map(rename).collect();
    view.facts.sort();
    for moves in &mut view.legal {
        *moves = moves.drain(..).map(rename).collect();
        moves.sort();
    }
    view
}

/// Plays both at random; `names` are those that operations change.
#[track_caller]
fn same_plays(text: &str, names: &[(&str, &str)], plays: u64) {
    let (classic, other, written) = both(text);
    let roles = classic.roles().iter().count();
    let mut random: u64 = 0x9E37_79B9_7F4A_7C15;
    for play in 0..plays {
        let (mut scratch, mut mirror) = (classic.scratch(), other.scratch());
        for step in 0..200 {
            let view = |engine: &Tree, scratch: &mut _| {
                View::of(engine, scratch, 0).expect("a state").canonical(engine.symbols())
            };
            let left = renamed(view(&classic, &mut scratch), names);
            let mut right = renamed(view(&other, &mut mirror), &[]);
            if roles == 1 {
                right.facts.retain(|fact| !fact.starts_with("(control "));
            }
            assert_eq!(left, right, "play {play}, step {step}: {written}");
            if left.terminal {
                break;
            }
            let mut joints: [Vec<MoveId>; 2] = Default::default();
            for role in classic.roles().iter() {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let moves = &left.legal[role.index()];
                let wanted = &moves[(random >> 33) as usize % moves.len()];
                let find = |engine: &Tree, scratch: &mut _, names: &[(&str, &str)]| {
                    let mut legal = Vec::new();
                    engine.legal(scratch, role, &mut legal).expect("legal moves");
                    let name = |id: MoveId| engine.move_term(id).1.canonical(engine.symbols());
                    let is = |id: &MoveId| {
                        let name = name(*id);
                        let renamed = names.iter().find(|(old, _)| *old == name);
                        renamed.map_or(&*name, |(_, new)| new) == wanted
                    };
                    legal.into_iter().find(is).expect("the move")
                };
                joints[0].push(find(&classic, &mut scratch, names));
                joints[1].push(find(&other, &mut mirror, &[]));
            }
            classic.step(&mut scratch, &joints[0]).expect("a step");
            other.step(&mut mirror, &joints[1]).expect("a step");
        }
    }
}

const TURN: &[(&str, &str)] = &[("turn", "control"), ("wait", "noop")];

#[test]
fn games_of_kif_are_the_same() {
    for name in [
        "amazons",
        "breakthrough",
        "connect4",
        "draughts",
        "eight_puzzle",
        "fox_and_hounds",
        "gomoku",
        "hex",
        "knights_tour",
        "nim",
        "pentago",
        "reversi",
        "tictactoe",
    ] {
        let path = format!("{}/../../kif/{name}.kif", env!("CARGO_MANIFEST_DIR"));
        same_plays(&std::fs::read_to_string(path).expect("a game"), TURN, 3);
    }
}

/// A game of two roles that take turns; `rules` say what happens to `p`.
fn with(rules: &str) -> String {
    format!(
        "(role a) (role b) (init (control a)) (init (p 1 x)) (init (p 2 y)) (init (p 3 x)) (n 1) (n 2) (n 3)
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (legal ?w (go ?x ?y)) (true (control ?w)) (n ?x) (n ?y))
        (<= (legal ?w (put ?x)) (true (control ?w)) (n ?x))
        (<= (legal ?w noop) (role ?w) (not (true (control ?w))))
        (<= terminal (not (true (p 1 x))) (not (true (p 2 y)))) (goal a 50) (goal b 50)
        {rules}"
    )
}

#[test]
fn all_ways_to_stay() {
    for rules in [
        // Nothing stays, or all does.
        "(<= (next (p ?x y)) (does ?w (put ?x)))",
        "(<= (next (p ?x ?y)) (true (p ?x ?y))) (<= (next (p ?x z)) (does b (put ?x)))",
        // By one move, by the other, by a role.
        "(<= (next (p ?x ?y)) (true (p ?x ?y)) (does ?w (go ?m ?n)) (distinct ?x ?m) (distinct ?x ?n))
         (<= (next (p ?x ?y)) (true (p ?x ?y)) (does ?w (put ?m)) (or (distinct ?x ?m) (distinct ?y x)))",
        "(<= (next (p ?m ?y)) (true (p ?m ?y)) (does a (go ?m ?n)))
         (<= (next (p ?x ?y)) (true (p ?x ?y)) (does b (go ?x ?x)))
         (<= (next (p ?x ?y)) (true (p ?x ?y)) (does b (put ?x)))",
        "(<= (next (p ?x ?y)) (true (p ?x ?y)) (does a noop))
         (<= (next (p ?x ?y)) (does ?w (put ?x)) (true (p ?y ?z)))",
        // Kinds of facts that overlap, with the names of each other's variables.
        "(<= (next (p ?m x)) (true (p ?m x)) (does ?w (go ?x ?y)) (distinct ?m ?x))
         (<= (next (p ?y ?m)) (true (p ?y ?m)) (does ?w (put ?x)) (distinct ?m x))",
        // Kinds that do not, and that are not all.
        "(<= (next (p ?x x)) (true (p ?x x)) (does ?w (put ?m)))
         (<= (next (p ?x y)) (true (p ?x y)) (does ?w (go ?x ?m)))",
        "(<= (next (p ?x x)) (true (p ?x x)) (does ?w (put ?m)) (true (p ?m y)))",
        // Views of moves, and moves behind connectives.
        "(<= (hit ?x) (does ?w (put ?x))) (<= (hit ?y) (does b (go ?x ?y)))
         (<= (next (p ?x ?y)) (true (p ?x ?y)) (not (hit ?x)))
         (<= (next (p ?y x)) (hit ?x) (does ?w (go ?x ?y)))",
        "(<= (next (p ?x ?y)) (true (p ?x ?y)) (or (does ?w (put ?x)) (does b (go ?z ?x))))",
        "(<= (next (p ?x ?y)) (true (p ?x ?y)) (not (does a (put ?x))))",
        "(<= (quiet) (not (loud))) (<= (loud) (does ?w (put ?x)))
         (<= (next (p ?x ?y)) (true (p ?x ?y)) quiet) (<= (next (p ?x z)) loud (n ?x) (distinct ?x 2))",
        // Names that mean something else with operations.
        "(plus 1 x) (<= (control ?x) (plus ?x ?y)) (<= (action ?x) (control ?x)) (<= (p ?x ?y) (plus ?x ?y))
         (<= (next (p ?x ?y)) (true (p ?x ?y)) (action ?x) (p ?x ?z))",
        "(<= (next (p ?x ?1)) (true (p ?x ?1)) (does ?w ?m)) (<= (next (P ?X Z)) (does ?w (PUT ?x)))",
    ] {
        same_plays(&with(rules), &[], 20);
    }
}
