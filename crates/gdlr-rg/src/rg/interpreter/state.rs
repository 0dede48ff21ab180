//! States of a game, and whose turn it is in them.

use super::program::{NodeId, Register, Symbol};

/// A player of a game: its place in the type `Player`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub u16);

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The game manager's, which has one move.
    Keeper,
    /// Chance's: every move is as likely as the others.
    Random,
    /// A player's.
    Player(PlayerId),
    /// Nobody's: the game is over, as the node is `end`.
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
    /// How much memory it takes beside itself, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.values[..])
    }
}

/// A node of an automaton, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    pub(super) node: NodeId,
    pub(super) player: Symbol,
}

/// Where a symbol of every state is: a variable of a set type, or an entry of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub(super) Register);

impl Slot {
    /// The number of the slot, less than [`Automaton::slots`](super::Automaton::slots).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
