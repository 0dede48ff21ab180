//! The search against plain minimax without pruning.

use super::*;
use crate::player::{Clock, Player};
use crate::search::{DEFAULT_MEMORY, Search};
use gdlr_engine::engine::choose;
use gdlr_net::ground::Budget;
use gdlr_net::propnet::Propnet;
use gdlr_rules::gdl::Game;
use gdlr_tree::{Tree, TreeOptions};
use hashbrown::HashMap;
use rand::RngExt;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const TICTACTOE: &str = include_str!("../../../../../kif/tictactoe.kif");
const CONNECT4: &str = include_str!("../../../../../kif/connect4.kif");

fn net(text: &str) -> AnyEngine {
    let game = Game::from_kif("game", text).expect("a rulesheet");
    AnyEngine::new(Propnet::new(game, &Budget::default()).expect("a net"))
}

fn tree(text: &str) -> AnyEngine {
    let game = Game::from_kif("game", text).expect("a rulesheet");
    AnyEngine::new(Tree::new(game, &TreeOptions::default()).expect("trees"))
}

/// Breakthrough with a board by its rows, the farthest of white first: `w` and `b` are pawns.
/// Whoever has no move loses.
fn breakthrough(rows: &[&str]) -> String {
    let (height, width) = (rows.len(), rows[0].len());
    let mut text = "(role white) (role black) (opponent white black) (opponent black white)
        (init (turn white)) (target black 1)
        (<= (ahead white ?y ?z) (after ?y ?z)) (<= (ahead black ?y ?z) (after ?z ?y))
        (<= (flank ?x ?w) (beside ?x ?w)) (<= (flank ?x ?w) (beside ?w ?x))
        (<= (occupied ?x ?y) (true (pawn ?x ?y ?p)))
        (<= (can ?p ?x ?y ?x ?z) (true (turn ?p)) (true (pawn ?x ?y ?p)) (ahead ?p ?y ?z)
            (not (occupied ?x ?z)))
        (<= (can ?p ?x ?y ?w ?z) (true (turn ?p)) (true (pawn ?x ?y ?p)) (ahead ?p ?y ?z)
            (flank ?x ?w) (not (true (pawn ?w ?z ?p))))
        (<= (legal ?p (step ?x ?y ?w ?z)) (can ?p ?x ?y ?w ?z))
        (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
        (<= (left ?x ?y) (does ?p (step ?x ?y ?w ?z)))
        (<= (left ?w ?z) (does ?p (step ?x ?y ?w ?z)))
        (<= (next (pawn ?w ?z ?p)) (does ?p (step ?x ?y ?w ?z)))
        (<= (next (pawn ?x ?y ?p)) (true (pawn ?x ?y ?p)) (not (left ?x ?y)))
        (<= (next (turn ?o)) (true (turn ?p)) (opponent ?p ?o))
        (<= (won ?p) (target ?p ?y) (true (pawn ?x ?y ?p)))
        (<= able (can ?p ?x ?y ?w ?z)) (<= (won ?o) (true (turn ?p)) (opponent ?p ?o) (not able))
        (<= terminal (won ?p)) (<= (goal ?p 100) (won ?p))
        (<= (goal ?p 0) (opponent ?p ?o) (won ?o)) "
        .to_owned();
    let mut add = |fact: String| write!(text, "{fact} ").expect("text");
    (1..width).for_each(|x| add(format!("(beside {x} {})", x + 1)));
    (1..height).for_each(|y| add(format!("(after {y} {})", y + 1)));
    add(format!("(target white {height})"));
    for (y, row) in (1..=height).rev().zip(rows) {
        for (x, square) in (1..).zip(row.chars()) {
            match square {
                'w' => add(format!("(init (pawn {x} {y} white))")),
                'b' => add(format!("(init (pawn {x} {y} black))")),
                _ => {}
            }
        }
    }
    text
}

/// Plain minimax on one engine, which remembers states.
struct Naive<'e> {
    engine: &'e AnyEngine,
    /// By state and depth: the difference of the goals.
    known: HashMap<(AnyState, usize), i32>,
}

/// Deeper than any of the games here.
const TO_THE_END: usize = 1000;

impl Naive<'_> {
    fn new(engine: &AnyEngine) -> Naive<'_> {
        Naive { engine, known: HashMap::new() }
    }

    /// The joint moves of a state, and who chooses among them.
    fn joints(&self, state: &AnyState) -> (usize, Vec<[MoveId; 2]>) {
        let mut scratch = self.engine.scratch();
        self.engine.enter(&mut scratch, state);
        let mut both = [Vec::new(), Vec::new()];
        for (role, moves) in self.engine.roles().iter().zip(&mut both) {
            self.engine.legal(&mut scratch, role, moves).expect("moves");
        }
        let [first, second] = both;
        let mover = usize::from(first.len() == 1 && second.len() > 1);
        assert!(first.len() == 1 || second.len() == 1);
        (mover, first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b])).collect())
    }

    fn after(&self, state: &AnyState, joint: &[MoveId]) -> AnyState {
        let mut scratch = self.engine.scratch();
        self.engine.enter(&mut scratch, state);
        self.engine.step(&mut scratch, joint).expect("a legal step");
        self.engine.state(&scratch)
    }

    /// The difference of the goals from a state on; 0 where that is not decided so deep.
    fn value(&mut self, state: &AnyState, depth: usize) -> i32 {
        if let Some(&value) = self.known.get(&(state.clone(), depth)) {
            return value;
        }
        let mut scratch = self.engine.scratch();
        self.engine.enter(&mut scratch, state);
        let value = match self.engine.terminal(&mut scratch).expect("an answer") {
            true => {
                let mut goal =
                    |role| i32::from(self.engine.goal(&mut scratch, role).expect("a goal"));
                goal(ROLES[0]) - goal(ROLES[1])
            }
            false if depth == 0 => 0,
            false => {
                let (mover, joints) = self.joints(state);
                let below = if depth == TO_THE_END { depth } else { depth - 1 };
                let values =
                    joints.iter().map(|joint| self.value(&self.after(state, joint), below));
                // A closure would hold on to both.
                let values: Vec<i32> = values.collect();
                let best = if mover == 0 { values.iter().max() } else { values.iter().min() };
                *best.expect("a move")
            }
        };
        self.known.insert((state.clone(), depth), value);
        value
    }
}

/// The answer of a search in a state to the role that chooses there.
fn ask(engine: &AnyEngine, search: &mut Search, state: &AnyState, clock: &Clock) -> MoveId {
    let mut scratch = engine.scratch();
    engine.enter(&mut scratch, state);
    let mut listed = [Vec::new(), Vec::new()];
    for (role, moves) in ROLES.iter().zip(&mut listed) {
        engine.legal(&mut scratch, *role, moves).expect("moves");
    }
    let mover = usize::from(listed[0].len() == 1 && listed[1].len() > 1);
    let turn = Turn {
        engine,
        state,
        role: ROLES[mover],
        legal: &listed[mover],
        last: None,
        sampler: None,
        step: 0,
        clock,
        lanes: None,
    };
    search.play(&turn)
}

fn searching() -> Search {
    Search::new(1, DEFAULT_MEMORY).by_alpha_beta()
}

/// A minute: no search here takes so long.
fn minute() -> Clock {
    Clock::new(Duration::from_secs(60))
}

/// A search to the end finds the value that minimax finds, plays a move of this value, and ends
/// before its clock does.
fn solves(engine: &AnyEngine, search: &mut Search, state: &AnyState) -> i32 {
    let (mut naive, clock) = (Naive::new(engine), minute());
    let value = naive.value(state, TO_THE_END);
    let chosen = ask(engine, search, state, &clock);
    assert!(!clock.is_over());
    let (mover, joints) = naive.joints(state);
    let joint = joints.iter().find(|joint| joint[mover] == chosen).expect("a legal move");
    let after = naive.after(state, joint);
    assert_eq!(naive.value(&after, TO_THE_END), value);
    if let Some(report) = search.report() {
        let best = &report.estimates[0];
        assert_eq!(best.id, chosen);
        // A certain value of a move is exact. With goals of a constant sum, the best move is
        // certain.
        let goal = |value: i32| (100 + if mover == 0 { value } else { -value }) / 2;
        assert_eq!(best.certain.map(i32::from), Some(goal(value)), "{report:?}");
        for one in &report.estimates {
            let joint = joints.iter().find(|joint| joint[mover] == one.id).expect("a legal move");
            let after = naive.value(&naive.after(state, joint), TO_THE_END);
            assert!(one.certain.is_none_or(|certain| i32::from(certain) == goal(after)));
        }
    }
    value
}

#[test]
fn tic_tac_toe_is_a_draw_and_is_never_lost() {
    for engine in [net(TICTACTOE), tree(TICTACTOE)] {
        assert_eq!(solves(&engine, &mut searching(), engine.initial()), 0);
    }
    let (engine, mut rng) = (net(TICTACTOE), seeded(3, 0));
    for game in 0..20 {
        let (mut search, mut state) = (searching(), engine.initial().clone());
        let naive = Naive::new(&engine);
        let mut scratch = engine.scratch();
        let goal = loop {
            engine.enter(&mut scratch, &state);
            if engine.terminal(&mut scratch).expect("an answer") {
                break engine.goal(&mut scratch, ROLES[game % 2]).expect("a goal");
            }
            let (mover, joints) = naive.joints(&state);
            let joint = match mover == game % 2 {
                true => {
                    let chosen = ask(&engine, &mut search, &state, &minute());
                    *joints.iter().find(|joint| joint[mover] == chosen).expect("a legal move")
                }
                false => choose(&joints, &mut rng).expect("a move"),
            };
            state = naive.after(&state, &joint);
        };
        assert!(goal >= 50, "game {game}");
    }
}

#[test]
fn small_breakthrough_is_solved() {
    let small = [
        &["bbb", "...", "www"][..],
        &["bbb", "bbb", "www", "www"][..],
        &["bbbb", "....", "....", "wwww"][..],
        &["bb", "bb", "..", "ww", "ww"][..],
        &["b.b", ".b.", "w.w", ".w."][..],
    ];
    for rows in small {
        let text = breakthrough(rows);
        for engine in [net(&text), tree(&text)] {
            assert_ne!(solves(&engine, &mut searching(), engine.initial()), 0);
        }
    }
}

/// A random game without a way back: states in layers, moves of a role in each, some goals. If
/// `zero_sum`, the goals add up to 100.
fn random_game(seed: u64, zero_sum: bool) -> String {
    let mut rng = seeded(seed, 0);
    let states: u32 = 40;
    let mut text = "(role a) (role b) (other a b) (other b a) (init (at 0))
        (<= (legal ?r (go ?n)) (true (at ?s)) (mover ?s ?r) (edge ?s ?n))
        (<= (legal ?r wait) (role ?r) (true (at ?s)) (mover ?s ?o) (other ?o ?r))
        (<= (next (at ?n)) (does ?r (go ?n)))
        (<= terminal (true (at ?s)) (end ?s ?p ?q))
        (<= (goal a ?p) (true (at ?s)) (end ?s ?p ?q))
        (<= (goal b ?q) (true (at ?s)) (end ?s ?p ?q)) "
        .to_owned();
    for state in 0..states {
        let is_end = state + 4 >= states || state > 8 && rng.random_range(0..5) == 0;
        if is_end {
            let goal = 25 * rng.random_range(0..=4);
            let other = if zero_sum { 100 - goal } else { 25 * rng.random_range(0..=4) };
            write!(text, "(end {state} {goal} {other}) ").expect("text");
            continue;
        }
        write!(text, "(mover {state} {}) ", ["a", "b"][rng.random_range(0..2)]).expect("text");
        for _ in 0..rng.random_range(1..=4) {
            let next = state + rng.random_range(1..=(states - state - 1).min(9));
            write!(text, "(edge {state} {next}) ").expect("text");
        }
    }
    text
}

#[test]
fn random_games_have_the_value_of_minimax() {
    for seed in 0..60 {
        let engine = tree(&random_game(seed, true));
        solves(&engine, &mut searching(), engine.initial());
        // Next to no memory changes nothing.
        solves(&engine, &mut Search::new(1, 0).by_alpha_beta(), engine.initial());
    }
}

#[test]
fn where_goals_do_not_add_up_the_difference_is_played_for() {
    for seed in 0..30 {
        let engine = tree(&random_game(seed, false));
        let (mut naive, mut search) = (Naive::new(&engine), searching());
        let state = engine.initial();
        let value = naive.value(state, TO_THE_END);
        let chosen = ask(&engine, &mut search, state, &minute());
        let (mover, joints) = naive.joints(state);
        let joint = joints.iter().find(|joint| joint[mover] == chosen).expect("a legal move");
        let after = naive.after(state, joint);
        assert_eq!(naive.value(&after, TO_THE_END), value, "{seed}");
    }
}

/// Breakthrough, white to move: the first move must be one that wins in two.
const MATES: [&[&str]; 5] = [
    &["..b..", "....b", "..wb.", "w.w.w", "....."],
    &["b..b.", ".bbbb", "...bw", "w.www", "w...."],
    &["b.bb.", ".....", "bwb.w", "...w.", "....."],
    &[".b.bb", "b..b.", ".w..w", "ww.w.", "w...w"],
    &["b.bbb", "...bb", "wb...", "w.www", "....."],
];

/// Connect four: the columns of the discs, red's first, and who moves next wins in two.
const CONNECTED: [&[u8]; 5] = [
    &[3, 6, 4, 3, 7, 6, 6, 7],
    &[5, 1, 1, 7, 7, 3, 1, 2, 5, 2, 4, 6, 3, 5],
    &[6, 7, 6, 3, 7, 3, 2, 3, 3, 2, 4, 2, 3, 5],
    &[1, 4, 1, 7, 6, 3, 7, 7, 6, 3, 2, 7, 3, 2, 5],
    &[1, 6, 7, 7, 1, 4, 4, 1, 5, 1, 5, 1, 1, 5, 3, 2],
];

/// A player at 0.2 s takes a first move after which the game is won in two more joint moves,
/// whatever the other does.
fn mates(engine: &AnyEngine, state: &AnyState, name: &str) {
    let mut naive = Naive::new(engine);
    let (mover, joints) = naive.joints(state);
    let won = if mover == 0 { 100 } else { -100 };
    assert_eq!((naive.value(state, 1), naive.value(state, 3)), (0, won), "{name}");
    let mut good = Vec::new();
    for joint in &joints {
        if naive.value(&naive.after(state, joint), 2) == won {
            good.push(joint[mover]);
        }
    }
    assert!(good.len() < joints.len(), "{name}");
    let clock = Clock::new(Duration::from_millis(200));
    let chosen = ask(engine, &mut searching(), state, &clock);
    assert!(
        good.contains(&chosen),
        "{name}: {}",
        engine.move_term(chosen).1.canonical(engine.symbols())
    );
}

#[test]
fn ten_mates_in_two_are_found() {
    for rows in MATES {
        let engine = net(&breakthrough(rows));
        mates(&engine, engine.initial(), &rows.join("/"));
    }
    let engine = net(CONNECT4);
    let naive = Naive::new(&engine);
    for columns in CONNECTED {
        let mut state = engine.initial().clone();
        for column in columns {
            let word = format!("(drop {column})");
            let (mover, joints) = naive.joints(&state);
            let is = |joint: &&[MoveId; 2]| {
                engine.move_term(joint[mover]).1.canonical(engine.symbols()) == word
            };
            let joint = *joints.iter().find(is).expect("a legal move");
            state = naive.after(&state, &joint);
        }
        mates(&engine, &state, &format!("{columns:?}"));
    }
}

#[test]
fn clocks_and_interruptions_are_kept_and_memory_is_bounded() {
    let engine = net(CONNECT4);
    for engine in [engine, tree(CONNECT4)] {
        let start = Instant::now();
        let mut search = Search::new(1, 1 << 20).by_alpha_beta();
        let clock = Clock::new(Duration::from_millis(300));
        ask(&engine, &mut search, engine.initial(), &clock);
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
        let report = search.report().expect("a choice");
        assert!(report.effort.memory <= 1 << 20 && report.effort.nodes > 10);
        assert!(report.effort.depth >= 2 && !report.main_line.is_empty());
        assert!(report.estimates[0].mean.is_some() && report.estimates[0].certain.is_none());
        // Told to stop before it begins, it answers all the same.
        let clock = Clock::stopped_by(Duration::from_secs(60), Arc::new(AtomicBool::new(true)));
        ask(&engine, &mut searching(), engine.initial(), &clock);
        // Told to stop while it thinks.
        let stop = Arc::new(AtomicBool::new(false));
        let clock = Clock::stopped_by(Duration::from_secs(60), stop.clone());
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            ask(&engine, &mut searching(), engine.initial(), &clock);
        });
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn games_that_do_not_suit_are_searched_otherwise_and_that_is_said() {
    let why = |text: &str| {
        let engine = net(text);
        let mut search = searching();
        ask(&engine, &mut search, engine.initial(), &Clock::new(Duration::from_millis(300)));
        assert!(search.report().is_some());
        let decisions = search.decisions();
        let decision = decisions.of(gdlr_text::decisions::Part::Search, "alpha-beta");
        decision.map(|decision| decision.chosen.to_string())
    };
    assert_eq!(why(TICTACTOE), None);
    let rock = why(include_str!("../../../../../kif/rock_paper_scissors.kif"));
    assert!(rock.expect("a reason").contains("both roles choose at once"));
    let pig = why(include_str!("../../../../../kif/pig.kif"));
    assert!(pig.expect("a reason").contains("chance"));
}
