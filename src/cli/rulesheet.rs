//! GAME: finding a rulesheet, reading it, refusing what cannot be played.

use super::status::{Failure, Status};
use super::{bundled, diagnostics, output};
use clap::Args;
use gdlr::diagnostic::{Code, Diagnostic, Severity};
use gdlr::gdl::{Game, Reading};
use gdlr::kif::{self, Document, Limits};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most errors that a command prints which only wants to play.
const SHOWN: usize = 10;

/// How GAME is read, in every command that takes one.
#[derive(Clone, Copy, Debug, Args)]
pub struct ReadingArguments {
    /// Tell upper from lower case
    #[arg(long)]
    pub case_sensitive: bool,
}

impl ReadingArguments {
    pub fn reading(self) -> Reading {
        Reading { case_sensitive: self.case_sensitive }
    }
}

/// One GAME and how to read it.
#[derive(Clone, Debug, Args)]
pub struct GameArguments {
    /// Path to a rulesheet, `-` for standard input, or a bundled game
    #[arg(value_name = "GAME")]
    pub game: String,
    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// A text that should be a rulesheet.
pub struct Source {
    /// What to call the game.
    pub name: String,
    /// What to call the text in diagnostics.
    pub file: String,
    /// What was read.
    pub bytes: Vec<u8>,
}

impl Source {
    /// Finds and reads what GAME names.
    pub fn find(game: &str) -> Result<Source, Failure> {
        if game == "-" {
            let bytes = read_limited(io::stdin().lock(), "standard input")?;
            return Ok(Source { name: "stdin".into(), file: "<stdin>".into(), bytes });
        }
        let path = Path::new(game);
        if !path.is_file()
            && let Some(found) = bundled::find(game)
        {
            let file = format!("kif/{}.kif", found.name);
            return Ok(Source { name: found.name.into(), file, bytes: found.text.into() });
        }
        let file = File::open(path).map_err(|error| cannot_open(game, &error))?;
        if file.metadata().is_ok_and(|data| data.is_file() && data.len() > limit()) {
            return Err(too_large(game));
        }
        let bytes = read_limited(file, &format!("`{game}`"))?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        Ok(Source { name: name.into_owned(), file: game.to_owned(), bytes })
    }

    /// The text, with a mark for every byte that is not UTF-8.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Reads the text as far as a tree of expressions; prints what is wrong with it.
    pub fn document(&self) -> Result<Document, Failure> {
        kif::read_bytes(&self.bytes).map_err(|errors| self.refuse(&errors))
    }

    /// Prints errors and gives the failure to return.
    pub fn refuse<'a>(&self, errors: impl IntoIterator<Item = &'a Diagnostic>) -> Failure {
        let errors: Vec<_> = errors.into_iter().collect();
        let printer = diagnostics::Printer::new(self);
        errors.iter().take(SHOWN).for_each(|error| printer.print(error));
        if errors.len() > SHOWN {
            output::note(&format!(
                "... and {} more",
                output::grouped((errors.len() - SHOWN) as u64)
            ));
        }
        // The rules are in order; there are only too many cases of them.
        match errors.iter().any(|error| error.code == Code::TooMuchWork) {
            true => Failure::Reported(Status::Budget),
            false => Failure::Reported(Status::Unusable),
        }
    }
}

/// A rulesheet that has been read and checked.
pub struct Rulesheet {
    pub source: Source,
    pub game: Game,
    /// What the checks found.
    pub found: Vec<Diagnostic>,
}

impl Rulesheet {
    /// Reads and checks a rulesheet. Only one that cannot be read is refused.
    pub fn read(game: &str, reading: Reading) -> Result<Rulesheet, Failure> {
        let source = Source::find(game)?;
        let document = source.document()?;
        let game = Game::from_document(&source.name, &document, reading)
            .map_err(|errors| source.refuse(&errors))?;
        let found = gdlr::check::check(&document, &game);
        Ok(Rulesheet { source, game, found })
    }

    /// Reads a rulesheet to play it: refuses one without a meaning, and says in one line
    /// that the checks found other things.
    pub fn playable(arguments: &GameArguments) -> Result<Rulesheet, Failure> {
        let rulesheet = Rulesheet::read(&arguments.game, arguments.reading.reading())?;
        if Game::forbidding(&rulesheet.found).next().is_some() {
            return Err(rulesheet.source.refuse(Game::forbidding(&rulesheet.found)));
        }
        let (errors, warnings) = tally(&rulesheet.found);
        let counts = match (errors, warnings) {
            (0, 0) => return Ok(rulesheet),
            (0, _) => output::counted(warnings, "warning"),
            (_, 0) => output::counted(errors, "error"),
            _ => format!(
                "{} and {}",
                output::counted(errors, "error"),
                output::counted(warnings, "warning")
            ),
        };
        let verb = if errors + warnings == 1 { "does" } else { "do" };
        output::warn(&format!(
            "{counts} {verb} not forbid play; see `gdlr check {}`",
            arguments.game
        ));
        Ok(rulesheet)
    }
}

/// How many errors and warnings.
pub fn tally(found: &[Diagnostic]) -> (usize, usize) {
    let errors = found.iter().filter(|d| d.severity() == Severity::Error).count();
    (errors, found.len() - errors)
}

/// The most bytes of a rulesheet.
fn limit() -> u64 {
    Limits::default().max_bytes as u64
}

fn read_limited(reader: impl Read, what: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    reader
        .take(limit() + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Unusable(format!("cannot read {what}: {error}")))?;
    if bytes.len() as u64 > limit() { Err(too_large(what)) } else { Ok(bytes) }
}

fn too_large(what: &str) -> Failure {
    let megabytes = limit() >> 20;
    Failure::Unusable(format!("{what} is larger than {megabytes} MiB; no game needs that much"))
}

fn cannot_open(game: &str, error: &io::Error) -> Failure {
    let bare = !game.contains(['/', '\\', '.']);
    Failure::Unusable(if error.kind() == io::ErrorKind::NotFound && bare {
        let near = match bundled::nearest(game) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`gdlr games` lists them".to_owned(),
        };
        format!("there is neither a file nor a bundled game `{game}`; {near}")
    } else {
        format!("cannot read `{game}`: {error}")
    })
}
