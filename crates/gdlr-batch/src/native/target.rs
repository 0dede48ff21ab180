//! The target of code generation: a processor, by the instructions that it has.

use super::mapping::Operation;
use crate::program::Slot;

/// A register of as many bits as there are lanes, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register(pub u8);

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    Register(Register),
    Slot(Slot),
}

/// Writes procedures, each of them instructions without a jump.
pub(super) trait Target {
    /// How many registers there are.
    fn registers(&self) -> usize;

    /// Whether a function of three values is one instruction, whatever it is.
    fn has_lut3(&self) -> bool;

    /// Begins a procedure, in which nothing is in a register; says where it begins.
    fn begin(&mut self) -> usize;

    /// Makes a register false in all lanes.
    fn clear(&mut self, to: Register);

    /// Copies a value to a register.
    fn copy(&mut self, to: Register, from: Location);

    /// Writes a slot.
    fn store(&mut self, slot: Slot, from: Register);

    /// Writes a function of two values.
    fn binary(&mut self, operation: Operation, to: Register, first: Register, second: Location);

    /// Makes the first of three values a function of them all, by its table, where that is one
    /// instruction.
    fn lut3(&mut self, first: Register, second: Register, third: Location, table: u8);

    /// Ends a procedure.
    fn end(&mut self);
}
