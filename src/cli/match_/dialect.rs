//! The dialect of a match, as users choose it.

use clap::ValueEnum;
use gdlr::gdl::Game;
use gdlr::ggp::message::Dialect;
use serde::{Deserialize, Serialize};

/// How players elsewhere are told of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DialectChoice {
    // As the game needs it.
    #[default]
    Auto,
    // By the joint move.
    Gdl,
    // By the own move and percepts.
    GdlIi,
}

impl DialectChoice {
    /// The dialect of a match of a game, `None` for that which the game needs; why it cannot be.
    pub fn of(self, game: &Game) -> Result<Option<Dialect>, String> {
        match self {
            DialectChoice::Auto => Ok(None),
            DialectChoice::GdlIi => Ok(Some(Dialect::Percepts)),
            DialectChoice::Gdl if game.has_percepts() => Err(format!(
                "the dialect gdl would tell players the moves of all roles, which the rules for \
                 `sees` of {} hide; play it with the dialect gdl-ii",
                game.name
            )),
            DialectChoice::Gdl => Ok(Some(Dialect::JointMove)),
        }
    }
}
