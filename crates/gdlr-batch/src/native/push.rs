//! Moves are found, and do what they do, part by part.
//!
//! A program of moves asks of each latch which moves change it: in a game with thousands of moves,
//! for each of thousands of planes. Here each move says which sums it belongs to, as soon as it is known
//! where it is made: these are few, and at hand. Where none of some neighbours is made in any lane, they
//! are passed over.

use super::choice::MoveGroup;
use super::lut3::{Gate, Lut3, Part, Slots, gates, sum};
use crate::program::{Program, Slot};
use gdlr_net::net::Operation;
use hashbrown::HashMap;

/// Where the value of a slot is, once gates are computed in another order.
#[derive(Clone, Copy)]
struct Value {
    slot: Slot,
    when: When,
}

/// When a value can be computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Before moves are found.
    Before,
    /// With the moves of a part; it is false where none of them is made.
    With(usize),
    /// When all moves are found.
    After,
}

/// A program of moves, computed while they are found.
pub(super) struct Pushed {
    pub parts: Vec<Part>,
    /// Where the values of slots are that the program writes.
    places: HashMap<Slot, Slot>,
}

/// The terms that moves of a part add to a sum.
struct Added {
    sum: Slot,
    from: Vec<Slot>,
}

impl Pushed {
    /// For a program, what finds the moves that it reads, and what is read of both; `slots` are not
    /// used to find them. None if gates depend on each other, or one reads, other than in a sum,
    /// where a move is not made.
    pub fn new(
        program: &Program,
        groups: Vec<MoveGroup>,
        outputs: &[Slot],
        slots: &mut Slots,
    ) -> Option<Pushed> {
        if program.blocks().iter().any(|block| block.fixpoint().is_some()) {
            return None;
        }
        let mut pushing = Pushing::new(&groups, slots);
        for gate in gates(program) {
            pushing.add_gate(gate)?;
        }
        outputs.iter().for_each(|&slot| pushing.end(slot));
        Some(pushing.pushed(groups))
    }

    /// Where the value of a slot is when the program has been run.
    pub fn place(&self, slot: Slot) -> Slot {
        self.places.get(&slot).copied().unwrap_or(slot)
    }
}

/// A program in the making.
struct Pushing<'s> {
    slots: &'s mut Slots,
    /// By slot of the program: where its value is.
    values: HashMap<Slot, Value>,
    before: Vec<Lut3>,
    /// By part.
    with: Vec<Vec<Lut3>>,
    added: Vec<Vec<Added>>,
    after: Vec<Lut3>,
}

impl<'s> Pushing<'s> {
    fn new(groups: &[MoveGroup], slots: &'s mut Slots) -> Pushing<'s> {
        let mut values: HashMap<Slot, Value> = HashMap::new();
        for (part, group) in groups.iter().enumerate() {
            let does = group.does.iter();
            values.extend(does.map(|&slot| (slot, Value { slot, when: When::With(part) })));
        }
        Pushing {
            slots,
            values,
            before: Vec::new(),
            with: groups.iter().map(|_| Vec::new()).collect(),
            added: groups.iter().map(|_| Vec::new()).collect(),
            after: Vec::new(),
        }
    }

    /// Adds a gate; none if it reads, other than in a sum, where a move is not made.
    fn add_gate(&mut self, mut gate: Gate) -> Option<()> {
        let (old, own) = (gate.own, self.slots.take());
        let read: Vec<(Value, bool)> = (gate.operands.iter())
            .map(|&(slot, negated)| {
                let value = self.values.get(&slot).copied();
                (value.unwrap_or(Value { slot, when: When::Before }), negated)
            })
            .collect();
        gate.own = own;
        let when = when(gate.operation, &read);
        gate.operands = read.iter().map(|&(value, negated)| (value.slot, negated)).collect();
        match when {
            When::Before => gate.functions(&mut self.before),
            When::With(part) => gate.functions(&mut self.with[part]),
            When::After => self.add_after(gate, &read)?,
        }
        self.values.insert(old, Value { slot: own, when });
        Some(())
    }

    /// Adds a gate that is computed when all moves are found: what it reads of single parts is summed
    /// up with them.
    fn add_after(&mut self, mut gate: Gate, read: &[(Value, bool)]) -> Option<()> {
        let of_sum = |&&(value, negated): &&(Value, bool)| {
            let adds = negated == (gate.operation == Operation::And);
            matches!(value.when, When::With(_)) && adds
        };
        let terms: Vec<Value> = read.iter().filter(of_sum).map(|&(value, _)| value).collect();
        let rest: Vec<(Value, bool)> = read.iter().filter(|read| !of_sum(read)).copied().collect();
        if rest.iter().any(|(value, _)| matches!(value.when, When::With(_))) {
            return None;
        }
        gate.operands = rest.iter().map(|&(value, not)| (value.slot, not)).collect();
        if !terms.is_empty() {
            let sum = self.sum(&terms);
            gate.operands.push((sum, gate.operation == Operation::And));
        }
        gate.functions(&mut self.after);
        Some(())
    }

    /// The slot in which values, each known with a part, are summed up.
    fn sum(&mut self, terms: &[Value]) -> Slot {
        let sum = self.slots.take();
        self.before.push(Lut3::never(sum));
        add(sum, terms, &mut self.added);
        sum
    }

    /// Sees to it that a value that is read at the end is there then.
    fn end(&mut self, slot: Slot) {
        let Some(&value) = self.values.get(&slot) else { return };
        if value.when != When::Before && value.when != When::After {
            let sum = self.sum(&[value]);
            self.values.insert(slot, Value { slot: sum, when: When::After });
        }
    }

    /// All parts in order, each behind what finds its moves.
    fn pushed(self, groups: Vec<MoveGroup>) -> Pushed {
        let Pushing { values, before, with, added, after, .. } = self;
        let mut parts = vec![Part::straight(before)];
        for ((MoveGroup { here, functions, .. }, with), added) in
            groups.into_iter().zip(with).zip(added)
        {
            let mut functions = functions;
            functions.extend(with);
            for Added { sum: to, from } in added {
                sum(to, &from, &mut functions);
            }
            match (here, parts.last_mut()) {
                (None, Some(last)) if last.is_straight() => last.functions.extend(functions),
                (here, _) => parts.push(Part { functions, here, feedback: None }),
            }
        }
        match parts.last_mut() {
            Some(last) if last.is_straight() => last.functions.extend(after),
            _ => parts.push(Part::straight(after)),
        }
        let places = values.into_iter().map(|(slot, value)| (slot, value.slot)).collect();
        Pushed { parts, places }
    }
}

/// When a gate can be computed.
fn when(operation: Operation, read: &[(Value, bool)]) -> When {
    let mut part = None;
    for &(value, _) in read {
        match value.when {
            When::Before => {}
            When::After => return When::After,
            When::With(other) if part.is_some_and(|part| part != other) => return When::After,
            When::With(other) => part = Some(other),
        }
    }
    let Some(part) = part else { return When::Before };
    let is_false = |&(value, negated): &(Value, bool)| value.when != When::Before && !negated;
    let is_false = match operation {
        Operation::And => read.iter().any(is_false),
        _ => read.iter().all(is_false),
    };
    if is_false { When::With(part) } else { When::After }
}

/// Adds values, each known with a part, to a sum.
fn add(sum: Slot, terms: &[Value], added: &mut [Vec<Added>]) {
    for term in terms {
        let When::With(part) = term.when else { continue };
        match added[part].last_mut() {
            Some(last) if last.sum == sum => last.from.push(term.slot),
            _ => added[part].push(Added { sum, from: vec![term.slot] }),
        }
    }
}
