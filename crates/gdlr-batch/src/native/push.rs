//! Moves are found, and do what they do, part by part.
//!
//! A program of moves asks of each latch which moves change it: in a game with thousands of moves,
//! for each of thousands of planes. Here each move says which sums it belongs to, as soon as it is known
//! where it is made: these are few, and at hand. Where none of some neighbours is made in any lane, they
//! are passed over.

use super::choice::Found;
use super::ternary::{Part, Slots, Ternary, gates, sum};
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

/// What moves of a part add to a sum.
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
        found: Vec<Found>,
        outputs: &[Slot],
        slots: &mut Slots,
    ) -> Option<Pushed> {
        if program.blocks().iter().any(|block| block.fixpoint().is_some()) {
            return None;
        }
        let mut values: HashMap<Slot, Value> = HashMap::new();
        for (part, found) in found.iter().enumerate() {
            let made = found.made.iter();
            values.extend(made.map(|&slot| (slot, Value { slot, when: When::With(part) })));
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut with: Vec<Vec<Ternary>> = found.iter().map(|_| Vec::new()).collect();
        let mut added: Vec<Vec<Added>> = found.iter().map(|_| Vec::new()).collect();
        for mut gate in gates(program) {
            let (old, own) = (gate.own, slots.take());
            let read: Vec<(Value, bool)> = (gate.operands.iter())
                .map(|&(slot, negated)| {
                    let value = values.get(&slot).copied();
                    (value.unwrap_or(Value { slot, when: When::Before }), negated)
                })
                .collect();
            gate.own = own;
            let when = when(gate.operation, &read);
            gate.operands = read.iter().map(|&(value, negated)| (value.slot, negated)).collect();
            match when {
                When::Before => gate.functions(&mut before),
                When::With(part) => gate.functions(&mut with[part]),
                When::After => {
                    let of_sum = |&&(value, negated): &&(Value, bool)| {
                        let adds = negated == (gate.operation == Operation::And);
                        matches!(value.when, When::With(_)) && adds
                    };
                    let terms: Vec<Value> =
                        read.iter().filter(of_sum).map(|&(value, _)| value).collect();
                    let rest = read.iter().filter(|read| !of_sum(read));
                    let rest: Vec<(Value, bool)> = rest.copied().collect();
                    if rest.iter().any(|(value, _)| matches!(value.when, When::With(_))) {
                        return None;
                    }
                    gate.operands = rest.iter().map(|&(value, not)| (value.slot, not)).collect();
                    if !terms.is_empty() {
                        let sum = slots.take();
                        before.push(Ternary::never(sum));
                        add(sum, &terms, &mut added);
                        gate.operands.push((sum, gate.operation == Operation::And));
                    }
                    gate.functions(&mut after);
                }
            }
            values.insert(old, Value { slot: own, when });
        }
        for slot in outputs {
            let Some(value) = values.get_mut(slot) else { continue };
            if value.when != When::Before && value.when != When::After {
                let sum = slots.take();
                before.push(Ternary::never(sum));
                add(sum, &[*value], &mut added);
                *value = Value { slot: sum, when: When::After };
            }
        }
        let mut parts = vec![Part::straight(before)];
        for ((Found { here, functions, .. }, with), added) in found.into_iter().zip(with).zip(added)
        {
            let mut functions = functions;
            functions.extend(with);
            for Added { sum: to, from } in added {
                sum(to, &from, &mut functions);
            }
            match (here, parts.last_mut()) {
                (None, Some(last)) if last.is_straight() => last.functions.extend(functions),
                (here, _) => parts.push(Part { functions, here, circle: None }),
            }
        }
        match parts.last_mut() {
            Some(last) if last.is_straight() => last.functions.extend(after),
            _ => parts.push(Part::straight(after)),
        }
        let places = values.into_iter().map(|(slot, value)| (slot, value.slot)).collect();
        Some(Pushed { parts, places })
    }

    /// Where the value of a slot is when the program has been run.
    pub fn place(&self, slot: Slot) -> Slot {
        self.places.get(&slot).copied().unwrap_or(slot)
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
