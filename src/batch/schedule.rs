//! Where the gates of a net go in a program, and where their values go in memory.
//!
//! Gates are computed level by level: those first that read latches and moves only. Within a
//! level they are sorted by shape, which makes long runs. The slot of a value that is not
//! needed any more is the first to be used again, while it is still in the nearest cache.

use super::program::{Program, Shape, Slot, TRUE};
use crate::propnet::{Feedback, GateId, Net, Operation, Signal};

const NO_SLOT: Slot = Slot::MAX;

/// Gives the gates of a net their places.
pub(super) struct Schedule<'n> {
    net: &'n Net,
    feedback: Feedback,
    /// By gate: its slot, if it has one.
    slot: Vec<Slot>,
    /// By gate: how many will read it.
    readers: Vec<u32>,
    /// By gate: whether it has been computed, or is to be.
    planned: Vec<bool>,
    /// Slots that nobody reads any more.
    free: Vec<Slot>,
    /// How many slots there are.
    size: usize,
    /// Slots that are never free: the constant, the latches and the moves.
    fixed: usize,
}

impl<'n> Schedule<'n> {
    /// Nothing is computed yet. The slots of latches and of inputs are as given, the first
    /// `fixed` of all are not used for anything else.
    pub fn new(
        net: &'n Net,
        latch: impl Fn(usize) -> Slot,
        input: impl Fn(usize) -> Slot,
        fixed: usize,
    ) -> Self {
        let mut slot = vec![NO_SLOT; net.len()];
        slot[0] = TRUE;
        for (place, latches) in net.latches.iter().enumerate() {
            slot[latches.gate.index()] = latch(place);
        }
        for (place, inputs) in net.inputs.iter().enumerate() {
            slot[inputs.gate.index()] = input(place);
        }
        Schedule {
            net,
            feedback: Feedback::of(net),
            slot,
            readers: vec![0; net.len()],
            planned: vec![false; net.len()],
            free: Vec::new(),
            size: fixed,
            fixed,
        }
    }

    /// How many slots have been given.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Says what will be read: as many programs are made later, in this order, as there are
    /// lists. Returns the gates of each.
    pub fn plan(&mut self, programs: &[Vec<Signal>]) -> Vec<Vec<GateId>> {
        let mut all = Vec::new();
        for outputs in programs {
            let mut open: Vec<GateId> = Vec::new();
            let mut found = vec![false; self.net.len()];
            for &output in outputs {
                self.readers[output.gate().index()] += 1;
                open.push(output.gate());
            }
            while let Some(gate) = open.pop() {
                let new = gate >= self.net.first_computed() && !self.planned[gate.index()];
                if new {
                    self.planned[gate.index()] = true;
                    found[gate.index()] = true;
                    for operand in self.net.operands(gate) {
                        self.readers[operand.gate().index()] += 1;
                        open.push(operand.gate());
                    }
                }
            }
            let order = self.feedback.order.iter().copied();
            all.push(order.filter(|gate| found[gate.index()]).collect());
        }
        all
    }

    /// Makes the program of gates, which are those of a list that [`Schedule::plan`] returned.
    pub fn program(&mut self, gates: &[GateId]) -> Program {
        let mut program = Program::default();
        let mut straight: Vec<GateId> = Vec::new();
        let mut at = 0;
        while at < gates.len() {
            if !self.feedback.on_cycle(gates[at]) {
                straight.push(gates[at]);
                at += 1;
                continue;
            }
            self.straight(&std::mem::take(&mut straight), &mut program);
            let part = self.part_from(&gates[at..]);
            self.repeated(&gates[at..at + part], &mut program);
            at += part;
        }
        self.straight(&straight, &mut program);
        program
    }

    /// How many of the gates that follow are in one part with the first.
    fn part_from(&self, gates: &[GateId]) -> usize {
        let order = &self.feedback.order;
        let part = self.feedback.parts.iter().find(|part| order[part.start] == gates[0]);
        part.map_or(1, |part| part.len())
    }

    /// The slot that carries a value, and whether the complement is meant.
    pub fn read(&self, signal: Signal) -> (Slot, bool) {
        (self.slot[signal.gate().index()], signal.is_negated())
    }

    /// Says that an output has been read, once.
    pub fn release(&mut self, signal: Signal) {
        let gate = signal.gate().index();
        self.readers[gate] -= 1;
        if self.readers[gate] == 0 && self.slot[gate] as usize >= self.fixed {
            self.free.push(self.slot[gate]);
        }
    }

    /// A slot that nobody reads.
    pub fn take(&mut self) -> Slot {
        self.free.pop().unwrap_or_else(|| {
            self.size += 1;
            self.size as Slot - 1
        })
    }

    /// Says that a slot which was taken is not read any more.
    pub fn give_back(&mut self, slot: Slot) {
        self.free.push(slot);
    }

    /// The shape of a gate, and its operands, the plain ones first.
    fn shape(&self, gate: GateId) -> (Shape, Vec<Signal>) {
        let mut operands = self.net.operands(gate).to_vec();
        operands.sort_by_key(|operand| operand.is_negated());
        let negated = operands.iter().filter(|operand| operand.is_negated()).count() as u32;
        let plain = operands.len() as u32 - negated;
        (Shape { operation: self.net.operation(gate), plain, negated }, operands)
    }

    fn straight(&mut self, gates: &[GateId], program: &mut Program) {
        let mut level = hashbrown::HashMap::new();
        let mut order: Vec<(u32, Shape, Vec<Signal>, GateId)> = Vec::new();
        for &gate in gates {
            let (shape, operands) = self.shape(gate);
            let below = operands.iter().map(|o| level.get(&o.gate()).copied().unwrap_or(0));
            let own = below.max().unwrap_or(0) + 1;
            level.insert(gate, own);
            order.push((own, shape, operands, gate));
        }
        order.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
        let mut slots = Vec::new();
        for (_, shape, operands, gate) in order {
            slots.clear();
            slots.push(NO_SLOT);
            slots.extend(operands.iter().map(|operand| self.slot[operand.gate().index()]));
            operands.iter().for_each(|&operand| self.release(operand));
            slots[0] = self.take();
            self.slot[gate.index()] = slots[0];
            program.push(shape, &slots);
        }
    }

    fn repeated(&mut self, gates: &[GateId], program: &mut Program) {
        for &gate in gates {
            self.slot[gate.index()] = self.take();
        }
        let listed: Vec<(Shape, Vec<Slot>)> = (gates.iter())
            .map(|&gate| {
                let (shape, operands) = self.shape(gate);
                let operands = operands.iter().map(|operand| self.slot[operand.gate().index()]);
                (shape, [self.slot[gate.index()]].into_iter().chain(operands).collect())
            })
            .collect();
        program.push_repeated(listed.iter().map(|(shape, slots)| (*shape, &slots[..])));
        for &gate in gates {
            self.net.operands(gate).iter().for_each(|&operand| self.release(operand));
        }
    }
}

impl Program {
    /// Adds the copy of a slot, or of its complement.
    pub fn push_copy(&mut self, to: Slot, from: (Slot, bool)) {
        let negated = u32::from(from.1);
        let shape = Shape { operation: Operation::And, plain: 1 - negated, negated };
        self.push(shape, &[to, from.0]);
    }
}
