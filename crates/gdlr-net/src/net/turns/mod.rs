//! A net specialised by turn.
//!
//! Most of what a step changes in a net changes because a turn ends. Half of all moves cease
//! to be legal and the other half become so, the player who did nothing does something, and
//! every frame rule is told. With the values of the latches that tell turns apart put in, a
//! net loses the moves of whoever only waits, and all that these would do:
//!
//! ```text
//! legal(m) = white and p          with white: p         with black: false
//! next(l) = m or (l and not n)    with white: as is     with black: l
//! ```
//!
//! [`Turns`] are latches and their values in each turn; [`signs`] may take the place of latches.
//! There are three ways to find them: [`cycle`] takes all latches that go round by themselves,
//! whatever is played; [`reachable`] takes a few that [`candidates`] proposes, and follows what can
//! become of them; [`playing`] takes those that go round as long as play goes on. [`choices`] says
//! what is known of the moves of a turn: one that cannot be legal is not made, and the only one of
//! a role that can be is.
//!
//! Two kinds of copies are made:
//!
//! - [`modes`] are copies inside one net, [`unrolled`], with [`copies`] as the copier and
//!   [`frames`] for the successors of latches. All of them follow the state at all times, so
//!   they share what they can, and [`activity`] says whether they save work. For single states
//!   and for automata. For single states successors are taken apart [`by_move`] beyond that, with
//!   nets [`specialised`] by a move, and gates are [`on_demand`].
//! - [`phases`] are nets of their own, each made as small as passes can make it. Only one is
//!   ever computed, so sharing is worth nothing, and what the turn before has [`denied`] is gone.
//!   For many games at once.
//!
//! [`movers`](mod@movers) looks for the latches that tell whose turn it is where turns do not go
//! round.
//!
//! The two copiers stay two. That of modes writes all copies of the part that differs into one
//! net and is called for some hundred copies until the best latches are found: passes over
//! whole nets would take as long as all other set-up. That of phases is the machinery of
//! [`rebuild`](super::rebuild), which makes one net of one.

mod activity;
mod by_move;
mod candidates;
mod choices;
pub(super) mod compound;
mod copies;
mod cycle;
mod decided;
mod denied;
pub(super) mod frames;
mod modes;
mod movers;
mod on_demand;
pub(super) mod phases;
mod playing;
mod reachable;
mod signs;
mod specialised;
pub(super) mod unrolled;

pub use movers::{Mover, movers};

pub use on_demand::Conditions;
pub use signs::Sign;

use super::gates::{GateId, LatchId, Net, Signal};
use super::rebuild::Replaced;

/// Latches that tell turns apart, with their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    /// The latches.
    pub latches: Vec<LatchId>,
    /// What tells them apart beside these.
    pub signs: Vec<Sign>,
    /// By turn: the values of these latches, in their order, then of the signs. That of the
    /// initial state is the first.
    pub values: Vec<Vec<bool>>,
    /// The latch with the value that it has where play is over, if it need be no turn there.
    pub over: Option<(LatchId, bool)>,
}

impl Turns {
    /// One turn, of which nothing is known.
    pub fn single() -> Turns {
        Turns { latches: Vec::new(), signs: Vec::new(), values: vec![Vec::new()], over: None }
    }

    /// How many turns there are.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The latches, and their values in a turn.
    pub fn known(&self, turn: usize) -> impl Iterator<Item = (LatchId, bool)> + '_ {
        self.latches.iter().copied().zip(self.values[turn].iter().copied())
    }

    /// The turn of a state in which these latches are true, if it is one of them. Where play is
    /// over any of them may do.
    pub fn find(&self, is_true: impl Fn(LatchId) -> bool) -> Option<usize> {
        if self.over.is_some_and(|(latch, value)| is_true(latch) == value) {
            return Some(0);
        }
        self.values.iter().position(|values| {
            let (latches, signs) = values.split_at(self.latches.len());
            latches.iter().zip(&self.latches).all(|(&value, &latch)| is_true(latch) == value)
                && signs
                    .iter()
                    .zip(&self.signs)
                    .all(|(&value, sign)| sign.is_true(&is_true) == value)
        })
    }

    /// Gates that are known in a turn, beside the latches that tell it apart: its signs, and the
    /// latches of those that are false.
    pub fn implied(&self, net: &Net, turn: usize) -> Vec<(GateId, bool)> {
        let values = &self.values[turn][self.latches.len()..];
        let mut known = Vec::new();
        for (sign, &value) in self.signs.iter().zip(values) {
            known.push((sign.gate, value));
            let latches = sign.latches.iter().filter(|_| !value);
            known.extend(latches.map(|latch| (net.latches[latch.index()].gate, false)));
        }
        known
    }

    /// Puts the values of a turn in the place of the latches and signs.
    fn replaced(&self, net: &Net, turn: usize) -> Replaced {
        let latches = vec![None; net.latches.len()];
        let known = self.implied(net, turn);
        let mut replaced = Replaced { latches, known, ..Replaced::default() };
        for (latch, value) in self.known(turn) {
            replaced.latches[latch.index()] = Some(Signal::constant(value));
        }
        replaced
    }
}
