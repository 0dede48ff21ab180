//! `--player`: a way to play, by its name.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use gdlr::search::PlayerKind;

/// The names of all players.
pub fn all() -> String {
    PlayerKind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

/// Reads the name of a player.
pub fn parser() -> impl TypedValueParser<Value = PlayerKind> {
    PossibleValuesParser::new(PlayerKind::ALL.iter().map(|kind| kind.name()))
        .try_map(|name| name.parse::<PlayerKind>())
}
