//! Moves as players see them (RG, 2.1, obfuscated moves).
//!
//! Of its own moves a player knows all tags, of those of others the ones that are visible to it.
//! One after the other they are its **obfuscated play**: two plays whose tags are the same in it
//! look the same to the player.

use super::automaton::Automaton;
use super::moves::Moves;
use super::state::{PlayerId, State, Turn};
use crate::rg::name::Name;

/// A move as a player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObfuscatedMove {
    /// Whose move it is.
    pub by: Turn,
    /// The tags that the player knows of, in order.
    pub tags: Vec<Name>,
}

impl Automaton {
    /// One of the moves in a state, as a player sees it.
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
