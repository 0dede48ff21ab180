//! A search under way, whatever its kind.

use super::leaves::Shape;
use crate::player::Turn;
use gdlr_engine::engine::{AnyEngine, MoveId, RoleId};
use gdlr_engine::play::report::Report;
use gdlr_text::decisions::Decisions;
use std::sync::atomic::{AtomicU64, Ordering};

/// How long a search may go on.
pub(super) struct Limits<'a> {
    /// Beyond so much memory, in bytes, nothing more is remembered.
    pub memory: usize,
    /// Whether it is to stop.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// How much it may still try out; `is_over` looks at it.
    pub tries: &'a Tries,
}

/// How many playouts are left to be made. What needs none, such as a descent to a state whose value
/// is certain, counts as one.
pub(super) struct Tries(AtomicU64);

impl Tries {
    /// So many; without a number, more than can be made.
    pub fn new(playouts: Option<u64>) -> Tries {
        Tries(AtomicU64::new(playouts.unwrap_or(u64::MAX)))
    }

    /// Takes some away, as far as there are any.
    pub fn spend(&self, tries: u64) {
        let less = |left: u64| Some(left.saturating_sub(tries));
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Whether none is left.
    pub fn are_over(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// Of the leaves of a round, as many as may still be played out.
    pub fn leaves(&self, shape: Shape) -> usize {
        let left = self.0.load(Ordering::Relaxed).div_ceil(shape.each.max(1));
        shape.leaves.min(usize::try_from(left).unwrap_or(usize::MAX))
    }
}

/// A search under way, of one game.
pub(super) trait Mind: Send {
    /// The engine that is searched on.
    fn engine(&self) -> &AnyEngine;

    /// Goes on from the state of a turn, or what is known of it: keeps what was found out.
    fn go_to(&mut self, turn: &Turn<'_>);

    /// Searches until it is told to stop, or nothing is left to find out.
    fn run(&mut self, limits: &Limits<'_>);

    /// Why it cannot search this game, if it found that out: another kind of search is needed.
    fn unsuited(&self) -> Option<&'static str> {
        None
    }

    /// The move of a role that is preferred, if any was looked at.
    fn best(&self, role: RoleId) -> Option<MoveId>;

    /// The evaluation of the state by a role.
    fn report(&self, role: RoleId) -> Report;

    /// How many leaves are played out at once, once that has been measured.
    fn shape(&self) -> Option<Shape>;

    /// Its decisions, since it began.
    fn decisions(&self) -> Decisions {
        Decisions::default()
    }
}
