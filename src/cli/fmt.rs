//! `gdlr fmt`: canonical layout.

use super::output;
use super::rulesheet::Source;
use super::status::{Failure, Outcome, Status};
use clap::Args;
use std::path::Path;

/// Lay out a rulesheet in the canonical way, comments kept
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gdlr fmt mygame.kif              print the result
  gdlr fmt --check mygame.kif      exit 1 if the file would change
  gdlr fmt --write mygame.kif      change the file")]
pub struct Arguments {
    /// Path to a rulesheet, `-` for standard input, or a bundled game
    #[arg(value_name = "GAME")]
    game: String,
    /// Print nothing; exit 1 if the layout is another
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write the result back to the file
    #[arg(long)]
    write: bool,
}

pub fn run(arguments: &Arguments) -> Outcome {
    let source = Source::find(&arguments.game)?;
    let document = source.document()?;
    let text = source.text();
    let laid_out = gdlr::kif::format(&text, &document);
    if arguments.check {
        if laid_out == text {
            return Ok(Status::Done);
        }
        output::note(&format!("{}: the layout is not canonical", source.file));
        return Ok(Status::No);
    }
    if !arguments.write {
        output::print(&laid_out)?;
        return Ok(Status::Done);
    }
    let path = Path::new(&arguments.game);
    if arguments.game == "-" || !path.is_file() {
        return Err(Failure::Unusable(format!("`{}` is no file to write to", arguments.game)));
    }
    if laid_out != text {
        output::write_file(path, &laid_out).map_err(|error| {
            Failure::Unusable(format!("cannot write `{}`: {error}", arguments.game))
        })?;
    }
    Ok(Status::Done)
}
