//! The records of a series: a file for each match, which `gdlr verify` replays.

use super::id::word;
use super::played::Ground;
use crate::cli::output;
use gdlr::ggp::record::Record;
use std::path::PathBuf;
use std::slice;

/// A folder for records.
#[derive(Debug)]
pub struct Records {
    folder: PathBuf,
    /// How many digits the number of a match has.
    digits: usize,
}

impl Records {
    /// A folder for records of so many matches.
    pub fn new(folder: PathBuf, matches: usize) -> Records {
        Records { folder, digits: matches.to_string().len() }
    }

    /// Writes the record of a match, with its number from 0, as `07-connect4.json`; or says why
    /// it cannot.
    pub fn write(&self, number: usize, record: &Record, ground: &Ground) -> Result<(), String> {
        let name = format!("{:0w$}-{}.json", number + 1, word(&record.game), w = self.digits);
        let path = self.folder.join(name);
        let value = Record::to_json(slice::from_ref(record), &ground.playable.source().bytes);
        let Some(value) = value else { return Ok(()) };
        output::write_file(&path, &format!("{value}\n"))
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }
}
