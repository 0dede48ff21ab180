//! Playing on an engine: random playouts, perft, players.

use gdlr::engine::{Engine, EngineKind, GoalError, RoleId};
use gdlr::gdl::Game;
use gdlr::ground;
use gdlr::play::thinker::{Thinker, ThinkingTime, think};
use gdlr::play::{DefectKind, FlatMonteCarlo, Statistics, perft, seeded};
use gdlr::rg::NoCode;
use gdlr::set_up::{SetUp, SetUpError};
use gdlr::tree::{Tree, TreeOptions};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A counter that a lone robot moves; it ends at 3.
const COUNTER: &str = "
    (role robot) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal robot go) (true (at ?n)))
    (<= (legal robot wait) (true (at ?n)))
    (<= (next (at ?m)) (does robot go) (true (at ?n)) (succ ?n ?m))
    (<= (next (at ?n)) (does robot wait) (true (at ?n)))
    (<= terminal (true (at 3)))
    (<= (goal robot 100) (true (at 3)))";

/// Two roles move at once; one of `a`'s moves wins for sure.
const CHOICE: &str = "
    (role a) (role b)
    (init (step 1))
    (<= (legal a ?x) (option ?x) (true (step 1)))
    (option left) (option right) (option middle)
    (<= (legal b yes) (true (step 1)))
    (<= (legal b no) (true (step 1)))
    (<= (next (chosen ?x)) (does a ?x))
    (<= (next (answered ?x)) (does b ?x))
    (<= terminal (true (chosen ?x)))
    (<= (goal a 100) (true (chosen middle)))
    (<= (goal a 40) (true (chosen left)) (true (answered yes)))
    (<= (goal a 0) (true (chosen left)) (true (answered no)))
    (<= (goal a 30) (true (chosen right)))
    (<= (goal b 100) (true (answered yes)))
    (<= (goal b 0) (true (answered no)))";

fn engine(text: &str) -> Tree {
    let game = Game::from_kif("test", text).expect("a rulesheet");
    Tree::new(game, &TreeOptions::default()).expect("an engine")
}

fn tictactoe() -> Tree {
    engine(include_str!("../../kif/tictactoe.kif"))
}

fn run(engine: &Tree, run: &FlatMonteCarlo) -> Statistics {
    run.run(engine, &AtomicBool::new(false), |_| {})
}

fn number(playouts: u64) -> FlatMonteCarlo {
    FlatMonteCarlo { playouts: Some(playouts), ..FlatMonteCarlo::default() }
}

fn threads(threads: usize) -> NonZeroUsize {
    NonZeroUsize::new(threads).unwrap()
}

#[test]
fn a_run_by_number_is_exact_and_repeats() {
    let engine = tictactoe();
    for count in [0, 1, 2, 3, 100] {
        for n in [1, 2, 3] {
            let setting = FlatMonteCarlo { threads: threads(n), ..number(count) };
            let mut first = run(&engine, &setting);
            let mut second = run(&engine, &setting);
            (first.seconds, second.seconds) = (0.0, 0.0);
            assert_eq!(first, second);
            assert_eq!(first.playouts, count);
            assert!(first.states >= 5 * count && first.states <= 9 * count);
            assert!(first.roles.iter().all(|role| role.goals.iter().sum::<u64>() == count));
            assert_eq!(first.roles[0].goals[100], first.roles[1].goals[0]);
            assert!(first.defect.is_none() && !first.interrupted);
        }
    }
}

#[test]
fn seeds_and_threads_differ() {
    let engine = tictactoe();
    let goals = |setting: FlatMonteCarlo| run(&engine, &setting).roles;
    let base = number(200);
    assert_ne!(goals(base), goals(FlatMonteCarlo { seed: 2, ..base }));
    assert_ne!(goals(base), goals(FlatMonteCarlo { threads: threads(2), ..base }));
}

#[test]
fn the_mean_length_is_what_theory_says() {
    // Three times `go`, each after a geometric number of tries: 6 moves on average.
    let statistics = run(&engine(COUNTER), &number(20_000));
    let mean = statistics.mean_length().unwrap();
    assert!((5.9..6.1).contains(&mean), "{mean}");
    assert_eq!(statistics.roles[0].mean_goal(), Some(100.0));
}

#[test]
fn a_run_by_time_finishes_what_it_started() {
    let engine = engine(COUNTER);
    let setting =
        FlatMonteCarlo { time: Some(Duration::from_millis(50)), ..FlatMonteCarlo::default() };
    let statistics = run(&engine, &setting);
    assert!(statistics.playouts > 0 && statistics.capped == 0 && !statistics.interrupted);
    assert!(statistics.seconds >= 0.05 && statistics.seconds < 5.0, "{}", statistics.seconds);
    let none = FlatMonteCarlo { time: Some(Duration::ZERO), ..setting };
    assert!(run(&engine, &none).seconds < 5.0);
}

#[test]
fn long_playouts_are_cut_and_count_nowhere() {
    let statistics = run(&engine(COUNTER), &FlatMonteCarlo { max_steps: 3, ..number(1000) });
    assert_eq!(statistics.playouts + statistics.capped, 1000);
    // One in eight goes straight ahead.
    assert!((75..175).contains(&statistics.playouts), "{}", statistics.playouts);
    assert_eq!(statistics.states, 3 * statistics.playouts);
}

#[test]
fn a_game_without_an_end_can_be_stopped() {
    let engine = engine("(role r) (init (p a)) (legal r go) (<= (next (p a)) (true (p a)))");
    let stop = AtomicBool::new(false);
    let mut calls = 0;
    let setting = FlatMonteCarlo { max_steps: u64::MAX, ..FlatMonteCarlo::default() };
    let start = Instant::now();
    let statistics = setting.run(&engine, &stop, |_| {
        calls += 1;
        stop.store(calls >= 2, Ordering::Relaxed);
    });
    assert!(statistics.interrupted && statistics.playouts == 0 && statistics.capped == 0);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_role_without_a_move_is_a_defect_with_its_play() {
    let engine = engine(
        "(role a) (role b) (init (at 0))
         (<= (legal a go) (true (at 0))) (legal b wait)
         (<= (next (at 1)) (does a go)) (<= terminal (true (at 2)))",
    );
    let statistics = run(&engine, &number(3));
    assert_eq!((statistics.stuck, statistics.playouts, statistics.states), (3, 0, 0));
    let defect = statistics.defect.unwrap();
    assert_eq!((defect.kind, defect.role), (DefectKind::Stuck, RoleId(0)));
    assert_eq!(defect.play, [["go", "wait"]]);
}

#[test]
fn a_missing_goal_value_is_a_defect() {
    let engine = engine(
        "(role a) (role b) (init (at 0)) (legal a go) (legal b go)
         (<= (next (at 1)) (true (at 0))) (<= terminal (true (at 1))) (goal a 10)",
    );
    let statistics = run(&engine, &number(5));
    assert_eq!(statistics.playouts, 5);
    assert_eq!((statistics.roles[0].goals[10], statistics.roles[1].improper), (5, 5));
    let defect = statistics.defect.unwrap();
    assert_eq!((defect.kind, defect.role), (DefectKind::Goal(GoalError::Missing), RoleId(1)));
}

#[test]
fn the_choice_of_the_engine_depends_on_what_it_is_for() {
    let game = || Game::from_kif("test", CHOICE).expect("a rulesheet");
    let set_up = |kind| SetUp { kind, ..SetUp::default() }.make(game());
    let plays = |kind| SetUp { kind, ..SetUp::default() }.make_random_play(game()).unwrap();
    assert_eq!(set_up(EngineKind::Auto).unwrap().kind, EngineKind::Propnet);
    assert_eq!(plays(EngineKind::Auto).kind, EngineKind::Batch);
    // Both roles move at once, and its automaton hides their moves from each other.
    let hides = set_up(EngineKind::Native).expect_err("no machine code");
    assert!(matches!(hides, SetUpError::NoCode(NoCode::Hides | NoCode::NotBuilt)), "{hides}");
    let others = [EngineKind::Auto, EngineKind::Native];
    for &kind in EngineKind::ALL.iter().filter(|kind| !others.contains(kind)) {
        assert_eq!(plays(kind).kind, kind);
        match set_up(kind) {
            Ok(ready) => assert!(kind.has_states() && ready.kind == kind),
            Err(error) => {
                assert!(matches!(error, SetUpError::NoStates(EngineKind::Batch)));
                assert!(!kind.has_states());
            }
        }
    }
    let budget = ground::Budget { time: Duration::ZERO, ..ground::Budget::default() };
    let hasty = SetUp { budget, ..SetUp::default() }.make_random_play(game()).unwrap();
    assert_eq!(hasty.kind, EngineKind::Tree);
    assert!(hasty.fallback.is_some());
    let batch = SetUp { budget, kind: EngineKind::Batch, ..SetUp::default() };
    assert!(matches!(batch.make_random_play(game()), Err(SetUpError::Exhausted(_))));
}

#[test]
fn whatever_plays_at_random_finds_the_same() {
    for &kind in EngineKind::ALL.iter().filter(|&&kind| kind != EngineKind::Native) {
        let game = Game::from_kif("test", CHOICE).expect("a rulesheet");
        let ready = SetUp { kind, ..SetUp::default() }.make_random_play(game).unwrap();
        for n in [1, 3] {
            let setting = FlatMonteCarlo { threads: threads(n), ..number(30_001) };
            let statistics = setting.run(&ready.engine, &AtomicBool::new(false), |_| {});
            assert_eq!((statistics.playouts, statistics.states), (30_001, 30_001), "{kind}");
            // 100 in a third, 30 in a third; in a third 40 or 0.
            let means = statistics.roles.iter().map(|role| role.mean_goal().unwrap());
            for (mean, expected) in means.zip([50.0, 50.0]) {
                assert!((mean - expected).abs() < 2.0, "{kind}: {mean}");
            }
        }
    }
}

#[test]
fn perft_of_tictactoe() {
    let stop = AtomicBool::new(false);
    let result = perft(&tictactoe(), 5, &stop, |_| {});
    assert_eq!(result.counts, [1, 9, 72, 504, 3024, 15120]);
    assert_eq!(result.terminal, [0, 0, 0, 0, 0, 1440]);
    assert!(result.complete);
}

#[test]
fn perft_counts_joint_moves_and_ends_with_the_game() {
    let stop = AtomicBool::new(false);
    let result = perft(&engine(CHOICE), 4, &stop, |_| {});
    assert_eq!(result.counts, [1, 6, 0, 0, 0]);
    assert_eq!(result.terminal, [0, 6, 0, 0, 0]);
    assert_eq!(perft(&engine(CHOICE), 0, &stop, |_| {}).counts, [1]);
}

#[test]
fn perft_does_not_go_on_from_a_state_without_moves() {
    let stop = AtomicBool::new(false);
    let stuck = engine("(role a) (role b) (init p) (legal a x) (<= terminal (true q))");
    let result = perft(&stuck, 2, &stop, |_| {});
    assert_eq!((result.counts, result.stuck), (vec![1, 0, 0], vec![1, 0, 0]));
}

#[test]
fn perft_goes_deep_and_stops() {
    let stop = AtomicBool::new(false);
    let line = engine("(role r) (init p) (legal r go) (<= (next p) (true p))");
    assert_eq!(perft(&line, 5000, &stop, |_| {}).counts, [1; 5001]);
    stop.store(true, Ordering::Relaxed);
    assert!(!perft(&line, 5000, &stop, |_| {}).complete);
}

#[test]
fn players_find_the_move_that_wins() {
    let engine = engine(CHOICE);
    let stop = AtomicBool::new(false);
    let budget = ThinkingTime { time: Duration::from_millis(100), stop: &stop, max_steps: 100 };
    let mut rng = seeded(1, 0);
    for thinker in [Thinker::MonteCarlo, Thinker::Uct] {
        let mut scratch = engine.scratch();
        let best = think(thinker, &engine, &mut scratch, RoleId(0), budget, &mut rng)
            .expect("little work");
        let best = best.expect("a move");
        let term = engine.move_term(best).1.canonical(&engine.game().symbols);
        assert_eq!(term, "middle", "{thinker:?}");
        assert_eq!(engine.state(&scratch), *engine.initial(), "{thinker:?}");
    }
}

#[test]
fn players_without_time_still_move() {
    let engine = tictactoe();
    let stop = AtomicBool::new(true);
    let budget = ThinkingTime { time: Duration::from_secs(60), stop: &stop, max_steps: 100 };
    for thinker in [Thinker::Random, Thinker::MonteCarlo, Thinker::Uct] {
        let mut scratch = engine.scratch();
        let mut rng = seeded(1, 0);
        let chosen = think(thinker, &engine, &mut scratch, RoleId(0), budget, &mut rng);
        assert!(chosen.expect("little work").is_some());
    }
}
