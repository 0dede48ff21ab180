//! `gdlr information-sets`: what the roles can tell apart.

use super::engine::{self, EngineArguments};
use super::output::{self, grouped, rounded, seconds};
use super::playable::{Playable, PlayableArguments};
use super::status::{Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::engine::{AnyEngine, Engine, MoveId, RoleId};
use gdlr::play::{InformationSets, Unfinished, information_sets};
use serde_json::{Map, Value, json};
use std::time::Instant;

/// Count the information sets of each role and depth
#[derive(Debug, Args)]
#[command(after_help = "\
Plays of the same length with the same observations of a role are one
information set of the role. A role observes its own moves and its percepts
(`sees`). In a game without `sees` it observes all moves. `random` is chance and
observes nothing. Information sets in which the role has several legal moves are
its choices.

If a role cannot know its legal moves, or whether the game is over, the game has
a defect (status 1).

Example:
  gdlr information-sets tictactoe 3")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    /// The longest plays to look at, in joint moves
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    depth: u32,
    /// Remember at most so many situations
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    max_situations: usize,
    #[command(flatten)]
    engine: EngineArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let playable = Playable::open(&arguments.game)?;
    let ready = engine::make(&playable, &arguments.engine)?;
    let spinner = progress::spinner();
    let start = Instant::now();
    let show = |count| spinner.set_message(format!("{} situations", grouped(count as u64)));
    let (depth, most) = (arguments.depth as usize, arguments.max_situations);
    let sets = information_sets(&ready.engine, depth, most, &interrupt::STOP, show);
    let elapsed = start.elapsed().as_secs_f64();
    spinner.finish_and_clear();
    let roles: Vec<(RoleId, &str)> = ready
        .engine
        .roles()
        .iter()
        .filter(|&role| ready.engine.roles().random() != Some(role))
        .map(|role| (role, ready.engine.roles().name(role)))
        .collect();
    if arguments.json {
        let mut value = json!({
            "game": playable.name(),
            "engine": ready.kind.as_str(),
            "depth": arguments.depth,
            "depths": sets.depths.iter().map(|depth| json!({
                "situations": depth.situations,
                "terminal": depth.terminal,
                "roles": by_role(&roles, |role| {
                    let count = depth.roles[role.index()];
                    json!({ "sets": count.sets, "choosing": count.choosing })
                }),
            })).collect::<Vec<Value>>(),
            "choosing": by_role(&roles, |role| json!(choosing(&sets, role))),
            "complete": sets.unfinished.is_none(),
            "dark": sets.dark.iter().map(|dark| json!({
                "role": ready.engine.roles().name(dark.role).to_lowercase(),
                "untold": dark.untold.to_string(),
                "plays": dark.plays.each_ref().map(|play| words(&ready.engine, play)),
            })).collect::<Vec<Value>>(),
            "seconds": seconds(elapsed),
        });
        if let Some(Unfinished::Limit(limit)) = &sets.unfinished {
            value["too_much"] = json!(limit.diagnostic().message);
        }
        output::print_json(&value)?;
    } else {
        output::print(&text(&sets, &roles, elapsed))?;
    }
    for dark in &sets.dark {
        let role = ready.engine.roles().name(dark.role);
        let [one, other] =
            dark.plays.each_ref().map(|play| match words(&ready.engine, play).join(", ") {
                empty if empty.is_empty() => "no move".to_owned(),
                moves => moves,
            });
        output::warn(&format!(
            "a defect of the game: {role} cannot tell {} after\n  {one}\nfrom after\n  {other}",
            dark.untold
        ));
    }
    match sets.unfinished {
        None if sets.dark.is_empty() => Ok(Status::Done),
        None => Ok(Status::No),
        Some(Unfinished::Stopped) => {
            output::warn("interrupted; these are the depths counted so far");
            Ok(Status::Interrupted)
        }
        Some(Unfinished::TooMany) => {
            output::warn(&format!(
                "more than {} situations; these are the depths before (see --max-situations)",
                grouped(most as u64)
            ));
            Ok(Status::Budget)
        }
        Some(Unfinished::Limit(limit)) => {
            output::warn("these are the depths counted so far");
            Err(playable.source().refuse([limit.diagnostic()]))
        }
    }
}

/// A value for each role, by its name.
fn by_role(roles: &[(RoleId, &str)], value: impl Fn(RoleId) -> Value) -> Map<String, Value> {
    roles.iter().map(|&(role, name)| (name.to_lowercase(), value(role))).collect()
}

/// In how many information sets a role chooses, at all depths together.
fn choosing(sets: &InformationSets, role: RoleId) -> u64 {
    sets.depths.iter().map(|depth| depth.roles[role.index()].choosing).sum()
}

/// Joint moves in words, each `(move of one role, move of the other)`.
fn words(engine: &AnyEngine, play: &[Vec<MoveId>]) -> Vec<String> {
    let term = |&id: &MoveId| engine.move_term(id).1.canonical(engine.symbols());
    let joint = |joint: &Vec<MoveId>| {
        let moves: Vec<String> = joint.iter().map(term).collect();
        format!("({})", moves.join(" "))
    };
    play.iter().map(joint).collect()
}

/// A table: a line a depth, two columns a role; and where each role chooses, altogether.
fn text(sets: &InformationSets, roles: &[(RoleId, &str)], elapsed: f64) -> String {
    let mut head = vec!["depth".to_owned(), "situations".to_owned(), "terminal".to_owned()];
    for (_, name) in roles {
        head.extend([(*name).to_owned(), "choosing".to_owned()]);
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (depth, count) in sets.depths.iter().enumerate() {
        let mut row = vec![depth.to_string(), grouped(count.situations), grouped(count.terminal)];
        for (role, _) in roles {
            let of_role = count.roles[role.index()];
            row.extend([grouped(of_role.sets), grouped(of_role.choosing)]);
        }
        rows.push(row);
    }
    let mut all = vec!["all".to_owned(), String::new(), String::new()];
    for &(role, _) in roles {
        all.extend([String::new(), grouped(choosing(sets, role))]);
    }
    rows.push(all);
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let table = output::table(&head, &[], rows);
    format!("{}\n{} s\n", output::table_text(&table), rounded(elapsed))
}
