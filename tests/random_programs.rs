//! Engines against the naive evaluator, and the evaluator against itself, on random
//! rulesheets.

mod naive;
mod programs;

use gdlr::engine::{Engine, GoalError, MoveId, RoleId};
use gdlr::gdl::{Game, Term};
use gdlr::play::trace::sorted_strings;
use gdlr::tree::{Tree, TreeOptions};
use naive::Naive;
use programs::{Program, programs};
use proptest::prelude::*;
use proptest::test_runner::Config;

/// How many joint moves a random play has.
const STEPS: usize = 8;
/// How much work a state may be before a rulesheet is passed over.
const WORK: u64 = 200_000;

fn game(program: &Program) -> Game {
    match Game::from_kif("random", &program.to_string()) {
        Ok(game) => game,
        Err(found) => panic!("{}\n{program}", found[0]),
    }
}

/// All that can be asked of a state, as strings.
#[derive(Debug, PartialEq, Eq)]
struct View {
    facts: Vec<String>,
    terminal: bool,
    legal: Vec<Vec<String>>,
    goals: Vec<Result<u8, Vec<String>>>,
}

/// Looks at the state of the scratch, and notes the moves in the order of their strings.
fn view<E: Engine>(engine: &E, scratch: &mut E::Scratch, ids: &mut Vec<Vec<MoveId>>) -> View {
    let symbols = &engine.game().symbols;
    let roles = engine.game().roles.len();
    let facts = sorted_strings(&engine.facts(&engine.state(scratch)), symbols);
    let terminal = engine.terminal(scratch);
    let mut legal = Vec::new();
    ids.clear();
    for role in 0..roles {
        let mut moves = Vec::new();
        engine.legal(scratch, RoleId(role as u16), &mut moves);
        moves.sort_by_cached_key(|&id| engine.move_term(scratch, id).canonical(symbols));
        let name = |&id: &MoveId| engine.move_term(scratch, id).canonical(symbols);
        legal.push(moves.iter().map(name).collect());
        ids.push(moves);
    }
    let goals = (0..roles).map(|role| match engine.goal(scratch, RoleId(role as u16)) {
        Ok(value) => Ok(value),
        Err(GoalError::Missing) => Err(Vec::new()),
        Err(GoalError::Improper(values)) => Err(sorted_strings(&values, symbols)),
    });
    View { facts, terminal, legal, goals: goals.collect() }
}

/// Plays at random on both engines, behind terminal states, too, and compares every state.
/// Now and then the play goes on from a state that was met before.
fn compare<A: Engine, B: Engine>(a: &A, b: &B, seed: u64) -> Result<(), String> {
    let mut scratch = (a.scratch(), b.scratch());
    let mut ids = (Vec::new(), Vec::new());
    let mut met = vec![(a.initial().clone(), b.initial().clone())];
    let mut random = Choices(seed);
    for step in 0..STEPS {
        let left = view(a, &mut scratch.0, &mut ids.0);
        let right = view(b, &mut scratch.1, &mut ids.1);
        if left != right {
            return Err(format!("step {step}: {left:#?}\nis not {right:#?}"));
        }
        for moves in &ids.1 {
            for &id in moves {
                let term = b.move_term(&scratch.1, id);
                if b.move_id(&mut scratch.1, &term) != Some(id) {
                    return Err(format!("step {step}: {term:?} has another number than its own"));
                }
            }
        }
        if left.legal.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let choice: Vec<usize> = left.legal.iter().map(|moves| random.below(moves.len())).collect();
        let joint = |ids: &[Vec<MoveId>]| -> Vec<MoveId> {
            choice.iter().zip(ids).map(|(&at, moves)| moves[at]).collect()
        };
        a.step(&mut scratch.0, &joint(&ids.0)).map_err(|error| error.to_string())?;
        b.step(&mut scratch.1, &joint(&ids.1)).map_err(|error| error.to_string())?;
        met.push((a.state(&scratch.0), b.state(&scratch.1)));
        if random.below(4) == 0 {
            let (left, right) = &met[random.below(met.len())];
            a.enter(&mut scratch.0, left);
            b.enter(&mut scratch.1, right);
        }
        for (left, right) in &met {
            let (now_left, now_right) = met.last().expect("the state at hand");
            if (left == now_left) != (right == now_right) {
                return Err(format!("step {step}: equal states on one engine only"));
            }
        }
    }
    Ok(())
}

/// Random numbers that need not be good.
struct Choices(u64);

impl Choices {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

/// The naive evaluator, unless a play would be too much work.
fn affordable(program: &Program, seed: u64) -> Option<Naive> {
    let naive = Naive::with_limit(game(program), WORK).ok()?;
    let mut scratch = naive.scratch();
    let mut met = vec![naive.initial().clone()];
    let mut random = Choices(seed);
    for _ in 0..STEPS {
        naive.prepare(&mut scratch).ok()?;
        let symbols = &naive.game().symbols;
        let mut joint: Vec<Term> = Vec::new();
        for role in 0..naive.game().roles.len() {
            let mut moves: Vec<Term> =
                naive.legal_terms(&mut scratch, RoleId(role as u16)).into_iter().collect();
            moves.sort_by_cached_key(|term| term.canonical(symbols));
            if moves.is_empty() {
                return Some(naive);
            }
            joint.push(moves.swap_remove(random.below(moves.len())));
        }
        naive.advance(&mut scratch, &joint).ok()?;
        met.push(naive.state(&scratch));
        if random.below(4) == 0 {
            let state = met[random.below(met.len())].clone();
            naive.enter(&mut scratch, &state);
        }
    }
    Some(naive)
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
    compare(&naive, &engine, seed).map_err(TestCaseError::fail)
}

/// The engine `tree` with the switches that the four lowest bits of `switches` say.
fn tree(game: Game, switches: u64) -> Result<Tree, String> {
    let on = |bit: u32| switches >> bit & 1 == 0;
    let options = TreeOptions {
        filters: on(0),
        hashing: on(1),
        filter_removal: on(2),
        redundant_removal: on(3),
    };
    Tree::new(game, &options).map_err(|error| format!("{options:?}: {error}"))
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
    for _ in 0..300 {
        let program = programs().new_tree(&mut runner).expect("a program").current();
        let Some(naive) = affordable(&program, 1) else { continue };
        played += 1;
        let graph = gdlr::gdl::Dependencies::new(naive.game());
        recursive += usize::from((0..graph.relations.len() as u32).any(|r| graph.in_cycle(r, r)));
        let mut scratch = naive.scratch();
        let mut ids = Vec::new();
        let mut random = Choices(1);
        let mut met = std::collections::BTreeSet::from([naive.initial().clone()]);
        let (mut choice, mut end) = (false, false);
        for _ in 0..STEPS {
            end |= naive.terminal(&mut scratch);
            view(&naive, &mut scratch, &mut ids);
            choice |= ids.iter().any(|moves| moves.len() > 1);
            let joint: Vec<MoveId> =
                ids.iter().map(|moves| moves[random.below(moves.len())]).collect();
            naive.step(&mut scratch, &joint).expect("legal moves");
            met.insert(naive.state(&scratch));
        }
        changing += usize::from(met.len() > 2);
        choosing += usize::from(choice);
        ending += usize::from(end);
    }
    let counts = [played, changing, choosing, recursive, ending];
    assert!(
        played > 200 && changing > 60 && choosing > 60 && recursive > 60 && ending > 30,
        "played, changing, choosing, recursive, ending: {counts:?}"
    );
}
