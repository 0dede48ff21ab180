//! Programs on planes: every gate in all lanes by the same instructions.

use super::layout::{Stretch, Whole};
use super::plane::Plane;
use super::program::{Fixpoint, Operand, Program, Run, Shape, Slot};
use super::token::Token;
use gdlr_net::net::Operation;

/// The value of an operand.
#[inline(always)]
pub(super) fn read<P: Plane>(memory: &[P], operand: Operand) -> P {
    let value = memory[operand.slot as usize];
    if operand.negated { value.not() } else { value }
}

impl Fixpoint {
    /// Makes the gates false where they must begin again.
    #[inline(always)]
    pub fn begin<P: Plane>(&self, token: Token<P>, memory: &mut [P]) {
        let mut less = token.none();
        for read in &self.read {
            let Operand { slot, negated } = read.operand;
            let (now, before) = (memory[slot as usize], memory[read.kept as usize]);
            less = less.or(if negated { now.without(before) } else { before.without(now) });
            memory[read.kept as usize] = now;
        }
        if !less.is_zero() {
            for &slot in &self.own {
                memory[slot as usize] = memory[slot as usize].without(less);
            }
        }
    }
}

impl Whole {
    /// Copies the states of some lanes, which are in a phase, from the memory of states into that
    /// of this program.
    #[inline(always)]
    pub fn enter<P: Plane>(&self, phase: usize, lanes: P, states: &[P], memory: &mut [P]) {
        for Stretch { to, from } in &self.read {
            for (kept, &now) in memory[to.clone()].iter_mut().zip(&states[from.clone()]) {
                *kept = lanes.select(now, *kept);
            }
        }
        for latch in &self.known[phase] {
            let kept = &mut memory[latch.slot as usize];
            *kept = if latch.value { kept.or(lanes) } else { kept.without(lanes) };
        }
    }
}

impl Program {
    /// Computes all gates.
    ///
    /// # Panics
    ///
    /// When there are fewer slots than the gates name.
    #[inline(never)]
    pub fn execute<P: Plane>(&self, token: Token<P>, memory: &mut [P]) {
        assert!(self.size() <= memory.len(), "the gates have their slots");
        if let Some(code) = self.code.as_ref().filter(|code| code.is_for::<P>()) {
            return code.run(token, self, memory);
        }
        token.enable(
            #[inline(always)]
            || {
                for block in self.blocks() {
                    let runs = self.runs(block);
                    match block.fixpoint() {
                        None => {
                            for run in runs {
                                self.compute::<P, false>(token, run, memory);
                            }
                        }
                        Some(fixpoint) => {
                            fixpoint.begin(token, memory);
                            self.repeat(token, runs, memory);
                        }
                    }
                }
            },
        );
    }

    /// Computes runs until nothing changes.
    #[inline(always)]
    fn repeat<P: Plane>(&self, token: Token<P>, runs: &[Run], memory: &mut [P]) {
        loop {
            let mut changed = token.none();
            for run in runs {
                changed = changed.or(self.compute::<P, true>(token, run, memory));
            }
            if changed.is_zero() {
                return;
            }
        }
    }

    /// Computes the gates of a run; if `TRACE`, tells in which lanes any has changed.
    #[inline(always)]
    fn compute<P: Plane, const TRACE: bool>(
        &self,
        token: Token<P>,
        run: &Run,
        memory: &mut [P],
    ) -> P {
        let slots = self.slots(run);
        let Shape { operation, plain, negated, inner, inner_negated } = run.shape();
        let is_and = operation == Operation::And;
        macro_rules! shapes {
            ($($and:literal $plain:literal $negated:literal $inner:literal $inner_negated:literal,)*) => {
                match (is_and, plain, negated, inner, inner_negated) {
                    $(($and, $plain, $negated, $inner, $inner_negated) => {
                        let counts = [$plain, $negated, $inner, $inner_negated];
                        each::<P, $and, TRACE>(token, slots, counts, memory)
                    })*
                    _ => {
                        let counts = [plain, negated, inner, inner_negated].map(|n| n as usize);
                        match is_and {
                            true => each::<P, true, TRACE>(token, slots, counts, memory),
                            false => each::<P, false, TRACE>(token, slots, counts, memory),
                        }
                    }
                }
            };
        }
        shapes! {
            true 1 0 0 0, true 0 1 0 0,
            true 2 0 0 0, true 1 1 0 0, true 0 2 0 0,
            true 3 0 0 0, true 2 1 0 0, true 1 2 0 0, true 0 3 0 0,
            true 4 0 0 0, true 3 1 0 0, true 2 2 0 0, true 1 3 0 0, true 0 4 0 0,
            true 1 0 2 0, true 0 1 2 0, true 1 0 1 1, true 0 1 1 1, true 1 0 0 2,
            false 2 0 0 0, false 1 1 0 0, false 0 2 0 0,
            false 3 0 0 0, false 2 1 0 0, false 1 2 0 0, false 0 3 0 0,
            false 4 0 0 0, false 3 1 0 0, false 2 2 0 0, false 1 3 0 0, false 0 4 0 0,
            false 1 0 2 0, false 0 1 2 0, false 1 0 1 1, false 0 1 1 1, false 1 0 0 2,
        }
    }
}

/// Computes gates of one shape. Where the shape is known at compile time, the inner loops are
/// straight code.
#[inline(always)]
fn each<P: Plane, const AND: bool, const TRACE: bool>(
    token: Token<P>,
    slots: &[Slot],
    counts: [usize; 4],
    memory: &mut [P],
) -> P {
    let mut changed = token.none();
    let [plain, negated, inner, inner_negated] = counts;
    for gate in slots.chunks_exact(1 + plain + negated + inner + inner_negated) {
        let (own, operands) = (gate[0], &gate[1..]);
        let (outer, of_inner) = operands.split_at(plain + negated);
        let mut value = all_of::<P, AND>(token, &outer[..plain], &outer[plain..], memory);
        if inner + inner_negated > 0 {
            value = match AND {
                true => value.and(all_of::<P, false>(
                    token,
                    &of_inner[..inner],
                    &of_inner[inner..],
                    memory,
                )),
                false => value.or(all_of::<P, true>(
                    token,
                    &of_inner[..inner],
                    &of_inner[inner..],
                    memory,
                )),
            };
        }
        // SAFETY: `execute` has seen that memory is as large as the size of the program, and all slots that a
        // program names are below that.
        let own = unsafe { memory.get_unchecked_mut(own as usize) };
        if TRACE {
            changed = changed.or(value.xor(*own));
        }
        *own = value;
    }
    changed
}

/// The And or the Or of some slots and the complements of others.
#[inline(always)]
fn all_of<P: Plane, const AND: bool>(
    token: Token<P>,
    plain: &[Slot],
    negated: &[Slot],
    memory: &[P],
) -> P {
    let mut value = token.all_if(AND);
    for &slot in plain {
        // SAFETY: as in `each`, which passes on slots of the program and the same memory.
        let operand = unsafe { *memory.get_unchecked(slot as usize) };
        value = if AND { value.and(operand) } else { value.or(operand) };
    }
    for &slot in negated {
        // SAFETY: as above.
        let operand = unsafe { *memory.get_unchecked(slot as usize) };
        value = if AND { value.without(operand) } else { value.or(operand.not()) };
    }
    value
}
