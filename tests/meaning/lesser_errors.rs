//! Rulesheets with errors that do not forbid play, and others off the beaten track, mean the
//! same to every engine and to the naive evaluator.

use crate::compare::{Failure, compare, tree};
use crate::naive::Naive;
use gdlr::export::RgEngine;
use gdlr::gdl::Game;
use gdlr::ground::Budget;
use gdlr::net::Net;
use gdlr::propnet::Propnet;
use std::sync::Arc;

/// A game without a fault, to add some to.
const SOUND: &str = "(role a) (role b) (init (s 0)) (init (t 1)) (succ 0 1) (succ 1 2) (succ 2 3)
    (q a) (q b)
    (<= (legal ?r go) (role ?r)) (<= (legal a stay) (true (s 1))) (<= (legal b (to ?x)) (true (t ?x)))
    (<= (next (s ?y)) (does a go) (true (s ?x)) (succ ?x ?y))
    (<= (next (s ?x)) (does a stay) (true (s ?x)))
    (<= (next (t ?y)) (does b (to ?x)) (succ ?x ?y))
    (<= (next (t 1)) (does b go))
    (<= (goal ?r 50) (role ?r))
    (<= terminal (true (s 3)))";

/// All engines play `SOUND` with these rules besides as the naive evaluator does.
#[track_caller]
fn agree(rules: &str) {
    let text = format!("{SOUND}\n{rules}");
    let game = || Game::from_kif("test", &text).expect("a rulesheet");
    let naive = Naive::new(game()).unwrap_or_else(|error| panic!("{rules}: {error}"));
    let net = Net::of_game(game(), &Budget::default()).expect("a game that grounds");
    let propnet = Propnet::of_net(game(), net.clone());
    let game = Arc::new(game());
    for seed in 0..6 {
        let same = |name: &str, found: Result<(), Failure>| {
            if let Err(found) = found {
                panic!("{rules}\n{name}: {found}");
            }
        };
        let tree = tree(Game::clone(&game), seed).expect("a game");
        same("tree", compare(&naive, &tree, seed));
        same("propnet", compare(&naive, &propnet, seed));
        for joint in [false, true] {
            let rg = RgEngine::new(game.clone(), &net, joint).expect("an automaton");
            same("rg", compare(&naive, &rg, seed));
        }
    }
}

#[test]
fn the_sound_game() {
    agree("");
}

#[test]
fn rules_for_the_state_and_the_moves_say_nothing() {
    agree("(true (s 7))");
    agree("(true (s 2)) (<= (legal a jump) (true (s 2)))");
    agree("(<= (true (s 2)) (q a))");
    agree("(<= (true (s 2)) (true (t 2))) (<= (true (t 3)) (does a go))");
    agree("(does a stay) (does b (to 2))");
    agree("(<= (does a ?m) (legal a ?m))");
}

#[test]
fn before_the_initial_state_nothing_is_true() {
    agree("(<= (init (t 0)) (not (true (s 0))))");
    agree("(<= (init (t 0)) (true (s 0)))");
    agree("(<= (init (t 0)) (p)) (<= (p) (not (true (s 1)))) (<= (legal a leap) (p))");
    agree("(<= (init (t 2)) (not (does a go))) (<= (init (t 3)) (does a go))");
    agree("(<= (init (t 0)) (legal a stay)) (<= (init (t 2)) (not (legal a stay)))");
    agree("(<= (init (t 0)) (or (true (s 0)) (q a)))");
}

#[test]
fn what_a_state_is_worth_is_known_before_there_is_one() {
    agree("(<= (init (t ?v)) (goal a ?v))");
    agree("(goal a 2) (<= (init (t ?v)) (goal a ?v) (distinct ?v 50))");
    agree("(<= (init (t 0)) (not terminal)) (<= (init (t 2)) terminal)");
    agree("(<= (init (t 0)) (p)) (<= (p) (not (goal b 50))) (<= (init (t 3)) (legal b go))");
}

#[test]
fn hints_are_left_out() {
    agree("(base (s ?x)) (input ?r (to ?x)) (<= (input ?r ?m) (does ?r ?m))");
    agree("(<= (base (s ?x)) (true (s ?x))) (<= (base ?f) (next ?f))");
    agree("(base 0) (<= (base (f ?x)) (base ?x)) (<= (base (g ?x)) (h ?y)) (<= (h ?x) (base ?y))");
    agree("(<= (base ?x) (not (base ?x))) (<= (input a ?x) (not (base (s ?x))) (w ?x))");
}

#[test]
fn base_and_input_are_names_like_any_other() {
    agree("(base 1 2) (base 2 3) (<= (legal a (hop ?x)) (base ?x ?y) (true (t ?y)))");
    agree("(base 1) (<= (legal a (hop ?x)) (base ?x) (true (t ?x)))");
    agree("(<= (base ?x) (true (t ?x))) (<= (legal a (hop ?x)) (base ?x)) (base 7)");
    agree("(<= (input ?r ?x) (does ?r (to ?x))) (<= (next (u ?x)) (input b ?x))");
    agree("(init (base input)) (<= (next (base (input ?x))) (true (t ?x)) (true (s 0)))");
    agree("(<= (legal a base) (true (s 1))) (<= (next (u base)) (does a base)) (input a b c)");
}

#[test]
fn keywords_in_what_the_roles_see_are_names() {
    agree("(<= (sees ?q (does ?p ?m)) (role ?q) (does ?p ?m))");
    agree("(<= (sees a (true (s ?x))) (true (s ?x))) (<= (sees b legal) terminal)");
}

#[test]
fn before_the_moves_nobody_moves() {
    agree("(<= (legal a jump) (does a go))");
    agree("(<= (legal a jump) (not (does a go)))");
    agree("(<= (legal a jump) (p ?x)) (<= (p ?x) (does b (to ?x))) (<= (next (seen ?x)) (p ?x))");
    agree(
        "(<= (legal a jump) (not (p 1))) (<= (p ?x) (does b (to ?x))) (<= (next (seen ?x)) (p ?x))",
    );
    agree("(<= (goal a 70) (does a go)) (<= terminal (does b go))");
    agree("(<= terminal (p)) (<= (p) (not (does b go)) (not (true (s 0)))) (<= (next (u 1)) (p))");
    agree(
        "(<= (legal a jump) (does b go)) (<= (next (could ?m)) (legal a ?m)) \
         (<= (next over) terminal) (<= terminal (does a stay))",
    );
}

#[test]
fn what_is_asked_again_is_asked_when_it_was() {
    agree("(<= (legal a jump) (next (s 1)))");
    agree("(<= (legal a jump) (init (s 0)))");
    agree("(<= (next (u ?x)) (init (s ?x)))");
    agree("(<= (next (u ?x)) (next (s ?x)))");
}

#[test]
fn arguments_that_nest() {
    agree("(succ (succ 1 2) 3)");
    agree("(succ 1 (succ 1 2))");
    agree("(<= (succ ?x (f ?x)) (q ?x))");
    agree("(<= (succ ?x (f ?x)) (true (s ?x)) (distinct ?x (f 0)) (succ ?x 1))");
    agree("(<= (next (s (f ?x))) (does b (to ?x)))");
}

#[test]
fn a_recursion_that_ends_by_its_facts() {
    agree(
        "(r 0 0) (r0 0) (<= (r ?x (f ?x)) (r ?y ?x) (r0 ?y)) \
         (<= (legal a (nest ?x ?y)) (r ?x ?y)) (<= (next (u ?y)) (does a (nest ?x ?y)))",
    );
    agree(
        "(n 0) (<= (n (f ?x)) (n ?x) (not (end ?x))) (end (f (f (f 0)))) \
         (<= (legal a (pick ?x)) (n ?x) (true (s 0))) (<= (next (v ?x)) (does a (pick ?x)))",
    );
}

#[test]
fn what_the_roles_see_has_no_influence() {
    agree("(<= (sees ?r (moved ?m)) (does a ?m) (role ?r)) (<= (sees a over) terminal)");
}
