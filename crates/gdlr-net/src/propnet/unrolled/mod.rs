//! A net copied for each phase, with all copies in one net: for single states and for automata.
//!
//! All copies follow the state at all times, so they share gates. The phase decides which copy is read. [`search`] finds the
//! phases that save work, as [`work`] measures it. [`copies`] makes the copies, and [`frames`] separates the effects of moves on
//! a latch from the rest. For single states the next values are also separated [`by_move`]: a net is [`specialised`] by each
//! move, and some gates are computed [`on_demand`].
//!
//! Passes use another copier, [`rebuild`](crate::net), which makes a new net of a whole net. This one adds all copies of the
//! part that differs to one net. It is called some hundred times until the best latches are found. Passes over whole nets would
//! take as long as all other set-up.

mod by_move;
mod copies;
mod frames;
mod on_demand;
mod search;
mod specialised;
mod work;

pub use frames::{Effect, Frame};
pub use on_demand::Conditions;

use crate::net::phases::Phases;
use crate::net::phases::choices::Choices;
use crate::net::{GateId, LatchId, Net, Signal};
use copies::{Bounds, Copies};
use gdlr_text::budget::{Exhausted, Memory, Meter};

/// A copy of what depends on the phase.
#[derive(Clone, Debug)]
pub struct PhaseCopy {
    /// Whether the state is terminal.
    pub terminal: Signal,
    /// By input: whether it is legal.
    pub legal: Vec<Signal>,
    /// By latch, if there is a next state.
    pub frames: Vec<Frame>,
    /// By percept of the net, if there is a next state: whether it is seen. No part of play.
    pub percepts: Vec<Signal>,
}

/// A net with a copy for each phase.
#[derive(Clone, Debug)]
pub struct Unrolled {
    /// The gates of all copies. Latches are those of the net; input `i` in the phase `m` has
    /// the number `m * inputs + i`. Goals are not copied, all other outputs are those of the
    /// copies.
    pub net: Net,
    /// The phases that the copies are for, in the same order.
    pub phases: Phases,
    /// By the values of the latches and indicators that tell phases apart, the first the lowest bit:
    /// the phase.
    pub table: Vec<u16>,
    /// By input of the net that was unrolled: its role.
    pub roles: Vec<u16>,
    /// By phase: what depends on it.
    pub copies: Vec<PhaseCopy>,
    /// By gate: whether it is [on demand](Self::is_on_demand); may be shorter than the net.
    on_demand: Vec<bool>,
    /// By gate on demand: how often it was asked for in the play that decided about that.
    visits: Vec<usize>,
}

impl Unrolled {
    /// A net with one phase.
    pub fn single(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        Unrolled::new(net, Phases::single(), Bounds::PLAY, meter)
    }

    /// The net copied for some phases.
    fn new(
        net: &Net,
        phases: Phases,
        bounds: Bounds,
        meter: &Meter<'_>,
    ) -> Result<Unrolled, Exhausted> {
        let mut table = vec![0; 1 << (phases.latches.len() + phases.indicators.len())];
        for (phase, values) in phases.values.iter().enumerate() {
            table[key(values.iter().copied())] = phase as u16;
        }
        let roles = net.inputs.iter().map(|input| input.role.0).collect();
        let (net, copies) = copies(net, &phases, bounds, meter)?;
        let (on_demand, visits) = (Vec::new(), Vec::new());
        Ok(Unrolled { net, phases, table, roles, copies, on_demand, visits })
    }

    /// The phase of a state.
    pub fn phase(&self, is_true: impl Fn(LatchId) -> bool) -> usize {
        let latches = self.phases.latches.iter().map(|&latch| is_true(latch));
        let indicators = self.phases.indicators.iter().map(|indicator| indicator.is_true(&is_true));
        usize::from(self.table[key(latches.chain(indicators))])
    }

    /// Whether a gate, on which only effects of moves depend, is to be computed when such a move is
    /// made.
    pub fn is_on_demand(&self, gate: GateId) -> bool {
        self.on_demand.get(gate.index()) == Some(&true)
    }

    /// All signals that play asks for.
    pub fn outputs(&self) -> impl Iterator<Item = Signal> + '_ {
        let frames =
            self.copies.iter().flat_map(|copy| copy.frames.iter().flat_map(Frame::signals));
        let legal = self.copies.iter().flat_map(|copy| copy.legal.iter().copied());
        legal.chain(frames).chain(self.copies.iter().map(|copy| copy.terminal))
    }
}

/// The place in the table of phases for such values.
fn key(values: impl DoubleEndedIterator<Item = bool>) -> usize {
    values.rev().fold(0, |key, value| key << 1 | usize::from(value))
}

/// The gates of all copies, and the copies, one a phase.
///
/// # Errors
///
/// When the budget is exhausted.
fn copies(
    old: &Net,
    phases: &Phases,
    bounds: Bounds,
    meter: &Meter<'_>,
) -> Result<(Net, Vec<PhaseCopy>), Exhausted> {
    meter.spend(old.len() + old.wires())?;
    let mut copier = Copies::new(old, phases.count(), bounds);
    let moves = old.inputs.iter().map(|input| input.gate);
    let of_moves = old.dependent(moves);
    let mut of_state = asked_of_states(old);
    of_state.iter_mut().zip(&of_moves).for_each(|(of_state, of_moves)| *of_state |= !of_moves);
    let indicators = phases.indicators.iter().flat_map(|indicator| &indicator.latches);
    let of_phase =
        phases.latches.iter().chain(indicators).map(|&latch| old.latches[latch.index()].gate);
    let mut of_phase = old.dependent(of_phase);
    of_phase.iter_mut().zip(&of_state).for_each(|(of_phase, of_state)| *of_phase &= of_state);
    phases.indicators.iter().for_each(|indicator| of_phase[indicator.gate.index()] = false);
    copier.copy_shared(&of_state);
    let shared = copier.map.clone();
    let mut copies = Vec::new();
    for phase in 0..phases.count() {
        copier.map.clone_from(&shared);
        for (latch, value) in phases.known(phase) {
            let gate = old.latches[latch.index()].gate;
            copier.map[gate.index()] = Signal::constant(value);
        }
        for (gate, value) in phases.implied(old, phase) {
            copier.map[gate.index()] = Signal::constant(value);
        }
        copies.push(copier.of_phase(phase, &of_phase, &of_moves));
        meter.hold(Memory::Scratch, copier.net.wire_bytes());
        meter.spend(old.len() + old.wires())?;
    }
    Ok((copier.net, copies))
}

impl Copies<'_> {
    /// A copy of what depends on the phase or on moves, the rest being there.
    fn of_phase(&mut self, number: usize, of_phase: &[bool], of_moves: &[bool]) -> PhaseCopy {
        let old = self.old;
        self.copy(of_phase, false);
        let terminal = self.mapped(old.terminal);
        let legal: Vec<Signal> = old.inputs.iter().map(|i| self.mapped(i.legal)).collect();
        let choices = Choices::of(old, |input| legal[input] != Signal::FALSE);
        if choices.is_stuck {
            return PhaseCopy { terminal, legal, frames: Vec::new(), percepts: Vec::new() };
        }
        let first = number * old.inputs.len();
        for (place, (input, choice)) in old.inputs.iter().zip(choices.known).enumerate() {
            self.map[input.gate.index()] = match choice {
                Some(chosen) => Signal::constant(chosen),
                None => Signal::of(self.net.inputs[first + place].gate),
            };
        }
        self.copy(of_moves, true);
        self.effects_left = self.bounds.effects_of_wire * old.wires();
        let latches = self.net.latches.iter().map(|latch| Signal::of(latch.gate));
        let successors = old.latches.iter().map(|latch| self.mapped(latch.next));
        let pairs: Vec<(Signal, Signal)> = latches.zip(successors).collect();
        pairs.iter().for_each(|(_, next)| self.readers[next.gate().index()] += 1);
        let frames = pairs.into_iter().map(|pair| self.frame(pair)).collect();
        let percepts = old.percepts.iter().map(|percept| self.mapped(percept.signal)).collect();
        PhaseCopy { terminal, legal, frames, percepts }
    }
}

/// By gate: whether terminal, goals or legality depend on it. Rules may let these depend on
/// moves, which they must not.
fn asked_of_states(net: &Net) -> Vec<bool> {
    let of_state = net.outputs().filter(|(output, _)| output.is_of_state());
    net.reached(of_state.map(|(_, signal)| signal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::phases::reachable::reachable;
    use crate::net::phases::reachable::tests::{alternating, latch};

    #[test]
    fn players_who_take_turns_have_two_phases() {
        let net = alternating();
        let phases = reachable(&net, &[LatchId(0), LatchId(1)], &[]).expect("two phases");
        let unrolled =
            Unrolled::new(&net, phases, Bounds::PLAY, &Meter::unlimited()).expect("no limit");
        assert_eq!(unrolled.phase(|latch| latch == LatchId(0)), 0);
        assert_eq!(unrolled.phase(|latch| latch == LatchId(1)), 1);
        let not_done = !latch(&unrolled.net, 2);
        let first = &unrolled.copies[0];
        assert_eq!(first.legal, [not_done, Signal::FALSE, Signal::FALSE, Signal::TRUE]);
        // The first player has one move, which it makes; the second waits.
        assert_eq!((first.frames[2].set, first.frames[2].keep), (Signal::TRUE, Signal::FALSE));
        assert_eq!((first.frames[3].set, first.frames[3].keep), (Signal::FALSE, Signal::TRUE));
        assert_eq!(first.frames[0].set, Signal::FALSE);
        assert_eq!(first.frames[1].set, Signal::TRUE);
    }
}
