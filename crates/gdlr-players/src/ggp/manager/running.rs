//! A match under way: what all that happens in it has to do with.

use super::conditions::Conditions;
use super::event::Event;
use crate::ggp::contender::{Answer, Order, Remote};
use crate::ggp::record::Record;
use gdlr_engine::engine::{AnyEngine, AnyScratch, RoleId};
use gdlr_engine::play::sampler::Observation;
use gdlr_rules::gdl::{Game, Term};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};

/// A match under way.
pub(super) struct Match<'m> {
    pub(super) game: &'m Arc<Game>,
    pub(super) engine: &'m AnyEngine,
    pub(super) conditions: &'m Conditions,
    pub(super) stop: &'m AtomicBool,
    pub(super) tell: &'m mut dyn FnMut(&Event<'_>),
    pub(super) scratch: AnyScratch,
    /// The last joint move, if there was one.
    pub(super) last: Vec<Term>,
    /// By role: what it is told of it; nothing at first.
    pub(super) observations: Vec<Observation>,
    /// By role.
    pub(super) lines: Vec<Line>,
    /// By role, so that nobody's errors change what another one plays.
    pub(super) rngs: Vec<Xoshiro256PlusPlus>,
    pub(super) sender: Sender<Answer>,
    pub(super) answers: Receiver<Answer>,
    /// Ends the thinking of players on this machine.
    pub(super) hurry: Arc<AtomicBool>,
    /// The number of the last inquiry.
    pub(super) inquiry: u64,
    /// Inquiries that were not answered in time: which, whose, and the place of the fault.
    pub(super) missed: Vec<(u64, RoleId, usize)>,
    /// By role: how many of its answers did not count since it was last taken in.
    pub(super) errors: Vec<u32>,
    /// By role: of a player that was given up since nobody could reach it, whether it is back.
    pub(super) missing: Vec<Option<Arc<AtomicBool>>>,
    pub(super) record: Record,
}

impl Match<'_> {
    /// How many joint moves were played.
    pub(super) fn steps(&self) -> u64 {
        self.record.playout.length as u64
    }
}

/// How a role is asked.
pub(super) enum Line {
    /// Not at all: the manager plays it.
    Manager,
    /// Through a thread that has its seat.
    Here(Sender<Order>),
    /// With a thread for each message.
    Elsewhere(Arc<dyn Remote>),
}
