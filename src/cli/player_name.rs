//! `--player`: a way to play, by its name.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use gdlr::search::PlayerKind;

/// Reads the name of a player.
pub fn parser() -> impl TypedValueParser<Value = PlayerKind> {
    PossibleValuesParser::new(PlayerKind::ALL.iter().map(|kind| kind.name()))
        .try_map(|name| name.parse::<PlayerKind>())
}
