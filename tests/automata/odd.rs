//! Small rulesheets of odd shape, in every way in which they are written as automata, against the
//! other engines.

use crate::programs::odd::rulesheet;
use gdlr::budget::Meter;
use gdlr::check::check;
use gdlr::diagnostic::Severity;
use gdlr::engine::AnyEngine;
use gdlr::export::{Export, Origin, RgEngine, each_from_rules, from_game, from_rules};
use gdlr::gdl::Game;
use gdlr::ground::{Budget, Ground};
use gdlr::net::Net;
use gdlr::play::crosscheck::{CrosscheckOptions, NamedEngine, crosscheck};
use gdlr::propnet::Propnet;
use gdlr::rg;
use gdlr::tree::{Tree, TreeOptions};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How many rulesheets are tried; `ODD_PROGRAMS` says another number, and `ODD_FIRST` the number
/// of the first one. 20,000 take five minutes with the tests' optimisation.
const PROGRAMS: u64 = 40;

/// The outcome of a rulesheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// It may not be played, or cannot be ground.
    Refused,
    /// Its rules cannot be written, and why that is said.
    Unsuited,
    /// It was written from its rules.
    Written,
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Why the rules of a small game may not be written; all else is a mistake.
const REASONS: [&str; 4] = [
    "a role that never moves",
    "a rule that asks twice for what it is about",
    "a rule that becomes too many",
    "a fact is held by more than a latch",
];

fn is_sound(export: &Export) -> Result<(), String> {
    let text = export.text().map_err(|error| error.to_string())?;
    let again = rg::read(&text).map_err(|errors| format!("{}\n{text}", errors[0]))?;
    let diagnostics = rg::validate(&again);
    match diagnostics.iter().find(|one| one.severity() == Severity::Error) {
        Some(error) => Err(format!("{error}\n{text}")),
        None => Ok(()),
    }
}

/// All engines on a rulesheet, and what is wrong with one.
fn tried(text: &str) -> Result<Tried, String> {
    let game = Game::from_kif("odd", text).map_err(|errors| errors[0].to_string())?;
    if Game::forbidding(&check(&game)).next().is_some() {
        return Ok(Tried::Refused);
    }
    let game = Arc::new(game);
    let budget = Budget { time: Duration::from_secs(20), ..Budget::default() };
    let Ok(ground) = Ground::within(game.clone(), &budget.start()) else {
        return Ok(Tried::Refused);
    };
    let Ok(net) = Net::of_ground(&ground, &budget.start()) else { return Ok(Tried::Refused) };
    let tree = Tree::new(game.clone(), &TreeOptions::default()).map_err(|e| e.to_string())?;
    let mut engines = vec![
        NamedEngine::new("tree", AnyEngine::new(tree)),
        NamedEngine::new("propnet", AnyEngine::new(Propnet::of_net(game.clone(), net.clone()))),
    ];
    let mut texts = String::new();
    let mut tried = Tried::Written;
    for joint in [false, true] {
        let engine = RgEngine::new(game.clone(), &net, joint).map_err(|e| e.to_string())?;
        is_sound(engine.export())?;
        engines.push(NamedEngine::new(format!("net, joint {joint}"), AnyEngine::new(engine)));
        let export = from_rules(&game, &ground, &net, joint, &budget.start());
        match export.map_err(|exhausted| format!("from the rules: {exhausted}"))? {
            Ok(_) => {}
            Err(why) if REASONS.contains(&&*why) => tried = Tried::Unsuited,
            Err(why) => return Err(format!("not written: {why}")),
        }
        let each = each_from_rules(&game, &ground, &net, joint, &budget.start());
        for (way, export) in each.map_err(|e| e.to_string())?.into_iter().enumerate() {
            is_sound(&export)?;
            texts += &export.text().map_err(|error| error.to_string())?;
            let meter = Meter::unlimited();
            let engine = RgEngine::of_export(game.clone(), &net, export, &meter);
            let engine = engine.map_err(|error| format!("{error}\n{texts}"))?;
            let name = format!("rules {way}, joint {joint}");
            engines.push(NamedEngine::new(&name, AnyEngine::new(engine)));
        }
    }
    let written = from_game(game, None, false, &budget.start()).map_err(|e| e.to_string())?;
    if (written.origin == Origin::Rules) != (tried == Tried::Written) {
        return Err("not what it is written from".to_owned());
    }
    let options = CrosscheckOptions {
        playouts: 4,
        max_steps: 8,
        perft_nodes: 60,
        ..CrosscheckOptions::default()
    };
    let result = crosscheck(&engines, &options, &AtomicBool::new(false), |_| {});
    match (result.difference, result.limit) {
        (Some(difference), _) => Err(format!("{difference}\n{texts}")),
        (None, Some((_, limit))) => Err(format!("{limit}\n{texts}")),
        (None, None) => Ok(tried),
    }
}

/// Tries the rulesheet of a number, and says what goes wrong if something does.
fn tried_number(program: u64, stuck: bool) -> Option<Tried> {
    let text = rulesheet(program, stuck);
    let result = catch_unwind(AssertUnwindSafe(|| tried(&text)));
    let wrong = match result.unwrap_or_else(|_| Err("a panic".to_owned())) {
        Ok(tried) => return Some(tried),
        Err(wrong) => wrong,
    };
    let wrong: String = wrong.chars().take(6000).collect();
    eprintln!("number {program}: {wrong}\n{text}");
    None
}

/// Tries rulesheets, and says of those that go wrong what does.
#[track_caller]
pub fn all_agree(stuck: bool) {
    let count = number("ODD_PROGRAMS").unwrap_or(PROGRAMS);
    let first = number("ODD_FIRST").unwrap_or(0);
    let mut wrong = Vec::new();
    let (mut played, mut written) = (0, 0);
    for program in first..first + count {
        match tried_number(program, stuck) {
            Some(Tried::Refused) => {}
            Some(Tried::Unsuited) => played += 1,
            Some(Tried::Written) => {
                played += 1;
                written += 1;
            }
            None => wrong.push(program),
        }
    }
    eprintln!("{count} rulesheets, {played} played, {written} written from their rules");
    assert!(wrong.is_empty(), "wrong: {wrong:?}");
    // They are no trifles for either.
    assert!(2 * played > count, "{played} of {count} are played");
    assert!(4 * written > 3 * played, "{written} of {played} are written from their rules");
}

#[test]
fn odd_rulesheets_mean_the_same_on_all_engines() {
    all_agree(false);
}

#[test]
fn roles_may_be_stuck_on_all_engines() {
    all_agree(true);
}

/// Those that went wrong once:
///
/// * a variable stands twice in a move, and one of the places is a symbol;
/// * a column cannot have a value that a rule gives it;
/// * a frame rule keeps only some facts;
/// * moves of one name use a column or do not;
/// * a relation has one fact that changes, and a rule is about others;
/// * the play is over before its first move.
#[test]
fn what_went_wrong_once_is_right() {
    let programs = [
        190, 285, 356, 448, 1152, 5525, 5593, 7284, 7286, 7336, 9033, 10723, 13558, 14277, 14869,
        15042, 15585, 16738, 17890, 18083, 18097, 19954,
    ];
    for program in programs {
        assert!(tried_number(program, false).is_some(), "number {program}");
    }
    // Play never ends.
    for program in [3115, 5282, 18997] {
        assert!(tried_number(program, true).is_some(), "number {program}");
    }
}
