//! `gdlr positions`: how a player does in positions whose good moves are known.

use super::engine::{self, EngineArguments, TimedEngine};
use super::output;
use super::playable::{Playable, PlayableArguments};
use super::player_name;
use super::rulesheet::Source;
use super::status::{Failure, Outcome, Status};
use super::time::seconds;
use super::{interrupt, progress};
use clap::Args;
use gdlr::batch::Batch;
use gdlr::engine::{AnyState, Engine, MoveId};
use gdlr::kif::Limits;
use gdlr::play::DEFAULT_MAX_STEPS;
use gdlr::play::player::{Clock, Start, Turn};
use gdlr::play::report::Report;
use gdlr::play::sampler::Observation;
use gdlr::play::test_positions::{self, TestPosition};
use gdlr::search::{DEFAULT_MEMORY, PlayerKind};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Ask a player for moves where the good ones are known
#[derive(Debug, Args)]
#[command(after_help = "\
FILE has positions in KIF. A position has a name, the facts that are true or the
moves that lead to it, and its good or bad moves:

  (position fork
    (facts (turn noughts) (signed 1 1 crosses))
    (good (sign 2 2)))
  (position opening
    (moves ((sign 1 1) wait))
    (bad (sign 1 2) (sign 2 1)))

If several roles have a choice, `(role ROLE)` names the role that is asked. A
game with rules for `sees` is refused, because the player is shown the state.

Exits with 1 if a position is not solved.

Examples:
  gdlr positions tictactoe mypositions.kif
  gdlr positions mygame.kif mypositions.kif --think 1 --player mc --json")]
pub struct Arguments {
    #[command(flatten)]
    game: PlayableArguments,
    /// Path to the positions
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    engine: EngineArguments,
    /// Who is asked: random, mc (Monte Carlo), uct (tree search), alphabeta,
    /// net:FILE or alphabeta:FILE (by a value net)
    #[arg(long, value_name = "NAME", default_value = "uct", value_parser = player_name::parser(),
          hide_possible_values = true)]
    player: PlayerKind,
    /// How long it thinks about a position
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "10")]
    think: Duration,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The move of a player in a position.
struct Answer<'p> {
    position: &'p TestPosition<AnyState>,
    chosen: MoveId,
    time: Duration,
    report: Option<Report>,
}

impl Answer<'_> {
    fn is_good(&self) -> bool {
        self.position.good.contains(&self.chosen)
    }
}

pub fn run(arguments: &Arguments) -> Outcome {
    let playable = Playable::open(&arguments.game)?;
    let source = Source::open(&arguments.file, Limits::default().max_bytes)?;
    let document = source.document()?;
    if document.items.is_empty() {
        return Err(Failure::Unusable(format!("there are no positions in `{}`", source.file)));
    }
    let timed = engine::make(&playable, &arguments.engine)?;
    if let Some(why) = arguments.player.refuses(&timed.engine) {
        return Err(Failure::Unusable(why));
    }
    let positions = test_positions::read(&timed.engine, &document);
    let positions = positions.map_err(|errors| source.refuse(&errors))?;
    let lanes = match arguments.player.searches() {
        true => engine::lanes(&timed.engine, &arguments.engine.how),
        false => None,
    };
    let width = positions.iter().map(|position| position.name.chars().count()).max().unwrap_or(0);
    let mut answers = Vec::new();
    for position in &positions {
        let answer = ask(arguments, &timed, lanes.as_ref(), position);
        // A player who was interrupted has not had its time.
        if interrupt::raised() {
            break;
        }
        if !arguments.json {
            output::print(&line(&timed, &answer, width))?;
        }
        answers.push(answer);
    }
    let solved = answers.iter().filter(|answer| answer.is_good()).count();
    if arguments.json {
        output::print_json(&to_json(arguments, playable.name(), &timed, &answers))?;
    } else {
        let (asked, think) = (answers.len(), arguments.think.as_secs_f64());
        output::print(&format!("solved {solved} of {asked} in {think} s each\n"))?;
    }
    Ok(match solved == answers.len() {
        _ if interrupt::raised() => {
            let all = output::counted(positions.len(), "position");
            output::warn(&format!("interrupted; {} of {all} count", answers.len()));
            Status::Interrupted
        }
        true => Status::Done,
        false => Status::No,
    })
}

/// Asks a new player, who knows nothing of other positions.
fn ask<'p>(
    arguments: &Arguments,
    timed: &TimedEngine,
    lanes: Option<&Arc<Batch>>,
    position: &'p TestPosition<AnyState>,
) -> Answer<'p> {
    let engine = &timed.engine;
    let TestPosition { state, role, legal, last, step, .. } = position;
    let (role, step, think) = (*role, *step, arguments.think);
    let mut player = arguments.player.of_match(arguments.seed, DEFAULT_MAX_STEPS, DEFAULT_MEMORY);
    let clock = Clock::stopped_by(Duration::ZERO, interrupt::STOP.clone());
    player.start(&Start { engine, role, play_clock: think, clock: &clock });
    let spinner = progress::spinner();
    spinner.set_message(position.name.clone());
    let start = Instant::now();
    let clock = Clock::stopped_by(think, interrupt::STOP.clone());
    let told = (!last.is_empty()).then(|| Observation::Joint(last.clone()));
    let (last, clock, sampler) = (told.as_ref(), &clock, None);
    let chosen =
        player.play(&Turn { engine, state, sampler, role, legal, last, step, clock, lanes });
    let (time, report) = (start.elapsed(), player.report());
    player.stop(None);
    spinner.finish_and_clear();
    Answer { position, chosen, time, report }
}

fn spelled(timed: &TimedEngine, id: MoveId) -> String {
    timed.engine.move_term(id).1.spelled(timed.engine.symbols())
}

/// A position in a line.
fn line(timed: &TimedEngine, answer: &Answer<'_>, width: usize) -> String {
    let name = &answer.position.name;
    let verdict = if answer.is_good() { "solved" } else { "failed" };
    let mut text = format!("{name:width$}  {verdict}  {}", spelled(timed, answer.chosen));
    let mut estimates = answer.report.iter().flat_map(|report| &report.estimates);
    if let Some(estimate) = estimates.find(|estimate| estimate.id == answer.chosen)
        && let Some(goal) = estimate.value()
    {
        let certain = if estimate.certain.is_some() { " for certain" } else { "" };
        text += &format!(", goal {goal:.1}{certain}");
    }
    text += &format!(", {}", output::duration(answer.time));
    if !answer.is_good() {
        let good: Vec<String> = answer.position.good.iter().map(|&id| spelled(timed, id)).collect();
        text += &format!("; good: {}", good.join(", "));
    }
    text + "\n"
}

fn to_json(
    arguments: &Arguments,
    game: &str,
    timed: &TimedEngine,
    answers: &[Answer<'_>],
) -> Value {
    let position = |answer: &Answer<'_>| {
        let TestPosition { name, role, good, .. } = answer.position;
        let mut value = json!({
            "name": name,
            "role": timed.engine.roles().name(*role),
            "move": spelled(timed, answer.chosen),
            "solved": answer.is_good(),
            "good": good.iter().map(|&id| spelled(timed, id)).collect::<Value>(),
            "seconds": output::seconds(answer.time.as_secs_f64()),
        });
        if let Some(report) = &answer.report {
            let estimates = report.estimates.iter().map(|estimate| {
                json!({
                    "move": spelled(timed, estimate.id),
                    "goal": estimate.value(),
                    "certain": estimate.certain.is_some(),
                    "visits": estimate.visits,
                })
            });
            value["estimates"] = estimates.collect();
            value["playouts"] = json!(report.effort.playouts);
            value["nodes"] = json!(report.effort.nodes);
            value["depth"] = json!(report.effort.depth);
        }
        value
    };
    let mut value = json!({
        "game": game,
        "engine": timed.kind.as_str(),
        "player": arguments.player.name(),
        "seed": arguments.seed,
        "think": arguments.think.as_secs_f64(),
        "solved": answers.iter().filter(|answer| answer.is_good()).count(),
        "of": answers.len(),
        "positions": answers.iter().map(position).collect::<Value>(),
    });
    if interrupt::raised() {
        value["interrupted"] = json!(true);
    }
    value
}
