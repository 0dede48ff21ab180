//! Moves as players see them (RG, 2.1, obfuscated moves).
//!
//! A player knows all tags of its own moves, and the visible tags of the moves of others. The
//! sequence of these tags is the player's **obfuscated play**. Two plays with the same obfuscated
//! play look the same to the player.

use super::automaton::Automaton;
use super::moves::Moves;
use super::state::{PlayerId, State, Turn};
use crate::rg::name::Name;

/// A move as a player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObfuscatedMove {
    /// The player that moves.
    pub by: Turn,
    /// The tags that the player knows of, in order.
    pub tags: Vec<Name>,
}

impl Automaton {
    /// A move of a state, as a player sees it.
    ///
    /// # Panics
    ///
    /// When there is no such move.
    pub fn obfuscated(
        &self,
        state: &State,
        moves: &Moves,
        index: usize,
        player: PlayerId,
    ) -> ObfuscatedMove {
        let by = self.turn(state);
        let tags = match by == Turn::Player(player) {
            true => moves.tags(index).to_vec(),
            false => self.visible(moves, index, player).collect(),
        };
        ObfuscatedMove { by, tags }
    }
}
