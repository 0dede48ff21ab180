//! What the keeper shows roles of a step.

use gdlr_rules::gdl::Game;

/// What the keeper shows roles of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// All moves, once all have chosen: in a game without rules for `sees`.
    Moves,
    /// To each role its percepts, and nothing of others' moves.
    Percepts,
    /// Nothing, for who asks elsewhere what roles see.
    Nothing,
}

impl Sight {
    /// What the rules let roles see.
    pub fn of(game: &Game) -> Sight {
        if game.has_percepts() { Sight::Percepts } else { Sight::Moves }
    }

    /// The same, but nothing is shown where percepts would be.
    pub fn without_percepts(self) -> Sight {
        if self == Sight::Percepts { Sight::Nothing } else { self }
    }
}
