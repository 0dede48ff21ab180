//! `gdlr rg check`: diagnoses automata.

use super::file::FileArgument;
use super::run::{refuse, search, status_of};
use crate::cli::diagnostics::{counts, tally};
use crate::cli::output::{self, counted};
use crate::cli::progress;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::diagnostic::Diagnostic;
use gdlr::rg::{self, Automaton, Condition, Description, Exploration};
use gdlr::{abg, hrg, rbg};
use serde_json::json;

/// Diagnose an automaton
#[derive(Debug, Args)]
#[command(after_help = "\
An error is a violation of the language. A warning is about an odd text, or a
text that other programs read differently. Exits with 1 if there are errors.

In a proper game all actions are valid, each move leads to one state, somebody
has a move until the game ends, the keeper has one move and ends the game, and
each play ends. Only play shows whether a game is proper: --explore plays, and
exits with 1 if the game is not proper.

Examples:
  gdlr rg check --explore 100000 mygame.rg
  gdlr rg check mygame.rg
  gdlr rg check --json mygame.rg")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Look at up to so many states: is the game proper?
    #[arg(long, value_name = "N")]
    explore: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = arguments.file.source()?;
    let text = source.text();
    let (description, diagnostics) = if rbg::is_rbg(&text) {
        diagnosed_boardgame(&source.bytes)
    } else if abg::is_abg(&text) {
        (abg::read_automaton(&text).ok(), abg::check(&source.bytes))
    } else if hrg::is_hrg(&text) {
        diagnosed_game(&source.bytes)
    } else {
        diagnosed(&source.bytes)
    };
    let (errors, _) = tally(&diagnostics);
    let printer = source.printer();
    let mut report = printer.report_json(&source.name, &diagnostics);
    if !arguments.json {
        diagnostics.iter().for_each(|diagnostics| printer.print(diagnostics));
        output::print(&format!("{}: {}\n", source.file, counts(&diagnostics)))?;
    }
    let mut status = if errors > 0 { Status::No } else { Status::Done };
    if let (Some(most), Some(description), 0) = (arguments.explore, &description, errors) {
        let automaton = Automaton::new(description).map_err(|errors| source.refuse(&errors))?;
        let explored = explore(&automaton, most);
        status = status_of_exploration(&explored);
        match arguments.json {
            true => report["explored"] = to_json(&explored, description),
            false => print(&explored, description)?,
        }
    }
    if arguments.json {
        output::print_json(&report)?;
    }
    Ok(status)
}

fn diagnosed(bytes: &[u8]) -> (Option<Description>, Vec<Diagnostic>) {
    match rg::read_bytes(bytes) {
        Ok(description) => {
            let diagnostics = rg::validate(&description);
            (Some(description), diagnostics)
        }
        Err(errors) => (None, errors),
    }
}

/// The same for a game in HRG.
fn diagnosed_game(bytes: &[u8]) -> (Option<Description>, Vec<Diagnostic>) {
    match hrg::read_bytes(bytes) {
        Ok(game) => (hrg::translate(&game).ok(), hrg::check(&game)),
        Err(errors) => (None, errors),
    }
}

/// The same for a game in RBG.
fn diagnosed_boardgame(bytes: &[u8]) -> (Option<Description>, Vec<Diagnostic>) {
    let description = rbg::read_bytes(bytes).and_then(|game| rbg::translate(&game));
    (description.ok(), rbg::check(bytes))
}

fn explore(automaton: &Automaton, most: usize) -> Exploration {
    let spinner = progress::spinner();
    let show = |states| spinner.set_message(counted(states, "state"));
    let explored = rg::explore(automaton, &mut search(), most, show);
    spinner.finish_and_clear();
    explored
}

fn status_of_exploration(explored: &Exploration) -> Status {
    match (&explored.violation, &explored.broken_off) {
        (Some(_), _) => Status::No,
        (None, Some(error)) => status_of(error),
        (None, None) => Status::Done,
    }
}

/// The tags of each move with a blank between, `-` for a move without.
fn words(explored: &Exploration, description: &Description) -> Vec<String> {
    let play = explored.violation.iter().flat_map(|violation| &violation.play);
    let text = |tags: &Vec<rg::Name>| {
        let tags: Vec<&str> = tags.iter().map(|&tag| description.names.text(tag)).collect();
        if tags.is_empty() { "-".to_owned() } else { tags.join(" ") }
    };
    play.map(text).collect()
}

fn print(explored: &Exploration, description: &Description) -> Result<(), Failure> {
    let states = counted(explored.states, "state");
    if let Some(error) = &explored.broken_off {
        refuse(error);
    }
    output::print(&match (&explored.violation, explored.complete) {
        (None, true) => format!("explored {states}, which are all: the game is proper\n"),
        (None, false) => format!("explored {states}, there are more: no defect so far\n"),
        (Some(violation), _) => {
            let play = words(explored, description);
            let moves = counted(play.len(), "move");
            let mut text = format!("not proper ({}): {}\n", violation.condition, violation.message);
            // Defects that the text shows need no play.
            if violation.condition != Condition::Definitions {
                text += &format!("after {moves}, `-` for one without tags:\n");
            }
            play.iter().for_each(|tags| text += &format!("  {tags}\n"));
            text
        }
    })?;
    Ok(())
}

fn to_json(explored: &Exploration, description: &Description) -> serde_json::Value {
    let defect = explored.violation.as_ref().map(|violation| {
        json!({
            "condition": violation.condition.to_string(),
            "message": violation.message,
            "play": words(explored, description),
        })
    });
    json!({
        "states": explored.states,
        "complete": explored.complete,
        "defect": defect,
        "error": explored.broken_off.as_ref().map(ToString::to_string),
    })
}
