//! A search under way, whatever its kind.

use super::leaves::Shape;
use crate::engine::{AnyEngine, MoveId, RoleId};
use crate::play::player::Turn;
use crate::play::report::Report;

/// How long a search may go on.
pub(super) struct Limits<'a> {
    /// Beyond so much memory, in bytes, nothing more is remembered.
    pub memory: usize,
    /// Whether it is to stop.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

/// A search under way, of one game.
pub(super) trait Mind: Send {
    /// The engine that is searched on.
    fn engine(&self) -> &AnyEngine;

    /// Goes on from the state of a turn, or what is known of it: keeps what was found out.
    fn go_to(&mut self, turn: &Turn<'_>);

    /// Searches until it is told to stop, or nothing is left to find out.
    fn run(&mut self, limits: &Limits<'_>);

    /// The move of a role that is preferred, if any was looked at.
    fn best(&self, role: RoleId) -> Option<MoveId>;

    /// What a role thinks of the state.
    fn report(&self, role: RoleId) -> Report;

    /// How many leaves are played out at once, once that has been measured.
    fn shape(&self) -> Option<Shape>;
}
