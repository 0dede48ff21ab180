//! Moves as words: a word holds the tags of a move, and nothing else.
//!
//! A random playout lists many moves and plays one of them. It needs neither the names of the
//! moves nor the states that they lead to. So its code lists words, which it keeps in a register
//! of the processor, and leaves out each assignment that the move does not read again. The code of
//! another function plays the move of a word: it follows the walk with these tags.
//!
//! Words leave out the tags that a pragma calls artificial: such tags only tell walks apart, and
//! nearly always other tags do so, too. If walks have the same word, and not the same artificial
//! tags, the moves must be listed with their names.
//!
//! The first tag is in the lowest bits of a word. A tag is stored as its number plus one, so that
//! the word of a move that has ended is 0.

use super::function::{Function, Task, Way};
use super::host::Context;
use super::registers::{Region, RegisterIndex};
use crate::rg::interpreter::program::{Address, NodeId, PLAYER, Register};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};
use std::mem::offset_of;
use std::ops::Range;

/// The number of bits of a word that tags can take. The last bit marks the number of a [long
/// move](super::word_list).
pub(super) const WORD: i64 = 63;

/// The factor of the hash of artificial tags: odd, with bits all over.
const FACTOR: i64 = 0x5851_F42D_4C95_7F2D;

impl Function<'_, '_> {
    /// A tag of the move. Returns the block to go on in.
    pub(super) fn tag(&mut self, block: Block, number: Value, way: &mut Way) -> Block {
        match self.task {
            Task::Moves => {
                way.tags = self.append(block, way.tags, number);
                block
            }
            Task::Words => self.add_tag(block, number, way),
            Task::Play => self.compare_tag(block, number, way),
            Task::First | Task::Reach(_) => block,
        }
    }

    /// A tag that a pragma calls artificial. Words leave it out.
    pub(super) fn artificial_tag(&mut self, block: Block, number: u32, way: &mut Way) {
        if self.task == Task::Play {
            let mut cursor = self.at(block);
            let digit = cursor.ins().iconst(I64, i64::from(number) + 1);
            let sum = cursor.ins().iadd(way.changes, digit);
            let factor = cursor.ins().iconst(I64, FACTOR);
            way.changes = cursor.ins().imul(sum, factor);
        }
    }

    fn add_tag(&mut self, block: Block, number: Value, way: &mut Way) -> Block {
        let (context, bits) = (self.context, self.all.names.bits());
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

    fn parameters<const N: usize>(&mut self, block: Block) -> [Value; N] {
        std::array::from_fn(|_| self.ir.dfg.append_block_param(block, I64))
    }

    /// Has a tag in the current word, unless there is none left: then the walk fails. Returns the
    /// block to go on in.
    fn some_tag(&mut self, block: Block, way: &mut Way) -> Block {
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
    fn next_tag(&mut self, block: Block, word: Value) -> (Value, Value) {
        let bits = self.all.names.bits();
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
        next
    }

    /// Whether the symbols of an any-assignment have numbers in a row.
    pub(super) fn is_in_a_row(&self, choices: Range<u32>) -> bool {
        let symbols = &self.all.tables.choices[choices.start as usize..choices.end as usize];
        symbols.iter().zip(symbols[0]..).all(|(&symbol, expected)| symbol == expected)
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
        let first = self.all.tables.choices[choices.start as usize];
        let block = self.some_tag(block, way);
        let (digit, _) = self.next_tag(block, way.tags);
        let (next, fail) = (self.block(), way.fail);
        let mut cursor = self.at(block);
        let less = cursor.ins().iconst(I64, -1 - i64::from(first));
        let place = cursor.ins().iadd(digit, less);
        let count = cursor.ins().iconst(I64, choices.len() as i64);
        let is_in = cursor.ins().icmp(IntCC::UnsignedLessThan, place, count);
        cursor.ins().brif(is_in, next, &[], fail, &[]);
        let mut cursor = self.at(next);
        let one = cursor.ins().iconst(I64, -1);
        let symbol = cursor.ins().iadd(digit, one);
        let symbol = cursor.ins().ireduce(I32, symbol);
        self.assign(next, RegisterIndex::Constant(register), symbol, way);
        next
    }

    /// Writes the word of a move to the list, and goes on with the next alternative.
    pub(super) fn finish_word(&mut self, block: Block, way: Way) {
        let (context, given_up) = (self.context, self.given_up);
        let (flags, lists) = (self.flags(Region::Context), self.flags(Region::Lists));
        let long = self.all.finish_long;
        let long = self.reference(long);
        let [several, next] = std::array::from_fn(|_| self.block());
        let [word] = self.parameters(next);
        let mut cursor = self.at(block);
        let place = offset_of!(Context, full_words) as i32;
        let first = cursor.ins().load(I64, flags, context, place);
        let is_one = cursor.ins().icmp(IntCC::Equal, way.words, first);
        cursor.ins().brif(is_one, next, &[BlockArg::from(way.tags)], several, &[]);
        let mut cursor = self.at(several);
        let call = cursor.ins().call(long, &[context, way.tags, way.words]);
        let short = self.ir.dfg.inst_results(call)[0];
        self.at(several).ins().jump(next, &[BlockArg::from(short)]);
        let mut cursor = self.at(next);
        let place = offset_of!(Context, next_word) as i32;
        let at = cursor.ins().load(I64, flags, context, place);
        cursor.ins().store(lists, word, at, 0);
        let eight = cursor.ins().iconst(I64, 8);
        let behind = cursor.ins().iadd(at, eight);
        cursor.ins().store(flags, behind, context, place);
        let end = offset_of!(Context, end_of_words) as i32;
        let end = cursor.ins().load(I64, flags, context, end);
        let is_full = cursor.ins().icmp(IntCC::Equal, behind, end);
        cursor.ins().brif(is_full, given_up, &[], way.fail, &[]);
    }

    /// Writes the words of moves that differ in their last tag alone: the symbol in a register, which
    /// may be any of some symbols for which the comparison at `filter` holds. It writes the word of
    /// each symbol, and goes on to the next place if the comparison holds. So there is no branch that
    /// a processor has to guess. Returns a block to go on in where the last tag may need a new word.
    pub(super) fn last_tags(
        &mut self,
        block: Block,
        (register, choices): (Register, Range<u32>),
        filter: Option<Address>,
        way: Way,
    ) -> Block {
        let filter = match filter {
            Some(at) => match self.all.program.filter(at) {
                Some(filter) => Some(filter),
                None => return block,
            },
            None => None,
        };
        let (context, bits) = (self.context, self.all.names.bits());
        let (flags, lists) = (self.flags(Region::Context), self.flags(Region::Lists));
        let [roomy, first, head, body, done, otherwise] = std::array::from_fn(|_| self.block());
        let (is_empty, given_up) = (self.burn(block, choices.len() as i64), self.given_up);
        let begin = self.block();
        self.branch(block, is_empty, given_up, begin);
        let mut cursor = self.at(begin);
        let last = cursor.ins().iconst(I64, WORD - bits);
        let is_full = cursor.ins().icmp(IntCC::UnsignedGreaterThan, way.changes, last);
        cursor.ins().brif(is_full, otherwise, &[], roomy, &[]);
        let mut cursor = self.at(roomy);
        let [full, next, end] = [
            offset_of!(Context, full_words),
            offset_of!(Context, next_word),
            offset_of!(Context, end_of_words),
        ]
        .map(|place| cursor.ins().load(I64, flags, context, place as i32));
        let is_one = cursor.ins().icmp(IntCC::Equal, way.words, full);
        let most = cursor.ins().iconst(I64, 8 * choices.len() as i64);
        let last = cursor.ins().iadd(next, most);
        let is_room = cursor.ins().icmp(IntCC::UnsignedLessThan, last, end);
        let is_simple = cursor.ins().band(is_one, is_room);
        cursor.ins().brif(is_simple, first, &[], otherwise, &[]);
        let zero = self.at(first).ins().iconst(I64, 0);
        self.at(first).ins().jump(head, &[zero, next].map(BlockArg::from));
        let [number, next] = self.parameters(head);
        let mut cursor = self.at(head);
        let count = cursor.ins().iconst(I64, choices.len() as i64);
        let is_over = cursor.ins().icmp(IntCC::Equal, number, count);
        cursor.ins().brif(is_over, done, &[], body, &[]);
        let place = offset_of!(Context, next_word) as i32;
        let mut cursor = self.at(done);
        cursor.ins().store(flags, next, context, place);
        cursor.ins().jump(way.fail, &[]);
        let symbol = self.choice(body, choices, number);
        let holds = match filter {
            Some(filter) => self.holds(body, (register, symbol), filter),
            None => self.at(body).ins().iconst(I8, 1),
        };
        let mut cursor = self.at(body);
        let digit = cursor.ins().uextend(I64, symbol);
        let one = cursor.ins().iconst(I64, 1);
        let digit = cursor.ins().iadd(digit, one);
        let digit = cursor.ins().ishl(digit, way.changes);
        let word = cursor.ins().bor(way.tags, digit);
        cursor.ins().store(lists, word, next, 0);
        let holds = cursor.ins().uextend(I64, holds);
        let three = cursor.ins().iconst(I64, 3);
        let bytes = cursor.ins().ishl(holds, three);
        let next = cursor.ins().iadd(next, bytes);
        let number = cursor.ins().iadd(number, one);
        cursor.ins().jump(head, &[number, next].map(BlockArg::from));
        otherwise
    }

    /// Ends the move that is played, if all of its tags were met.
    pub(super) fn finish_play(&mut self, block: Block, node: NodeId, player: Value, way: Way) {
        let (context, flags) = (self.context, self.flags(Region::Context));
        let mut block = block;
        if self.task == Task::Play {
            let last = self.block();
            self.at(block).ins().brif(way.tags, way.fail, &[], last, &[]);
            let mut cursor = self.at(last);
            let place = offset_of!(Context, end_of_full_words) as i32;
            let end = cursor.ins().load(I64, flags, context, place);
            let is_over = cursor.ins().icmp(IntCC::Equal, way.words, end);
            let [counted, wanted, left_out] = std::array::from_fn(|_| self.block());
            self.at(last).ins().brif(is_over, counted, &[], way.fail, &[]);
            let mut cursor = self.at(counted);
            let place = offset_of!(Context, skipped) as i32;
            let skipped = cursor.ins().load(I64, flags, context, place);
            cursor.ins().brif(skipped, left_out, &[], wanted, &[]);
            let mut cursor = self.at(left_out);
            let one = cursor.ins().iconst(I64, -1);
            let less = cursor.ins().iadd(skipped, one);
            cursor.ins().store(flags, less, context, place);
            cursor.ins().jump(way.fail, &[]);
            block = wanted;
        }
        self.store_all(block, way.known.all().collect());
        self.store(block, RegisterIndex::Constant(PLAYER), player);
        let mut cursor = self.at(block);
        cursor.ins().store(flags, way.changes, context, offset_of!(Context, artificial) as i32);
        let mut cursor = self.at(block);
        let node = cursor.ins().iconst(I32, i64::from(node));
        cursor.ins().store(flags, node, context, offset_of!(Context, node) as i32);
        cursor.ins().jump(way.found, &[]);
    }
}
