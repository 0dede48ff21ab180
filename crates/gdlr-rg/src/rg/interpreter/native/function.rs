//! One function: all walks from a landmark, to one target.

use super::code::PARAMETERS;
use super::functions::{Functions, Key, Task};
use super::host::{Context, DONE, FOUND, GIVEN_UP, MOST_AT_ONCE};
use super::registers::{Known, Location, Region, RegisterIndex};
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{
    ABSENT, Address, Check, Entry, FAIL, NodeId, Op, PLAYER, Register, Table,
};
use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, FuncRef, Function as Ir, InstBuilder, Value};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};
use hashbrown::HashMap;
use std::mem::offset_of;

/// The longest row of symbols that machine code copies or compares.
pub(super) const LONGEST_ROW: u32 = 16;

/// The greatest number of operations of one function.
const MOST_WRITTEN: usize = 1 << 14;

/// The context in which code runs: a block is written once for each context.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Way {
    pub task: Task,
    /// The blocks to go on at if the walk fails, and if the target is found.
    pub fail: Block,
    pub found: Block,
    /// The ends of the lists of tags and assignments. A task with words has the current word here,
    /// and the number of bits that tags have taken of it, unless the task says it. [`Task::Play`] has
    /// a hash of the artificial tags instead of that number.
    pub tags: Value,
    pub changes: Value,
    /// The end of the full words before the current one. In [`Task::Play`]: the words after it.
    pub words: Value,
    pub locations: [Option<Location>; 2],
    /// The values of variables that are not in their registers.
    pub known: Known,
}

/// A function that is being written.
pub(super) struct Function<'f, 'p> {
    pub all: &'f mut Functions<'p>,
    module: &'f mut JITModule,
    pub ir: &'f mut Ir,
    pub registers: Value,
    pub context: Value,
    depth: Value,
    pub given_up: Block,
    blocks: HashMap<(Address, Way), Block>,
    /// The blocks of landmarks, with [`Known::without_values`].
    landmarks: HashMap<(NodeId, Way), Block>,
    open: Vec<(Block, Address, Way)>,
    calls: HashMap<FuncId, FuncRef>,
    written: usize,
    /// The number of tags and assignments that the function appends to the lists.
    pub appended: usize,
    /// The values of temporaries. No jump keeps them.
    pub temporaries: HashMap<Register, Value>,
    /// The values of the current [`Way`].
    pub known: Known,
    /// Whether code reads a temporary whose value is lost.
    pub lost: bool,
}

/// A location, which code must have set before.
pub(super) fn located(location: Option<Location>) -> Result<Location, NoCode> {
    location.ok_or(NoCode::Large)
}

impl Function<'_, '_> {
    /// Writes a function. Returns the number of operations that it has become.
    pub fn write(
        all: &mut Functions<'_>,
        module: &mut JITModule,
        ir: &mut Ir,
        (node, task): Key,
    ) -> Result<usize, NoCode> {
        let mut block = || {
            let block = ir.dfg.make_block();
            ir.layout.append_block(block);
            block
        };
        let [first, begin, fail, found, given_up] = std::array::from_fn(|_| block());
        let params: [Value; PARAMETERS] =
            std::array::from_fn(|_| ir.dfg.append_block_param(first, I64));
        let [registers, context, tags, changes, depth, words] = params;
        for (block, code) in [(fail, DONE), (found, FOUND), (given_up, GIVEN_UP)] {
            let mut cursor = FuncCursor::new(ir).at_bottom(block);
            let code = cursor.ins().iconst(I32, code);
            cursor.ins().return_(&[code]);
        }
        let mut function = Function {
            all,
            module,
            ir,
            registers,
            context,
            depth,
            given_up,
            blocks: HashMap::new(),
            landmarks: HashMap::new(),
            open: Vec::new(),
            calls: HashMap::new(),
            written: 0,
            appended: 0,
            temporaries: HashMap::new(),
            known: Known::default(),
            lost: false,
        };
        function.check_room(first, begin, task, (tags, changes));
        let way = Way {
            task,
            fail,
            found,
            tags,
            changes,
            words,
            locations: [None; 2],
            known: Known::default(),
        };
        let entry = function.all.parts.program.entries[node as usize];
        let begin = function.mark(begin, node, way);
        function.open.push((begin, entry, way));
        while let Some((block, at, way)) = function.open.pop() {
            function.follow(block, at, way)?;
        }
        match function.appended > MOST_AT_ONCE || function.lost {
            true => Err(NoCode::Large),
            false => Ok(function.written),
        }
    }

    pub(super) fn at(&mut self, block: Block) -> FuncCursor<'_> {
        FuncCursor::new(self.ir).at_bottom(block)
    }

    pub(super) fn block(&mut self) -> Block {
        let block = self.ir.dfg.make_block();
        self.ir.layout.append_block(block);
        block
    }

    /// Takes fuel. Returns whether there was not enough.
    pub(super) fn burn(&mut self, block: Block, amount: i64) -> Value {
        let (context, flags) = (self.context, self.flags(Region::Context));
        let place = offset_of!(Context, fuel) as i32;
        let mut cursor = self.at(block);
        let fuel = cursor.ins().load(I64, flags, context, place);
        let amount = cursor.ins().iconst(I64, -amount);
        let left = cursor.ins().iadd(fuel, amount);
        cursor.ins().store(flags, left, context, place);
        let zero = cursor.ins().iconst(I64, 0);
        cursor.ins().icmp(IntCC::SignedLessThan, left, zero)
    }

    /// Writes the code that gives up if there is no fuel, or no room for the entries that the
    /// function may append.
    fn check_room(
        &mut self,
        first: Block,
        begin: Block,
        task: Task,
        (tags, changes): (Value, Value),
    ) {
        let (context, depth, given_up) = (self.context, self.depth, self.given_up);
        let flags = self.flags(Region::Context);
        let is_search = task == Task::Moves;
        let mut is_bad = self.burn(first, 1);
        let mut cursor = self.at(first);
        let place = offset_of!(Context, deepest) as i32;
        let deepest = cursor.ins().load(I64, flags, context, place);
        let is_deep = cursor.ins().icmp(IntCC::SignedGreaterThan, depth, deepest);
        is_bad = cursor.ins().bor(is_bad, is_deep);
        if is_search {
            let last_tag = offset_of!(Context, last_tag) as i32;
            let last_change = offset_of!(Context, last_change) as i32;
            for (end, last) in [(tags, last_tag), (changes, last_change)] {
                let last = cursor.ins().load(I64, flags, context, last);
                let is_full = cursor.ins().icmp(IntCC::UnsignedGreaterThan, end, last);
                is_bad = cursor.ins().bor(is_bad, is_full);
            }
        }
        cursor.ins().brif(is_bad, given_up, &[], begin, &[]);
    }

    /// The block with the code of an address.
    pub(super) fn block_of(&mut self, at: Address, way: Way) -> Block {
        if at == FAIL {
            return way.fail;
        }
        if let Some(&existing) = self.blocks.get(&(at, way)) {
            return existing;
        }
        let block = self.block();
        self.blocks.insert((at, way), block);
        self.open.push((block, at, way));
        block
    }

    /// The block with the code of a landmark, where walks come together that differ in the values of
    /// variables alone. These are its parameters.
    fn joined(&mut self, node: NodeId, way: Way) -> Block {
        let place = (node, Way { known: way.known.without_values(), ..way });
        if let Some(&existing) = self.landmarks.get(&place) {
            return existing;
        }
        let block = self.block();
        let mut joined = way;
        for (register, _) in way.known.all() {
            joined.known.set(register, self.ir.dfg.append_block_param(block, I32));
        }
        self.landmarks.insert(place, block);
        self.open.push((block, self.all.parts.program.entries[node as usize], joined));
        block
    }

    /// Whether the code of a landmark stands in the functions that come to it, instead of a call.
    /// The list of [`Task::Moves`] has room for the tags of one function at a time.
    fn is_inlined(&mut self, node: NodeId, task: Task) -> bool {
        match task {
            Task::Moves => false,
            Task::Words(_) | Task::Play(_) | Task::First => self.all.is_small(node, None),
            Task::Reach(to) => self.all.is_small(node, Some(to)),
        }
    }

    /// Writes the code from an address on, up to a jump.
    fn follow(&mut self, block: Block, mut at: Address, mut way: Way) -> Result<(), NoCode> {
        let mut block = block;
        self.temporaries.clear();
        self.known = way.known;
        loop {
            self.written += 1;
            if self.written > MOST_WRITTEN {
                return Err(NoCode::Large);
            }
            let op = self.all.parts.program.code[at as usize];
            at += 1;
            match op {
                Op::Fail => {
                    self.at(block).ins().jump(way.fail, &[]);
                    return Ok(());
                }
                Op::Arrive { node, .. } if way.task == Task::Reach(node) => {
                    self.at(block).ins().jump(way.found, &[]);
                    return Ok(());
                }
                Op::Arrive { node, otherwise } if self.is_inlined(node, way.task) => {
                    let fail = self.block_of(otherwise, way);
                    let next = self.joined(node, Way { fail, ..way });
                    let values = way.known.all().map(|(_, value)| BlockArg::from(value));
                    self.at(block).ins().jump(next, &values.collect::<Vec<_>>());
                    return Ok(());
                }
                Op::Arrive { node, otherwise } => {
                    let (result, old) = self.call(block, node, way)?;
                    let otherwise = self.block_of(otherwise, way);
                    match way.task {
                        Task::Moves | Task::Words(_) => {
                            self.store_all(block, old);
                            self.branch(block, result, self.given_up, otherwise);
                        }
                        Task::Reach(_) => {
                            self.store_all(block, old);
                            self.branch_found(block, result, way.found, otherwise);
                        }
                        Task::Play(_) | Task::First => {
                            let missing = self.block();
                            self.branch_found(block, result, way.found, missing);
                            self.store_all(missing, old);
                            self.at(missing).ins().jump(otherwise, &[]);
                        }
                    }
                    return Ok(());
                }
                Op::Jump(address) => {
                    let next = self.block_of(address, way);
                    self.at(block).ins().jump(next, &[]);
                    return Ok(());
                }
                Op::Push(others) => way.fail = self.block_of(others, way),
                Op::Branch { first, end } => {
                    let mut next = way.fail;
                    for target in (first..end).rev() {
                        let target = self.all.parts.program.targets[target as usize];
                        next = self.block_of(target, Way { fail: next, ..way });
                    }
                    self.at(block).ins().jump(next, &[]);
                    return Ok(());
                }
                Op::Switch { register, first, least, span, otherwise } => {
                    let targets = &self.all.parts.program.targets;
                    let targets = &targets[first as usize..=(first + span) as usize];
                    let symbol = self.load(block, RegisterIndex::Constant(register));
                    return self.switch(block, (symbol, least), (targets, otherwise), way);
                }
                Op::Compare { left, right, equal, different } => {
                    let left = self.load(block, RegisterIndex::Constant(left));
                    return self.compare(block, left, right, (equal, different), way);
                }
                Op::CompareEntry { entry, with, equal, different } => {
                    let left = self.entry(block, entry);
                    return self.compare(block, left, with, (equal, different), way);
                }
                Op::CompareNested { base, entry, with, equal, different } => {
                    let key = self.entry(block, entry);
                    let place = self.behind(block, base, key);
                    let left = self.load(block, place);
                    return self.compare(block, left, with, (equal, different), way);
                }
                Op::CompareRow { length, equal, different } => {
                    let equal = self.block_of(equal, way);
                    let different = self.block_of(different, way);
                    self.compare_rows(block, length, way.locations, (equal, different))?;
                    return Ok(());
                }
                Op::Load { .. } | Op::LoadPair { .. } => self.load_temporary(block, op),
                Op::Offset { to, key, table } => {
                    let key = self.load(block, RegisterIndex::Constant(key));
                    let (next, offset) = self.offset(block, table, key);
                    block = next;
                    self.temporaries.insert(to, offset);
                }
                Op::Locate { which, base } => {
                    let is_constant = self.all.parts.program.constant_bases.contains(&base);
                    let number = self.at(block).ins().iconst(I32, i64::from(base as i32));
                    way.locations[usize::from(which & 1)] = Some(Location { number, is_constant });
                }
                Op::Advance { which, key, stride } => {
                    let location = located(way.locations[usize::from(which & 1)])?;
                    let key = self.load(block, RegisterIndex::Constant(key));
                    let mut cursor = self.at(block);
                    let stride = cursor.ins().iconst(I32, i64::from(stride as i32));
                    let distance = cursor.ins().imul(key, stride);
                    let number = cursor.ins().iadd(location.number, distance);
                    way.locations[usize::from(which & 1)] = Some(Location { number, ..location });
                }
                Op::LoadThere { to } => {
                    let symbol =
                        self.load(block, RegisterIndex::Computed(located(way.locations[0])?));
                    self.temporaries.insert(to, symbol);
                }
                Op::Move { .. } | Op::Store { .. } | Op::StoreThere { .. } | Op::CopyRow { .. }
                    if matches!(way.task, Task::Words(_))
                        && !self.all.parts.program.is_read_later(at - 1) => {}
                Op::Move { to, from } => {
                    let symbol = self.load(block, RegisterIndex::Constant(from));
                    self.assign(block, RegisterIndex::Constant(to), symbol, &mut way);
                }
                Op::Store { entry: Entry { base, key }, from } => {
                    let symbol = self.load(block, RegisterIndex::Constant(from));
                    let key = self.load(block, RegisterIndex::Constant(key));
                    let place = self.behind(block, base, key);
                    self.assign(block, place, symbol, &mut way);
                }
                Op::StoreThere { from } => {
                    let symbol = self.load(block, RegisterIndex::Constant(from));
                    self.assign(
                        block,
                        RegisterIndex::Computed(located(way.locations[0])?),
                        symbol,
                        &mut way,
                    );
                }
                Op::CopyRow { length } => {
                    self.copy_row(block, length, &mut way)?;
                }
                Op::Member { register, table } => {
                    let symbol = self.load(block, RegisterIndex::Constant(register));
                    (block, _) = self.offset(block, table, symbol);
                }
                Op::MemberRow { length, table } => {
                    if length > LONGEST_ROW {
                        return Err(NoCode::Rows);
                    }
                    for place in 0..length {
                        let from = located(way.locations[1])?;
                        let from = self.further(block, from, place);
                        let symbol = self.load(block, from);
                        (block, _) = self.offset(block, table, symbol);
                    }
                }
                Op::Any { .. } => match self.choose(block, at - 1, &mut way)? {
                    Some(next) => (block, at) = next,
                    None => return Ok(()),
                },
                Op::AnyThere { first, end } => {
                    let place = RegisterIndex::Computed(located(way.locations[0])?);
                    block = self.any(block, place, first..end, &mut way);
                }
                Op::Tag(_) | Op::TagVariable(_) => block = self.tag_of(block, op, &mut way)?,
                Op::Check { check, found, missing } => {
                    let Check { from, to } = self.all.parts.program.checks[check as usize];
                    let found = self.block_of(found, way);
                    if from == to {
                        self.at(block).ins().jump(found, &[]);
                        return Ok(());
                    }
                    let missing = self.block_of(missing, way);
                    self.begin_check(block, to);
                    let task = Task::Reach(to);
                    if self.is_inlined(from, task) {
                        let entry = self.all.parts.program.entries[from as usize];
                        let next = self.block_of(entry, Way { task, fail: missing, found, ..way });
                        self.at(block).ins().jump(next, &[]);
                        return Ok(());
                    }
                    let (result, old) = self.call(block, from, Way { task, ..way })?;
                    self.store_all(block, old);
                    self.branch_found(block, result, found, missing);
                    return Ok(());
                }
                Op::Finish { from, node } => {
                    if let Task::Words(_) = way.task {
                        self.finish_word(block, way);
                        return Ok(());
                    }
                    if let Task::Play(_) | Task::First = way.task {
                        return self.finish_play(block, (node, from), way);
                    }
                    let player = self.load(block, RegisterIndex::Constant(from));
                    self.assign(block, RegisterIndex::Constant(PLAYER), player, &mut way);
                    if way.task == Task::Moves {
                        self.finish(block, node, way);
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The distance of the entry of a symbol from the beginning of its map. The code gives up if
    /// there is none. Also returns the block to go on in.
    fn offset(&mut self, block: Block, table: Table, symbol: Value) -> (Block, Value) {
        let constants = self.flags(Region::Constants);
        let (look, next, given_up) = (self.block(), self.block(), self.given_up);
        let offsets = self.all.parts.tables.offsets[table.first as usize..].as_ptr() as i64;
        let mut cursor = self.at(block);
        let least = cursor.ins().iconst(I32, -i64::from(table.least));
        let distance = cursor.ins().iadd(symbol, least);
        let span = cursor.ins().iconst(I32, i64::from(table.span as i32));
        let is_in = cursor.ins().icmp(IntCC::UnsignedLessThanOrEqual, distance, span);
        if table.dense {
            cursor.ins().brif(is_in, next, &[], given_up, &[]);
            self.at(look).ins().jump(given_up, &[]);
            return (next, distance);
        }
        cursor.ins().brif(is_in, look, &[], given_up, &[]);
        let mut cursor = self.at(look);
        let offsets = cursor.ins().iconst(I64, offsets);
        let wide = cursor.ins().uextend(I64, distance);
        let two = cursor.ins().iconst(I64, 2);
        let bytes = cursor.ins().ishl(wide, two);
        let address = cursor.ins().iadd(offsets, bytes);
        let offset = cursor.ins().load(I32, constants, address, 0);
        let absent = cursor.ins().iconst(I32, i64::from(ABSENT as i32));
        let is_absent = cursor.ins().icmp(IntCC::Equal, offset, absent);
        cursor.ins().brif(is_absent, given_up, &[], next, &[]);
        (next, offset)
    }

    /// The reference by which the current function calls another.
    pub(super) fn reference(&mut self, id: FuncId) -> FuncRef {
        let Function { calls, module, ir, .. } = self;
        *calls.entry(id).or_insert_with(|| module.declare_func_in_func(id, ir))
    }

    /// Calls the function of a landmark for the task of a walk, with all values that it needs in
    /// their registers. Returns its result, and the values that were in these registers.
    pub(super) fn call(
        &mut self,
        block: Block,
        node: NodeId,
        mut way: Way,
    ) -> Result<(Value, Vec<(Register, Value)>), NoCode> {
        if self.all.taken(node, way.task) != way.task {
            self.count_taken(block, &mut way);
        }
        let key = (node, way.task);
        let id = self.all.wanted(self.module, key)?;
        let function = self.reference(id);
        let needed: Vec<(Register, Value)> =
            way.known.all().filter(|&(register, _)| self.all.needs(key, register)).collect();
        let old = needed.iter().map(|&(register, _)| (register, self.fetch(block, register)));
        let old = old.collect();
        self.store_all(block, needed);
        let (registers, context, depth) = (self.registers, self.context, self.depth);
        let mut cursor = self.at(block);
        let one = cursor.ins().iconst(I64, 1);
        let deeper = cursor.ins().iadd(depth, one);
        let call = cursor
            .ins()
            .call(function, &[registers, context, way.tags, way.changes, deeper, way.words]);
        Ok((self.ir.dfg.inst_results(call)[0], old))
    }

    /// Writes the end of a move.
    fn finish(&mut self, block: Block, node: NodeId, way: Way) {
        let id = self.all.finish;
        let function = self.reference(id);
        let context = self.context;
        let mut cursor = self.at(block);
        let node = cursor.ins().iconst(I32, i64::from(node));
        let call = cursor.ins().call(function, &[context, node, way.tags, way.changes]);
        let result = self.ir.dfg.inst_results(call)[0];
        self.branch(block, result, self.given_up, way.fail);
    }
}
