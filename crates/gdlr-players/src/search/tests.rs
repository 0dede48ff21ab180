use super::*;
use crate::player::Clock;
use gdlr_engine::engine::RoleId;
use gdlr_net::ground::Budget;
use gdlr_rules::gdl::Game;
use std::time::Duration;

fn engine(name: &str, text: &str) -> AnyEngine {
    let game = Game::from_kif(name, text).expect("a rulesheet");
    AnyEngine::new(Propnet::new(game, &Budget::default()).expect("a net"))
}

/// The move that a search chooses after some moves, in words.
fn answer(engine: &AnyEngine, search: &mut Search, before: &[&[&str]]) -> String {
    answer_within(engine, search, before, Duration::from_secs(60))
}

fn answer_within(
    engine: &AnyEngine,
    search: &mut Search,
    before: &[&[&str]],
    time: Duration,
) -> String {
    let mut scratch = engine.scratch();
    for joint in before {
        let id = |(role, word): (RoleId, &&str)| {
            let mut legal = Vec::new();
            engine.legal(&mut scratch.clone(), role, &mut legal).expect("moves");
            let is = |id: &&MoveId| engine.move_term(**id).1.canonical(engine.symbols()) == **word;
            *legal.iter().find(is).expect("a legal move")
        };
        let joint: Vec<MoveId> = engine.roles().iter().zip(*joint).map(id).collect();
        engine.step(&mut scratch, &joint).expect("a legal step");
    }
    let role = RoleId((before.len() % 2) as u16);
    let mut legal = Vec::new();
    engine.legal(&mut scratch, role, &mut legal).expect("moves");
    let clock = Clock::new(time);
    let state = engine.state(&scratch);
    let turn = Turn {
        engine,
        state: &state,
        role,
        legal: &legal,
        last: None,
        sampler: None,
        step: before.len() as u64,
        clock: &clock,
        lanes: None,
    };
    engine.move_term(search.play(&turn)).1.canonical(engine.symbols())
}

/// A player that prevents a loss in one and takes a win in one, and says why. The game is
/// small: every position is searched to its end, long before the clock.
fn sees(engine: &AnyEngine, mut search: Search) {
    let before: [&[&str]; 3] =
        [&["(sign 1 1)", "wait"], &["wait", "(sign 2 2)"], &["(sign 1 2)", "wait"]];
    assert_eq!(answer(engine, &mut search, &before), "(sign 1 3)");
    let Report { estimates, main_line, effort } = search.report().expect("a choice");
    let certain: Vec<Option<u8>> = estimates.iter().map(|e| e.certain).collect();
    assert_eq!(certain, [50, 0, 0, 0, 0, 0].map(Some));
    assert!(main_line.iter().all(|joint| joint.len() == 2));
    assert_eq!(main_line[0][1], estimates[0].id);
    assert!(effort.leaves > 0 && effort.playouts >= effort.leaves && effort.certain > 0);
    assert!(effort.nodes > 10 && effort.memory > effort.nodes * 10 && effort.depth > 1);
    let threat: [&[&str]; 4] = [
        &["(sign 1 1)", "wait"],
        &["wait", "(sign 2 2)"],
        &["(sign 1 2)", "wait"],
        &["wait", "(sign 3 3)"],
    ];
    assert_eq!(answer(engine, &mut search, &threat), "(sign 1 3)");
}

fn tictactoe() -> AnyEngine {
    engine("tictactoe", include_str!("../../../../kif/tictactoe.kif"))
}

#[test]
fn a_win_in_one_is_taken_and_a_loss_in_one_is_prevented() {
    let search = Search::new(1, DEFAULT_MEMORY);
    sees(&tictactoe(), search);
}

#[test]
fn playouts_are_counted_and_a_seed_gives_the_same_again() {
    let line = |playouts| {
        let mut search = Search::new(5, DEFAULT_MEMORY).with_playouts(playouts);
        let time = Duration::from_secs(600);
        answer_within(&tictactoe(), &mut search, &[], time);
        search.report().expect("a choice")
    };
    for playouts in [1, 100, 1000] {
        let Report { estimates, effort, .. } = line(playouts);
        assert!(effort.playouts <= playouts && effort.playouts * 2 > playouts, "{effort:?}");
        assert_eq!(estimates, line(playouts).estimates);
    }
    // In a game for one role, too.
    let puzzle = engine("puzzle", include_str!("../../../../kif/eight_puzzle.kif"));
    let mut search = Search::new(5, DEFAULT_MEMORY).with_playouts(500);
    answer_within(&puzzle, &mut search, &[], Duration::from_secs(600));
    assert!(search.report().expect("a choice").effort.playouts <= 500);
}

#[test]
fn what_is_decided_at_the_first_move_is_kept() {
    let chosen = |search: &Search, subject| {
        let decisions = search.decisions();
        decisions.of(Part::Search, subject).map(|decision| decision.chosen.clone().into_owned())
    };
    let mut search = Search::new(1, DEFAULT_MEMORY);
    assert!(search.decisions().is_empty());
    answer_within(&tictactoe(), &mut search, &[], Duration::from_secs(2));
    assert_eq!(chosen(&search, "searched").as_deref(), Some("a tree"));
    assert_eq!(chosen(&search, "leaves").as_deref(), Some("in lanes"));
    let shape = search.shape().map(|shape| shape.to_string());
    assert!(shape.is_none() || shape == chosen(&search, "shape"), "{shape:?}");
    // Lanes that may take next to nothing of the clock are not made.
    let tuning = SearchTuning { layout_share: u32::MAX, ..SearchTuning::default() };
    let mut search = Search::new(1, DEFAULT_MEMORY).with_tuning(tuning);
    answer_within(&tictactoe(), &mut search, &[], Duration::from_secs(2));
    let leaves = chosen(&search, "leaves").expect("it is decided");
    assert!(leaves.starts_with("one by one: lanes"), "{leaves}");
    let puzzle = engine("puzzle", include_str!("../../../../kif/eight_puzzle.kif"));
    let mut search = Search::new(1, DEFAULT_MEMORY).with_playouts(100);
    answer_within(&puzzle, &mut search, &[], Duration::from_secs(60));
    let searched = chosen(&search, "searched").expect("it is decided");
    assert!(searched.starts_with("beams"), "{searched}");
}

#[test]
fn trees_see_the_same() {
    let text = include_str!("../../../../kif/tictactoe.kif");
    let game = Game::from_kif("tictactoe", text).expect("a rulesheet");
    let tree = gdlr_tree::Tree::new(game, &Default::default()).expect("trees");
    sees(&AnyEngine::new(tree), Search::new(1, DEFAULT_MEMORY));
}

#[test]
fn threads_see_the_same_and_so_does_who_thinks_on() {
    sees(&tictactoe(), Search::new(1, DEFAULT_MEMORY).with_threads(3).pondering());
}

/// 60 points for sure, or 100 if a coin shows heads. Chance has no goal.
#[test]
fn chance_needs_no_goal() {
    let text = "(role a) (role random) (init asked)
        (<= (legal a toss) (true asked)) (<= (legal a safe) (true asked))
        (<= (legal random heads) (true asked)) (<= (legal random tails) (true asked))
        (<= (next safe) (does a safe)) (<= (next won) (does a toss) (does random heads))
        (<= terminal (not (true asked))) (<= (goal a 60) (true safe))
        (<= (goal a 100) (true won)) (<= (goal a 0) (not (true safe)) (not (true won)))";
    let game = Game::from_kif("toss", text).expect("a rulesheet");
    let tree = gdlr_tree::Tree::new(game, &Default::default()).expect("trees");
    for engine in [engine("toss", text), AnyEngine::new(tree)] {
        for seed in 0..4 {
            let mut search = Search::new(seed, DEFAULT_MEMORY);
            let time = Duration::from_millis(100);
            assert_eq!(answer_within(&engine, &mut search, &[], time), "safe");
            let report = search.report().expect("a choice");
            let mean = report.estimates[0].mean.expect("tries");
            assert!((mean - 60.0).abs() < 3.0, "{report:?}");
            // One bad draw is not the end of a move.
            assert!(report.estimates[1].visits > 10, "{report:?}");
        }
    }
}

#[test]
fn without_memory_it_still_sees_what_is_near() {
    let (engine, mut search) = (tictactoe(), Search::new(1, 0));
    let before: [&[&str]; 3] =
        [&["(sign 1 1)", "wait"], &["wait", "(sign 2 2)"], &["(sign 1 2)", "wait"]];
    let chosen = answer_within(&engine, &mut search, &before, Duration::from_millis(300));
    assert_eq!(chosen, "(sign 1 3)");
    assert_eq!(search.report().map(|report| report.effort.nodes), Some(1));
}

#[test]
fn who_must_answer_at_once_gives_a_legal_move() {
    let alone = engine("eight_puzzle", include_str!("../../../../kif/eight_puzzle.kif"));
    for engine in [tictactoe(), alone] {
        let mut legal = Vec::new();
        engine.legal(&mut engine.scratch(), RoleId(0), &mut legal).expect("moves");
        let clock = Clock::stopped_by(Duration::from_secs(60), Arc::new(true.into()));
        let turn = Turn {
            engine: &engine,
            state: engine.initial(),
            role: RoleId(0),
            legal: &legal,
            last: None,
            sampler: None,
            step: 0,
            clock: &clock,
            lanes: None,
        };
        let mut search = Search::new(1, DEFAULT_MEMORY).pondering();
        assert!(legal.contains(&search.play(&turn)));
        assert_eq!(search.report().map(|report| report.effort.playouts), Some(0));
        search.stop(None);
    }
}

#[test]
fn where_another_role_is_stuck_a_legal_move_is_given() {
    let text = "(role a) (role b) (init (at 0)) (legal a left) (legal a right)
        (<= (legal b go) (true (at 1))) (<= (next (at 1)) (does a left)) (goal a 0) (goal b 0)
        (<= terminal (true (at 2)))";
    let engine = engine("stuck", text);
    let mut legal = Vec::new();
    engine.legal(&mut engine.scratch(), RoleId(0), &mut legal).expect("moves");
    let clock = Clock::new(Duration::from_secs(600));
    let turn = Turn {
        engine: &engine,
        state: engine.initial(),
        role: RoleId(0),
        legal: &legal,
        last: None,
        sampler: None,
        step: 0,
        clock: &clock,
        lanes: None,
    };
    assert!(legal.contains(&Search::new(1, DEFAULT_MEMORY).play(&turn)));
    // Nobody waits for the clock.
    assert!(clock.left() > Duration::from_secs(60));
}
