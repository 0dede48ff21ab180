//! How much of a net changes from step to step.
//!
//! A short random play is recorded, one state a bit of a word. A net that was unrolled is then
//! evaluated for all these states at once, and the wires of each gate counted as often as the
//! gate changes its value: as much work as the play would take. Linear in the net.

use super::evaluate::Evaluation;
use super::frames::Frame;
use super::gates::Net;
use super::modes::{Unrolled, reached};
use crate::engine::MoveId;
use crate::propnet::Scratch;
use crate::propnet::circuit::Circuit;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many states are looked at: as many as a word has bits.
const STATES: usize = 64;

/// A random play; begun again where it cannot go on.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    /// By latch: its value in each state.
    pub latches: Vec<u64>,
    /// By state: the input of each role, if a step was made.
    joints: Vec<Option<Vec<u32>>>,
}

impl Activity {
    /// Plays a net that has been laid out.
    pub fn of(net: &Net, circuit: &Circuit) -> Activity {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut scratch = Scratch::new(circuit);
        let mut initial = vec![0u64; circuit.words];
        for (place, latch) in net.latches.iter().enumerate() {
            initial[place / 64] |= u64::from(latch.initial) << (place % 64);
        }
        scratch.enter(circuit, &initial);
        let mut found = Activity { latches: vec![0; net.latches.len()], joints: Vec::new() };
        for state in 0..STATES {
            for (place, values) in found.latches.iter_mut().enumerate() {
                *values |= (scratch.bits[place / 64] >> (place % 64) & 1) << state;
            }
            let is_over = circuit.terminal.is_some_and(|source| scratch.read(source));
            let mut choose = |role| choose(circuit, &scratch, role, &mut random);
            let joint: Option<Vec<u32>> = (0..circuit.roles).map(&mut choose).collect();
            let joint = joint.filter(|_| !is_over);
            match &joint {
                Some(joint) => {
                    scratch.joint.copy_from_slice(joint);
                    scratch.step(circuit);
                }
                None => scratch.enter(circuit, &initial),
            }
            found.joints.push(joint);
        }
        found
    }

    /// How often a latch changes.
    pub fn changes(&self, latch: u32) -> u32 {
        changes(self.latches[latch as usize])
    }

    /// The work of the same play with a net that was unrolled.
    pub fn work(&self, unrolled: &Unrolled) -> usize {
        let net = &unrolled.net;
        let inputs = self.inputs(unrolled);
        let mut values = Vec::new();
        Evaluation::new(net).run(&self.latches, &inputs, &mut values);
        let changes = |gate: super::gates::GateId| changes(values[gate.index()]) as usize;
        let needed = reached(net, unrolled.outputs());
        let gates = net.computed().filter(|gate| needed[gate.index()]);
        let wires = gates.flat_map(|gate| net.operands(gate)).copied();
        let frames = unrolled.modes.iter().flat_map(|mode| &mode.frames);
        let legal = unrolled.modes.iter().flat_map(|mode| mode.legal.iter().copied());
        let outputs = legal.chain(frames.clone().flat_map(|frame| [frame.set, frame.keep]));
        let effects = |frame: &Frame| {
            let effects = frame.sets.iter().chain(&frame.clears);
            effects.map(|effect| inputs[effect.input as usize].count_ones() as usize).sum::<usize>()
        };
        let wires: usize = wires.chain(outputs).map(|wire| changes(wire.gate())).sum();
        wires + frames.map(effects).sum::<usize>() / unrolled.modes.len()
    }

    /// By mode and input: in which states it is chosen. A choice stands until the mode comes
    /// again.
    fn inputs(&self, unrolled: &Unrolled) -> Vec<u64> {
        let (net, modes) = (&unrolled.net, unrolled.modes.len());
        let inputs = net.inputs.len() / modes;
        let mut chosen: Vec<&[u32]> = vec![&[]; modes];
        let mut found = vec![0; net.inputs.len()];
        for (state, joint) in self.joints.iter().enumerate() {
            if let Some(joint) = joint {
                let is_true = |latch: u32| self.latches[latch as usize] >> state & 1 == 1;
                chosen[unrolled.mode(is_true)] = joint;
            }
            for (mode, chosen) in chosen.iter().enumerate() {
                for &input in *chosen {
                    found[mode * inputs + input as usize] |= 1 << state;
                }
            }
        }
        found
    }
}

/// A legal input of a role.
fn choose(
    circuit: &Circuit,
    scratch: &Scratch,
    role: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Option<u32> {
    let mut moves: Vec<MoveId> = Vec::new();
    scratch.legal(circuit, role, &mut moves);
    moves.choose(random).map(|id| id.0)
}

/// How often a value changes from a state to the next.
fn changes(values: u64) -> u32 {
    ((values ^ values >> 1) & (!0 >> 1)).count_ones()
}
