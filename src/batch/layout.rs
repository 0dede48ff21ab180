//! A game laid out for many lanes: programs, and what is read from where.
//!
//! Memory has the same places in all phases:
//!
//! ```text
//! | true | latches | moves, those of a role together | kept from step to step | gates |
//! ```
//!
//! In each phase, a first program computes what is said about a state: whether it is terminal
//! and which moves are legal. When moves have been chosen, a second one computes the latches
//! of the next state; these are put in their places at the end. Goals have a program and a
//! memory of their own, since they are computed for states that are over only.

use super::choice::Moves;
use super::cycles::kept_slots;
use super::program::{Program, Slot};
use super::schedule::Schedule;
use crate::net::{Goal, Net, Operation, Phases, Signal};

/// What is done in a step.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    /// Computes what there is to say about a state.
    pub state: Program,
    /// Whether it is terminal: a slot, and whether its complement is meant.
    pub terminal: (Slot, bool),
    /// By role, where a choice is to be made, or none may be legal.
    pub choices: Vec<Moves>,
    /// For each of these: the role, and the terms of its moves.
    #[cfg(all(test, not(miri)))]
    pub terms: Vec<(u16, Vec<u32>)>,
    /// Computes what becomes of the latches.
    pub moves: Program,
    /// By latch: where its next value is; its own slot if it stays as it is.
    pub next: Vec<(Slot, bool)>,
}

/// How goals are found.
#[derive(Clone, Debug)]
pub(super) struct Goals {
    /// Computes them.
    pub program: Program,
    /// By goal: where it is found.
    pub found: Vec<(Slot, bool)>,
    /// By goal: its role, and its value if that is proper.
    pub goals: Vec<(u16, Option<u8>)>,
    /// Latches that they depend on: the slot in the memory of goals, and that in the memory of
    /// states.
    pub read: Vec<(Slot, Slot)>,
    /// By phase: the slots in the memory of goals of latches that are known there.
    pub known: Vec<Vec<(Slot, bool)>>,
    /// How many slots there are.
    pub size: usize,
}

/// A game laid out.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub phases: Vec<Phase>,
    pub goals: Goals,
    /// By latch in the order of their slots: which latch of the net it is.
    pub latches: Vec<u32>,
    /// By phase: the latches of the net that are known there.
    pub known: Vec<Vec<(u32, bool)>>,
    pub roles: u16,
    /// How many slots there are.
    pub size: usize,
    /// The most moves of a role in a phase.
    pub most_moves: usize,
}

/// The slot of a latch.
pub(super) fn latch_slot(place: usize) -> Slot {
    1 + place as Slot
}

impl Layout {
    /// Lays a net out; `value` says what a goal is worth.
    pub fn new(net: &Net, value: impl Fn(&Goal) -> Option<u8>) -> Layout {
        let goals = net.goals.clone();
        let mut silent = net.clone();
        silent.goals.clear();
        let Phases { nets, latches, turns } = Phases::of(&silent);
        let known = |turn| turns.known(turn).map(|(latch, value)| (latch.0, value)).collect();
        let known: Vec<Vec<(u32, bool)>> = (0..turns.len()).map(known).collect();
        let most = nets.iter().map(|net| net.inputs.len()).max().unwrap_or(0);
        let latches: Vec<u32> = latches.iter().map(|latch| latch.0).collect();
        let moves_end = 1 + latches.len() + most;
        let kept: Vec<usize> = nets.iter().map(kept_slots).collect();
        let fixed = moves_end + kept.iter().sum::<usize>();
        let kept_from = |place: usize| moves_end + kept[..place].iter().sum::<usize>();
        let nets = nets.iter().enumerate();
        let laid_out: Vec<(Phase, usize)> =
            nets.map(|(place, net)| phase(net, fixed, kept_from(place))).collect();
        let size = laid_out.iter().map(|(_, size)| *size).max().unwrap_or(fixed);
        let phases: Vec<Phase> = laid_out.into_iter().map(|(phase, _)| phase).collect();
        let moves = phases.iter().flat_map(|phase| &phase.choices);
        let most_moves = moves.map(|moves| moves.legal.len()).max().unwrap_or(0);
        let goals = lay_out_goals(net, &goals, &latches, &known, value);
        Layout { phases, goals, latches, known, roles: net.roles, size, most_moves }
    }
}

fn phase(net: &Net, fixed: usize, kept: usize) -> (Phase, usize) {
    let mut of_role: Vec<Vec<usize>> = vec![Vec::new(); usize::from(net.roles)];
    for (place, input) in net.inputs.iter().enumerate() {
        of_role[usize::from(input.role.0)].push(place);
    }
    let mut made = vec![0; net.inputs.len()];
    for (at, &place) in of_role.iter().flatten().enumerate() {
        made[place] = latch_slot(net.latches.len() + at);
    }
    let has_choice = |inputs: &&Vec<usize>| match inputs[..] {
        [only] => net.inputs[only].legal != Signal::TRUE,
        _ => true,
    };
    let choosing: Vec<&Vec<usize>> = of_role.iter().filter(has_choice).collect();
    let legal = |inputs: &Vec<usize>| -> Vec<Signal> {
        inputs.iter().map(|&place| net.inputs[place].legal).collect()
    };
    let mut first: Vec<Signal> = choosing.iter().flat_map(|inputs| legal(inputs)).collect();
    first.push(net.terminal);
    let second: Vec<Signal> = net.latches.iter().map(|latch| latch.next).collect();
    let mut schedule = Schedule::new(net, latch_slot, |place| made[place], fixed, kept);
    let gates = schedule.plan(&[first.clone(), second.clone()]);

    let mut state = schedule.program(&gates[0]);
    let mut copies = Vec::new();
    let choices = (choosing.iter())
        .map(|inputs| {
            let slot = |signal: Signal| match schedule.read(signal) {
                (slot, false) => slot,
                complement => {
                    let slot = schedule.take();
                    copies.push(slot);
                    state.push_copy(slot, complement);
                    slot
                }
            };
            let legal = legal(inputs).into_iter().map(slot).collect();
            Moves { legal, made: inputs.first().map_or(0, |&place| made[place]) }
        })
        .collect();
    let terminal = schedule.read(net.terminal);
    first.iter().for_each(|&signal| schedule.release(signal));
    copies.into_iter().for_each(|slot| schedule.give_back(slot));

    let mut moves = schedule.program(&gates[1]);
    let next = (net.latches.iter())
        .map(|latch| {
            let is_latch = matches!(net.operation(latch.next.gate()), Operation::Latch(_));
            let from = schedule.read(latch.next);
            if is_latch && latch.next.gate() != latch.gate {
                // Whose slot gets another value at the same time.
                let slot = schedule.take();
                moves.push_copy(slot, from);
                return (slot, false);
            }
            from
        })
        .collect();
    #[cfg(all(test, not(miri)))]
    let terms = (of_role.iter().enumerate().filter(|(_, inputs)| has_choice(inputs)))
        .map(|(role, inputs)| {
            (role as u16, inputs.iter().map(|&place| net.inputs[place].term).collect())
        })
        .collect();
    let phase = Phase {
        state,
        terminal,
        choices,
        moves,
        next,
        #[cfg(all(test, not(miri)))]
        terms,
    };
    (phase, schedule.size())
}

fn lay_out_goals(
    net: &Net,
    goals: &[Goal],
    latches: &[u32],
    known: &[Vec<(u32, bool)>],
    value: impl Fn(&Goal) -> Option<u8>,
) -> Goals {
    let moves_end = 1 + net.latches.len() + net.inputs.len();
    let input = |place| latch_slot(net.latches.len() + place);
    let fixed = moves_end + kept_slots(net);
    let mut schedule = Schedule::new(net, latch_slot, input, fixed, moves_end);
    let gates = schedule.plan(&[goals.iter().map(|goal| goal.signal).collect()]);
    let program = schedule.program(&gates[0]);
    let found = goals.iter().map(|goal| schedule.read(goal.signal)).collect();
    let mut is_read = vec![false; net.len()];
    for goal in goals {
        is_read[goal.signal.gate().index()] = true;
    }
    for &gate in &gates[0] {
        net.operands(gate).iter().for_each(|operand| is_read[operand.gate().index()] = true);
    }
    let is_read = |latch: u32| is_read[net.latches[latch as usize].gate.index()];
    let read = (latches.iter().enumerate())
        .filter(|&(_, &latch)| is_read(latch))
        .map(|(place, &latch)| (latch_slot(latch as usize), latch_slot(place)))
        .collect();
    let known = (known.iter())
        .map(|values| {
            let read = values.iter().filter(|&&(latch, _)| is_read(latch));
            read.map(|&(latch, value)| (latch_slot(latch as usize), value)).collect()
        })
        .collect();
    let goals = goals.iter().map(|goal| (goal.role.0, value(goal))).collect();
    Goals { program, found, goals, read, known, size: schedule.size() }
}
