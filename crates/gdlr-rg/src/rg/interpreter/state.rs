//! States of a game, and their turns.

use super::program::{NodeId, Register, Symbol};

/// A player of a game: its place in the type `Player`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub u16);

/// The player that has the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The keeper (the game manager), which has one move.
    Keeper,
    /// Chance: all moves are equally likely.
    Random,
    /// A player.
    Player(PlayerId),
    /// Nobody: the game is over, as the node is `end`.
    End,
}

/// A state of a game: a node, and the values of all variables.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) node: NodeId,
    pub(super) values: Box<[Symbol]>,
}

impl Clone for State {
    fn clone(&self) -> State {
        State { node: self.node, values: self.values.clone() }
    }

    /// Allocates nothing if both are of the same game.
    fn clone_from(&mut self, other: &State) {
        self.node = other.node;
        self.values.clone_from(&other.values);
    }
}

impl State {
    /// The memory that a state takes on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.values[..])
    }
}

/// A node of an automaton with the turn of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    pub(super) node: NodeId,
    pub(super) player: Symbol,
}

/// The place of one symbol in every state: a variable of a set type, or an entry of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub(super) Register);

impl Slot {
    /// The number of the slot, less than [`Automaton::slots`](super::Automaton::slots).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
