//! `gdlr info` of an automaton.

use super::engine::TimedEngine;
use super::glance::Glance;
use super::info::heading;
use super::output::{self, duration, grouped, seconds};
use super::status::{Outcome, Status};
use gdlr::automaton::net::NoNet;
use gdlr::automaton::{AutomatonEngine, AutomatonGame};
use gdlr::decisions::Decisions;
use gdlr::engine::Engine;
use gdlr::net::Net;
use gdlr::rg::{Description, Name};
use hashbrown::HashSet;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The net of an automaton and how long it took, or why there is none.
pub type OfNet = Result<(Net, Duration), NoNet>;

/// Prints what an automaton says, what its engine was made of, how large its net is, and what was decided
/// about both.
pub fn print(
    game: &AutomatonGame,
    timed: &TimedEngine,
    net: &OfNet,
    decisions: &Decisions,
    reading: Duration,
    as_json: bool,
) -> Outcome {
    let glance = Glance::at(game.game(), &timed.engine);
    let (name, roles) = (&game.game().name, game.roles().names());
    let of_net: Vec<(&str, usize)> = match net {
        Ok((net, _)) => {
            let size = net.size();
            let figures = [("gates", size.gates()), ("wires", size.wires), ("depth", size.depth)];
            figures
                .into_iter()
                .chain([("latches", size.latches), ("inputs", size.inputs)])
                .collect()
        }
        Err(_) => Vec::new(),
    };
    let figures = figures(game.description(), timed);
    if as_json {
        let mut value = json!({ "game": name, "roles": roles });
        value["play"] = glance.json();
        value["reading_seconds"] = json!(seconds(reading.as_secs_f64()));
        let mut of_engine: Map<String, Value> =
            (figures.iter()).map(|&(name, count)| (name.replace(' ', "_"), json!(count))).collect();
        of_engine.insert("setup_seconds".into(), json!(seconds(timed.setup.as_secs_f64())));
        value[timed.kind.as_str()] = Value::Object(of_engine);
        value["net"] = match net {
            Ok((_, time)) => {
                let figures = of_net.iter().map(|&(name, count)| (name.to_owned(), json!(count)));
                let time = json!(seconds(time.as_secs_f64()));
                Value::Object(figures.chain([("setup_seconds".to_owned(), time)]).collect())
            }
            Err(why) => json!({ "reason": why.to_string() }),
        };
        value["decisions"] = output::decisions_json(decisions);
        output::print_json(&value)?;
        return Ok(Status::Done);
    }
    output::print(&heading(name, Some(&glance)))?;
    let mut rows =
        vec![("roles".to_owned(), roles.join(", ")), ("reading".to_owned(), duration(reading))];
    let figure =
        |&(name, count): &(&str, usize)| (format!("{}: {name}", timed.kind), grouped(count as u64));
    rows.extend(figures.iter().map(figure));
    rows.push((format!("{}: set-up", timed.kind), duration(timed.setup)));
    rows.extend(of_net.iter().map(|&(name, n)| (format!("net: {name}"), grouped(n as u64))));
    rows.push(match net {
        Ok((_, time)) => ("net: set-up".to_owned(), duration(*time)),
        Err(why) => ("net".to_owned(), why.to_string()),
    });
    let rows = rows.into_iter().map(|(name, value)| vec![name, value]).collect();
    output::print(&output::table_text(&output::table(&[], &[1], rows)))?;
    output::print(&output::decisions_text(decisions))?;
    Ok(Status::Done)
}

/// The counts of all parts.
fn figures(description: &Description, timed: &TimedEngine) -> Vec<(&'static str, usize)> {
    let edges = description.edges.iter();
    let nodes: HashSet<Name> = edges.flat_map(|edge| [edge.from.name, edge.to.name]).collect();
    let mut figures = vec![
        ("types", description.types.len()),
        ("constants", description.constants.len()),
        ("variables", description.variables.len()),
        ("nodes", nodes.len()),
        ("edges", description.edges.len()),
    ];
    if let Some(engine) = timed.engine.downcast_ref::<AutomatonEngine>() {
        let size = engine.automaton().size();
        figures.push(("operations", size.operations));
        figures.push(("reachability checks", size.checks));
        figures.push(("bytes of a state", engine.state_bytes(engine.initial())));
    }
    figures
}
