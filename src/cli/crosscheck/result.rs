//! The result of a comparison: the exit status, and the result as text and as JSON.

use super::Entry;
use crate::cli::output::{self, counted, duration, grouped, rounded, seconds};
use crate::cli::rulesheet::Source;
use crate::cli::status::{Outcome, Status};
use gdlr::play::crosscheck::{Crosschecked, Difference, Turn};
use serde_json::{Value, json};
use std::rc::Rc;
use std::time::Duration;

/// The exit status, and on standard error why the comparison is not complete.
pub(super) fn judge(sources: &[Rc<Source>], entries: &[Entry], result: &Crosschecked) -> Outcome {
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
        let name = &entries[*engine].name;
        output::warn(&format!("a state was too much for {name}; the rest was not compared"));
        return Err(sources[*engine].refuse([limit.diagnostic()]));
    }
    if result.interrupted {
        output::warn("interrupted; the rest was not compared");
        return Ok(Status::Interrupted);
    }
    Ok(Status::Done)
}

pub(super) fn to_text(
    name: &str,
    entries: &[Entry],
    result: &Crosschecked,
    elapsed: Duration,
) -> String {
    let verdict = match &result.difference {
        Some(difference) => difference.to_string(),
        None => {
            let names: Vec<&str> = entries.iter().map(|entry| &*entry.name).collect();
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
            vec![entry.name.clone(), duration(entry.setup), duration(*time), rounded(rate)]
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

pub(super) fn to_json(
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
    use crate::cli::status::Failure;
    use gdlr::diagnostic::{Code, Diagnostic, Span};
    use gdlr::engine::WorkLimit;
    use gdlr::play::crosscheck::{Aspect, Dissent, PlayPosition};

    fn entries() -> [Entry; 2] {
        [("tree", 2340), ("propnet", 1_500_000)].map(|(name, micros)| Entry {
            name: name.to_owned(),
            setup: Duration::from_micros(micros),
        })
    }

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
            place: PlayPosition::Playout { playout: 1, step: 5 },
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
        insta::assert_snapshot!(to_text("tictactoe", &entries(), &found(), ELAPSED), @r"
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
        let value = to_json("tictactoe", &entries(), 1, &found(), ELAPSED);
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
        let source = || Rc::new(Source::argument("tictactoe", "(role x)"));
        let judged = |result: Crosschecked| match judge(&[source(), source()], &entries(), &result)
        {
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
