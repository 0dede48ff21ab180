//! The engine `batch` as its users see it: statistics beside those of the engine of single
//! states, and what is promised about seeds, threads and lengths.

use crate::rulesheets;
use gdlr::batch::{Batch, Width};
use gdlr::engine::{Engine, RoleId};
use gdlr::gdl::Game;
use gdlr::ground::Budget;
use gdlr::net::Net;
use gdlr::play::{FlatMonteCarlo, Statistics};
use gdlr::propnet::Propnet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

/// How far two means may be apart, in standard errors.
const ERRORS: f64 = 5.0;

/// Playouts are counted in so many runs, whose means tell how far a mean is to be trusted.
const RUNS: u64 = 25;

fn both(name: &str, rules: &str) -> Option<(Propnet, Batch)> {
    let game = Game::from_kif(name, rules).ok()?;
    let game = Arc::new(game);
    let net = Net::of_game(game.clone(), &Budget::default()).ok()?;
    Some((Propnet::of_net(game.clone(), net.clone()), Batch::of_net(game, net)))
}

fn bundled(name: &str) -> (Propnet, Batch) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kif").join(format!("{name}.kif"));
    let rules = std::fs::read_to_string(path).expect("a bundled game");
    both(name, &rules).expect("it is small")
}

fn run(playouts: u64, seed: u64) -> FlatMonteCarlo {
    FlatMonteCarlo { playouts: Some(playouts), seed, ..FlatMonteCarlo::default() }
}

/// The mean of some figure, and its standard error.
fn mean(runs: &[Statistics], figure: impl Fn(&Statistics) -> f64) -> (f64, f64) {
    let count = runs.len() as f64;
    let mean = runs.iter().map(&figure).sum::<f64>() / count;
    let squares: f64 = runs.iter().map(|run| (figure(run) - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

/// Compares the statistics of two engines over so many playouts each.
fn compare(name: &str, engine: &Propnet, batch: &Batch, playouts: u64) {
    let each = playouts / RUNS;
    let no = false.into();
    let play = |seed| {
        let one = run(each, seed).run(engine, &no, |_| {});
        (one, run(each, seed).run(batch, &no, |_| {}))
    };
    let (ones, many): (Vec<Statistics>, Vec<Statistics>) = (1..=RUNS).map(play).unzip();
    for found in ones.iter().chain(&many) {
        assert_eq!(found.playouts + found.capped + found.stuck, each, "{name}");
    }
    let close = |what: &str, figure: &dyn Fn(&Statistics) -> f64| {
        let ((a, error_a), (b, error_b)) = (mean(&ones, figure), mean(&many, figure));
        // An event that hardly ever occurs has no error that could be told from so few.
        let error = (error_a.powi(2) + error_b.powi(2)).sqrt() + 1.0 / playouts as f64;
        let apart = (a - b).abs();
        assert!(apart <= ERRORS * error, "{name}: {what} {a} and {b}, with an error of {error}");
    };
    close("mean length", &|run| run.mean_length().unwrap_or(0.0));
    close("stuck", &|run| run.stuck as f64 / each as f64);
    for role in 0..engine.game().roles.len() {
        close("mean goal", &|run| run.roles[role].mean_goal().unwrap_or(0.0));
        close("no proper goal", &|run| run.roles[role].improper as f64 / each as f64);
        for value in 0..=100 {
            close("goal", &|run| run.roles[role].goals[value] as f64 / each as f64);
        }
    }
}

#[test]
fn statistics_are_those_of_single_playouts() {
    for path in rulesheets::own() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (engine, batch) = bundled(&name);
        compare(&name, &engine, &batch, 10_000);
    }
    let (engine, batch) = bundled("connect4");
    for width in Width::ALL.into_iter().filter(|width| width.is_available()) {
        compare("connect4", &engine, &batch.clone().with_width(width).unwrap(), 50_000);
    }
}

/// Over the public rulesheets, or those that `GAMES` names. Takes half an hour.
#[test]
#[ignore = "takes long"]
fn statistics_over_the_corpus() {
    let corpus = rulesheets::corpus().expect("the public rulesheets");
    let names = std::env::var("GAMES").ok();
    let playouts = std::env::var("PLAYOUTS").map_or(100_000, |count| count.parse().unwrap());
    let mut failed = Vec::new();
    for path in rulesheets::files(&corpus, "kif") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if names.as_ref().is_some_and(|names| !names.split(',').any(|one| one == name)) {
            continue;
        }
        let rules = std::fs::read_to_string(&path).unwrap();
        let Some((engine, batch)) = both(&name, &rules) else {
            println!("{name}: does not ground");
            continue;
        };
        // As many as a single engine plays in a few seconds.
        let time = Some(std::time::Duration::from_millis(500));
        let trial = FlatMonteCarlo { time, ..FlatMonteCarlo::default() };
        let trial = trial.run(&engine, &false.into(), |_| {}).playouts;
        let playouts = playouts.min(8 * trial).max(4 * RUNS);
        let start = std::time::Instant::now();
        let compared = std::panic::catch_unwind(|| compare(&name, &engine, &batch, playouts));
        let verdict = if compared.is_ok() { "equal" } else { "DIFFERENT" };
        println!("{name}: {verdict} over {playouts} playouts, {:?}", start.elapsed());
        if compared.is_err() {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// Half of the playouts take one step, the others a hundred.
const UNEQUAL: &str = "
    (role robot) (init (step 0))
    (<= (legal robot ?move) (true (step 0)) (choice ?move))
    (<= (legal robot wait) (true (step ?n)) (distinct ?n 0))
    (choice short) (choice long)
    (<= (next (step 100)) (does robot short))
    (<= (next (step 1)) (does robot long))
    (<= (next (step ?m)) (true (step ?n)) (distinct ?n 0) (succ ?n ?m))
    (<= (next (took short)) (does robot short))
    (<= (next (took short)) (true (took short)))
    (<= terminal (true (step 100)))
    (<= (goal robot 100) (true (took short)))
    (<= (goal robot 0) (not (true (took short))))";

fn unequal() -> String {
    let steps = (1..100).map(|n| format!("(succ {n} {})", n + 1));
    steps.fold(UNEQUAL.to_owned(), |rules, step| rules + &step)
}

#[test]
fn short_playouts_are_not_favoured() {
    let (_, batch) = both("unequal", &unequal()).unwrap();
    for width in Width::ALL.into_iter().filter(|width| width.is_available()) {
        let batch = batch.clone().with_width(width).unwrap();
        assert_eq!(batch.width(), width);
        // Fewer than there are lanes, hardly more, and many.
        for playouts in [7, 300, 600, 2000] {
            let mut short = 0;
            let runs = 20_000 / playouts;
            for seed in 0..runs {
                let statistics = run(playouts, seed).run(&batch, &false.into(), |_| {});
                assert_eq!(statistics.playouts, playouts);
                let quick = statistics.roles[0].goals[100];
                assert_eq!(statistics.roles[0].goals[0] + quick, playouts);
                assert_eq!(statistics.states, quick + 100 * (playouts - quick));
                short += quick;
            }
            let all = (runs * playouts) as f64;
            let off = (short as f64 - all / 2.0) / (all / 4.0).sqrt();
            assert!(off.abs() < ERRORS, "{short} of {all} are short, {width:?}");
        }
    }
}

#[test]
fn a_seed_gives_the_same_again() {
    let (_, batch) = bundled("connect4");
    for width in Width::ALL.into_iter().filter(|width| width.is_available()) {
        let batch = batch.clone().with_width(width).unwrap();
        assert_eq!(batch.width(), width);
        let threads = |threads: usize, seed| {
            let threads = NonZeroUsize::new(threads).unwrap();
            let run = FlatMonteCarlo { threads, ..run(5000, seed) };
            let statistics = run.run(&batch, &false.into(), |_| {});
            Statistics { seconds: 0.0, ..statistics }
        };
        for count in [1, 2, 3] {
            assert_eq!(threads(count, 4), threads(count, 4), "{count} threads");
        }
        assert_ne!(threads(1, 4), threads(1, 5));
        assert_ne!(threads(1, 4).roles, threads(2, 4).roles);
    }
}

/// Each width has its own playouts, so the same ones would tell that a width was forgotten.
#[test]
fn a_width_is_not_forgotten() {
    let (engine, batch) = bundled("connect4");
    let mut of_widths = Vec::new();
    for width in Width::ALL {
        let Ok(batch) = batch.clone().with_width(width) else {
            assert!(!width.is_available());
            continue;
        };
        assert_eq!((batch.width(), batch.scratch().width()), (width, width));
        of_widths.push(batch.rollouts(&mut batch.scratch(), engine.initial(), 5000, 1).clone());
    }
    assert_eq!(of_widths.len(), Width::ALL.iter().filter(|width| width.is_available()).count());
    for (at, one) in of_widths.iter().enumerate() {
        assert!(!of_widths[..at].contains(one), "the playouts of two widths are the same");
    }
}

#[test]
#[should_panic(expected = "the scratch is one of this batch")]
fn a_scratch_of_another_batch_is_refused() {
    let (_, batch) = bundled("tictactoe");
    let (engine, other) = bundled("connect4");
    other.rollouts(&mut batch.scratch(), engine.initial(), 1, 1);
}

#[test]
fn playouts_without_an_end_are_cut() {
    let endless = "
        (role robot) (init (at a))
        (<= (legal robot ?m) (choice ?m)) (choice stop) (choice go)
        (<= (next (at a)) (true (at a)) (does robot go))
        (<= (next (at b)) (does robot stop))
        (<= terminal (true (at b))) (<= (goal robot 50) (true (at b)))";
    let (_, batch) = both("endless", endless).unwrap();
    let cut = FlatMonteCarlo { max_steps: 3, ..run(80_000, 1) };
    let statistics = cut.run(&batch, &false.into(), |_| {});
    assert_eq!(statistics.playouts + statistics.capped, 80_000);
    // One of eight goes on for more than three steps.
    assert!((9_500..10_500).contains(&statistics.capped), "{}", statistics.capped);
    // Of those that end: 4, 2 and 1 of eight with lengths 1, 2 and 3.
    let mean = statistics.mean_length().unwrap();
    assert!((mean - 11.0 / 7.0).abs() < 0.02, "{mean}");
    // Nothing ends at once.
    let none = FlatMonteCarlo { max_steps: 0, ..run(1000, 1) };
    let statistics = none.run(&batch, &false.into(), |_| {});
    assert_eq!((statistics.playouts, statistics.capped, statistics.states), (0, 1000, 0));
}

#[test]
fn defects_are_counted() {
    // Who chooses `left` has no move after it; the other way there are two goals.
    let stuck = "
        (role robot) (role other) (init (at a))
        (<= (legal robot left) (true (at a))) (<= (legal robot right) (true (at a)))
        (legal other wait)
        (<= (next (at b)) (does robot left))
        (<= (next (at c)) (does robot right))
        (<= terminal (true (at c)))
        (goal robot 10) (goal robot 20) (<= (goal other 30) (true (at c)))";
    let (_, batch) = both("stuck", stuck).unwrap();
    let statistics = run(40_000, 1).run(&batch, &false.into(), |_| {});
    assert_eq!(statistics.playouts + statistics.stuck, 40_000);
    assert!((19_000..21_000).contains(&statistics.stuck), "{}", statistics.stuck);
    assert_eq!(statistics.states, statistics.playouts);
    assert_eq!(statistics.roles[0].improper, statistics.playouts);
    assert_eq!(statistics.roles[1].goals[30], statistics.playouts);
}

#[test]
fn a_terminal_first_state_is_a_playout_without_steps() {
    let over = "(role robot) (init over) (legal robot wait) (<= terminal (true over))
        (goal robot 70)";
    let (_, batch) = both("over", over).unwrap();
    let statistics = run(3000, 1).run(&batch, &false.into(), |_| {});
    assert_eq!(
        (statistics.playouts, statistics.states, statistics.roles[0].goals[70]),
        (3000, 0, 3000)
    );
}

#[test]
fn rollouts_from_the_states_of_a_tree() {
    let (engine, batch) = bundled("tictactoe");
    // The initial state and those after each first move, and after some second moves.
    let mut scratch = engine.scratch();
    let mut states = vec![engine.initial().clone()];
    for at in 0..10 {
        let state = states[at].clone();
        let moves: Vec<Vec<_>> = (0..2)
            .map(|role| {
                let mut legal = Vec::new();
                engine.enter(&mut scratch, &state);
                engine.legal(&mut scratch, RoleId(role), &mut legal).unwrap();
                legal
            })
            .collect();
        for &one in &moves[0] {
            for &other in &moves[1] {
                engine.enter(&mut scratch, &state);
                engine.step(&mut scratch, &[one, other]).unwrap();
                states.push(engine.state(&scratch));
            }
        }
    }
    assert!(states.len() > 60);
    for width in Width::ALL.into_iter().filter(|width| width.is_available()) {
        let batch = batch.clone().with_width(width).unwrap();
        assert_eq!(batch.width(), width);
        let each = 3000;
        let (mut scratch, mut single) = (batch.scratch(), batch.scratch());
        let many = batch.rollouts_many(&mut scratch, &states, each, 1);
        assert_eq!(many.len(), states.len());
        for (state, found) in states.iter().zip(many) {
            assert_eq!(found.playouts, each);
            let alone = batch.rollouts(&mut single, state, each, 2);
            assert_eq!(alone.playouts, each);
            for (found, alone) in found.roles.iter().zip(&alone.roles) {
                assert_eq!(found.goals.iter().sum::<u64>(), each);
                let (a, b) = (found.mean_goal().unwrap(), alone.mean_goal().unwrap());
                // A goal is 50 off its mean at most.
                assert!((a - b).abs() < ERRORS * 50.0 * (2.0 / each as f64).sqrt(), "{a} and {b}");
            }
            let (a, b) = (found.mean_length().unwrap(), alone.mean_length().unwrap());
            assert!((a - b).abs() < 0.2, "{a} and {b}");
        }
        // Fewer playouts than there are lanes for a state.
        let few = batch.rollouts_many(&mut scratch, &states[..2], 3, 1);
        assert!(few.iter().all(|found| found.playouts == 3));
        assert!(batch.rollouts_many(&mut scratch, &[], 3, 1).is_empty());
        assert_eq!(batch.rollouts(&mut scratch, engine.initial(), 0, 1).playouts, 0);
    }
}
