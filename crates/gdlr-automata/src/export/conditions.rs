//! The signals of the net as conditions of the automaton: the cost of their checks, the views, and
//! their form for a known move.
//!
//! A signal that is read more than once and is costly to check becomes a *view*: a variable that
//! the keeper computes once a turn. Recursive parts of the net are cut by views at their knots.

use super::automaton::{Automaton, Node};
use super::slots::Slot;
use super::variables::Variables;
use crate::tuning::Tuning;
use gdlr_net::net::{Feedback, GateId, InputId, LatchId, Net, Operation, Signal, simplify};
use gdlr_rg::rg::Name;
use gdlr_text::budget::Meter;
use gdlr_text::graph::Worklist;
use hashbrown::{HashMap, HashSet};

/// The greatest cost and size. Greater ones count as this.
const MOST: u32 = 1 << 24;

/// The facts about a gate that decide how it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GateFacts {
    /// The number of gates and outputs that read it.
    pub readers: u32,
    /// The most comparisons of a check.
    pub cost: u32,
    /// The number of edges that write it out.
    pub size: u32,
    /// The place of the gate in an order in which gates can be computed.
    pub place: u32,
    /// Whether it depends on moves.
    pub of_moves: bool,
    pub view: Option<Slot>,
}

/// The net, the facts about its gates, and the walks made of them.
pub(super) struct Conditions {
    pub net: Net,
    pub tuning: Tuning,
    pub gates: Vec<GateFacts>,
    /// By place of a knot: the number of its recursive part, from 1 on.
    pub part_of: HashMap<u32, u32>,
    pub state: Variables,
    pub state_slots: Vec<Slot>,
    /// By state variable that can be `none`: the gate for the test that it is not.
    pub taken: Vec<Option<GateId>>,
    /// By such a gate: its variable.
    pub taken_of: HashMap<GateId, u32>,
    /// By input of the unrolled net: the slot and the symbol with which it is compared.
    pub inputs: Vec<(Slot, Name)>,
    made: HashMap<(Operation, Vec<Signal>), Signal>,
    pub walks: HashMap<u32, Node>,
    pub before: HashMap<(Signal, Node), Node>,
    /// The node at which all walks of checks end.
    pub yes: Node,
}

/// The number of gates that may still be visited to specialise signals for moves.
pub(super) struct Work<'m> {
    pub left: usize,
    pub meter: &'m Meter<'m>,
}

impl Work<'_> {
    /// Takes some of the work. `None` if not enough is left, or the budget has run out.
    fn take(&mut self, gates: usize) -> Option<()> {
        self.left = self.left.checked_sub(gates)?;
        self.meter.has(gates).then_some(())
    }
}

impl Conditions {
    /// The number of gates that are views.
    pub fn view_count(&self) -> usize {
        self.gates.iter().filter(|facts| facts.view.is_some()).count()
    }

    /// Chooses the views. `wanted` are the signals that are asked for. `slot` makes a Boolean
    /// variable.
    pub fn new(
        mut net: Net,
        wanted: &[Signal],
        state: Variables,
        tuning: &Tuning,
        automaton: &mut Automaton,
        mut slot: impl FnMut(&mut Automaton) -> Slot,
    ) -> Conditions {
        let state_slots = state.list.iter().map(|v| automaton.slot(v.name, &[])).collect();
        let mut gates = vec![GateFacts { cost: 1, size: 1, ..GateFacts::default() }; net.len()];
        let mut open = Worklist::new(net.len());
        for signal in wanted {
            gates[signal.gate().index()].readers += 1;
            open.push(signal.gate());
        }
        while let Some(gate) = open.pop() {
            for operand in net.operands(gate) {
                gates[operand.gate().index()].readers += 1;
                open.push(operand.gate());
            }
        }
        let needed = open.into_met();
        depend_on_moves(&net, &mut gates);
        let feedback = Feedback::of(&net);
        let mut part_of = HashMap::new();
        for (number, part) in feedback.parts.iter().enumerate() {
            for gate in &feedback.order[part.clone()] {
                if net.is_knot(*gate) {
                    part_of.insert(gate.0, number as u32 + 1);
                    gates[gate.index()].view = Some(slot(automaton));
                }
            }
        }
        for (place, &gate) in feedback.order.iter().enumerate() {
            if gates[gate.index()].view.is_some() {
                gates[gate.index()].place = place as u32;
                continue;
            }
            let operands =
                || net.operands(gate).iter().map(|operand| &gates[operand.gate().index()]);
            let cost = operands().fold(1, |sum: u32, operand| sum.saturating_add(operand.cost));
            let size = operands().fold(0, |sum: u32, operand| sum.saturating_add(operand.size));
            let facts = &mut gates[gate.index()];
            (facts.cost, facts.size, facts.place) = (cost.min(MOST), size.min(MOST), place as u32);
            if needed[gate.index()] && facts.readers > 1 && cost > tuning.costly {
                facts.view = Some(slot(automaton));
                (facts.cost, facts.size) = (1, 1);
            }
        }
        let mut taken = vec![None; state.list.len()];
        let mut taken_of = HashMap::new();
        for (variable, of) in state.list.iter().enumerate() {
            if of.latches.len() > 1 && !of.covered {
                let latch = |&latch: &LatchId| Signal::of(net.latches[latch.index()].gate);
                let latches: Vec<Signal> = of.latches.iter().map(latch).collect();
                let gate = net.add(Operation::Or, &latches).gate();
                gates.push(GateFacts { cost: 1, size: 1, ..GateFacts::default() });
                taken[variable] = Some(gate);
                taken_of.insert(gate, variable as u32);
            }
        }
        let yes = automaton.named("yes".to_owned());
        Conditions {
            net,
            tuning: *tuning,
            gates,
            part_of,
            state,
            state_slots,
            taken,
            taken_of,
            inputs: Vec::new(),
            made: HashMap::new(),
            walks: HashMap::new(),
            before: HashMap::new(),
            yes,
        }
    }

    /// The And or the Or of signals.
    pub fn gate(&mut self, operation: Operation, mut operands: Vec<Signal>) -> Signal {
        if let Some(signal) = simplify(operation, &mut operands) {
            return signal;
        }
        let Conditions { net, gates, made, .. } = self;
        *made.entry((operation, operands)).or_insert_with_key(|(operation, operands)| {
            let of = |signal: &Signal| gates[signal.gate().index()];
            let sum = |total: u32, part: u32| total.saturating_add(part).min(MOST);
            let cost = operands.iter().map(of).fold(1, |total, gate| sum(total, gate.cost));
            let size = operands.iter().map(of).fold(0, |total, gate| sum(total, gate.size));
            let place = operands.iter().map(of).map(|gate| gate.place).max().unwrap_or(0);
            let of_moves = operands.iter().map(of).any(|gate| gate.of_moves);
            gates.push(GateFacts { readers: 1, cost, size, place, of_moves, view: None });
            net.add(*operation, operands)
        })
    }

    /// Whether a signal depends on moves.
    pub fn is_of_moves(&self, signal: Signal) -> bool {
        self.facts(signal).of_moves
    }

    /// The form of a signal if one input is true, or no input of its role. `None` in recursion, or
    /// if the work is used up. `known` keeps the results.
    pub fn specialised(
        &mut self,
        signal: Signal,
        (role, input): (Slot, Option<InputId>),
        known: &mut HashMap<GateId, Signal>,
        work: &mut Work<'_>,
    ) -> Option<Signal> {
        let mut open = vec![signal.gate()];
        while let Some(&gate) = open.last() {
            work.take(1)?;
            if known.contains_key(&gate) {
                open.pop();
                continue;
            }
            if !self.gates[gate.index()].of_moves {
                known.insert(gate, Signal::of(gate));
                continue;
            }
            let operation = self.net.operation(gate);
            if let Operation::Input(other) = operation {
                let chosen = match self.inputs[other.index()].0 == role {
                    true => Signal::FALSE.negated_if(input == Some(other)),
                    false => Signal::of(gate),
                };
                known.insert(gate, chosen);
                continue;
            }
            if self.net.is_knot(gate) {
                return None;
            }
            let before = open.len();
            let operands = self.net.operands(gate);
            work.take(operands.len())?;
            open.extend(operands.iter().map(|o| o.gate()).filter(|gate| !known.contains_key(gate)));
            if open.len() == before {
                let value =
                    |operand: &Signal| known[&operand.gate()].negated_if(operand.is_negated());
                let operands = operands.iter().map(value).collect();
                let signal = self.gate(operation, operands);
                known.insert(gate, signal);
                open.pop();
            }
        }
        Some(known[&signal.gate()].negated_if(signal.is_negated()))
    }

    /// The inputs of a role on which signals depend. `None` if the work is used up.
    pub fn inputs_of(
        &self,
        signals: impl IntoIterator<Item = Signal>,
        role: Slot,
        work: &mut Work<'_>,
    ) -> Option<HashSet<InputId>> {
        let mut open: Vec<GateId> = signals.into_iter().map(Signal::gate).collect();
        let (mut seen, mut found) = (HashSet::new(), HashSet::new());
        while let Some(gate) = open.pop() {
            work.take(1)?;
            if !self.gates[gate.index()].of_moves || !seen.insert(gate) {
                continue;
            }
            if let Operation::Input(input) = self.net.operation(gate)
                && self.inputs[input.index()].0 == role
            {
                found.insert(input);
            }
            open.extend(self.net.operands(gate).iter().map(|operand| operand.gate()));
        }
        Some(found)
    }

    /// Whether there are recursive parts.
    pub fn has_recursion(&self) -> bool {
        !self.part_of.is_empty()
    }

    /// The facts about the gate of a signal.
    pub(super) fn facts(&self, signal: Signal) -> GateFacts {
        self.gates[signal.gate().index()]
    }

    /// The state variables that a check of these signals reads, and whether it reads moves. A view
    /// counts as no variable.
    pub fn reads(&self, signals: impl IntoIterator<Item = Signal>) -> (HashSet<u32>, bool) {
        let mut open = Worklist::sparse();
        open.extend(signals.into_iter().map(Signal::gate));
        let (mut variables, mut moves) = (HashSet::new(), false);
        while let Some(gate) = open.pop() {
            if self.gates[gate.index()].view.is_some() {
                continue;
            }
            match self.net.operation(gate) {
                Operation::Latch(latch) => {
                    variables.insert(self.state.literal(latch, false).variable);
                }
                Operation::Input(_) => moves = true,
                _ => open.extend(self.net.operands(gate).iter().map(|operand| operand.gate())),
            }
        }
        (variables, moves)
    }
}

/// Finds the gates that depend on moves.
fn depend_on_moves(net: &Net, gates: &mut [GateFacts]) {
    for input in &net.inputs {
        gates[input.gate.index()].of_moves = true;
    }
    // Recursion needs more than one round.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for gate in net.computed() {
            let of_moves = |operand: &Signal| gates[operand.gate().index()].of_moves;
            if !gates[gate.index()].of_moves && net.operands(gate).iter().any(of_moves) {
                gates[gate.index()].of_moves = true;
                changed = true;
            }
        }
    }
}
