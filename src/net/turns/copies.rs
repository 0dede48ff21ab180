//! Copies of a net for its turns, all in one net.

use super::Turns;
use super::choices::Choices;
use super::modes::{Bounds, Mode};
use crate::budget::{Exhausted, Memory, Meter};
use crate::net::gates::{GateId, Goal, Net, Operation, Signal};
use crate::net::rebuild::simplify;
use hashbrown::{DefaultHashBuilder, HashSet, HashTable};
use std::hash::BuildHasher;

/// Makes the copies.
pub(super) struct Copies<'n> {
    old: &'n Net,
    pub net: Net,
    /// By gate of the new net: whether it depends on moves.
    pub of_moves: Vec<bool>,
    /// By gate of the new net: how many gates and successors of latches read it.
    pub readers: Vec<u32>,
    /// By gate of the new net, for moves, Ors of moves and their complements: whether it is the
    /// complement.
    pub choices: Vec<Option<bool>>,
    pub bounds: Bounds,
    /// Of signals of latches: what implies what.
    pub implications: HashSet<(Signal, Signal)>,
    /// How many more effects this copy may have.
    pub effects_left: usize,
    /// By gate of the old net: what stands for it in the copy in hand.
    map: Vec<Signal>,
    gates: HashTable<GateId>,
    hasher: DefaultHashBuilder,
}

impl<'n> Copies<'n> {
    /// The gates of all copies, and the copies, one a turn.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn of(
        old: &'n Net,
        turns: &Turns,
        bounds: Bounds,
        meter: &Meter<'_>,
    ) -> Result<(Net, Vec<Mode>), Exhausted> {
        meter.spend(old.len() + old.wires())?;
        let mut copies = Copies::new(old, turns.len(), bounds);
        let moves = old.inputs.iter().map(|input| input.gate);
        let of_moves = dependent(old, moves);
        let mut of_state = asked_of_states(old);
        of_state.iter_mut().zip(&of_moves).for_each(|(of_state, of_moves)| *of_state |= !of_moves);
        let of_turn = turns.latches.iter().map(|&latch| old.latches[latch.index()].gate);
        let mut of_turn = dependent(old, of_turn);
        of_turn.iter_mut().zip(&of_state).for_each(|(of_turn, of_state)| *of_turn &= of_state);
        copies.copy_shared(&of_state);
        let shared = copies.map.clone();
        let mut modes = Vec::new();
        for turn in 0..turns.len() {
            copies.map.clone_from(&shared);
            for (latch, value) in turns.known(turn) {
                let gate = old.latches[latch.index()].gate;
                copies.map[gate.index()] = Signal::constant(value);
            }
            modes.push(copies.mode(turn, &of_turn, &of_moves));
            meter.hold(Memory::Scratch, copies.net.wire_bytes());
            meter.spend(old.len() + old.wires())?;
        }
        Ok((copies.net, modes))
    }

    /// A net of latches and inputs.
    fn new(old: &'n Net, turns: usize, bounds: Bounds) -> Self {
        let mut net = Net::new(old.latches.len(), old.inputs.len() * turns, old.roles);
        let mut map = vec![Signal::FALSE; old.len()];
        map[0] = Signal::TRUE;
        for (latch, made) in old.latches.iter().zip(&mut net.latches) {
            map[latch.gate.index()] = Signal::of(made.gate);
            made.initial = latch.initial;
        }
        let mut of_moves = vec![false; net.len()];
        of_moves[1 + net.latches.len()..].fill(true);
        let mut choices = vec![None; net.len()];
        choices[1 + net.latches.len()..].fill(Some(false));
        Copies {
            old,
            of_moves,
            choices,
            readers: vec![0; net.len()],
            bounds,
            implications: implications(old),
            effects_left: 0,
            net,
            map,
            gates: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Copies what depends on the state only. No move is made in it.
    fn copy_shared(&mut self, of_state: &[bool]) {
        self.copy(of_state, false);
        let goals = self.old.goals.iter();
        let goal = |goal: &Goal| Goal { signal: self.mapped(goal.signal), ..goal.clone() };
        self.net.goals = goals.map(goal).collect();
        self.net.terminal = self.mapped(self.old.terminal);
    }

    fn mapped(&self, old: Signal) -> Signal {
        self.map[old.gate().index()].negated_if(old.is_negated())
    }

    /// Copies gates, which all depend on moves, or none does.
    fn copy(&mut self, which: &[bool], of_moves: bool) {
        let old = self.old;
        let gates = || old.computed().filter(|gate| which[gate.index()]);
        for knot in gates().filter(|&gate| old.is_knot(gate)) {
            self.map[knot.index()] = self.net.knot();
            self.of_moves.push(of_moves);
            self.choices.push(None);
            self.readers.push(0);
        }
        let mut operands = Vec::new();
        for gate in gates() {
            operands.clear();
            operands.extend(old.operands(gate).iter().map(|&operand| self.mapped(operand)));
            if !old.is_knot(gate) {
                self.map[gate.index()] = self.gate(old.operation(gate), &mut operands);
            }
        }
        for knot in gates().filter(|&gate| old.is_knot(gate)) {
            operands.clear();
            operands.extend(old.operands(knot).iter().map(|&operand| self.mapped(operand)));
            self.net.tie(self.map[knot.index()], &operands);
        }
    }

    /// A gate with these operands, or what does the same.
    pub fn gate(&mut self, operation: Operation, operands: &mut Vec<Signal>) -> Signal {
        if let Some(signal) = simplify(operation, operands) {
            return signal;
        }
        let Copies { net, of_moves, choices, readers, gates, hasher, .. } = self;
        let hash = hasher.hash_one((operation, &operands[..]));
        let is_same =
            |&gate: &GateId| net.operation(gate) == operation && net.operands(gate) == operands;
        if let Some(&gate) = gates.find(hash, is_same) {
            return Signal::of(gate);
        }
        let signal = net.add(operation, operands);
        operands.iter().for_each(|operand| readers[operand.gate().index()] += 1);
        readers.push(0);
        let negated = operation == Operation::And;
        let is_move = |operand: &Signal| {
            matches!(net.operation(operand.gate()), Operation::Input(_))
                && operand.is_negated() == negated
        };
        choices.push(operands.iter().all(is_move).then_some(negated));
        of_moves.push(operands.iter().any(|operand| of_moves[operand.gate().index()]));
        gates.insert_unique(hash, signal.gate(), |&gate| {
            hasher.hash_one((net.operation(gate), net.operands(gate)))
        });
        signal
    }

    /// A copy of what depends on the turn or on moves, the rest being there.
    fn mode(&mut self, number: usize, of_turn: &[bool], of_moves: &[bool]) -> Mode {
        let old = self.old;
        self.copy(of_turn, false);
        let terminal = self.mapped(old.terminal);
        let legal: Vec<Signal> = old.inputs.iter().map(|i| self.mapped(i.legal)).collect();
        let choices = Choices::of(old, |input| legal[input] != Signal::FALSE);
        if choices.is_stuck {
            return Mode { terminal, legal, frames: Vec::new() };
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
        Mode { terminal, legal, frames }
    }
}

/// The signals of latches that a signal of a latch implies to be true, as pairs of both: of the
/// former, groups have the complement.
fn implications(net: &Net) -> HashSet<(Signal, Signal)> {
    let of_group = |group: &[Signal]| -> Vec<(Signal, Signal)> {
        let implied = group.iter().filter(|member| member.is_negated());
        let pairs = implied.flat_map(|&implied| group.iter().map(move |&by| (by, !implied)));
        pairs.filter(|(by, implied)| *by != !*implied).collect()
    };
    net.exclusive.iter().flat_map(|group| of_group(group)).collect()
}

/// By gate: whether terminal, goals or legality depend on it. Rules may let these depend on
/// moves, which they must not.
fn asked_of_states(net: &Net) -> Vec<bool> {
    let of_state = net.outputs().filter(|(output, _)| output.is_of_state());
    net.reached(of_state.map(|(_, signal)| signal))
}

/// By gate: whether it depends on one of these.
fn dependent(net: &Net, sources: impl Iterator<Item = GateId>) -> Vec<bool> {
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
