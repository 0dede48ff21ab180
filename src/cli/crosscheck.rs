//! `gdlr crosscheck`: engines against each other.

use super::engine::{self, GroundArguments, Made, kind_parser, with_states};
use super::output::{self, counted, duration, grouped, rounded, seconds};
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Failure, Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::engine::EngineKind;
use gdlr::play::crosscheck::{
    CrosscheckOptions, Crosschecked, Difference, NamedEngine, Progress, Stage, Turn, crosscheck,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Walk the same play down several engines and compare every state
#[derive(Debug, Args)]
#[command(after_help = "\
Facts, legal moves, terminality, goals and percepts are compared in every state
of all short sequences of joint moves and of random playouts, which leave for
earlier states now and then. Exits with 1 at the first difference, which is
shown with a play that leads to it, as short as could be found.

Examples:
  gdlr crosscheck tictactoe
  gdlr crosscheck mygame.kif --engines tree,propnet --playouts 1000 --seed 7")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Two or more engines; the others are compared with the first [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = kind_parser(all()))]
    engines: Vec<EngineKind>,
    /// How many random playouts
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().playouts)]
    playouts: u64,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().seed)]
    seed: u64,
    /// Cut a playout after so many joint moves
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().max_steps)]
    max_steps: u64,
    /// Play at most so many joint moves for all short sequences
    #[arg(long, value_name = "N", default_value_t = CrosscheckOptions::default().perft_nodes)]
    perft_nodes: u64,
    #[command(flatten)]
    ground: GroundArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is known of an engine before the comparison.
struct Entry {
    name: &'static str,
    setup: Duration,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let kinds = kinds(&arguments.engines)?;
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let made = make_all(&rulesheet, &kinds, arguments.ground)?;
    let entries: Vec<Entry> =
        made.iter().map(|made| Entry { name: made.kind.as_str(), setup: made.setup }).collect();
    let engines: Vec<NamedEngine> =
        made.into_iter().map(|made| NamedEngine::new(made.kind.as_str(), made.engine)).collect();
    let options = CrosscheckOptions {
        playouts: arguments.playouts,
        seed: arguments.seed,
        max_steps: arguments.max_steps,
        perft_nodes: arguments.perft_nodes,
        ..CrosscheckOptions::default()
    };
    let bar = progress::bar(options.playouts);
    let start = Instant::now();
    let result = crosscheck(&engines, &options, &interrupt::STOP, |now| show(&bar, now));
    let elapsed = start.elapsed();
    bar.finish_and_clear();
    let name = &rulesheet.game.name;
    if arguments.json {
        output::print_json(&to_json(name, &entries, options.seed, &result, elapsed))?;
    } else {
        output::print(&to_text(name, &entries, &result, elapsed))?;
    }
    judge(&rulesheet, &entries, &result)
}

/// The engines that can be compared.
fn all() -> impl Iterator<Item = EngineKind> {
    with_states().filter(|kind| *kind != EngineKind::Auto)
}

/// The engines to compare, each once.
fn kinds(wanted: &[EngineKind]) -> Result<Vec<EngineKind>, Failure> {
    let mut kinds: Vec<EngineKind> = Vec::new();
    for &kind in wanted {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    match kinds.len() {
        0 => Ok(all().collect()),
        1 => Err(Failure::Unusable(format!(
            "only one engine to compare, `{}`; name two or more, such as --engines {}",
            kinds[0],
            all().map(EngineKind::as_str).collect::<Vec<_>>().join(",")
        ))),
        _ => Ok(kinds),
    }
}

/// Makes the engines. One that cannot take part is named and left out, as long as two others
/// can.
fn make_all(
    rulesheet: &Rulesheet,
    kinds: &[EngineKind],
    ground: GroundArguments,
) -> Result<Vec<Made>, Failure> {
    let mut made = Vec::new();
    let mut left_out = Vec::new();
    for &kind in kinds {
        match engine::make_one(rulesheet, kind, ground) {
            Ok(engine) => made.push(engine),
            Err(error) if error.is_interruption() => {
                return Err(engine::refused(rulesheet, &error, ""));
            }
            Err(error) => left_out.push((kind, error)),
        }
    }
    match left_out.pop() {
        Some((_, error)) if made.len() < 2 => Err(engine::refused(rulesheet, &error, "")),
        last => {
            for (kind, error) in left_out.into_iter().chain(last) {
                output::warn(&format!("{kind} is left out: {error}"));
            }
            Ok(made)
        }
    }
}

fn show(bar: &indicatif::ProgressBar, now: Progress) {
    let what = match now.stage {
        Stage::Perft => "all short plays",
        Stage::Playouts => "random playouts",
        Stage::Shortening => "they differ; looking for a shorter play",
    };
    let stopping = if interrupt::raised() { ", stopping" } else { "" };
    bar.set_position(now.playouts);
    bar.set_message(format!("{what}, {} states{stopping}", grouped(now.states)));
}

/// The exit status, and on standard error why the comparison is not complete.
fn judge(rulesheet: &Rulesheet, entries: &[Entry], result: &Crosschecked) -> Outcome {
    if result.stuck > 0 {
        output::warn(&format!(
            "a defect of the game: {} of the playouts end where a role has no legal move",
            grouped(result.stuck)
        ));
    }
    if result.difference.is_some() {
        return Ok(Status::No);
    }
    if let Some((engine, limit)) = &result.limit {
        let name = entries[*engine].name;
        output::warn(&format!("a state was too much for {name}; the rest was not compared"));
        return Err(rulesheet.source.refuse([limit.diagnostic()]));
    }
    if result.interrupted {
        output::warn("interrupted; the rest was not compared");
        return Ok(Status::Interrupted);
    }
    Ok(Status::Done)
}

fn to_text(name: &str, entries: &[Entry], result: &Crosschecked, elapsed: Duration) -> String {
    let verdict = match &result.difference {
        Some(difference) => difference.to_string(),
        None => {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            let names = match &names[..] {
                [names @ .., last] if !names.is_empty() => {
                    format!("{} and {last}", names.join(", "))
                }
                _ => names.join(", "),
            };
            let complete = result.limit.is_none() && !result.interrupted;
            format!("{names} agree{}", if complete { "" } else { " so far" })
        }
    };
    let rows = entries
        .iter()
        .zip(&result.times)
        .map(|(entry, time)| {
            let rate = result.states as f64 / time.as_secs_f64();
            vec![entry.name.to_owned(), duration(entry.setup), duration(*time), rounded(rate)]
        })
        .collect();
    let table = output::table(&["engine", "set-up", "time", "states/s"], &[], rows);
    let playouts = counted(result.playouts as usize, "playout");
    let states = counted(result.states as usize, "state");
    let perft = match result.perft.len().checked_sub(1) {
        Some(depth) => {
            let moves = counted(result.perft_nodes as usize, "joint move");
            format!(", perft to depth {depth} ({moves})")
        }
        None => String::new(),
    };
    let capped = match result.capped {
        0 => String::new(),
        capped => format!(" ({} cut)", grouped(capped)),
    };
    format!(
        "{name}: {verdict}\n\n{}\n{playouts}{capped}{perft}, {states} compared in {}\n",
        output::table_text(&table),
        duration(elapsed)
    )
}

fn to_json(
    name: &str,
    entries: &[Entry],
    seed: u64,
    result: &Crosschecked,
    elapsed: Duration,
) -> Value {
    let engine = |(entry, time): (&Entry, &Duration)| {
        json!({
            "engine": entry.name,
            "setup_seconds": seconds(entry.setup.as_secs_f64()),
            "seconds": seconds(time.as_secs_f64()),
        })
    };
    let mut value = json!({
        "game": name,
        "engines": entries.iter().zip(&result.times).map(engine).collect::<Vec<_>>(),
        "seed": seed,
        "agrees": result.difference.is_none(),
        "playouts": result.playouts,
        "capped": result.capped,
        "states": result.states,
        "perft": {
            "counts": result.perft,
            "terminal": result.perft_terminal,
            "joint_moves": result.perft_nodes,
        },
        "seconds": seconds(elapsed.as_secs_f64()),
    });
    if result.stuck > 0 {
        value["stuck"] = json!(result.stuck);
    }
    if let Some(difference) = &result.difference {
        value["difference"] = difference_json(difference);
    }
    if let Some((engine, limit)) = &result.limit {
        let reason = &limit.diagnostic().message;
        value["too_much"] = json!({ "engine": entries[*engine].name, "reason": reason });
    }
    if result.interrupted {
        value["interrupted"] = json!(true);
    }
    value
}

fn difference_json(difference: &Difference) -> Value {
    let turn = |turn: &Turn| match turn {
        Turn::Play(joint) => json!({ "play": joint }),
        Turn::Enter(after) => json!({ "enter_state_after": after }),
    };
    let others: Vec<Value> = difference
        .dissents
        .iter()
        .map(|dissent| {
            json!({
                "engine": dissent.engine,
                "says": dissent.says,
                "lacks": dissent.lacks,
                "adds": dissent.adds,
            })
        })
        .collect();
    json!({
        "aspect": difference.aspect.to_string(),
        "first": { "engine": difference.first, "says": difference.says },
        "others": others,
        "place": difference.place.to_string(),
        "play": difference.play.iter().map(turn).collect::<Vec<_>>(),
        "shortest": difference.shortest,
        "repeatable": difference.repeatable,
        "facts": difference.facts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdlr::diagnostic::{Code, Diagnostic, Span};
    use gdlr::engine::WorkLimit;
    use gdlr::gdl::Reading;
    use gdlr::play::crosscheck::{Aspect, Dissent, Place};

    const ENTRIES: [Entry; 2] = [
        Entry { name: "tree", setup: Duration::from_micros(2340) },
        Entry { name: "propnet", setup: Duration::from_millis(1500) },
    ];

    fn found() -> Crosschecked {
        let strings = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        let difference = Difference {
            aspect: Aspect::Legal("noughts".to_owned()),
            first: "tree".to_owned(),
            says: "lists 8 moves".to_owned(),
            dissents: vec![Dissent {
                engine: "propnet".to_owned(),
                says: "lists 7 moves".to_owned(),
                lacks: strings(&["(sign 2 2)"]),
                adds: Vec::new(),
            }],
            place: Place::Playout { playout: 1, step: 5 },
            play: vec![
                Turn::Play(strings(&["(sign 1 1)", "wait"])),
                Turn::Enter(0),
                Turn::Enter(1),
            ],
            shortest: false,
            repeatable: true,
            facts: strings(&["(signed 1 1 crosses)", "(turn noughts)"]),
        };
        Crosschecked {
            playouts: 1,
            capped: 1,
            states: 2000,
            perft: vec![1, 9],
            perft_terminal: vec![0, 0],
            perft_nodes: 9,
            times: vec![Duration::from_secs(2), Duration::from_millis(500)],
            difference: Some(Box::new(difference)),
            ..Crosschecked::default()
        }
    }

    const ELAPSED: Duration = Duration::from_millis(2600);

    #[test]
    fn a_difference_as_text() {
        insta::assert_snapshot!(to_text("tictactoe", &ENTRIES, &found(), ELAPSED), @r"
tictactoe: tree and propnet differ in playout 1 at step 5
  legal noughts: propnet lacks (sign 2 2)
  after these 3 turns:
     1. (sign 1 1)  wait
     2. the initial state is entered again
     3. the state after turn 1 is entered again
  facts there: (signed 1 1 crosses) (turn noughts)

engine    set-up    time  states/s
tree     2.34 ms  2.00 s     1,000
propnet   1.50 s  500 ms     4,000

1 playout (1 cut), perft to depth 1 (9 joint moves), 2,000 states compared in 2.60 s
");
    }

    #[test]
    fn a_difference_as_json() {
        let value = to_json("tictactoe", &ENTRIES, 1, &found(), ELAPSED);
        let difference = json!({
            "aspect": "legal noughts",
            "first": { "engine": "tree", "says": "lists 8 moves" },
            "others": [{
                "engine": "propnet",
                "says": "lists 7 moves",
                "lacks": ["(sign 2 2)"],
                "adds": [],
            }],
            "place": "in playout 1 at step 5",
            "play": [
                { "play": ["(sign 1 1)", "wait"] },
                { "enter_state_after": 0 },
                { "enter_state_after": 1 },
            ],
            "shortest": false,
            "repeatable": true,
            "facts": ["(signed 1 1 crosses)", "(turn noughts)"],
        });
        let expected = json!({
            "game": "tictactoe",
            "engines": [
                { "engine": "tree", "setup_seconds": 0.00234, "seconds": 2.0 },
                { "engine": "propnet", "setup_seconds": 1.5, "seconds": 0.5 },
            ],
            "seed": 1,
            "agrees": false,
            "playouts": 1,
            "capped": 1,
            "states": 2000,
            "perft": { "counts": [1, 9], "terminal": [0, 0], "joint_moves": 9 },
            "seconds": 2.6,
            "difference": difference,
        });
        assert_eq!(value, expected);
    }

    #[test]
    fn exit_statuses() {
        let rulesheet = Rulesheet::read("tictactoe", Reading::default()).expect("a bundled game");
        let judged = |result: Crosschecked| match judge(&rulesheet, &ENTRIES, &result) {
            Ok(status) | Err(Failure::Reported(status)) => status,
            Err(failure) => panic!("{failure:?}"),
        };
        assert_eq!(judged(Crosschecked::default()), Status::Done);
        assert_eq!(judged(found()), Status::No);
        assert_eq!(judged(Crosschecked { interrupted: true, ..found() }), Status::No);
        let interrupted = Crosschecked { interrupted: true, ..Crosschecked::default() };
        assert_eq!(judged(interrupted), Status::Interrupted);
        let reason = Diagnostic::new(Code::TooMuchWork, Span::default(), "too much");
        let limit = Some((1, WorkLimit::new(reason)));
        let too_much = Crosschecked { limit, ..Crosschecked::default() };
        assert_eq!(judged(too_much), Status::Budget);
    }
}
