//! Players by name.

use super::Search;
use crate::player::{Player, ThinkingPlayer};
use gdlr_engine::play::thinker::Thinker;
use std::fmt;
use std::str::FromStr;

/// A way to play, by the name that users write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// Any legal move, each with the same chance.
    Random,
    /// Flat Monte Carlo.
    Mc,
    /// Tree search: [`Search`].
    Uct,
    /// Alpha-beta search where it suits, and tree search elsewhere: [`Search::by_alpha_beta`].
    AlphaBeta,
}

impl PlayerKind {
    /// All of them.
    pub const ALL: &[PlayerKind] =
        &[PlayerKind::Random, PlayerKind::Mc, PlayerKind::Uct, PlayerKind::AlphaBeta];

    /// The name that users write.
    pub fn name(self) -> &'static str {
        match self {
            PlayerKind::Random => "random",
            PlayerKind::Mc => "mc",
            PlayerKind::Uct => "uct",
            PlayerKind::AlphaBeta => "alphabeta",
        }
    }

    /// A player of a match; `memory`, in bytes, is for what it remembers, and `max_steps` the bound
    /// on the length of its playouts.
    pub fn of_match(self, seed: u64, max_steps: u64, memory: usize) -> Box<dyn Player> {
        let thinking = |thinker| Box::new(ThinkingPlayer::new(thinker, seed, max_steps));
        match self {
            PlayerKind::Random => thinking(Thinker::Random),
            PlayerKind::Mc => thinking(Thinker::MonteCarlo),
            PlayerKind::Uct => Box::new(Search::new(seed, memory)),
            PlayerKind::AlphaBeta => Box::new(Search::new(seed, memory).by_alpha_beta()),
        }
    }

    /// The search that it is, with so much memory in bytes; `None` of a player that does not
    /// search. It plays in lanes if there are any, and remembers.
    pub fn search(self, seed: u64, memory: usize) -> Option<Search> {
        match self {
            PlayerKind::Random | PlayerKind::Mc => None,
            PlayerKind::Uct => Some(Search::new(seed, memory)),
            PlayerKind::AlphaBeta => Some(Search::new(seed, memory).by_alpha_beta()),
        }
    }

    /// Whether it is a [`search`](PlayerKind::search).
    pub fn searches(self) -> bool {
        matches!(self, PlayerKind::Uct | PlayerKind::AlphaBeta)
    }
}

/// There is no player of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownPlayer;

impl fmt::Display for UnknownPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no player of this name")
    }
}

impl std::error::Error for UnknownPlayer {}

impl FromStr for PlayerKind {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<PlayerKind, UnknownPlayer> {
        PlayerKind::ALL.iter().copied().find(|kind| kind.name() == name).ok_or(UnknownPlayer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_found_by_their_names() {
        for &kind in PlayerKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert_eq!("human".parse::<PlayerKind>(), Err(UnknownPlayer));
    }
}
