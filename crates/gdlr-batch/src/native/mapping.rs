//! Functions of three bits as the functions that a processor has instructions for: technology mapping.
//!
//! AVX-512 has one instruction for every function of three bits, AVX2 one for each of four functions
//! of two: `and`, `or`, `xor`, and `not a and b`. Every function of three bits is the end of a short
//! chain of these, the shortest of which are found by trying all (*exact synthesis*: Knuth, *The Art
//! of Computer Programming*, volume 4A, 7.1.2). A complement is an `xor` with [`TRUE`], which is a
//! slot like any other:
//!
//! ```text
//! majority of a, b, c      x = a xor b   y = a xor c   z = x and y   a xor z
//! a or not b               x = not a and b   x xor true
//! ```

use super::lut3::{Lut3, Part};
use crate::program::{Slot, TRUE};
use std::sync::OnceLock;

/// An instruction of AVX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    And,
    Or,
    Xor,
    /// Of the first one's complement and the second one.
    AndNot,
}

impl Operation {
    const ALL: [Operation; 4] = [Operation::And, Operation::Or, Operation::Xor, Operation::AndNot];

    /// The value for two bits, or for many of them at once.
    pub fn of(self, a: u8, b: u8) -> u8 {
        match self {
            Operation::And => a & b,
            Operation::Or => a | b,
            Operation::Xor => a ^ b,
            Operation::AndNot => !a & b,
        }
    }

    /// Whether its operands may change their places.
    pub fn is_symmetric(self) -> bool {
        self != Operation::AndNot
    }

    /// The operation that computes a function of two slots.
    ///
    /// # Panics
    ///
    /// When the function is none that is [mapped](map).
    pub fn computing(function: &Lut3) -> Operation {
        let computes = |operation: &Operation| operation.of(A, B) == function.table;
        let operation = Operation::ALL.into_iter().find(computes);
        operation.expect("functions are mapped before they are written")
    }
}

/// The tables of the operands, and of what is always true.
pub(super) const A: u8 = 0b1111_0000;
pub(super) const B: u8 = 0b1100_1100;
const C: u8 = 0b1010_1010;
const ALWAYS: u8 = 0b1111_1111;

/// How many values there are before the first step: three operands and what is always true.
const GIVEN: usize = 4;

/// The number of the latter.
const TRUE_AT: u8 = 3;

/// The most steps of a chain.
const LONGEST: usize = 5;

/// The slots in which values stand between the steps of a function.
pub(super) const BETWEEN: usize = LONGEST - 1;

/// A step of a chain: an operation on two values before it, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    operation: Operation,
    from: [u8; 2],
}

/// Steps whose last value is that of a function.
type Chain = Vec<Step>;

/// Parts with functions each of which is one instruction of AVX2, a copy, or never true. Values between
/// them stand in [`BETWEEN`] slots from `free` on.
pub(super) fn map(parts: &[Part], free: Slot) -> Vec<Part> {
    let part = |part: &Part| {
        let mut functions = Vec::with_capacity(2 * part.functions.len());
        let mut before = None;
        for function in &part.functions {
            map_function(function, free, before, &mut functions);
            before = Some(function);
        }
        Part { functions, here: part.here, feedback: part.feedback.clone() }
    };
    parts.iter().map(part).collect()
}

/// Writes the chain of a function; `before` is the one whose chain was written last.
fn map_function(function: &Lut3, free: Slot, before: Option<&Lut3>, out: &mut Vec<Lut3>) {
    let to = function.to;
    match function.table {
        0 => return out.push(Lut3::never(to)),
        ALWAYS => return out.push(Lut3::of_one(to, TRUE, |value| value)),
        _ => {}
    }
    let from = function.from();
    if let Some(at) = [A, B, C][..from.len()].iter().position(|&own| own == function.table) {
        return out.push(Lut3::of_one(to, from[at], |value| value));
    }
    let chain = &chains()[usize::from(function.table)];
    let place = |value: u8| match usize::from(value) {
        at if at < from.len() => from[at],
        at if at >= GIVEN => free + (at - GIVEN) as Slot,
        _ => TRUE,
    };
    let shared = before.map_or(0, |before| in_common(before, function));
    for (at, step) in chain.iter().enumerate().skip(shared) {
        let to = if at + 1 == chain.len() { to } else { free + at as Slot };
        let operation = step.operation;
        let value = |a: bool, b: bool| operation.of(u8::from(a), u8::from(b)) & 1 == 1;
        out.push(Lut3::of_two(to, step.from.map(place), value));
    }
}

/// How many steps the chains of two functions have in common, whose values stand in their slots after the
/// first one. So the sum of three bits and the bit to carry share a step.
fn in_common(first: &Lut3, second: &Lut3) -> usize {
    if first.from() != second.from() || second.from().contains(&first.to) {
        return 0;
    }
    let [one, other] = [first, second].map(|function| &chains()[usize::from(function.table)]);
    // The last value of the first one is in a slot of its own, and the second one writes something.
    let most = one.len().min(other.len()).saturating_sub(1);
    one.iter().zip(other).take(most).take_while(|(one, other)| one == other).count()
}

/// By table: a shortest chain. Found once.
fn chains() -> &'static [Chain] {
    static CHAINS: OnceLock<Vec<Chain>> = OnceLock::new();
    CHAINS.get_or_init(|| {
        let mut search =
            Search { found: vec![None; 256], values: vec![A, B, C, ALWAYS], steps: Vec::new() };
        for given in [A, B, C, ALWAYS, !ALWAYS] {
            search.found[usize::from(given)] = Some(Vec::new());
        }
        for length in 1..LONGEST {
            search.extend(length, 0, 0);
        }
        // To try five steps takes long. The functions left are complements of chains of four.
        let mut chains = search.found;
        for table in 0..=ALWAYS {
            if chains[usize::from(table)].is_none() {
                let mut chain = chains[usize::from(!table)].clone().expect("it is no longer");
                let last = (GIVEN + chain.len() - 1) as u8;
                chain.push(Step { operation: Operation::Xor, from: [last, TRUE_AT] });
                chains[usize::from(table)] = Some(chain);
            }
        }
        chains.into_iter().flatten().collect()
    })
}

/// How many steps there are with two values.
const OPERATIONS: usize = 5;

/// Tries chains, the shortest first.
struct Search {
    /// By table: the first chain that was found.
    found: Vec<Option<Chain>>,
    values: Vec<u8>,
    steps: Vec<Step>,
}

impl Search {
    /// Adds so many steps, in all ways; of steps that could change their places, in one order. The first
    /// of them is not one of the first `tried` steps that were possible before the last one. `unread` has
    /// a bit for each value that no step reads yet: a step reads two and writes one, and the last value alone
    /// is read by none.
    fn extend(&mut self, steps: usize, tried: usize, unread: u16) {
        let count = self.values.len();
        let mut number = 0;
        for b in 1..count {
            for a in 0..b {
                let unread = unread & !(1 << a | 1 << b) | 1 << count;
                if unread.count_ones() as usize > steps {
                    number += OPERATIONS;
                    continue;
                }
                let operations: [(Operation, [usize; 2]); OPERATIONS] = [
                    (Operation::Xor, [a, b]),
                    (Operation::And, [a, b]),
                    (Operation::Or, [a, b]),
                    (Operation::AndNot, [a, b]),
                    (Operation::AndNot, [b, a]),
                ];
                for (operation, from) in operations {
                    number += 1;
                    let value = operation.of(self.values[from[0]], self.values[from[1]]);
                    let is_new = self.found[usize::from(value)].is_none();
                    if number <= tried || steps == 1 && !is_new || self.values.contains(&value) {
                        continue;
                    }
                    self.steps.push(Step { operation, from: from.map(|at| at as u8) });
                    if steps > 1 {
                        self.values.push(value);
                        self.extend(steps - 1, number, unread);
                        self.values.pop();
                    } else {
                        self.found[usize::from(value)] = Some(self.steps.clone());
                    }
                    self.steps.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::lut3::table;

    /// Computes a chain on tables.
    fn value(chain: &Chain, table: u8) -> u8 {
        let mut values = vec![A, B, C, ALWAYS];
        for step in chain {
            let [a, b] = step.from.map(|at| values[usize::from(at)]);
            values.push(step.operation.of(a, b));
        }
        if chain.is_empty() { table } else { values[values.len() - 1] }
    }

    #[test]
    fn every_chain_computes_its_function() {
        for (function, chain) in (0..=255u8).zip(chains()) {
            assert_eq!(value(chain, function), function, "{function:#010b}");
        }
        let length = |function: &dyn Fn(bool, bool, bool) -> bool| {
            chains()[usize::from(table(function))].len()
        };
        assert_eq!(length(&|a, b, _| a && b), 1);
        assert_eq!(length(&|a, b, _| !a && b), 1);
        assert_eq!(length(&|a, _, _| !a), 1);
        assert_eq!(length(&|a, b, _| a == b), 2);
        assert_eq!(length(&|a, b, c| a && b && c), 2);
        assert_eq!(length(&|a, b, c| a ^ b ^ c), 2);
        assert_eq!(length(&|a, b, c| if a { b } else { c }), 3);
        assert_eq!(length(&|a, b, c| u8::from(a) + u8::from(b) + u8::from(c) > 1), 4);
        assert_eq!(chains().iter().map(Vec::len).max(), Some(LONGEST));
    }

    #[test]
    fn a_sum_and_its_carry_share_a_step() {
        let more = |a: bool, b: bool, c: bool| u8::from(a) + u8::from(b) + u8::from(c) > 1;
        let sum = |to| Lut3::of_three(to, [1, 2, 3], |a, b, c| a ^ b ^ c);
        let carry = Lut3::of_three(5, [1, 2, 3], more);
        let borrow = Lut3::of_three(5, [1, 2, 3], |a, b, c| more(!a, b, c));
        let mapped = |functions| map(&[Part::straight(functions)], 10)[0].functions.len();
        assert_eq!(mapped(vec![sum(4), carry]), 5);
        assert_eq!(mapped(vec![sum(4), borrow]), 5);
        // Not where the sum stands in place of an operand.
        assert_eq!(mapped(vec![sum(2), carry]), 6);
    }
}
