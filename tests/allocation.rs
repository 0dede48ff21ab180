//! Playing allocates nothing: not a step, a list of legal moves, a test for the end, a goal or
//! a state that is saved, once the tables have grown to the size that the play needs.
//!
//! A few hundred playouts are played with fixed seeds, then the same ones again while every
//! allocation is counted. A test file of its own, with a single test: others would count too.

mod rulesheets;

use gdlr::automaton::{AutomatonEngine, AutomatonGame};
use gdlr::batch::Batch;
use gdlr::engine::{Engine, MoveId, choose, seeded};
use gdlr::export::from_net;
use gdlr::gdl::Game;
use gdlr::ground::{Budget, GroundError};
use gdlr::propnet::{Propnet, State};
use gdlr::rg::Description;
use gdlr::tree::{Tree, TreeOptions};
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed on to the system's allocator as it comes.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as required of the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as required of the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as required of the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The memory that a game may take while it is played.
const MOST_BYTES: usize = 200 << 20;

/// The memory that belongs to whoever plays.
struct Buffers<E: Engine> {
    state: E::State,
    moves: Vec<MoveId>,
    joint: Vec<MoveId>,
}

/// Playouts from the initial state, at most so many steps in all; how many steps and
/// improper goal values there were.
fn play<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    Buffers { state, moves, joint }: &mut Buffers<E>,
    playouts: usize,
    most_steps: usize,
) -> (usize, usize) {
    let mut random = seeded(7, 0);
    let (mut steps, mut improper) = (0, 0);
    for _ in 0..playouts {
        engine.enter(scratch, engine.initial());
        while engine.terminal(scratch) == Ok(false) {
            joint.clear();
            for role in engine.roles().iter() {
                engine.legal(scratch, role, moves).expect("little work");
                joint.extend(choose(moves, &mut random));
            }
            engine.step(scratch, joint).expect("a legal joint move");
            engine.save(scratch, state);
            steps += 1;
            if steps == most_steps {
                return (steps, improper);
            }
        }
        for role in engine.roles().iter() {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            if engine.goal(scratch, role).is_err() {
                // A few sheets give a role two values; the error that lists them may allocate.
                ALLOCATIONS.store(before, Ordering::Relaxed);
                improper += 1;
            }
        }
    }
    (steps, improper)
}

fn allocations_of<E: Engine>(engine: &E, scratch: &mut E::Scratch) -> (usize, usize) {
    let state = engine.initial().clone();
    let mut buffers = Buffers { state, moves: Vec::new(), joint: Vec::new() };
    let mut run = || play(engine, scratch, &mut buffers, 300, 3_000);
    // Twice: tables change places in a step, and each of the two must have grown.
    let warm = run();
    assert_eq!(warm, run(), "the same seed is the same play");
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let (steps, improper) = run();
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert_eq!(warm, (steps, improper), "the same seed is the same play");
    (steps, allocations)
}

fn allocations_of_automaton(description: Description) -> (usize, usize) {
    let game = AutomatonGame::new("game", description).expect("few names");
    let engine = AutomatonEngine::new(game).expect("an automaton");
    allocations_of(&engine, &mut engine.scratch())
}

/// From one state and from several at once.
fn allocations_of_batch(batch: &Batch, initial: &State) -> (usize, usize) {
    let mut scratch = batch.scratch();
    let states = [initial.clone(), initial.clone(), initial.clone()];
    let mut run = || {
        let many = batch.rollouts_many(&mut scratch, &states, 100, 2);
        let steps: u64 = many.iter().map(|found| found.states).sum();
        steps + batch.rollouts(&mut scratch, initial, 700, 1).states
    };
    let warm = run();
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let steps = run();
    let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
    assert_eq!(warm, steps, "the same seed is the same play");
    (steps as usize, allocations)
}

#[test]
fn playing_allocates_nothing() {
    let kif = ["tictactoe", "connect4", "breakthrough", "hex", "reversi", "pentago", "nim"];
    let corpus = include_str!("../benches/yardstick.tsv").lines();
    let own = kif.iter().map(|name| Path::new("kif").join(name).with_extension("kif"));
    let names = corpus.filter_map(|line| line.split('\t').next());
    let others = names.filter_map(rulesheets::public);
    let mut failed = Vec::new();
    for path in own.chain(others) {
        let text = std::fs::read_to_string(&path).expect("a rulesheet");
        let game = Game::from_kif("game", &text).expect("rules");
        let tree = Tree::new(game.clone(), &TreeOptions::default()).expect("a game to play");
        let mut scratch = tree.scratch();
        let of_tree = allocations_of(&tree, &mut scratch);
        assert!(scratch.bytes() < MOST_BYTES, "{}: {} bytes", path.display(), scratch.bytes());
        let budget = Budget { time: Duration::from_secs(2), ..Budget::default() };
        let (of_propnet, of_batch, of_automaton) = match Propnet::new(game.clone(), &budget) {
            Ok(propnet) => {
                let export = from_net(propnet.net(), &game, false);
                // A large one takes long.
                let of_automaton = match path.starts_with("kif") {
                    true => allocations_of_automaton(export.description),
                    false => (1, 0),
                };
                let batch = Batch::of_net(game, propnet.net().clone());
                let of_propnet = allocations_of(&propnet, &mut propnet.scratch());
                (of_propnet, allocations_of_batch(&batch, propnet.initial()), of_automaton)
            }
            Err(GroundError::Exhausted(_)) => ((1, 0), (1, 0), (1, 0)),
            Err(refused) => panic!("{refused}"),
        };
        let all = [
            ("tree", of_tree),
            ("propnet", of_propnet),
            ("batch", of_batch),
            ("automaton", of_automaton),
        ];
        for (engine, (steps, allocations)) in all {
            assert!(steps > 0);
            if allocations > 0 {
                failed
                    .push(format!("{engine}: {}: {allocations} in {steps} steps", path.display()));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
