//! A net copied for each turn, all copies in one net.

use super::Turns;
use super::choices::Choices;
use super::copies::{Bounds, Copies};
use super::frames::Frame;
use crate::net::gates::{GateId, LatchId, Net, Signal};
use gdlr_text::budget::{Exhausted, Memory, Meter};

/// A copy of what depends on the mode.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Whether the state is terminal.
    pub terminal: Signal,
    /// By input: whether it is legal.
    pub legal: Vec<Signal>,
    /// By latch, if there is a next state.
    pub frames: Vec<Frame>,
    /// By percept of the net, if there is a next state: whether it is seen. No part of play.
    pub percepts: Vec<Signal>,
}

/// A net with its modes.
#[derive(Clone, Debug)]
pub struct Unrolled {
    /// The gates of all copies. Latches are those of the net; input `i` in the mode `m` has
    /// the number `m * inputs + i`. Goals are not copied, all other outputs are those of the
    /// modes.
    pub net: Net,
    /// The turns that the modes are for, in the same order.
    pub turns: Turns,
    /// By the values of the latches and signs that tell turns apart, the first the lowest bit:
    /// the mode.
    pub table: Vec<u16>,
    /// By input of the net that was unrolled: its role.
    pub roles: Vec<u16>,
    /// By turn: what depends on it.
    pub modes: Vec<Mode>,
    /// By gate: whether it is [on demand](Self::is_on_demand); may be shorter than the net.
    pub(super) on_demand: Vec<bool>,
    /// By gate on demand: how often it was asked for in the play that decided about that.
    pub(super) asked: Vec<usize>,
}

impl Unrolled {
    /// A net with one mode.
    pub fn single(net: &Net, meter: &Meter<'_>) -> Result<Unrolled, Exhausted> {
        Unrolled::new(net, Turns::single(), Bounds::PLAY, meter)
    }

    /// The net copied for some turns.
    pub(super) fn new(
        net: &Net,
        turns: Turns,
        bounds: Bounds,
        meter: &Meter<'_>,
    ) -> Result<Unrolled, Exhausted> {
        let mut table = vec![0; 1 << (turns.latches.len() + turns.signs.len())];
        for (mode, values) in turns.values.iter().enumerate() {
            table[key(values.iter().copied())] = mode as u16;
        }
        let roles = net.inputs.iter().map(|input| input.role.0).collect();
        let (net, modes) = copies(net, &turns, bounds, meter)?;
        let (on_demand, asked) = (Vec::new(), Vec::new());
        Ok(Unrolled { net, turns, table, roles, modes, on_demand, asked })
    }

    /// The mode of a state.
    pub fn mode(&self, is_true: impl Fn(LatchId) -> bool) -> usize {
        let latches = self.turns.latches.iter().map(|&latch| is_true(latch));
        let signs = self.turns.signs.iter().map(|sign| sign.is_true(&is_true));
        usize::from(self.table[key(latches.chain(signs))])
    }

    /// Whether a gate, on which only effects of moves depend, is to be computed when such a move is
    /// made.
    pub fn is_on_demand(&self, gate: GateId) -> bool {
        self.on_demand.get(gate.index()) == Some(&true)
    }

    /// All signals that play asks for.
    pub fn outputs(&self) -> impl Iterator<Item = Signal> + '_ {
        let frames = self.modes.iter().flat_map(|mode| mode.frames.iter().flat_map(Frame::signals));
        let legal = self.modes.iter().flat_map(|mode| mode.legal.iter().copied());
        legal.chain(frames).chain(self.modes.iter().map(|mode| mode.terminal))
    }
}

/// The place in the table of modes for such values.
fn key(values: impl DoubleEndedIterator<Item = bool>) -> usize {
    values.rev().fold(0, |key, value| key << 1 | usize::from(value))
}

/// The gates of all copies, and the copies, one a turn.
///
/// # Errors
///
/// When the budget is exhausted.
fn copies(
    old: &Net,
    turns: &Turns,
    bounds: Bounds,
    meter: &Meter<'_>,
) -> Result<(Net, Vec<Mode>), Exhausted> {
    meter.spend(old.len() + old.wires())?;
    let mut copies = Copies::new(old, turns.count(), bounds);
    let moves = old.inputs.iter().map(|input| input.gate);
    let of_moves = dependent(old, moves);
    let mut of_state = asked_of_states(old);
    of_state.iter_mut().zip(&of_moves).for_each(|(of_state, of_moves)| *of_state |= !of_moves);
    let signs = turns.signs.iter().flat_map(|sign| &sign.latches);
    let of_turn = turns.latches.iter().chain(signs).map(|&latch| old.latches[latch.index()].gate);
    let mut of_turn = dependent(old, of_turn);
    of_turn.iter_mut().zip(&of_state).for_each(|(of_turn, of_state)| *of_turn &= of_state);
    turns.signs.iter().for_each(|sign| of_turn[sign.gate.index()] = false);
    copies.copy_shared(&of_state);
    let shared = copies.map.clone();
    let mut modes = Vec::new();
    for turn in 0..turns.count() {
        copies.map.clone_from(&shared);
        for (latch, value) in turns.known(turn) {
            let gate = old.latches[latch.index()].gate;
            copies.map[gate.index()] = Signal::constant(value);
        }
        for (gate, value) in turns.implied(old, turn) {
            copies.map[gate.index()] = Signal::constant(value);
        }
        modes.push(copies.mode(turn, &of_turn, &of_moves));
        meter.hold(Memory::Scratch, copies.net.wire_bytes());
        meter.spend(old.len() + old.wires())?;
    }
    Ok((copies.net, modes))
}

impl Copies<'_> {
    /// A copy of what depends on the turn or on moves, the rest being there.
    fn mode(&mut self, number: usize, of_turn: &[bool], of_moves: &[bool]) -> Mode {
        let old = self.old;
        self.copy(of_turn, false);
        let terminal = self.mapped(old.terminal);
        let legal: Vec<Signal> = old.inputs.iter().map(|i| self.mapped(i.legal)).collect();
        let choices = Choices::of(old, |input| legal[input] != Signal::FALSE);
        if choices.is_stuck {
            return Mode { terminal, legal, frames: Vec::new(), percepts: Vec::new() };
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
        Mode { terminal, legal, frames, percepts }
    }
}

/// By gate: whether terminal, goals or legality depend on it. Rules may let these depend on
/// moves, which they must not.
fn asked_of_states(net: &Net) -> Vec<bool> {
    let of_state = net.outputs().filter(|(output, _)| output.is_of_state());
    net.reached(of_state.map(|(_, signal)| signal))
}

/// By gate: whether it depends on one of these.
pub(crate) fn dependent(net: &Net, sources: impl Iterator<Item = GateId>) -> Vec<bool> {
    let mut depends = vec![false; net.len()];
    sources.for_each(|gate| depends[gate.index()] = true);
    // Feedback takes more than one round.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for gate in net.computed().filter(|gate| !net.operands(*gate).is_empty()) {
            let now = net.operands(gate).iter().any(|operand| depends[operand.gate().index()]);
            changed |= now && !depends[gate.index()];
            depends[gate.index()] = now;
        }
    }
    depends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::turns::reachable::reachable;
    use crate::net::turns::reachable::tests::{latch, turns};

    #[test]
    fn players_who_take_turns_have_two_modes() {
        let net = turns();
        let found = reachable(&net, &[LatchId(0), LatchId(1)], &[]).expect("two turns");
        let unrolled =
            Unrolled::new(&net, found, Bounds::PLAY, &Meter::unlimited()).expect("no limit");
        assert_eq!(unrolled.mode(|latch| latch == LatchId(0)), 0);
        assert_eq!(unrolled.mode(|latch| latch == LatchId(1)), 1);
        let not_done = !latch(&unrolled.net, 2);
        let first = &unrolled.modes[0];
        assert_eq!(first.legal, [not_done, Signal::FALSE, Signal::FALSE, Signal::TRUE]);
        // The first player has one move, which it makes; the second waits.
        assert_eq!((first.frames[2].set, first.frames[2].keep), (Signal::TRUE, Signal::FALSE));
        assert_eq!((first.frames[3].set, first.frames[3].keep), (Signal::FALSE, Signal::TRUE));
        assert_eq!(first.frames[0].set, Signal::FALSE);
        assert_eq!(first.frames[1].set, Signal::TRUE);
    }
}
