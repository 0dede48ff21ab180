//! The engine `tree` on small rulesheets, one for each corner of the language that random
//! rulesheets do not surely hit, and its contract as an [`Engine`].

use crate::compare::{compare, tree};
use crate::naive::Naive;
use gdlr::engine::{Engine, MoveId, RoleId, StepError};
use gdlr::gdl::{Game, Term};
use gdlr::play::View;
use gdlr::play::trace::sorted_strings;
use gdlr::tree::{Tree, TreeOptions};
use std::fmt::Write;

fn game(text: &str) -> Game {
    Game::from_kif("test", text).expect("a rulesheet")
}

fn engine(text: &str) -> Tree {
    Tree::new(game(text), &TreeOptions::default()).expect("a game")
}

/// Plays on the naive evaluator and on the engine, under all switches, and compares.
fn agrees(text: &str) {
    let naive = Naive::new(game(text)).expect("a game");
    for without in 0..16 {
        let tree = tree(game(text), without).expect("a game");
        for seed in 0..6 {
            if let Err(difference) = compare(&naive, &tree, seed) {
                panic!("without {without:04b}: {difference}\n{text}");
            }
        }
    }
}

/// The initial facts, after a comparison with the naive evaluator.
fn initial(text: &str) -> String {
    let text = format!("(role r) (legal r go) {text}");
    agrees(&text);
    let tree = engine(&text);
    sorted_strings(&tree.facts(tree.initial()), &tree.game().symbols).join(" ")
}

fn legal(tree: &Tree, scratch: &mut <Tree as Engine>::Scratch, role: u16) -> Vec<MoveId> {
    let mut moves = Vec::new();
    tree.legal(scratch, RoleId(role), &mut moves).expect("little work");
    moves
}

/// A move of the test's only role, by name.
fn step(tree: &Tree, scratch: &mut <Tree as Engine>::Scratch, name: &str) {
    let term = Term::Constant(tree.game().symbols.get(name).expect("a name"));
    let id = tree.move_id(RoleId(0), &term).expect("a move");
    tree.step(scratch, &[id]).expect("a legal move");
}

#[test]
fn a_local_variable_of_not_stands_for_facts_of_every_kind() {
    agrees(
        "(role r) (init (p a)) (init q) (init (p (g b)))
        (legal r keep) (legal r drop) (legal r clear)
        (<= (next q) (does r keep)) (<= (next (p a)) (does r drop)) (<= (next (p (g b))) (true q))
        (<= (goal r 100) (not (true ?x))) (<= (goal r 0) (true ?x))
        (<= (next none) (not (true (p ?x))))
        (<= terminal (not (true (p (g ?x)))))",
    );
}

#[test]
fn a_local_variable_of_a_test_stands_for_facts_of_every_kind() {
    let text = "(role r) (init (p a)) (init q) (legal r keep) (legal r drop)
        (<= (next ?f) (true ?f) (does r keep))
        (v 1) (v 2) (w 2) (<= (goal r 7) (v 2) (or (true ?x) (z ?y)) (or (z ?w) (w 2)))
        (<= (some ?v) (v ?v) (or (true ?x) (w ?v)))
        (<= (next (s ?v)) (some ?v)) (<= (none ?v) (v ?v) (or (not (true ?x)) (w ?v)))
        (<= (next (n ?v)) (none ?v))";
    agrees(text);
}

#[test]
fn a_local_variable_may_repeat_at_different_layouts() {
    let facts =
        "(v 1) (v 2) (v 3) (v 4) (p 1 a a) (p 2 a (f a)) (p 3 (f a) (f a)) (p 3 (f a) (f b))
        (p 4 (f (f)) (f)) (q 1 a a) (q 2 a b) (q 3 (f) f) (q 4 (f) (f)) (q 4 f g)";
    let rules = "(<= (init (none ?v)) (v ?v) (not (p ?v ?x ?x)))
        (<= (init (deep ?v)) (v ?v) (not (p ?v (f ?x) ?x)))
        (<= (init (deeper ?v)) (v ?v) (not (p ?v ?x (f ?x))))
        (<= (init (bare ?v)) (v ?v) (not (q ?v ?x ?x)))
        (<= (init (or ?v)) (v ?v) (or (not (q ?v ?x ?x)) (not (p ?v ?y ?y))))
        (<= (init (both ?v)) (v ?v) (not (p ?v ?x ?y)) (not (q ?v ?y ?x)))";
    assert_eq!(
        initial(&format!("{facts} {rules}")),
        "(bare 2) (bare 3) (deep 1) (deep 2) (deep 3) (deeper 1) (deeper 3) (deeper 4) (none 2) \
         (none 4) (or 2) (or 3) (or 4)"
    );
}

#[test]
fn a_term_is_not_the_constant_in_it() {
    let facts =
        "(q (f a)) (q (f b)) (w (g (f a) a)) (w (g (f b) a)) (c a) (c b) (m a) (m (f a)) (m (h))";
    assert_eq!(
        initial(&format!(
            "{facts} (<= (init (p ?x)) (q ?x) (distinct ?x a))
            (<= (init (o ?x)) (q ?x) (or (distinct ?x a) (c z)))
            (<= (init (s ?x)) (q ?x) (not (distinct ?x a)))
            (<= (init (d ?x ?y)) (m ?x) (q ?y) (distinct ?x ?y))
            (<= (init (e ?x ?y)) (w (g ?x ?y)) (not (distinct ?x ?y)))
            (<= (init (n ?x)) (w ?x) (not (distinct ?x (g (f a) a))))
            (<= (init (t ?x)) (w ?x) (distinct ?x (g a a)))
            (<= (init (u ?x)) (m ?x) (not (distinct ?x (h))))"
        )),
        "(d (f a) (f b)) (d (h) (f a)) (d (h) (f b)) (d a (f a)) (d a (f b)) (n (g (f a) a)) \
         (o (f a)) (o (f b)) (p (f a)) (p (f b)) (t (g (f a) a)) (t (g (f b) a)) (u (h))"
    );
}

#[test]
fn a_function_without_arguments_is_not_the_constant_of_its_name() {
    let text = "(role r) (init (at f)) (init (at (f))) (init f) (init (f))
        (legal r f) (legal r (f)) (<= (legal r ?x) (true (at ?x))) (<= (legal r (at ?x)) (true (at ?x)))
        (<= (next (at ?x)) (does r ?x) (or (k ?x) (z ?x))) (<= (next (at ?x)) (does r (at ?x)) (not (true ?x)))
        (<= (next f) (does r (f))) (<= (next (f)) (does r f)) (<= (next (was ?x)) (true (at ?x)))
        (k f) (k a) (z (f)) (z a)
        (<= (next (in ?x)) (k ?x) (true (at ?x)))
        (<= (next (out ?x)) (k ?x) (not (true (at ?x))))
        (<= (next (ze ?x)) (z ?x) (or (true (at ?x)) (not (k ?x))))
        (<= (goal r 1) (true f) (not (true (f)))) (<= (goal r 2) (true (f)) (not (true f)))
        (<= terminal (true (was f)) (not (true (was (f)))))";
    agrees(text);
}

#[test]
fn roles_moves_and_facts_may_be_compound_and_variable() {
    let text = "(role (team a)) (role (team b)) (role (h)) (role h)
        (init (turn (team a))) (init (cell (pos 1 2) x)) (v 1) (v 2)
        (<= (legal ?r (mark (pos ?x ?y))) (true (turn ?r)) (v ?x) (v ?y))
        (<= (legal ?r noop) (role ?r)) (<= (legal h (noop)) (not (true (turn h))))
        (<= (next (cell ?p ?r)) (does ?r (mark ?p)))
        (<= (next (last ?r ?m)) (does ?r ?m))
        (<= (next (turn ?s)) (does ?r noop) (role ?s) (distinct ?r ?s))
        (<= (next (calm ?r)) (role ?r) (not (does ?r (mark ?p))))
        (<= (next ?f) (true ?f) (not (does (h) noop)))
        (<= (next (same ?r ?s)) (does ?r ?m) (does ?s ?m) (distinct ?r ?s))
        (<= (goal (team ?x) 50) (true (last (team ?x) ?m)) (not (true (calm (team ?x)))))
        (<= (goal ?r 10) (role ?r) (true (calm ?r)))
        (<= terminal (true (last ?r (mark ?p))) (true (cell ?p ?r)) (true (last (h) noop)))";
    agrees(text);
}

#[test]
fn keywords_may_stand_in_bodies() {
    agrees(
        "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal ?r (add ?x)) (role ?r) (true (n ?x)) (succ ?x ?y))
        (<= (legal ?r pass) (role ?r))
        (<= (free ?r) (legal ?r (add ?x))) (<= open (legal a pass) (not terminal))
        (<= (next (n ?y)) (does a (add ?x)) (succ ?x ?y) (legal b (add ?x)))
        (<= (next (n ?x)) (true (n ?x)) (does a pass))
        (<= (next over) (legal a pass) (not (free a)))
        (<= terminal (goal a 100)) (<= terminal (true (n 3)))
        (<= (goal ?r 100) (true over) (role ?r))
        (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
        (<= (next (score ?r)) (goal ?r 0) open) (<= (next ended) terminal)",
    );
}

#[test]
fn relations_divided_by_a_constant_are_still_asked_whole() {
    let text = "(init (n 1)) (role2 x) (role2 y) (won x) (key v)
        (<= (init (q ?r ?c)) (score ?r ?c v)) (<= (init (z ?r)) (score ?r none v))
        (<= (init (any ?r)) (role2 ?r) (not (score ?r ?c ?k)))
        (<= (score ?r high ?k) (won ?r) (key ?k))
        (<= (score ?r low ?k) (role2 ?r) (not (score ?r high ?k)) (key ?k))";
    // The naive evaluator divides `goal` only.
    let text = format!("(role r) (legal r go) {text}");
    for without in 0..16 {
        let tree = tree(game(&text), without).expect("a game");
        let facts = sorted_strings(&tree.facts(tree.initial()), &tree.game().symbols);
        assert_eq!(facts.join(" "), "(n 1) (q x high) (q y low)");
    }
}

#[test]
fn redundant_relations_keep_their_constants_and_repeats() {
    let text = "(e a a) (e a b) (e b b) (e c c) (k a) (k c)
        (<= (twin ?x ?x) (e ?x ?x)) (<= (of_a ?y a) (e a ?y)) (<= (chain ?y) (of_a ?y a))
        (<= (none ?y) (of_a ?y b)) (<= (loop1 ?x) (loop2 ?x)) (<= (loop2 ?x) (loop3 ?x))
        (<= (loop3 ?x) (loop1 ?x)) (<= (longer ?x ?y) (twin ?y ?x)) (<= (fixed b) (chain b))
        (<= (init (t ?x ?y)) (twin ?x ?y) (k ?x)) (<= (init (u ?x)) (longer ?x ?x) (not (k ?x)))
        (<= (init (c ?z ?y)) (chain ?y) (of_a ?y ?z)) (<= (init (n ?x)) (k ?x) (none ?x))
        (<= (init (l ?x)) (k ?x) (loop1 ?x) (chain ?x)) (<= (init (f ?x)) (fixed ?x))
        (<= (init (g ?x)) (k ?x) (not (fixed ?x)) (not (loop2 ?x)))
        (<= (init (h ?x)) (fixed ?x) (of_a b ?x)) (<= (init (two ?x ?y)) (twin ?x a) (chain ?y))
        (<= (tail ?x) (chain2 ?x ?y)) (<= (chain2 ?x ?y) (chain3 ?x ?y)) (<= (chain3 ?x ?y) (longer ?y ?x))
        (<= (nil ?x) (nil2 ?x b)) (<= (nil2 ?x ?y) (of_a ?x ?y)) (<= (init (nil ?x)) (nil ?x))
        (<= (init (tail ?x ?y)) (tail ?x) (tail ?y) (distinct ?x ?y) (k ?x) (k ?y))";
    assert_eq!(
        initial(text),
        "(c a a) (c a b) (f b) (g a) (g c) (t a a) (t c c) (tail a c) (tail c a) (two a a) (two a b) (u b)"
    );
}

#[test]
fn what_never_holds_and_what_always_does() {
    agrees("(role r) (legal r go) (init (p a)) (<= (next ?f) (true ?f))");
    agrees(
        "(role r) (role s) (legal r go) (goal r 5) terminal (init (p a)) (<= (next (p ?x)) (p ?x))",
    );
    agrees(
        "(role r) (legal r go) (<= (legal r ?x) (never ?x)) (<= (goal r ?x) (true (value ?x)))
        (<= terminal (not (never ?x)) (true off)) (<= (next (value 3)) (not (true (value ?x))))
        (<= (next off) (true (value ?x)) (not (true (ghost ?x))))",
    );
    // `legal` depends on itself and on nothing that changes.
    agrees(
        "(role r) (legal r 0) (succ 0 1) (succ 1 2) (<= (legal r ?y) (legal r ?x) (succ ?x ?y))
        (<= (next (at ?x)) (does r ?x)) (<= (next ?f) (true ?f))",
    );
}

#[test]
fn unsafe_heads_hold_for_every_constant() {
    agrees(
        "(role r) (init (at a)) (k a) (k b) (k c) (bad b)
        (<= (fine ?x ?y) (true (at ?x)) (not (bad ?y)))
        (<= (legal r ?y) (k ?y) (true (at ?x)) (fine ?x ?y))
        (<= (next (at ?x)) (does r ?x)) (<= terminal (fine c b))",
    );
}

#[test]
fn the_variable_of_an_unsafe_fact_is_named() {
    let text = "(<= (p ?x) (not (q ?x))) (fact ?why)";
    let error = Tree::new(game(text), &TreeOptions::default()).expect_err("an unsafe fact");
    assert!(error.to_string().contains("`?why`"), "{error}");
}

#[test]
fn initial_facts_that_are_much_work_are_not_lost() {
    let mut text = "(role r) (legal r go)
        (<= (init (c ?x)) (n ?x) (n ?y) (n ?z) (distinct ?x ?y) (distinct ?y ?z) (distinct ?x ?z))
        (<= (init (d ?x ?y)) (pair ?x ?y 7) (true none))
        (<= (pair ?x ?y ?z) (n ?x) (n ?y) (n ?z))
        (<= (init (e ?x)) (pair ?x 3 4))
        (<= (next ?f) (true ?f) (not (d 1 2)))"
        .to_owned();
    for n in 0..100 {
        write!(text, "(n {n})").expect("a string");
    }
    for without in 0..16 {
        let tree = tree(game(&text), without).expect("a game");
        assert_eq!(tree.facts(tree.initial()).len(), 200);
    }
}

/// Edges come and go, with cycles; conditions know the one end, the other, both or none.
const GRAPH: &str = "(role r) (role s) (v a) (v b) (v c) (v d)
    (init (e a b)) (init (e b c)) (init (e c a)) (init (e c d)) (init (at a))
    (<= (legal r (cut ?x ?y)) (true (e ?x ?y))) (<= (legal r (add ?x ?y)) (v ?x) (v ?y) (true (at ?x)))
    (<= (legal s (go ?y)) (true (at ?x)) (path ?x ?y)) (<= (legal s (back ?y)) (true (at ?x)) (path ?y ?x))
    (<= (legal s stay) (not (path a d))) (<= (legal s wait) (v ?x) (path ?x ?x) (not (true (at ?x))))
    (<= (legal s wait) (true (at ?x)) (not (path ?x ?y)))
    (<= (next (at ?x)) (does s (go ?x))) (<= (next (at ?x)) (does s (back ?x)))
    (<= (next (at ?x)) (does s stay) (true (at ?x))) (<= (next (at d)) (does s wait))
    (<= (next (e ?x ?y)) (true (e ?x ?y)) (not (does r (cut ?x ?y))))
    (<= (next (e ?x ?y)) (does r (add ?x ?y)))
    (<= (next (cyclic ?x)) (path ?x ?x)) (<= (next (apart ?x ?y)) (v ?x) (v ?y) (not (path ?x ?y)))
    (<= (goal r 100) (path a d)) (<= (goal s 50) (true (at ?x)) (not (path ?x a)))
    (<= terminal (true (at ?x)) (path a ?x) (path ?x a) (path d d))";

#[test]
fn recursion_over_cyclic_facts_that_change() {
    let left = "(<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (true (e ?y ?z)))";
    let right =
        "(<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) (true (e ?x ?y)) (path ?y ?z))";
    let twice = "(<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))";
    let thrice = "(<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?y) (path ?x ?z) (path ?z ?y))
        (<= (path ?x ?y) (path ?x ?z) (path ?z ?w) (path ?w ?y) (distinct ?z ?w))";
    let mutual = "(<= (path ?x ?y) (odd ?x ?y)) (<= (path ?x ?y) (even ?x ?y))
        (<= (odd ?x ?y) (true (e ?x ?y))) (<= (odd ?x ?z) (true (e ?x ?y)) (even ?y ?z))
        (<= (even ?x ?z) (odd ?x ?y) (true (e ?y ?z))) (<= (even ?x ?z) (even ?x ?y) (even ?y ?z))";
    let sides = "(<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?y) (from ?x ?y)) (<= (path ?x ?y) (to ?y ?x))
        (<= (from ?x ?z) (true (e ?x ?y)) (to ?z ?y)) (<= (to ?z ?x) (true (e ?y ?z)) (path ?x ?y))
        (<= (to ?z ?z) (path ?z ?z))";
    for path in [left, right, twice, thrice, mutual, sides] {
        agrees(&format!("{GRAPH} {path}"));
    }
}

#[test]
fn recursion_that_never_changes() {
    // The last results of the fixpoint are found on the columns that it asked for.
    initial(
        "(q a (f a)) (e 1 2) (e 2 3) (e 3 4) (e 4 2) (<= (q 1 1) p) (<= p (q ?x ?y)) (k 1) (k 2)
        (<= (init (at ?x)) (q ?x ?x) (p2 ?x ?w)) (p2 1 a)
        (<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= (init (end ?y)) (k ?x) (path ?x ?y)) (<= (init (start ?x)) (k ?y) (path ?x ?y))
        (<= (from ?x ?y) (e ?x ?y)) (<= (from ?x ?z) (from ?x ?y) (e ?y ?z))
        (<= (init (there ?y)) (k ?x) (from ?x ?y)) (<= (init (back ?x)) (k ?y) (from ?x ?y))
        (<= (onto ?x ?y) (e ?x ?y)) (<= (onto ?x ?z) (e ?x ?y) (onto ?y ?z))
        (<= (init (up ?y)) (k ?x) (onto ?x ?y)) (<= (init (down ?x)) (k ?y) (onto ?x ?y))",
    );
}

#[test]
fn recursion_without_columns_and_with_repeats() {
    agrees(
        "(role r) (init (p 1)) (legal r a) (legal r b) (<= (next (p 1)) (does r a)) (<= (next (p 2)) (does r b))
        (<= on (true (p 1))) (<= on off) (<= off on (true (p 2))) (<= (next both) on) (<= (next both) off)
        (<= (d ?x ?x) (true (p ?x))) (<= (d ?x ?y) (d ?y ?x)) (<= (d (f ?x) ?y) (d ?x ?x) (d ?x ?y) (true (p ?x)))
        (<= (next (d ?x)) (d ?x ?x)) (<= terminal (d (f ?x) ?x) off)",
    );
}

/// A chain of relations, each the negation or a join of the one before.
fn chain(length: usize, first: &str) -> String {
    let mut text = format!("(v 1) (v 2) (v 3) (<= (c0 ?x) {first})");
    for n in 1..=length {
        let before = n - 1;
        match n % 3 {
            0 => writeln!(text, "(<= (c{n} ?x) (v ?x) (not (c{before} ?x)))"),
            1 => writeln!(text, "(<= (c{n} ?x) (c{before} ?x) (v ?x))"),
            _ => writeln!(text, "(<= (c{n} ?x) (or (c{before} ?x) (w ?x)) (v ?x)) (w 9)"),
        }
        .expect("a string");
    }
    text
}

/// The facts after each move, which some switches must not change.
fn deep(text: &str, moves: &[&str]) -> Vec<Vec<String>> {
    let mut results = Vec::new();
    for without in [0, 1, 14, 15] {
        let tree = tree(game(text), without).expect("a game");
        let mut scratch = tree.scratch();
        let mut plays = vec![];
        for name in moves {
            View::of(&tree, &mut scratch, without).expect("little work");
            step(&tree, &mut scratch, name);
            plays.push(
                sorted_strings(&tree.facts(&tree.state(&scratch)), &tree.game().symbols).join(" "),
            );
        }
        results.push(plays);
    }
    results.dedup();
    results
}

#[test]
fn long_chains_of_relations() {
    let length = 1100;
    let play = format!(
        "(role r) (init (at 1)) (legal r 1) (legal r 2) (<= (next (at ?x)) (does r ?x))
        (<= (next (deep ?x)) (c{length} ?x)) "
    );
    // The number of negations is even.
    let on_state = chain(length, "(v ?x) (true (at ?x))")
        + &format!(
            "(<= terminal (c{length} 3)) (<= (goal r 100) (c{length} 2)) (<= (legal r 3) (c{length} 2))"
        );
    assert_eq!(
        deep(&(play.clone() + &on_state), &["2", "1"]),
        [["(at 2) (deep 1)", "(at 1) (deep 2)"]]
    );
    let on_move = chain(length, "(v ?x) (does r ?x)");
    assert_eq!(
        deep(&(play.clone() + &on_move), &["2", "1"]),
        [["(at 2) (deep 2)", "(at 1) (deep 1)"]]
    );
    // Forbidden, and no reason to fall over: nobody does anything before a move.
    let forbidden =
        on_move + &format!("(<= terminal (c{length} 2)) (<= (legal r 3) (c{length} ?x))");
    assert_eq!(
        deep(&(play.clone() + &forbidden), &["2", "1"]),
        [["(at 2) (deep 2)", "(at 1) (deep 1)"]]
    );
}

#[test]
fn long_chains_beside_others() {
    // The relations `d` are as high as those of `c`, and none of them depends on one whose
    // height is a round number.
    let length = 1000;
    let mut text = chain(length, "(v ?x) (true (at ?x))")
        + &format!(
            "(role r) (init (at 1)) (legal r 1) (legal r 2) (<= (next (at ?x)) (does r ?x))
            (<= (next (deep ?x)) (d{length} ?x)) (<= (d1 ?x) (c0 ?x))"
        );
    for n in 2..=length {
        let before = if n % 50 == 1 { n - 2 } else { n - 1 };
        writeln!(text, "(<= (d{n} ?x) (d{before} ?x) (or (c{} ?x) (v ?x)))", n - 1)
            .expect("a string");
    }
    assert_eq!(deep(&text, &["2", "1"]), [["(at 2) (deep 1)", "(at 1) (deep 2)"]]);
}

#[test]
fn long_chains_that_never_change_but_are_too_large() {
    let length = 1500;
    let mut text = format!(
        "(role r) (init (at 1)) (legal r 1) (legal r 2) (<= (next (at ?x)) (does r ?x))
        (<= (next (deep ?x)) (true (at ?x)) (c{length} ?x ?x ?x)) (<= (c0 ?x ?y ?z) (n ?x) (n ?y) (n ?z))"
    );
    for n in 0..100 {
        write!(text, "(n {n})").expect("a string");
    }
    for n in 1..=length {
        let before = n - 1;
        writeln!(text, "(<= (c{n} ?x ?y ?z) (c{before} ?y ?z ?x) (n ?x))").expect("a string");
    }
    let tree = Tree::new(game(&text), &TreeOptions::default()).expect("a game");
    let mut scratch = tree.scratch();
    step(&tree, &mut scratch, "2");
    let facts = sorted_strings(&tree.facts(&tree.state(&scratch)), &tree.game().symbols);
    assert_eq!(facts, ["(at 2)", "(deep 1)"]);
}

/// `terminal` and `legal` depend on the joint move, which is forbidden.
const FORBIDDEN: &str = "(role r) (role s) (legal r a) (legal r b) (legal s a) (legal s c) (init (n 0))
    (<= moved (does ?r ?m)) (<= (legal r c) moved) (<= terminal (does r b)) (<= (goal r 100) moved)
    (<= (goal s 7) (not moved)) (<= (way ?x ?y) (does ?x ?y)) (<= (way ?x ?z) (way ?x ?y) (way ?y ?z))
    (<= (next (w ?x ?y)) (way ?x ?y)) (<= (next l) (legal r c)) (<= (next t) terminal) (<= terminal (way s a))";

#[test]
fn nobody_moves_before_a_joint_move() {
    agrees(FORBIDDEN);
}

#[test]
fn a_refused_step_leaves_the_scratch_as_it_was() {
    for text in [FORBIDDEN, GRAPH, "(role r) (role s) (legal r a) (<= (next x) (does r a))"] {
        let text = format!("{text} (<= (path ?x ?y) (true (e ?x ?y)))");
        let tree = engine(&text);
        let mut scratch = tree.scratch();
        let moves = [legal(&tree, &mut scratch, 0), legal(&tree, &mut scratch, 1)];
        let strange = MoveId(1_000_000);
        for round in 0..4 {
            if let Some(&theirs) = moves[1].first() {
                let joint = [theirs, moves[0][0]];
                assert_eq!(tree.step(&mut scratch, &joint), Err(StepError::Illegal(RoleId(0))));
            }
            assert_eq!(tree.step(&mut scratch, &[]), Err(StepError::WrongLength));
            let joint = [moves[0][0], strange];
            assert_eq!(tree.step(&mut scratch, &joint), Err(StepError::Illegal(RoleId(1))));
            let joint = [strange, strange];
            assert_eq!(tree.step(&mut scratch, &joint), Err(StepError::Illegal(RoleId(0))));
            let mut fresh = tree.scratch();
            let expected = View::of(&tree, &mut fresh, round);
            assert_eq!(View::of(&tree, &mut scratch, round), expected);
            tree.enter(&mut scratch, tree.initial());
        }
        if let [Some(&first), Some(&second)] = [moves[0].first(), moves[1].first()] {
            tree.step(&mut scratch, &[first, second]).expect("legal moves");
        }
    }
}

#[test]
fn a_term_that_cannot_be_a_move_has_no_number() {
    let text =
        "(role r) (init (at f)) (legal r (f)) (legal r f) (<= (legal r (go ?x)) (true (at ?x)))";
    let tree = engine(text);
    let mut scratch = tree.scratch();
    let symbols = &tree.game().symbols;
    let [f, go] = ["f", "go"].map(|name| symbols.get(name).expect("a name"));
    let constant = Term::Constant(f);
    let function = |name, args| Term::Function(name, args);
    for term in [constant.clone(), function(f, vec![]), function(go, vec![constant.clone()])] {
        let id = tree.move_id(RoleId(0), &term).expect("a move");
        assert_eq!(tree.move_term(id), (RoleId(0), term));
        assert!(legal(&tree, &mut scratch, 0).contains(&id));
    }
    let none = [
        function(f, vec![constant.clone()]),
        function(go, vec![]),
        function(go, vec![function(f, vec![])]),
        function(go, vec![constant.clone(), constant]),
        Term::Variable(gdlr::gdl::Variable(0)),
        // A name that the game does not have, whatever number it got.
        Term::Constant(gdlr::gdl::Symbol::from_index(symbols.len() as u16)),
        Term::Constant(gdlr::gdl::Symbol::from_index(u16::MAX)),
    ];
    for term in none {
        assert_eq!(tree.move_id(RoleId(0), &term), None, "{term:?}");
    }
}

#[test]
fn scratches_in_threads_see_the_same() {
    let text = format!(
        "{GRAPH} (<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"
    );
    let tree = engine(&text);
    let naive = Naive::new(game(&text)).expect("a game");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (tree, naive) = (&tree, &naive);
            scope.spawn(move || {
                for seed in 0..10 {
                    compare(naive, tree, thread + 4 * seed).expect("the same states");
                }
            });
        }
    });
}

#[test]
fn set_up_does_the_same_each_time() {
    let graph = format!(
        "{GRAPH} (<= (path ?x ?y) (true (e ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))"
    );
    let draughts = include_str!("../../kif/draughts.kif");
    for text in [&graph[..], FORBIDDEN, draughts] {
        let first = engine(text);
        for _ in 0..3 {
            let again = engine(text);
            assert_eq!(first.figures(), again.figures());
            assert_eq!(first.to_text(text), again.to_text(text));
        }
    }
}
