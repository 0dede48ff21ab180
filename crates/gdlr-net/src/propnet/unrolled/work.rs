//! How much work a play is with a net that was unrolled.
//!
//! The net is evaluated for all states of a recorded play at once, and the wires of each gate are
//! counted as often as the gate changes its value: as much work as the play would take. Counting is
//! linear in the net.

use super::Unrolled;
use super::frames::Frame;
use crate::net::phases::activity::{Activity, changes};
use crate::net::{Evaluation, GateId, InputId, LatchId};

/// The work of a play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// How often a gate or an output is notified of a change.
    pub notified: usize,
    /// How many operands are read where gates are computed as they are asked for.
    pub read: usize,
    /// How many effects of moves are looked at.
    pub effects: usize,
}

impl Work {
    /// All of it, in units of a read. A notification is two of them.
    pub(super) fn in_reads(self) -> usize {
        2 * self.notified + self.read + self.effects
    }
}

impl Activity {
    /// By gate of a net that was unrolled: how often it changes.
    pub(super) fn changes_of_gates(&self, unrolled: &Unrolled) -> Vec<usize> {
        let mut values = Vec::new();
        let inputs = self.inputs(unrolled);
        Evaluation::new(&unrolled.net).run(&self.latches, &inputs, &mut values);
        values.iter().map(|&values| changes(values) as usize).collect()
    }

    /// The inputs of a net that was unrolled that are chosen, step after step.
    pub(super) fn made<'a>(&'a self, unrolled: &'a Unrolled) -> impl Iterator<Item = InputId> + 'a {
        let inputs = (unrolled.net.inputs.len() / unrolled.copies.len()) as u32;
        let of_state = move |(state, joint): (usize, &'a Option<Vec<InputId>>)| {
            let is_true = |latch: LatchId| self.latches[latch.index()] >> state & 1 == 1;
            let first = unrolled.phase(is_true) as u32 * inputs;
            joint.iter().flatten().map(move |input| InputId(first + input.0))
        };
        self.joints.iter().enumerate().flat_map(of_state)
    }

    /// The work of the same play with a net that was unrolled, all gates of which are followed.
    pub(super) fn work(&self, unrolled: &Unrolled) -> usize {
        let Work { notified, effects, .. } = self.work_of_kinds(unrolled);
        notified + effects
    }

    /// The work of the same play, by what it is.
    pub(super) fn work_of_kinds(&self, unrolled: &Unrolled) -> Work {
        let net = &unrolled.net;
        let inputs = self.inputs(unrolled);
        let changed = self.changes_of_gates(unrolled);
        let changes = |gate: GateId| changed[gate.index()];
        let needed = net.reached(unrolled.outputs());
        let gates =
            net.computed().filter(|gate| needed[gate.index()] && !unrolled.is_on_demand(*gate));
        let wires = gates.flat_map(|gate| net.operands(gate)).copied();
        let frames = unrolled.copies.iter().flat_map(|copy| &copy.frames);
        let legal = unrolled.copies.iter().flat_map(|copy| copy.legal.iter().copied());
        let outputs = legal.chain(frames.clone().flat_map(|frame| [frame.set, frame.keep]));
        let effects = |frame: &Frame| {
            let effects = frame.sets.iter().chain(&frame.clears);
            effects.map(|effect| inputs[effect.input.index()].count_ones() as usize).sum::<usize>()
        };
        let read =
            |(gate, count): (usize, &usize)| count * (net.operands(GateId(gate as u32)).len() + 1);
        Work {
            notified: wires.chain(outputs).map(|wire| changes(wire.gate())).sum(),
            read: unrolled.visits.iter().enumerate().map(read).sum(),
            effects: frames.map(effects).sum::<usize>() / unrolled.copies.len(),
        }
    }

    /// By phase and input: in which states it is chosen. A choice stands until the phase comes
    /// again.
    fn inputs(&self, unrolled: &Unrolled) -> Vec<u64> {
        let (net, phases) = (&unrolled.net, unrolled.copies.len());
        let inputs = net.inputs.len() / phases;
        let mut chosen: Vec<&[InputId]> = vec![&[]; phases];
        let mut chosen_in = vec![0; net.inputs.len()];
        for (state, joint) in self.joints.iter().enumerate() {
            if let Some(joint) = joint {
                let is_true = |latch: LatchId| self.latches[latch.index()] >> state & 1 == 1;
                chosen[unrolled.phase(is_true)] = joint;
            }
            for (phase, chosen) in chosen.iter().enumerate() {
                for &input in *chosen {
                    chosen_in[phase * inputs + input.index()] |= 1 << state;
                }
            }
        }
        chosen_in
    }
}
