//! FILE: finding an automaton, reading it, refusing what cannot be played.

use crate::cli::interrupt;
use crate::cli::rulesheet::Source;
use crate::cli::status::Failure;
use clap::Args;
use gdlr::hrg;
use gdlr::rg::{self, Automaton, Description};

/// The FILE of every command.
#[derive(Clone, Debug, Args)]
pub struct FileArgument {
    /// Path to an automaton, in RG, HRG, RBG or ABG, `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
}

impl FileArgument {
    /// Opens the file.
    pub fn source(&self) -> Result<Source, Failure> {
        Source::open(&self.file, rg::MAX_BYTES)
    }

    /// Opens the file and reads it, a game in HRG, RBG or ABG as its automaton; prints what is wrong with it.
    pub fn description(&self) -> Result<(Source, Description), Failure> {
        let source = self.source()?;
        let description = description(&source)?;
        Ok((source, description))
    }

    /// Opens the file, reads it and makes it ready to be played; prints what is wrong with it.
    pub fn automaton(&self) -> Result<(Source, Automaton), Failure> {
        let (source, description) = self.description()?;
        let automaton = interrupt::at_once(|| Automaton::new(&description))
            .map_err(|errors| source.refuse(&errors))?;
        Ok((source, automaton))
    }
}

/// Reads the automaton of a file, or the game in HRG, RBG or ABG; prints what is wrong with it.
pub fn description(source: &Source) -> Result<Description, Failure> {
    interrupt::at_once(|| hrg::read_automaton(&source.bytes))
        .map_err(|errors| source.refuse(&errors))
}
