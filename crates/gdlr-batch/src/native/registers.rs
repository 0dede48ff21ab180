//! Which values stand in registers, and when: register allocation.
//!
//! Functions are computed in the order given. A value stays in a register until it is not read any
//! more, or until another one needs the register and is read sooner (Belady, *A study of
//! replacement algorithms for a virtual-storage computer*, 1966: of all pages the one is replaced
//! whose next use is furthest away). Only then, or if it is read later, is it written to its slot.

use super::lut3::{Lut3, Part};
use super::mapping::Operation;
use super::target::{Location, Register, Target};
use crate::program::{Program, Slot};

/// A value is not read again.
const NEVER: u32 = u32::MAX;

/// A value is read when all is computed.
const AFTERWARDS: u32 = NEVER - 1;

/// When values are read next, by functions that are numbered in the order of the parts.
struct Uses {
    /// By function: when what it writes is read.
    written: Vec<u32>,
    /// By function: when what it reads is read again, by operand.
    read: Vec<[u32; 3]>,
}

impl Uses {
    /// Of parts, after which `outputs` are read.
    fn of(parts: &[Part], program: Option<&Program>, outputs: &[Slot], slots: usize) -> Uses {
        let count = parts.iter().map(|part| part.functions.len()).sum();
        let (mut written, mut read) = (vec![NEVER; count], vec![[NEVER; 3]; count]);
        let mut next = vec![NEVER; slots];
        for &slot in outputs {
            next[slot as usize] = AFTERWARDS;
        }
        let mut at = count;
        for Part { functions, here, feedback } in parts.iter().rev() {
            let fixpoint = feedback.as_ref().and_then(|feedback| {
                let program = program.expect("what depends on itself is in a program");
                Some((feedback, program.blocks()[feedback.block].fixpoint()?))
            });
            // Values at the end of the loop are read at its beginning.
            if let Some((feedback, fixpoint)) = fixpoint {
                for &slot in fixpoint.own.iter().chain([&feedback.changed]) {
                    let next = &mut next[slot as usize];
                    *next = (*next).min(AFTERWARDS);
                }
            }
            // Functions that are skipped leave the values that were there.
            let written_here = functions.iter().filter(|_| here.is_some());
            let left: Vec<(Slot, u32)> =
                written_here.map(|function| (function.to, next[function.to as usize])).collect();
            for function in functions.iter().rev() {
                at -= 1;
                written[at] = std::mem::replace(&mut next[function.to as usize], NEVER);
                if written[at] == NEVER {
                    continue;
                }
                for (again, &slot) in read[at].iter_mut().zip(function.from()) {
                    *again = next[slot as usize];
                }
                for &slot in function.from() {
                    next[slot as usize] = at as u32;
                }
            }
            for (slot, later) in left {
                next[slot as usize] = next[slot as usize].min(later);
            }
            if let &Some(slot) = here {
                next[slot as usize] = at as u32;
            }
            // Others are compared with what they were before.
            for remembered in fixpoint.iter().flat_map(|(_, fixpoint)| &fixpoint.read) {
                next[remembered.operand.slot as usize] = at as u32;
            }
        }
        Uses { written, read }
    }
}

/// A value in a register.
#[derive(Clone, Copy)]
struct Held {
    slot: Slot,
    /// Whether the slot has another value.
    is_new: bool,
    /// When it is read next.
    next: u32,
}

/// The registers, while code is written.
struct Registers<'a, T> {
    target: &'a mut T,
    /// By register, as many as there are.
    held: Vec<Option<Held>>,
    /// By slot: the register in which its value is.
    places: Vec<Option<Register>>,
    /// The number of the first function that is not in this part.
    end: u32,
}

/// Writes code for parts, a procedure each; returns where each begins.
pub(super) fn write<T: Target>(
    parts: &[Part],
    program: Option<&Program>,
    outputs: &[Slot],
    slots: usize,
    target: &mut T,
) -> Vec<usize> {
    let uses = Uses::of(parts, program, outputs, slots);
    let held = vec![None; target.registers()];
    let mut registers = Registers { target, held, places: vec![None; slots], end: 0 };
    let mut begins = Vec::new();
    for Part { functions, .. } in parts {
        begins.push(registers.target.begin());
        let first = registers.end as usize;
        registers.end += functions.len() as u32;
        for (at, function) in (first..).zip(functions) {
            if uses.written[at] != NEVER {
                registers.function(function, uses.written[at], uses.read[at]);
            }
        }
        debug_assert!(registers.held.iter().all(Option::is_none), "all is read or stored");
        registers.target.end();
    }
    begins
}

impl<T: Target> Registers<'_, T> {
    /// Where an operand is read from.
    fn place(&self, slot: Slot) -> Location {
        self.places[slot as usize].map_or(Location::Slot(slot), Location::Register)
    }

    /// Computes a function; `written` and `read` say when values are read next.
    fn function(&mut self, function: &Lut3, written: u32, read: [u32; 3]) {
        let from = function.from();
        let mut pinned = 0u32;
        for (&slot, next) in from.iter().zip(read) {
            if let Some(register) = self.places[slot as usize] {
                pinned |= 1 << register.0;
                self.reads(register, next);
            }
        }
        for (&slot, next) in from.iter().zip(read) {
            let is_near = next < self.end && self.places[slot as usize].is_none();
            if is_near && let Some(register) = self.free(pinned, next) {
                self.target.copy(register, Location::Slot(slot));
                self.hold(register, Held { slot, is_new: false, next });
                pinned |= 1 << register.0;
            }
        }
        let to = self.compute(function, pinned);
        for &slot in from {
            if let Some(register) = self.places[slot as usize]
                && self.is_done(register)
            {
                self.forget(register);
            }
        }
        if written < self.end {
            self.hold(to, Held { slot: function.to, is_new: true, next: written });
        } else {
            self.target.store(function.to, to);
        }
    }

    /// Writes the instructions; returns the register of the result, where nothing is held.
    fn compute(&mut self, function: &Lut3, pinned: u32) -> Register {
        let from = function.from();
        let places: Vec<Location> = from.iter().map(|&slot| self.place(slot)).collect();
        let is_done = |place: &Location| match *place {
            Location::Register(register) => self.is_done(register),
            Location::Slot(_) => false,
        };
        // The first operand of an instruction is where its result goes.
        let first = places.iter().position(is_done);
        let to = match first.map(|first| places[first]) {
            Some(Location::Register(register)) => {
                self.forget(register);
                register
            }
            _ => self.free(pinned, 0).expect("few registers are pinned"),
        };
        let pinned = pinned | 1 << to.0;
        if function.is_copy() {
            match places[0] {
                Location::Register(register) if register == to => {}
                place => self.target.copy(to, place),
            }
            return to;
        }
        if function.table == 0 {
            self.target.clear(to);
            return to;
        }
        if !self.target.has_lut3() {
            self.compute_binary(function, &places, to, pinned);
            return to;
        }
        let registers = |at: &usize| matches!(places[*at], Location::Register(_));
        let all = 0..from.len();
        let first = first.or_else(|| match from.len() {
            // An instruction reads one from a slot, and one need not be read at all.
            1 => None,
            2 if all.clone().any(|at| registers(&at)) => None,
            _ => {
                let first = all.clone().find(|at| !registers(at)).unwrap_or(0);
                self.target.copy(to, places[first]);
                Some(first)
            }
        });
        let mut rest: Vec<usize> = all.filter(|&at| Some(at) != first).collect();
        rest.sort_by_key(|at| !registers(at));
        let mut at = [0; 3];
        if let Some(first) = first {
            at[first] = 0;
        }
        let (second, third) = match rest[..] {
            // Only a complement of what is there.
            [] => (to, Location::Register(to)),
            [one] => {
                at[one] = 2;
                (to, places[one])
            }
            [one, other] => {
                (at[one], at[other]) = (1, 2);
                let second = match places[one] {
                    Location::Register(register) => register,
                    slot => {
                        let register = self.free(pinned, 0).expect("few registers are pinned");
                        self.target.copy(register, slot);
                        register
                    }
                };
                (second, places[other])
            }
            _ => unreachable!("a function has three operands at most"),
        };
        let table = function.table_at(&at[..from.len()]);
        self.target.lut3(to, second, third, table);
        to
    }

    /// Writes the instruction for a function of two slots.
    fn compute_binary(&mut self, function: &Lut3, places: &[Location], to: Register, pinned: u32) {
        let operation = Operation::computing(function);
        let [mut first, mut second] = [places[0], places[1]];
        let is_slot = |place: Location| matches!(place, Location::Slot(_));
        if operation.is_symmetric() && is_slot(first) && !is_slot(second) {
            std::mem::swap(&mut first, &mut second);
        }
        let first = match first {
            Location::Register(register) => register,
            slot => {
                // The result's register may be that of the other operand.
                let is_free = second != Location::Register(to);
                let register = match is_free {
                    true => to,
                    false => self.free(pinned, 0).expect("few registers are pinned"),
                };
                self.target.copy(register, slot);
                register
            }
        };
        self.target.binary(operation, to, first, second);
    }

    /// Says that what is held is read next at another time. What is only read after this part is
    /// stored.
    fn reads(&mut self, register: Register, next: u32) {
        let Some(held) = &mut self.held[usize::from(register.0)] else { return };
        held.next = next;
        if next >= self.end && next != NEVER && held.is_new {
            held.is_new = false;
            self.target.store(held.slot, register);
        }
    }

    /// Whether what is held is not read again in this part.
    fn is_done(&self, register: Register) -> bool {
        self.held[usize::from(register.0)].is_none_or(|held| held.next >= self.end)
    }

    fn hold(&mut self, register: Register, held: Held) {
        self.held[usize::from(register.0)] = Some(held);
        self.places[held.slot as usize] = Some(register);
    }

    fn forget(&mut self, register: Register) {
        if let Some(held) = self.held[usize::from(register.0)].take() {
            self.places[held.slot as usize] = None;
        }
    }

    /// A register that holds nothing, if need be instead of a value that is read later than `than`;
    /// none of those that are pinned, by bit.
    fn free(&mut self, pinned: u32, than: u32) -> Option<Register> {
        let open = (0..self.held.len()).filter(|&at| pinned >> at & 1 == 0);
        let next = |&at: &usize| self.held[at].map_or(NEVER, |held| held.next);
        let at = open.max_by_key(next).filter(|at| next(at) > than)?;
        let register = Register(at as u8);
        if let Some(Held { slot, is_new: true, .. }) = self.held[at] {
            self.target.store(slot, register);
        }
        self.forget(register);
        Some(register)
    }
}
