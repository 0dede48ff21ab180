//! The circuit: gates, latches, inputs and what is read off them.

use gdlr_engine::engine::RoleId;
use gdlr_rules::gdl::{SymbolTable, Term};
use gdlr_text::graph::{self, Numbered};
use gdlr_text::heap::{ALLOCATION, Heap};
use std::ops::Not;
use std::sync::Arc;

/// The number of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GateId(pub u32);

impl GateId {
    /// The place of the gate in its net.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Numbered for GateId {
    fn number(self) -> usize {
        self.index()
    }
}

/// The number of a latch: its place in [`Net::latches`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LatchId(pub u32);

impl LatchId {
    /// The place.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of an input: its place in [`Net::inputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputId(pub u32);

impl InputId {
    /// The place.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a gate or its complement: an edge of the graph, with its inverter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(u32);

impl Signal {
    /// Always true.
    pub const TRUE: Signal = Signal(0);
    /// Always false.
    pub const FALSE: Signal = Signal(1);

    /// Always true, or always false.
    pub fn constant(value: bool) -> Signal {
        Signal::FALSE.negated_if(value)
    }

    /// The value of a gate.
    pub fn of(gate: GateId) -> Signal {
        Signal(gate.0 << 1)
    }

    /// The gate that drives the signal.
    pub fn gate(self) -> GateId {
        GateId(self.0 >> 1)
    }

    /// Whether the signal is the complement of its gate.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The signal, complemented if `negate`.
    pub fn negated_if(self, negate: bool) -> Signal {
        Signal(self.0 ^ u32::from(negate))
    }

    /// Whether the signal never changes.
    pub fn is_constant(self) -> bool {
        self.gate() == GateId(0)
    }

    /// The signal as a number below twice the number of gates: for dense tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The signal with this number.
    pub fn from_index(index: usize) -> Signal {
        Signal(index as u32)
    }
}

impl Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// The operation of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// True; gate 0 only.
    True,
    /// Remembers a bit of the state.
    Latch(LatchId),
    /// Carries a move.
    Input(InputId),
    /// True if all operands are; true without operands.
    And,
    /// True if any operand is; false without operands.
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gate {
    operation: Operation,
    start: u32,
    end: u32,
}

/// A bit of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The gate that carries it.
    pub gate: GateId,
    /// Its value in the initial state.
    pub initial: bool,
    /// Its value in the next state.
    pub next: Signal,
}

/// A move of a role. In a step exactly one input of each role is true, and it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// The gate that carries the choice.
    pub gate: GateId,
    /// Whose move it is.
    pub role: RoleId,
    /// Which move: its place in [`Net::moves`].
    pub term: u32,
    /// Whether it is legal. Depends on latches only.
    pub legal: Signal,
}

/// A fact that can be true in some state, with the signal that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FluentBit {
    /// The fact. Nets made of one another share it.
    pub fact: Arc<Term>,
    /// A latch, the complement of one, or a constant.
    pub signal: Signal,
}

/// A goal value of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Whose goal.
    pub role: RoleId,
    /// The value, in a well-formed game an integer in 0..=100.
    pub value: Term,
    /// Whether the role has it. Depends on latches only.
    pub signal: Signal,
}

impl Goal {
    /// The value as a number, if it is an integer in 0..=100.
    pub fn points(&self, symbols: &SymbolTable) -> Option<u8> {
        self.value.goal_value(symbols)
    }
}

/// A percept of a role, with its condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Percept {
    /// Whose percept.
    pub role: RoleId,
    /// The term that the role sees.
    pub term: Term,
    /// Whether it sees it. Depends on latches and inputs.
    pub signal: Signal,
}

/// The meaning of an output of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Whether a move is legal.
    Legal(InputId),
    /// Whether the state is terminal.
    Terminal,
    /// Whether a role has a goal value: the place in [`Net::goals`].
    Goal(u32),
    /// The next value of a latch.
    Next(LatchId),
    /// Whether a role sees something: the place in [`Net::percepts`].
    Sees(u32),
}

impl Output {
    /// Whether it speaks of the state alone, not of moves that are made in it.
    pub fn is_of_state(self) -> bool {
        !matches!(self, Output::Next(_) | Output::Sees(_))
    }
}

/// A propositional net.
///
/// Gate 0 is the constant. Then come the latches and the inputs in their order, and then the gates with operands. An
/// operand has a smaller number than its gate, but for feedback loops. A feedback loop is cut at its *knots* (a feedback
/// vertex set): a knot is an [`Operation::Or`] gate on a cycle of positive operands, and gates of smaller number read it.
/// The value of a loop is its least fixpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    gates: Vec<Gate>,
    operands: Vec<Signal>,
    /// The bits of the state.
    pub latches: Vec<Latch>,
    /// The choices of the roles.
    pub inputs: Vec<Input>,
    /// All facts that can be true, sorted.
    pub fluents: Vec<FluentBit>,
    /// All terms that can be moves, of any role. Nets made of one another share them.
    pub moves: Arc<Vec<Term>>,
    /// Whether the state is terminal. Depends on latches only.
    pub terminal: Signal,
    /// The goal values that can be reached.
    pub goals: Vec<Goal>,
    /// The percepts of roles, by the rules for `sees`.
    pub percepts: Vec<Percept>,
    /// Groups of signals of latches, of which at most one is true in any reachable state.
    pub exclusive: Vec<Vec<Signal>>,
    /// Groups of signals of latches, of which at least one is true in any reachable state.
    pub covering: Vec<Vec<Signal>>,
    /// How many roles there are.
    pub roles: u16,
}

impl Net {
    /// A net of latches and inputs only; all else is added later. Latches start false and
    /// become false, inputs are never legal.
    pub fn new(latches: usize, inputs: usize, roles: u16) -> Net {
        let mut gates = vec![Gate { operation: Operation::True, start: 0, end: 0 }];
        let mut add = |operation| {
            gates.push(Gate { operation, start: 0, end: 0 });
            GateId(gates.len() as u32 - 1)
        };
        let latches = (0..latches as u32)
            .map(|place| add(Operation::Latch(LatchId(place))))
            .map(|gate| Latch { gate, initial: false, next: Signal::FALSE })
            .collect();
        let inputs = (0..inputs as u32)
            .map(|place| add(Operation::Input(InputId(place))))
            .map(|gate| Input { gate, role: RoleId(0), term: 0, legal: Signal::FALSE })
            .collect();
        Net {
            gates,
            operands: Vec::new(),
            latches,
            inputs,
            fluents: Vec::new(),
            moves: Arc::default(),
            terminal: Signal::FALSE,
            goals: Vec::new(),
            percepts: Vec::new(),
            exclusive: Vec::new(),
            covering: Vec::new(),
            roles,
        }
    }

    /// The numbers of all latches.
    pub fn latch_ids(&self) -> impl Iterator<Item = LatchId> + use<> {
        (0..self.latches.len() as u32).map(LatchId)
    }

    /// The number of gates, constant, latches and inputs included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there is no gate; never so.
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// The first gate that has operands.
    pub fn first_computed(&self) -> GateId {
        GateId((1 + self.latches.len() + self.inputs.len()) as u32)
    }

    /// The gates that have operands, in order.
    pub fn computed(&self) -> impl Iterator<Item = GateId> + use<> {
        (self.first_computed().0..self.gates.len() as u32).map(GateId)
    }

    /// The operation of a gate.
    pub fn operation(&self, gate: GateId) -> Operation {
        self.gates[gate.index()].operation
    }

    /// The operands of a gate.
    pub fn operands(&self, gate: GateId) -> &[Signal] {
        let Gate { start, end, .. } = self.gates[gate.index()];
        &self.operands[start as usize..end as usize]
    }

    /// The number of operands of all gates.
    pub fn wires(&self) -> usize {
        self.gates.iter().map(|gate| (gate.end - gate.start) as usize).sum()
    }

    /// How much memory it takes, names included.
    pub fn bytes(&self) -> usize {
        let goals = self.goals.iter().map(|goal| goal.value.heap()).sum::<usize>();
        let seen = |percept: &Percept| size_of::<Percept>() + percept.term.heap();
        let percepts = self.percepts.iter().map(seen).sum::<usize>();
        let fact = |fluent: &FluentBit| ALLOCATION + fluent.fact.whole();
        let facts = self.fluents.iter().map(fact).sum::<usize>();
        let moves = self.moves[..].heap();
        self.copied_bytes() + goals + percepts + facts + moves + size_of_val(&self.moves[..])
    }

    /// How much memory a copy takes, which shares the names.
    pub(crate) fn copied_bytes(&self) -> usize {
        let groups = self.exclusive.iter().chain(&self.covering);
        self.wire_bytes()
            + size_of_val(&self.latches[..])
            + size_of_val(&self.inputs[..])
            + size_of_val(&self.fluents[..])
            + groups.map(|group| size_of_val(group) + size_of_val(&group[..])).sum::<usize>()
    }

    /// How much memory gates and operands take.
    pub fn wire_bytes(&self) -> usize {
        size_of_val(&self.gates[..]) + size_of_val(&self.operands[..])
    }

    /// Adds a gate.
    ///
    /// # Panics
    ///
    /// When `operation` is neither `And` nor `Or`.
    pub fn add(&mut self, operation: Operation, operands: &[Signal]) -> Signal {
        assert!(matches!(operation, Operation::And | Operation::Or), "a gate computes");
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        let end = self.operands.len() as u32;
        self.gates.push(Gate { operation, start, end });
        Signal::of(GateId(self.gates.len() as u32 - 1))
    }

    /// Adds a knot: an Or gate whose operands come later, by [`Net::tie`].
    pub fn knot(&mut self) -> Signal {
        self.add(Operation::Or, &[])
    }

    /// Gives a knot its operands.
    pub fn tie(&mut self, knot: Signal, operands: &[Signal]) {
        let start = self.operands.len() as u32;
        self.operands.extend_from_slice(operands);
        let gate = &mut self.gates[knot.gate().index()];
        (gate.start, gate.end) = (start, self.operands.len() as u32);
    }

    /// Replaces every operand by what `map` makes of it.
    pub fn map_operands(&mut self, map: impl Fn(Signal) -> Signal) {
        self.operands.iter_mut().for_each(|operand| *operand = map(*operand));
    }

    /// Whether a gate is read before it is computed.
    pub fn is_knot(&self, gate: GateId) -> bool {
        self.operands(gate).iter().any(|operand| operand.gate() >= gate)
    }

    /// Signals of which the signal is the And or Or: the operands of its gate, or their
    /// complements, if it is driven by such a gate, otherwise itself.
    pub fn view(&self, signal: Signal, operation: Operation) -> Vec<Signal> {
        let dual = if operation == Operation::And { Operation::Or } else { Operation::And };
        let wanted = if signal.is_negated() { dual } else { operation };
        if self.operation(signal.gate()) != wanted || self.is_knot(signal.gate()) {
            return vec![signal];
        }
        let operands = self.operands(signal.gate()).iter();
        operands.map(|operand| operand.negated_if(signal.is_negated())).collect()
    }

    /// By gate: whether an output depends on it. Linear.
    pub fn needed(&self) -> Vec<bool> {
        self.reached(self.output_signals())
    }

    /// By gate: whether one of the signals depends on it. Linear.
    pub fn reached(&self, from: impl Iterator<Item = Signal>) -> Vec<bool> {
        graph::reached(self.len(), from.map(Signal::gate), |gate| {
            self.operands(gate).iter().map(|operand| operand.gate())
        })
    }

    /// By gate: whether it depends on one of these.
    pub fn dependent(&self, sources: impl Iterator<Item = GateId>) -> Vec<bool> {
        let mut depends = vec![false; self.len()];
        sources.for_each(|gate| depends[gate.index()] = true);
        // Feedback takes more than one round.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for gate in self.computed().filter(|gate| !self.operands(*gate).is_empty()) {
                let now = self.operands(gate).iter().any(|operand| depends[operand.gate().index()]);
                changed |= now && !depends[gate.index()];
                depends[gate.index()] = now;
            }
        }
        depends
    }

    /// By gate: how many wires and outputs read it, needless gates left out. Linear.
    pub(super) fn readers(&self) -> Vec<u32> {
        let mut readers = vec![0; self.len()];
        let mut count = |signal: Signal| readers[signal.gate().index()] += 1;
        let needed = self.needed();
        for gate in self.computed().filter(|gate| needed[gate.index()]) {
            self.operands(gate).iter().for_each(|&operand| count(operand));
        }
        self.output_signals().for_each(count);
        readers
    }

    /// Every output, by what it says: first all that is said about a state, then its
    /// successor. With [`Net::for_each_output`] this is the one place that lists them.
    pub fn outputs(&self) -> impl Iterator<Item = (Output, Signal)> + '_ {
        let legal =
            self.inputs.iter().zip(0..).map(|(i, id)| (Output::Legal(InputId(id)), i.legal));
        let goals = self.goals.iter().zip(0..).map(|(goal, id)| (Output::Goal(id), goal.signal));
        let next = self.latches.iter().zip(0..).map(|(l, id)| (Output::Next(LatchId(id)), l.next));
        let seen = self.percepts.iter().zip(0..).map(|(p, id)| (Output::Sees(id), p.signal));
        legal.chain([(Output::Terminal, self.terminal)]).chain(goals).chain(next).chain(seen)
    }

    /// Visits every output, to change its signal.
    pub fn for_each_output(&mut self, mut visit: impl FnMut(Output, &mut Signal)) {
        for (input, id) in self.inputs.iter_mut().zip(0..) {
            visit(Output::Legal(InputId(id)), &mut input.legal);
        }
        visit(Output::Terminal, &mut self.terminal);
        for (goal, id) in self.goals.iter_mut().zip(0..) {
            visit(Output::Goal(id), &mut goal.signal);
        }
        for (latch, id) in self.latches.iter_mut().zip(0..) {
            visit(Output::Next(LatchId(id)), &mut latch.next);
        }
        for (percept, id) in self.percepts.iter_mut().zip(0..) {
            visit(Output::Sees(id), &mut percept.signal);
        }
    }

    /// The signals of all outputs.
    pub fn output_signals(&self) -> impl Iterator<Item = Signal> + '_ {
        self.outputs().map(|(_, signal)| signal)
    }

    /// Replaces every output by what `map` makes of it. Fluents and groups, which read
    /// latches, are left alone.
    pub fn map_outputs(&mut self, mut map: impl FnMut(Signal) -> Signal) {
        self.for_each_output(|_, signal| *signal = map(*signal));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_visited_in_the_order_in_which_they_are_listed() {
        let mut net = Net::new(2, 3, 1);
        let value = Term::Constant(SymbolTable::new(false).intern("50").expect("few symbols"));
        let percept = Percept { role: RoleId(0), term: value.clone(), signal: Signal::FALSE };
        net.goals = vec![Goal { role: RoleId(0), value, signal: Signal::FALSE }; 2];
        net.percepts = vec![percept; 3];
        let mut visited = Vec::new();
        net.for_each_output(|output, signal| {
            *signal = Signal::from_index(visited.len());
            visited.push((output, *signal));
        });
        assert_eq!(net.outputs().collect::<Vec<_>>(), visited);
        // Three legal moves, terminal, two goals, two latches, three percepts.
        assert_eq!(visited.len(), 11);
        assert_eq!(visited.iter().filter(|(output, _)| output.is_of_state()).count(), 6);
        net.map_outputs(|signal| !signal);
        assert!(net.output_signals().zip(visited).all(|(now, (_, before))| now == !before));
    }
}
