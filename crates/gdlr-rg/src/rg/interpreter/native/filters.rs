//! Loops through the symbols for which a comparison holds, such as the squares with a piece of the
//! player. They are found before the code for them runs.

use super::branches::Filter;
use super::function::{Function, Way};
use super::registers::{Region, RegisterIndex};
use crate::rg::interpreter::program::Register;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I32X4, I64};
use cranelift_codegen::ir::{
    Block, BlockArg, InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value,
};
use std::ops::Range;

/// The greatest number of symbols that are found before their code runs.
pub(super) const MOST_FOUND: usize = 512;

/// The number of entries of a map that are compared at once.
const AT_ONCE: usize = 16;

/// The number of entries in a vector.
const LANES: usize = 4;

impl Function<'_, '_> {
    /// As [`Function::any`], for the symbols for which a comparison holds.
    pub(super) fn any_that_holds(
        &mut self,
        block: Block,
        (register, choices): (Register, Range<u32>),
        filter: Filter,
        way: &mut Way,
    ) -> Block {
        let begin = self.burn_for(block, &choices);
        let (body, symbol) = match self.row((register, choices.clone()), filter) {
            Some(map) => self.found_in_row(begin, (map, choices), filter, way),
            None => self.found_one_by_one(begin, (register, choices), filter, way),
        };
        self.assign(body, RegisterIndex::Constant(register), symbol, way);
        body
    }

    /// The map whose entries a comparison looks up, if these are many in a row.
    pub(super) fn row(
        &self,
        (register, choices): (Register, Range<u32>),
        Filter { left, maps, right, .. }: Filter,
    ) -> Option<Register> {
        let is_row = choices.len() >= AT_ONCE && self.is_in_a_row(choices);
        match maps {
            [Some(map), None] if is_row && left == register && right != register => Some(map),
            _ => None,
        }
    }

    /// Compares the entries of symbols in a row with a symbol, many at once. Returns the block where
    /// the code for a symbol begins, and the symbol.
    fn found_in_row(
        &mut self,
        block: Block,
        (map, choices): (Register, Range<u32>),
        Filter { right, equal, .. }: Filter,
        way: &mut Way,
    ) -> (Block, Value) {
        let symbols = &self.all.parts.tables.choices;
        let (first, count) = (symbols[choices.start as usize], choices.len() as i64);
        let all_failed = way.fail;
        let is_constant = self.all.parts.program.constant_bases.contains(&map);
        let region = if is_constant { Region::Constants } else { Region::Maps };
        let region = self.flags(region).alias_region();
        let flags = MemFlagsData::new().with_notrap().with_alias_region(region);
        let [chunk, look, head, body, next, next_chunk] = std::array::from_fn(|_| self.block());
        let wanted = self.load(block, RegisterIndex::Constant(right));
        let entry = RegisterIndex::Constant(map.wrapping_add(first));
        let (row, distance) = self.address(block, entry);
        let mut cursor = self.at(block);
        let wanted = cursor.ins().splat(I32X4, wanted);
        let zero = cursor.ins().iconst(I64, 0);
        cursor.ins().jump(chunk, &[BlockArg::from(zero)]);

        let [begin] = self.parameters(chunk);
        let mut cursor = self.at(chunk);
        let end = cursor.ins().iconst(I64, count);
        let is_over = cursor.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, begin, end);
        cursor.ins().brif(is_over, all_failed, &[], look, &[]);

        // The last entries are compared with some before, which are left out.
        let mut cursor = self.at(look);
        let last = cursor.ins().iconst(I64, count - AT_ONCE as i64);
        let from = cursor.ins().umin(begin, last);
        let left_out = cursor.ins().isub(begin, from);
        let two = cursor.ins().iconst(I64, 2);
        let bytes = cursor.ins().ishl(from, two);
        let address = cursor.ins().iadd(row, bytes);
        let code = if equal { IntCC::Equal } else { IntCC::NotEqual };
        let mut found = cursor.ins().iconst(I32, 0);
        for vector in 0..AT_ONCE / LANES {
            let place = (vector * LANES) as i32;
            let entries = cursor.ins().load(I32X4, flags, address, distance + 4 * place);
            let holds = cursor.ins().icmp(code, entries, wanted);
            let bits = cursor.ins().vhigh_bits(I32, holds);
            let shift = cursor.ins().iconst(I32, i64::from(place));
            let bits = cursor.ins().ishl(bits, shift);
            found = cursor.ins().bor(found, bits);
        }
        let found = cursor.ins().ushr(found, left_out);
        cursor.ins().jump(head, &[BlockArg::from(found)]);

        let bits = self.ir.dfg.append_block_param(head, I32);
        self.branch(head, bits, body, next_chunk);
        let mut cursor = self.at(next_chunk);
        let step = cursor.ins().iconst(I64, AT_ONCE as i64);
        let following = cursor.ins().iadd(begin, step);
        cursor.ins().jump(chunk, &[BlockArg::from(following)]);

        let mut cursor = self.at(next);
        let one = cursor.ins().iconst(I32, -1);
        let less = cursor.ins().iadd(bits, one);
        let others = cursor.ins().band(bits, less);
        cursor.ins().jump(head, &[BlockArg::from(others)]);

        let mut cursor = self.at(body);
        let place = cursor.ins().ctz(bits);
        let begin = cursor.ins().ireduce(I32, begin);
        let place = cursor.ins().iadd(place, begin);
        let first = cursor.ins().iconst(I32, i64::from(first as i32));
        let symbol = cursor.ins().iadd(place, first);
        way.fail = next;
        (body, symbol)
    }

    /// Writes the symbols for which a comparison holds to a list, and then a loop through the list.
    /// Returns the block where the code for a symbol begins, and the symbol.
    fn found_one_by_one(
        &mut self,
        block: Block,
        (register, choices): (Register, Range<u32>),
        filter: Filter,
        way: &mut Way,
    ) -> (Block, Value) {
        let lists = self.flags(Region::Lists);
        let size = 4 * choices.len() as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 2);
        let slot = self.ir.create_sized_stack_slot(slot);
        let list = self.at(block).ins().stack_addr(I64, slot, 0);
        let [head, body, done] = std::array::from_fn(|_| self.block());
        let mut cursor = self.at(block);
        let zero = cursor.ins().iconst(I64, 0);
        cursor.ins().jump(head, &[zero, list].map(BlockArg::from));
        let [number, end] = self.parameters(head);
        let mut cursor = self.at(head);
        let count = cursor.ins().iconst(I64, choices.len() as i64);
        let is_over = cursor.ins().icmp(IntCC::Equal, number, count);
        cursor.ins().brif(is_over, done, &[], body, &[]);
        let symbol = self.choice(body, choices, number);
        let holds = self.holds(body, Some((register, symbol)), filter);
        let mut cursor = self.at(body);
        cursor.ins().store(lists, symbol, end, 0);
        let one = cursor.ins().iconst(I64, 1);
        let number = cursor.ins().iadd(number, one);
        let holds = cursor.ins().uextend(I64, holds);
        let two = cursor.ins().iconst(I64, 2);
        let bytes = cursor.ins().ishl(holds, two);
        let next = cursor.ins().iadd(end, bytes);
        cursor.ins().jump(head, &[number, next].map(BlockArg::from));
        let (body, place) = self.each(done, (list, end), 4, way);
        let symbol = self.at(body).ins().load(I32, lists, place, 0);
        (body, symbol)
    }
}
