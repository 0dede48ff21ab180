//! Games as automata of Regular Games: what is written means the same game, with a rulesheet
//! for each place where that is easily got wrong, and on the bundled games.

use crate::rulesheets;
use gdlr::budget::Meter;
use gdlr::check::check;
use gdlr::diagnostic::{Code, Severity};
use gdlr::engine::{AnyEngine, Engine};
use gdlr::export::{Export, RgEngine, each_from_rules, from_game, from_net, from_rules};
use gdlr::gdl::Game;
use gdlr::ground::{Budget, Ground};
use gdlr::hrg;
use gdlr::net::Net;
use gdlr::play::crosscheck::{CrosscheckOptions, NamedEngine, crosscheck};
use gdlr::play::perft;
use gdlr::propnet::Propnet;
use gdlr::rg::{self, Automaton, Name, Search};
use gdlr::tree::{Tree, TreeOptions};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The most plays that are counted on both sides.
const MOST_PLAYS: u64 = 2000;
/// The most joint moves in such a play.
const DEEPEST: usize = 5;

/// A rulesheet that may be played, and its net.
fn net(text: &str) -> (Arc<Game>, Net) {
    let game = Game::from_kif("test", text).expect("rules");
    let diagnostics = check(&game);
    let forbidding: Vec<_> = Game::forbidding(&diagnostics).collect();
    assert!(forbidding.is_empty(), "{}\n{text}", forbidding[0]);
    let game = Arc::new(game);
    let net = Net::of_game(game.clone(), &Budget::default()).expect("a game that grounds");
    (game, net)
}

/// The description of an automaton: it can be read, has no errors, and has a name for each thing.
#[track_caller]
fn is_sound(export: &Export) {
    let text = export.text().expect("printable names");
    let again = rg::read(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    assert_eq!(rg::print(&again), rg::print(&export.description));
    for description in [&export.description, &again] {
        let diagnostics = rg::validate(description);
        let error = diagnostics.iter().find(|one| one.severity() == Severity::Error);
        assert!(error.is_none(), "{}\n{text}", error.unwrap());
    }
    let different = |names: &[Name]| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let tags: BTreeSet<&Vec<Name>> = export.moves.iter().map(|(tags, _)| tags).collect();
    let scores = export.scores.iter().map(|(score, _)| *score);
    let scores: Vec<Name> = scores.chain([export.no_score, export.scores_differ]).collect();
    assert!(different(&export.roles) && different(&scores), "{text}");
    assert_eq!(tags.len(), export.moves.len(), "{text}");
    let mut terms: Vec<_> = export.moves.iter().map(|(_, term)| term).collect();
    terms.sort_unstable();
    terms.dedup();
    assert_eq!(terms.len(), tags.len(), "{text}");
    let mut facts: Vec<_> = export.facts.iter().map(|(fact, _)| fact).collect();
    facts.sort_unstable();
    facts.dedup();
    assert_eq!(facts.len(), export.facts.len(), "{text}");
}

/// The automaton that is written from the rules themselves.
#[track_caller]
pub(super) fn of_rules(text: &str, joint: bool) -> Option<Export> {
    let (game, net) = net(text);
    let ground = Ground::new(game.clone(), &Budget::default()).expect("a game that grounds");
    let written = from_rules(&game, &ground, &net, joint, &Meter::unlimited());
    match written.expect("there is no limit") {
        Ok(export) => Some(export),
        Err(why) => {
            let reasons = [
                "a static relation would be too large a map",
                "a rule that asks twice for what it is about",
                "a role that never moves",
            ];
            assert!(reasons.contains(&&*why), "{why}\n{text}");
            None
        }
    }
}

/// Each way in which the rules themselves can be written.
#[track_caller]
pub(super) fn each_of_rules(text: &str, joint: bool) -> Vec<Export> {
    let (game, net) = net(text);
    let ground = Ground::new(game.clone(), &Budget::default()).expect("a game that grounds");
    each_from_rules(&game, &ground, &net, joint, &Meter::unlimited()).expect("there is no limit")
}

/// The same text each time.
#[track_caller]
fn is_stable(text: &str, game: &Game, net: &Net, joint: bool) {
    let printed = |export: &Export| rg::print(&export.description).expect("printable names");
    let first = printed(&from_net(net, game, joint));
    assert_eq!(first, printed(&from_net(net, game, joint)));
    let (game, net) = self::net(text);
    assert_eq!(first, printed(&from_net(&net, &game, joint)));
}

/// Plays of the automaton with a ply for each role and step are plays of the game.
#[track_caller]
fn counts_alike(tree: &Tree, joint: &Export, roles: usize) {
    let never = AtomicBool::new(false);
    let mut depth = 0;
    let mut counted = perft(tree, 0, &never, |_| {});
    while depth < DEEPEST {
        let next = perft(tree, depth + 1, &never, |_| {});
        if next.counts[depth + 1] > MOST_PLAYS {
            break;
        }
        (depth, counted) = (depth + 1, next);
    }
    if counted.stuck.iter().any(|&stuck| stuck > 0) {
        return;
    }
    let automaton = Automaton::new(&joint.description).expect("a playable automaton");
    let mut search = Search::default();
    let plays = rg::perft(&automaton, &mut search, depth * roles, |_| {});
    assert_eq!(plays.error, None);
    let every = |counts: &[u64]| counts.iter().step_by(roles).copied().collect::<Vec<u64>>();
    assert_eq!(every(&plays.counts), counted.counts, "plays");
    assert_eq!(every(&plays.terminal), counted.terminal, "plays that are over");
    assert_eq!(plays.terminal.iter().sum::<u64>(), counted.terminal.iter().sum::<u64>());
}

/// The automaton of the game as a program has the same plays.
#[track_caller]
fn is_the_same_program(export: &Export) {
    let text = match export.hrg() {
        Ok(text) => text,
        Err(why) => {
            let reasons = [
                "relations that ask for each other",
                "a turn that no fact tells",
                "a game that never ends",
            ];
            assert!(reasons.contains(&why), "{why}\n{}", export.text().expect("printable names"));
            return;
        }
    };
    let game = hrg::read(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let translated = match hrg::translate(&game) {
        Ok(translated) => translated,
        Err(errors) => {
            // Play that never ends is no automaton, and some programs are more than the translation takes.
            let expected = [Code::RgEndUnreachable, Code::HrgGrowth];
            assert!(expected.contains(&errors[0].code), "{}\n{text}", errors[0]);
            return;
        }
    };
    let automata = [&export.description, &translated]
        .map(|description| Automaton::new(description).unwrap_or_else(|_| panic!("{text}")));
    for depth in 1..=DEEPEST {
        let [ours, other] = automata
            .each_ref()
            .map(|automaton| rg::perft(automaton, &mut Search::default(), depth, |_| {}));
        if ours.error.is_some() {
            break;
        }
        assert_eq!(other.error, None, "{text}");
        assert_eq!(ours.counts, other.counts, "{text}");
        assert_eq!(ours.terminal, other.terminal, "{text}");
        if ours.counts[depth] > MOST_PLAYS {
            break;
        }
    }
}

/// Everything that must hold of the automata of a rulesheet. Those of rules with `--joint` are
/// only looked at where it takes no time.
#[track_caller]
fn means_the_same(text: &str, options: &CrosscheckOptions) {
    all_mean_the_same(text, options, &[("rules", false)]);
}

/// The same with these automata of rules: their names, and whether with `--joint`.
#[track_caller]
fn all_mean_the_same(text: &str, options: &CrosscheckOptions, of_rules: &[(&str, bool)]) {
    let (game, net) = net(text);
    let tree = Tree::new(game.clone(), &TreeOptions::default()).expect("a game");
    let tree = Arc::new(tree);
    let propnet = Propnet::of_net(game.clone(), net.clone());
    let make =
        |joint| Arc::new(RgEngine::new(game.clone(), &net, joint).expect("a playable automaton"));
    let (rg, joint) = (make(false), make(true));
    for (engine, is_joint) in [(&rg, false), (&joint, true)] {
        is_sound(engine.export());
        is_sound(&from_net(&net, &game, is_joint));
        is_stable(text, &game, &net, is_joint);
    }
    let mut engines = vec![
        NamedEngine::new("tree", AnyEngine::shared(tree.clone())),
        NamedEngine::new("propnet", AnyEngine::new(propnet)),
        NamedEngine::new("rg", AnyEngine::shared(rg.clone())),
        NamedEngine::new("rg with --joint", AnyEngine::shared(joint.clone())),
    ];
    let mut texts = Vec::new();
    for &(name, is_joint) in of_rules {
        let Some(export) = self::of_rules(text, is_joint) else { continue };
        is_sound(&export);
        let print = |export: &Export| export.text().expect("printable names");
        assert_eq!(self::of_rules(text, is_joint).as_ref().map(print), Some(print(&export)));
        for (number, export) in each_of_rules(text, is_joint).into_iter().enumerate() {
            is_sound(&export);
            is_the_same_program(&export);
            texts.push(print(&export));
            if is_joint {
                counts_alike(&tree, &export, game.roles.len());
            }
            let engine = RgEngine::of_export(game.clone(), &net, export, &Meter::unlimited());
            let engine = engine.unwrap_or_else(|error| panic!("{error}\n{}", texts[0]));
            let name = format!("{name} {number}");
            engines.push(NamedEngine::new(&name, AnyEngine::new(engine)));
        }
    }
    let result = crosscheck(&engines, options, &AtomicBool::new(false), |_| {});
    if let Some(difference) = &result.difference {
        let text = rg::print(&rg.export().description).expect("printable names");
        panic!("{difference}\n{text}\n{}", texts.join("\n"));
    }
    assert_eq!(result.limit, None);
    assert_eq!(result.playouts, options.playouts);
    counts_alike(&tree, &from_net(&net, &game, true), game.roles.len());
}

/// Small rulesheets end soon or never.
#[track_caller]
pub(super) fn small(text: &str) {
    let options =
        CrosscheckOptions { max_steps: 40, perft_nodes: 1500, ..CrosscheckOptions::default() };
    all_mean_the_same(text, &options, &[("rules", false), ("rules with --joint", true)]);
}

mod conditions {
    use super::*;

    #[test]
    fn negated_facts_that_are_static_or_never_true() {
        small(
            "(role p) (square 1) (square 2) (square 3) (wall 2) (succ 1 2) (succ 2 3) (succ 3 1)
             (init (at 1)) (<= (never ?x) (square ?x) (wall ?x) (distinct ?x 2))
             (<= (legal p (go ?y)) (true (at ?x)) (square ?y) (not (wall ?y)) (not (never ?y)))
             (<= (legal p (jump ?y)) (true (at ?x)) (succ ?x ?y) (not (true (ghost ?y))))
             (<= (next (at ?y)) (does p (go ?y))) (<= (next (at ?y)) (does p (jump ?y)))
             (<= (next (ghost 4)) (does p (go 9)))
             (<= terminal (true (at 2)) (not (true (ghost 4))))
             (<= (goal p 100) (not (wall 1))) (<= (goal p 0) (wall 1))",
        );
    }

    #[test]
    fn not_over_or() {
        small(
            "(role p) (init (lamp a)) (lamp a) (lamp b) (lamp c)
             (<= (legal p (press ?x)) (lamp ?x))
             (<= (legal p wait) (not (or (true (lamp a)) (true (lamp b)))))
             (<= (next (lamp ?x)) (does p (press ?x)) (not (true (lamp ?x))))
             (<= (next (lamp ?x)) (true (lamp ?x)) (not (does p (press ?x))))
             (<= terminal (not (or (true (lamp a)) (true (lamp b)) (not (true (lamp c))))))
             (<= (goal p 100) (not (or (not (true (lamp c))) (true (lamp b)))))
             (<= (goal p 10) (or (not (true (lamp c))) (true (lamp b))))",
        );
    }

    #[test]
    fn or_with_not_inside() {
        small(
            "(role p) (init (n 0)) (init (flag)) (succ 0 1) (succ 1 2) (succ 2 3)
             (<= (legal p up) (or (not (true (n 2))) (true (flag))))
             (<= (legal p drop) (or (true (flag)) (not (true (n 0)))))
             (<= (legal p rest) (or (not (true (flag))) (distinct a a)))
             (<= (next (n ?y)) (does p up) (true (n ?x)) (succ ?x ?y))
             (<= (next (n ?x)) (true (n ?x)) (or (not (does p up)) (true (n 3))))
             (<= (next (flag)) (true (flag)) (or (not (does p drop)) (true (n 1))))
             (<= (next (n 0)) (does p up) (true (n 3)))
             (<= terminal (or (true (n 3)) (true (gone))))
             (<= (goal p 40) (or (not (true (flag))) (true (n 0))))
             (<= (goal p 60) (true (flag)) (not (true (n 0))))",
        );
    }

    #[test]
    fn or_over_branches_with_different_domains() {
        small(
            "(role p) (low 1) (low 2) (high 2) (high 3) (name tom) (init (at 1))
             (<= (legal p (go ?x)) (or (low ?x) (high ?x) (name ?x)) (not (true (at ?x))))
             (<= (next (at ?x)) (does p (go ?x)))
             (<= (next (seen ?x)) (or (true (seen ?x)) (does p (go ?x)) (true (at ?x))))
             (<= terminal (or (true (seen tom)) (true (at 3))))
             (<= (goal p ?v) (value ?x ?v) (true (at ?x)))
             (value 1 10) (value 2 20) (value 3 30) (value tom 100)",
        );
    }

    #[test]
    fn distinct_on_compound_terms() {
        small(
            "(role p) (init (at (pair 1 2))) (n 1) (n 2)
             (<= (legal p (go ?x ?y)) (n ?x) (n ?y) (true (at ?z)) (distinct ?z (pair ?x ?y)))
             (<= (legal p stay) (true (at (pair ?x ?y))) (distinct (f ?x) (f ?y)))
             (<= (legal p (odd ?x)) (n ?x) (distinct (f ?x) (g ?x)) (distinct (f 1) (f ?x)))
             (<= (next (at (pair ?x ?y))) (does p (go ?x ?y)))
             (<= (next (at ?z)) (true (at ?z)) (does p stay))
             (<= (next (at (pair ?x (pair 1 1)))) (does p (odd ?x)))
             (<= terminal (true (at (pair ?x ?y))) (distinct (pair ?x ?y) (pair 1 2))
                 (distinct ?y 2) (distinct ?y 1))
             (<= (goal p 100) (true (at (pair 2 ?x)))) (<= (goal p 0) (true (at (pair 1 ?x))))",
        );
    }
}

mod terms {
    use super::*;

    #[test]
    fn variables_as_goal_values() {
        small(
            "(role p) (role q) (init (points p 0)) (init (points q 50)) (more 0 50) (more 50 100)
             (<= (legal ?r take) (role ?r)) (<= (legal ?r leave) (role ?r))
             (<= (next (points ?r ?m)) (does ?r take) (true (points ?r ?n)) (more ?n ?m))
             (<= (next (points ?r ?n)) (true (points ?r ?n)) (does ?r leave))
             (<= (next (points ?r 100)) (true (points ?r 100)))
             (<= terminal (true (points p 100)) (true (points q 100)))
             (<= (goal ?r ?v) (true (points ?r ?v)))",
        );
    }

    #[test]
    fn compound_values_of_variables() {
        small(
            "(role p) (init (at (square a (rank 1)))) (file a) (file b)
             (<= (legal p (move ?from ?to)) (true (at ?from)) (target ?to))
             (<= (target (square ?f (rank 2))) (file ?f))
             (<= (target (square ?f nowhere)) (file ?f))
             (<= (next (at ?to)) (does p (move ?from ?to)))
             (<= (next (came ?from)) (does p (move ?from ?to)))
             (<= terminal (true (came (square b (rank ?n)))))
             (<= (goal p 100) (true (at (square b ?x)))) (<= (goal p 1) (true (at (square a ?x))))",
        );
    }

    #[test]
    fn symbols_that_look_alike_when_flat() {
        small(
            "(role r_1) (role (r 1)) (init (a b c)) (init (a_b c)) (init (a_2 1))
             (<= (legal ?r (m b c)) (role ?r)) (<= (legal ?r (m b_c)) (role ?r))
             (<= (legal ?r (m_b c)) (role ?r)) (<= (legal ?r m_b_c) (role ?r) (true (a b c)))
             (<= (legal ?r (m (b c))) (role ?r))
             (<= (next (a b_c)) (does r_1 (m b_c))) (<= (next (a b c)) (does r_1 (m b c)))
             (<= (next (a_b c)) (does (r 1) (m_b c))) (<= (next a_b_c) (does (r 1) m_b_c))
             (<= (next (a (b c))) (does (r 1) (m (b c)))) (<= (next (a-b c)) (true (a_b c)))
             (<= (next (a+b c)) (true (a-b c))) (<= (next (a_2 1)) (true (a (b c))))
             (<= (next (a 2 1)) (true (a_2 1)))
             (<= terminal (true (a b_c)) (true (a-b c)))
             (<= (goal ?r 100) (role ?r) (true (a b_c)))
             (<= (goal ?r 0) (role ?r) (not (true (a b_c))))",
        );
    }

    #[test]
    fn relations_named_like_keywords() {
        small(
            "(role p) (init (type 1)) (init (const 1)) (init var) (init (variable x)) (init begin)
             (type 1) (type 2) (const 1 2) (const 2 1) (var p) (keeper 2) (visible p p)
             (<= (legal p (type ?x)) (type ?x)) (<= (legal p (const ?x)) (true (const ?x)))
             (<= (legal p var) (true var)) (<= (legal p begin) (true begin))
             (<= (legal p end) (not (true end))) (<= (legal p keeper) (keeper ?x) (true (type ?x)))
             (<= (legal p visible) (goals p)) (<= (legal p goals) (visible p p) (true (goals 0)))
             (<= (legal p turn) (true (over))) (<= (legal p over) (true turn))
             (<= (goals p) (true (const 2)))
             (<= (next (type ?x)) (does p (type ?x)))
             (<= (next (const ?y)) (true (const ?x)) (const ?x ?y))
             (<= (next var) (does p begin)) (<= (next begin) (does p var))
             (<= (next (variable ?x)) (true (variable ?y)) (type ?x))
             (<= (next keeper) (does p keeper)) (<= (next (goals 0)) (does p visible))
             (<= (next turn) (does p goals)) (<= (next (over)) (does p over))
             (<= (next (visible 1)) (true keeper)) (<= (next end) (true (visible 1)))
             (<= (next (view 1)) (true turn)) (<= (next (changed)) (true (view 1)))
             (<= terminal (true end) (not (true turn)))
             (<= (goal p 100) (true turn)) (<= (goal p 0) (not (true turn)))",
        );
    }

    #[test]
    fn values_and_moves_named_like_what_is_built_in() {
        small(
            "(role p) (role q) (init (at none)) (init (at2 undefined))
             (place none) (place 0) (place 1) (place player) (place keeper) (place random)
             (place undefined) (place ambiguous) (place bool) (place view_1) (place begin)
             (place at) (place type) (place const) (place var) (place choice_of_p) (place turn)
             (<= (legal p ?x) (place ?x) (not (true (at ?x))))
             (<= (legal q ?x) (place ?x) (true (at ?x)))
             (<= (legal q 100) (true (at 0))) (<= (legal q choice_of_q) (true (at ?x)))
             (<= (next (at ?x)) (does p ?x) (not (does q choice_of_q)))
             (<= (next (at none)) (does q choice_of_q))
             (<= (next (at2 ?x)) (does p ?x)) (<= (next (at2 ?x)) (does q ?x) (place ?x))
             (<= terminal (true (at ambiguous)))
             (<= (goal p 100) (true (at 1))) (<= (goal p 1) (true (at 0)))
             (<= (goal q 0) (true (at 1))) (<= (goal q 1) (true (at none)))",
        );
    }

    #[test]
    fn atoms_and_variables_with_signs() {
        small(
            "(role p-1) (init (at-place +1)) (plus-one -1 0) (plus-one 0 +1) (plus-one +1 -1)
             (<= (legal p-1 (go-to ?new-place)) (true (at-place ?_)) (plus-one ?_ ?new-place))
             (<= (legal p-1 (go_to ?new_place)) (true (at-place ?new_place)))
             (<= (legal p-1 (go.to ?x_-y)) (plus-one ?x_-y 0))
             (<= (next (at-place ?x-1)) (does p-1 (go-to ?x-1)))
             (<= (next (at_place ?x_1)) (does p-1 (go_to ?x_1)))
             (<= (next (at-place ?x)) (true (at-place ?x)) (not (does p-1 (go-to 0)))
                 (not (does p-1 (go-to +1))) (not (does p-1 (go-to -1))))
             (<= terminal (true (at_place 0)) (true (at-place 0)))
             (<= (goal p-1 100) (true (at-place 0))) (<= (goal p-1 0) (true (at-place -1)))",
        );
    }
}

mod roles {
    use super::*;

    /// Turns are taken; who moves second is first in the rulesheet.
    fn named(first: &str, second: &str) -> String {
        format!(
            "(role {first}) (role {second}) (init (control {second})) (init (heap 3))
             (other {first} {second}) (other {second} {first})
             (less 3 2 1) (less 2 1 1) (less 1 0 1) (less 3 1 2) (less 2 0 2)
             (<= (legal ?r (take ?k)) (true (control ?r)) (true (heap ?n)) (less ?n ?m ?k))
             (<= (legal ?r noop) (true (control ?s)) (other ?r ?s))
             (<= (next (heap ?m)) (does ?r (take ?k)) (true (heap ?n)) (less ?n ?m ?k))
             (<= (next (control ?r)) (true (control ?s)) (other ?r ?s))
             (<= terminal (true (heap 0)))
             (<= (goal ?r 0) (true (control ?r)))
             (<= (goal ?r 100) (true (control ?s)) (other ?r ?s))"
        )
    }

    #[test]
    fn named_player() {
        small(&named("player", "opponent"));
        small(&named("opponent", "player"));
    }

    #[test]
    fn named_random() {
        small(&named("robot", "random"));
        small(&named("random", "robot"));
    }

    #[test]
    fn named_keeper() {
        small(&named("keeper", "goals"));
        small(&named("visible", "keeper"));
    }

    #[test]
    fn in_any_order() {
        small(&named("b", "a"));
        small(&named("a", "b"));
        // All at once, with different moves each.
        small(
            "(role c) (role a) (role b) (init (sum c)) (init (last b))
             (<= (legal ?r (pass ?s)) (role ?r) (role ?s) (not (true (last ?s))))
             (<= (next (sum ?s)) (does a (pass ?s))) (<= (next (last ?s)) (does c (pass ?s)))
             (<= (next (all)) (does a (pass ?s)) (does b (pass ?s)) (does c (pass ?s)))
             (<= terminal (true (all)) (true (last c)))
             (<= (goal ?r 100) (true (sum ?r))) (<= (goal ?r 0) (role ?r) (not (true (sum ?r))))",
        );
    }

    #[test]
    fn that_move_at_the_same_time() {
        small(
            "(role left) (role right) (init (round 0)) (hand rock) (hand paper) (hand scissors)
             (beats paper rock) (beats rock scissors) (beats scissors paper)
             (succ 0 1) (succ 1 2) (init (lead none))
             (<= (legal ?r (show ?h)) (role ?r) (hand ?h))
             (<= (wins ?r) (does ?r (show ?h)) (does ?s (show ?w)) (beats ?h ?w))
             (<= (next (lead ?r)) (wins ?r))
             (<= (next (lead ?x)) (true (lead ?x)) (not (wins left)) (not (wins right)))
             (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
             (<= terminal (true (round 2)))
             (<= (goal ?r 100) (true (lead ?r))) (<= (goal ?r 50) (role ?r) (true (lead none)))
             (<= (goal ?r 0) (role ?r) (true (lead ?s)) (distinct ?s ?r) (distinct ?s none))",
        );
    }

    #[test]
    fn with_a_single_move() {
        // One role never has a choice, the other one now and then.
        small(
            "(role clock) (role p) (init (hour 0)) (succ 0 1) (succ 1 2) (succ 2 3)
             (legal clock tick) (<= (legal p sleep) (true (hour ?h)))
             (<= (legal p wake) (true (hour 1))) (<= (legal p wake) (true (hour 2)))
             (<= (next (hour ?m)) (does clock tick) (true (hour ?n)) (succ ?n ?m))
             (<= (next (up)) (does p wake)) (<= (next (up)) (true (up)) (not (does p wake)))
             (<= terminal (true (hour 3))) (goal clock 100)
             (<= (goal p 100) (true (up))) (<= (goal p 0) (not (true (up))))",
        );
        // Nobody has.
        small(
            "(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2) (legal a go) (legal b go)
             (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= terminal (true (at 2)))
             (goal a 1) (goal b 2)",
        );
    }

    #[test]
    fn without_a_move() {
        small(
            "(role left) (role right) (init (at 0)) (<= (legal left go) (true (at ?x)))
             (<= (legal left stay) (true (at ?x))) (<= (legal right go) (true (at 0)))
             (<= (next (at 1)) (does left go) (true (at ?x)))
             (<= (next (at 0)) (does left stay) (true (at 0)))
             (<= terminal (true (at 2))) (<= (goal ?r 0) (role ?r))",
        );
    }
}

mod states {
    use super::*;

    #[test]
    fn facts_that_only_the_initial_state_mentions() {
        small(
            "(role p) (init (at 0)) (init (decor vase)) (init (wound clock)) (succ 0 1) (succ 1 2)
             (init (lasting))
             (<= (legal p go) (true (at ?x))) (<= (legal p look) (true (decor ?x)))
             (<= (legal p (hear ?x)) (true (wound ?x)))
             (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= (next (lasting)) (true (lasting)))
             (<= terminal (true (at 2)) (not (true (decor vase))))
             (<= (goal p 100) (true (lasting)) (not (true (decor vase))))
             (<= (goal p 0) (true (decor vase)))",
        );
    }

    #[test]
    fn that_are_terminal_at_once() {
        small("(role a) (init x) (legal a go) terminal (goal a 100)");
        small(
            "(role a) (role b) (init (at 0)) (legal a go) (<= (legal b wait) (true (at 0)))
             (<= (next (at 1)) (does a go)) (<= terminal (true (at 0))) (goal a 7)
             (<= (goal b 3) (true (at 0))) (<= (goal b 4) (true (at 1)))",
        );
    }

    #[test]
    fn without_an_end() {
        small(
            "(role p) (role q) (init (light on)) (legal p push) (legal p pull) (legal q see)
             (<= (next (light off)) (does p push)) (<= (next (light on)) (does p pull))
             (<= terminal (true (light broken))) (<= (goal ?r 0) (role ?r))",
        );
    }

    /// Goals that are wrong in states on the way.
    #[test]
    fn without_a_goal_value() {
        small(
            "(role p) (init (n 0)) (legal p up) (legal p down)
             (<= (next (n 1)) (does p up) (true (n 0))) (<= (next (n 2)) (does p up) (true (n 1)))
             (<= (next (n 0)) (does p down)) (<= terminal (true (n 2)))
             (<= (goal p 100) (true (n 1)))",
        );
    }

    #[test]
    fn with_several_goal_values() {
        small(
            "(role p) (role q) (init (n 0)) (legal p up) (legal p down) (legal q noop)
             (<= (next (n 1)) (does p up) (true (n 0))) (<= (next (n 2)) (does p up) (true (n 1)))
             (<= (next (n 0)) (does p down)) (<= terminal (true (n 2)))
             (<= (goal p 100) (true (n 1))) (<= (goal p 50) (true (n ?x))) (goal p 50)
             (<= (goal q 10) (true (n 2))) (<= (goal q 20) (true (n 2)))
             (<= (goal q many) (true (n 1))) (<= (goal q 3) (true (n 0)))",
        );
    }
}

/// The symbol that stands for a goal that is none.
#[test]
fn goals_without_one_value_have_symbols_of_their_own() {
    let (game, net) =
        net("(role p) (role q) (role r) (init (at 0)) (legal p go) (legal q go) (legal r go)
         (<= (next (at 1)) (true (at 0))) (<= terminal (true (at 1)))
         (<= (goal p 10) (true (at 1))) (<= (goal p 20) (true (at 1)))
         (<= (goal q 30) (true (at 0))) (<= (goal r undefined) (true (at 1)))");
    let export = from_net(&net, &game, false);
    let automaton = Automaton::new(&export.description).expect("a playable automaton");
    let (mut search, mut moves) = (Search::default(), rg::Moves::default());
    let mut state = automaton.initial().clone();
    automaton.keep(&mut search, &mut state).expect("a game that begins");
    automaton.moves(&mut search, &state, &mut moves).expect("a move");
    moves.play(0, &mut state);
    automaton.keep(&mut search, &mut state).expect("a game that ends");
    assert_eq!(automaton.turn(&state), rg::Turn::End);
    let goals: Vec<Name> =
        automaton.players().map(|player| automaton.goal(&state, player)).collect();
    let of_r = export.scores.iter().find(|(_, value)| value.spelled(&game.symbols) == "undefined");
    let of_r = of_r.expect("a value that is listed").0;
    assert_eq!(goals, [export.scores_differ, export.no_score, of_r]);
    assert_ne!(of_r, export.no_score);
}

mod recursion {
    use super::*;

    const GRAPH: &str = "(node a) (node b) (node c) (node d)
        (<= (path ?x ?y) (true (edge ?x ?y)))
        (<= (path ?x ?z) (path ?x ?y) (true (edge ?y ?z)))
        (<= (next (edge ?x ?y)) (does p (join ?x ?y)))
        (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does p (cut ?x ?y))))";

    #[test]
    fn through_a_graph_that_changes() {
        small(&format!(
            "(role p) (init (edge a b)) (init (edge b a)) {GRAPH}
             (<= (legal p (join ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y)
                 (not (true (edge ?x ?y))) (not (path ?y ?x)))
             (<= (legal p (cut ?x ?y)) (true (edge ?x ?y)) (path ?y ?x))
             (<= (legal p wait) (path a d))
             (<= terminal (path a d) (path d a))
             (<= (goal p 100) (path a c)) (<= (goal p 0) (not (path a c)))"
        ));
    }

    /// A way is two ways, whichever: that is asked for step by step.
    #[test]
    fn two_ways_are_a_way() {
        let graph = GRAPH.replace("(path ?x ?y) (true (edge ?y ?z))", "(path ?x ?y) (path ?y ?z)");
        let text = |ways: &str| {
            format!(
                "(role p) (init (edge a b)) (init (edge b a)) {graph} {ways}
                 (<= (legal p (join ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y)
                     (not (true (edge ?x ?y))) (not (path ?y ?x)))
                 (<= (legal p (cut ?x ?y)) (true (edge ?x ?y)) (path ?y ?x))
                 (<= terminal (path a d) (path d a)) (<= (goal p 100) (path a c))"
            )
        };
        let no_part = |text: &str| {
            let export = of_rules(text, false).expect("written from the rules");
            export.notes.iter().all(|(_, how)| !how.starts_with("from the net"))
        };
        assert!(no_part(&text("")));
        small(&text(""));
        // Steps of two kinds; and a step that depends on ways, which are then no steps.
        let tunnel = text("(<= (path a ?z) (node ?z) (true (edge ?z a)))");
        assert!(no_part(&tunnel));
        small(&tunnel);
        small(&text("(<= (path ?x ?y) (path ?y ?x) (true (edge ?x c)) (node ?y))"));
    }

    #[test]
    fn through_moves() {
        small(
            "(role p) (role q) (cell 1) (cell 2) (cell 3) (succ 1 2) (succ 2 3) (succ 3 1)
             (init (hot 1))
             (<= (legal p (bridge ?x ?y)) (succ ?x ?y)) (<= (legal q (bridge ?x ?y)) (succ ?y ?x))
             (<= (legal q (mend ?x)) (true (hot ?x)))
             (<= (burns ?x) (true (hot ?x)) (not (does q (mend ?x))))
             (<= (burns ?y) (burns ?x) (does ?r (bridge ?x ?y)))
             (<= (burns ?z) (burns ?x) (burns ?y) (succ ?x ?y) (succ ?y ?z) (true (hot ?z)))
             (<= (next (hot ?x)) (burns ?x))
             (<= terminal (true (hot 1)) (true (hot 2)) (true (hot 3)))
             (<= (goal ?r 100) (role ?r) (true (hot 2)))
             (<= (goal ?r 0) (role ?r) (not (true (hot 2))))",
        );
    }
}

mod moves {
    use super::*;

    /// The effect of a move depends on a relation that `does` is in, too.
    #[test]
    fn that_are_read_again_in_what_they_do() {
        small(
            "(role robot) (init (depth 1)) (succ 1 2) (direction c2) (direction c3)
             (<= (legal robot (move ?d)) (direction ?d))
             (<= (next (depth ?y)) (succ ?x ?y))
             (<= (next (choice ?d ?x)) (does robot (move ?x)) (true (depth ?d)) distinguished)
             (<= distinguished (does robot (move c3)) (true (choice 1 c3)))
             (<= distinguished (true (choice 2 c3)))
             (<= distinguished (true (depth 1)))",
        );
    }

    /// Legality depends on itself.
    #[test]
    fn whose_conditions_have_no_end() {
        small(
            "(role blue) (role (team a)) (<= (legal ?r a) (role ?r))
             (<= (s (g b ?w)) (or (not (q 1 b 1)) (s ?y)) (true (p ?z ?w)))
             (<= (next (p ?y ?y)) (legal ?y ?w))
             (<= (legal ?w ?w) (or (edge ?y) (s (g ?y ?w)) (or (edge ?x) (edge ?x))) (role ?w))",
        );
    }
}

/// Cases that are easily got wrong when rules are written as they are.
mod families {
    use super::*;

    /// Two rules for one move, each with values of its own on the way.
    #[test]
    fn one_move_by_two_rules() {
        small(
            "(role p) (init (at 1)) (init (mark 2)) (succ 1 2) (succ 2 3) (succ 3 1)
             (near 1 2) (near 2 2) (near 3 3) (near 1 3)
             (<= (legal p (go ?x)) (true (at ?y)) (succ ?y ?x))
             (<= (legal p (go ?x)) (true (mark ?z)) (near ?z ?x))
             (<= (legal p (go ?x)) (true (at ?y)) (near ?y ?z) (near ?z ?x))
             (<= (next (at ?x)) (does p (go ?x)))
             (<= (next (mark ?y)) (true (mark ?x)) (succ ?x ?y))
             (<= terminal (true (at 3)) (true (mark 3))) (goal p 100)",
        );
    }

    /// A grid of which some squares are not there: what always holds elsewhere does not hold there.
    #[test]
    fn grids_with_holes() {
        small(
            "(role p) (square 1 1) (square 1 2) (square 2 2) (square 3 1)
             (column 1) (column 2) (column 3) (row 1) (row 2)
             (<= (init (cell ?x ?y b)) (square ?x ?y))
             (<= (legal p (mark ?x ?y)) (true (cell ?x ?y b)))
             (<= (legal p (skip ?x ?y)) (column ?x) (row ?y) (not (true (cell ?x ?y b))))
             (<= (next (cell ?x ?y x)) (does p (mark ?x ?y)))
             (<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (not (does p (mark ?x ?y))))
             (<= (open) (column ?x) (row ?y) (not (true (cell ?x ?y x))) (square ?x ?y))
             (<= terminal (not (open))) (goal p 100)",
        );
    }

    /// Values that are exchanged, and one that is counted on.
    #[test]
    fn what_is_read_after_it_is_written() {
        small(
            "(role p) (init (left a)) (init (right b)) (init (step 0)) (init (third c))
             (after 0 1) (after 1 2) (after 2 3) (after 3 4)
             (legal p swap) (legal p turn)
             (<= (next (left ?x)) (does p swap) (true (right ?x)))
             (<= (next (right ?x)) (does p swap) (true (left ?x)))
             (<= (next (third ?x)) (does p swap) (true (third ?x)))
             (<= (next (left ?x)) (does p turn) (true (right ?x)))
             (<= (next (right ?x)) (does p turn) (true (third ?x)))
             (<= (next (third ?x)) (does p turn) (true (left ?x)))
             (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
             (<= terminal (true (step 4)))
             (<= (goal p 100) (true (left a))) (<= (goal p 0) (not (true (left a))))",
        );
    }

    /// Facts that several rules keep, each under conditions of its own, and that are gone through.
    #[test]
    fn what_some_rule_keeps() {
        small(
            "(role p) (item 1) (item 2) (item 3) (next_to 1 2) (next_to 2 3) (next_to 3 1)
             (init (lit 1)) (init (warm 1)) (init (warm 2))
             (<= (legal p (touch ?x)) (item ?x)) (legal p rest)
             (<= (next (lit ?x)) (true (lit ?x)) (not (does p (touch ?x))))
             (<= (next (lit ?y)) (does p (touch ?x)) (next_to ?x ?y) (not (true (lit ?y))))
             (<= (next (warm ?x)) (true (warm ?x)) (true (lit ?x)))
             (<= (next (warm ?x)) (true (warm ?x)) (next_to ?x ?y) (true (lit ?y)))
             (<= (next (warm ?x)) (does p rest) (item ?x) (true (lit ?y)) (distinct ?x ?y))
             (<= terminal (not (true (warm 1))) (not (true (warm 2))) (not (true (warm 3))))
             (<= (goal p 100) (true (lit 2))) (<= (goal p 50) (true (lit 1)))
             (<= (goal p 0) (not (true (lit 1))) (not (true (lit 2))))",
        );
    }
}

/// Conditions that are not asked, tried out or gone through, since another one implies them.
mod shortcuts {
    use super::*;

    /// The automaton written from the rules means the same, and has or has not these words.
    #[track_caller]
    fn written(text: &str, with: &[&str], without: &[&str]) {
        small(text);
        says(text, with, without);
    }

    /// The automaton written from the rules has or has not these words.
    #[track_caller]
    fn says(text: &str, with: &[&str], without: &[&str]) {
        let export = of_rules(text, false).expect("written from the rules");
        let text = export.text().expect("printable names");
        for word in with {
            assert!(text.contains(word), "no `{word}` in\n{text}");
        }
        for word in without {
            assert!(!text.contains(word), "`{word}` in\n{text}");
        }
    }

    fn bundled(name: &str) -> String {
        let path = format!("{}/kif/{name}.kif", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a bundled rulesheet")
    }

    /// A disc falls into a gap, below which no disc lies: so a cell has one.
    #[test]
    fn values_that_the_net_is_asked_about() {
        let discs = "var disc: SquareOrNone -> PlayerOrNone = { :none };";
        // Beyond the border lies none; and a drop is told by its column.
        let lines = ["disc[back[direction][column_row]] != player_2;", ", n5: $$ column;"];
        let with = [&[discs][..], &lines].concat();
        says(&bundled("connect4"), &with, &["step[direction][column_row] != none", "$ drop"]);
        says(&bundled("reversi"), &["-> PlayerOrNone ="], &["-> Player -> Bool"]);
    }

    /// Of the two neighbours of a cell each is told by its side, and two moves with arguments by their
    /// names. A map that is emptied has no entry beyond a border.
    #[test]
    fn neighbours_by_their_sides() {
        let text = "(role p) (side left 1 0) (side left 2 1) (side left 3 2)
            (side right 0 1) (side right 1 2) (side right 2 3) (cell 0) (cell 1) (cell 2) (cell 3)
            (init (stone 1)) (init (mark 0)) (init (mark 2))
            (<= (legal p (take ?x)) (true (stone ?x)) (side ?s ?x ?y) (true (mark ?y)))
            (<= (legal p (put ?y)) (true (stone ?x)) (side ?s ?x ?y) (not (true (mark ?y))))
            (<= (next (mark ?y)) (does p (put ?y)))
            (<= (next (mark ?y)) (true (mark ?y)) (does p (put ?x)) (distinct ?x ?y))
            (<= (next (stone ?y)) (does p (take ?x)) (side right ?x ?y))
            (<= (next (stone ?x)) (true (stone ?x)) (does p (put ?y)))
            (<= terminal (not (true (stone 1))) (not (true (stone 2)))) (goal p 100)";
        let with = ["s = S(*);", "$ put;", "$ take;", "var mark: Y -> Bool", "mark = no_mark;"];
        written(text, &with, &[]);
    }

    /// A piece on a board of two by three whose moves keep all squares but two.
    fn board(frame: &str) -> String {
        format!(
            "(role p) (x 1) (x 2) (y 1) (y 2) (y 3) (<= (square ?x ?y) (x ?x) (y ?y))
             (init (piece 1 1 red)) (init (piece 2 3 blue)) (init (piece 1 2 blue))
             (<= (other ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?a ?c))
             (<= (other ?a ?b ?c ?d) (square ?a ?b) (square ?c ?d) (distinct ?b ?d))
             (<= (legal p (move ?a ?b ?c ?d)) (true (piece ?a ?b ?v)) (square ?c ?d))
             (<= (next (piece ?c ?d ?v)) (does p (move ?a ?b ?c ?d)) (true (piece ?a ?b ?v)))
             {frame}
             (<= terminal (true (piece 2 1 ?v)) (true (piece 2 2 ?v))) (goal p 100)"
        )
    }

    /// That a square is none of two is false of these two only: they are cleared, no others.
    #[test]
    fn what_a_static_relation_lacks() {
        let frame = "(<= (next (piece ?x ?y ?v)) (true (piece ?x ?y ?v))
             (does p (move ?a ?b ?c ?d)) (other ?x ?y ?a ?b) (other ?x ?y ?c ?d))";
        small(&board(frame));
        // Over squares the frame is a loop still.
        let of_columns = each_of_rules(&board(frame), false).pop().expect("the rules as they are");
        let of_columns = of_columns.text().expect("printable names");
        for word in ["following", "const other"] {
            assert!(!of_columns.contains(word), "`{word}` in\n{of_columns}");
        }
        // A move along a row keeps nothing else in it; then all squares have to be gone through.
        let frame = "(<= (next (piece ?x ?y ?v)) (true (piece ?x ?y ?v))
             (does p (move ?a ?b ?c ?d)) (other ?x 1 ?a 1) (other ?x ?y ?c ?d))";
        written(&board(frame), &["following"], &[]);
    }

    /// A sum whose three numbers are known is a map of two, not of three, which would be too large.
    #[test]
    fn a_function_of_what_is_known() {
        let last = 80;
        let mut text: String = (0..=last)
            .flat_map(|a| (0..=last).map(move |b| format!("(sum {a} {b} {})", a + b)))
            .chain((0..=2 * last).map(|number| format!("(number {number})")))
            .collect();
        text += "(role p) (init (a 3)) (init (b 4)) (init (c 5))
            (<= (legal p (a ?x)) (true (a ?x))) (<= (legal p (a ?x)) (sum ?x 0 ?x))
            (<= (legal p (b ?x)) (sum 0 ?x ?x)) (<= (legal p (c ?x)) (number ?x))
            (<= (next (a ?x)) (does p (a ?x))) (<= (next (b ?x)) (does p (b ?x)))
            (<= (next (c ?x)) (does p (c ?x)))
            (<= (next (a ?x)) (true (a ?x)) (does p (b ?y)))
            (<= (next (a ?x)) (true (a ?x)) (does p (c ?y)))
            (<= (next (b ?x)) (true (b ?x)) (does p (a ?y)))
            (<= (next (b ?x)) (true (b ?x)) (does p (c ?y)))
            (<= (next (c ?x)) (true (c ?x)) (does p (a ?y)))
            (<= (next (c ?x)) (true (c ?x)) (does p (b ?y)))
            (<= terminal (true (a ?x)) (true (b ?y)) (true (c ?z)) (sum ?x ?y ?z)) (goal p 100)";
        written(&text, &["const sum: "], &[]);
    }

    /// A relation that holds of some items and themselves.
    #[test]
    fn what_is_the_same_as_something_known() {
        small(
            "(role p) (item 1) (item 2) (item 3) (twin 1 1) (twin 3 3) (init (lit 2)) (pair 1 1 2)
             (pair 2 2 3) (pair 3 3 1) (<= (legal p (touch ?x)) (item ?x))
             (<= (next (lit ?y)) (does p (touch ?x)) (twin ?x ?y))
             (<= (next (lit ?x)) (true (lit ?x)) (not (true (dark ?x))))
             (<= (next (dark ?z)) (does p (touch ?x)) (pair ?x ?y ?z) (true (lit ?y)))
             (<= terminal (true (dark 2)) (true (lit 3))) (goal p 100)",
        );
    }

    /// The end of a play that is entered, not come to.
    #[test]
    fn ends_that_are_entered() {
        let (game, net) =
            net("(role p) (init (lit 0)) (after 0 1) (after 1 2) (<= (legal p up) (true (lit ?x)))
             (<= (next (lit ?y)) (true (lit ?x)) (after ?x ?y)) (<= terminal (true (lit 2)))
             (<= (goal p 100) (true (lit 2))) (<= (goal p 0) (not (true (lit 2))))");
        let ground = Ground::new(game.clone(), &Budget::default()).expect("a game that grounds");
        let export = from_rules(&game, &ground, &net, false, &Meter::unlimited());
        let export = export.expect("no limit").expect("written from the rules");
        let engine = RgEngine::of_export(game.clone(), &net, export, &Meter::unlimited());
        let engine = engine.expect("a playable automaton");
        let role = engine.roles().iter().next().expect("a role");
        let (mut scratch, mut aside) = (engine.scratch(), engine.scratch());
        engine.enter(&mut scratch, engine.initial());
        for (over, goal) in [(false, 0), (false, 0), (true, 100)] {
            engine.enter_facts(&mut aside, &engine.facts(&engine.state(&scratch))).unwrap();
            for scratch in [&mut scratch, &mut aside] {
                assert_eq!(engine.terminal(scratch).unwrap(), over);
                assert_eq!(engine.goal(scratch, role), Ok(goal));
            }
            let mut moves = Vec::new();
            engine.legal(&mut aside, role, &mut moves).unwrap();
            assert_eq!(moves.len(), usize::from(!over));
            if !over {
                engine.step(&mut scratch, &moves).unwrap();
            }
        }
    }

    /// Steps of a knight: for each square a few, told by constant maps.
    #[test]
    fn few_rows_of_several_values() {
        let rules = |more: &str| {
            format!(
                "(role p) (init (at 1 1)) (step 1 1 2 3) (step 1 1 3 2) (step 2 3 3 1) (step 2 3 1 1)
                 (step 3 2 1 1) (step 3 2 1 3) (step 3 1 2 3) (step 1 3 3 2) (init (been 1 1)) {more}
                 (<= (legal p (jump ?x ?y)) (true (at ?a ?b)) (step ?a ?b ?x ?y)
                     (not (true (been ?x ?y))))
                 (<= (legal p stay) (true (at 1 3)))
                 (<= (next (at ?x ?y)) (does p (jump ?x ?y)))
                 (<= (next (at ?x ?y)) (true (at ?x ?y)) (does p stay))
                 (<= (next (been ?x ?y)) (does p (jump ?x ?y)))
                 (<= (next (been ?x ?y)) (true (been ?x ?y)))
                 (<= terminal (true (been 3 2)) (true (been 1 3))) (goal p 100)"
            )
        };
        written(&rules(""), &["const step_2: Xy -> XyOrNone"], &[]);
        // A square that no legal move has.
        small(&rules("(step 1 1 4 4) (init (been 4 4))"));
    }

    /// Lines are looked for through what has just been marked, and the value that goals leave
    /// open at the end cannot be.
    #[test]
    fn lines_through_the_last_mark() {
        let rules = |line: &str| {
            format!(
                "(role x) (role o) (init (turn x)) (init (cell 1 b)) (init (cell 2 b))
                 (init (cell 3 b)) (init (cell 4 b)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 1)
                 (<= (legal ?p (mark ?m)) (true (turn ?p)) (true (cell ?m b)))
                 (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
                 (<= (next (cell ?m ?p)) (does ?p (mark ?m)))
                 (<= (next (cell ?m ?v)) (true (cell ?m ?v)) (distinct ?v b))
                 (<= (next (cell ?m b)) (true (cell ?m b)) (does ?p (mark ?n)) (distinct ?m ?n))
                 (<= (next (turn x)) (true (turn o))) (<= (next (turn o)) (true (turn x)))
                 {line} (<= open (true (cell ?m b)))
                 (<= terminal (line x)) (<= terminal (line o)) (<= terminal (not open))
                 (<= (goal x 100) (line x)) (<= (goal o 0) (line x))
                 (<= (goal x 0) (line o)) (<= (goal o 100) (line o))
                 (<= (goal ?p 50) (role ?p) (not (line x)) (not (line o)) (not open))"
            )
        };
        let line = "(<= (line ?v) (true (cell ?m ?v)) (succ ?m ?n) (true (cell ?n ?v))
             (distinct ?v b))";
        written(&rules(line), &["_anew", "ambiguous"], &["undefined", "judge"]);
        let line = "(<= (line ?v) (pair ?m ?n ?v) (distinct ?v b) (pair ?n ?k ?v))
             (<= (pair ?m ?n ?v) (true (cell ?m ?v)) (succ ?m ?n) (true (cell ?n ?v)))";
        written(&rules(line), &["_anew"], &["undefined", "judge"]);
        // Whatever goes on by itself is asked whole.
        let line = "(<= (line ?v) (chain 1 ?v)) (<= (chain 4 ?v) (true (cell 4 ?v)) (role ?v))
             (<= (chain ?m ?v) (true (cell ?m ?v)) (succ ?m ?n) (chain ?n ?v))";
        written(&rules(line), &[], &["_anew"]);
    }

    /// The fact that ends the play has become false, is written for all at once, under conditions, or by
    /// moves of several kinds; and what has become true is no square but its value.
    #[test]
    fn ends_of_other_kinds() {
        let rules = |end: &str| {
            format!(
                "(role p) (item 1) (item 2) (item 3) (init (lit 1)) (init (tone 1 low))
                 (init (tone 2 low)) (init (tone 3 high)) (init (dim 2)) (above low mid)
                 (above mid high) (init (count 0)) (next_to 0 1) (next_to 1 2) (next_to 2 3)
                 (<= (legal p (touch ?x)) (item ?x)) (<= (legal p (lift ?x)) (item ?x))
                 (legal p all)
                 (<= (next (lit ?x)) (true (lit ?x)) (not (does p (lift ?x))))
                 (<= (next (lit ?x)) (does p (touch ?x)) (true (dim ?y)) (distinct ?x ?y))
                 (<= (next (tone ?x ?b)) (does p (lift ?x)) (true (tone ?x ?a)) (above ?a ?b))
                 (<= (next (tone ?x ?a)) (true (tone ?x ?a)) (not (does p (lift ?x)))
                     (not (does p all)))
                 (<= (next (tone ?x low)) (does p all) (item ?x))
                 (<= (next (dim ?x)) (does p (touch ?x))) (<= (next (dim ?x)) (true (dim ?x))
                     (not (does p all)))
                 (<= (next (count ?n)) (true (count ?m)) (next_to ?m ?n))
                 {end} (goal p 100)"
            )
        };
        for end in [
            "(<= terminal (true (tone 1 ?a)) (true (tone 2 ?a)) (true (lit 3)))",
            "(<= terminal (not (true (lit 1))) (true (lit 2)))",
            "(<= terminal (true (tone ?x high)) (true (lit ?x)) (not (true (dim ?x))))",
            "(<= terminal (gone)) (<= (gone) (item ?x) (not (held ?x)))
             (<= (held ?x) (true (tone ?x ?a)))",
            "(<= terminal (true (count 3))) (<= terminal (true (count ?n)) (true (dim ?n))
                 (true (lit ?n)))",
            "(<= terminal (true (lit ?x)) (true (lit ?y)) (distinct ?x ?y) (true (tone ?x ?a))
                 (true (tone ?y ?a)))",
            "(<= terminal (or (true (tone 1 high)) (true (lit 2))) (true (dim 3)))",
            "(<= terminal (all_of ?a) (true (dim 1))) (<= (all_of ?a) (true (tone 1 ?a))
                 (true (tone 2 ?a)) (true (tone 3 ?a)))",
        ] {
            small(&rules(end));
        }
    }

    /// A move of two rules, of which one alone says what was there before.
    #[test]
    fn what_legal_moves_say() {
        let rules = |more: &str| {
            format!(
                "(role p) (item 1) (item 2) (init (open 1)) (init (key 1 a)) (after a b) (after b c)
                 (<= (legal p (use ?x)) (true (open ?x)) (true (key ?x ?k)))
                 {more} (<= (legal p (shut ?x)) (true (open ?x)) (item ?x)) (legal p wait)
                 (<= (next (open ?x)) (true (open ?x)) (not (does p (shut ?x))))
                 (<= (next (open 2)) (does p (use ?x)) (true (open ?x)))
                 (<= (next (key ?x ?l)) (does p (use ?x)) (true (key ?x ?k)) (after ?k ?l))
                 (<= (next (key 2 b)) (does p (shut ?x)) (true (open ?x)))
                 (<= (next (key ?x ?k)) (does p wait) (true (key ?x ?k)))
                 (<= terminal (true (key 1 c)) (true (open 2))) (goal p 100)"
            )
        };
        small(&rules(""));
        small(&rules("(<= (legal p (use ?x)) (item ?x))"));
        small(&rules("(<= (legal p (use 2)) (true (key 1 ?k)))"));
        small(&rules("(<= (legal p (use 1)) (true (key 2 b)))"));
        // All doors but one are open where they are used.
        for door in 1..=3 {
            small(&format!(
                "(role p) (init (open 1)) (init (open 2)) (init (open 3))
                 (<= (legal p (use ?x)) (true (open ?x))) (<= (legal p (shut ?x)) (true (open ?x)))
                 (<= (legal p (use {door})) (not (true (used {door}))))
                 (<= (next (open ?x)) (true (open ?x)) (not (does p (shut ?x))))
                 (<= (next (used ?x)) (does p (use ?x)) (true (open ?x)))
                 (<= (next (used ?x)) (true (used ?x)))
                 (<= terminal (true (used 1)) (true (used 2))) (goal p 100)"
            ));
        }
    }

    /// Discs that a move turns over, along rays that end.
    #[test]
    fn rows_that_lead_to_the_next() {
        let rules = |rays: &str, more: &str| {
            format!(
                "(role p) (role q) (init (turn p)) (init (disc 2 q)) (init (disc 3 q))
                 (opponent p q) (opponent q p) {rays}
                 (<= (square ?x) (ray ?d ?x ?y)) (<= (square ?y) (ray ?d ?x ?y))
                 (<= (busy ?x) (true (disc ?x ?p)))
                 (<= (legal ?p (place ?x)) (true (turn ?p)) (square ?x) (not (busy ?x)))
                 (<= (legal ?p pass) (true (turn ?p)))
                 (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
                 (<= (turned ?d ?y) (does ?p (place ?x)) (ray ?d ?x ?y) (opponent ?p ?o)
                     (true (disc ?y ?o)))
                 (<= (turned ?d ?y) (turned ?d ?x) (ray ?d ?x ?y) (true (disc ?y ?o))
                     (true (turn ?p)) (opponent ?p ?o))
                 {more}
                 (<= (flipped ?x) (turned ?d ?x))
                 (<= (next (disc ?x ?p)) (does ?p (place ?x)))
                 (<= (next (disc ?x ?p)) (flipped ?x) (true (turn ?p)))
                 (<= (next (disc ?x ?p)) (true (disc ?x ?p)) (not (flipped ?x)))
                 (<= (next (turn ?o)) (true (turn ?p)) (opponent ?p ?o))
                 (<= terminal (busy 1) (busy 4) (busy 5))
                 (<= (goal ?p 100) (true (disc 3 ?p))) (<= (goal ?p 0) (role ?p)
                     (not (true (disc 3 ?p))))"
            )
        };
        let rays = "(ray up 1 2) (ray up 2 3) (ray up 3 4) (ray up 4 5)
             (ray down 5 4) (ray down 4 3) (ray down 3 2) (ray down 2 1)";
        written(&rules(rays, ""), &["const following: D"], &["const following: X"]);
        // A ray that ends nowhere, and one more row to begin with.
        small(&rules(&format!("{rays} (ray up 5 1)"), ""));
        small(&rules("(ray up 1 2) (ray up 2 3) (ray up 3 2) (ray down 5 4) (ray down 4 3)", ""));
        small(&rules(rays, "(<= (turned up ?y) (does ?p (place ?x)) (ray down ?x ?y))"));
        small(&rules(rays, "(<= (turned ?d ?y) (turned ?d ?x) (ray ?d ?y ?x))"));
        // The condition is known from the move.
        let aim = "(<= (legal ?p (aim ?x ?y)) (true (turn ?p)) (square ?x) (square ?y))
             (<= (turned ?d ?y) (does ?p (aim ?x ?z)) (ray ?d ?x ?y) (true (disc ?y ?o)))
             (<= (next (hit ?d ?z)) (does ?p (aim ?x ?z)) (turned ?d ?z))";
        small(&rules(rays, aim));
    }

    /// Goals that hold together, that leave some out, and of many roles and values.
    #[test]
    fn goals_that_share_conditions() {
        let rules = |goals: &str| {
            format!(
                "(role a) (role b) (role c) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
                 (init (f 1)) (<= (legal ?p (set ?x)) (role ?p) (succ ?x ?y))
                 (<= (next (f ?x)) (does ?p (set ?x)))
                 (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2)))
                 (<= one (true (f 1))) (<= two (true (f 2))) (<= (gap ?x) (succ ?x ?y)
                     (not (true (f ?x)))) {goals}"
            )
        };
        for goals in [
            "(<= (goal a 100) one) (<= (goal a 0) (not one)) (<= (goal b 0) one)
             (<= (goal b 100) (not one)) (<= (goal c 50) one two) (<= (goal c 20) (not two))",
            "(<= (goal a 100) one) (<= (goal a 50) two) (<= (goal a 0) (gap 3))
             (<= (goal ?p 10) (role ?p) (distinct ?p a) (gap ?x) (not (gap 0)))",
            "(<= (goal ?p ?x) (role ?p) (true (f ?x)))",
            "(<= (goal a 1) (true (f 0))) (<= (goal a 2) (true (f 1))) (<= (goal a 3) (true (f 2)))
             (<= (goal a 4) (true (f 3))) (<= (goal a 5) (not one)) (<= (goal a 6) (not two))
             (<= (goal a 7) one two) (<= (goal b 1) (or one two)) (<= (goal c 1) one)
             (<= (goal c 1) two) (<= (goal c 2) (not one) (not two))",
        ] {
            small(&rules(goals));
        }
    }
}

/// Columns that are one: squares.
mod squares {
    use super::*;

    /// Each way in which rules are written means the same; one of them, which is over pairs, has or
    /// has not these words.
    #[track_caller]
    fn written(text: &str, with: &[&str], without: &[&str]) {
        small(text);
        let exports = each_of_rules(text, false);
        assert_eq!(exports.len(), 2, "no pairs in\n{}", exports[0].text().unwrap());
        let text = exports[0].text().expect("printable names");
        for word in with {
            assert!(text.contains(word), "no `{word}` in\n{text}");
        }
        for word in without {
            assert!(!text.contains(word), "`{word}` in\n{text}");
        }
    }

    /// Two players who mark squares in turn, with more rules.
    fn marks(more: &str) -> String {
        format!(
            "(role a) (role b) (init (turn a)) (other a b) (other b a) (n 1) (n 2) (n 3)
             (after 1 2) (after 2 3)
             (<= (square ?x ?y) (n ?x) (n ?y))
             (<= (free ?x ?y) (square ?x ?y) (not (taken ?x ?y)))
             (<= (taken ?x ?y) (true (cell ?x ?y ?p)))
             (<= (legal ?p (mark ?x ?y)) (true (turn ?p)) (free ?x ?y))
             (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
             (<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))
             (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
             (<= open (free ?x ?y))
             {more}
             (<= (goal ?p 100) (line ?p)) (<= (goal ?p 0) (role ?p) (not (line ?p)))"
        )
    }

    const KEPT: &str = "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))";
    const ENDS: &str = "(<= terminal (line ?p)) (<= terminal (not open))";

    /// The lines through a square, whichever rules say them, and whichever is marked last.
    #[test]
    fn lines_of_several_rules_are_one_walk() {
        let lines =
            "(<= (line ?p) (true (cell 1 ?y ?p)) (true (cell 2 ?y ?p)) (true (cell 3 ?y ?p)))
             (<= (line ?p) (true (cell ?x ?a ?p)) (after ?a ?b) (true (cell ?x ?b ?p)) (after ?b ?c)
                 (true (cell ?x ?c ?p)))
             (<= (line ?p) (true (cell 1 1 ?p)) (true (cell 2 2 ?p)) (true (cell 3 3 ?p)))";
        written(&marks(&format!("{KEPT} {ENDS} {lines}")), &["const step", "$$ xy"], &["cell[1"]);
        // A line that no other is like, of other squares for each player, and one of two.
        let lines = "(<= (line a) (true (cell 1 1 a)) (true (cell 1 2 a)))
             (<= (line ?p) (true (cell ?x 1 ?p)) (after ?x ?z) (true (cell ?z 1 ?p)))
             (<= (line b) (true (cell 3 ?y b)) (after ?y ?z) (true (cell 3 ?z b)) (taken 1 1))
             (<= (line ?p) (true (cell ?x ?x ?p)) (true (cell ?y ?x ?p)) (distinct ?x ?y))";
        written(&marks(&format!("{KEPT} {ENDS} {lines}")), &["$$ xy"], &[]);
    }

    /// All facts are kept but for one square, given by its coordinates; and by one coordinate alone.
    #[test]
    fn frames_that_ask_for_either_coordinate() {
        let lines = "(<= (line ?p) (true (cell 2 ?y ?p)) (true (cell 3 ?y ?p)))";
        for kept in [
            "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?q (mark ?a ?b))
                 (or (distinct ?x ?a) (distinct ?y ?b)))",
            "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?q (mark ?a ?b))
                 (distinct ?x ?a)) (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p))
                 (does ?q (mark ?a ?b)) (distinct ?y ?b))",
            "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?q (mark ?a ?b))
                 (or (distinct ?x ?b) (true (cell ?a ?y ?q))))",
            "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (does a (mark ?x 3))))",
            "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (column ?x)))
             (<= (column ?x) (does ?q (mark ?x ?z)) (true (cell ?x 2 ?q)))",
        ] {
            written(&marks(&format!("{kept} {ENDS} {lines}")), &[], &[]);
        }
        // In each column there is one mark of each player: the row is a value, and no part of a pair.
        let kept = "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?q (mark ?a ?b))
             (distinct ?x ?a))";
        let text = marks(&format!("{kept} {ENDS} {lines}"));
        small(&text);
        assert_eq!(each_of_rules(&text, false).len(), 1);
    }

    /// Conditions about one coordinate, about squares that are not there, and about none.
    #[test]
    fn conditions_about_parts_of_squares() {
        let lines = "(<= (line ?p) (true (cell 2 ?y ?p)) (true (cell 3 ?y ?p)))";
        for ends in [
            "(<= terminal (not open)) (<= terminal (full ?x))
             (<= (full ?x) (n ?x) (not (gap ?x))) (<= (gap ?x) (n ?x) (n ?y) (not (taken ?x ?y)))",
            "(<= terminal (not open)) (<= terminal (true (cell 3 ?y a)) (not (true (cell ?y 3 b))))",
            "(<= terminal (not open)) (<= terminal (true (cell ?x ?y a)) (true (cell ?y ?x b))
                 (after ?x ?y))",
            "(<= terminal (not open)) (<= terminal (reach 3 3))
             (<= (reach 1 1) (true (cell 1 1 a)))
             (<= (reach ?x ?z) (reach ?x ?y) (after ?y ?z) (true (cell ?x ?z a)))
             (<= (reach ?z ?y) (reach ?x ?y) (after ?x ?z) (true (cell ?z ?y a)))",
            "(<= terminal (not open)) (<= terminal (n ?x) (after ?x ?z) (not (free ?x 1))
                 (not (free ?z ?x)))",
            "(<= terminal (not open)) (<= terminal (true (cell ?x ?y ?p)) (true (cell ?z ?y ?p))
                 (after ?x ?w) (or (taken ?w 1) (not (taken ?z ?w)) (distinct ?y 2)))",
            "(<= terminal (not open)) (<= terminal (true (cell ?x ?x ?p)) (not (taken ?x 4)))",
        ] {
            written(&marks(&format!("{KEPT} {ends} {lines}")), &[], &[]);
        }
    }

    /// A piece whose square is one variable, squares that are not there, and names that pairs have.
    #[test]
    fn pieces_of_which_there_is_one() {
        let rules = |more: &str| {
            format!(
                "(role p) (n 1) (n 2) (n 1_2) (step 1 2) (step 2 1_2) (step 1_2 1) (init (king 1 1))
                 (init (gone 2 2)) {more}
                 (<= (legal p (go ?x ?z)) (true (king ?x ?y)) (step ?y ?z) (not (true (gone ?x ?z))))
                 (<= (legal p (go ?z ?y)) (true (king ?x ?y)) (step ?x ?z) (not (true (gone ?z ?y))))
                 (<= (next (king ?x ?y)) (does p (go ?x ?y)))
                 (<= (next (gone ?x ?y)) (true (king ?x ?y)))
                 (<= (next (gone ?x ?y)) (true (gone ?x ?y)))
                 (<= stuck (true (king ?x ?y)) (step ?y ?z) (true (gone ?x ?z)))
                 (<= terminal (true (king 1_2 1_2))) (<= terminal stuck)
                 (<= (goal p 100) (true (king 1_2 1_2))) (<= (goal p 0) (not (true (king 1_2 1_2))))"
            )
        };
        written(&rules(""), &["var king: Xy ="], &[]);
        small(&rules("(init (1_1 1 2)) (<= (next (1_1 ?y ?x)) (true (1_1 ?x ?y)))"));
    }

    /// A sum over all squares is made once, whatever it comes to.
    #[test]
    fn sums_are_made_once() {
        let numbers: String = (0..20).map(|n| format!("(inc {n} {})", n + 1)).collect();
        let sum = "(first 1 1) (then 1 1 1 2) (then 1 2 1 3) (then 1 3 2 1) (then 2 1 2 2)
             (then 2 2 2 3) (then 2 3 3 1) (then 3 1 3 2) (then 3 2 3 3)
             (sum 1 1 9)
             (<= (sum ?x ?y ?n) (sum ?v ?w ?m) (then ?v ?w ?x ?y) (true (cell ?x ?y a)) (inc ?m ?n))
             (<= (sum ?x ?y ?n) (sum ?v ?w ?m) (then ?v ?w ?x ?y) (true (cell ?x ?y b)) (inc ?n ?m))
             (<= (sum ?x ?y ?n) (sum ?v ?w ?n) (then ?v ?w ?x ?y) (not (taken ?x ?y)))
             (<= (more ?n) (inc 9 ?n)) (<= (more ?n) (more ?m) (inc ?m ?n))
             (<= (line a) (sum 3 3 ?n) (more ?n))
             (<= (line b) (sum 3 3 ?n) (n_of ?n) (not (more ?n))) (<= (n_of ?n) (inc ?n ?m))";
        let ends = "(<= terminal (not open)) (<= terminal (taken 3 3))";
        small(&marks(&format!("{KEPT} {ends} {sum} {numbers}")));
    }

    /// Turns of several moves: who chooses is known, though not who chooses next.
    #[test]
    fn whose_turn_it_is_where_players_may_go_on() {
        let lines = "(<= (line ?p) (true (cell 2 ?y ?p)) (true (cell 3 ?y ?p)))";
        let text = marks(&format!("{KEPT} {ENDS} {lines}")).replace(
            "(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))",
            "(<= again (does ?p (mark ?x ?x))) (<= (next (turn ?p)) (true (turn ?p)) again)
             (<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q) (not again))",
        );
        written(&text, &["turn_1"], &["a_xy", "visible"]);
    }

    /// Of both ways the one with squares is taken where it saves edges, even if its text is longer.
    #[test]
    fn squares_where_they_save_edges() {
        for name in ["tictactoe", "connect4", "breakthrough", "reversi", "amazons"] {
            let path = format!("{}/kif/{name}.kif", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("a bundled rulesheet");
            let taken = of_rules(&text, false).expect("rules that can be written");
            let [over_squares, plain] = &each_of_rules(&text, false)[..] else {
                panic!("{name} has squares");
            };
            let edges = |export: &Export| export.description.edges.len();
            assert!(edges(over_squares) <= edges(plain), "{name}");
            assert_eq!(taken.text(), over_squares.text(), "{name}");
        }
        // Of a board of 1,024 squares one column is asked for: lists of squares say it no better.
        let numbers: String = (1..=32).map(|n| format!("(n {n}) ")).collect();
        let text = format!(
            "(role p) {numbers} (init (at 1 1))
             (<= (legal p (go ?x ?y)) (n ?x) (n ?y) (not (true (seen ?x ?y))))
             (<= (next (seen ?x ?y)) (does p (go ?x ?y)))
             (<= (next (seen ?x ?y)) (true (seen ?x ?y)))
             (<= terminal (true (seen 1 ?y))) (<= (goal p 100) (true (seen 1 ?y)))"
        );
        let taken = of_rules(&text, false).expect("rules that can be written");
        let each = each_of_rules(&text, false);
        assert_eq!(each.len(), 2, "there are squares");
        assert_eq!(taken.text(), each[1].text());
    }

    /// Random rules over a board with holes.
    #[test]
    fn of_random_rules() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for _ in 0..20 {
            let mut rules = String::new();
            let mut term = |rules: &mut String, names: &[&str]| {
                let count = names.len() as u64;
                match random(count + 1) {
                    0 => *rules += &(1 + random(3)).to_string(),
                    n => *rules += names[n as usize - 1],
                }
            };
            for _ in 0..3 {
                rules += "(<= (line ?p) (true (cell ?x ?y ?p)) (true (cell ";
                term(&mut rules, &["?x", "?z", "?y"]);
                rules += " ";
                term(&mut rules, &["?y", "?z", "?w"]);
                rules += " ?p)) (after ?x ?z) (n ?w) (not (taken ";
                term(&mut rules, &["?x", "?z"]);
                rules += " ";
                term(&mut rules, &["?y", "?w"]);
                rules += ")) (distinct ";
                term(&mut rules, &["?y", "?z"]);
                rules += " ";
                term(&mut rules, &["?w", "?x"]);
                rules += "))";
            }
            small(&marks(&format!("{KEPT} {ENDS} {rules}")));
        }
    }
}

/// A role has no move where another one has some.
mod stuck {
    use super::*;

    /// Red has no move after the first step; black still has two, or one.
    #[test]
    fn after_a_step() {
        for moves in ["(legal black a) (legal black b)", "(legal black a)"] {
            small(&format!(
                "(role red) (role black) (init (s 0)) (<= (legal red go) (true (s 0))) {moves}
                 (<= (next (s 1)) (does red go) (does black a))
                 (<= (next (s 2)) (does black b)) (<= terminal (true (s 2)))
                 (<= (goal ?r 50) (role ?r))",
            ));
        }
    }

    #[test]
    fn at_the_beginning() {
        for (first, last) in [("red", "black"), ("black", "red")] {
            for moves in ["(legal red a)", "(legal red a) (<= (legal red b) (true (s 0)))"] {
                small(&format!(
                    "(role {first}) (role {last}) (init (s 0)) {moves}
                     (<= (legal black (go ?x)) (true (t ?x)))
                     (<= (next (t 1)) (does red a)) (<= terminal (true (t 1)))
                     (<= (goal ?r 50) (role ?r))",
                ));
            }
        }
    }

    /// The moves of the others are listed: the second of three roles is stuck.
    #[test]
    fn between_others() {
        let (game, net) =
            net("(role a) (role b) (role c) (init (s 0)) (legal a x) (legal a y) (legal c x)
             (<= (legal c y) (true (s 0))) (<= (legal b x) (true (s 1)))
             (<= (next (s 2)) (does a x)) (<= terminal (true (s 2))) (goal a 1)");
        let engine = RgEngine::new(game, &net, false).expect("a playable automaton");
        let mut scratch = engine.scratch();
        let mut moves = Vec::new();
        let counts = engine.roles().iter().map(|role| {
            engine.legal(&mut scratch, role, &mut moves).unwrap();
            moves.len()
        });
        assert_eq!(counts.collect::<Vec<usize>>(), [2, 0, 2]);
    }
}

/// Small cases of random rulesheets of odd shape that once went wrong.
mod odd {
    use super::*;

    /// A variable of the head that only the move binds, and columns with one symbol.
    #[test]
    fn moves_as_values_of_facts() {
        small(
            "(role snake) (init (cell c7 r4 b)) (init (pos c6 r4))
             (<= (nextcell ?x1 ?y right ?x2 ?y) (after ?x1 ?x2) (row ?y)) (row r4) (after c6 c7)
             (<= (legal snake ?move) (nextcell ?x ?y ?move ?xn ?yn))
             (<= (free ?x ?y) (true (cell ?x ?y b)))
             (<= (next (cell ?x ?y ?move)) (does snake ?move) (true (pos ?x ?y)))
             (goal snake 100) terminal",
        );
        small(
            "(role p) (init (cell c7 r4 b)) (init (pos c6 r4)) (init (pos c7 r4))
             (legal p left) (legal p right)
             (<= (next (cell ?x ?y ?move)) (does p ?move) (true (pos ?x ?y)))
             (<= (next (pos ?x r4)) (does p left) (true (cell ?x ?y b)))
             (<= terminal (true (cell ?x ?y left))) (goal p 100)",
        );
    }

    /// A view that drops columns which hold one symbol each.
    #[test]
    fn views_that_drop_columns() {
        small(
            "(role x) (init (cell 1 1 b)) (<= open (true (cell ?x ?y b)))
             (<= (legal x (move a)) (not open)) (goal x 25) terminal",
        );
        small(
            "(role x) (init (cell 1 1 b)) (init (cell 1 1 c)) (<= open (true (cell ?x ?y ?z)))
             (<= (legal x (move a)) open) (<= (next (cell 1 1 c)) (true (cell ?x ?y b)))
             (<= (goal x 25) (not open)) (<= (goal x 75) open) (<= terminal (not open))",
        );
    }

    /// Facts that are true together, always: none of them is the value of an entry.
    #[test]
    fn facts_that_share_a_latch() {
        small(
            "(role p) (init (at 2 2 1)) (init (at 2 2 2)) (init (n 0)) (legal p a) (legal p b)
             (<= (next (at 1 2 1)) (does p a) (not (true (n 0)))) (<= (next (n 1)) (does p b))
             (<= terminal (true (n 1))) (<= (goal p 100) (true (at ?x ?y ?y)))
             (<= (goal p 0) (not (true (at 1 2 1))))",
        );
    }

    /// Blue chooses the name of a role, one of which has an argument.
    #[test]
    fn roles_with_and_without_arguments_as_moves() {
        small(
            "(role red) (role blue) (role (team a)) (init (at 1)) (<= (legal ?r a) (role ?r))
             (<= (legal red 1)) (<= (legal blue ?y) (role ?y)) (<= (next (at ?y)) (does blue ?y))
             (<= terminal (true (at (team a)))) (<= (goal red 100) (true (at red)))",
        );
    }

    /// A move and a function that makes moves have one name.
    #[test]
    fn moves_and_functions_of_one_name() {
        small(
            "(role p) (role q) (init (s 0)) (legal p wait) (legal p (wait 1)) (legal q wait)
             (<= (legal q (wait 1)) (true (s 1))) (<= (next (s 1)) (does p (wait 1)))
             (<= (next (s 2)) (does q (wait 1)) (does p wait)) (<= terminal (true (s 2)))
             (goal p 100)",
        );
    }

    /// Nobody ever moves, nothing ever ends, and nobody gets anything.
    #[test]
    fn games_without_moves_or_ends() {
        small("(role p) (init (s 0)) (<= (legal p a) (true (s 1))) (<= (next (s 1)) (does p a))");
        small("(role p) (init (s 0)) (<= (legal p a) (true (s ?x))) (<= (next (s 0)) (does p a))");
        small("(role p) (init (s 0)) (<= (legal p a) (never)) (<= terminal (true (s 1)))");
    }
}

/// Lines, which are walked square by square.
mod lines {
    use super::*;

    /// Two players put stones on a board until one of them has a line.
    fn game(squares: &[(usize, usize)], rules: &str) -> String {
        let squares: String = squares.iter().map(|(a, b)| format!("(square {a} {b}) ")).collect();
        format!(
            "(role x) (role o) {squares} (init (control x))
             (<= (legal ?p (put ?a ?b)) (true (control ?p)) (square ?a ?b) (not (taken ?a ?b)))
             (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
             (<= (taken ?a ?b) (true (stone ?a ?b ?p)))
             (<= (next (stone ?a ?b ?p)) (does ?p (put ?a ?b)))
             (<= (next (stone ?a ?b ?p)) (true (stone ?a ?b ?p)))
             (<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))
             (<= open (square ?a ?b) (not (taken ?a ?b)))
             (<= terminal (line ?p)) (<= terminal (not open))
             (<= (goal ?p 100) (line ?p)) (<= (goal ?p 50) (role ?p) (not (line x)) (not (line o)))
             (<= (goal ?p 0) (role ?p) (role ?q) (distinct ?p ?q) (line ?q))
             {rules}"
        )
    }

    fn board(width: usize, height: usize) -> Vec<(usize, usize)> {
        (1..=width).flat_map(|a| (1..=height).map(move |b| (a, b))).collect()
    }

    /// A line of three from left to right.
    const ACROSS: &str = "(<= (line ?p) (true (stone ?a ?y ?p)) (succ ?a ?b)
        (true (stone ?b ?y ?p)) (succ ?b ?c) (true (stone ?c ?y ?p)))";
    /// One from below to above.
    const UP: &str = "(<= (line ?p) (true (stone ?x ?a ?p)) (succ ?a ?b)
        (true (stone ?x ?b ?p)) (succ ?b ?c) (true (stone ?x ?c ?p)))";
    /// One along a diagonal.
    const DIAGONAL: &str = "(<= (line ?p) (true (stone ?a ?x ?p)) (succ ?a ?b) (succ ?x ?y)
        (true (stone ?b ?y ?p)) (succ ?b ?c) (succ ?y ?z) (true (stone ?c ?z ?p)))";

    /// The automaton that is written means the same; it is returned.
    #[track_caller]
    fn written(text: &str) -> String {
        small(text);
        let export = of_rules(text, false).expect("written from the rules");
        export.text().expect("printable names")
    }

    #[track_caller]
    fn is_walked(text: &str, directions: &str) -> String {
        let written = written(text);
        assert!(written.contains("is_line_from, ") && written.contains("back["), "{written}");
        match directions {
            "" => assert!(!written.contains("type Direction"), "{written}"),
            _ => assert!(written.contains(&format!("type Direction = {{ {directions} }};"))),
        }
        written
    }

    #[track_caller]
    fn is_not_walked(text: &str) {
        let written = written(text);
        assert!(!written.contains("is_line_from"), "{written}");
    }

    #[test]
    fn along_one_direction_or_several() {
        let succ = "(succ 1 2) (succ 2 3) (succ 3 4)";
        let one = is_walked(&game(&board(4, 2), &format!("{succ} {ACROSS}")), "");
        assert!(one.contains("const step: Ab -> SquareOrNone"), "{one}");
        let rules = format!("{succ} {ACROSS} {UP} {DIAGONAL}");
        let several = is_walked(&game(&board(3, 4), &rules), "right, up, up_right");
        assert!(several.contains("const step: Direction -> Ab -> SquareOrNone"), "{several}");
        // Forth and back.
        let maps = several.matches("const step").count() + several.matches("const back").count();
        assert_eq!(maps, 2, "{several}");
    }

    /// Connect four has both: it was 166 edges and 50 constants without walks.
    #[test]
    fn connect_four_is_short() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/kif/connect4.kif");
        let text = std::fs::read_to_string(path).expect("a bundled rulesheet");
        let export = of_rules(&text, false).expect("written from the rules");
        let (edges, constants) =
            (export.description.edges.len(), export.description.constants.len());
        assert!(edges <= 55 && constants <= 5, "{edges} edges, {constants} constants");
        let text = export.text().expect("printable names");
        assert!(text.contains("type Direction = { down_right, right, up, up_right };"), "{text}");
        // Goals ask for a line through the last disc, and not from every square on.
        assert!(!text.contains("is_four, "), "{text}");
    }

    /// Named by their squares, and in whichever order.
    #[test]
    fn of_squares_that_rules_name() {
        let rules = "(<= (line ?p) (row ?p)) (<= (line ?p) (diagonal ?p))
            (<= (row ?p) (true (stone ?a 2 ?p)) (true (stone ?a 1 ?p)) (true (stone ?a 3 ?p)))
            (<= (diagonal ?p) (true (stone 1 1 ?p)) (true (stone 2 2 ?p)) (true (stone 3 3 ?p)))
            (<= (diagonal ?p) (true (stone 3 1 ?p)) (true (stone 2 2 ?p)) (true (stone 1 3 ?p)))";
        is_walked(&game(&board(3, 3), rules), "down_right, up, up_right");
    }

    /// A rule alone may ask for more moves than that: moves are those that play goes through.
    #[test]
    fn moves_that_one_rule_asks_for() {
        let rules = "(succ 1 2) (succ 2 3) (<= any (legal ?p (put ?a ?b)))
            (<= stuck (not any)) (<= terminal stuck)";
        is_walked(&game(&board(3, 2), &format!("{rules} {ACROSS}")), "");
    }

    /// A walk may come back to where it began.
    #[test]
    fn on_a_torus() {
        for length in [3, 4] {
            let succ: String =
                (1..=length).map(|n| format!("(succ {n} {}) ", n % length + 1)).collect();
            is_walked(&game(&board(length, 2), &format!("{succ} {ACROSS}")), "");
            let rules = format!("{succ} {ACROSS} {UP}");
            is_walked(&game(&board(3, length), &rules), "right, up");
        }
    }

    /// A line ends at a square that is not there.
    #[test]
    fn on_a_board_with_holes() {
        let squares: Vec<_> =
            board(5, 3).into_iter().filter(|s| ![(2, 2), (5, 1), (3, 3)].contains(s)).collect();
        let succ = "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)";
        let rules = format!("{succ} {ACROSS} {DIAGONAL}");
        let written = is_walked(&game(&squares, &rules), "right, up_right");
        assert!(!written.contains("2_2"), "{written}");
    }

    /// No step is asked again.
    #[test]
    fn whose_steps_differ_are_no_walks() {
        let rules = "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (jump 1 3) (jump 2 4) (jump 3 5)
            (<= (line ?p) (true (stone ?a ?y ?p)) (succ ?a ?b)
                (true (stone ?b ?y ?p)) (jump ?b ?c) (true (stone ?c ?y ?p)))";
        is_not_walked(&game(&board(5, 2), rules));
    }

    /// A stone of the other player among the own ones.
    #[test]
    fn whose_squares_differ_are_no_walks() {
        let rules = "(succ 1 2) (succ 2 3) (succ 3 4) (other x o) (other o x)
            (<= (line ?p) (true (stone ?a ?y ?p)) (other ?p ?q) (succ ?a ?b)
                (true (stone ?b ?y ?q)) (succ ?b ?c) (true (stone ?c ?y ?p)))";
        is_not_walked(&game(&board(4, 2), rules));
    }

    /// Stones that go are no longer in a line; a move takes one and puts two.
    #[test]
    fn of_stones_that_come_two_at_once_and_go() {
        let text = game(&board(4, 2), &format!("(succ 1 2) (succ 2 3) (succ 3 4) {ACROSS}"));
        let text = text.replace(
            "(<= (next (stone ?a ?b ?p)) (true (stone ?a ?b ?p)))",
            "(<= (next (stone ?c ?b ?p)) (does ?p (put ?a ?b)) (succ ?a ?c))
             (<= (next (stone ?a ?b ?p)) (true (stone ?a ?b ?p)) (not (puts ?b)))
             (<= (puts ?b) (does ?p (put ?a ?b)))",
        );
        is_walked(&text, "");
    }
}

/// Rulesheets that are not written from the rules.
mod unsuited {
    use super::*;

    /// Whoever is interrupted waits for nothing else.
    #[test]
    fn interrupted_is_interrupted() {
        let stop = AtomicBool::new(true);
        let budget = Budget { interrupted: Some(&stop), ..Budget::default() };
        let game = Game::from_kif("test", &chain(40)).expect("rules");
        assert!(from_game(game, None, false, &budget.start()).is_err());
    }

    fn why_not(text: &str) -> String {
        let (game, net) = net(text);
        let ground = Ground::new(game.clone(), &Budget::default()).expect("a game that grounds");
        let written = from_rules(&game, &ground, &net, false, &Meter::unlimited());
        written.expect("there is no limit").expect_err("something that cannot be written")
    }

    /// Rules like these, and a chain of relations that each ask for the one before, twice.
    fn chain(length: usize) -> String {
        let mut text = "(role p) (init (lamp)) (init (fan)) (<= (legal p go) a0)
            (<= (next (lamp)) (does p stop)) (<= (next (fan)) (true (fan)) (does p go))
            (<= terminal (not (true (lamp)))) (goal p 100)
            (<= (a0) (true (lamp))) (<= (a0) (true (fan)))"
            .replace("(a0)", "a0");
        for number in 1..length {
            let before = number - 1;
            text += &format!(
                "(<= a{number} a{before} (true (lamp))) (<= a{number} a{before} (true (fan)))"
            );
        }
        text + &format!("(<= (legal p stop) a{})", length - 1)
    }

    /// Nobody has a move, and a role whose name no rule for moves can mean.
    #[test]
    fn roles_without_moves() {
        small(
            "(role a) (role b) (init (f)) (<= (legal ?r (go ?x)) (role ?r) (true (g ?x)))
             (<= (next (g 1)) (does a (go 1))) (<= terminal (true (g 1))) (goal a 1) (goal b 2)",
        );
        let why = why_not(
            "(role (team a)) (role b) (init (f)) (<= (legal b go) (true (f)))
             (<= terminal (true (g 1))) (goal b 2) (goal (team a) 3)",
        );
        assert_eq!(why, "a role that never moves");
    }

    #[test]
    fn what_asks_too_deeply() {
        small(&chain(40));
        // The moves alone are written from the net, which knows that one condition is all of it.
        let export = of_rules(&chain(400), false).expect("written from the rules");
        let why = "from the net: relations that ask for others too deeply";
        let of_net = ("legal stop".to_owned(), why.to_owned());
        assert!(export.notes.contains(&of_net), "{:?}", export.notes);
        small(&chain(400));
    }

    #[test]
    fn facts_of_too_many_arguments() {
        let last = "a ".repeat(39) + "b";
        let facts = (0..40).map(|place| {
            let mut args = vec!["a"; 40];
            args[place] = "b";
            format!("(init (wide {}))", args.join(" "))
        });
        let text = format!(
            "(role p) {} (<= (legal p (drop {vars})) (true (wide {vars})))
             (<= (next (wide {vars})) (true (wide {vars})) (not (does p (drop {vars}))))
             (<= terminal (not (true (wide {})))) (goal p 50)",
            facts.collect::<String>(),
            last,
            vars = (0..40).map(|n| format!("?x{n} ")).collect::<String>(),
        );
        assert_eq!(why_not(&text), "facts of too many arguments");
    }
}

/// The rulesheets of `kif/`, on all engines.
mod bundled {
    use super::*;

    fn plays_alike(names: &[&str]) {
        for name in names {
            let path = format!("{}/kif/{name}.kif", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("a bundled rulesheet");
            let options = CrosscheckOptions { perft_nodes: 300, ..CrosscheckOptions::default() };
            let start = std::time::Instant::now();
            means_the_same(&text, &options);
            println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
        }
    }

    /// Asked whether a square is free; what always has a proper value has no `none`.
    #[test]
    fn none_is_a_value_like_others() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/kif/tictactoe.kif");
        let (game, net) = net(&std::fs::read_to_string(path).expect("a bundled rulesheet"));
        let text = rg::print(&from_net(&net, &game, false).description).expect("printable names");
        for part in ["Signed = { crosses, noughts, none }", "Turn = { crosses, noughts }"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(text.contains(": signed_1_1 == none;") && !text.contains("_1_1 != c"), "{text}");
    }

    #[test]
    fn of_numbers_and_lines() {
        plays_alike(&["tictactoe", "nim", "connect4", "rock_paper_scissors", "knights_tour"]);
    }

    #[test]
    fn of_many_moves_at_once() {
        plays_alike(&["three_player_auction", "light_cycles", "eight_puzzle", "hex"]);
    }

    #[test]
    fn of_captures() {
        plays_alike(&["breakthrough", "draughts", "fox_and_hounds", "reversi"]);
    }

    #[test]
    fn of_large_boards() {
        plays_alike(&["gomoku", "pentago", "amazons"]);
    }

    #[test]
    fn of_chance_and_hidden_moves() {
        plays_alike(&["monty_hall", "kuhn_poker", "krieg_tictactoe", "dice_race", "hidden_whist"]);
    }

    /// Playouts of the engine do not go through what only shows percepts; what is written does.
    #[test]
    fn percepts_are_no_part_of_what_the_engine_plays() {
        for name in ["monty_hall", "krieg_tictactoe", "rock_paper_scissors", "dice_race"] {
            let path = format!("{}/kif/{name}.kif", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("a bundled rulesheet");
            let (game, net) = net(&text);
            for joint in [false, true] {
                let written = from_net(&net, &game, joint);
                let engine = RgEngine::new(game.clone(), &net, joint).expect("playable");
                let print = |export: &Export| rg::print(&export.description).expect("names");
                let (written, played) = (print(&written), print(engine.export()));
                if game.has_percepts() {
                    assert!(written.contains("$ sees_") && written.contains("visible["), "{name}");
                    assert!(!played.contains("sees_") && !played.contains("visible["), "{name}");
                    assert!(engine.export().percepts.is_empty());
                } else {
                    assert_eq!(written, played, "{name}");
                }
            }
        }
    }
}

/// Public rulesheets of many kinds, where they are there.
mod public {
    use super::*;

    fn plays_alike(names: &[&str]) {
        for name in names {
            println!("{name}");
            let Some(path) = rulesheets::public(name) else { return };
            let text = std::fs::read_to_string(path).expect(name);
            let (playouts, perft_nodes) = (3, 200);
            let options =
                CrosscheckOptions { playouts, perft_nodes, ..CrosscheckOptions::default() };
            means_the_same(&text, &options);
        }
    }

    /// Rules that say in many words what a disc that falls does.
    #[test]
    fn small_where_squares_are_proven_to_hold_one_thing() {
        let Some(path) = rulesheets::public("connect4") else { return };
        let text = std::fs::read_to_string(path).expect("a rulesheet");
        let (game, net) = net(&text);
        let export = from_net(&net, &game, false);
        let edges = export.description.edges.len();
        assert!(edges < 1000, "{edges}");
        let text = rg::print(&export.description).expect("printable names");
        assert!(text.contains("type Cell = { b, w, r };"), "{text}");
    }

    #[test]
    fn of_two_players_in_turn() {
        plays_alike(&["breakthrough", "connectFour", "connect4", "cephalopodMicro", "pentago"]);
    }

    #[test]
    fn of_moves_at_once() {
        plays_alike(&["biddingTicTacToe", "bomberman2p", "pacman3p", "ghostMaze2p"]);
    }

    #[test]
    fn of_one_player() {
        plays_alike(&["eightPuzzle", "duplicateStateSmall", "queens06ug", "hanoi"]);
    }

    #[test]
    fn of_several_players() {
        plays_alike(&["chineseCheckers3", "3pConnectFour", "4pffa", "gt_two_thirds_2p"]);
    }
}
