//! Programs as functions of three bits, which a processor with AVX-512 has an instruction for,
//! whatever the function.

use crate::batch::program::{Block, Program, Shape, Slot, TRUE};
use crate::net::Operation;

/// Writes a function of at most three slots to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ternary {
    pub to: Slot,
    from: [Slot; 3],
    /// How many are read.
    arity: u8,
    /// The function's [table](table), which does not depend on what is not read.
    pub table: u8,
}

/// The values of a function: that of `(a, b, c)` is bit `4a + 2b + c`.
pub(super) fn table(function: impl Fn(bool, bool, bool) -> bool) -> u8 {
    (0..8).filter(|at| function(at & 4 != 0, at & 2 != 0, at & 1 != 0)).map(|at| 1 << at).sum()
}

impl Ternary {
    /// A function of one slot.
    pub fn of_one(to: Slot, a: Slot, function: impl Fn(bool) -> bool) -> Ternary {
        Ternary { to, from: [a, a, a], arity: 1, table: table(|a, _, _| function(a)) }
    }

    /// A function of two slots.
    pub fn of_two(to: Slot, [a, b]: [Slot; 2], function: impl Fn(bool, bool) -> bool) -> Ternary {
        Ternary { to, from: [a, b, b], arity: 2, table: table(|a, b, _| function(a, b)) }
    }

    /// A function of three slots.
    pub fn of_three(
        to: Slot,
        from: [Slot; 3],
        function: impl Fn(bool, bool, bool) -> bool,
    ) -> Ternary {
        Ternary { to, from, arity: 3, table: table(function) }
    }

    /// The slots that are read.
    pub fn from(&self) -> &[Slot] {
        &self.from[..usize::from(self.arity)]
    }

    /// Whether a slot is written as it is read.
    pub fn is_copy(&self) -> bool {
        self.arity == 1 && self.table == table(|a, _, _| a)
    }

    /// The table of the same function, when its operands are at other places: the `n`-th operand
    /// is at the place `places[n]`, of 0 to 2.
    pub fn table_at(&self, places: &[usize]) -> u8 {
        table(|a, b, c| {
            let mut given = [false; 3];
            for (given, &place) in given.iter_mut().zip(places) {
                *given = [a, b, c][place];
            }
            let at = given.iter().fold(0, |at, &bit| 2 * at + u8::from(bit));
            self.table >> at & 1 == 1
        })
    }
}

/// What is computed one after the other.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Straight(Vec<Ternary>),
    /// A block of the program whose gates depend on each other, by its number.
    Circle(usize),
}

/// The parts of a program.
pub(super) fn parts(program: &Program) -> Vec<Part> {
    let part = |(number, block): (usize, &Block)| match block.fixpoint() {
        Some(_) => Part::Circle(number),
        None => {
            let mut straight = Vec::new();
            for run in program.runs(block) {
                for gate in program.gates_of(run) {
                    of_gate(run.shape(), gate, &mut straight);
                }
            }
            Part::Straight(straight)
        }
    };
    program.blocks().iter().enumerate().map(part).collect()
}

/// A gate, which has no inner one, as functions one after the other. What is known so far stands in
/// the gate's own slot.
fn of_gate(shape: Shape, gate: &[Slot], out: &mut Vec<Ternary>) {
    let (own, plain) = (gate[0], shape.plain as usize);
    let is_and = shape.operation == Operation::And;
    let operand = |(place, &slot): (usize, &Slot)| (slot, place >= plain);
    let mut operands: Vec<(Slot, bool)> = gate[1..].iter().enumerate().map(operand).collect();
    // The slot may be that of an operand, which is read before it is written.
    operands.sort_by_key(|&(slot, _)| slot != own);
    let join = |a: bool, b: bool| if is_and { a && b } else { a || b };
    let mut rest = match operands[..] {
        [] => {
            out.push(Ternary::of_one(own, TRUE, |_| is_and));
            return;
        }
        [(a, not_a)] => {
            out.push(Ternary::of_one(own, a, |a| a != not_a));
            return;
        }
        [(a, not_a), (b, not_b)] => {
            out.push(Ternary::of_two(own, [a, b], |a, b| join(a != not_a, b != not_b)));
            return;
        }
        [(a, not_a), (b, not_b), (c, not_c), ref rest @ ..] => {
            let function = |a, b, c| join(join(a != not_a, b != not_b), c != not_c);
            out.push(Ternary::of_three(own, [a, b, c], function));
            rest
        }
    };
    loop {
        rest = match *rest {
            [] => return,
            [(a, not_a)] => {
                out.push(Ternary::of_two(own, [own, a], |known, a| join(known, a != not_a)));
                return;
            }
            [(a, not_a), (b, not_b), ref rest @ ..] => {
                let function = |known, a, b| join(known, join(a != not_a, b != not_b));
                out.push(Ternary::of_three(own, [own, a, b], function));
                rest
            }
        };
    }
}

/// Puts groups of functions among those of a program, each as soon as what it reads is written and
/// what it writes is read by the program no more; if they have an `order`, never before the group
/// that precedes it. Nothing in the program reads what they write.
pub(super) fn weave(
    parts: &mut Vec<Part>,
    groups: Vec<Vec<Ternary>>,
    is_ordered: bool,
    program: &Program,
) {
    if !matches!(parts.last(), Some(Part::Straight(_))) {
        parts.push(Part::Straight(Vec::new()));
    }
    let Some(Part::Straight(functions)) = parts.last_mut() else { return };
    // By slot: behind how many functions it has its value, and is read no more.
    let size = program.size();
    let (mut written, mut read) = (vec![0; size], vec![0; size]);
    for (at, function) in functions.iter().enumerate() {
        written[function.to as usize] = at + 1;
        function.from().iter().for_each(|&slot| read[slot as usize] = at + 1);
    }
    let mut last = 0;
    let mut ready: Vec<(usize, Vec<Ternary>)> = Vec::new();
    for group in groups {
        let mut at = if is_ordered { last } else { 0 };
        for function in &group {
            let from = function.from().iter().filter_map(|&slot| written.get(slot as usize));
            at = from.chain(read.get(function.to as usize)).fold(at, |at, &other| at.max(other));
        }
        last = at;
        ready.push((at, group));
    }
    ready.sort_by_key(|&(at, _)| at);
    let mut ready = ready.into_iter().peekable();
    let mut woven = Vec::new();
    for (at, function) in std::mem::take(functions).into_iter().enumerate() {
        while let Some((_, group)) = ready.next_if(|&(ready, _)| ready <= at) {
            woven.extend(group);
        }
        woven.push(function);
    }
    woven.extend(ready.flat_map(|(_, group)| group));
    *functions = woven;
}
