//! How much of a net changes from step to step.
//!
//! A short random play is recorded, one state a bit of a word. Each step of it is linear in the
//! net. `propnet` counts how much work it is.

use super::Phases;
use crate::net::evaluate::{Evaluation, read};
use crate::net::gates::{InputId, LatchId, Net};
use gdlr_text::budget::{Exhausted, Meter};
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
    pub joints: Vec<Option<Vec<InputId>>>,
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
        let mut activity = Activity { latches: vec![0; net.latches.len()], joints: Vec::new() };
        for number in 0..STATES {
            for (values, value) in activity.latches.iter_mut().zip(&state) {
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
            activity.joints.push(joint);
        }
        Ok(activity)
    }

    /// By step: the phase in which it is made and the one that follows, if these are phases that
    /// follow the state.
    pub fn follow<'a>(&'a self, phases: &'a Phases) -> impl Iterator<Item = (usize, usize)> + 'a {
        let phase = |state: usize| {
            let is_true = |latch: LatchId| self.latches[latch.index()] >> state & 1 == 1;
            phases.find(is_true)
        };
        let steps =
            self.joints.iter().take(STATES - 1).enumerate().filter(|(_, joint)| joint.is_some());
        steps.filter_map(move |(state, _)| Some((phase(state)?, phase(state + 1)?)))
    }

    /// How often a latch changes.
    pub fn changes(&self, latch: LatchId) -> u32 {
        changes(self.latches[latch.index()])
    }
}

/// How often a value changes from a state to the next.
pub(crate) fn changes(values: u64) -> u32 {
    ((values ^ values >> 1) & (!0 >> 1)).count_ones()
}
