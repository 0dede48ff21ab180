//! The places of gates in a program, and of their values in memory.
//!
//! Gates are computed in a topological order ([`Order`]). For loops over gates of one shape, the order is level by level, with
//! the gates first that read only latches and moves. Within a level the gates of one shape are neighbours, so runs of equal
//! shape are long. For machine code, each gate comes shortly before its readers. A slot whose value is not needed any more is
//! used again first, because it is still in the nearest cache. [`cycles`](super::cycles) has the gates of feedback loops.

use super::program::{Operand, Program, Shape, Slot, TRUE};
use fixedbitset::FixedBitSet;
use gdlr_net::net::{Feedback, GateId, Net, Signal};
use hashbrown::HashMap;

const NO_SLOT: Slot = Slot::MAX;

/// A gate that does not depend on itself, and what it reads.
struct Ordered {
    gate: GateId,
    shape: Shape,
    operands: Vec<Signal>,
}

/// In which order the gates of a program come, where it is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Those of a shape together, for loops over them.
    Shapes,
    /// Each soon before what reads it, for values that stay in registers.
    Depth,
}

/// Gives the gates of a net their places.
pub(super) struct Schedule<'n> {
    pub(super) net: &'n Net,
    order: Order,
    feedback: Feedback,
    /// By gate: its slot, if it has one.
    pub(super) slot: Vec<Slot>,
    /// By gate: how many will read it.
    pub(super) readers: Vec<u32>,
    /// By gate of an output: its place among the outputs.
    output_places: HashMap<GateId, u32>,
    /// The gates that have been computed, or are to be.
    planned: FixedBitSet,
    /// By gate: the strongly connected component with feedback that it is in, if it is in one.
    pub(super) component: Vec<Option<u32>>,
    /// The operand that is computed with its gate, for some.
    pub(super) inner: HashMap<GateId, GateId>,
    /// Slots that nobody reads any more.
    free: Vec<Slot>,
    /// How many slots there are.
    size: usize,
    /// Slots that are never free: the constant, the latches, the moves, and those kept from
    /// one step to the next.
    fixed: usize,
    /// The next slot to be kept.
    kept: usize,
}

impl<'n> Schedule<'n> {
    /// Nothing is computed yet. The slots of latches and of inputs are as given, the first
    /// `fixed` of all are not used for anything else, and those from `kept` on are for
    /// [`kept_slots`].
    pub fn new(
        net: &'n Net,
        order: Order,
        latch: impl Fn(usize) -> Slot,
        input: impl Fn(usize) -> Slot,
        fixed: usize,
        kept: usize,
    ) -> Self {
        let mut slot = vec![NO_SLOT; net.len()];
        slot[0] = TRUE;
        for (place, latches) in net.latches.iter().enumerate() {
            slot[latches.gate.index()] = latch(place);
        }
        for (place, inputs) in net.inputs.iter().enumerate() {
            slot[inputs.gate.index()] = input(place);
        }
        let feedback = Feedback::of(net);
        let mut component = vec![None; net.len()];
        for (number, places) in feedback.parts.iter().enumerate() {
            for gate in &feedback.order[places.clone()] {
                component[gate.index()] = Some(number as u32);
            }
        }
        Schedule {
            net,
            order,
            feedback,
            slot,
            readers: vec![0; net.len()],
            output_places: HashMap::new(),
            planned: FixedBitSet::with_capacity(net.len()),
            component,
            inner: HashMap::new(),
            free: Vec::new(),
            size: fixed,
            fixed,
            kept,
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
            let mut placed = FixedBitSet::with_capacity(self.net.len());
            for &output in outputs {
                self.readers[output.gate().index()] += 1;
                let place = self.output_places.len() as u32;
                self.output_places.entry(output.gate()).or_insert(place);
                open.push(output.gate());
            }
            while let Some(gate) = open.pop() {
                if gate >= self.net.first_computed() && !self.planned.put(gate.index()) {
                    placed.insert(gate.index());
                    for operand in self.net.operands(gate) {
                        self.readers[operand.gate().index()] += 1;
                        open.push(operand.gate());
                    }
                }
            }
            let order = self.feedback.order.iter().copied();
            all.push(order.filter(|gate| placed[gate.index()]).collect());
        }
        all.iter_mut().for_each(|gates| self.join(gates));
        all
    }

    /// Makes the program of gates, which are those of a list that [`Schedule::plan`] returned.
    pub fn program(&mut self, gates: &[GateId]) -> Program {
        let mut program = Program::default();
        let mut straight: Vec<GateId> = Vec::new();
        let mut at = 0;
        while at < gates.len() {
            let component = self.component[gates[at].index()];
            if component.is_none() {
                straight.push(gates[at]);
                at += 1;
                continue;
            }
            self.straight(&std::mem::take(&mut straight), &mut program);
            let is_member = |gate: &&GateId| self.component[gate.index()] == component;
            let end = at + gates[at..].iter().take_while(is_member).count();
            self.fixpoint(&gates[at..end], &mut program);
            at = end;
        }
        self.straight(&straight, &mut program);
        program
    }

    /// Where a value is found.
    pub fn read(&self, signal: Signal) -> Operand {
        Operand { slot: self.slot[signal.gate().index()], negated: signal.is_negated() }
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

    /// A slot that nothing else will use.
    pub(super) fn keep(&mut self) -> Slot {
        self.kept += 1;
        self.kept as Slot - 1
    }

    /// The shape of a gate, and its operands in the order in which they are read.
    pub(super) fn shape(&self, gate: GateId) -> (Shape, Vec<Signal>) {
        let inner = self.inner.get(&gate).copied();
        let sorted = |gate: Option<GateId>| {
            let operands = gate.map_or(&[][..], |gate| self.net.operands(gate)).iter().copied();
            let mut operands: Vec<Signal> =
                operands.filter(|operand| Some(operand.gate()) != inner).collect();
            operands.sort_by_key(|operand| operand.is_negated());
            let negated = operands.iter().filter(|operand| operand.is_negated()).count() as u32;
            (operands.len() as u32 - negated, negated, operands)
        };
        let (plain, negated, mut operands) = sorted(Some(gate));
        let (inner, inner_negated, more) = sorted(inner);
        operands.extend(more);
        let operation = self.net.operation(gate);
        (Shape { operation, plain, negated, inner, inner_negated }, operands)
    }

    /// Adds gates that do not depend on each other in a feedback loop.
    fn straight(&mut self, gates: &[GateId], program: &mut Program) {
        let ordered = match self.order {
            Order::Shapes => self.by_shapes(gates),
            Order::Depth => self.by_depth(gates),
        };
        let mut slots = Vec::new();
        for Ordered { gate, shape, operands } in ordered {
            slots.clear();
            slots.push(NO_SLOT);
            slots.extend(operands.iter().map(|operand| self.slot[operand.gate().index()]));
            operands.iter().for_each(|&operand| self.release(operand));
            slots[0] = self.take();
            self.slot[gate.index()] = slots[0];
            program.push(shape, &slots);
        }
    }

    fn ordered(&self, gate: GateId) -> Ordered {
        let (shape, operands) = self.shape(gate);
        Ordered { gate, shape, operands }
    }

    /// Gates level by level: those first that read none of the others; within a level by shape.
    fn by_shapes(&self, gates: &[GateId]) -> Vec<Ordered> {
        let mut levels = HashMap::new();
        let mut ordered: Vec<(u32, Ordered)> = Vec::new();
        for gate in gates.iter().map(|&gate| self.ordered(gate)) {
            let below = gate.operands.iter().filter_map(|operand| levels.get(&operand.gate()));
            let level = below.max().map_or(1, |level| level + 1);
            levels.insert(gate.gate, level);
            ordered.push((level, gate));
        }
        ordered.sort_by_key(|(level, gate)| (*level, gate.shape));
        ordered.into_iter().map(|(_, gate)| gate).collect()
    }

    /// Gates in the order in which they are asked for, before each of them what it needs.
    fn by_depth(&self, gates: &[GateId]) -> Vec<Ordered> {
        let place: HashMap<GateId, usize> =
            gates.iter().enumerate().map(|(place, &gate)| (gate, place)).collect();
        let mut waiting: Vec<Option<Ordered>> =
            gates.iter().map(|&gate| Some(self.ordered(gate))).collect();
        let mut readers = vec![0; gates.len()];
        for operand in waiting.iter().flatten().flat_map(|gate| &gate.operands) {
            if let Some(&read) = place.get(&operand.gate()) {
                readers[read] += 1;
            }
        }
        let mut ordered = Vec::new();
        let mut placed = FixedBitSet::with_capacity(gates.len());
        // Gates whose operands are looked at, with the next of these.
        let mut open: Vec<(Ordered, usize)> = Vec::new();
        let is_read_elsewhere = |at: &usize| self.readers[gates[*at].index()] > readers[*at];
        let mut ends: Vec<usize> = (0..gates.len()).filter(is_read_elsewhere).collect();
        ends.sort_by_key(|&at| self.output_places.get(&gates[at]).map_or(u32::MAX, |&place| place));
        for at in ends {
            if !placed.put(at) {
                open.extend(waiting[at].take().map(|gate| (gate, 0)));
            }
            while let Some((gate, next)) = open.last_mut() {
                let Some(operand) = gate.operands.get(*next) else {
                    ordered.extend(open.pop().map(|(gate, _)| gate));
                    continue;
                };
                *next += 1;
                if let Some(&read) = place.get(&operand.gate())
                    && !placed.put(read)
                {
                    open.extend(waiting[read].take().map(|gate| (gate, 0)));
                }
            }
        }
        ordered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycles::kept_slots;
    use crate::execute;
    use crate::token::Token;
    use gdlr_engine::play::seeded;
    use gdlr_net::net::{Evaluation, Operation, random_net, read};
    use rand::RngExt;

    /// Miri takes long for each.
    const NETS: u64 = if cfg!(miri) { 4 } else { 600 };

    /// Evaluates a net again and again, each time with a few other latches and moves.
    #[test]
    fn a_program_computes_what_the_net_does() {
        for seed in 0..NETS {
            let mut random = seeded(seed, 0);
            let net = random_net(&mut random);
            let order = [Order::Shapes, Order::Depth][seed as usize % 2];
            let (latches, inputs) = (net.latches.len(), net.inputs.len());
            let state: Vec<Signal> = [net.terminal].into_iter().chain(legal(&net)).collect();
            let next: Vec<Signal> = net.latches.iter().map(|latch| latch.next).collect();
            let sources = 1 + latches + inputs;
            let input = |place: usize| (1 + latches + place) as Slot;
            let fixed = sources + kept_slots(&net);
            let mut schedule =
                Schedule::new(&net, order, |place| 1 + place as Slot, input, fixed, sources);
            let gates = schedule.plan(&[state.clone(), next.clone()]);
            let first = schedule.program(&gates[0]);
            let of_state: Vec<_> = state.iter().map(|&signal| schedule.read(signal)).collect();
            state.iter().for_each(|&signal| schedule.release(signal));
            let second = schedule.program(&gates[1]);
            let of_next: Vec<_> = next.iter().map(|&signal| schedule.read(signal)).collect();

            let evaluation = Evaluation::new(&net);
            let mut memory = vec![0u64; schedule.size()];
            memory[TRUE as usize] = !0;
            let mut values = Vec::new();
            let mut now: Vec<u64> = (1..sources).map(|_| random.random()).collect();
            for round in 0..20 {
                // Some fall, some rise, most stay as they are.
                for value in &mut now {
                    *value ^= random.random::<u64>() & random.random::<u64>();
                }
                memory[1..sources].copy_from_slice(&now);
                evaluation.run(&now[..latches], &now[latches..], &mut values);
                let compare = |memory: &[u64], signals: &[Signal], operands: &[Operand]| {
                    for (&signal, &operand) in signals.iter().zip(operands) {
                        let actual = execute::read(memory, operand);
                        assert_eq!(actual, read(&values, signal), "net {seed}, round {round}");
                    }
                };
                first.execute(Token::portable(), &mut memory);
                compare(&memory, &state, &of_state);
                second.execute(Token::portable(), &mut memory);
                compare(&memory, &next, &of_next);
            }
        }
    }

    fn legal(net: &Net) -> Vec<Signal> {
        net.inputs.iter().map(|input| input.legal).collect()
    }

    #[test]
    fn slots_are_used_again() {
        let mut net = Net::new(2, 0, 1);
        let mut last = Signal::of(net.latches[0].gate);
        let other = Signal::of(net.latches[1].gate);
        for place in 0..100 {
            let operation = if place % 2 == 0 { Operation::And } else { Operation::Or };
            last = net.add(operation, &[last, other]);
        }
        net.terminal = last;
        let mut schedule =
            Schedule::new(&net, Order::Shapes, |place| 1 + place as Slot, |_| 0, 3, 3);
        let gates = schedule.plan(&[vec![net.terminal]]);
        schedule.program(&gates[0]);
        assert!(schedule.size() <= 5, "{} slots for a chain", schedule.size());
    }
}
