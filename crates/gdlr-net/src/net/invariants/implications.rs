//! Latches that make others true, or false.
//!
//! In some games a fact comes back as long as another one is true:
//!
//! ```text
//! next(empty 1 2) = (empty 1 1) or ...
//! ```
//!
//! So (empty 1 2) stays away from a square that is taken only because (empty 1 1) implies it.
//! No group of facts of one name says so, and without it, nothing shows that a square is not
//! both empty and taken.

use super::candidates::{Group, never_two};
use super::sample::Samples;
use crate::net::gates::{Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Meter};
use hashbrown::HashSet;

/// The implications of members of some groups, and of their complements, that a sample does
/// not contradict. Each is a group of two: what implies, and the complement of what is implied.
pub(super) fn about(
    groups: &[Group],
    net: &Net,
    samples: &Samples,
    meter: &Meter<'_>,
) -> Result<Vec<Group>, Exhausted> {
    let mut seen: HashSet<Signal> = HashSet::new();
    let mut implications = Vec::new();
    let members = groups.iter().flat_map(|group| &group.members);
    for implied in members.flat_map(|&member| [member, !member]) {
        if !seen.insert(implied) {
            continue;
        }
        for cause in causes(net, implied) {
            meter.spend(samples.steps())?;
            let pair = vec![cause, !implied];
            if cause.gate() != implied.gate() && never_two(&pair, samples) {
                implications.push(Group { covering: false, members: pair, family: 0 });
            }
        }
    }
    Ok(implications)
}

/// The signals of latches each of which alone makes a signal of a latch true in the next state.
fn causes(net: &Net, signal: Signal) -> impl Iterator<Item = Signal> {
    let next = net.latches[signal.gate().index() - 1].next;
    let causes = net.view(next.negated_if(signal.is_negated()), Operation::Or);
    let is_latch = |s: &Signal| matches!(net.operation(s.gate()), Operation::Latch(_));
    causes.into_iter().filter(is_latch)
}
