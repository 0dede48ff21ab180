//! Engines against the naive evaluator, and the evaluator against itself, on random
//! rulesheets.

use crate::compare::{Choices, Failure, STEPS, compare, sorted_moves, tree};
use crate::naive::Naive;
use crate::programs::{Program, programs};
use gdlr::engine::{Engine, MoveId};
use gdlr::export::RgEngine;
use gdlr::gdl::Game;
use gdlr::ground::{Budget, Ground};
use gdlr::net::Net;
use gdlr::play::trace::sorted_strings;
use gdlr::propnet::Propnet;
use proptest::prelude::*;
use proptest::test_runner::Config;
use std::sync::Arc;

/// How much work a state may be before a rulesheet is passed over.
const WORK: u64 = 200_000;

fn game(program: &Program) -> Game {
    match Game::from_kif("random", &program.to_string()) {
        Ok(game) => game,
        Err(found) => panic!("{}\n{program}", found[0]),
    }
}

/// The naive evaluator, unless the play of a comparison would be too much work: a comparison
/// with itself plays the same.
fn affordable(program: &Program, seed: u64) -> Option<Naive> {
    let naive = Naive::with_limit(game(program), WORK).ok()?;
    match compare(&naive, &naive, seed) {
        Ok(()) => Some(naive),
        Err(Failure::Limit(_)) => None,
        Err(wrong) => panic!("{wrong}\n{program}"),
    }
}

/// Compares an engine with the naive evaluator on a rulesheet.
fn agrees<E: Engine>(
    program: &Program,
    seed: u64,
    make: impl FnOnce(Game) -> Result<E, String>,
) -> Result<(), TestCaseError> {
    let Some(naive) = affordable(program, seed) else {
        return Err(TestCaseError::reject("too much work"));
    };
    let engine = make(game(program)).map_err(TestCaseError::fail)?;
    compare(&naive, &engine, seed).map_err(|failure| TestCaseError::fail(failure.to_string()))
}

/// `PROPTEST_CASES` says how many programs to try.
fn config() -> Config {
    Config { max_global_rejects: 100_000, ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn order_and_names_do_not_matter(program in programs(), seed in 0..1000u64) {
        agrees(&program, seed, |_| Naive::new(game(&program.shuffled(seed))))?;
    }

    #[test]
    fn tree_agrees(program in programs(), seed in 0..1000u64) {
        // All switches on, and another setting each time.
        agrees(&program, seed, |game| tree(game, 0))?;
        agrees(&program, seed, |game| tree(game, 1 + seed % 15))?;
    }

    #[test]
    fn propnet_agrees(program in programs(), seed in 0..1000u64) {
        let budget = Budget::default();
        agrees(&program, seed, |game| Propnet::new(game, &budget).map_err(|e| e.to_string()))?;
    }

    #[test]
    fn rg_agrees(program in programs(), seed in 0..1000u64) {
        for joint in [false, true] {
            agrees(&program, seed, |game| {
                let game = Arc::new(game);
                let net = Net::of_game(game.clone(), &Budget::default())
                    .map_err(|error| error.to_string())?;
                RgEngine::new(game, &net, joint).map_err(|error| error.to_string())
            })?;
        }
    }

    #[test]
    fn ground_rules_play_alike(program in programs(), seed in 0..1000u64) {
        agrees(&program, seed, |game| {
            let ground = Ground::new(game, &Budget::default()).map_err(|e| e.to_string())?;
            let text = ground.to_kif().to_string();
            let game = Game::from_kif("ground", &text)
                .map_err(|found| format!("{}\n{text}", found[0]))?;
            tree(game, 0)
        })?;
    }

    #[test]
    fn a_lost_rule_is_noticed_or_makes_no_difference(program in programs(), seed in 0..1000u64) {
        // The comparison itself: engines that differ at the start are told apart.
        let mut lossy = program.clone();
        if let Some(place) = lossy.clauses.iter().position(|clause| clause.is_init()) {
            lossy.clauses.remove(place);
        }
        let (Some(left), Some(right)) = (affordable(&program, seed), affordable(&lossy, seed)) else {
            return Ok(());
        };
        let same = |naive: &Naive| sorted_strings(naive.initial(), &naive.game().symbols);
        if same(&left) != same(&right) {
            prop_assert!(compare(&left, &right, seed).is_err());
        }
    }
}

/// The programs are worth playing: most change their state, some have a choice.
#[test]
fn the_programs_are_no_trifles() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut played, mut changing, mut choosing, mut recursive, mut ending) = (0, 0, 0, 0, 0);
    let mut seeing = 0;
    for _ in 0..300 {
        let program = programs().new_tree(&mut runner).expect("a program").current();
        let Some(naive) = affordable(&program, 1) else { continue };
        played += 1;
        let graph = gdlr::gdl::Dependencies::new(&naive.game().rules);
        recursive += usize::from((0..graph.relations.len() as u32).any(|r| graph.in_cycle(r, r)));
        let mut scratch = naive.scratch();
        let mut random = Choices(1);
        let mut met = std::collections::BTreeSet::from([naive.initial().clone()]);
        let (mut choice, mut end, mut seen) = (false, false, false);
        for _ in 0..STEPS {
            if naive.terminal(&mut scratch).expect("an affordable program") {
                end = true;
                naive.enter(&mut scratch, naive.initial());
                continue;
            }
            let legal = sorted_moves(&naive, &mut scratch).expect("an affordable program");
            choice |= legal.iter().any(|moves| moves.len() > 1);
            if legal.iter().any(Vec::is_empty) {
                break;
            }
            let joint: Vec<MoveId> =
                legal.iter().map(|moves| moves[random.below(moves.len())]).collect();
            let percepts = naive.percepts(&mut scratch, &joint).expect("legal moves");
            seen |= percepts.iter().any(|percepts| !percepts.is_empty());
            naive.step(&mut scratch, &joint).expect("legal moves");
            met.insert(naive.state(&scratch));
        }
        changing += usize::from(met.len() > 2);
        choosing += usize::from(choice);
        ending += usize::from(end);
        seeing += usize::from(seen);
    }
    let counts = [played, changing, choosing, recursive, ending, seeing];
    assert!(
        played > 200
            && changing > 15
            && choosing > 60
            && recursive > 60
            && ending > 30
            && seeing > 30,
        "played, changing, choosing, recursive, ending, seeing: {counts:?}"
    );
}
