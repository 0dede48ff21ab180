//! `gdlr to-rg`: a game as an automaton of Regular Games.

use super::engine::GroundArguments;
use super::ground::refusal;
use super::output;
use super::rg::{optimise, pragmas};
use super::rulesheet::{GameArguments, Rulesheet};
use super::status::{Failure, Outcome, Status};
use super::{interrupt, progress};
use clap::Args;
use gdlr::export::{Export, FactTest, RoleTurn, from_net_within};
use gdlr::gdl::{Game, Term};
use gdlr::ground::GroundError;
use gdlr::net::Net;
use gdlr::rg::{self, Name};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Write a game as an automaton in the language Regular Games
#[derive(Debug, Args)]
#[command(after_help = "\
The automaton means the same game. A turn has a ply for each role that has a
choice; `docs/rg.md` explains how it is made.

Examples:
  gdlr to-rg tictactoe
  gdlr to-rg mygame.kif -o mygame.rg --names mygame.json
  gdlr to-rg mygame.kif -o small.rg --optimise --pragmas
  gdlr to-rg nim --joint | gdlr rg check -")]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    ground: GroundArguments,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// One ply a role and step, also for a role without a choice
    #[arg(long)]
    joint: bool,
    /// Make the automaton smaller; moves are still called the same
    #[arg(long)]
    optimise: bool,
    /// Add the pragmas of the automaton, hints for other programs
    #[arg(long)]
    pragmas: bool,
    /// Write what the names stand for to this file, as JSON
    #[arg(long, value_name = "FILE", conflicts_with = "optimise")]
    names: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let Arguments { output, joint, names, .. } = arguments;
    let standard_output = Path::new("-");
    if names.as_deref() == Some(output.as_deref().unwrap_or(standard_output)) {
        return Err(Failure::Unusable("`-o` and `--names` are the same file".to_owned()));
    }
    let rulesheet = Rulesheet::playable(&arguments.game)?;
    let spinner = progress::spinner();
    spinner.set_message("grounding");
    let budget = arguments.ground.budget();
    let made = interrupt::at_once(|| {
        let meter = budget.start();
        let net = Net::within(rulesheet.game.clone(), &meter)?;
        spinner.set_message("writing the automaton");
        Ok(from_net_within(&net, &rulesheet.game, *joint, &meter)?)
    });
    spinner.finish_and_clear();
    let mut export = made.map_err(|error: GroundError| refusal(&rulesheet, error))?;
    if arguments.optimise {
        optimise::apply(&mut export.description, optimise::keeps_moves, &budget, |_, _| ())?;
    }
    if arguments.pragmas {
        pragmas::annotate(&mut export.description, &budget)?;
    }
    let text = rg::print(&export.description)
        .map_err(|error| Failure::Unusable(format!("the automaton cannot be written: {error}")))?;
    // Nothing is written before all is there to be written.
    if let Some(path) = names {
        output::deliver(&format!("{:#}\n", names_json(&export, &rulesheet.game)), Some(path))?;
    }
    output::deliver(&text, output.as_deref())?;
    Ok(Status::Done)
}

/// What the names of an automaton stand for.
fn names_json(export: &Export, game: &Game) -> Value {
    let text = |name: Name| export.description.names.text(name);
    let spelled = |term: &Term| term.spelled(&game.symbols);
    let map = |pairs: &[(Name, Term)]| -> Map<String, Value> {
        pairs.iter().map(|(name, term)| (text(*name).to_owned(), spelled(term).into())).collect()
    };
    let roles: Map<String, Value> = (export.roles.iter().zip(&game.roles))
        .map(|(&name, role)| (text(name).to_owned(), spelled(role).into()))
        .collect();
    let fact = |(fact, test): &(Term, FactTest)| {
        let fact = spelled(fact);
        match *test {
            FactTest::Always => json!({ "fact": fact, "always": true }),
            FactTest::Is(variable, value) | FactTest::IsNot(variable, value) => json!({
                "fact": fact,
                "variable": text(variable),
                "value": text(value),
                "equal": matches!(test, FactTest::Is(..)),
            }),
        }
    };
    let part = |part: &RoleTurn| match part {
        RoleTurn::Ply(_) => json!("ply"),
        RoleTurn::Implied(term) => json!({ "move": spelled(term) }),
    };
    let turn = |(node, parts): &(Name, Vec<RoleTurn>)| {
        let roles = export.roles.iter().map(|&role| text(role).to_owned());
        let parts: Map<String, Value> = roles.zip(parts.iter().map(part)).collect();
        (text(*node).to_owned(), Value::Object(parts))
    };
    let mut value = json!({
        "game": game.name,
        "roles": roles,
        "moves": map(&export.moves),
        "facts": export.facts.iter().map(fact).collect::<Vec<_>>(),
        "scores": map(&export.scores),
        "turns": export.turns.iter().map(turn).collect::<Map<String, Value>>(),
    });
    if game.has_percepts() {
        value["percepts"] = map(&export.percepts).into();
    }
    value
}
