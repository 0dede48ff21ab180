//! Chance and hidden information (GDL-II): the rulesheets of `kif/` that show them, on every engine.

use gdlr::batch::{Batch, Width};
use gdlr::engine::{AnyEngine, AnyScratch, Engine, MoveId, RoleId, choose};
use gdlr::export::RgEngine;
use gdlr::gdl::{Game, Term};
use gdlr::ground::Budget;
use gdlr::net::Net;
use gdlr::play::thinker::{Thinker, ThinkingTime, think};
use gdlr::play::{FlatMonteCarlo, InformationSets, Statistics, information_sets, seeded};
use gdlr::propnet::Propnet;
use gdlr::tree::{Tree, TreeOptions};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const MONTY_HALL: &str = include_str!("../../kif/monty_hall.kif");
const KUHN_POKER: &str = include_str!("../../kif/kuhn_poker.kif");
const KRIEG: &str = include_str!("../../kif/krieg_tictactoe.kif");
const DICE_RACE: &str = include_str!("../../kif/dice_race.kif");

/// `a` takes 60 points, or has a coin tossed for 100. Chance has no goal.
const TOSS: &str = "
    (role a) (role random) (init asked)
    (<= (legal a safe) (true asked)) (<= (legal a toss) (true asked))
    (<= (legal random heads) (true asked)) (<= (legal random tails) (true asked))
    (<= (next safe) (does a safe))
    (<= (next won) (does a toss) (does random heads))
    (<= terminal (not (true asked)))
    (<= (goal a 60) (true safe)) (<= (goal a 100) (true won))
    (<= (goal a 0) (not (true safe)) (not (true won)))";

fn game(text: &str) -> Arc<Game> {
    Arc::new(Game::from_kif("test", text).expect("a rulesheet"))
}

fn net(game: &Arc<Game>) -> Net {
    Net::of_game(game.clone(), &Budget::default()).expect("a game that grounds")
}

fn tree(text: &str) -> AnyEngine {
    AnyEngine::new(Tree::new(game(text), &TreeOptions::default()).expect("a game"))
}

fn propnet(text: &str) -> AnyEngine {
    let game = game(text);
    AnyEngine::new(Propnet::of_net(game.clone(), net(&game)))
}

/// Every engine of single states, by name.
fn engines(text: &str) -> [(&'static str, AnyEngine); 3] {
    let game = game(text);
    let rg = RgEngine::new(game.clone(), &net(&game), false).expect("a playable automaton");
    [("tree", tree(text)), ("propnet", propnet(text)), ("rg", AnyEngine::new(rg))]
}

fn number(playouts: u64) -> FlatMonteCarlo {
    let threads = NonZeroUsize::MIN;
    FlatMonteCarlo { playouts: Some(playouts), threads, ..FlatMonteCarlo::default() }
}

/// Random playouts on every engine: 1,000,000 of them in lanes, of each width.
fn playouts(text: &str) -> Vec<(String, Statistics)> {
    let never = AtomicBool::new(false);
    let game = game(text);
    let batch = Batch::of_net(game.clone(), net(&game));
    let single = engines(text)
        .map(|(name, engine)| (name.to_owned(), number(20_000).run(&engine, &never, |_| {})));
    let widths = Width::ALL.into_iter().filter(|width| width.is_available());
    let lanes = widths.map(|width| {
        let batch = batch.clone().with_width(width).expect("an available width");
        let name = format!("batch, {} lanes", width.lanes());
        (name, number(1_000_000).run(&batch, &never, |_| {}))
    });
    single.into_iter().chain(lanes).collect()
}

fn legal(engine: &AnyEngine, scratch: &mut AnyScratch, role: RoleId) -> Vec<MoveId> {
    let mut moves = Vec::new();
    engine.legal(scratch, role, &mut moves).expect("little work");
    moves
}

fn word(engine: &AnyEngine, id: MoveId) -> String {
    engine.move_term(id).1.canonical(engine.symbols())
}

/// By role: what it is going to see of a joint move, in words.
fn seen(engine: &AnyEngine, scratch: &mut AnyScratch, joint: &[MoveId]) -> Vec<Vec<String>> {
    let words = |percepts: Vec<Term>| {
        percepts.iter().map(|percept| percept.canonical(engine.symbols())).collect()
    };
    engine.percepts(scratch, joint).expect("legal moves").into_iter().map(words).collect()
}

/// A step of a play: the joint move, and by role the percepts, with commas between them.
type Step<'a, const ROLES: usize> = ([&'a str; ROLES], [&'a str; ROLES]);

/// Plays on every engine, and compares what each role sees of every step.
fn follow<const ROLES: usize>(text: &str, steps: &[Step<ROLES>]) {
    for (name, engine) in engines(text) {
        assert!(engine.has_percepts(), "{name}");
        let mut scratch = engine.scratch();
        for (number, (moves, percepts)) in steps.iter().enumerate() {
            let at = format!("{name}, step {}", number + 1);
            let joint: Vec<MoveId> = engine
                .roles()
                .iter()
                .zip(moves)
                .map(|(role, wanted)| {
                    let moves = legal(&engine, &mut scratch, role);
                    let chosen = moves.into_iter().find(|&id| word(&engine, id) == **wanted);
                    chosen.unwrap_or_else(|| panic!("{at}: {wanted} is not legal"))
                })
                .collect();
            let told = seen(&engine, &mut scratch, &joint);
            let told: Vec<String> = told.iter().map(|percepts| percepts.join(", ")).collect();
            assert_eq!(told, percepts, "{at}");
            engine.step(&mut scratch, &joint).expect("legal moves");
        }
        assert_eq!(engine.terminal(&mut scratch), Ok(true), "{name}");
    }
}

/// The information sets of a game, in plays of so many joint moves.
fn sets(text: &str, depth: usize) -> InformationSets {
    information_sets(&propnet(text), depth, 1 << 18, &AtomicBool::new(false), |_| {})
}

/// In how many information sets a role has a choice.
fn choosing(sets: &InformationSets, role: usize) -> u64 {
    sets.depths.iter().map(|depth| depth.roles[role].choosing).sum()
}

/// The rules of Monty Hall for a candidate with one way to decide.
fn candidate_who_does_not(decide: &str) -> String {
    let rule = format!("(<= (legal candidate {decide})\n    (true (stage deciding)))\n");
    assert_eq!(MONTY_HALL.matches(&rule).count(), 1);
    MONTY_HALL.replace(&rule, "")
}

#[test]
fn switching_wins_two_times_out_of_three() {
    for (other, expected) in [("stay", 2.0 / 3.0), ("switch", 1.0 / 3.0)] {
        for (name, found) in playouts(&candidate_who_does_not(other)) {
            let count = found.playouts as f64;
            let error = (2.0 / 9.0 / count).sqrt();
            let share = found.roles[0].goals[100] as f64 / count;
            assert!((share - expected).abs() < 5.0 * error, "{name}, no {other}: {share}");
            assert_eq!(found.roles[0].goals[0] + found.roles[0].goals[100], found.playouts);
        }
    }
}

/// The choices of chance in a play, as a condition on the state, and how likely it is beside the others.
type Outcome = (String, u32);

/// The rules for games that end where `over` holds. The goal of the first role there is the number
/// of the outcome.
fn until(text: &str, over: &str, outcomes: &[Outcome]) -> String {
    // Rules for the end are left out, with their bodies.
    let (mut rules, mut kept) = (String::new(), true);
    for line in text.lines() {
        if !line.starts_with(' ') {
            kept = !line.starts_with("(<= terminal") && !line.starts_with("(<= (goal");
        }
        if kept {
            rules += &format!("{line}\n");
        }
    }
    let roles = text.lines().filter_map(|line| line.strip_prefix("(role ")?.strip_suffix(')'));
    let names: Vec<&str> = roles.filter(|&name| name != "random").collect();
    rules += &format!("(<= terminal {over})\n");
    for (number, (condition, _)) in outcomes.iter().enumerate() {
        rules += &format!("(<= (goal {} {number}) {condition})\n", names[0]);
    }
    for name in &names[1..] {
        rules += &format!("(goal {name} 0)\n");
    }
    rules
}

/// The six deals of Kuhn poker.
fn deals() -> Vec<Outcome> {
    let cards = ["jack", "queen", "king"];
    let pairs = cards.iter().flat_map(|ann| cards.iter().map(move |ben| (ann, ben)));
    let deal = |(ann, ben)| (format!("(true (holds ann {ann})) (true (holds ben {ben}))"), 1);
    pairs.filter(|(ann, ben)| ann != ben).map(deal).collect()
}

/// The nine ways two dice of three sides fall.
fn rolls() -> Vec<Outcome> {
    let dice = (1..=3).flat_map(|one| (1..=3).map(move |other| (one, other)));
    dice.map(|(one, other)| (format!("(true (dice {one} {other}))"), 1)).collect()
}

/// The doors of Monty Hall: with the car, picked, opened. The host can choose what to open where
/// the car is behind the picked door; then each of the two ways comes half as often.
fn doors() -> Vec<Outcome> {
    let doors =
        (1..=27).map(|number| [(number - 1) / 9 + 1, (number - 1) / 3 % 3 + 1, number % 3 + 1]);
    let open = |[car, picked, opened]: &[u32; 3]| opened != car && opened != picked;
    let outcome = |[car, picked, opened]: [u32; 3]| {
        let weight = if car == picked { 1 } else { 2 };
        (format!("(true (car {car})) (true (picked {picked})) (true (opened {opened}))"), weight)
    };
    doors.filter(open).map(outcome).collect()
}

/// Pearson's chi-square of what playouts ended with.
fn chi_square(found: &Statistics, outcomes: &[Outcome]) -> f64 {
    let counts = &found.roles[0].goals[..outcomes.len()];
    assert_eq!(counts.iter().sum::<u64>(), found.playouts, "each playout has one outcome");
    let weights: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
    let squares = counts.iter().zip(outcomes).map(|(&count, (_, weight))| {
        let expected = found.playouts as f64 * f64::from(*weight) / f64::from(weights);
        (count as f64 - expected).powi(2) / expected
    });
    squares.sum()
}

#[test]
fn chance_takes_each_of_its_moves_equally_often() {
    // The bounds are exceeded with a chance of one in a million, for 5, 8 and 11 degrees of freedom.
    for (text, over, outcomes, bound) in [
        (KUHN_POKER, "(true (stage opening))", deals(), 35.89),
        (DICE_RACE, "rolled", rolls(), 42.70),
        (MONTY_HALL, "(true (stage deciding))", doors(), 48.87),
    ] {
        for (name, found) in playouts(&until(text, over, &outcomes)) {
            let deviation = chi_square(&found, &outcomes);
            assert!(deviation < bound, "{name}: {deviation} in {:?}", &found.roles[0].goals[..12]);
        }
    }
}

/// With a second move for one of the deals that comes twice as often, which is what would be found
/// if an engine preferred a move.
#[test]
fn a_loaded_pack_is_noticed() {
    let outcomes = deals();
    let again = "(<= (legal random again) (true (stage dealing)))
        (<= (gets ann king) (does random again)) (<= (gets ben jack) (does random again))\n";
    for (name, found) in playouts(&(until(KUHN_POKER, "(true (stage opening))", &outcomes) + again))
    {
        // A seventh of the plays for each deal but one: the sum of squares is 5/49 of the plays.
        let share = chi_square(&found, &outcomes) / found.playouts as f64;
        assert!((share - 5.0 / 49.0).abs() < 0.02, "{name}: {share}");
    }
}

#[test]
fn the_candidate_sees_the_door_that_opens_and_in_the_end_the_car() {
    follow(
        MONTY_HALL,
        &[
            (["wait", "(hide 2)"], ["", ""]),
            (["(pick 1)", "wait"], ["", ""]),
            (["wait", "(open 3)"], ["(goat 3)", ""]),
            (["switch", "wait"], ["(prize 2)", ""]),
        ],
    );
    follow(
        MONTY_HALL,
        &[
            (["wait", "(hide 3)"], ["", ""]),
            (["(pick 3)", "wait"], ["", ""]),
            (["wait", "(open 1)"], ["(goat 1)", ""]),
            (["stay", "wait"], ["(prize 3)", ""]),
        ],
    );
}

#[test]
fn poker_players_see_their_cards_and_hear_each_other() {
    follow(
        KUHN_POKER,
        &[
            (["wait", "wait", "(deal king jack)"], ["(dealt king)", "(dealt jack)", ""]),
            (["check", "wait", "wait"], ["", "(hears check)", ""]),
            (["wait", "bet", "wait"], ["(hears bet)", "", ""]),
            (["call", "wait", "wait"], ["(shown jack)", "(hears call), (shown king)", ""]),
        ],
    );
    // After a fold nobody shows a card.
    follow(
        KUHN_POKER,
        &[
            (["wait", "wait", "(deal jack queen)"], ["(dealt jack)", "(dealt queen)", ""]),
            (["bet", "wait", "wait"], ["", "(hears bet)", ""]),
            (["wait", "fold", "wait"], ["(hears fold)", "", ""]),
        ],
    );
}

#[test]
fn poker_players_choose_in_six_information_sets_each() {
    let sets = sets(KUHN_POKER, 4);
    assert_eq!((sets.unfinished.as_ref(), sets.depths.len()), (None, 5));
    assert_eq!([choosing(&sets, 0), choosing(&sets, 1)], [6, 6]);
}

/// A goal is 50 and 25 for each coin won, and what one wins the other loses.
#[test]
fn poker_pays_what_is_in_the_pot() {
    let (engine, mut rng) = (tree(KUHN_POKER), seeded(1, 0));
    let mut plays = BTreeSet::new();
    for _ in 0..2_000 {
        let mut scratch = engine.scratch();
        let mut words = Vec::new();
        while engine.terminal(&mut scratch) == Ok(false) {
            let roles = engine.roles().iter();
            let joint: Vec<MoveId> = roles
                .map(|role| choose(&legal(&engine, &mut scratch, role), &mut rng).expect("a move"))
                .collect();
            words.extend(joint.iter().map(|&id| word(&engine, id)).filter(|word| word != "wait"));
            engine.step(&mut scratch, &joint).expect("legal moves");
        }
        let mut goal = |role| engine.goal(&mut scratch, RoleId(role)).expect("a goal");
        plays.insert((words.join(" "), [goal(0), goal(1)]));
    }
    assert_eq!(plays.len(), 6 * 5, "six deals, five ways to play each");
    for (words, goals) in plays {
        assert_eq!(goals[0] + goals[1], 100, "{words}");
        let ann_has_more =
            ["king jack", "king queen", "queen jack"].map(|deal| words.contains(deal));
        let won = match words.split(") ").nth(1).expect("what was said") {
            "bet fold" => 25,
            "check bet fold" => -25,
            said => {
                let coins = if said.contains("call") { 50 } else { 25 };
                if ann_has_more.contains(&true) { coins } else { -coins }
            }
        };
        assert_eq!(i32::from(goals[0]), 50 + won, "{words}");
    }
}

/// In Monty Hall the candidate picks once, and decides knowing its door and the one that opened.
#[test]
fn the_candidate_cannot_tell_where_the_car_is() {
    let sets = sets(MONTY_HALL, 4);
    let counts: Vec<u64> = sets.depths.iter().map(|depth| depth.roles[0].sets).collect();
    // In the end the car is behind the door picked first or the one that is left.
    assert_eq!(counts, [1, 1, 3, 6, 6 * 2 * 2]);
    assert_eq!(choosing(&sets, 0), 1 + 6);
}

/// The percepts of a role always tell it which moves it has, and whether the game is over.
#[test]
fn nobody_is_in_the_dark() {
    for (text, depth) in [
        (MONTY_HALL, 4),
        (KUHN_POKER, 4),
        (KRIEG, 5),
        (DICE_RACE, 5),
        (include_str!("../../kif/pig.kif"), 8),
        (include_str!("../../kif/hidden_whist.kif"), 4),
    ] {
        let sets = sets(text, depth);
        let title = text.lines().next();
        assert_eq!((sets.dark.len(), sets.unfinished, sets.depths.len()), (0, None, depth + 1));
        let last = sets.depths.last().expect("depths");
        assert!(last.situations >= last.roles[0].sets && last.roles[0].sets > 1, "{title:?}");
    }
}

/// The percepts of players of Krieg-tictactoe say whether a square was taken and whether the game is
/// over, and it does not depend on the square otherwise.
#[test]
fn no_percept_tells_the_square_of_the_other() {
    let allowed = ["taken", "your_turn", "(wins crosses)", "(wins noughts)", "no_square_left"];
    let (engine, mut rng) = (propnet(KRIEG), seeded(1, 0));
    let (mut refused, mut met) = (0, BTreeSet::new());
    for _ in 0..200 {
        let mut scratch = engine.scratch();
        while engine.terminal(&mut scratch) == Ok(false) {
            let moves = [0, 1].map(|role| legal(&engine, &mut scratch, RoleId(role)));
            let mover =
                if moves[0].len() > 1 || word(&engine, moves[1][0]) == "wait" { 0 } else { 1 };
            let facts = engine.facts(&engine.state(&scratch));
            let facts: Vec<String> =
                facts.iter().map(|fact| fact.canonical(engine.symbols())).collect();
            let mut quiet = BTreeSet::new();
            for &id in &moves[mover] {
                let mut joint = [moves[0][0], moves[1][0]];
                joint[mover] = id;
                let percepts = seen(&engine, &mut scratch, &joint);
                let place = word(&engine, id).replace("(try ", "(signed ").replace(')', " ");
                let taken = facts.iter().any(|fact| fact.starts_with(&place));
                let mut after = scratch.clone();
                engine.step(&mut after, &joint).expect("legal moves");
                let over = engine.terminal(&mut after) == Ok(true);
                if taken {
                    refused += 1;
                    assert_eq!(percepts[mover], ["taken"]);
                    assert!(percepts[1 - mover].is_empty() && !over);
                } else if !over {
                    quiet.insert(percepts.clone());
                }
                met.extend(percepts.into_iter().flatten());
            }
            assert!(quiet.len() <= 1, "one way to see a square signed: {quiet:?}");
            if let Some(percepts) = quiet.first() {
                assert!(percepts[mover].is_empty());
                assert_eq!(percepts[1 - mover], ["your_turn"]);
            }
            let mut joint = [moves[0][0], moves[1][0]];
            joint[mover] = choose(&moves[mover], &mut rng).expect("a move");
            engine.step(&mut scratch, &joint).expect("legal moves");
        }
    }
    assert!(refused > 100, "{refused}");
    assert_eq!(met, BTreeSet::from(allowed.map(str::to_owned)));
}

/// Chance without a goal is no defect, on no engine; one with two goal values is.
#[test]
fn chance_needs_no_goal() {
    for (name, found) in playouts(TOSS) {
        assert_eq!(found.defect, None, "{name}");
        assert_eq!([found.roles[0].improper, found.roles[1].improper], [0, 0], "{name}");
        assert_eq!(found.roles[1].mean_goal(), None, "{name}");
        assert!((found.roles[0].mean_goal().expect("goals") - 55.0).abs() < 2.0, "{name}");
    }
    let two = format!("{TOSS} (<= (goal random 1) (true won)) (<= (goal random 2) (true won))");
    for (name, found) in playouts(&two) {
        let share = found.roles[1].improper as f64 / found.playouts as f64;
        assert!((share - 0.25).abs() < 0.03, "{name}: {share}");
        assert_eq!(found.roles[0].improper, 0, "{name}");
    }
}

/// A player looks ahead, though chance has no goal.
#[test]
fn players_reckon_with_chance() {
    let stop = AtomicBool::new(false);
    let (engine, mut rng) = (tree(TOSS), seeded(1, 0));
    let budget = ThinkingTime { time: Duration::from_millis(50), stop: &stop, max_steps: 100 };
    for thinker in [Thinker::MonteCarlo, Thinker::Uct] {
        for _ in 0..8 {
            let mut scratch = engine.scratch();
            let chosen = think(thinker, &engine, &mut scratch, RoleId(0), budget, &mut rng);
            let chosen = chosen.expect("little work").expect("a move");
            assert_eq!(word(&engine, chosen), "safe", "{thinker:?}");
        }
    }
}
