//! The part of a step that the keeper shows to roles.

use gdlr_rules::gdl::Game;

/// The part of a step that the keeper shows to roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// All moves, after all roles have chosen. This is for games without rules for `sees`.
    Moves,
    /// The percepts of each role, and no moves of other roles.
    Percepts,
    /// Nothing. The caller computes percepts elsewhere.
    Nothing,
}

impl Sight {
    /// The part that the rules of a game let roles see.
    pub fn of(game: &Game) -> Sight {
        if game.has_percepts() { Sight::Percepts } else { Sight::Moves }
    }

    /// The same, but [`Sight::Nothing`] in place of percepts.
    pub fn without_percepts(self) -> Sight {
        if self == Sight::Percepts { Sight::Nothing } else { self }
    }
}
