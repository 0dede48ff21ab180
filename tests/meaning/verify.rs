//! `verify`: a true trace passes, and every corrupted one is reported where it is corrupt.

use crate::naive::Naive;
use gdlr::engine::{Engine, MoveId, RoleId};
use gdlr::gdl::Game;
use gdlr::play::trace::{
    Hash64, Legals, Outcome, Playout, StateDigest, Step, Trace, hash_of, sorted_strings,
};
use gdlr::play::verify::{Aspect, Mismatch, TracePosition, Verified, VerifyOptions, verify};
use std::sync::atomic::AtomicBool;

fn tictactoe() -> Naive {
    let text = include_str!("../../kif/tictactoe.kif");
    Naive::new(Game::from_kif("tictactoe", text).expect("a rulesheet")).expect("a game")
}

fn digest(engine: &Naive, scratch: &<Naive as Engine>::Scratch) -> StateDigest {
    let facts = sorted_strings(&engine.state(scratch), &engine.game().symbols);
    StateDigest { state_hash: hash_of(&facts), state_size: facts.len() }
}

/// The trace of one play, in which every role plays its first move in the order of strings.
fn record(engine: &Naive) -> Trace {
    let symbols = &engine.game().symbols;
    let roles = sorted_roles(engine);
    let mut scratch = engine.scratch();
    let mut steps = Vec::new();
    while engine.terminal(&mut scratch) == Ok(false) {
        let StateDigest { state_hash, state_size } = digest(engine, &scratch);
        let (mut joint, mut ids, mut legals) = (Vec::new(), Vec::new(), Vec::new());
        for (place, role) in roles.iter().enumerate() {
            let mut moves: Vec<MoveId> = Vec::new();
            engine.legal(&mut scratch, RoleId(place as u16), &mut moves).expect("little work");
            let name = |id: &MoveId| engine.move_term(*id).1.canonical(symbols);
            moves.sort_by_key(name);
            let names: Vec<String> = moves.iter().map(name).collect();
            joint.push(names[0].clone());
            ids.push(moves[0]);
            let short = Legals::Digest { count: names.len(), hash: hash_of(&names) };
            let many = names.len() > 5;
            legals.push((role.clone(), if many { short } else { Legals::List(names) }));
        }
        let legals = legals.into_iter().collect();
        let joint = Some(joint);
        steps.push(Step { state_hash, state_size, terminal: false, legals, joint });
        engine.step(&mut scratch, &ids).expect("legal moves");
    }
    let last = digest(engine, &scratch);
    let goals = roles.iter().enumerate().map(|(place, role)| {
        let goal = engine.goal(&mut scratch, RoleId(place as u16)).ok();
        (role.clone(), goal.map(i64::from))
    });
    let playout = Playout {
        seed: 0,
        outcome: Outcome::Terminal,
        terminal: true,
        length: steps.len(),
        goals: Some(goals.collect()),
        steps,
        last: Some(last),
        goal_sets: None,
        stuck_role: None,
    };
    Trace {
        game: "tictactoe".to_owned(),
        rulesheet: "kif/tictactoe.kif".to_owned(),
        kif_fnv: Hash64(0),
        gdl2: false,
        roles,
        init: sorted_strings(engine.initial(), symbols),
        perft: vec![1, 9, 72, 504],
        perft_terminal: vec![0; 4],
        perft_states: vec![1, 9, 72, 252],
        perft_stop: None,
        playouts: vec![playout],
        case_variants: Vec::new(),
        notes: Vec::new(),
        error: None,
        of_matches: false,
    }
}

fn sorted_roles(engine: &Naive) -> Vec<String> {
    let symbols = &engine.game().symbols;
    engine.game().roles.iter().map(|role| role.canonical(symbols)).collect()
}

fn run(trace: &Trace, nodes: u64) -> Result<Verified, Box<Mismatch>> {
    let options = VerifyOptions { perft_nodes: nodes };
    verify(&tictactoe(), trace, &options, &AtomicBool::new(false))
}

/// Where a trace that `corrupt` has changed is reported.
fn corrupted(corrupt: impl FnOnce(&mut Trace)) -> Mismatch {
    let mut trace = record(&tictactoe());
    corrupt(&mut trace);
    *run(&trace, 10_000).expect_err("a corrupted trace")
}

fn at(step: usize) -> TracePosition {
    TracePosition::Playout { playout: 0, step }
}

#[test]
fn a_true_trace_passes() {
    let trace = record(&tictactoe());
    // Crosses 1 1, 1 3, 2 2 and 3 1 after noughts 1 2, 2 1 and 2 3: the seventh mark wins.
    assert_eq!(trace.playouts[0].length, 7);
    let verified = run(&trace, 10_000).unwrap();
    assert_eq!((verified.playouts, verified.states, verified.depths), (1, 8, 4));
    assert_eq!(verified.perft_nodes, 9 + 72 + 504, "one joint move for each sequence");
    assert!(!verified.interrupted);
}

#[test]
fn the_budget_leaves_out_whole_depths() {
    let trace = record(&tictactoe());
    for (nodes, depths) in [(0, 1), (8, 1), (9, 2), (80, 2), (81, 3), (584, 3), (585, 4)] {
        assert_eq!(run(&trace, nodes).unwrap().depths, depths, "{nodes} joint moves");
    }
}

#[test]
fn stopping_is_no_difference() {
    let trace = record(&tictactoe());
    let options = VerifyOptions::default();
    let verified = verify(&tictactoe(), &trace, &options, &AtomicBool::new(true)).unwrap();
    assert!(verified.interrupted);
    assert_eq!(verified.states, 0);
}

#[test]
fn roles_and_the_initial_state() {
    let roles = corrupted(|trace| trace.roles.reverse());
    assert_eq!((roles.place, roles.aspect), (TracePosition::Roles, Aspect::Roles));
    let init = corrupted(|trace| trace.init = vec!["(turn noughts)".to_owned()]);
    assert_eq!((init.place, init.aspect), (TracePosition::Initial, Aspect::Facts));
    assert_eq!(
        (init.missing, init.surplus),
        (vec!["(turn noughts)".into()], vec!["(turn crosses)".into()])
    );
}

#[test]
fn a_state_in_the_middle() {
    let mismatch = corrupted(|trace| trace.playouts[0].steps[3].state_hash = Hash64(1));
    assert_eq!((mismatch.place, mismatch.aspect.clone()), (at(3), Aspect::Facts));
    assert_eq!(mismatch.expected, "4 facts with hash 0000000000000001");
    assert_eq!(mismatch.facts.len(), 4);
    assert_eq!(mismatch.path.len(), 3);
    assert_eq!(mismatch.path[0], ["(sign 1 1)", "wait"]);
    let text = mismatch.to_string();
    assert!(text.starts_with("facts differ in playout 0 at step 3\n"), "{text}");
    assert!(text.ends_with("move 2: (sign 1 3) | wait"), "{text}");
    let size = corrupted(|trace| trace.playouts[0].steps[2].state_size += 1);
    assert_eq!((size.place, size.aspect), (at(2), Aspect::Facts));
}

#[test]
fn terminality() {
    let mismatch = corrupted(|trace| trace.playouts[0].steps[1].terminal = true);
    assert_eq!((mismatch.place, mismatch.aspect), (at(1), Aspect::Terminal));
    let end = corrupted(|trace| trace.playouts[0].terminal = false);
    assert_eq!((end.place, end.aspect), (at(7), Aspect::Terminal));
}

#[test]
fn legal_moves() {
    let list = corrupted(|trace| {
        let legals = &mut trace.playouts[0].steps[5].legals;
        legals.insert("noughts".to_owned(), Legals::List(vec!["(sign 3 3)".into(), "pass".into()]));
    });
    assert_eq!((list.place, list.aspect), (at(5), Aspect::Legals("noughts".to_owned())));
    assert_eq!(list.missing, ["pass"]);
    assert_eq!(list.surplus, ["(sign 2 3)", "(sign 3 1)", "(sign 3 2)"]);
    let digest = corrupted(|trace| {
        let legals = &mut trace.playouts[0].steps[0].legals;
        legals.insert("crosses".to_owned(), Legals::Digest { count: 9, hash: Hash64(2) });
    });
    assert_eq!((digest.place, digest.aspect), (at(0), Aspect::Legals("crosses".to_owned())));
    let joint = corrupted(|trace| {
        trace.playouts[0].steps[2].joint = Some(vec!["(sign 1 1)".into(), "wait".into()]);
    });
    assert_eq!((joint.place, joint.aspect), (at(2), Aspect::Move));
    let other = corrupted(|trace| {
        trace.playouts[0].steps[2].joint = Some(vec!["(sign 3 3)".into(), "wait".into()]);
    });
    assert_eq!((other.place, other.aspect), (at(3), Aspect::Facts), "seen one state later");
}

#[test]
fn goals() {
    let mismatch = corrupted(|trace| {
        trace.playouts[0].goals.as_mut().unwrap().insert("noughts".to_owned(), Some(50));
    });
    assert_eq!((mismatch.place, mismatch.aspect), (at(7), Aspect::Goal("noughts".to_owned())));
    assert_eq!((&*mismatch.expected, &*mismatch.found), ("50", "0"));
    let null = corrupted(|trace| {
        trace.playouts[0].goals.as_mut().unwrap().insert("crosses".to_owned(), None);
    });
    assert_eq!(null.expected, "no single integer");
    let set = corrupted(|trace| {
        let sets = [("crosses".to_owned(), vec!["0".to_owned(), "100".to_owned()])];
        trace.playouts[0].goal_sets = Some(sets.into_iter().collect());
    });
    assert_eq!(set.missing, ["0"]);
}

#[test]
fn improper_goals_are_what_the_trace_may_say() {
    let text = "(role r) (init a) (legal r m) (<= terminal (true a))
        (<= (goal r 10) (true a)) (<= (goal r 20) (true a))";
    let engine = Naive::new(Game::from_kif("t", text).unwrap()).unwrap();
    let mut trace = record(&engine);
    trace.perft.clear();
    assert_eq!(trace.playouts[0].goals.as_ref().unwrap()["r"], None);
    trace.playouts[0].goal_sets =
        Some([("r".to_owned(), vec!["20".to_owned(), "10".to_owned()])].into_iter().collect());
    let options = VerifyOptions::default();
    assert_eq!(verify(&engine, &trace, &options, &AtomicBool::new(false)).unwrap().playouts, 1);
}

#[test]
fn counts() {
    type Lists = for<'t> fn(&'t mut Trace) -> &'t mut Vec<u64>;
    let cases: [(Lists, Aspect); 3] = [
        (|trace| &mut trace.perft, Aspect::Sequences),
        (|trace| &mut trace.perft_terminal, Aspect::TerminalSequences),
        (|trace| &mut trace.perft_states, Aspect::States),
    ];
    for (list, aspect) in cases {
        let mut trace = record(&tictactoe());
        list(&mut trace)[3] += 1;
        let mismatch = run(&trace, 10_000).unwrap_err();
        assert_eq!((mismatch.place, mismatch.aspect), (TracePosition::Perft { depth: 3 }, aspect));
        trace = record(&tictactoe());
        list(&mut trace)[3] += 1;
        assert!(run(&trace, 500).is_ok(), "too deep for the budget");
    }
}
