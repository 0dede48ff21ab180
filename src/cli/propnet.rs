//! `gdlr propnet`: the propositional net of a game.

use super::engine::GroundArguments;
use super::ground::ground;
use super::output::{self, grouped};
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::ground::Ground;
use gdlr::propnet::{Net, Statistics, optimise};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::time::Instant;

/// Show how large the propositional net of a game is
#[derive(Debug, Args)]
#[command(after_help = "\
Each row is the net after an optimisation, in the order in which they ran. A
gate is an And, an Or, or something whose complement is read (a Not).

Examples:
  gdlr propnet tictactoe
  gdlr propnet mygame.kif --json")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    ground: GroundArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The net after a pass, and how long the pass took.
pub struct Stage {
    pub name: &'static str,
    pub size: Statistics,
    pub seconds: f64,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let ground = ground(&rulesheet, arguments.ground)?;
    let spinner = progress::spinner();
    spinner.set_message("optimising");
    let (_, stages) = interrupt::at_once(|| stages(&ground));
    spinner.finish_and_clear();
    if arguments.json {
        output::print_json(&json!({
            "game": rulesheet.game.name,
            "ground_facts": ground.fact_count(),
            "ground_rules": ground.rule_count(),
            "stages": stages.iter().map(to_json).collect::<Vec<_>>(),
        }))?;
        return Ok(Status::Done);
    }
    let header =
        ["after", "gates", "and", "or", "not", "wires", "latches", "inputs", "depth", "feedback"];
    let rows = stages
        .iter()
        .map(|Stage { name, size, .. }| {
            let numbers = [
                size.gates(),
                size.ands,
                size.ors,
                size.nots,
                size.wires,
                size.latches,
                size.inputs,
                size.depth,
                size.feedback_gates,
            ];
            let numbers = numbers.map(|number| grouped(number as u64));
            [(*name).to_owned()].into_iter().chain(numbers).collect()
        })
        .collect();
    output::print(&output::table_text(&output::table(&header, &[], rows)))?;
    Ok(Status::Done)
}

/// Makes the net of a ground game and optimises it; the first stage is the net as it was made.
pub fn stages(ground: &Ground) -> (Net, Vec<Stage>) {
    let mut start = Instant::now();
    let net = Net::from_ground(ground);
    let mut stages = Vec::new();
    let mut note = |name, net: &Net| {
        let seconds = start.elapsed().as_secs_f64();
        stages.push(Stage { name, size: net.statistics(), seconds });
        start = Instant::now();
    };
    note("grounding", &net);
    let net = optimise(net, &mut |name, net| {
        note(name, net);
        ControlFlow::Continue(())
    });
    (net, stages)
}

fn to_json(stage: &Stage) -> Value {
    let Stage { name, size, seconds } = stage;
    json!({
        "after": name,
        "gates": size.gates(),
        "ands": size.ands,
        "ors": size.ors,
        "nots": size.nots,
        "wires": size.wires,
        "latches": size.latches,
        "inputs": size.inputs,
        "largest_fan_in": size.largest_fan_in,
        "depth": size.depth,
        "feedback_parts": size.feedback_parts,
        "feedback_gates": size.feedback_gates,
        "seconds": output::seconds(*seconds),
    })
}
