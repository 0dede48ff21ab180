//! The events of engines in lockstep.

use gdlr_rules::gdl::Term;
use std::rc::Rc;

/// A joint move as terms, one a role.
pub(super) type Joint = Rc<[Term]>;

/// The events of all engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// Played a joint move, and looked at the state.
    Play(Joint),
    /// Entered the state after so many events again, and looked at it or did not.
    Enter { after: usize, look: bool },
}
