//! `gdlr rbg to-rg`: a game as an automaton of Regular Games.

use super::FileArgument;
use crate::cli::interrupt;
use crate::cli::output;
use crate::cli::status::{Failure, Outcome, Status};
use clap::Args;
use gdlr::budget::Meter;
use gdlr::rbg::Origins;
use gdlr::rg::optimise::tidy;
use gdlr::{rbg, rg};
use std::path::PathBuf;

/// Write a game as an automaton in the language Regular Games
#[derive(Debug, Args)]
#[command(after_help = "\
`docs/rbg.md` explains the translation. With --explain, comments have the line
of the game that edges come from, and standard error has the meaning of each
tag.

Examples:
  gdlr rbg to-rg mygame.rbg
  gdlr rbg to-rg mygame.rbg -o mygame.rg
  gdlr rbg to-rg mygame.rbg --explain >mygame.rg
  gdlr rbg to-rg mygame.rbg | gdlr rg run -")]
pub struct Arguments {
    #[command(flatten)]
    file: FileArgument,
    /// Write to this file, `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Quote the lines of the game that edges and tags come from
    #[arg(long)]
    explain: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let (source, game) = arguments.file.game()?;
    let (origins, description) = interrupt::at_once(|| {
        let mut description = rbg::translate(&game)?;
        let origins = arguments.explain.then(|| Origins::of(&description));
        // There is no budget to exhaust.
        let _ = tidy(&mut description, &Meter::unlimited());
        Ok((origins, description))
    })
    .map_err(|errors: Vec<_>| source.refuse(&errors))?;
    let text = match &origins {
        Some(origins) => rbg::explain(&source.text(), origins, &description),
        None => rg::print(&description),
    };
    let text = text
        .map_err(|error| Failure::Unusable(format!("the automaton cannot be written: {error}")))?;
    if let Some(origins) = &origins {
        tags(&rbg::explain_tags(&source.text(), origins, &description));
    }
    output::deliver_automaton(&text, arguments.output.as_deref())?;
    Ok(Status::Done)
}

/// Says what tags stand for.
fn tags(tags: &[(String, String)]) {
    let width = tags.iter().map(|(tag, _)| tag.chars().count()).max().unwrap_or(0).min(28);
    output::note("squares are tags, too; the others stand for");
    for (tag, quoted) in tags {
        output::note(&format!("  {tag:<width$}  {quoted}"));
    }
}
