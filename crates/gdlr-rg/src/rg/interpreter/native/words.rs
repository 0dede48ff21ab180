//! Moves as words: a word holds the tags of a move, and nothing else.
//!
//! A random playout lists many moves and plays one of them. It needs neither the names of the
//! moves nor the states that they lead to. So its code lists words, which it keeps in a register
//! of the processor, and leaves out each assignment that the move does not read again. The code of
//! another function plays the move of a word: it follows the walk with these tags.
//!
//! Words leave out the tags that a pragma calls artificial: such tags only tell walks apart, and
//! nearly always other tags do so, too. Where several walks have the same word, a move is the word
//! and the number of walks with it to pass over ([`told_apart`](super::told_apart)).
//!
//! At most places set-up knows how many bits tags have taken of a word ([`Taken`]), and that a move
//! so far has one word. Elsewhere the code counts.
//!
//! The first tag is in the lowest bits of a word. A tag is stored as its number plus one, so that
//! the word of a move that has ended is 0.

use super::code::Parts;
use super::function::{Function, Way};
use super::functions::{Taken, Task};
use super::host::Context;
use super::registers::{Region, RegisterIndex};
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{END, FAIL, NodeId, Op, PLAYER, Register};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};
use std::mem::offset_of;

/// The number of bits of a word that tags can take. The last bit marks the number of a [long
/// move](super::word_list).
pub(super) const WORD: i64 = 63;

/// The factor of the hash of artificial tags: odd, with bits all over.
const FACTOR: i64 = 0x5851_F42D_4C95_7F2D;

impl Function<'_, '_> {
    /// An operation that is a tag of the move. Returns the block to go on in.
    pub(super) fn tag_of(&mut self, block: Block, op: Op, way: &mut Way) -> Result<Block, NoCode> {
        let has_words = matches!(way.task, Task::Words(_) | Task::Play(_));
        if !has_words && way.task != Task::Moves {
            return Ok(block);
        }
        let number = match op {
            Op::TagVariable(register) => self.load(block, RegisterIndex::Constant(register)),
            Op::Tag(name) => {
                let number = self.all.parts.names.number(name).ok_or(NoCode::Large)?;
                if has_words && self.all.parts.program.is_artificial(name) {
                    self.artificial_tag(block, number, way);
                    return Ok(block);
                }
                self.at(block).ins().iconst(I32, i64::from(number))
            }
            _ => return Ok(block),
        };
        Ok(self.tag(block, number, way))
    }

    /// A tag of the move. Returns the block to go on in.
    pub(super) fn tag(&mut self, block: Block, number: Value, way: &mut Way) -> Block {
        match way.task {
            Task::Moves => {
                way.tags = self.append(block, way.tags, number);
                block
            }
            Task::Words(Some(taken)) if self.has_room(taken) => {
                way.tags = self.digit(block, number, (way.tags, taken));
                way.task = Task::Words(self.more(taken));
                block
            }
            Task::Words(_) => self.add_tag(block, number, way),
            Task::Play(_) => self.compare_tag(block, number, way),
            Task::First | Task::Reach(_) => block,
        }
    }

    /// A tag that a pragma calls artificial. Words leave it out.
    fn artificial_tag(&mut self, block: Block, number: u32, way: &mut Way) {
        if let Task::Play(_) = way.task {
            let mut cursor = self.at(block);
            let digit = cursor.ins().iconst(I64, i64::from(number) + 1);
            let sum = cursor.ins().iadd(way.changes, digit);
            let factor = cursor.ins().iconst(I64, FACTOR);
            way.changes = cursor.ins().imul(sum, factor);
        }
    }

    /// Whether one more tag fits into a word.
    pub(super) fn has_room(&self, taken: u8) -> bool {
        i64::from(taken) + self.all.parts.names.bits() <= WORD
    }

    /// The number of bits that tags take after one more tag.
    fn more(&self, taken: u8) -> Taken {
        Some(taken + self.all.parts.names.bits() as u8)
    }

    /// A word with one more tag.
    pub(super) fn digit(
        &mut self,
        block: Block,
        number: Value,
        (word, taken): (Value, u8),
    ) -> Value {
        let mut cursor = self.at(block);
        let digit = cursor.ins().uextend(I64, number);
        let one = cursor.ins().iconst(I64, 1);
        let digit = cursor.ins().iadd(digit, one);
        let taken = cursor.ins().iconst(I64, i64::from(taken));
        let digit = cursor.ins().ishl(digit, taken);
        cursor.ins().bor(word, digit)
    }

    /// Has the number of bits that tags have taken in a value of the code, from here on.
    pub(super) fn count_taken(&mut self, block: Block, way: &mut Way) {
        match way.task {
            Task::Words(Some(taken)) => {
                way.changes = self.at(block).ins().iconst(I64, i64::from(taken));
                way.task = Task::Words(None);
            }
            Task::Play(_) => way.task = Task::Play(None),
            Task::Words(None) | Task::Moves | Task::First | Task::Reach(_) => {}
        }
    }

    fn add_tag(&mut self, block: Block, number: Value, way: &mut Way) -> Block {
        self.count_taken(block, way);
        let (context, bits) = (self.context, self.all.parts.names.bits());
        let (flags, lists) = (self.flags(Region::Context), self.flags(Region::Lists));
        let [full, room, next] = std::array::from_fn(|_| self.block());
        let [word, taken, words] = self.parameters(next);
        let given_up = self.given_up;
        let mut cursor = self.at(block);
        let last = cursor.ins().iconst(I64, WORD - bits);
        let is_full = cursor.ins().icmp(IntCC::UnsignedGreaterThan, way.changes, last);
        let old = [way.tags, way.changes, way.words].map(BlockArg::from);
        cursor.ins().brif(is_full, full, &[], next, &old);
        let mut cursor = self.at(full);
        let place = offset_of!(Context, end_of_full_words) as i32;
        let end = cursor.ins().load(I64, flags, context, place);
        let is_over = cursor.ins().icmp(IntCC::Equal, way.words, end);
        cursor.ins().brif(is_over, given_up, &[], room, &[]);
        let mut cursor = self.at(room);
        cursor.ins().store(lists, way.tags, way.words, 0);
        let eight = cursor.ins().iconst(I64, 8);
        let behind = cursor.ins().iadd(way.words, eight);
        let zero = cursor.ins().iconst(I64, 0);
        cursor.ins().jump(next, &[zero, zero, behind].map(BlockArg::from));
        let mut cursor = self.at(next);
        let digit = cursor.ins().uextend(I64, number);
        let one = cursor.ins().iconst(I64, 1);
        let digit = cursor.ins().iadd(digit, one);
        let digit = cursor.ins().ishl(digit, taken);
        way.tags = cursor.ins().bor(word, digit);
        let bits = cursor.ins().iconst(I64, bits);
        way.changes = cursor.ins().iadd(taken, bits);
        way.words = words;
        next
    }

    pub(super) fn parameters<const N: usize>(&mut self, block: Block) -> [Value; N] {
        std::array::from_fn(|_| self.ir.dfg.append_block_param(block, I64))
    }

    /// Has a tag in the current word, unless there is none left: then the walk fails, or the next
    /// tag is 0, which no tag is. Returns the block to go on in.
    pub(super) fn some_tag(&mut self, block: Block, way: &mut Way) -> Block {
        if let Task::Play(Some(taken)) = way.task
            && self.has_room(taken)
        {
            return block;
        }
        self.count_taken(block, way);
        let context = self.context;
        let (flags, lists) = (self.flags(Region::Context), self.flags(Region::Lists));
        let [empty, some, next] = std::array::from_fn(|_| self.block());
        let [word, words] = self.parameters(next);
        let fail = way.fail;
        self.at(block).ins().brif(
            way.tags,
            next,
            &[way.tags, way.words].map(BlockArg::from),
            empty,
            &[],
        );
        let mut cursor = self.at(empty);
        let place = offset_of!(Context, end_of_full_words) as i32;
        let end = cursor.ins().load(I64, flags, context, place);
        let is_over = cursor.ins().icmp(IntCC::Equal, way.words, end);
        cursor.ins().brif(is_over, fail, &[], some, &[]);
        let mut cursor = self.at(some);
        let following = cursor.ins().load(I64, lists, way.words, 0);
        let eight = cursor.ins().iconst(I64, 8);
        let behind = cursor.ins().iadd(way.words, eight);
        cursor.ins().jump(next, &[following, behind].map(BlockArg::from));
        (way.tags, way.words) = (word, words);
        next
    }

    /// The number of the next tag of a word plus one, and the rest of the word.
    pub(super) fn next_tag(&mut self, block: Block, word: Value) -> (Value, Value) {
        let bits = self.all.parts.names.bits();
        let mut cursor = self.at(block);
        let mask = cursor.ins().iconst(I64, (1 << bits) - 1);
        let digit = cursor.ins().band(word, mask);
        let bits = cursor.ins().iconst(I64, bits);
        (digit, cursor.ins().ushr(word, bits))
    }

    fn compare_tag(&mut self, block: Block, number: Value, way: &mut Way) -> Block {
        let block = self.some_tag(block, way);
        let (digit, rest) = self.next_tag(block, way.tags);
        let (next, fail) = (self.block(), way.fail);
        let mut cursor = self.at(block);
        let expected = cursor.ins().uextend(I64, number);
        let one = cursor.ins().iconst(I64, 1);
        let expected = cursor.ins().iadd(expected, one);
        let same = cursor.ins().icmp(IntCC::Equal, digit, expected);
        cursor.ins().brif(same, next, &[], fail, &[]);
        way.tags = rest;
        if let Task::Play(Some(taken)) = way.task {
            way.task = Task::Play(self.more(taken));
        }
        next
    }

    /// Writes the word of a move to the list, and goes on with the next alternative.
    pub(super) fn finish_word(&mut self, block: Block, way: Way) {
        let (context, flags) = (self.context, self.flags(Region::Context));
        let (mut block, mut word) = (block, way.tags);
        if way.task == Task::Words(None) {
            let long = self.all.finish_long;
            let long = self.reference(long);
            let [several, next] = std::array::from_fn(|_| self.block());
            [word] = self.parameters(next);
            let mut cursor = self.at(block);
            let place = offset_of!(Context, full_words) as i32;
            let first = cursor.ins().load(I64, flags, context, place);
            let is_one = cursor.ins().icmp(IntCC::Equal, way.words, first);
            cursor.ins().brif(is_one, next, &[BlockArg::from(way.tags)], several, &[]);
            let mut cursor = self.at(several);
            let call = cursor.ins().call(long, &[context, way.tags, way.words]);
            let short = self.ir.dfg.inst_results(call)[0];
            self.at(several).ins().jump(next, &[BlockArg::from(short)]);
            block = next;
        }
        self.append_word(block, word, None, way.fail);
    }

    /// Writes a word to the end of the list, if a condition holds, and goes on at `next`.
    pub(super) fn append_word(
        &mut self,
        block: Block,
        word: Value,
        holds: Option<Value>,
        next: Block,
    ) {
        let (context, given_up) = (self.context, self.given_up);
        let flags = self.flags(Region::Context);
        let [place, end] = [offset_of!(Context, next_word), offset_of!(Context, end_of_words)];
        let to = self.at(block).ins().load(I64, flags, context, place as i32);
        let behind = self.put_word(block, word, holds, to);
        let mut cursor = self.at(block);
        cursor.ins().store(flags, behind, context, place as i32);
        let end = cursor.ins().load(I64, flags, context, end as i32);
        let is_full = cursor.ins().icmp(IntCC::Equal, behind, end);
        cursor.ins().brif(is_full, given_up, &[], next, &[]);
    }

    /// Writes a word to a place of the list. Returns the next place: the same one, if a condition does
    /// not hold.
    pub(super) fn put_word(
        &mut self,
        block: Block,
        word: Value,
        holds: Option<Value>,
        place: Value,
    ) -> Value {
        let lists = self.flags(Region::Lists);
        let mut cursor = self.at(block);
        cursor.ins().store(lists, word, place, 0);
        let bytes = match holds {
            None => cursor.ins().iconst(I64, 8),
            Some(holds) => {
                let holds = cursor.ins().uextend(I64, holds);
                let three = cursor.ins().iconst(I64, 3);
                cursor.ins().ishl(holds, three)
            }
        };
        cursor.ins().iadd(place, bytes)
    }

    /// Goes on with the next move after the move that is played, if it is the keeper's. Returns the
    /// block to end the first move in.
    fn keep_on(
        &mut self,
        block: Block,
        (node, from): (NodeId, Register),
        way: Way,
    ) -> Result<Block, NoCode> {
        let Parts { program, kinds, kept, .. } = self.all.parts;
        let is_kept = kinds.is_constant(from) && kept[program.registers[from as usize] as usize];
        let entry = program.entries[node as usize];
        if !is_kept || node == END || entry == FAIL || !program.is_certain(node) {
            return Ok(block);
        }
        let (context, flags) = (self.context, self.flags(Region::Context));
        let [next, last] = std::array::from_fn(|_| self.block());
        let keeps = offset_of!(Context, keeps) as i32;
        let mut cursor = self.at(block);
        let keeps = cursor.ins().load(I64, flags, context, keeps);
        cursor.ins().brif(keeps, next, &[], last, &[]);
        // If there is no walk, the interpreter must say so.
        let given_up = self.given_up;
        let mut way = Way { task: Task::First, fail: given_up, ..way };
        let player = self.load(next, RegisterIndex::Constant(from));
        self.assign(next, RegisterIndex::Constant(PLAYER), player, &mut way);
        if self.all.is_small(node, None) {
            let code = self.block_of(entry, way);
            self.at(next).ins().jump(code, &[]);
        } else {
            let (result, _) = self.call(next, node, way)?;
            self.branch_found(next, result, way.found, given_up);
        }
        Ok(last)
    }

    /// Ends the move that is played, if all of its tags were met.
    pub(super) fn finish_play(
        &mut self,
        block: Block,
        (node, from): (NodeId, Register),
        way: Way,
    ) -> Result<(), NoCode> {
        let (context, flags) = (self.context, self.flags(Region::Context));
        let mut block = block;
        if let Task::Play(taken) = way.task {
            let [last, counted, wanted, left_out] = std::array::from_fn(|_| self.block());
            let is_short = taken.is_some_and(|taken| self.has_room(taken));
            self.at(block).ins().brif(way.tags, way.fail, &[], last, &[]);
            let mut cursor = self.at(last);
            if is_short {
                // A word with others behind it is full.
                cursor.ins().jump(counted, &[]);
            } else {
                let place = offset_of!(Context, end_of_full_words) as i32;
                let end = cursor.ins().load(I64, flags, context, place);
                let is_over = cursor.ins().icmp(IntCC::Equal, way.words, end);
                cursor.ins().brif(is_over, counted, &[], way.fail, &[]);
            }
            let mut cursor = self.at(counted);
            let place = offset_of!(Context, skipped) as i32;
            let skipped = cursor.ins().load(I64, flags, context, place);
            cursor.ins().brif(skipped, left_out, &[], wanted, &[]);
            let mut cursor = self.at(left_out);
            let one = cursor.ins().iconst(I64, -1);
            let less = cursor.ins().iadd(skipped, one);
            cursor.ins().store(flags, less, context, place);
            cursor.ins().jump(way.fail, &[]);
            block = self.keep_on(wanted, (node, from), way)?;
        }
        let player = self.load(block, RegisterIndex::Constant(from));
        self.store_all(block, way.known.all().collect());
        self.store(block, RegisterIndex::Constant(PLAYER), player);
        let mut cursor = self.at(block);
        cursor.ins().store(flags, way.changes, context, offset_of!(Context, artificial) as i32);
        let mut cursor = self.at(block);
        let node = cursor.ins().iconst(I32, i64::from(node));
        cursor.ins().store(flags, node, context, offset_of!(Context, node) as i32);
        cursor.ins().jump(way.found, &[]);
        Ok(())
    }
}
