//! GAME: finding a rulesheet, reading it, refusing what cannot be played.

use super::diagnostics::{Printer, tally};
use super::status::{Failure, Status};
use super::{interrupt, output};
use clap::Args;
use gdlr::bundled;
use gdlr::diagnostic::{Code, Diagnostic};
use gdlr::gdl::{Game, Reading};
use gdlr::kif::{self, Document, Limits};
use gdlr::notation;
use gdlr::{hrg, rg};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// The most errors that a command prints which only wants to play.
const SHOWN: usize = 10;

/// How GAME is read, in every command that takes one.
#[derive(Clone, Copy, Debug, Args)]
pub struct ReadingArguments {
    /// Tell upper from lower case
    #[arg(long)]
    pub case_sensitive: bool,
    /// Compute `plus`, `less` and other relations without rules of their own
    #[arg(long)]
    pub built_ins: bool,
}

impl ReadingArguments {
    pub fn reading(self) -> Reading {
        Reading { case_sensitive: self.case_sensitive, built_ins: self.built_ins }
    }
}

/// One GAME of rules and how to read it.
#[derive(Clone, Debug, Args)]
pub struct GameArguments {
    /// Path to a rulesheet, `-` for standard input, or a bundled game
    #[arg(value_name = "GAME")]
    pub game: String,
    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// A text that should be a game.
pub struct Source {
    /// The name of the game.
    pub name: String,
    /// The name of the text in diagnostics.
    pub file: String,
    /// The bytes that were read.
    pub bytes: Vec<u8>,
}

impl Source {
    /// Finds and reads what GAME names.
    pub fn find(game: &str) -> Result<Source, Failure> {
        let path = Path::new(game);
        if game == "-" || path.is_file() {
            return Source::open_game(game);
        }
        if let Some(diagnostics) = bundled::find(game) {
            return Ok(Source::bundled(diagnostics));
        }
        if path.exists() || game.contains(['/', '\\']) {
            return Source::open_game(game);
        }
        let name = game.strip_suffix(".kif").unwrap_or(game);
        if let Some(diagnostics) = bundled::find(name) {
            output::note(&format!(
                "no file `{game}`; taking the bundled game {}",
                diagnostics.name
            ));
            return Ok(Source::bundled(diagnostics));
        }
        Err(no_such_game(game, name))
    }

    /// The word in the place of an argument, or behind an option.
    pub fn argument(name: &str, text: &str) -> Source {
        Source { name: name.into(), file: name.into(), bytes: text.into() }
    }

    /// The text of a game that comes with the program.
    fn bundled(game: &bundled::Bundled) -> Source {
        let file = format!("kif/{}.kif", game.name);
        Source { name: game.name.into(), file, bytes: game.text.into() }
    }

    /// Reads the file at a path, `-` for standard input, of so many bytes at most.
    pub fn open(given: &str, limit: usize) -> Result<Source, Failure> {
        Source::open_up_to(given, limit, |_| limit)
    }

    /// Reads the file of a game. Automata are larger than rulesheets.
    fn open_game(given: &str) -> Result<Source, Failure> {
        let limit = Limits::default().max_bytes;
        Source::open_up_to(given, limit, |bytes| {
            match hrg::is_automaton(&String::from_utf8_lossy(bytes)) {
                true => rg::MAX_BYTES,
                false => limit,
            }
        })
    }

    /// Reads a file of so many bytes at most; of one that has more, `further` says by those how
    /// many it may have.
    fn open_up_to(
        given: &str,
        limit: usize,
        further: impl FnOnce(&[u8]) -> usize,
    ) -> Result<Source, Failure> {
        if given == "-" {
            let bytes = read_limited(io::stdin().lock(), "standard input", limit, further)?;
            return Ok(Source { name: "stdin".into(), file: "<stdin>".into(), bytes });
        }
        let path = Path::new(given);
        // A pipe is open when somebody writes to it.
        let file = interrupt::at_once(|| File::open(path))
            .map_err(|error| Failure::Unusable(format!("cannot read `{given}`: {error}")))?;
        let bytes = read_limited(file, &format!("`{given}`"), limit, further)?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        Ok(Source { name: name.into_owned(), file: given.to_owned(), bytes })
    }

    /// The text, with a mark for every byte that is not UTF-8.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Whether it is an automaton and no rulesheet.
    pub fn is_automaton(&self) -> bool {
        hrg::is_automaton(&self.text())
    }

    /// Refuses an automaton.
    pub fn must_be_rules(&self) -> Result<(), Failure> {
        match self.is_automaton() {
            true => Err(Failure::Unusable(format!(
                "`{}` is an automaton, and this command takes rules in GDL; \
                 `gdlr rg` has the commands for automata, and `gdlr play` plays them",
                self.file
            ))),
            false => Ok(()),
        }
    }

    /// Reads a rulesheet, in either notation, as far as a tree of expressions; prints what is
    /// wrong with it.
    pub fn rulesheet(&self) -> Result<Document, Failure> {
        self.must_be_rules()?;
        notation::read_bytes(&self.bytes).map_err(|errors| self.refuse(&errors))
    }

    /// Reads a text in KIF that is no rulesheet; prints what is wrong with it.
    pub fn document(&self) -> Result<Document, Failure> {
        kif::read_bytes(&self.bytes).map_err(|errors| self.refuse(&errors))
    }

    /// Prints diagnostics of the text.
    pub fn printer(&self) -> Printer {
        Printer::new(&self.file, &self.text())
    }

    /// Prints errors and gives the failure to return.
    pub fn refuse<'a>(&self, errors: impl IntoIterator<Item = &'a Diagnostic>) -> Failure {
        let errors: Vec<_> = errors.into_iter().collect();
        let printer = self.printer();
        errors.iter().take(SHOWN).for_each(|error| printer.print(error));
        if errors.len() > SHOWN {
            output::note(&format!(
                "... and {} more",
                output::grouped((errors.len() - SHOWN) as u64)
            ));
        }
        let any = |code| errors.iter().any(|error| error.code == code);
        Failure::Reported(if any(Code::TooMuchWork) {
            // The rules are in order; there are only too many cases of them.
            Status::Budget
        } else if any(Code::RgImproper) {
            // Play has shown that they are not.
            Status::No
        } else {
            Status::Unusable
        })
    }
}

/// Says in one line that so many errors and warnings do not forbid play, if there are any, and
/// which command shows them.
pub fn lesser_defects(errors: usize, warnings: usize, command: &str) {
    let counts = match (errors, warnings) {
        (0, 0) => return,
        (0, _) => output::counted(warnings, "warning"),
        (_, 0) => output::counted(errors, "error"),
        _ => format!(
            "{} and {}",
            output::counted(errors, "error"),
            output::counted(warnings, "warning")
        ),
    };
    let verb = if errors + warnings == 1 { "does" } else { "do" };
    output::warn(&format!("{counts} {verb} not forbid play; see `{command}`"));
}

/// A rulesheet that has been read and checked.
pub struct Rulesheet {
    pub source: Source,
    pub game: Arc<Game>,
    /// The findings of the checks.
    pub diagnostics: Vec<Diagnostic>,
}

impl Rulesheet {
    /// Reads and checks a rulesheet. Only one that cannot be read is refused.
    fn read(source: Source, reading: Reading) -> Result<Rulesheet, Failure> {
        let document = source.rulesheet()?;
        let checked = interrupt::at_once(|| {
            let game = Game::from_document(&source.name, document, reading)?;
            let diagnostics = gdlr::check::check_text(&game, &source.text());
            Ok((game, diagnostics))
        });
        let (game, diagnostics) =
            checked.map_err(|errors: Vec<Diagnostic>| source.refuse(&errors))?;
        Ok(Rulesheet { source, game: Arc::new(game), diagnostics })
    }

    /// Reads a rulesheet to play it: refuses one without a meaning, and says in one line
    /// that the checks found other things.
    pub fn playable(arguments: &GameArguments) -> Result<Rulesheet, Failure> {
        Rulesheet::playable_from(Source::find(&arguments.game)?, arguments)
    }

    /// The same of a text that was read.
    pub fn playable_from(source: Source, arguments: &GameArguments) -> Result<Rulesheet, Failure> {
        let rulesheet = Rulesheet::read(source, arguments.reading.reading())?;
        if Game::forbidding(&rulesheet.diagnostics).next().is_some() {
            return Err(rulesheet.source.refuse(Game::forbidding(&rulesheet.diagnostics)));
        }
        let (errors, warnings) = tally(&rulesheet.diagnostics);
        lesser_defects(errors, warnings, &format!("gdlr check {}", arguments.game));
        Ok(rulesheet)
    }
}

fn read_limited(
    reader: impl Read,
    what: &str,
    mut limit: usize,
    further: impl FnOnce(&[u8]) -> usize,
) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut reader = reader.take(limit as u64 + 1);
    let cannot = |error| Failure::Unusable(format!("cannot read {what}: {error}"));
    interrupt::at_once(|| reader.read_to_end(&mut bytes)).map_err(cannot)?;
    if bytes.len() > limit {
        limit = further(&bytes).max(limit);
        reader.set_limit((limit + 1 - bytes.len()) as u64);
        interrupt::at_once(|| reader.read_to_end(&mut bytes)).map_err(cannot)?;
    }
    if bytes.len() > limit { Err(too_large(what, limit)) } else { Ok(bytes) }
}

fn too_large(what: &str, limit: usize) -> Failure {
    let megabytes = limit >> 20;
    Failure::Unusable(format!("{what} is larger than {megabytes} MiB; no game needs that much"))
}

fn no_such_game(game: &str, name: &str) -> Failure {
    let near = match bundled::nearest(name) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`gdlr games` lists them".to_owned(),
    };
    Failure::Unusable(format!("there is neither a file nor a bundled game `{game}`; {near}"))
}
