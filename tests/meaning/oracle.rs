//! The naive evaluator by itself: the corners of the language as it reads them.

use crate::naive::Naive;
use gdlr::engine::{Engine, GoalError, RoleId};
use gdlr::gdl::Game;

fn game(text: &str) -> Result<Naive, String> {
    Naive::new(Game::from_kif("test", text).expect("a rulesheet"))
}

/// The initial facts, which stand for whatever a test derives.
fn facts(text: &str) -> String {
    let naive = game(text).expect("a game");
    let symbols = &naive.game().symbols;
    let facts: Vec<String> =
        naive.facts(naive.initial()).iter().map(|fact| fact.canonical(symbols)).collect();
    let mut sorted = facts;
    sorted.sort();
    sorted.join(" ")
}

#[test]
fn conditions_in_any_order() {
    let text =
        "(q 1) (q 2) (q 3) (<= (init (p ?x ?y)) (distinct ?x ?y) (not (r ?x)) (q ?x) (q ?y)) (r 2)";
    assert_eq!(facts(text), "(p 1 2) (p 1 3) (p 3 1) (p 3 2)");
}

#[test]
fn or_binds_and_tests() {
    let text = "(q 1) (q 2) (r 2) (r 3) (<= (init (p ?x)) (or (q ?x) (r ?x)) (or (distinct ?x 2) (not (r ?x))))";
    assert_eq!(facts(text), "(p 1) (p 3)");
    assert_eq!(facts("(<= (init a) (or)) (<= (init b) (not (or)))"), "b");
}

#[test]
fn not_moves_inwards() {
    let text = "(q 1) (q 2) (q 3) (r 2) (s 3)
        (<= (init (neither ?x)) (not (or (r ?x) (s ?x))) (q ?x))
        (<= (init (twice ?x)) (not (not (r ?x))))
        (<= (init (same ?x)) (q ?x) (not (distinct ?x 2)))";
    assert_eq!(facts(text), "(neither 1) (same 2) (twice 2)");
}

#[test]
fn a_variable_only_in_not_has_no_value() {
    let text = "(q 1) (q 2) (e 1 a) (<= (init (p ?x)) (not (e ?x ?y)) (q ?x))";
    assert_eq!(facts(text), "(p 2)");
}

#[test]
fn cycles_have_a_least_fixpoint() {
    let text = "(e 1 2) (e 2 3) (e 3 1) (e 4 4) (v 1) (v 4) (v 5)
        (<= (r ?x ?y) (e ?x ?y)) (<= (r ?x ?z) (r ?x ?y) (r ?y ?z))
        (<= (init (reach ?y)) (r 1 ?y)) (<= (init (alone ?x)) (v ?x) (not (r ?x ?x)))";
    assert_eq!(facts(text), "(alone 5) (reach 1) (reach 2) (reach 3)");
}

#[test]
fn functions_match_by_name_and_arity() {
    let text = "(p (f a)) (p (f)) (p f) (p (f a (g b)))
        (<= (init (one ?x)) (p (f ?x))) (<= (init none) (p (f))) (<= (init (two ?x ?y)) (p (f ?x (g ?y))))
        (<= (init (any ?x)) (p ?x) (distinct ?x f))";
    assert_eq!(
        facts(text),
        "(any (f a (g b))) (any (f a)) (any (f)) (one a) (two a b) none"
            .split(' ')
            .collect::<Vec<_>>()
            .join(" ")
    );
}

#[test]
fn repeated_variables_are_equal() {
    assert_eq!(facts("(e 1 2) (e 2 2) (e (f 1) (f 1)) (<= (init ?x) (e ?x ?x))"), "(f 1) 2");
}

#[test]
fn growth_without_bound_is_an_error() {
    assert!(game("(role r) (n 0) (<= (n (s ?x)) (n ?x)) (<= (init (at ?x)) (n ?x))").is_err());
    assert!(game("(<= (init (p ?x)) (not (q ?x)))").is_err());
    assert!(game("(<= (p ?x) (not (q ?x))) (<= (init ?x) (p ?x))").is_err());
    assert!(game("(<= p (not q)) (<= q (not p)) (<= (init x) p)").is_err());
}

#[test]
fn a_game_by_hand() {
    let naive = game(
        "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2)
         (<= (legal ?r (add ?m)) (role ?r) (true (n ?m)))
         (<= (legal a stop) (true (n 1)))
         (<= (next (n ?y)) (does a (add ?x)) (succ ?x ?y))
         (<= (next (n ?x)) (does a stop) (true (n ?x)))
         (<= (next (seen ?r)) (does ?r stop))
         (<= terminal (true (n 2))) (<= terminal (true (seen a)))
         (<= (goal a 100) (true (n 2))) (<= (goal a 50) (true (seen a)))
         (<= (goal b 1) (true (n 2))) (<= (goal b 101) (true (seen a)))",
    )
    .unwrap();
    let mut scratch = naive.scratch();
    let mut moves = Vec::new();
    assert_eq!(naive.goal(&mut scratch, RoleId(0)), Err(GoalError::Missing));
    naive.legal(&mut scratch, RoleId(0), &mut moves).unwrap();
    let theirs = naive.move_id(RoleId(1), &naive.move_term(moves[0]).1).unwrap();
    let joint = [moves[0], theirs];
    naive.step(&mut scratch, &joint).unwrap();
    assert_eq!(naive.terminal(&mut scratch), Ok(false));
    assert!(naive.step(&mut scratch, &joint).is_err(), "a move of the state before");
    naive.legal(&mut scratch, RoleId(0), &mut moves).unwrap();
    assert_eq!(moves.len(), 2);
    let stop = *moves
        .iter()
        .find(|&&id| naive.move_term(id).1.canonical(&naive.game().symbols) == "stop")
        .unwrap();
    naive.legal(&mut scratch, RoleId(1), &mut moves).unwrap();
    assert!(naive.step(&mut scratch, &[stop]).is_err());
    assert!(naive.step(&mut scratch, &[moves[0], stop]).is_err());
    naive.step(&mut scratch, &[stop, moves[0]]).unwrap();
    assert_eq!(naive.terminal(&mut scratch), Ok(true));
    assert_eq!(naive.goal(&mut scratch, RoleId(0)), Ok(50));
    assert!(matches!(naive.goal(&mut scratch, RoleId(1)), Err(GoalError::Improper(_))));
}

#[test]
fn terminal_on_does_sees_no_moves() {
    let naive = game(
        "(role a) (init (n 1)) (legal a kill) (<= killed (does a kill)) (<= alive (not killed))
         (<= (next (n 2)) (not alive)) (<= terminal (not alive)) (<= (next (n 3)) alive)
         (<= (goal a 7) alive)",
    )
    .unwrap();
    let mut scratch = naive.scratch();
    let mut moves = Vec::new();
    naive.legal(&mut scratch, RoleId(0), &mut moves).unwrap();
    assert_eq!(naive.goal(&mut scratch, RoleId(0)), Ok(7));
    naive.step(&mut scratch, &moves).unwrap();
    let state = naive.state(&scratch);
    let facts: Vec<String> =
        state.iter().map(|fact| fact.canonical(&naive.game().symbols)).collect();
    assert_eq!(facts, ["(n 2)"]);
    assert_eq!(naive.terminal(&mut scratch), Ok(false));
}

#[test]
fn goals_may_refer_to_other_goals() {
    let naive = game(
        "(role a) (role b) (init won) (legal a m) (<= (goal a 100) (true won))
         (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))",
    )
    .unwrap();
    let mut scratch = naive.scratch();
    assert_eq!(naive.goal(&mut scratch, RoleId(0)), Ok(100));
    assert_eq!(naive.goal(&mut scratch, RoleId(1)), Ok(0));
    assert!(
        game("(role a) (v 0) (<= (goal a ?x) (v ?x)) (<= (goal a 1) (not (goal a 2)))").is_err()
    );
}

#[test]
fn an_open_rule_is_a_test() {
    let text = "(v 1) (v 2) (v 3) (q 2) (<= (free ?x) (not (q ?x))) (free 2)
        (<= (init (yes ?x)) (free ?x) (v ?x)) (<= (init (no ?x)) (v ?x) (not (free ?x)))
        (<= (same ?x ?x) (v 1)) (<= (init (both ?x ?y)) (same ?x ?y) (q ?x) (v ?y))";
    assert_eq!(facts(text), "(both 2 2) (yes 1) (yes 2) (yes 3)");
}
