//! A net under construction. Each gate is made once, and no gate is known to be constant.

use crate::tuning::Tuning;
use gdlr_net::net::{Net, Operation, Signal};
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashMap;
use smallvec::SmallVec;

/// The operands of a gate.
pub(super) type Operands = SmallVec<[Signal; 8]>;

/// Gates that are added to a net. If the budget is exhausted, the result has no use, and
/// [`Wires::check`] is an error.
pub(super) struct Wires<'m> {
    pub net: Net,
    gates: HashMap<(Operation, Operands), Signal>,
    /// By gate: its group, if it is a latch of a group. Exactly one latch of a group is true.
    groups: Vec<u32>,
    /// By number of a group: the number of its latches.
    group_sizes: HashMap<u32, usize>,
    pub tuning: &'m Tuning,
    pub meter: &'m Meter<'m>,
}

/// The number for signals without a group.
const NO_GROUP: u32 = u32::MAX;

impl<'m> Wires<'m> {
    /// Gates on top of a net of latches and inputs. `groups` has the group of each latch. Exactly
    /// one latch of a group is true.
    pub fn new(
        net: Net,
        groups: &[Option<u32>],
        tuning: &'m Tuning,
        meter: &'m Meter<'m>,
    ) -> Wires<'m> {
        let mut group_sizes = HashMap::new();
        groups.iter().flatten().for_each(|&group| *group_sizes.entry(group).or_default() += 1);
        let groups = std::iter::once(NO_GROUP)
            .chain(groups.iter().map(|group| group.unwrap_or(NO_GROUP)))
            .collect();
        Wires { net, gates: HashMap::new(), groups, group_sizes, tuning, meter }
    }

    /// An error if the budget is exhausted.
    pub fn check(&self) -> Result<(), Exhausted> {
        self.meter.hold(Memory::Net, self.net.wire_bytes());
        self.meter
            .hold(Memory::Scratch, self.gates.len() * size_of::<(Operation, Operands, Signal)>());
        self.meter.spend(1)
    }

    /// Whether two signals are easily seen to exclude each other.
    pub fn exclude(&self, one: Signal, other: Signal) -> bool {
        one == !other || one == Signal::FALSE || other == Signal::FALSE || {
            let group = self.group(one);
            one != other && group != NO_GROUP && group == self.group(other)
        }
    }

    /// The group of a latch.
    fn group(&self, signal: Signal) -> u32 {
        match signal.is_negated() {
            true => NO_GROUP,
            false => self.groups.get(signal.gate().index()).copied().unwrap_or(NO_GROUP),
        }
    }

    /// The group of a signal, if it is a latch of a group.
    pub fn group_of(&self, signal: Signal) -> Option<u32> {
        Some(self.group(signal)).filter(|&group| group != NO_GROUP)
    }

    /// Whether these different signals are all latches of a group.
    pub fn is_whole_group(&self, mut signals: impl ExactSizeIterator<Item = Signal>) -> bool {
        let count = signals.len();
        let group = signals.next().map_or(NO_GROUP, |first| self.group(first));
        self.group_sizes.get(&group) == Some(&count) && signals.all(|s| self.group(s) == group)
    }

    /// The signal that all operands are true.
    pub fn and(&mut self, operands: &[Signal]) -> Signal {
        self.gate(Operation::And, operands)
    }

    /// The signal that both are true.
    pub fn both(&mut self, one: Signal, other: Signal) -> Signal {
        match (one, other) {
            (Signal::TRUE, signal) | (signal, Signal::TRUE) => signal,
            _ => self.and(&[one, other]),
        }
    }

    /// The signal that any operand is true.
    pub fn or(&mut self, operands: &[Signal]) -> Signal {
        match operands {
            [only] => *only,
            _ => self.gate(Operation::Or, operands),
        }
    }

    fn gate(&mut self, operation: Operation, operands: &[Signal]) -> Signal {
        // A false operand decides an And, and a true one decides an Or.
        let decided = Signal::constant(operation == Operation::Or);
        let mut all: Operands = SmallVec::new();
        for &operand in operands {
            if operand == decided {
                return decided;
            }
            if operand == !decided {
                continue;
            }
            all.push(operand);
        }
        self.look_through(operation, &mut all);
        all.sort_unstable();
        all.dedup();
        if all.windows(2).any(|pair| pair[0] == !pair[1]) {
            return decided;
        }
        if operation == Operation::And && self.is_contradiction(&all) {
            return Signal::FALSE;
        }
        match all[..] {
            [] => return !decided,
            [only] => return only,
            _ => {}
        }
        self.meter.has(all.len());
        let net = &mut self.net;
        let key = (operation, all);
        if let Some(&gate) = self.gates.get(&key) {
            return gate;
        }
        let gate = net.add(operation, &key.1);
        self.gates.insert(key, gate);
        gate
    }

    /// Replaces gates with the same operation by their operands, as long as these are few.
    fn look_through(&self, operation: Operation, all: &mut Operands) {
        let inner = |signal: Signal| -> Option<&[Signal]> {
            let gate = signal.gate();
            let plain = !signal.is_negated() && self.net.operation(gate) == operation;
            (plain && !self.net.is_knot(gate)).then(|| self.net.operands(gate))
        };
        let wide: usize = all.iter().map(|&signal| inner(signal).map_or(1, <[Signal]>::len)).sum();
        if wide > self.tuning.flat_operands || wide == all.len() {
            return;
        }
        let mut flat = Operands::new();
        for &signal in all.iter() {
            match inner(signal) {
                Some(operands) if !operands.is_empty() => flat.extend_from_slice(operands),
                _ => flat.push(signal),
            }
        }
        *all = flat;
    }

    /// Whether two operands belong to the same group, so that they are never both true.
    fn is_contradiction(&self, all: &[Signal]) -> bool {
        let mut last = NO_GROUP;
        // Latches of a group have consecutive numbers, so they are neighbours in the order.
        all.iter().filter(|signal| !signal.is_negated()).any(|signal| {
            let group = self.groups.get(signal.gate().index()).copied().unwrap_or(NO_GROUP);
            let again = group != NO_GROUP && group == last;
            last = group;
            again
        })
    }

    /// A signal that is later tied to others. It is true if one of them is, and they may depend on
    /// it.
    pub fn knot(&mut self) -> Signal {
        self.net.knot()
    }

    /// The gate of a latch.
    pub fn latch(&self, latch: u32) -> Signal {
        Signal::of(self.net.latches[latch as usize].gate)
    }

    /// A signal for a choice that is not known yet.
    pub fn choice(&mut self) -> Signal {
        self.net.knot()
    }

    /// The net of the gates that the `needed` signals read, with an input for each of the choices.
    /// The function gives the signal of the net for a needed signal.
    pub fn finish(self, choices: &[Signal], needed: &[Signal]) -> (Net, impl Fn(Signal) -> Signal) {
        let draft = self.net;
        let reached = draft.reached(needed.iter().copied());
        let mut net = Net::new(draft.latches.len(), choices.len(), draft.roles);
        let mut gates = vec![Signal::FALSE; draft.len()];
        gates[0] = Signal::TRUE;
        for (latch, old) in net.latches.iter_mut().zip(&draft.latches) {
            latch.initial = old.initial;
            gates[old.gate.index()] = Signal::of(latch.gate);
        }
        let mut is_choice = vec![false; draft.len()];
        for (input, choice) in net.inputs.iter().zip(choices) {
            gates[choice.gate().index()] = Signal::of(input.gate);
            is_choice[choice.gate().index()] = true;
        }
        let map =
            |gates: &[Signal], old: Signal| gates[old.gate().index()].negated_if(old.is_negated());
        let mut knots = Vec::new();
        for gate in draft.computed().filter(|gate| reached[gate.index()]) {
            if is_choice[gate.index()] {
                continue;
            }
            let operands = draft.operands(gate);
            gates[gate.index()] = if draft.is_knot(gate) {
                knots.push(gate);
                net.knot()
            } else {
                let operands: Operands = operands.iter().map(|&old| map(&gates, old)).collect();
                net.add(draft.operation(gate), &operands)
            };
        }
        for gate in knots {
            let operands = draft.operands(gate).iter();
            let operands: Operands = operands.map(|&old| map(&gates, old)).collect();
            net.tie(gates[gate.index()], &operands);
        }
        (net, move |old: Signal| map(&gates, old))
    }
}
