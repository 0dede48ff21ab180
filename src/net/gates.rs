//! The circuit: gates, latches, inputs and what is read off them.

use crate::engine::RoleId;
use crate::gdl::{SymbolTable, Term};
use std::ops::Not;

/// The number of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GateId(pub u32);

impl GateId {
    /// The place of the gate in its net.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a wire carries: the value of a gate or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(u32);

impl Signal {
    /// Always true.
    pub const TRUE: Signal = Signal(0);
    /// Always false.
    pub const FALSE: Signal = Signal(1);

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

/// What a gate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// True; gate 0 only.
    True,
    /// Remembers a bit of the state: the latch with this number.
    Latch(u32),
    /// Carries a move: the input with this number.
    Input(u32),
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
    /// The fact.
    pub fact: Term,
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
        symbols.goal_value(&self.value)
    }
}

/// A propositional net.
///
/// Gate 0 is the constant; then come the latches and the inputs in their order, then the
/// gates with operands. An operand has a smaller number than its gate, but for feedback: an
/// operand that is not smaller belongs to a *knot*, an [`Operation::Or`] gate that is read
/// before it is computed and lies on a cycle of positive operands. The value of such a part
/// is its least fixpoint.
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
    /// All terms that can be moves, of any role.
    pub moves: Vec<Term>,
    /// Whether the state is terminal. Depends on latches only.
    pub terminal: Signal,
    /// The goal values that can be reached.
    pub goals: Vec<Goal>,
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
            .map(|place| add(Operation::Latch(place)))
            .map(|gate| Latch { gate, initial: false, next: Signal::FALSE })
            .collect();
        let inputs = (0..inputs as u32)
            .map(|place| add(Operation::Input(place)))
            .map(|gate| Input { gate, role: RoleId(0), term: 0, legal: Signal::FALSE })
            .collect();
        Net {
            gates,
            operands: Vec::new(),
            latches,
            inputs,
            fluents: Vec::new(),
            moves: Vec::new(),
            terminal: Signal::FALSE,
            goals: Vec::new(),
            exclusive: Vec::new(),
            covering: Vec::new(),
            roles,
        }
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

    /// What a gate does.
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

    /// Adds a knot, whose operands are to be given by [`Net::tie`].
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

    /// Every signal that something outside reads: successors of latches, legality, terminal
    /// and goals.
    pub fn outputs(&self) -> impl Iterator<Item = Signal> + '_ {
        let latches = self.latches.iter().map(|latch| latch.next);
        let legal = self.inputs.iter().map(|input| input.legal);
        let goals = self.goals.iter().map(|goal| goal.signal);
        latches.chain(legal).chain(goals).chain([self.terminal])
    }

    /// Replaces every output by what `map` makes of it. Fluents and groups, which read
    /// latches, are left alone.
    pub fn map_outputs(&mut self, mut map: impl FnMut(Signal) -> Signal) {
        self.latches.iter_mut().for_each(|latch| latch.next = map(latch.next));
        self.inputs.iter_mut().for_each(|input| input.legal = map(input.legal));
        self.goals.iter_mut().for_each(|goal| goal.signal = map(goal.signal));
        self.terminal = map(self.terminal);
    }
}
