//! How much of a net changes from step to step.
//!
//! A short random play is recorded, one state a bit of a word. A net that was unrolled is then
//! evaluated for all these states at once, and the wires of each gate counted as often as the
//! gate changes its value: as much work as the play would take. Counting is linear in the net,
//! and so is each step of the play.

use super::Turns;
use super::frames::Frame;
use super::unrolled::Unrolled;
use crate::net::evaluate::{Evaluation, read};
use crate::net::gates::{GateId, InputId, LatchId, Net};
use gdlr_text::budget::{Exhausted, Meter};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many states are looked at: as many as a word has bits.
const STATES: usize = 64;

/// What there is to do in a play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// How often a gate or an output is told of a change.
    pub told: usize,
    /// How many operands are read where gates are computed as they are asked for.
    pub read: usize,
    /// How many effects of moves are looked at.
    pub effects: usize,
}

impl Work {
    /// All of it, in units of a read. To be told of a change is two of them.
    pub fn in_reads(self) -> usize {
        2 * self.told + self.read + self.effects
    }
}

/// A random play; begun again where it cannot go on.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    /// By latch: its value in each state.
    latches: Vec<u64>,
    /// By state: the input of each role, if a step was made.
    joints: Vec<Option<Vec<InputId>>>,
}

impl Activity {
    /// Plays a net. The same net gives the same play.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn of(net: &Net, meter: &Meter<'_>) -> Result<Activity, Exhausted> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let evaluation = Evaluation::new(net);
        let mut by_role = vec![Vec::new(); usize::from(net.roles)];
        for (place, input) in net.inputs.iter().enumerate() {
            by_role[usize::from(input.role.0)].push(InputId(place as u32));
        }
        let initial: Vec<u64> = net.latches.iter().map(|latch| u64::from(latch.initial)).collect();
        let mut state = initial.clone();
        let mut inputs = vec![0; net.inputs.len()];
        let (mut values, mut legal) = (Vec::new(), Vec::new());
        let mut found = Activity { latches: vec![0; net.latches.len()], joints: Vec::new() };
        for number in 0..STATES {
            for (values, value) in found.latches.iter_mut().zip(&state) {
                *values |= value << number;
            }
            meter.spend(net.len() + net.wires())?;
            inputs.fill(0);
            evaluation.run(&state, &inputs, &mut values);
            let holds = |signal| read(&values, signal) & 1 == 1;
            let mut choose = |of_role: &Vec<InputId>| {
                legal.clear();
                legal.extend(of_role.iter().filter(|&&i| holds(net.inputs[i.index()].legal)));
                legal.choose(&mut random).copied()
            };
            let joint: Option<Vec<InputId>> = by_role.iter().map(&mut choose).collect();
            let joint = joint.filter(|_| !holds(net.terminal));
            match &joint {
                Some(joint) => {
                    joint.iter().for_each(|&input| inputs[input.index()] = 1);
                    evaluation.run(&state, &inputs, &mut values);
                    for (value, latch) in state.iter_mut().zip(&net.latches) {
                        *value = read(&values, latch.next) & 1;
                    }
                }
                None => state.clone_from(&initial),
            }
            found.joints.push(joint);
        }
        Ok(found)
    }

    /// By step: the turn in which it is made and the one that follows, if these are turns that
    /// follow the state.
    pub fn follow<'a>(&'a self, turns: &'a Turns) -> impl Iterator<Item = (usize, usize)> + 'a {
        let turn = |state: usize| {
            let is_true = |latch: LatchId| self.latches[latch.index()] >> state & 1 == 1;
            turns.find(is_true)
        };
        let made =
            self.joints.iter().take(STATES - 1).enumerate().filter(|(_, joint)| joint.is_some());
        made.filter_map(move |(state, _)| Some((turn(state)?, turn(state + 1)?)))
    }

    /// How often a latch changes.
    pub fn changes(&self, latch: LatchId) -> u32 {
        changes(self.latches[latch.index()])
    }

    /// By gate of a net that was unrolled: how often it changes.
    pub fn changes_of_gates(&self, unrolled: &Unrolled) -> Vec<usize> {
        let mut values = Vec::new();
        let inputs = self.inputs(unrolled);
        Evaluation::new(&unrolled.net).run(&self.latches, &inputs, &mut values);
        values.iter().map(|&values| changes(values) as usize).collect()
    }

    /// The inputs of a net that was unrolled that are chosen, step after step.
    pub fn made<'a>(&'a self, unrolled: &'a Unrolled) -> impl Iterator<Item = InputId> + 'a {
        let inputs = (unrolled.net.inputs.len() / unrolled.modes.len()) as u32;
        let of_state = move |(state, joint): (usize, &'a Option<Vec<InputId>>)| {
            let is_true = |latch: LatchId| self.latches[latch.index()] >> state & 1 == 1;
            let first = unrolled.mode(is_true) as u32 * inputs;
            joint.iter().flatten().map(move |input| InputId(first + input.0))
        };
        self.joints.iter().enumerate().flat_map(of_state)
    }

    /// The work of the same play with a net that was unrolled, all gates of which are followed.
    pub fn work(&self, unrolled: &Unrolled) -> usize {
        let Work { told, effects, .. } = self.work_of_kinds(unrolled);
        told + effects
    }

    /// The work of the same play, by what it is.
    pub fn work_of_kinds(&self, unrolled: &Unrolled) -> Work {
        let net = &unrolled.net;
        let inputs = self.inputs(unrolled);
        let changed = self.changes_of_gates(unrolled);
        let changes = |gate: GateId| changed[gate.index()];
        let needed = net.reached(unrolled.outputs());
        let gates =
            net.computed().filter(|gate| needed[gate.index()] && !unrolled.is_on_demand(*gate));
        let wires = gates.flat_map(|gate| net.operands(gate)).copied();
        let frames = unrolled.modes.iter().flat_map(|mode| &mode.frames);
        let legal = unrolled.modes.iter().flat_map(|mode| mode.legal.iter().copied());
        let outputs = legal.chain(frames.clone().flat_map(|frame| [frame.set, frame.keep]));
        let effects = |frame: &Frame| {
            let effects = frame.sets.iter().chain(&frame.clears);
            effects.map(|effect| inputs[effect.input.index()].count_ones() as usize).sum::<usize>()
        };
        let read =
            |(gate, count): (usize, &usize)| count * (net.operands(GateId(gate as u32)).len() + 1);
        Work {
            told: wires.chain(outputs).map(|wire| changes(wire.gate())).sum(),
            read: unrolled.asked.iter().enumerate().map(read).sum(),
            effects: frames.map(effects).sum::<usize>() / unrolled.modes.len(),
        }
    }

    /// By mode and input: in which states it is chosen. A choice stands until the mode comes
    /// again.
    fn inputs(&self, unrolled: &Unrolled) -> Vec<u64> {
        let (net, modes) = (&unrolled.net, unrolled.modes.len());
        let inputs = net.inputs.len() / modes;
        let mut chosen: Vec<&[InputId]> = vec![&[]; modes];
        let mut found = vec![0; net.inputs.len()];
        for (state, joint) in self.joints.iter().enumerate() {
            if let Some(joint) = joint {
                let is_true = |latch: LatchId| self.latches[latch.index()] >> state & 1 == 1;
                chosen[unrolled.mode(is_true)] = joint;
            }
            for (mode, chosen) in chosen.iter().enumerate() {
                for &input in *chosen {
                    found[mode * inputs + input.index()] |= 1 << state;
                }
            }
        }
        found
    }
}

/// How often a value changes from a state to the next.
fn changes(values: u64) -> u32 {
    ((values ^ values >> 1) & (!0 >> 1)).count_ones()
}
