//! Set-up keeps to its budget, whatever takes long: facts, rules, the net or its proofs.

use gdlr::budget::{Budget, Exhausted, Limit, Meter};
use gdlr::engine::EngineKind;
use gdlr::export::{RgEngine, from_net_within};
use gdlr::gdl::Game;
use gdlr::ground::GroundError;
use gdlr::net::Net;
use gdlr::propnet::Propnet;
use gdlr::set_up::{SetUp, SetUpError};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn game(text: &str) -> Game {
    Game::from_kif("test", text).expect("rules")
}

/// Why there is no engine.
fn exhausted(text: &str, budget: &Budget<'_>) -> Exhausted {
    match Propnet::new(game(text), budget) {
        Err(GroundError::Exhausted(exhausted)) => exhausted,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the budget was enough"),
    }
}

/// A state that counts up in decimal digits.
fn decimal_counter() -> String {
    let mut text = "(role a) (init (n 0 0 0 0 0 0)) (legal a go) (goal a 0)
                    (<= terminal (true (n 9 9 9 9 9 9)))"
        .to_owned();
    for digit in 0..9 {
        write!(text, "(succ {digit} {}) ", digit + 1).expect("a string");
    }
    let digits = ["?a", "?b", "?c", "?d", "?e", "?f"];
    for place in 0..digits.len() {
        let (fixed, nines) = (digits[..place].join(" "), " 9".repeat(5 - place));
        let zeros = " 0".repeat(5 - place);
        writeln!(
            text,
            "(<= (next (n {fixed} ?y{zeros})) (true (n {fixed} ?x{nines})) (succ ?x ?y))"
        )
        .expect("a string");
    }
    text
}

#[test]
fn a_counter_of_a_million_states_ends_with_the_time() {
    let start = Instant::now();
    let budget = Budget { time: Duration::from_millis(500), ..Budget::default() };
    assert_eq!(exhausted(&decimal_counter(), &budget).limit, Limit::Time);
    // Where a loop does not look, it is over a minute.
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[test]
fn a_million_moves_end_with_the_memory() {
    let mut text = "(role a) (init (at 0)) (<= terminal (true (at 1))) (goal a 0)
        (<= (next (at 1)) (does a ?m))
        (<= (legal a (big ?a ?b ?c ?d ?e ?f)) (dg ?a) (dg ?b) (dg ?c) (dg ?d) (dg ?e) (dg ?f))"
        .to_owned();
    (0..10).for_each(|digit| write!(text, "(dg {digit}) ").expect("a string"));
    let budget = Budget { memory: 50 << 20, ..Budget::UNLIMITED };
    let Exhausted { limit, spent } = exhausted(&text, &budget);
    assert_eq!(limit, Limit::Memory);
    assert!(spent.memory < 60 << 20, "{} bytes", spent.memory);
}

/// How much work it is to make the net of a counter up to a number.
fn work_of_counter(last: usize) -> u64 {
    let mut text = format!(
        "(role a) (init (c 0)) (legal a go) (goal a 0) (<= terminal (true (c {last})))
         (<= (next (c ?y)) (true (c ?x)) (succ ?x ?y))"
    );
    for number in 0..last {
        write!(text, "(succ {number} {}) ", number + 1).expect("a string");
    }
    let meter = Meter::unlimited();
    let net = Net::within(game(&text), &meter).expect("there is no limit");
    assert_eq!(net.latches.len(), last + 1);
    assert!(net.exclusive.iter().any(|group| group.len() == last + 1), "not seen to be exclusive");
    meter.work()
}

#[test]
fn a_counter_takes_linear_work() {
    let (less, more) = (work_of_counter(1500), work_of_counter(6000));
    assert!(more < 6 * less, "{more} for four times as much as {less}");
}

/// Why there is no engine of a kind.
fn no_engine(kind: EngineKind, text: &str, budget: Budget<'_>) -> Exhausted {
    let set_up = SetUp { kind, budget, ..SetUp::default() };
    match set_up.make_random_play(game(text)) {
        Err(SetUpError::Exhausted(exhausted)) => exhausted,
        Err(other) => panic!("{other}"),
        Ok(made) => panic!("the budget was enough for {}", made.kind),
    }
}

#[test]
fn set_up_of_every_engine_can_be_interrupted() {
    let stop = AtomicBool::new(true);
    let budget = Budget { interrupted: Some(&stop), ..Budget::default() };
    for &kind in EngineKind::ALL {
        let why = no_engine(kind, &decimal_counter(), budget);
        assert_eq!(why.limit, Limit::Interrupted, "{kind}");
    }
}

#[test]
fn trees_end_with_the_memory() {
    // Ten to the fifth facts in the initial state.
    let mut text = "(role a) (legal a go) (goal a 0) (<= terminal (true (big 0 0 0 0 0)))
        (<= (init (big ?a ?b ?c ?d ?e)) (dg ?a) (dg ?b) (dg ?c) (dg ?d) (dg ?e))"
        .to_owned();
    (0..10).for_each(|digit| write!(text, "(dg {digit}) ").expect("a string"));
    let budget = Budget { memory: 1 << 20, ..Budget::UNLIMITED };
    assert_eq!(no_engine(EngineKind::Tree, &text, budget).limit, Limit::Memory);
    let trees = SetUp { kind: EngineKind::Tree, ..SetUp::default() };
    assert!(trees.make(game(&text)).is_ok());
}

#[test]
fn checking_and_compiling_an_automaton_is_work() {
    let nim = Game::from_kif("nim", include_str!("../../kif/nim.kif")).expect("rules");
    let net = Net::of_game(nim.clone(), &Budget::UNLIMITED).expect("there is no limit");
    let (writing, all) = (Meter::unlimited(), Meter::unlimited());
    let export = from_net_within(&net, &nim, false, &writing).expect("there is no limit");
    RgEngine::within(nim, &net, false, &all).expect("there is no limit");
    // Several checks look at every edge, and each is compiled.
    let edges = export.description.edges.len() as u64;
    assert!(all.work() > writing.work() + 5 * edges, "{} of {edges} edges", all.work());
}
