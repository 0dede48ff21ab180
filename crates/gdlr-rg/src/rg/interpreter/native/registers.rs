//! Code that reads registers of a search, assigns to them, and restores them.

use super::function::{Function, LONGEST_ROW, Task, Way, located};
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{Entry, Register};
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value};

/// The index of a register: a constant, or a value that the code computes.
#[derive(Clone, Copy)]
pub(super) enum RegisterIndex {
    Constant(Register),
    Computed(Value),
}

impl Function<'_, '_> {
    /// The register with the number `base` plus the symbol in `key`.
    pub(super) fn behind(&mut self, block: Block, base: Register, key: Value) -> RegisterIndex {
        let mut cursor = self.at(block);
        let base = cursor.ins().iconst(I32, i64::from(base as i32));
        RegisterIndex::Computed(cursor.ins().iadd(base, key))
    }

    pub(super) fn further(&mut self, block: Block, location: Value, by: u32) -> RegisterIndex {
        let mut cursor = self.at(block);
        let by = cursor.ins().iconst(I32, i64::from(by));
        RegisterIndex::Computed(cursor.ins().iadd(location, by))
    }

    /// An address, and the distance from it in bytes.
    pub(super) fn address(&mut self, block: Block, place: RegisterIndex) -> (Value, i32) {
        match place {
            RegisterIndex::Constant(register) => (self.registers, register as i32 * 4),
            RegisterIndex::Computed(number) => {
                let registers = self.registers;
                let mut cursor = self.at(block);
                let wide = cursor.ins().uextend(I64, number);
                let two = cursor.ins().iconst(I64, 2);
                let bytes = cursor.ins().ishl(wide, two);
                (cursor.ins().iadd(registers, bytes), 0)
            }
        }
    }

    pub(super) fn load(&mut self, block: Block, place: RegisterIndex) -> Value {
        let (address, distance) = self.address(block, place);
        self.at(block).ins().load(I32, MemFlagsData::trusted(), address, distance)
    }

    pub(super) fn store(&mut self, block: Block, place: RegisterIndex, symbol: Value) {
        let (address, distance) = self.address(block, place);
        self.at(block).ins().store(MemFlagsData::trusted(), symbol, address, distance);
    }

    pub(super) fn entry(&mut self, block: Block, Entry { base, key }: Entry) -> Value {
        let key = self.load(block, RegisterIndex::Constant(key));
        let place = self.behind(block, base, key);
        self.load(block, place)
    }

    /// Appends a number to a list. Returns the new end of the list.
    pub(super) fn append(&mut self, block: Block, end: Value, number: Value) -> Value {
        self.appended += 1;
        let mut cursor = self.at(block);
        cursor.ins().store(MemFlagsData::trusted(), number, end, 0);
        let four = cursor.ins().iconst(I64, 4);
        cursor.ins().iadd(end, four)
    }

    /// Records an assignment in a search for moves.
    pub(super) fn log(&mut self, block: Block, place: RegisterIndex, way: &mut Way) {
        if self.task == Task::Moves {
            let number = match place {
                RegisterIndex::Constant(register) => {
                    self.at(block).ins().iconst(I32, i64::from(register as i32))
                }
                RegisterIndex::Computed(number) => number,
            };
            way.changes = self.append(block, way.changes, number);
        }
    }

    /// Writes the old value again wherever the walk backtracks.
    pub(super) fn restore(&mut self, place: RegisterIndex, old: Value, way: &mut Way) {
        let fail = self.block();
        self.store(fail, place, old);
        let next = way.fail;
        self.at(fail).ins().jump(next, &[]);
        way.fail = fail;
        if let Task::Reach(_) = self.task {
            let restored = self.block();
            self.store(restored, place, old);
            let next = way.found;
            self.at(restored).ins().jump(next, &[]);
            way.found = restored;
        }
    }

    pub(super) fn assign(
        &mut self,
        block: Block,
        place: RegisterIndex,
        symbol: Value,
        way: &mut Way,
    ) {
        let old = self.load(block, place);
        self.store(block, place, symbol);
        self.log(block, place, way);
        self.restore(place, old, way);
    }

    pub(super) fn copy_row(
        &mut self,
        block: Block,
        length: u32,
        way: &mut Way,
    ) -> Result<(), NoCode> {
        if length > LONGEST_ROW {
            return Err(NoCode::Rows);
        }
        let [to, from] = way.locations;
        let (to, from) = (located(to)?, located(from)?);
        for place in 0..length {
            let from = self.further(block, from, place);
            let symbol = self.load(block, from);
            let to = self.further(block, to, place);
            self.assign(block, to, symbol, way);
        }
        Ok(())
    }
}
