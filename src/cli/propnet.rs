//! `gdlr propnet`: the propositional net of a game.

use super::engine::{GroundArguments, no_net, refuse};
use super::ground::ground;
use super::output::{self, grouped};
use super::playable::{Playable, PlayableArguments};
use super::status::{Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gdlr::automaton;
use gdlr::budget::{Exhausted, Meter};
use gdlr::decisions::Decisions;
use gdlr::net::{Names, Net, NetSize, PASSES, Pass, Tuning, optimise_tuned};
use serde_json::{Value, json};
use std::time::Instant;

/// Show the propositional net of a game
#[derive(Debug, Args)]
#[command(after_help = "\
Without options, a table has the size of the net after each optimisation, in the
order in which they ran. A gate is an And, an Or, or a Not (a complement that is
read). For an automaton, the first row is the net of its walks.

Examples:
  gdlr propnet tictactoe
  gdlr propnet tictactoe --dot | dot -Tsvg > tictactoe.svg
  gdlr propnet tictactoe --dump-after grounding      as it was made at first")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    #[command(flatten)]
    ground: GroundArguments,
    /// Print a graph for Graphviz
    #[arg(long)]
    dot: bool,
    /// Print the net after the last run of this optimisation
    #[arg(long, value_name = "PASS", value_parser = after_parser())]
    dump_after: Option<After>,
    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["dot", "dump_after"])]
    json: bool,
}

/// How far a net has come.
#[derive(Clone, Copy, Debug)]
pub enum After {
    /// Made of ground rules, or of walks.
    Grounding,
    /// Through a pass.
    Pass(&'static Pass),
}

impl After {
    fn all() -> impl Iterator<Item = After> + Clone {
        [After::Grounding].into_iter().chain(PASSES.iter().map(|&pass| After::Pass(pass)))
    }

    pub fn name(self) -> &'static str {
        match self {
            After::Grounding => "grounding",
            After::Pass(pass) => pass.name,
        }
    }
}

impl PartialEq for After {
    fn eq(&self, other: &After) -> bool {
        match (self, other) {
            (After::Grounding, After::Grounding) => true,
            (After::Pass(one), After::Pass(other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

/// Names of passes that are still read: the former name, and the name.
const FORMER_NAMES: [[&str; 2]; 3] = [
    ["unneeded", "cone-of-influence"],
    ["twins", "register-correspondence"],
    ["factors", "common-cube"],
];

fn after_parser() -> impl TypedValueParser<Value = After> {
    let value = |after: After| {
        let former = FORMER_NAMES.iter().filter(move |[_, name]| *name == after.name());
        PossibleValue::new(after.name()).aliases(former.map(|[former, _]| *former))
    };
    PossibleValuesParser::new(After::all().map(value)).map(|text| {
        let former = FORMER_NAMES.iter().find(|[former, _]| *former == text);
        let name = former.map_or(&text[..], |[_, name]| name);
        After::all().find(|after| after.name() == name).expect("one of the possible values")
    })
}

/// The net after a pass, and how long the pass took.
pub struct Stage {
    pub after: After,
    pub size: NetSize,
    pub seconds: f64,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let playable = Playable::open(&arguments.game)?;
    let meter = arguments.ground.budget().start();
    let start = Instant::now();
    let mut value = json!({ "game": playable.name() });
    let net = match &playable {
        Playable::Rules(rulesheet) => {
            let ground = ground(rulesheet, &meter)?;
            value["ground_facts"] = json!(ground.fact_count());
            value["ground_rules"] = json!(ground.rule_count());
            Net::from_ground(&ground, &meter).map_err(|exhausted| refuse(&exhausted, ""))?
        }
        Playable::Automaton(source, game) => {
            let spinner = progress::spinner();
            spinner.set_message("following walks");
            let net = interrupt::at_once(|| automaton::net::net(game, &meter));
            spinner.finish_and_clear();
            net.map_err(|why| no_net(source, &why))?
        }
    };
    let spinner = progress::spinner();
    spinner.set_message("optimising");
    let mut dump = None;
    let optimised = interrupt::at_once(|| {
        stages(net, start, &meter, &mut Decisions::default(), |after, net| {
            if arguments.dump_after == Some(after) {
                dump = Some(net.clone());
            }
        })
    });
    spinner.finish_and_clear();
    let (net, stages) = optimised.map_err(|exhausted| refuse(&exhausted, ""))?;
    if arguments.dot || arguments.dump_after.is_some() {
        let net = dump.unwrap_or(net);
        let game = playable.game();
        let names = Names::new(&net, &game.roles, &game.symbols);
        output::print(&if arguments.dot { names.dot() } else { names.text() })?;
        return Ok(Status::Done);
    }
    if arguments.json {
        value["stages"] = stages.iter().map(to_json).collect();
        output::print_json(&value)?;
        return Ok(Status::Done);
    }
    let header =
        ["after", "gates", "and", "or", "not", "wires", "latches", "inputs", "depth", "feedback"];
    let rows = stages
        .iter()
        .map(|Stage { after, size, .. }| {
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
            [after.name().to_owned()].into_iter().chain(numbers).collect()
        })
        .collect();
    output::print(&output::table_text(&output::table(&header, &[], rows)))?;
    Ok(Status::Done)
}

/// Optimises a net; the first stage is the net as it was made, since `start`. `visit` sees the net
/// of each. There are fewer where the budget runs out. What is decided is recorded.
pub fn stages(
    net: Net,
    mut start: Instant,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
    mut visit: impl FnMut(After, &Net),
) -> Result<(Net, Vec<Stage>), Exhausted> {
    let mut stages = Vec::new();
    let mut note = |after, net: &Net| {
        let seconds = start.elapsed().as_secs_f64();
        stages.push(Stage { after, size: net.size(), seconds });
        visit(after, net);
        start = Instant::now();
    };
    note(After::Grounding, &net);
    let observer = &mut |pass, net: &Net| note(After::Pass(pass), net);
    let net = optimise_tuned(net, &Tuning::default(), meter, observer, decisions)?;
    Ok((net, stages))
}

fn to_json(stage: &Stage) -> Value {
    let Stage { after, size, seconds } = stage;
    json!({
        "after": after.name(),
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
