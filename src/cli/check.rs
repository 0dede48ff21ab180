//! `gdlr check`: diagnoses rulesheets.

use super::diagnostics::{counts, tally};
use super::output::{self, grouped};
use super::rulesheet::{ReadingArguments, Source};
use super::status::{Failure, Outcome, Status};
use super::{abg, rbg};
use super::{interrupt, progress};
use clap::Args;
use gdlr::diagnostic::{Code, Diagnostic};
use gdlr::engine::EngineKind;
use gdlr::gdl::Game;
use gdlr::ground::Budget;
use gdlr::notation;
use gdlr::play::LookAlike;
use gdlr::play::well_formed::{self, Simulation};
use gdlr::set_up::SetUp;
use gdlr::tree::{Tree, TreeOptions};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

/// How many playouts are looked at where nobody asks for more.
const GLANCE: Simulation = Simulation { playouts: 20, max_steps: 1_000, seed: 1, situations: 0 };
/// How long that may take: to make the engine, and to play.
const GLANCE_TIME: [Duration; 2] = [Duration::from_millis(1_000), Duration::from_millis(500)];

/// Diagnose rulesheets
#[derive(Debug, Args)]
#[command(after_help = "\
A game that can be played is also played at random, 20 times, or for about a
second. A role without a move is an error, and so is a role without exactly one
goal value at the end. --simulate plays more often, and looks for more defects.

Exits with 1 if there are errors (with --strict: or warnings).

For a game in Regular Boardgames this is `gdlr rbg check`. --explore says
whether the game is proper, and exits with 3 if that is not decided.

Examples:
  gdlr check mygame.kif
  gdlr check --strict --simulate 200 *.kif
  gdlr check --explore 100000 mygame.rbg")]
pub struct Arguments {
    /// Paths to rulesheets, `-` for standard input, or bundled games
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Count warnings as errors
    #[arg(long)]
    strict: bool,
    /// Look for defects in so many random playouts
    #[arg(long, value_name = "N")]
    simulate: Option<u64>,
    /// Look at up to so many positions of a game in Regular Boardgames: is it
    /// proper?
    #[arg(long, value_name = "N")]
    explore: Option<usize>,
    /// The joint moves within which a playout should end
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "simulate")]
    max_steps: u32,
    /// Seed of the playouts
    #[arg(long, value_name = "N", default_value_t = 1, requires = "simulate")]
    seed: u64,
    /// Compare what roles see in so many situations, in games with `sees`
    #[arg(long, value_name = "N", default_value_t = 100_000, requires = "simulate")]
    max_situations: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The findings in a rulesheet.
struct Report {
    source: Source,
    found: Vec<Diagnostic>,
    simulation: Option<well_formed::Report>,
    /// How many playouts were looked at without having been asked for, if that was tried.
    looked_at: Option<u64>,
}

impl Report {
    fn of(source: Source, arguments: &Arguments) -> Result<Report, Failure> {
        source.must_be_rules()?;
        let mut report = Report { source, found: Vec::new(), simulation: None, looked_at: None };
        if let Err(errors) = report.diagnose(arguments) {
            report.found.extend(errors);
        }
        Ok(report)
    }

    /// Makes the checks; the errors are what keeps further ones from being made.
    fn diagnose(&mut self, arguments: &Arguments) -> Result<(), Vec<Diagnostic>> {
        let document = notation::read_bytes(&self.source.bytes)?;
        let reading = arguments.reading.reading();
        let game = Game::from_document(&self.source.name, document, reading)?;
        self.found = gdlr::check::check_text(&game, &self.source.text());
        if Game::forbidding(&self.found).next().is_some() {
            return Ok(());
        }
        let Some(playouts) = arguments.simulate else {
            self.glance(game);
            return Ok(());
        };
        let engine = Tree::new(game, &TreeOptions::default()).map_err(|error| vec![error])?;
        let Arguments { max_steps, seed, max_situations: situations, .. } = *arguments;
        let options = Simulation { playouts, max_steps, seed, situations };
        let spinner = progress::spinner();
        spinner.set_message(format!("{}: {} playouts", self.source.name, grouped(playouts)));
        let simulation = well_formed::simulate(&engine, engine.game(), &options, &interrupt::STOP);
        spinner.finish_and_clear();
        self.found.extend(simulation.diagnostics(engine.game()));
        self.simulation = Some(simulation);
        Ok(())
    }

    /// Looks at a few playouts, if that takes no time to speak of. Only what is a defect for
    /// certain is reported.
    fn glance(&mut self, game: Game) {
        let [set_up, playouts] = GLANCE_TIME;
        let interrupted = Some(&**interrupt::STOP);
        let budget = Budget { time: set_up, interrupted, ..Budget::default() };
        let game = Arc::new(game);
        let set_up = SetUp { kind: EngineKind::Tree, budget, ..SetUp::default() };
        self.looked_at = Some(0);
        let Ok(made) = set_up.make(game.clone()) else { return };
        let simulation =
            well_formed::glance(&made.engine, &game, &GLANCE, playouts, &interrupt::STOP);
        self.looked_at = Some(simulation.finished());
        // Defects of the goal values as they are written are not repeated.
        let values = self.found.iter().any(|found| found.code == Code::GoalValue);
        let defects = simulation.diagnostics(&game).into_iter().filter(|found| match found.code {
            Code::Unplayable => true,
            Code::BadGoal => !values,
            _ => false,
        });
        self.found.extend(defects);
    }

    fn status(&self, strict: bool) -> Status {
        let too_much = self.found.iter().any(|found| found.code == Code::TooMuchWork);
        let (errors, warnings) = tally(&self.found);
        if too_much {
            Status::Budget
        } else if errors > 0 || strict && warnings > 0 {
            Status::No
        } else {
            Status::Done
        }
    }

    fn line(&self) -> String {
        let counts = counts(&self.found);
        let looked_at = match self.looked_at {
            None => String::new(),
            Some(0) => ", no playout looked at for want of time".to_owned(),
            Some(count) => format!(", {} looked at", output::counted(count as usize, "playout")),
        };
        let simulated = self.simulation.as_ref().map_or(looked_at, |simulation| {
            let sight = simulation.sight.as_ref().map_or(String::new(), |sight| {
                let all = if sight.complete { "all plays" } else { "plays" };
                let moves = if sight.depth == 1 { "move" } else { "moves" };
                format!(", {all} compared up to {} joint {moves}", sight.depth)
            });
            let playouts = output::counted(simulation.started as usize, "playout");
            format!(", {} of {playouts} ended{sight}", grouped(simulation.terminated))
        });
        format!("{}: {counts}{simulated}\n", self.source.file)
    }

    fn json(&self) -> Value {
        let printer = self.source.printer();
        let mut value = printer.report_json(&self.source.name, &self.found);
        if let Some(simulation) = &self.simulation {
            value["simulation"] = simulation_json(simulation);
        } else {
            value["playouts_looked_at"] = json!(self.looked_at);
        }
        value
    }
}

fn simulation_json(simulation: &well_formed::Report) -> Value {
    let roles: Vec<Value> = simulation
        .roles
        .iter()
        .map(|role| {
            let goals: Map<String, Value> =
                role.goals.iter().map(|(value, count)| (value.to_string(), json!(count))).collect();
            json!({
                "role": role.role,
                "goals": goals,
                "highest": role.highest,
                "seen_winning": role.seen_winning(),
            })
        })
        .collect();
    let mut value = json!({
        "playouts": simulation.started,
        "terminated": simulation.terminated,
        "stuck": simulation.stuck.count,
        "too_long": simulation.too_long.count,
        "bad_goal": simulation.bad_goal.count,
        "roles": roles,
    });
    if let Some(sight) = &simulation.sight {
        let look_alike = |found: &LookAlike| {
            json!({
                "role": simulation.roles[found.role.index()].role,
                "untold": found.untold.to_string(),
                "plays": found.plays,
            })
        };
        value["sight"] = json!({
            "depth": sight.depth,
            "complete": sight.complete,
            "look_alikes": sight.look_alikes.iter().map(look_alike).collect::<Vec<Value>>(),
        });
    }
    value
}

pub fn run(arguments: &Arguments) -> Outcome {
    let mut status = Status::Done;
    let mut games = Vec::new();
    for name in &arguments.games {
        let checked = Source::find(name).and_then(|source| one(source, arguments, &mut games));
        // The others are looked at all the same.
        status = status.max(match checked {
            Err(Failure::BrokenPipe) => return Err(Failure::BrokenPipe),
            checked => output::status_of(checked),
        });
        if interrupt::raised() {
            status = Status::Interrupted;
            break;
        }
    }
    if arguments.json {
        output::print_json(&json!({ "games": games }))?;
    }
    Ok(status)
}

/// Looks at one game, and prints what was found or adds it to the JSON.
fn one(source: Source, arguments: &Arguments, games: &mut Vec<Value>) -> Outcome {
    if gdlr::rbg::is_rbg(&source.text()) {
        let report = rbg::check::Report::of(source, arguments.explore);
        match arguments.json {
            true => games.push(report.json()),
            false => report.print()?,
        }
        return Ok(report.status(arguments.strict));
    }
    if gdlr::abg::is_abg(&source.text()) {
        let report = abg::check::Report::of(source);
        match arguments.json {
            true => games.push(report.json()),
            false => report.print()?,
        }
        return Ok(report.status(arguments.strict));
    }
    let report = Report::of(source, arguments)?;
    if arguments.json {
        games.push(report.json());
    } else {
        let printer = report.source.printer();
        report.found.iter().for_each(|found| printer.print(found));
        output::print(&report.line())?;
    }
    Ok(report.status(arguments.strict))
}
