//! `crosscheck`: engines that agree pass, and one that is wrong somewhere is found out, with
//! a short play of legal moves that leads to where it is wrong.

use crate::naive::Naive;
use gdlr::diagnostic::{Code, Diagnostic, Span};
use gdlr::engine::{
    AnyEngine, Engine, FactError, GoalError, MoveId, RoleId, Roles, StepError, WorkLimit,
};
use gdlr::gdl::{Game, SymbolTable, Term};
use gdlr::play::crosscheck::{
    Aspect, CrosscheckOptions, Crosschecked, Difference, NamedEngine, PlayPosition, Turn,
    crosscheck,
};
use gdlr::tree::{Scratch, State, Tree, TreeOptions};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

fn game(text: &str) -> Game {
    Game::from_kif("test", text).expect("a rulesheet")
}

fn tree(text: &str) -> Tree {
    Tree::new(game(text), &TreeOptions::default()).expect("a game")
}

fn named<E: Engine>(name: &str, engine: E) -> NamedEngine {
    NamedEngine::new(name, AnyEngine::new(engine))
}

fn run(engines: &[NamedEngine], options: &CrosscheckOptions) -> Crosschecked {
    crosscheck(engines, options, &AtomicBool::new(false), |_| {})
}

/// The tree against the naive evaluator.
#[track_caller]
fn agrees(name: &str, text: &str, options: &CrosscheckOptions) -> Crosschecked {
    let (naive, tree) = (Naive::new(game(text)).expect("a game"), tree(text));
    let engines = [named("naive", naive), named("tree", tree)];
    let result = run(&engines, options);
    if let Some(difference) = &result.difference {
        panic!("{name}: {difference}");
    }
    assert_eq!(result.limit, None, "{name}");
    assert_eq!(result.playouts, options.playouts, "{name}");
    result
}

mod agreement {
    use super::*;

    #[test]
    fn bundled_games() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("kif");
        for entry in folder.read_dir().expect("a folder") {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a rulesheet");
            // The naive evaluator takes its time.
            let options = CrosscheckOptions {
                playouts: 1,
                max_steps: 6,
                perft_nodes: 30,
                ..CrosscheckOptions::default()
            };
            agrees(&path.display().to_string(), &text, &options);
        }
    }

    #[test]
    fn small_rulesheets() {
        for text in [
            // Two goal values, one that is none, and one that is missing at times.
            "(role a) (role b) (init (n 0)) (v 1) (<= (legal ?r go) (role ?r))
             (<= (legal a (stay ?x ?x)) (v ?x)) (<= (legal ?r wait) (role ?r) (true (n ?x)))
             (<= (next (n 1)) (does a go)) (<= (next (n 2)) (does b wait) (true (n 1)))
             (<= (next (n 0)) (does b go) (does a wait)) (<= terminal (true (n 2)))
             (<= (goal a 10) (true (n ?x))) (<= (goal a 20) (true (n 1)))
             (<= (goal b many) (true (n 0))) (<= (goal b 0) (true (n 2)))",
            // A role without a move in the end.
            "(role a) (role b) (init (at 0)) (<= (legal a go) (true (at ?x)))
             (<= (legal b go) (true (at 0))) (<= (next (at 1)) (true (at 0)))
             (<= terminal (true (at 2))) (<= (goal ?r 0) (role ?r))",
            // Terminal at once, and still with moves.
            "(role a) (init x) (legal a go) terminal (goal a 100)",
        ] {
            agrees("small", text, &CrosscheckOptions::default());
        }
    }

    #[test]
    fn counts() {
        let options = CrosscheckOptions { playouts: 5, perft_nodes: 80, ..Default::default() };
        let result = agrees("tictactoe", TICTACTOE, &options);
        // Of the 72 joint moves to depth 2, 71 are played.
        assert_eq!((&result.perft[..], result.perft_nodes), (&[1, 9][..], 80));
        let options = CrosscheckOptions { perft_nodes: 585, ..options };
        let result = agrees("tictactoe", TICTACTOE, &options);
        assert_eq!(result.perft, [1, 9, 72, 504]);
        assert_eq!(result.perft_terminal, [0; 4]);
        assert_eq!((result.capped, result.stuck, result.times.len()), (0, 0, 2));
        let none = CrosscheckOptions { playouts: 0, perft_nodes: 0, ..options };
        let result = agrees("tictactoe", TICTACTOE, &none);
        // Before perft, and before the playouts that are none.
        assert_eq!((result.perft, result.states), (vec![1], 3));
        let capped = CrosscheckOptions { playouts: 3, max_steps: 4, perft_nodes: 0, ..options };
        assert_eq!(agrees("tictactoe", TICTACTOE, &capped).capped, 3);
    }

    #[test]
    fn a_seed_gives_the_same_again() {
        let run = |seed| {
            let options = CrosscheckOptions { seed, perft_nodes: 0, ..Default::default() };
            let result = agrees("nim", include_str!("../../kif/nim.kif"), &options);
            Crosschecked { times: Vec::new(), ..result }
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1).states, run(2).states);
    }

    #[test]
    fn stopping_is_no_difference() {
        let tree = AnyEngine::new(tree(TICTACTOE));
        let engines = ["one", "other"].map(|name| NamedEngine::new(name, tree.clone()));
        let options = CrosscheckOptions { playouts: u64::MAX, ..Default::default() };
        let result = crosscheck(&engines, &options, &AtomicBool::new(true), |_| {});
        assert!(result.interrupted && result.difference.is_none());
        let stop = AtomicBool::new(false);
        let result = crosscheck(&engines, &options, &stop, |progress| {
            stop.store(progress.playouts >= 10, Ordering::Relaxed);
        });
        assert!(result.interrupted && result.difference.is_none());
        assert_eq!(result.playouts, 10);
    }
}

const TICTACTOE: &str = include_str!("../../kif/tictactoe.kif");

/// The error of a wrong engine, in states where `when` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    LosesFact,
    LosesMove,
    ListsMoveTwice,
    WrongGoal,
    NoGoal,
    WrongTerminal,
    /// Playing a joint move there leads nowhere.
    WrongStep,
    RefusesStep,
    /// Entering such a state does nothing.
    WrongEnter,
    /// After such a state has been entered, a move is missing until another one is.
    StaleEnter,
    /// The states are never equal to any other.
    WrongIdentity,
    WrongHash,
    /// The facts of such a state are refused.
    RefusesFacts,
    /// Entering the facts of such a state loses one.
    LosesEnteredFact,
    /// Such a state is too much work.
    GivesUp,
    /// Something is wrong at random.
    Fickle,
}

/// The tree engine, with a fault in tic-tac-toe.
struct Wrong {
    tree: Tree,
    fault: Fault,
    /// Which states, by their facts.
    when: fn(&[String]) -> bool,
    clock: AtomicU64,
    /// The origin of the state whose facts were asked for last.
    asked: AtomicU64,
    initial: (State, u64),
}

#[derive(Clone)]
struct WrongScratch {
    inner: Scratch,
    stale: bool,
    origin: u64,
}

impl Wrong {
    fn new(fault: Fault, when: fn(&[String]) -> bool) -> Wrong {
        let tree = tree(TICTACTOE);
        let initial = (tree.initial().clone(), 0);
        Wrong { tree, fault, when, clock: AtomicU64::new(0), asked: AtomicU64::new(0), initial }
    }

    fn at(&self, fault: Fault, state: &State) -> bool {
        self.fault == fault && (self.when)(&facts(&self.tree, state))
    }

    fn here(&self, fault: Fault, scratch: &WrongScratch) -> bool {
        self.at(fault, &self.tree.state(&scratch.inner))
    }
}

fn facts(tree: &Tree, state: &State) -> Vec<String> {
    in_words(tree, &tree.facts(state))
}

fn in_words(tree: &Tree, facts: &[Term]) -> Vec<String> {
    facts.iter().map(|term| term.canonical(tree.symbols())).collect()
}

impl Engine for Wrong {
    type State = (State, u64);
    type Scratch = WrongScratch;

    fn roles(&self) -> &Roles {
        self.tree.roles()
    }

    fn symbols(&self) -> &SymbolTable {
        self.tree.symbols()
    }

    fn moves(&self) -> Option<usize> {
        self.tree.moves()
    }

    fn scratch(&self) -> WrongScratch {
        WrongScratch { inner: self.tree.scratch(), stale: false, origin: 0 }
    }

    fn initial(&self) -> &(State, u64) {
        &self.initial
    }

    fn enter(&self, scratch: &mut WrongScratch, state: &(State, u64)) {
        if !self.at(Fault::WrongEnter, &state.0) {
            self.tree.enter(&mut scratch.inner, &state.0);
        }
        scratch.stale = self.at(Fault::StaleEnter, &state.0);
        scratch.origin = state.1;
    }

    fn enter_facts(&self, scratch: &mut WrongScratch, facts: &[Term]) -> Result<(), FactError> {
        let here = |fault| self.fault == fault && (self.when)(&in_words(&self.tree, facts));
        if here(Fault::RefusesFacts) {
            return Err(FactError::Unreachable(None));
        }
        let lost = usize::from(here(Fault::LosesEnteredFact));
        scratch.origin = self.asked.load(Ordering::Relaxed);
        self.tree.enter_facts(&mut scratch.inner, &facts[lost..])
    }

    fn save(&self, scratch: &WrongScratch, state: &mut (State, u64)) {
        self.tree.save(&scratch.inner, &mut state.0);
        state.1 = scratch.origin;
    }

    fn state_hash(&self, state: &(State, u64)) -> u64 {
        self.tree.state_hash(&state.0) ^ u64::from(self.at(Fault::WrongHash, &state.0))
    }

    fn terminal(&self, scratch: &mut WrongScratch) -> Result<bool, WorkLimit> {
        if self.here(Fault::GivesUp, scratch) {
            let reason = Diagnostic::new(Code::TooMuchWork, Span::default(), "too much");
            return Err(WorkLimit::new(reason));
        }
        Ok(self.tree.terminal(&mut scratch.inner)? != self.here(Fault::WrongTerminal, scratch))
    }

    fn legal(
        &self,
        scratch: &mut WrongScratch,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), WorkLimit> {
        self.tree.legal(&mut scratch.inner, role, moves)?;
        let fickle = self.fault == Fault::Fickle && {
            let time = self.clock.fetch_add(1, Ordering::Relaxed);
            time == 100
        };
        if self.here(Fault::LosesMove, scratch) || scratch.stale || fickle {
            moves.pop();
        }
        if self.here(Fault::ListsMoveTwice, scratch) {
            moves.push(moves[0]);
        }
        Ok(())
    }

    fn goal(&self, scratch: &mut WrongScratch, role: RoleId) -> Result<u8, GoalError> {
        if self.here(Fault::NoGoal, scratch) {
            return Err(GoalError::Missing);
        }
        let wrong = self.here(Fault::WrongGoal, scratch) && role == RoleId(1);
        let goal = self.tree.goal(&mut scratch.inner, role);
        if wrong { goal.map(|value| value ^ 1) } else { goal }
    }

    fn step(&self, scratch: &mut WrongScratch, joint: &[MoveId]) -> Result<(), StepError> {
        if self.here(Fault::RefusesStep, scratch) {
            return Err(StepError::Illegal(RoleId(1)));
        }
        scratch.stale = false;
        let before = self.tree.state(&scratch.inner);
        self.tree.step(&mut scratch.inner, joint)?;
        if self.at(Fault::WrongStep, &before) {
            self.tree.enter(&mut scratch.inner, &before);
        }
        if self.fault == Fault::WrongIdentity {
            scratch.origin = self.clock.fetch_add(1, Ordering::Relaxed) + 1;
        }
        Ok(())
    }

    fn facts(&self, state: &(State, u64)) -> Vec<Term> {
        self.asked.store(state.1, Ordering::Relaxed);
        let mut facts = self.tree.facts(&state.0);
        if self.at(Fault::LosesFact, &state.0) {
            facts.retain(|fact| matches!(fact, Term::Function(_, args) if args.len() > 1));
        }
        facts
    }

    fn move_term(&self, id: MoveId) -> (RoleId, Term) {
        self.tree.move_term(id)
    }

    fn move_id(&self, role: RoleId, term: &Term) -> Option<MoveId> {
        self.tree.move_id(role, term)
    }
}

/// In tic-tac-toe there is a fact for each move and one for the turn.
fn after_four(facts: &[String]) -> bool {
    facts.len() == 5
}

/// Crosses has signed two corners, which takes three joint moves.
fn two_corners(facts: &[String]) -> bool {
    ["(signed 1 1 crosses)", "(signed 3 3 crosses)"].iter().all(|f| facts.iter().any(|g| g == f))
}

fn check(wrong: Wrong, options: &CrosscheckOptions) -> Crosschecked {
    run(&[named("right", tree(TICTACTOE)), named("wrong", wrong)], options)
}

/// The difference by a fault.
#[track_caller]
fn difference(
    fault: Fault,
    when: fn(&[String]) -> bool,
    options: &CrosscheckOptions,
) -> Difference {
    let wrong = Wrong::new(fault, when);
    let difference = check(wrong, options).difference;
    let difference = *difference.unwrap_or_else(|| panic!("{fault:?} is not found"));
    assert_eq!((&*difference.first, &*difference.dissents[0].engine), ("right", "wrong"));
    let last = replayed(&difference.play);
    assert_eq!(last, sorted(difference.facts.clone()), "the play leads to the state");
    difference
}

fn sorted(mut strings: Vec<String>) -> Vec<String> {
    strings.sort_unstable();
    strings
}

/// The facts after a play, all of whose moves are legal.
fn replayed(play: &[Turn]) -> Vec<String> {
    let right = tree(TICTACTOE);
    let symbols = right.symbols();
    let mut scratch = right.scratch();
    let mut states = vec![right.state(&scratch)];
    for turn in play {
        match turn {
            Turn::Enter(after) => right.enter(&mut scratch, &states[*after]),
            Turn::Play(joint) => {
                assert_eq!(right.terminal(&mut scratch), Ok(false));
                let ids: Vec<MoveId> = (joint.iter().zip(0u16..))
                    .map(|(name, role)| {
                        let mut moves = Vec::new();
                        right.legal(&mut scratch, RoleId(role), &mut moves).expect("little work");
                        let is = |id: &MoveId| right.move_term(*id).1.canonical(symbols) == *name;
                        moves.into_iter().find(is).unwrap_or_else(|| panic!("{name} is illegal"))
                    })
                    .collect();
                right.step(&mut scratch, &ids).expect("a legal joint move");
            }
        }
        states.push(right.state(&scratch));
    }
    sorted(facts(&right, &right.state(&scratch)))
}

const PLAYOUTS_ONLY: CrosscheckOptions = CrosscheckOptions {
    playouts: 200,
    seed: 1,
    max_steps: 1000,
    perft_nodes: 0,
    shortening: 10_000,
};

mod faults {
    use super::*;

    /// Perft and playouts both find a fault, after so many turns.
    #[track_caller]
    fn difference_of(fault: Fault, turns: usize, aspect: &Aspect) -> Difference {
        let by_perft = difference(fault, after_four, &CrosscheckOptions::default());
        assert_eq!((&by_perft.aspect, by_perft.play.len()), (aspect, turns));
        assert!(matches!(by_perft.place, PlayPosition::Perft { .. }), "{:?}", by_perft.place);
        assert!(by_perft.shortest && by_perft.repeatable && by_perft.is_plain());
        let by_chance = difference(fault, after_four, &PLAYOUTS_ONLY);
        assert_eq!((&by_chance.aspect, by_chance.play.len()), (aspect, turns));
        assert!(matches!(by_chance.place, PlayPosition::Playout { .. }), "{:?}", by_chance.place);
        assert!(!by_chance.shortest && by_chance.repeatable && by_chance.is_plain());
        by_perft
    }

    #[test]
    fn facts() {
        let lost = difference_of(Fault::LosesFact, 4, &Aspect::Facts);
        assert_eq!(lost.dissents[0].lacks, ["(turn crosses)"]);
        assert_eq!(lost.says, "lists 5 facts");
    }

    #[test]
    fn legal_moves() {
        let crosses = || Aspect::Legal("crosses".to_owned());
        let lost = difference_of(Fault::LosesMove, 4, &crosses());
        assert_eq!((lost.dissents[0].lacks.len(), lost.dissents[0].adds.len()), (1, 0));
        let twice = difference_of(Fault::ListsMoveTwice, 4, &crosses());
        assert_eq!((twice.dissents[0].lacks.len(), twice.dissents[0].adds.len()), (0, 1));
    }

    #[test]
    fn goals() {
        let wrong = difference_of(Fault::WrongGoal, 4, &Aspect::Goal("noughts".to_owned()));
        assert!(wrong.dissents[0].says.starts_with("says "), "{wrong}");
        let none = difference_of(Fault::NoGoal, 4, &Aspect::Goal("crosses".to_owned()));
        assert_eq!(none.dissents[0].says, "finds no value");
    }

    #[test]
    fn terminality() {
        let wrong = difference_of(Fault::WrongTerminal, 4, &Aspect::Terminal);
        assert_eq!((&*wrong.says, &*wrong.dissents[0].says), ("says no", "says yes"));
    }

    #[test]
    fn steps() {
        difference_of(Fault::WrongStep, 5, &Aspect::Facts);
        // The facts are those of the state that cannot be left.
        let wrong = Wrong::new(Fault::RefusesStep, after_four);
        let refused = check(wrong, &CrosscheckOptions::default()).difference.expect("a refusal");
        assert_eq!((&refused.aspect, refused.play.len()), (&Aspect::Step, 5));
        assert_eq!(refused.facts.len(), 5);
        assert_eq!(refused.says, "plays it");
        assert_eq!(
            refused.dissents[0].says,
            "refuses the joint move: the move of role 1 is not legal"
        );
    }

    #[test]
    fn a_long_play_is_made_short() {
        let difference = difference(Fault::LosesMove, two_corners, &PLAYOUTS_ONLY);
        assert_eq!(difference.play.len(), 3, "{difference}");
        // The first that is met need not be the shortest.
        let unshortened = CrosscheckOptions { shortening: 0, ..PLAYOUTS_ONLY };
        let wrong = Wrong::new(Fault::LosesMove, two_corners);
        let raw = check(wrong, &unshortened).difference.expect("a difference");
        assert!(raw.play.len() > 3 && !raw.repeatable, "{raw}");
    }

    #[test]
    fn in_the_initial_state() {
        let difference = difference(Fault::LosesMove, |_| true, &CrosscheckOptions::default());
        assert_eq!((difference.place, difference.play.len()), (PlayPosition::Initial, 0));
        assert!(difference.shortest);
    }

    #[test]
    fn entering() {
        for fault in [Fault::WrongEnter, Fault::StaleEnter] {
            for options in [CrosscheckOptions::default(), PLAYOUTS_ONLY] {
                let difference = difference(fault, after_four, &options);
                // Four moves to the state, for the first fault away from it, and back.
                let fewest = if fault == Fault::WrongEnter { 6 } else { 5 };
                assert_eq!(difference.play.len(), fewest, "{difference}");
                assert_eq!(difference.play.last(), Some(&Turn::Enter(4)), "{difference}");
                assert!(difference.repeatable && !difference.shortest && !difference.is_plain());
            }
        }
    }

    #[test]
    fn equal_states() {
        let difference = difference(Fault::WrongIdentity, |_| true, &CrosscheckOptions::default());
        assert_eq!(difference.aspect, Aspect::Identity);
        assert_eq!(difference.dissents[0].says, "finds it new");
    }

    #[test]
    fn hashes() {
        let wrong = difference_of(Fault::WrongHash, 4, &Aspect::Hash);
        assert!(wrong.says.starts_with("says ") && wrong.dissents[0].says.starts_with("says "));
        assert_ne!(wrong.says, wrong.dissents[0].says);
    }

    #[test]
    fn entering_facts() {
        for fault in [Fault::RefusesFacts, Fault::LosesEnteredFact] {
            let wrong = difference_of(fault, 4, &Aspect::Restored);
            assert_eq!((&*wrong.says, &*wrong.dissents[0].says), ("finds it", "does not"));
        }
    }

    #[test]
    fn what_does_not_come_again_is_told_nevertheless() {
        let wrong = Wrong::new(Fault::Fickle, |_| true);
        let difference =
            check(wrong, &CrosscheckOptions::default()).difference.expect("a difference");
        assert!(!difference.repeatable, "{difference}");
        assert!(matches!(difference.aspect, Aspect::Legal(_)));
    }

    #[test]
    fn giving_up_is_no_difference() {
        let wrong = Wrong::new(Fault::GivesUp, after_four);
        let result = check(wrong, &CrosscheckOptions::default());
        assert!(result.difference.is_none());
        let (engine, reason) = result.limit.expect("a reason");
        assert_eq!((engine, reason.diagnostic().code), (1, Code::TooMuchWork));
    }

    #[test]
    fn all_engines_are_compared() {
        let right = AnyEngine::new(tree(TICTACTOE));
        let wrong = Wrong::new(Fault::WrongTerminal, after_four);
        let goal = Wrong::new(Fault::WrongTerminal, |facts| facts.len() == 4);
        let engines = [
            NamedEngine::new("right", right.clone()),
            NamedEngine::new("also right", right),
            named("wrong", wrong),
            named("wrong before", goal),
        ];
        let names = |result: Crosschecked| -> Vec<String> {
            let difference = result.difference.expect("a difference");
            difference.dissents.into_iter().map(|dissent| dissent.engine).collect()
        };
        assert_eq!(names(run(&engines, &CrosscheckOptions::default())), ["wrong before"]);
        assert_eq!(names(run(&engines[..3], &CrosscheckOptions::default())), ["wrong"]);
        // The first is the measure, right or wrong.
        let turned = [engines[2].clone(), engines[0].clone(), engines[1].clone()];
        let names = names(run(&turned, &CrosscheckOptions::default()));
        assert_eq!(names, ["right", "also right"]);
    }
}

mod text {
    use super::*;

    #[test]
    fn of_a_play() {
        let difference = difference(Fault::LosesMove, after_four, &CrosscheckOptions::default());
        insta::assert_snapshot!(difference, @r"
right and wrong differ at depth 4 of perft
  legal crosses: wrong lacks (sign 3 3)
  after these 4 joint moves; no shorter play differs:
     1. (sign 1 1)  wait
     2. wait  (sign 1 2)
     3. (sign 1 3)  wait
     4. wait  (sign 2 1)
  facts there: (signed 1 1 crosses) (signed 1 2 noughts) (signed 1 3 crosses) (signed 2 1 noughts) (turn crosses)
");
    }

    #[test]
    fn of_a_value() {
        let difference =
            difference(Fault::WrongTerminal, |f| f.len() == 2, &CrosscheckOptions::default());
        insta::assert_snapshot!(difference, @r"
right and wrong differ at depth 1 of perft
  terminal: right says no, wrong says yes
  after this joint move; no shorter play differs:
     1. (sign 1 1)  wait
  facts there: (signed 1 1 crosses) (turn noughts)
");
    }

    #[test]
    fn of_a_way_with_jumps() {
        let difference = difference(Fault::WrongEnter, |f| f.len() == 3, &PLAYOUTS_ONLY);
        insta::assert_snapshot!(difference, @r"
right and wrong differ in playout 1 at step 6
  facts: wrong lacks (signed 1 1 noughts) (signed 2 1 crosses)
  after these 4 turns:
     1. (sign 2 1)  wait
     2. wait  (sign 1 1)
     3. the initial state is entered again
     4. the state after turn 2 is entered again
  facts there: (signed 1 1 noughts) (signed 2 1 crosses) (turn crosses)
");
    }

    #[test]
    fn of_the_initial_state() {
        let difference = difference(Fault::LosesFact, |_| true, &CrosscheckOptions::default());
        insta::assert_snapshot!(difference, @r"
right and wrong differ in the initial state
  facts: wrong lacks (turn crosses)
  facts there: (turn crosses)
");
    }
}
