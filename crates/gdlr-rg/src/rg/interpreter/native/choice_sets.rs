//! Sets of choices that are kept from one move to the next.
//!
//! In many games a move is a choice of one symbol for which a comparison holds, such as any empty
//! square. To try all squares at each move would be most of the work of a random playout. So a
//! playout keeps the set of these squares, as bits. A move assigns to few entries of the board, and
//! only their bits change. (RBG calls moves *monotonic* that stay legal until they are made, and keeps
//! them in its compiled code.)

use super::branches::Filter;
use super::code::Parts;
use super::function::Function;
use super::functions::Task;
use super::host::Context;
use super::registers::{Region, RegisterIndex};
use crate::rg::interpreter::program::{FAIL, NodeId, Op, Register, Symbol};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder};
use hashbrown::HashMap;
use std::mem::offset_of;

/// The greatest number of assignments of a move to entries of maps that a playout looks at.
pub(super) const MOST_ASSIGNED: usize = 64;

/// The least number of symbols of a set. To try fewer symbols takes less time than to keep a set.
const FEWEST: usize = 9;

/// The sets of a program.
#[derive(Default)]
pub(super) struct ChoiceSets {
    sets: Vec<ChoiceSet>,
    by_node: HashMap<NodeId, u32>,
}

/// The symbols of an any-assignment for which a comparison of an entry with a symbol holds.
#[derive(PartialEq)]
struct ChoiceSet {
    symbols: Box<[Symbol]>,
    /// By symbol: the entry that is compared.
    registers: Box<[Register]>,
    wanted: Symbol,
    equal: bool,
    /// The least register, and by distance from it: the place of its symbol.
    least: Register,
    places: Box<[Option<u32>]>,
}

impl ChoiceSets {
    /// The sets of the nodes where moves begin.
    pub fn of(parts: &Parts<'_>) -> ChoiceSets {
        let mut sets = ChoiceSets::default();
        for node in parts.program.starts() {
            let Some(set) = ChoiceSet::of(parts, node) else { continue };
            let known = sets.sets.iter().position(|other| *other == set);
            let number = known.unwrap_or(sets.sets.len());
            if known.is_none() {
                sets.sets.push(set);
            }
            sets.by_node.insert(node, number as u32);
        }
        sets
    }

    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The number of the set of a node.
    pub fn number(&self, node: NodeId) -> Option<u32> {
        self.by_node.get(&node).copied()
    }
}

impl ChoiceSet {
    /// The set of a node whose moves are a choice of one symbol, and nothing else.
    fn of(parts: &Parts<'_>, node: NodeId) -> Option<ChoiceSet> {
        let program = parts.program;
        let at = program.entries[node as usize];
        let [any, _, tag, finish] = program.code.get(at as usize..)?.first_chunk()?;
        let Op::Any { register, first, end, filtered: true, named: true } = *any else {
            return None;
        };
        let is_alone = matches!(*tag, Op::TagVariable(tagged) if tagged == register);
        if at == FAIL || !is_alone || !matches!(finish, Op::Finish { .. }) {
            return None;
        }
        let symbols = &program.choices[first as usize..end as usize];
        if symbols.len() < FEWEST {
            return None;
        }
        let Filter { left, maps, right, equal } = program.filter(at + 1)?;
        let kinds = &parts.kinds;
        let entry = |symbol: Symbol| program.compared_entry(maps, symbol);
        let is_simple = left == register && kinds.is_alone(register) && kinds.is_constant(right);
        let entries = symbols.iter().map(|&symbol| entry(symbol).filter(|_| is_simple));
        let registers: Box<[Register]> = entries.collect::<Option<_>>()?;
        let (least, greatest) = (*registers.iter().min()?, *registers.iter().max()?);
        if greatest as usize >= program.variables {
            return None;
        }
        let mut places = vec![None; (greatest - least) as usize + 1];
        for (&register, place) in registers.iter().zip(0..) {
            // Two symbols with the same entry would have one bit.
            if places[(register - least) as usize].replace(place).is_some() {
                return None;
            }
        }
        let (symbols, wanted) = (symbols.into(), program.registers[right as usize]);
        Some(ChoiceSet { symbols, registers, wanted, equal, least, places: places.into() })
    }

    fn holds(&self, register: Register, registers: &[Symbol]) -> bool {
        (registers[register as usize] == self.wanted) == self.equal
    }
}

/// The sets of the state of a playout.
#[derive(Clone, Debug, Default)]
pub(super) struct CurrentSets(Vec<CurrentSet>);

/// The members of a set.
#[derive(Clone, Debug, Default)]
struct CurrentSet {
    /// Whether the bits are those of the current state.
    is_current: bool,
    /// By place of a symbol.
    bits: Vec<u64>,
    /// By word of bits: the number of members.
    counts: Vec<u32>,
    count: usize,
}

impl CurrentSets {
    /// Forgets the state before.
    pub fn forget(&mut self, sets: &ChoiceSets) {
        self.0.resize_with(sets.sets.len(), CurrentSet::default);
        self.0.iter_mut().for_each(|set| set.is_current = false);
    }

    /// Changes the sets after assignments to some registers.
    pub fn update(&mut self, sets: &ChoiceSets, assigned: &[Register], registers: &[Symbol]) {
        for (current, set) in self.0.iter_mut().zip(&sets.sets).filter(|(it, _)| it.is_current) {
            for &register in assigned {
                let distance = register.wrapping_sub(set.least) as usize;
                if let Some(&Some(place)) = set.places.get(distance) {
                    current.put(place as usize, set.holds(register, registers));
                }
            }
        }
    }

    /// The number of members of a set.
    pub fn count(&mut self, sets: &ChoiceSets, number: u32, registers: &[Symbol]) -> usize {
        let number = number as usize;
        let (current, set) = (&mut self.0[number], &sets.sets[number]);
        if !current.is_current {
            *current = CurrentSet::default();
            let words = set.symbols.len().div_ceil(64);
            (current.bits, current.counts) = (vec![0; words], vec![0; words]);
            for (place, &register) in set.registers.iter().enumerate() {
                current.put(place, set.holds(register, registers));
            }
            current.is_current = true;
        }
        current.count
    }

    /// A member of a set, by its number among all members.
    pub fn member(&self, sets: &ChoiceSets, number: u32, index: usize) -> Symbol {
        let number = number as usize;
        sets.sets[number].symbols[self.0[number].place(index)]
    }
}

impl CurrentSet {
    fn put(&mut self, place: usize, is_member: bool) {
        let (word, bit) = (place / 64, place % 64);
        let was_member = self.bits[word] >> bit & 1 != 0;
        if is_member != was_member {
            self.bits[word] ^= 1 << bit;
            let change = if is_member { 1 } else { -1 };
            self.counts[word] = self.counts[word].wrapping_add_signed(change);
            self.count = self.count.wrapping_add_signed(change as isize);
        }
    }

    /// The place of a member.
    fn place(&self, index: usize) -> usize {
        let (mut word, mut left) = (0, index as u32);
        while left >= self.counts[word] {
            left -= self.counts[word];
            word += 1;
        }
        let (mut bits, mut place) = (self.bits[word], 64 * word);
        for half in [32, 16, 8, 4, 2, 1] {
            let below = (bits & ((1 << half) - 1)).count_ones();
            if left >= below {
                left -= below;
                bits >>= half;
                place += half;
            }
        }
        place
    }
}

impl Function<'_, '_> {
    /// Tells the playout which entry of a map a move assigns to.
    pub(super) fn tell(&mut self, block: Block, place: RegisterIndex, task: Task) {
        if !matches!(task, Task::Play(_) | Task::First) || !self.all.parts.has_choice_sets {
            return;
        }
        let (flags, lists) = (self.flags(Region::Context), self.flags(Region::Lists));
        let context = self.context;
        let mut cursor = self.at(block);
        let number = match place {
            RegisterIndex::Constant(register) => {
                cursor.ins().iconst(I32, i64::from(register as i32))
            }
            RegisterIndex::Computed(location) => location.number,
        };
        let (end, last) = (offset_of!(Context, assigned), offset_of!(Context, last_assigned));
        let last = cursor.ins().load(I64, flags, context, last as i32);
        let next = cursor.ins().load(I64, flags, context, end as i32);
        cursor.ins().store(lists, number, next, 0);
        let four = cursor.ins().iconst(I64, 4);
        let behind = cursor.ins().iadd(next, four);
        // A full list stays at its last place.
        let is_room = cursor.ins().icmp(IntCC::UnsignedLessThan, next, last);
        let behind = cursor.ins().select(is_room, behind, next);
        cursor.ins().store(flags, behind, context, end as i32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_by_their_number() {
        let mut set = CurrentSet { bits: vec![0; 3], counts: vec![0; 3], ..CurrentSet::default() };
        let mut members = [1, 0, 63, 64, 100, 127, 150, 190];
        members.iter().for_each(|&place| set.put(place, true));
        set.put(150, false);
        set.put(151, false);
        set.put(150, true);
        set.put(150, true);
        members.sort_unstable();
        assert_eq!(set.count, members.len());
        assert_eq!(set.counts, [3, 3, 2]);
        let found: Vec<usize> = (0..set.count).map(|index| set.place(index)).collect();
        assert_eq!(found, members);
    }
}
