//! A game in all the forms in which it is read.

use gdlr_net::ground::Ground;
use gdlr_net::net::{LatchId, Net, Operation, Signal};
use gdlr_net::propnet::Unrolled;
use gdlr_rules::gdl::Game;
use gdlr_rules::normal::Normal;
use gdlr_text::budget::Meter;

/// A game as rules, as ground facts and as a net. It is only read.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pub meter: &'a Meter<'a>,
    pub game: &'a Game,
    pub normal: &'a Normal,
    pub ground: &'a Ground,
    pub net: &'a Net,
    /// The turns that are distinguished.
    pub unrolled: &'a Unrolled,
    /// Whether a role without a choice has a ply, too.
    pub joint: bool,
}

impl Input<'_> {
    /// Whether a fact holds at the beginning of the play.
    pub fn initially(&self, signal: Signal) -> bool {
        match self.net.operation(signal.gate()) {
            Operation::Latch(latch) => {
                self.net.latches[latch.index()].initial != signal.is_negated()
            }
            _ => signal == Signal::TRUE,
        }
    }

    /// The latch of a fact, and its value if the fact holds. `None` if the fact always holds.
    pub fn latch_of(&self, signal: Signal) -> Option<(LatchId, bool)> {
        match self.net.operation(signal.gate()) {
            Operation::Latch(latch) => Some((latch, !signal.is_negated())),
            _ => None,
        }
    }
}
