//! Programs as look-up tables of three bits (LUT3). AVX-512 has one instruction that computes any of them,
//! `vpternlog`; for other processors they are [mapped](super::mapping) to instructions of two operands.

use super::fusion::Fused;
use super::mapping::BETWEEN;
use crate::program::{Block, Program, Shape, Slot, TRUE};
use gdlr_net::net::Operation;

/// A look-up table: writes a function of at most three slots to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lut3 {
    pub to: Slot,
    from: [Slot; 3],
    /// How many slots it reads.
    arity: u8,
    /// The function's [table](table), which does not depend on what is not read.
    pub table: u8,
}

/// The values of a function: that of `(a, b, c)` is bit `4a + 2b + c`.
pub(super) fn table(function: impl Fn(bool, bool, bool) -> bool) -> u8 {
    (0..8).filter(|at| function(at & 4 != 0, at & 2 != 0, at & 1 != 0)).map(|at| 1 << at).sum()
}

impl Lut3 {
    /// A function of one slot.
    pub fn of_one(to: Slot, a: Slot, function: impl Fn(bool) -> bool) -> Lut3 {
        Lut3 { to, from: [a, a, a], arity: 1, table: table(|a, _, _| function(a)) }
    }

    /// The function that is false in all lanes.
    pub fn never(to: Slot) -> Lut3 {
        Lut3::of_one(to, TRUE, |_| false)
    }

    /// A function of two slots.
    pub fn of_two(to: Slot, [a, b]: [Slot; 2], function: impl Fn(bool, bool) -> bool) -> Lut3 {
        Lut3 { to, from: [a, b, b], arity: 2, table: table(|a, b, _| function(a, b)) }
    }

    /// A function of three slots.
    pub fn of_three(
        to: Slot,
        from: [Slot; 3],
        function: impl Fn(bool, bool, bool) -> bool,
    ) -> Lut3 {
        Lut3 { to, from, arity: 3, table: table(function) }
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

/// Functions that are computed one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub functions: Vec<Lut3>,
    /// The slot of a condition, if there is one: the functions are skipped where it is false in all lanes.
    pub here: Option<Slot>,
    /// The feedback loop, if these functions are repeated until no lane changes.
    pub feedback: Option<FeedbackLoop>,
}

/// Gates that depend on each other.
#[derive(Clone, Debug)]
pub(super) struct FeedbackLoop {
    /// The block of the program, by its number.
    pub block: usize,
    /// The slot that says in which lanes one of them has changed.
    pub changed: Slot,
}

impl Part {
    /// Functions that are computed once.
    pub fn straight(functions: Vec<Lut3>) -> Part {
        Part { functions, ..Part::default() }
    }

    /// Whether it is computed once.
    pub fn is_straight(&self) -> bool {
        self.here.is_none() && self.feedback.is_none()
    }
}

/// How many slots the parts of a program need beside its own: some for gates that depend on each other,
/// then those of values between two instructions.
pub(super) const MORE_SLOTS: usize = BETWEEN_FROM as usize + BETWEEN;

/// The first of the latter.
pub(super) const BETWEEN_FROM: Slot = 3;

/// The parts of a program after which `outputs` are read, with [`MORE_SLOTS`] from `free` on.
pub(super) fn parts(program: &Program, free: Slot, outputs: &[Slot]) -> Vec<Part> {
    let fused = Fused::new(program, outputs);
    let part = |(number, block): (usize, &Block)| {
        if block.fixpoint().is_none() {
            return Part::straight(fused.functions(number));
        }
        let mut functions = Vec::new();
        let gates = gates_of(program, block);
        let [changed, value, inner] = [free, free + 1, free + 2];
        functions.push(Lut3::never(changed));
        for gate in gates {
            gate.functions_in_loop([changed, value, inner], &mut functions);
        }
        Part { functions, here: None, feedback: Some(FeedbackLoop { block: number, changed }) }
    };
    program.blocks().iter().enumerate().map(part).collect()
}

/// The gates of a block, in order.
pub(super) fn gates_of<'p>(
    program: &'p Program,
    block: &Block,
) -> impl Iterator<Item = Gate> + use<'p> {
    program.runs(block).iter().flat_map(|run| {
        let shape = run.shape();
        program.gates_of(run).map(move |gate| Gate::of(shape, gate))
    })
}

/// All gates, in order.
pub(super) fn gates(program: &Program) -> impl Iterator<Item = Gate> {
    program.blocks().iter().flat_map(|block| gates_of(program, block))
}

/// A gate of a program.
pub(super) struct Gate {
    pub own: Slot,
    pub operation: Operation,
    /// Slots, and whether their complements are read.
    pub operands: Vec<(Slot, bool)>,
    /// Operands of an operand that is no gate of its own.
    pub inner: Vec<(Slot, bool)>,
}

impl Gate {
    /// Of what a program says: the slots are the gate's own, then those that it reads.
    fn of(shape: Shape, slots: &[Slot]) -> Gate {
        let Shape { operation, plain, negated, inner, .. } = shape;
        let (outer, of_inner) = slots[1..].split_at((plain + negated) as usize);
        let read = |slots: &[Slot], plain: u32| {
            let slots = slots.iter().enumerate();
            slots.map(|(place, &slot)| (slot, place >= plain as usize)).collect()
        };
        let (operands, inner) = (read(outer, plain), read(of_inner, inner));
        Gate { own: slots[0], operation, operands, inner }
    }

    /// The gate, which has no inner one, as functions one after the other. What is known so far stands
    /// in its own slot.
    pub fn functions(mut self, out: &mut Vec<Lut3>) {
        debug_assert!(self.inner.is_empty());
        // The slot may be that of an operand, which is read before it is written.
        let own = self.own;
        self.operands.sort_by_key(|&(slot, _)| slot != own);
        all_of(self.operation, own, &self.operands, out);
    }

    /// The gate where it depends on itself; tells, too, where its value is another than before.
    fn functions_in_loop(mut self, [changed, value, inner]: [Slot; 3], out: &mut Vec<Lut3>) {
        if !self.inner.is_empty() {
            let operation = match self.operation {
                Operation::And => Operation::Or,
                _ => Operation::And,
            };
            all_of(operation, inner, &self.inner, out);
            self.operands.push((inner, false));
        }
        all_of(self.operation, value, &self.operands, out);
        let function = |changed, value, before| changed || value != before;
        out.push(Lut3::of_three(changed, [changed, value, self.own], function));
        out.push(Lut3::of_one(self.own, value, |value| value));
    }
}

/// Adds some slots to a slot, by Or.
pub(super) fn sum(to: Slot, from: &[Slot], out: &mut Vec<Lut3>) {
    let operands: Vec<(Slot, bool)> = [to].iter().chain(from).map(|&slot| (slot, false)).collect();
    all_of(Operation::Or, to, &operands, out);
}

/// Writes the And or the Or of operands, of which only the first three may be in that slot.
pub(super) fn all_of(
    operation: Operation,
    to: Slot,
    operands: &[(Slot, bool)],
    out: &mut Vec<Lut3>,
) {
    let is_and = operation == Operation::And;
    let join = |a: bool, b: bool| if is_and { a && b } else { a || b };
    let mut rest = match *operands {
        [] => {
            out.push(Lut3::of_one(to, TRUE, |_| is_and));
            return;
        }
        [(a, not_a)] => {
            out.push(Lut3::of_one(to, a, |a| a != not_a));
            return;
        }
        [(a, not_a), (b, not_b)] => {
            out.push(Lut3::of_two(to, [a, b], |a, b| join(a != not_a, b != not_b)));
            return;
        }
        [(a, not_a), (b, not_b), (c, not_c), ref rest @ ..] => {
            let function = |a, b, c| join(join(a != not_a, b != not_b), c != not_c);
            out.push(Lut3::of_three(to, [a, b, c], function));
            rest
        }
    };
    loop {
        rest = match *rest {
            [] => return,
            [(a, not_a)] => {
                out.push(Lut3::of_two(to, [to, a], |known, a| join(known, a != not_a)));
                return;
            }
            [(a, not_a), (b, not_b), ref rest @ ..] => {
                let function = |known, a, b| join(known, join(a != not_a, b != not_b));
                out.push(Lut3::of_three(to, [to, a, b], function));
                rest
            }
        };
    }
}

/// Puts groups of functions among those of a program, each as soon as what it reads is written and
/// what it writes is read by the program no more; if they have an `order`, never before the group
/// that precedes it. Nothing in the program reads what they write.
pub(super) fn weave(parts: &mut Vec<Part>, groups: Vec<Vec<Lut3>>, is_ordered: bool) {
    if !parts.last().is_some_and(Part::is_straight) {
        parts.push(Part::default());
    }
    let Some(Part { functions, .. }) = parts.last_mut() else { return };
    // By slot: behind how many functions it has its value, and is read no more.
    let named = |function: &Lut3| function.from().iter().copied().max().max(Some(function.to));
    let size = functions.iter().filter_map(named).max().map_or(0, |slot| slot as usize + 1);
    let (mut written, mut read) = (vec![0; size], vec![0; size]);
    for (at, function) in functions.iter().enumerate() {
        written[function.to as usize] = at + 1;
        function.from().iter().for_each(|&slot| read[slot as usize] = at + 1);
    }
    let mut last = 0;
    let mut ready: Vec<(usize, Vec<Lut3>)> = Vec::new();
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

/// Slots that are used again.
pub(super) struct Slots {
    free: Vec<Slot>,
    /// The first that was never used.
    pub end: Slot,
}

impl Slots {
    /// From a slot on.
    pub fn from(end: Slot) -> Slots {
        Slots { free: Vec::new(), end }
    }

    pub fn take(&mut self) -> Slot {
        self.free.pop().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        })
    }

    pub fn give_back(&mut self, slot: Slot) {
        self.free.push(slot);
    }
}
