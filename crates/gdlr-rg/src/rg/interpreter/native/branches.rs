//! Comparisons, and jumps that depend on a value.

use super::code::Parts;
use super::function::{Function, LONGEST_ROW, Way, located};
use super::host::FOUND;
use super::registers::{Kinds, Location, RegisterIndex};
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{Address, FAIL, Op, Program, Register, Symbol};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I32, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, JumpTableData, Value};

/// The greatest number of sets of symbols that are tested one after the other, in place of a jump to
/// an address in a table, which a processor guesses worse.
const MOST_TESTED: usize = 2;

/// The greatest number of comparisons that are made with the one before them. A processor guesses one
/// branch better than several, and more comparisons rarely matter.
const MOST_EARLY: usize = 2;

/// A comparison that a walk must pass.
#[derive(Clone, Copy)]
pub(super) struct Filter {
    /// The register on the left side.
    pub left: Register,
    /// The maps in which the symbol is looked up, one after the other.
    pub maps: [Option<Register>; 2],
    pub right: Register,
    /// Whether both symbols must be equal, or different.
    pub equal: bool,
}

/// A comparison behind another.
struct Next {
    filter: Filter,
    /// The address to go on at if it holds.
    at: Address,
}

impl Program {
    /// The comparison at an address, if walks end there or go on behind it.
    pub(super) fn filter(&self, at: Address) -> Option<Filter> {
        let (filter, targets) = self.compared(at)?;
        let equal = targets == (at + 1, FAIL);
        let different = targets == (FAIL, at + 1);
        (equal || different).then_some(Filter { equal, ..filter })
    }

    /// The comparison at an address, and where to go on if both symbols are equal, and if not.
    fn compared(&self, at: Address) -> Option<(Filter, (Address, Address))> {
        let (left, maps, right, targets) = match self.code[at as usize] {
            Op::Compare { left, right, equal, different } => {
                (left, [None, None], right, (equal, different))
            }
            Op::CompareEntry { entry, with, equal, different } => {
                (entry.key, [Some(entry.base), None], with, (equal, different))
            }
            Op::CompareNested { base, entry, with, equal, different } => {
                (entry.key, [Some(entry.base), Some(base)], with, (equal, different))
            }
            _ => return None,
        };
        Some((Filter { left, maps, right, equal: true }, targets))
    }

    /// The comparison at an address, if the walk goes on at `otherwise` where it does not hold.
    fn next_comparison(&self, mut at: Address, otherwise: Address) -> Option<Next> {
        while let Op::Jump(next) = self.code[at as usize] {
            at = next;
        }
        let (filter, (equal, different)) = self.compared(at)?;
        match otherwise {
            _ if otherwise == different => Some(Next { filter, at: equal }),
            _ if otherwise == equal => {
                Some(Next { filter: Filter { equal: false, ..filter }, at: different })
            }
            _ => None,
        }
    }
}

impl Program {
    /// The entry of the last map that a filter looks up for a symbol, if the maps before are constants.
    pub(super) fn compared_entry(
        &self,
        maps: [Option<Register>; 2],
        symbol: Symbol,
    ) -> Option<Register> {
        match maps {
            [Some(map), None] => Some(map.wrapping_add(symbol)),
            [Some(inner), Some(map)] if self.constant_bases.contains(&inner) => {
                let key = self.registers.get(inner.wrapping_add(symbol) as usize)?;
                Some(map.wrapping_add(*key))
            }
            _ => None,
        }
    }

    /// The symbols of an any-assignment that pass the comparison behind it, if constants alone decide
    /// it.
    pub(super) fn narrowed(&self, op: &Op, at: Address, kinds: &Kinds) -> Option<Vec<Symbol>> {
        let Op::Any { register, first, end, filtered: true, .. } = *op else { return None };
        let Filter { left, maps, right, equal } = self.filter(at + 1)?;
        let last_map = maps.into_iter().flatten().last()?;
        let is_constant = self.constant_bases.contains(&last_map) && kinds.is_constant(right);
        if left != register || !kinds.is_alone(register) || !is_constant {
            return None;
        }
        let wanted = self.registers[right as usize];
        let passes = |&symbol: &Symbol| {
            let entry = self.compared_entry(maps, symbol)?;
            Some((*self.registers.get(entry as usize)? == wanted) == equal)
        };
        let symbols = &self.choices[first as usize..end as usize];
        let passed: Vec<bool> = symbols.iter().map(passes).collect::<Option<_>>()?;
        Some(symbols.iter().copied().zip(passed).filter(|it| it.1).map(|it| it.0).collect())
    }
}

impl Function<'_, '_> {
    /// As [`Function::holds`], for a symbol that is known when the code is written.
    pub(super) fn holds_for(
        &mut self,
        block: Block,
        (register, symbol): (Register, Symbol),
        filter: Filter,
    ) -> Value {
        let program = self.all.parts.program;
        let entry = program.compared_entry(filter.maps, symbol).filter(|_| filter.left == register);
        match entry {
            Some(left) if filter.right != register => {
                self.holds(block, None, Filter { left, maps: [None; 2], ..filter })
            }
            _ => {
                let symbol = self.at(block).ins().iconst(I32, i64::from(symbol));
                self.holds(block, Some((register, symbol)), filter)
            }
        }
    }

    /// Whether a comparison holds if a register has the symbol that is `chosen`, which is not in the
    /// register.
    pub(super) fn holds(
        &mut self,
        block: Block,
        chosen: Option<(Register, Value)>,
        Filter { left, maps, right, equal }: Filter,
    ) -> Value {
        let [mut left, right] = [left, right].map(|other| match chosen {
            Some((register, symbol)) if register == other => symbol,
            _ => self.load(block, RegisterIndex::Constant(other)),
        });
        for base in maps.into_iter().flatten() {
            let place = self.behind(block, base, left);
            left = self.load(block, place);
        }
        let code = if equal { IntCC::Equal } else { IntCC::NotEqual };
        self.at(block).ins().icmp(code, left, right)
    }

    /// Branches on whether two symbols are equal. Comparisons of known registers that follow are made
    /// at once.
    pub(super) fn compare(
        &mut self,
        block: Block,
        left: Value,
        right: Register,
        (equal, different): (Address, Address),
        way: Way,
    ) -> Result<(), NoCode> {
        let right = self.load(block, RegisterIndex::Constant(right));
        let [same, other] = [IntCC::Equal, IntCC::NotEqual];
        for (code, at, otherwise) in [(same, equal, different), (other, different, equal)] {
            let (mut at, mut also) = (at, Vec::new());
            while also.len() < MOST_EARLY
                && let Some(next) = self.early(at, otherwise)
            {
                also.push(next.filter);
                at = next.at;
            }
            let is_leaf = self.is_leaf((at, otherwise), way);
            if !is_leaf && also.is_empty() {
                continue;
            }
            let mut holds = self.at(block).ins().icmp(code, left, right);
            for filter in also {
                let other = self.holds(block, None, filter);
                holds = self.at(block).ins().band(holds, other);
            }
            if is_leaf {
                return self.leaf(block, holds, at, way);
            }
            let (next, otherwise) = (self.block_of(at, way), self.block_of(otherwise, way));
            self.branch(block, holds, next, otherwise);
            return Ok(());
        }
        let (equal, different) = (self.block_of(equal, way), self.block_of(different, way));
        let same = self.at(block).ins().icmp(IntCC::Equal, left, right);
        self.branch(block, same, equal, different);
        Ok(())
    }

    /// The comparison at an address whose symbols are in registers of known numbers, if the walk goes on
    /// at `otherwise` where it does not hold. Its code has no more than two loads.
    fn early(&self, at: Address, otherwise: Address) -> Option<Next> {
        let Parts { program, kinds, .. } = self.all.parts;
        let next = program.next_comparison(at, otherwise)?;
        let Filter { left, maps, .. } = next.filter;
        let left = match maps {
            [None, None] => left,
            _ if kinds.is_constant(left) => {
                program.compared_entry(maps, program.registers[left as usize])?
            }
            _ => return None,
        };
        // A comparison before may tell that there is such an entry.
        let is_entry = (left as usize) < program.registers.len();
        is_entry.then_some(Next { filter: Filter { left, maps: [None; 2], ..next.filter }, ..next })
    }

    pub(super) fn compare_rows(
        &mut self,
        block: Block,
        length: u32,
        [left, right]: [Option<Location>; 2],
        (equal, different): (Block, Block),
    ) -> Result<(), NoCode> {
        if length > LONGEST_ROW {
            return Err(NoCode::Rows);
        }
        let (left, right) = (located(left)?, located(right)?);
        let mut block = block;
        for place in 0..length {
            let [left, right] = [left, right].map(|row| {
                let place = self.further(block, row, place);
                self.load(block, place)
            });
            let next = self.block();
            let mut cursor = self.at(block);
            let same = cursor.ins().icmp(IntCC::Equal, left, right);
            cursor.ins().brif(same, next, &[], different, &[]);
            block = next;
        }
        self.at(block).ins().jump(equal, &[]);
        Ok(())
    }

    pub(super) fn branch(&mut self, block: Block, condition: Value, yes: Block, no: Block) {
        self.at(block).ins().brif(condition, yes, &[], no, &[]);
    }

    /// Branches on the result of a function that looks for a node.
    pub(super) fn branch_found(
        &mut self,
        block: Block,
        result: Value,
        found: Block,
        missing: Block,
    ) {
        let some = self.block();
        self.branch(block, result, some, missing);
        let given_up = self.given_up;
        let mut cursor = self.at(some);
        let one = cursor.ins().iconst(I32, FOUND);
        let is_found = cursor.ins().icmp(IntCC::Equal, result, one);
        cursor.ins().brif(is_found, found, &[], given_up, &[]);
    }

    /// Branches on a symbol: `targets` has the addresses for the symbols from `least` on.
    pub(super) fn switch(
        &mut self,
        block: Block,
        (symbol, least): (Value, Symbol),
        (targets, otherwise): (&[Address], Address),
        way: Way,
    ) -> Result<(), NoCode> {
        let program = self.all.parts.program;
        // Targets with the same code, and the symbols that go there.
        let mut different: Vec<(Address, u64)> = Vec::new();
        for (&target, place) in targets.iter().zip(0..u64::BITS) {
            match different.iter_mut().find(|it| program.is_same_place(it.0, target)) {
                _ if program.is_same_place(target, otherwise) => {}
                Some((_, symbols)) => *symbols |= 1 << place,
                None => different.push((target, 1 << place)),
            }
        }
        if different.len() <= MOST_TESTED && targets.len() <= u64::BITS as usize {
            let mut block = block;
            for &(target, symbols) in &different {
                let holds = self.is_among(block, (symbol, least), symbols);
                if different.len() == 1 && self.is_leaf((target, otherwise), way) {
                    return self.leaf(block, holds, target, way);
                }
                let (found, next) = (self.block_of(target, way), self.block());
                self.branch(block, holds, found, next);
                block = next;
            }
            let otherwise = self.block_of(otherwise, way);
            self.at(block).ins().jump(otherwise, &[]);
            return Ok(());
        }
        let none: [&BlockArg; 0] = [];
        let mut call = |at| {
            let block = self.block_of(at, way);
            self.ir.dfg.block_call(block, none)
        };
        let calls: Vec<_> = targets.iter().map(|&at| call(at)).collect();
        let otherwise = call(otherwise);
        let table = self.ir.dfg.jump_tables.push(JumpTableData::new(otherwise, &calls));
        let mut cursor = self.at(block);
        let least = cursor.ins().iconst(I32, -i64::from(least));
        let distance = cursor.ins().iadd(symbol, least);
        cursor.ins().br_table(distance, table);
        Ok(())
    }

    /// Whether a symbol is in a set: its distance from `least` is that of a bit.
    fn is_among(&mut self, block: Block, (symbol, least): (Value, Symbol), set: u64) -> Value {
        let mut cursor = self.at(block);
        if set.count_ones() <= 2 {
            let mut equal = |place: u32| {
                let member = cursor.ins().iconst(I32, i64::from(least + place));
                cursor.ins().icmp(IntCC::Equal, symbol, member)
            };
            let (first, last) = (set.trailing_zeros(), u64::BITS - 1 - set.leading_zeros());
            let one = equal(first);
            if first == last {
                return one;
            }
            let other = equal(last);
            return cursor.ins().bor(one, other);
        }
        let least = cursor.ins().iconst(I32, -i64::from(least));
        let distance = cursor.ins().iadd(symbol, least);
        let count = cursor.ins().iconst(I32, i64::from(u64::BITS - set.leading_zeros()));
        let is_near = cursor.ins().icmp(IntCC::UnsignedLessThan, distance, count);
        let set = cursor.ins().iconst(I64, set as i64);
        let bits = cursor.ins().ushr(set, distance);
        let bit = cursor.ins().ireduce(I8, bits);
        let one = cursor.ins().iconst(I8, 1);
        let bit = cursor.ins().band(bit, one);
        cursor.ins().band(bit, is_near)
    }
}
