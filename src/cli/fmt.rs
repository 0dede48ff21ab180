//! `gdlr fmt`: canonical layout.

use super::output;
use super::rulesheet::Source;
use super::status::{Failure, Outcome, Status};
use clap::{Args, ValueEnum};
use gdlr::diagnostic::Diagnostic;
use gdlr::gdl::{Game, Reading};
use gdlr::notation::{self, Notation};
use gdlr::obfuscate::obfuscate;
use gdlr::operations;
use std::path::Path;

/// Lay out a rulesheet in the canonical way, comments kept
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gdlr fmt mygame.kif              print the result
  gdlr fmt --check mygame.kif      exit 1 if the file would change
  gdlr fmt --write mygame.kif      change the file
  gdlr fmt --to infix mygame.kif   print it as `head :- condition & condition`
  gdlr fmt --to operations mygame.kif
                                   print it as `move :: condition ==> effects`
  gdlr fmt --obfuscate 1 nim       print the game under names that say nothing")]
pub struct Arguments {
    /// Path to a rulesheet, `-` for standard input, or a bundled game
    #[arg(value_name = "GAME")]
    game: String,
    /// The notation of the result [default: that of the rulesheet]
    #[arg(long, value_name = "NOTATION")]
    to: Option<To>,
    /// Give all names made-up ones, the same for the same SEED; comments go
    #[arg(long, value_name = "SEED", conflicts_with_all = ["check", "write"])]
    obfuscate: Option<u64>,
    /// With --obfuscate: tell upper from lower case
    #[arg(long, requires = "obfuscate")]
    case_sensitive: bool,
    #[command(flatten)]
    destination: Destination,
}

/// A notation to write.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    Kif,
    Infix,
    Operations,
}

/// The use of the result, in every command that lays out.
#[derive(Clone, Debug, Args)]
pub struct Destination {
    /// Print nothing; exit 1 if the layout is another
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write the result back to the file
    #[arg(long)]
    write: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = Source::find(&arguments.game)?;
    source.must_be_rules()?;
    let text = source.text();
    let to = match arguments.to {
        Some(To::Kif) => Notation::Kif,
        Some(To::Infix) => Notation::Infix,
        Some(To::Operations) => Notation::Operations,
        None => Notation::of(&text),
    };
    if let Some(seed) = arguments.obfuscate {
        let document = source.rulesheet()?;
        let reading = Reading { case_sensitive: arguments.case_sensitive, ..Reading::default() };
        let game = Game::from_document(&source.name, document, reading)
            .map_err(|errors| source.refuse(&errors))?;
        let document = obfuscate(&game, seed).document;
        let is_chosen = arguments.to.is_some() || to != Notation::Operations;
        let to = if is_chosen { to } else { Notation::Kif };
        let text = notation::format("", &document, to).map_err(|errors| source.refuse(&errors))?;
        output::print_exactly(&text)?;
        return Ok(Status::Done);
    }
    let laid_out = laid_out(&source, to).map_err(|errors| source.refuse(&errors))?;
    arguments.destination.take(&source, &arguments.game, &laid_out)
}

/// The layout of a rulesheet. Operations are laid out as they are written, whatever they mean.
fn laid_out(source: &Source, to: Notation) -> Result<String, Vec<Diagnostic>> {
    if let Ok(text) = std::str::from_utf8(&source.bytes)
        && to == Notation::Operations
        && Notation::of(text) == to
    {
        return operations::format(text);
    }
    let document = notation::read_bytes(&source.bytes)?;
    notation::format(&source.text(), &document, to)
}

impl Destination {
    /// Takes the layout of what was read from `given`.
    pub fn take(&self, source: &Source, given: &str, laid_out: &str) -> Outcome {
        let is_canonical = laid_out.as_bytes() == source.bytes;
        if self.check {
            if is_canonical {
                return Ok(Status::Done);
            }
            output::note(&format!("{}: the layout is not canonical", source.file));
            return Ok(Status::No);
        }
        if !self.write {
            output::print_exactly(laid_out)?;
            return Ok(Status::Done);
        }
        let path = Path::new(given);
        if given == "-" || !path.is_file() {
            return Err(Failure::Unusable(format!("`{given}` is no file to write to")));
        }
        if !is_canonical {
            output::write_file(path, laid_out)
                .map_err(|error| Failure::Unusable(format!("cannot write `{given}`: {error}")))?;
        }
        Ok(Status::Done)
    }
}
