//! The contract of engines: kept by every engine of a game of GDL, by their erased form, and
//! enough for a game that is not GDL at all.

use crate::compare::{compare, sorted_moves};
use crate::naive::Naive;
use gdlr::engine::{
    AnyEngine, End, Engine, FactError, GoalError, MoveId, Playout, Position, PositionError, RoleId,
    Roles, StepError, WorkLimit, choose, seeded,
};
use gdlr::export::RgEngine;
use gdlr::gdl::{Game, Symbol, SymbolTable, Term};
use gdlr::ground::Budget;
use gdlr::net::Net;
use gdlr::play::thinker::{self, Thinker, think};
use gdlr::play::{FlatMonteCarlo, View, perft};
use gdlr::propnet::Propnet;
use gdlr::tree::{Tree, TreeOptions};
use hashbrown::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::time::Duration;

const TICTACTOE: &str = include_str!("../../kif/tictactoe.kif");

fn tree(text: &str) -> Tree {
    let game = Game::from_kif("test", text).expect("a rulesheet");
    Tree::new(game, &TreeOptions::default()).expect("a game")
}

fn propnet(text: &str) -> Propnet {
    let game = Game::from_kif("test", text).expect("a rulesheet");
    Propnet::new(game, &Budget::default()).expect("a game that grounds")
}

fn rg(text: &str, joint: bool) -> RgEngine {
    let game = Arc::new(Game::from_kif("test", text).expect("a rulesheet"));
    let net = Net::of_game(game.clone(), &Budget::default()).expect("a game that grounds");
    RgEngine::new(game, &net, joint).expect("a playable automaton")
}

/// Every engine of a rulesheet, by name.
fn engines(text: &str) -> [(&'static str, AnyEngine); 4] {
    [
        ("tree", AnyEngine::new(tree(text))),
        ("propnet", AnyEngine::new(propnet(text))),
        ("rg", AnyEngine::new(rg(text, false))),
        ("rg with all plies", AnyEngine::new(rg(text, true))),
    ]
}

/// Compares every engine with the naive evaluator.
fn agree(text: &str) {
    let game = Game::from_kif("test", text).expect("a rulesheet");
    let naive = Naive::new(game).expect("a game");
    for (name, engine) in engines(text) {
        for seed in 0..5 {
            if let Err(failure) = compare(&naive, &engine, seed) {
                panic!("{name}: {failure}\n{text}");
            }
        }
    }
}

fn legal<E: Engine>(engine: &E, scratch: &mut E::Scratch, role: RoleId) -> Vec<MoveId> {
    let mut moves = Vec::new();
    engine.legal(scratch, role, &mut moves).expect("little work");
    moves
}

/// The moves of a role in words, sorted.
fn words<E: Engine>(engine: &E, scratch: &mut E::Scratch, role: RoleId) -> Vec<String> {
    let moves = legal(engine, scratch, role);
    let mut words: Vec<String> =
        moves.iter().map(|&id| engine.move_term(id).1.canonical(engine.symbols())).collect();
    words.sort();
    words
}

/// Nim on two heaps, without a rulesheet: roles take turns, whoever takes the last stick wins.
struct Nim {
    roles: Roles,
    symbols: SymbolTable,
    sticks: Symbol,
    turn: Symbol,
    take: Symbol,
    wait: Symbol,
    players: [Symbol; 2],
    numbers: [Symbol; 5],
    initial: Heaps,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Heaps {
    sticks: [u8; 2],
    turn: u16,
}

/// How many sticks a heap has at most.
const LARGEST: u32 = 4;
/// The moves of a role: to wait, and to take some sticks from a heap.
const MOVES: u32 = 1 + 2 * LARGEST;

/// The meaning of a number, `None` for waiting.
fn taken(id: MoveId) -> (RoleId, Option<(usize, u8)>) {
    let (role, rest) = (RoleId((id.0 / MOVES) as u16), id.0 % MOVES);
    let take = |rest: u32| ((rest / LARGEST) as usize, (rest % LARGEST + 1) as u8);
    (role, rest.checked_sub(1).map(take))
}

impl Nim {
    fn new(sticks: [u8; 2]) -> Nim {
        let mut symbols = SymbolTable::new(false);
        let mut name = |name: &str| symbols.intern(name).expect("few names");
        Nim {
            roles: Roles::new(["First", "Second"].map(String::from)),
            sticks: name("sticks"),
            turn: name("turn"),
            take: name("take"),
            wait: name("wait"),
            players: ["First", "Second"].map(&mut name),
            numbers: ["0", "1", "2", "3", "4"].map(name),
            initial: Heaps { sticks, turn: 0 },
            symbols,
        }
    }

    fn number(&self, number: usize) -> Term {
        Term::Constant(self.numbers[number])
    }
}

impl Engine for Nim {
    type State = Heaps;
    type Scratch = Heaps;

    fn roles(&self) -> &Roles {
        &self.roles
    }

    fn symbols(&self) -> &SymbolTable {
        &self.symbols
    }

    fn moves(&self) -> Option<usize> {
        Some(2 * MOVES as usize)
    }

    fn initial(&self) -> &Heaps {
        &self.initial
    }

    fn scratch(&self) -> Heaps {
        self.initial.clone()
    }

    fn enter(&self, scratch: &mut Heaps, state: &Heaps) {
        scratch.clone_from(state);
    }

    fn enter_facts(&self, scratch: &mut Heaps, facts: &[Term]) -> Result<(), FactError> {
        let mut states = Vec::new();
        for a in 0..=LARGEST as u8 {
            for b in 0..=LARGEST as u8 {
                states.extend([0, 1].map(|turn| Heaps { sticks: [a, b], turn }));
            }
        }
        let possible = |fact: &&Term| states.iter().any(|state| self.facts(state).contains(fact));
        if let Some(unknown) = facts.iter().find(|fact| !possible(fact)) {
            return Err(FactError::Unknown(unknown.clone()));
        }
        let same = |state: &&Heaps| {
            let own = self.facts(state);
            own.iter().all(|fact| facts.contains(fact)) && facts.iter().all(|f| own.contains(f))
        };
        *scratch = states.iter().find(same).ok_or(FactError::Unreachable(None))?.clone();
        Ok(())
    }

    fn save(&self, scratch: &Heaps, state: &mut Heaps) {
        state.clone_from(scratch);
    }

    fn terminal(&self, scratch: &mut Heaps) -> Result<bool, WorkLimit> {
        Ok(scratch.sticks == [0, 0])
    }

    fn legal(
        &self,
        scratch: &mut Heaps,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        moves.clear();
        if role.0 < 2 && scratch.sticks != [0, 0] {
            let is_legal = |&id: &MoveId| match taken(id).1 {
                None => role.0 != scratch.turn,
                Some((heap, count)) => role.0 == scratch.turn && count <= scratch.sticks[heap],
            };
            let own = u32::from(role.0) * MOVES..(u32::from(role.0) + 1) * MOVES;
            moves.extend(own.map(MoveId).filter(is_legal));
        }
        Ok(())
    }

    fn goal(&self, scratch: &mut Heaps, role: RoleId) -> Result<u8, GoalError> {
        match (role.0, scratch.sticks) {
            (2.., _) => Err(GoalError::Missing),
            (_, [0, 0]) => Ok(if role.0 == scratch.turn { 0 } else { 100 }),
            _ => Ok(50),
        }
    }

    fn step(&self, scratch: &mut Heaps, joint: &[MoveId]) -> Result<(), StepError> {
        if scratch.sticks == [0, 0] {
            return Err(StepError::Terminal);
        }
        if joint.len() != 2 {
            return Err(StepError::WrongLength);
        }
        for (role, id) in self.roles.iter().zip(joint) {
            if !legal(self, scratch, role).contains(id) {
                return Err(StepError::Illegal(role));
            }
        }
        for (heap, count) in joint.iter().filter_map(|&id| taken(id).1) {
            scratch.sticks[heap] -= count;
        }
        scratch.turn = 1 - scratch.turn;
        Ok(())
    }

    fn facts(&self, state: &Heaps) -> Vec<Term> {
        let heap = |(heap, &count): (usize, &u8)| {
            Term::Function(self.sticks, vec![self.number(heap), self.number(count.into())])
        };
        let player = Term::Constant(self.players[usize::from(state.turn)]);
        let turn = Term::Function(self.turn, vec![player]);
        state.sticks.iter().enumerate().map(heap).chain([turn]).collect()
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        let (role, what) = taken(id);
        let term = match what {
            None => Term::Constant(self.wait),
            Some((heap, count)) => {
                Term::Function(self.take, vec![self.number(heap), self.number(count.into())])
            }
        };
        (role, term)
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        let is = |&id: &MoveId| self.move_term(id) == (role, term.clone());
        (0..2 * MOVES).map(MoveId).find(is)
    }
}

mod not_gdl {
    use super::*;

    /// How many plays of so many moves there are.
    fn plays(sticks: [u8; 2], length: usize) -> u64 {
        if length == 0 {
            return 1;
        }
        let after = |heap: usize, count: u8| {
            let mut rest = sticks;
            rest[heap] -= count;
            rest
        };
        let moves = (0..2).flat_map(|heap| (1..=sticks[heap]).map(move |count| (heap, count)));
        moves.map(|(heap, count)| plays(after(heap, count), length - 1)).sum()
    }

    #[test]
    fn keeps_the_contract() {
        for seed in 0..20 {
            let (one, other) = (Nim::new([3, 4]), AnyEngine::new(Nim::new([3, 4])));
            compare(&one, &other, seed).unwrap_or_else(|failure| panic!("{failure}"));
        }
    }

    #[test]
    fn is_counted() {
        let counted = perft(&Nim::new([3, 4]), 7, &AtomicBool::new(false), |_| {});
        let expected: Vec<u64> = (0..=7).map(|length| plays([3, 4], length)).collect();
        assert_eq!(counted.counts, expected);
    }

    #[test]
    fn is_played_at_random() {
        let run = FlatMonteCarlo { playouts: Some(500), ..FlatMonteCarlo::default() };
        let statistics = run.run(&Nim::new([3, 4]), &AtomicBool::new(false), |_| {});
        assert_eq!((statistics.playouts, statistics.capped, statistics.stuck), (500, 0, 0));
        let wins = |role: usize| statistics.roles[role].goals[100];
        assert!(wins(0) > 100 && wins(1) > 100 && wins(0) + wins(1) == 500);
    }

    #[test]
    fn is_thought_about() {
        let engine = AnyEngine::new(Nim::new([3, 4]));
        let mut scratch = engine.scratch();
        let position: Position = "(sticks 0 2) (sticks 1 1) (turn first)".parse().unwrap();
        position.enter(&engine, &mut scratch).expect("a state");
        let stop = AtomicBool::new(false);
        let budget =
            thinker::ThinkingTime { time: Duration::from_millis(300), stop: &stop, max_steps: 100 };
        for thinker in [Thinker::MonteCarlo, Thinker::Uct] {
            let best = think(thinker, &engine, &mut scratch, RoleId(0), budget, &mut seeded(1, 0));
            let best = best.expect("little work").expect("a move");
            // Heaps of one stick each are lost for whoever is to take.
            assert_eq!(engine.move_term(best).1.spelled(engine.symbols()), "(take 0 1)");
        }
    }
}

mod moves {
    use super::*;

    /// A play at random: the joint moves and the last state.
    fn play<E: Engine>(engine: &E, mut scratch: E::Scratch, seed: u64) -> (Vec<MoveId>, E::State) {
        let mut playout = Playout::default();
        let end = engine.playout(&mut scratch, &mut playout, &mut seeded(seed, 0), &mut || false);
        assert_eq!(end, End::Terminal);
        (playout.history().flatten().copied().collect(), engine.state(&scratch))
    }

    /// Threads play with copies of one scratch; each plays again what others have played.
    fn mean_the_same_in_threads<E: Engine>(engine: &E) {
        const THREADS: u64 = 3;
        let roles = engine.roles().count();
        let scratch = engine.scratch();
        let (send, received) = mpsc::channel();
        std::thread::scope(|scope| {
            for seed in 0..THREADS {
                let (scratch, send) = (scratch.clone(), send.clone());
                scope.spawn(move || {
                    send.send(play(engine, scratch, seed)).expect("somebody listens");
                });
            }
        });
        drop(send);
        let plays: Vec<_> = received.iter().collect();
        assert_eq!(plays.len() as u64, THREADS);
        let plays = &plays;
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                let mut scratch = scratch.clone();
                scope.spawn(move || {
                    for (moves, last) in plays {
                        engine.enter(&mut scratch, engine.initial());
                        for joint in moves.chunks(roles) {
                            engine.step(&mut scratch, joint).expect("moves of another scratch");
                        }
                        assert_eq!(engine.state(&scratch), *last);
                    }
                });
            }
        });
    }

    #[test]
    fn are_shared_between_threads() {
        mean_the_same_in_threads(&tree(TICTACTOE));
        mean_the_same_in_threads(&propnet(TICTACTOE));
        mean_the_same_in_threads(&rg(TICTACTOE, false));
        mean_the_same_in_threads(&Nim::new([4, 4]));
        mean_the_same_in_threads(&AnyEngine::new(tree(TICTACTOE)));
    }

    #[test]
    fn have_one_number_whoever_meets_them_first() {
        for (name, engine) in engines(TICTACTOE) {
            let numbers = |seed: u64| -> HashMap<(RoleId, Term), MoveId> {
                let (moves, _) = play(&engine, engine.scratch(), seed);
                moves.into_iter().map(|id| (engine.move_term(id), id)).collect()
            };
            let numbered = std::thread::scope(|scope| {
                let threads: Vec<_> =
                    (0..4).map(|seed| scope.spawn(move || numbers(seed))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
            });
            for ((role, term), id) in numbered.iter().flatten() {
                assert_eq!(engine.move_id(*role, term), Some(*id), "{name}");
                assert_eq!(engine.move_term(*id), (*role, term.clone()), "{name}");
            }
        }
    }

    #[test]
    fn belong_to_one_role() {
        // Both roles have a move of this name.
        let text = "(role a) (role b) (init x) (legal a go) (legal b go) (<= (next y) (does a go))
            (<= terminal (true y)) (goal a 0) (goal b 0)";
        agree(text);
        for (name, engine) in engines(text) {
            let mut scratch = engine.scratch();
            let [a, b] = [0, 1].map(|role| legal(&engine, &mut scratch, RoleId(role))[0]);
            assert_ne!(a, b, "{name}");
            assert_eq!(engine.step(&mut scratch, &[b, a]), Err(StepError::Illegal(RoleId(0))));
            assert_eq!(engine.step(&mut scratch, &[a, a]), Err(StepError::Illegal(RoleId(1))));
            assert_eq!(engine.step(&mut scratch, &[a]), Err(StepError::WrongLength));
            let strange = MoveId(u32::MAX);
            assert_eq!(
                engine.step(&mut scratch, &[a, strange]),
                Err(StepError::Illegal(RoleId(1)))
            );
            assert_eq!(engine.state(&scratch), *engine.initial(), "{name}");
            engine.step(&mut scratch, &[a, b]).expect("legal moves");
        }
    }
}

mod erased {
    use super::*;

    /// The same walk on an engine and on its erased form: the same in every respect.
    fn answers_as_inside<E: Engine>(engine: E) {
        let engine = Arc::new(engine);
        let any = AnyEngine::shared(engine.clone());
        assert_eq!((any.roles(), any.moves()), (engine.roles(), engine.moves()));
        assert_eq!(any.symbols(), engine.symbols());
        assert!(std::ptr::eq(any.downcast_ref::<E>().expect("the type inside"), &*engine));
        let (mut scratch, mut erased) = (engine.scratch(), any.scratch());
        for seed in 0..3 {
            engine.enter(&mut scratch, engine.initial());
            any.enter(&mut erased, any.initial());
            let mut random = seeded(seed, 0);
            for turn in 0.. {
                let view = View::of(&*engine, &mut scratch, turn).expect("little work");
                assert_eq!(View::of(&any, &mut erased, turn).as_ref(), Ok(&view));
                for role in engine.roles().iter() {
                    let moves = legal(&*engine, &mut scratch, role);
                    assert_eq!(legal(&any, &mut erased, role), moves);
                }
                let (state, other) = (engine.state(&scratch), any.state(&erased));
                assert_eq!(any.facts(&other), engine.facts(&state));
                assert_eq!(any.state_hash(&other), engine.state_hash(&state));
                assert_eq!(other == *any.initial(), state == *engine.initial());
                let mut saved = any.initial().clone();
                any.save(&erased, &mut saved);
                assert_eq!(saved, other);
                assert_eq!(format!("{saved:?}"), format!("{other:?}"));
                assert_eq!(any.step(&mut erased, &[]), engine.step(&mut scratch, &[]));
                let (mut one, mut two) = (Playout::default(), Playout::default());
                let (mut inside, mut outside) = (scratch.clone(), erased.clone());
                let ends = [
                    engine.playout(&mut inside, &mut one, &mut seeded(9, 0), &mut || false),
                    any.playout(&mut outside, &mut two, &mut seeded(9, 0), &mut || false),
                ];
                assert_eq!(ends[0], ends[1]);
                assert!(one.history().eq(two.history()));
                assert_eq!(any.facts(&any.state(&outside)), engine.facts(&engine.state(&inside)));
                if view.terminal {
                    break;
                }
                let joint = sorted_moves(&*engine, &mut scratch).expect("little work");
                let joint: Vec<MoveId> =
                    joint.iter().map(|moves| choose(moves, &mut random).expect("a move")).collect();
                assert_eq!(any.step(&mut erased, &joint), engine.step(&mut scratch, &joint));
                assert_eq!(
                    any.enter_facts(&mut erased, &engine.facts(&engine.state(&scratch))),
                    Ok(())
                );
            }
        }
        let unknown = Term::Constant(Symbol::ROLE);
        let facts =
            [&engine.facts(&engine.state(&scratch))[..], std::slice::from_ref(&unknown)].concat();
        let refused = engine.enter_facts(&mut scratch, &facts);
        assert_eq!(refused, Err(FactError::Unknown(unknown)));
        assert_eq!(any.enter_facts(&mut erased, &facts), refused);
    }

    #[test]
    fn engines_are_themselves() {
        for text in [TICTACTOE, include_str!("../../kif/rock_paper_scissors.kif")] {
            answers_as_inside(tree(text));
            answers_as_inside(propnet(text));
            answers_as_inside(rg(text, false));
        }
        answers_as_inside(Nim::new([2, 3]));
        // An engine that is erased twice is no other engine either.
        answers_as_inside(AnyEngine::new(tree(TICTACTOE)));
    }
}

mod terminal_states {
    use super::*;

    #[test]
    fn have_no_moves_whatever_the_rules_say() {
        let text = "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2)
            (legal a go) (legal a stay) (legal b go)
            (<= (next (n ?y)) (does a go) (true (n ?x)) (succ ?x ?y))
            (<= (next (n ?x)) (does a stay) (true (n ?x)))
            (<= terminal (true (n 1))) (<= (goal a 70) (true (n 1))) (goal b 5)";
        agree(text);
        for (name, engine) in engines(text) {
            let mut scratch = engine.scratch();
            let [a, b] = [0, 1].map(|role| legal(&engine, &mut scratch, RoleId(role)));
            assert_eq!((a.len(), b.len()), (2, 1), "{name}");
            let go = engine.symbols().get("go").map(Term::Constant).expect("a name");
            let joint = [engine.move_id(RoleId(0), &go).expect("a move"), b[0]];
            engine.step(&mut scratch, &joint).expect("legal moves");
            let over = engine.state(&scratch);
            assert_eq!(engine.terminal(&mut scratch), Ok(true), "{name}");
            for role in engine.roles().iter() {
                assert!(legal(&engine, &mut scratch, role).is_empty(), "{name}");
            }
            for joint in [&joint[..], &[]] {
                assert_eq!(engine.step(&mut scratch, joint), Err(StepError::Terminal), "{name}");
            }
            assert_eq!(engine.state(&scratch), over, "{name}");
            assert_eq!(engine.goal(&mut scratch, RoleId(0)), Ok(70), "{name}");
            assert_eq!(engine.goal(&mut scratch, RoleId(1)), Ok(5), "{name}");
            let mut playout = Playout::default();
            let end = engine.playout(&mut scratch, &mut playout, &mut seeded(1, 0), &mut || false);
            assert_eq!((end, playout.history().len()), (End::Terminal, 0), "{name}");
        }
    }
}

mod facts {
    use super::*;

    /// Facts in KIF, for an engine.
    fn read(engine: &AnyEngine, text: &str) -> Vec<Term> {
        let document = gdlr::kif::read(text).expect("expressions");
        let term = |expr| Term::from_expr(expr, engine.symbols()).expect("names of the game");
        document.items.iter().map(term).collect()
    }

    #[test]
    fn that_are_no_state_leave_the_scratch_as_it_was() {
        for (name, engine) in engines(TICTACTOE) {
            let mut scratch = engine.scratch();
            let mut playout = Playout::new(3);
            engine.playout(&mut scratch, &mut playout, &mut seeded(1, 0), &mut || false);
            let before = View::of(&engine, &mut scratch, 0);
            let own = engine.facts(&engine.state(&scratch));
            for unknown in ["wait", "(turn wait wait)", "(signed 1 1)", "(sign 1 1)"] {
                let unknown = read(&engine, unknown);
                let facts = [&own[..], &unknown[..]].concat();
                let refused = engine.enter_facts(&mut scratch, &facts);
                assert_eq!(refused, Err(FactError::Unknown(unknown[0].clone())), "{name}");
                assert_eq!(View::of(&engine, &mut scratch, 1), before, "{name}");
            }
            // A net has one wire for whose turn it is.
            let facts = read(&engine, "(turn crosses) (turn noughts)");
            let entered = engine.enter_facts(&mut scratch, &facts);
            if name == "tree" {
                assert_eq!(entered, Ok(()));
                assert_eq!(engine.facts(&engine.state(&scratch)).len(), 2);
            } else {
                assert!(matches!(entered, Err(FactError::Unreachable(_))), "{name}: {entered:?}");
                assert_eq!(View::of(&engine, &mut scratch, 2), before, "{name}");
            }
        }
    }

    #[test]
    fn may_be_named_twice_and_in_any_order() {
        for (name, engine) in engines(TICTACTOE) {
            let mut scratch = engine.scratch();
            let text = "(turn noughts) (signed 1 1 crosses) (turn noughts)";
            let facts = read(&engine, text);
            let entered = engine.enter_facts(&mut scratch, &facts);
            assert_eq!(entered, Ok(()), "{name}");
            assert_eq!(engine.facts(&engine.state(&scratch)).len(), 2, "{name}");
            assert_eq!(words(&engine, &mut scratch, RoleId(0)), ["wait"], "{name}");
            assert_eq!(legal(&engine, &mut scratch, RoleId(1)).len(), 8, "{name}");
        }
    }

    #[test]
    fn make_a_position_that_goes_from_engine_to_engine() {
        let mut positions = Vec::new();
        let engines = engines(TICTACTOE);
        let text = "(turn noughts)\n(signed 2 2 crosses) ; the middle";
        for (_, engine) in &engines {
            let mut scratch = engine.scratch();
            text.parse::<Position>().unwrap().enter(engine, &mut scratch).expect("a state");
            positions.push(Position::of(engine, &engine.state(&scratch)));
        }
        let first = &positions[0];
        assert!(positions.iter().all(|position| position == first));
        assert_eq!(first.facts(), ["(signed 2 2 crosses)", "(turn noughts)"]);
        assert_eq!(first.to_string(), "(signed 2 2 crosses)\n(turn noughts)\n");
        assert_eq!(first.to_string().parse::<Position>().as_ref(), Ok(first));
        for (name, engine) in &engines {
            let mut scratch = engine.scratch();
            let enter = |facts: &str, scratch: &mut _| {
                facts.parse::<Position>().expect("expressions").enter(engine, scratch)
            };
            for unreadable in ["(turn nobody)", "()", "(turn ?x)"] {
                let error = enter(unreadable, &mut scratch).expect_err("no fact");
                assert!(matches!(error, PositionError::Unreadable(_)), "{name}: {error:?}");
            }
            let error = enter("(turn noughts) wait", &mut scratch).expect_err("no fact");
            assert!(matches!(error, PositionError::Facts(FactError::Unknown(_))), "{error:?}");
            assert_eq!(engine.state(&scratch), *engine.initial(), "{name}");
        }
        assert!("(turn".parse::<Position>().is_err());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn make_a_position_that_is_a_list_of_strings() {
        let engine = tree(TICTACTOE);
        let position = Position::of(&engine, engine.initial());
        let json = serde_json::to_string(&position).expect("JSON");
        assert_eq!(json, r#"["(turn crosses)"]"#);
        assert_eq!(serde_json::from_str::<Position>(&json).expect("a position"), position);
        // Whatever order somebody else wrote them in.
        let sorted: Position = serde_json::from_str(r#"["b", "(a 1)", "b"]"#).expect("a position");
        assert_eq!(sorted.facts(), ["(a 1)", "b"]);
    }
}

mod meaning {
    use super::*;

    #[test]
    fn a_goal_is_a_term_and_not_what_is_in_it() {
        let text = "(role a) (init x) (legal a go) (<= (next y) (does a go)) (<= terminal (true y))
            (goal a (f 70))";
        agree(text);
        for (name, engine) in engines(text) {
            let error = engine.goal(&mut engine.scratch(), RoleId(0)).expect_err("no integer");
            let GoalError::Improper(values) = error else { panic!("{name}: {error:?}") };
            let values: Vec<String> =
                values.iter().map(|value| value.canonical(engine.symbols())).collect();
            assert_eq!(values, ["(f 70)"], "{name}");
        }
    }

    #[test]
    fn a_goal_may_be_a_number_where_terms_could_stand() {
        let text = "(role a) (init (score 50)) (init (memo (s 1))) (init (step 1)) (legal a go)
            (succ 1 2) (succ 2 3) (succ 3 4)
            (<= (next (score ?x)) (true (score ?x)) (not (true (step 3))))
            (<= (next (score ?x)) (true (memo ?x)) (true (step 3)))
            (<= (next (memo ?x)) (true (memo ?x)))
            (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
            (<= (goal a ?x) (true (score ?x))) (<= terminal (true (step 4)))";
        agree(text);
        for (name, engine) in engines(text) {
            let mut scratch = engine.scratch();
            for _ in 0..3 {
                assert_eq!(engine.goal(&mut scratch, RoleId(0)), Ok(50), "{name}");
                let moves = legal(&engine, &mut scratch, RoleId(0));
                engine.step(&mut scratch, &moves).expect("a legal move");
            }
            let error = engine.goal(&mut scratch, RoleId(0)).expect_err("no integer");
            assert!(matches!(&error, GoalError::Improper(values) if values.len() == 1), "{name}");
        }
    }

    #[test]
    fn improper_goals_have_all_their_values() {
        let text = "(role a) (init x) (legal a go) (<= (next y) (does a go)) (<= terminal (true y))
            (goal a 20) (goal a 10) (<= (goal a 101) (true y)) (<= (goal a many) (true y))";
        agree(text);
        for (name, engine) in engines(text) {
            let mut scratch = engine.scratch();
            for count in [2, 4] {
                let error = engine.goal(&mut scratch, RoleId(0)).expect_err("several values");
                let GoalError::Improper(values) = error else { panic!("{name}: {error:?}") };
                assert!(values.is_sorted() && values.len() == count, "{name}: {values:?}");
                let moves = legal(&engine, &mut scratch, RoleId(0));
                let _ = engine.step(&mut scratch, &moves);
            }
        }
    }

    #[test]
    fn what_a_role_may_do_does_not_depend_on_whether_others_are_stuck() {
        for (roles, free, stuck) in [("(role a) (role b)", 0, 1), ("(role b) (role a)", 1, 0)] {
            for moves in ["(legal a left) (legal a right)", "(legal a left)"] {
                let text = format!(
                    "{roles} (init (at 0)) {moves} (<= (legal b wait) (true (at 1)))
                    (<= (legal b rest) (true (at 1)))
                    (<= (next (at 1)) (true (at 0))) (<= terminal (true (at 2)))
                    (<= (goal ?r 0) (role ?r))"
                );
                agree(&text);
                for (name, engine) in engines(&text) {
                    let mut scratch = engine.scratch();
                    let expected: &[&str] =
                        if moves.contains("right") { &["left", "right"] } else { &["left"] };
                    assert_eq!(words(&engine, &mut scratch, RoleId(free)), expected, "{name}");
                    assert!(legal(&engine, &mut scratch, RoleId(stuck)).is_empty(), "{name}");
                    let end = engine.playout(
                        &mut scratch,
                        &mut Playout::default(),
                        &mut seeded(1, 0),
                        &mut || false,
                    );
                    assert_eq!(end, End::Stuck(RoleId(stuck)), "{name}");
                }
            }
        }
    }
}

/// Whether a random move is listed first or not makes no difference.
#[test]
fn a_random_move_is_the_one_chosen_of_all() {
    // Moves of more columns than fit into one number, and a role that is stuck at the end.
    let wide = "(role a) (role b) (init (left 3)) (n 1) (n 2) (n 3)
        (<= (legal a (m ?a ?b ?c 1 2 3 ?c)) (n ?a) (n ?b) (n ?c) (true (left ?a)))
        (<= (legal b (k ?a)) (n ?a) (not (true (left 1))))
        (<= (next (left 2)) (true (left 3))) (<= (next (left 1)) (true (left 2)))
        (<= terminal (true (left 0))) (goal a 50) (goal b 50)";
    for text in
        [include_str!("../../kif/breakthrough.kif"), include_str!("../../kif/nim.kif"), wide]
    {
        for (name, engine) in engines(text) {
            let (mut rng, mut scratch) = (seeded(3, 0), engine.scratch());
            let mut memory = Vec::new();
            for _ in 0..30 {
                let mut joint = Vec::new();
                for role in engine.roles().iter() {
                    let all = legal(&engine, &mut scratch, role);
                    let expected = choose(&all, &mut rng.clone());
                    let drawn = engine.random_legal(&mut scratch, role, &mut memory, &mut rng);
                    assert_eq!(drawn, Ok(expected), "{name}");
                    joint.extend(expected);
                }
                if engine.step(&mut scratch, &joint).is_err() {
                    break;
                }
            }
        }
    }
}
