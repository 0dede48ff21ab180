//! `--log` and `--log-file`: what players thought, turn by turn.

use super::output;
use super::status::Failure;
use clap::Args;
use gdlr::ggp::thought::Thought;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Where thoughts are written to.
#[derive(Clone, Debug, Default, Args)]
pub struct LogArguments {
    /// Say on standard error what players on this machine think of each turn
    #[arg(long)]
    log: bool,
    /// Write the same to a file, each turn a JSON object on a line
    #[arg(long, value_name = "FILE")]
    log_file: Option<PathBuf>,
}

/// Writes thoughts, from any thread.
pub struct Log {
    is_shown: bool,
    /// The file, until it cannot be written to.
    file: Option<Mutex<Option<File>>>,
}

impl LogArguments {
    /// Begins the log; a file that was there is overwritten.
    pub fn open(&self) -> Result<Log, Failure> {
        let create = |path: &PathBuf| {
            File::create(path).map_err(|error| {
                Failure::Unusable(format!("cannot write `{}`: {error}", path.display()))
            })
        };
        let file = self.log_file.as_ref().map(create).transpose()?;
        Ok(Log { is_shown: self.log, file: file.map(|file| Mutex::new(Some(file))) })
    }
}

impl Log {
    /// Writes what was thought in the match `id`; `show` writes a line to standard error.
    pub fn tell(&self, id: &str, thought: &Thought, show: impl FnOnce(String)) {
        if self.is_shown {
            show(thought.to_string());
        }
        let Some(file) = &self.file else { return };
        // Nothing panics while it is held.
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{}\n", thought.to_json(id));
        let written = file.as_mut().map(|file| file.write_all(line.as_bytes()));
        if let Some(Err(error)) = written {
            output::warn(&format!("the log ends here: {error}"));
            *file = None;
        }
    }
}
