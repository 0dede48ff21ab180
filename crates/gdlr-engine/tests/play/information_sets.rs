//! Information sets in a game of one coin.

use gdlr_engine::engine::{Engine, MoveId, RoleId};
use gdlr_engine::play::{InformationSets, RoleCount, Unfinished, Untold, information_sets};
use gdlr_rules::gdl::Game;
use gdlr_tree::{Tree, TreeOptions};
use std::sync::atomic::{AtomicBool, Ordering};

/// A coin is thrown; `a` looks or not, and then guesses. What it sees is `rules`.
fn coin(rules: &str) -> Tree {
    let text = format!(
        "(role a) (role random) (init (step 1)) (side heads) (side tails)
        (<= (legal random (throw ?s)) (true (step 1)) (side ?s))
        (<= (legal random wait) (not (true (step 1))))
        (<= (legal a look) (true (step 1))) (<= (legal a away) (true (step 1)))
        (<= (legal a (guess ?s)) (true (step 2)) (side ?s))
        (<= (next (up ?s)) (does random (throw ?s))) (<= (next (step 2)) (true (step 1)))
        (<= (next (up ?s)) (true (up ?s)))
        (<= (next (right)) (does a (guess ?s)) (true (up ?s)))
        (<= terminal (not (true (step 1))) (not (true (step 2))))
        (<= (goal a 100) (true (right))) (<= (goal a 0) (not (true (right)))) {rules}"
    );
    let game = Game::from_kif("coin", &text).expect("a rulesheet");
    Tree::new(game, &TreeOptions::default()).expect("trees")
}

fn sets(engine: &Tree, depth: usize) -> InformationSets {
    information_sets(engine, depth, 1000, &AtomicBool::new(false), |_| {})
}

/// The information sets of `a` at each depth.
fn of_first(counted: &InformationSets) -> Vec<(u64, u64)> {
    counted.depths.iter().map(|depth| (depth.roles[0].sets, depth.roles[0].choosing)).collect()
}

#[test]
fn who_looks_sees_the_coin() {
    let counted = sets(&coin("(<= (sees a ?s) (does a look) (does random (throw ?s)))"), 9);
    // After the throw: heads seen, tails seen, or away.
    assert_eq!(of_first(&counted), [(1, 1), (3, 3), (6, 0)]);
    let situations: Vec<(u64, u64)> =
        counted.depths.iter().map(|depth| (depth.situations, depth.terminal)).collect();
    assert_eq!(situations, [(1, 0), (4, 0), (8, 8)]);
    assert!(counted.depths.iter().all(|depth| depth.roles[1] == RoleCount::default()));
    assert_eq!((counted.dark, counted.unfinished), (Vec::new(), None));
}

#[test]
fn without_rules_for_sees_all_moves_are_seen() {
    let counted = sets(&coin(""), 1);
    assert_eq!(of_first(&counted), [(1, 1), (4, 4)]);
}

#[test]
fn nothing_is_seen_where_no_rule_says_so() {
    let counted = sets(&coin("(<= (sees a never) (does a never))"), 9);
    assert_eq!(of_first(&counted), [(1, 1), (2, 2), (4, 0)]);
}

#[test]
fn who_cannot_tell_its_moves_or_the_end_is_found_with_the_plays() {
    let blind = "(<= (sees a never) (does a never))";
    let moves = "(<= (legal a pass) (true (step 2)) (true (up heads)))";
    let engine = coin(&format!("{blind} {moves}"));
    let counted = sets(&engine, 9);
    let [dark] = &counted.dark[..] else { panic!("{:?}", counted.dark) };
    assert_eq!((dark.role, dark.untold), (RoleId(0), Untold::Moves));
    let thrown = |play: &Vec<Vec<MoveId>>| engine.move_term(play[0][1]).1;
    assert_eq!((dark.plays[0].len(), dark.plays[1].len()), (1, 1));
    assert_ne!(thrown(&dark.plays[0]), thrown(&dark.plays[1]));
    assert_eq!(dark.plays[0][0][0], dark.plays[1][0][0]);
    let end = "(<= terminal (true (up heads)))";
    let counted = sets(&coin(&format!("{blind} {end}")), 9);
    let untold: Vec<Untold> = counted.dark.iter().map(|dark| dark.untold).collect();
    assert_eq!(untold, [Untold::End]);
}

#[test]
fn what_is_too_much_is_said() {
    let engine = coin("");
    let stop = AtomicBool::new(false);
    let few = information_sets(&engine, 9, 5, &stop, |_| {});
    assert_eq!((few.depths.len(), few.unfinished), (2, Some(Unfinished::TooMany)));
    stop.store(true, Ordering::Relaxed);
    let none = information_sets(&engine, 9, 1000, &stop, |_| {});
    assert_eq!((none.depths.len(), none.unfinished), (0, Some(Unfinished::Stopped)));
}
