//! `--player`: a way to play, by its name.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{Error, ErrorKind};
use clap::{Arg, Command};
use gdlr::search::{PlayerError, PlayerKind};
use std::ffi::OsStr;
use std::path::Path;

/// The names of all players.
pub fn all() -> String {
    let names = PlayerKind::ALL.iter().map(PlayerKind::name);
    names.chain(["net:FILE", "alphabeta:FILE"]).collect::<Vec<_>>().join(", ")
}

/// The player of a name, or why there is none. The path of a value net is one from a folder on.
pub fn open(name: &str, folder: &Path) -> Result<PlayerKind, String> {
    PlayerKind::open(name, folder).map_err(|error| match error {
        PlayerError::Unknown => format!("{error}; players are {}", all()),
        error => error.to_string(),
    })
}

/// Reads the name of a player.
pub fn parser() -> impl TypedValueParser<Value = PlayerKind> {
    Named
}

#[derive(Clone)]
struct Named;

impl TypedValueParser for Named {
    type Value = PlayerKind;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<PlayerKind, Error> {
        let name = value.to_string_lossy();
        open(&name, Path::new("")).map_err(|why| {
            let argument = argument.map_or("--player".to_owned(), ToString::to_string);
            let message = format!("invalid value '{name}' for '{argument}': {why}\n");
            Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(PlayerKind::ALL.iter().map(|kind| PossibleValue::new(kind.name()))))
    }
}
