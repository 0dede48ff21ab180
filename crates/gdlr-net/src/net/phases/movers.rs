//! Whose turn it is, read off the state.
//!
//! Where players alternate, each state has one role that chooses, and the others wait. In nets
//! without a [cycle](super::cycle) of turns (a player may go on, a move decides who is next) it
//! is still a latch that tells: a role has more than one move only where *its* latch is true, and
//! no two roles' latches are true together.
//!
//! The moves that a latch forbids are found by computing the net with the value of each signal alone,
//! that it can be true, that it can be false, or both: with the latch false and everything else
//! open, a move that cannot be legal needs the latch. 64 latches are tried at once.

use crate::net::gates::{GateId, LatchId, Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Meter};

/// A role that chooses in some states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mover {
    /// The role.
    pub role: u16,
    /// A latch or the complement of one, true where the role may have more than one legal move.
    pub turn: Signal,
    /// The only move that it may have elsewhere: a place in [`Net::moves`].
    pub waits: Option<u32>,
}

/// The possible values of signals, in 64 cases.
struct Open {
    can_be_true: Vec<u64>,
    can_be_false: Vec<u64>,
}

impl Open {
    /// Of a signal: the cases in which it can be true.
    fn can_be(&self, signal: Signal) -> u64 {
        let values = if signal.is_negated() { &self.can_be_false } else { &self.can_be_true };
        values[signal.gate().index()]
    }

    /// Computes the net where in case `k` the signal `tried[k]`, of a latch, is false. Linear.
    fn of(net: &Net, fixed: &[(LatchId, bool)], tried: &[Signal]) -> Open {
        // A gate that is read before it is computed is open.
        let mut open = Open { can_be_true: vec![!0; net.len()], can_be_false: vec![!0; net.len()] };
        open.can_be_false[0] = 0;
        for &(latch, value) in fixed {
            let gate = net.latches[latch.index()].gate.index();
            let never = if value { &mut open.can_be_false } else { &mut open.can_be_true };
            never[gate] = 0;
        }
        for (case, signal) in tried.iter().enumerate() {
            let never = match signal.is_negated() {
                false => &mut open.can_be_true,
                true => &mut open.can_be_false,
            };
            never[signal.gate().index()] &= !(1 << case);
        }
        for gate in (0..net.len() as u32).map(GateId) {
            let is_and = match net.operation(gate) {
                Operation::And => true,
                Operation::Or => false,
                _ => continue,
            };
            let (mut can_be_true, mut can_be_false) = if is_and { (!0, 0) } else { (0, !0) };
            for &signal in net.operands(gate) {
                let feedback = signal.gate() >= gate;
                let is_true = if feedback { !0 } else { open.can_be(signal) };
                let is_false = if feedback { !0 } else { open.can_be(!signal) };
                match is_and {
                    true => {
                        (can_be_true, can_be_false) =
                            (can_be_true & is_true, can_be_false | is_false)
                    }
                    false => {
                        (can_be_true, can_be_false) =
                            (can_be_true | is_true, can_be_false & is_false)
                    }
                }
            }
            open.can_be_true[gate.index()] = can_be_true;
            open.can_be_false[gate.index()] = can_be_false;
        }
        open
    }
}

/// Looks for latches that tell whose turn it is among some roles, in the states in which the
/// latches of `known` have these values. Linear in the net, for every 32 latches.
///
/// # Errors
///
/// When the budget is exhausted.
pub fn movers(
    net: &Net,
    fixed: &[(LatchId, bool)],
    roles: &[u16],
    meter: &Meter<'_>,
) -> Result<Option<Vec<Mover>>, Exhausted> {
    let signals: Vec<Signal> = (net.latches.iter())
        .flat_map(|latch| [Signal::of(latch.gate), !Signal::of(latch.gate)])
        .collect();
    // By place in `roles`: who may be on turn by which signal.
    let mut candidates: Vec<Vec<Mover>> = vec![Vec::new(); roles.len()];
    for tried in signals.chunks(64) {
        meter.spend(net.len() + net.wires())?;
        let open = Open::of(net, fixed, tried);
        for (&role, candidates) in roles.iter().zip(&mut candidates) {
            let (mut once, mut twice) = (0, 0);
            for input in net.inputs.iter().filter(|input| input.role.0 == role) {
                let legal = open.can_be(input.legal);
                twice |= once & legal;
                once |= legal;
            }
            for (case, &turn) in tried.iter().enumerate().filter(|(case, _)| twice >> case & 1 == 0)
            {
                let waits = net.inputs.iter().find(|input| {
                    input.role.0 == role && open.can_be(input.legal) >> case & 1 == 1
                });
                candidates.push(Mover { role, turn, waits: waits.map(|input| input.term) });
            }
        }
    }
    Ok(assigned(net, &candidates))
}

/// One candidate of each role, no two of them true together.
fn assigned(net: &Net, candidates: &[Vec<Mover>]) -> Option<Vec<Mover>> {
    if let [only] = candidates {
        return Some(only.iter().take(1).copied().collect())
            .filter(|movers: &Vec<_>| movers.len() == 1);
    }
    if let [first, second] = candidates {
        let complement = first.iter().find_map(|one| {
            let other = second.iter().find(|other| other.turn == !one.turn)?;
            Some(vec![*one, *other])
        });
        if complement.is_some() {
            return complement;
        }
    }
    net.exclusive.iter().find_map(|group| {
        let mut movers: Vec<Mover> = Vec::with_capacity(candidates.len());
        for of_role in candidates {
            let is_free = |mover: &&Mover| {
                group.contains(&mover.turn) && movers.iter().all(|other| other.turn != mover.turn)
            };
            let mover = of_role.iter().find(is_free)?;
            movers.push(*mover);
        }
        Some(movers)
    })
}
