//! Any-assignments: loops through symbols.
//!
//! Whether a comparison holds for a symbol, such as whether a square of the board is empty, is
//! hard to guess for a processor, and a wrong guess costs as much as twenty operations. So the loops
//! that list moves find the symbols for which a comparison holds without a branch.

use super::branches::Filter;
use super::filters::MOST_FOUND;
use super::function::{Function, Way};
use super::functions::Task;
use super::host::Context;
use super::registers::{Region, RegisterIndex};
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{Address, Op, Register};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};
use std::mem::offset_of;
use std::ops::Range;

/// The greatest number of last tags whose code is written for each symbol, in place of a loop.
const MOST_UNROLLED: usize = 16;

impl Function<'_, '_> {
    /// Writes an any-assignment. Returns the block and the address to go on at, unless all walks of
    /// its symbols are written.
    pub(super) fn choose(
        &mut self,
        block: Block,
        at: Address,
        way: &mut Way,
    ) -> Result<Option<(Block, Address)>, NoCode> {
        let parts = self.all.parts;
        let Op::Any { register, first, end, named, .. } = parts.program.code[at as usize] else {
            return Ok(None);
        };
        let (mut choices, mut next) = (first..end, at + 1);
        if let Task::Play(_) = way.task
            && parts.kinds.is_alone(register)
            && parts.program.is_first_tag(next, register)
        {
            return Ok(Some((self.any_of_word(block, register, choices, way), next)));
        }
        if let Some(narrowed) = parts.narrowed.get(&at) {
            // The comparison holds for all of these.
            (choices, next) = (narrowed.clone(), next + 1);
        }
        if choices.is_empty() {
            let fail = way.fail;
            self.at(block).ins().jump(fail, &[]);
            return Ok(None);
        }
        // Entries that are the same for all symbols are loaded once, and symbols are found before they
        // are tags.
        let place = RegisterIndex::Constant(register);
        let is_kept_back = self.is_kept_back(place, way.task);
        let mut tags = Vec::new();
        while parts.kinds.is_alone(register) {
            let op = parts.program.code[next as usize];
            match (op.keys(), op) {
                (Some(keys), _) if !keys.contains(&register) => self.load_temporary(block, op),
                (_, Op::Tag(_) | Op::TagVariable(_)) if is_kept_back && !named => tags.push(op),
                _ => break,
            }
            next += 1;
        }
        let filter = parts.program.filter(next);
        let behind = next + u32::from(filter.is_some());
        let is_last = named && matches!(parts.program.code[behind as usize], Op::TagVariable(_));
        if let Task::Words(Some(taken)) = way.task
            && self.has_room(taken)
            && is_last
        {
            self.last_tags(block, (register, choices), filter, (taken, *way));
            return Ok(None);
        }
        let is_short = choices.len() <= MOST_FOUND && !is_last && is_kept_back;
        let (mut body, next) = match filter.filter(|_| is_short) {
            Some(filter) if self.is_found_first((register, choices.clone()), filter, way.task) => {
                (self.any_that_holds(block, (register, choices), filter, way), behind)
            }
            _ => (self.any(block, place, choices, way), next),
        };
        for tag in tags {
            body = self.tag_of(body, tag, way)?;
        }
        Ok(Some((body, next)))
    }

    /// Whether to find the symbols for which a comparison holds before the code for them runs. A check
    /// ends with the first symbol that leads to its target.
    fn is_found_first(&self, choices: (Register, Range<u32>), filter: Filter, task: Task) -> bool {
        match task {
            Task::Words(_) => true,
            Task::Reach(_) => self.row(choices, filter).is_some(),
            Task::Moves | Task::Play(_) | Task::First => false,
        }
    }

    /// Writes a loop through symbols. Returns the block where the code for each symbol begins.
    pub(super) fn any(
        &mut self,
        block: Block,
        place: RegisterIndex,
        choices: Range<u32>,
        way: &mut Way,
    ) -> Block {
        let is_known = self.is_kept_back(place, way.task);
        if !is_known {
            let old = self.load(block, place);
            self.log(block, place, way);
            self.tell(block, place, way.task);
            self.restore(place, old, way);
        }
        let begin = self.burn_for(block, &choices);
        let mut cursor = self.at(begin);
        let first = cursor.ins().iconst(I64, 0);
        let end = cursor.ins().iconst(I64, choices.len() as i64);
        let (body, number) = self.each(begin, (first, end), 1, way);
        let symbol = self.choice(body, choices, number);
        match is_known {
            true => self.assign(body, place, symbol, way),
            false => self.store(body, place, symbol),
        }
        body
    }

    /// Writes a loop from a number to another. Returns the block where the code for each number
    /// begins, and the number.
    pub(super) fn each(
        &mut self,
        block: Block,
        (first, end): (Value, Value),
        step: i64,
        way: &mut Way,
    ) -> (Block, Value) {
        let [head, body, next] = std::array::from_fn(|_| self.block());
        let [number] = self.parameters(head);
        let all_failed = way.fail;
        self.at(block).ins().jump(head, &[BlockArg::from(first)]);
        let mut cursor = self.at(head);
        let is_over = cursor.ins().icmp(IntCC::Equal, number, end);
        cursor.ins().brif(is_over, all_failed, &[], body, &[]);
        let mut cursor = self.at(next);
        let step = cursor.ins().iconst(I64, step);
        let following = cursor.ins().iadd(number, step);
        cursor.ins().jump(head, &[BlockArg::from(following)]);
        way.fail = next;
        (body, number)
    }

    /// Takes the fuel of a loop. Returns the block to go on in.
    pub(super) fn burn_for(&mut self, block: Block, choices: &Range<u32>) -> Block {
        let next = self.block();
        let (is_empty, given_up) = (self.burn(block, choices.len() as i64), self.given_up);
        self.branch(block, is_empty, given_up, next);
        next
    }

    /// The symbol of a number among some symbols.
    pub(super) fn choice(&mut self, block: Block, choices: Range<u32>, number: Value) -> Value {
        let is_dense = self.is_in_a_row(choices.clone());
        let symbols = &self.all.parts.tables.choices[choices.start as usize..choices.end as usize];
        let (first, table) = (symbols[0], symbols.as_ptr() as i64);
        let constants = self.flags(Region::Constants);
        let mut cursor = self.at(block);
        if is_dense {
            let narrow = cursor.ins().ireduce(I32, number);
            let first = cursor.ins().iconst(I32, i64::from(first as i32));
            return cursor.ins().iadd(narrow, first);
        }
        let table = cursor.ins().iconst(I64, table);
        let two = cursor.ins().iconst(I64, 2);
        let bytes = cursor.ins().ishl(number, two);
        let address = cursor.ins().iadd(table, bytes);
        cursor.ins().load(I32, constants, address, 0)
    }

    /// Whether the symbols of an any-assignment have numbers in a row.
    pub(super) fn is_in_a_row(&self, choices: Range<u32>) -> bool {
        let symbols = &self.all.parts.tables.choices[choices.start as usize..choices.end as usize];
        let Some(&first) = symbols.first() else { return false };
        symbols.iter().zip(first..).all(|(&symbol, expected)| symbol == expected)
    }

    /// Assigns the next tag of the word to a register, if it is one of the symbols. Returns the
    /// block to go on in.
    pub(super) fn any_of_word(
        &mut self,
        block: Block,
        register: u32,
        choices: Range<u32>,
        way: &mut Way,
    ) -> Block {
        let symbols = &self.all.parts.tables.choices[choices.start as usize..choices.end as usize];
        let least = symbols.iter().min().copied().unwrap_or(0);
        let span = symbols.iter().max().map_or(0, |greatest| greatest - least + 1);
        let members = self.all.parts.members.get(&choices).copied();
        let block = self.some_tag(block, way);
        let (digit, _) = self.next_tag(block, way.tags);
        let (next, fail) = (self.block(), way.fail);
        let mut cursor = self.at(block);
        let less = cursor.ins().iconst(I64, -1 - i64::from(least));
        let place = cursor.ins().iadd(digit, less);
        let span = cursor.ins().iconst(I64, i64::from(span));
        let is_in = cursor.ins().icmp(IntCC::UnsignedLessThan, place, span);
        match members {
            None => {
                cursor.ins().brif(is_in, next, &[], fail, &[]);
            }
            Some(first) => {
                let look = self.block();
                self.branch(block, is_in, look, fail);
                let is_member = self.is_member(look, first, place);
                self.branch(look, is_member, next, fail);
            }
        }
        let mut cursor = self.at(next);
        let one = cursor.ins().iconst(I64, -1);
        let symbol = cursor.ins().iadd(digit, one);
        let symbol = cursor.ins().ireduce(I32, symbol);
        self.assign(next, RegisterIndex::Constant(register), symbol, way);
        next
    }

    /// Whether the bit of a place is set in the table of [`Parts::members`] that begins at `first`.
    fn is_member(&mut self, block: Block, first: usize, place: Value) -> Value {
        let flags = self.flags(Region::Constants);
        let table = self.all.parts.tables.members[first..].as_ptr() as i64;
        let mut cursor = self.at(block);
        let table = cursor.ins().iconst(I64, table);
        let three = cursor.ins().iconst(I64, 3);
        let byte = cursor.ins().ushr(place, three);
        let address = cursor.ins().iadd(table, byte);
        let bits = cursor.ins().uload8(I64, flags, address, 0);
        let seven = cursor.ins().iconst(I64, 7);
        let bit = cursor.ins().band(place, seven);
        let bits = cursor.ins().ushr(bits, bit);
        let one = cursor.ins().iconst(I64, 1);
        cursor.ins().band(bits, one)
    }

    /// Writes the words of moves that differ in their last tag alone: the symbol in a register, which
    /// may be any of some symbols for which `filter` holds. `taken` bits of the word are taken. It
    /// writes the word of each symbol, and goes on to the next place if the comparison holds. So there
    /// is no branch that a processor has to guess.
    pub(super) fn last_tags(
        &mut self,
        block: Block,
        (register, choices): (Register, Range<u32>),
        filter: Option<Filter>,
        (taken, way): (u8, Way),
    ) {
        let (context, given_up) = (self.context, self.given_up);
        let flags = self.flags(Region::Context);
        let first = self.block();
        let begin = self.burn_for(block, &choices);
        let mut cursor = self.at(begin);
        let [next, end] = [offset_of!(Context, next_word), offset_of!(Context, end_of_words)]
            .map(|place| cursor.ins().load(I64, flags, context, place as i32));
        let most = cursor.ins().iconst(I64, 8 * choices.len() as i64);
        let last = cursor.ins().iadd(next, most);
        let is_room = cursor.ins().icmp(IntCC::UnsignedLessThan, last, end);
        cursor.ins().brif(is_room, first, &[], given_up, &[]);
        if choices.len() <= MOST_UNROLLED {
            let mut next = next;
            for &symbol in
                &self.all.parts.tables.choices[choices.start as usize..choices.end as usize]
            {
                let holds = filter.map(|filter| self.holds_for(first, (register, symbol), filter));
                let symbol = self.at(first).ins().iconst(I32, i64::from(symbol));
                next = self.word_if(first, symbol, holds, (taken, way), next);
            }
            self.end_of_words(first, next, way);
            return;
        }
        let [head, body, done] = std::array::from_fn(|_| self.block());
        let zero = self.at(first).ins().iconst(I64, 0);
        self.at(first).ins().jump(head, &[zero, next].map(BlockArg::from));
        let [number, next] = self.parameters(head);
        let mut cursor = self.at(head);
        let count = cursor.ins().iconst(I64, choices.len() as i64);
        let is_over = cursor.ins().icmp(IntCC::Equal, number, count);
        cursor.ins().brif(is_over, done, &[], body, &[]);
        self.end_of_words(done, next, way);
        let symbol = self.choice(body, choices, number);
        let holds = filter.map(|filter| self.holds(body, Some((register, symbol)), filter));
        let next = self.word_if(body, symbol, holds, (taken, way), next);
        let mut cursor = self.at(body);
        let one = cursor.ins().iconst(I64, 1);
        let number = cursor.ins().iadd(number, one);
        cursor.ins().jump(head, &[number, next].map(BlockArg::from));
    }

    /// Writes the word whose last tag is a symbol to a place of the list. Returns the next place: the
    /// same one, if a condition does not hold.
    fn word_if(
        &mut self,
        block: Block,
        symbol: Value,
        holds: Option<Value>,
        (taken, way): (u8, Way),
        place: Value,
    ) -> Value {
        let word = self.digit(block, symbol, (way.tags, taken));
        self.put_word(block, word, holds, place)
    }

    /// Goes on after some words were written. `next` is the place behind them.
    fn end_of_words(&mut self, block: Block, next: Value, way: Way) {
        let (context, flags) = (self.context, self.flags(Region::Context));
        let place = offset_of!(Context, next_word) as i32;
        let mut cursor = self.at(block);
        cursor.ins().store(flags, next, context, place);
        cursor.ins().jump(way.fail, &[]);
    }
}
