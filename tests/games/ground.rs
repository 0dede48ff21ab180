//! Grounding: its rules mean the same game, stay small, and keep to a budget.

use crate::compare::{compare, tree};
use crate::rulesheets;
use gdlr::budget::Meter;
use gdlr::check::check;
use gdlr::gdl::Game;
use gdlr::gdl::Term;
use gdlr::ground::{Budget, Ground, GroundError, Limit, Value, possible_facts};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn ground(text: &str) -> Ground {
    let game = Game::from_kif("test", text).expect("rules");
    Ground::new(game, &Budget::default()).expect("a game to ground")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a rulesheet")
}

/// Plays a rulesheet and its ground rules side by side.
fn plays_alike(path: &Path) {
    let text = read(path);
    let game = Game::from_kif("game", &text).expect("rules");
    let ground = Ground::new(game.clone(), &Budget::default()).expect("a game to ground");
    let written = ground.to_kif().to_string();
    let again = Game::from_kif("ground", &written).expect("a readable rulesheet");
    let forbidding: Vec<_> = check(&again).into_iter().filter(|d| d.code.forbids_play()).collect();
    assert!(forbidding.is_empty(), "{}: {}", path.display(), forbidding[0]);
    let (left, right) = (tree(game, 0).expect("a game"), tree(again, 0).expect("a game"));
    for seed in 0..3 {
        if let Err(difference) = compare(&left, &right, seed) {
            panic!("{}: {difference}", path.display());
        }
    }
}

#[test]
fn ground_rules_are_a_rulesheet_that_plays_alike() {
    rulesheets::own().iter().for_each(|path| plays_alike(path));
    for name in ["blockerSerial", "hexPie", "pacman3p", "queens06ug", "snake2p", "tron_10x10"] {
        if let Some(path) = rulesheets::public(name) {
            plays_alike(&path);
        }
    }
}

/// A board of `n` times `n` cells on which a piece moves from any cell to any other.
fn board(n: usize) -> String {
    let numbers: String = (1..=n).map(|i| format!("(index {i}) ")).collect();
    format!(
        "(role r) {numbers} (init (cell 1 1 piece)) (init (turn odd))
         (<= (legal r (move ?a ?b ?c ?d)) (true (cell ?a ?b piece)) (index ?c) (index ?d))
         (<= (apart ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?a ?c))
         (<= (apart ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?b ?d))
         (<= (next (cell ?c ?d piece)) (does ?r (move ?a ?b ?c ?d)))
         (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (true (turn ?t))
             (does ?r (move ?a ?b ?c ?d)) (apart ?x ?y ?a ?b) (apart ?x ?y ?c ?d))
         (<= (next (turn odd)) (true (turn even))) (<= (next (turn even)) (true (turn odd)))
         (<= terminal (true (cell {n} {n} piece))) (<= (goal r 100) terminal)"
    )
}

#[test]
fn separable_parts_are_not_multiplied() {
    // Undivided, the frame rule has 2 turns times 81 cells times 81 * 80 moves: over a million.
    let rules = ground(&board(9)).rule_count();
    assert!(rules < 81 * 81 * 80 + 40_000, "{rules} rules");
}

#[test]
fn what_is_always_true_is_left_out() {
    let ground = ground(
        "(role r) (init (wall 1)) (init (at 1)) (succ 1 2) (succ 2 3)
         (<= (next (wall ?x)) (true (wall ?x)))
         (<= (legal r go) (true (wall 1)))
         (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (not (true (ghost ?x))))
         (<= (next (ghost ?x)) (true (ghost ?x)))
         (<= terminal (true (at 3))) (<= (goal r 100) terminal)",
    );
    let always = |r| ground.facts_of(r).all(|f| ground.value(f) == Value::Constant(true));
    let normal = ground.normal();
    assert!(always(normal.legal));
    assert_eq!(ground.to_kif().to_string().matches("ghost").count(), 0);
    assert_eq!(ground.to_kif().to_string().matches("(true (wall").count(), 0);
}

#[test]
fn a_budget_that_runs_out_is_a_typed_error() {
    let game = || Game::from_kif("board", &board(12)).expect("rules");
    let stop = AtomicBool::new(true);
    let budgets = [
        (Limit::Time, Budget { time: Duration::ZERO, ..Budget::default() }),
        (Limit::Memory, Budget { memory: 1 << 16, ..Budget::default() }),
        (Limit::Interrupted, Budget { interrupted: Some(&stop), ..Budget::default() }),
    ];
    for (limit, budget) in budgets {
        match Ground::new(game(), &budget) {
            Err(GroundError::Exhausted(exhausted)) => assert_eq!(exhausted.limit, limit),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{limit:?} is unlimited"),
        }
    }
}

#[test]
fn fluents_without_bound_are_refused_with_the_rule() {
    let text = "(role r) (init (n z)) (legal r go) (<= (next (n (s ?x))) (true (n ?x)))
                (<= terminal (true (n (s z)))) (goal r 0)";
    match Ground::new(Game::from_kif("grows", text).expect("rules"), &Budget::default()) {
        Err(GroundError::Refused(diagnostic)) => {
            let span = diagnostic.span;
            assert!(text[span.start as usize..span.end as usize].contains("(s ?x)"));
        }
        other => panic!("{:?}", other.map(|g| g.rule_count())),
    }
}

/// The possible facts and moves without ground rules, sorted.
fn possible(game: Game) -> Vec<Term> {
    let mut facts = possible_facts(game, &Meter::unlimited()).expect("a game");
    facts.sort();
    facts
}

#[test]
fn what_is_possible_without_ground_rules_is_what_grounding_reaches() {
    for path in rulesheets::own() {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        // Others take long to ground where nothing is optimised.
        if !["breakthrough", "connect4", "hex", "light_cycles", "nim", "reversi", "tictactoe"]
            .contains(&name)
        {
            continue;
        }
        let game = Game::from_kif(name, &read(&path)).expect("rules");
        let ground = Ground::new(game.clone(), &Budget::default()).expect("a game to ground");
        let mut reached = ground.fluents();
        reached.sort();
        assert_eq!(possible(game), reached, "{name}");
    }
}

/// The facts that are possible under these rules, as text.
fn possible_under(rules: &str) -> Vec<String> {
    let game = Game::from_kif("test", rules).expect("rules");
    let symbols = game.symbols.clone();
    let mut facts: Vec<String> = possible(game).iter().map(|fact| fact.spelled(&symbols)).collect();
    facts.sort();
    facts
}

#[test]
fn walls_that_never_change_bound_what_is_possible() {
    let maze = |wall: &str| {
        possible_under(&format!(
            "(role a) (init (at 1)) (init (wall 3)) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
             (<= (legal a go) (true (at ?x)))
             (<= (next (at ?y)) (does a go) (true (at ?x)) (after ?x ?y) (not (true (wall ?y))))
             (<= (next (wall ?x)) (true (wall ?x)) {wall})
             (<= terminal (true (at 5))) (goal a 100)"
        ))
    };
    assert_eq!(maze(""), ["(at 1)", "(at 2)", "(wall 3)"]);
    // Where they may fall there is more beyond.
    let falling = ["(at 1)", "(at 2)", "(at 3)", "(at 4)", "(at 5)", "(wall 3)"];
    assert_eq!(maze("(not (true (at 2)))"), falling);
}

#[test]
fn what_is_possible_has_the_holes_of_a_board() {
    // A cross of five squares; which way it goes is asked in a relation with columns that no rule for
    // the next state wants, and of a king that could be in check.
    let facts = possible_under(
        "(role a) (init (at 2 2))
         (square 2 1) (square 1 2) (square 2 2) (square 3 2) (square 2 3)
         (<= (way ?x ?y ?u ?v ?piece) (true (at ?x ?y)) (square ?u ?v) (piece ?piece))
         (piece king) (piece rook)
         (<= (check ?u ?v) (true (at ?x ?y)) (way ?x ?y ?u ?v rook))
         (<= (legal a (move ?p ?x ?y ?u ?v)) (way ?x ?y ?u ?v ?p) (check ?u ?v))
         (<= (next (at ?u ?v)) (does a (move ?p ?x ?y ?u ?v)))
         (<= terminal (true (at 9 9))) (goal a 100)",
    );
    assert_eq!(facts, ["(at 1 2)", "(at 2 1)", "(at 2 2)", "(at 2 3)", "(at 3 2)"]);
}
