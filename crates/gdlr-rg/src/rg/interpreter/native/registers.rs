//! Code that reads registers of a search, assigns to them, and restores them.

use super::function::{Function, LONGEST_ROW, Way, located};
use super::functions::Task;
use crate::rg::interpreter::error::NoCode;
use crate::rg::interpreter::program::{Entry, Op, Program, Register};
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AliasRegionData, Block, InstBuilder, MemFlagsData, Value};

/// The greatest number of variables of a walk whose values are kept back. There are few registers in
/// a processor.
const MOST_KNOWN: usize = 8;

/// A register.
#[derive(Clone, Copy)]
pub(super) enum RegisterIndex {
    /// The register of a number.
    Constant(Register),
    /// An entry of a map, whose number the code computes.
    Computed(Location),
}

/// The number of an entry of a map.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Location {
    pub number: Value,
    /// Whether the map is a constant.
    pub is_constant: bool,
}

/// The values of some variables.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Known([Option<(Register, Value)>; MOST_KNOWN]);

impl Known {
    pub fn all(self) -> impl Iterator<Item = (Register, Value)> {
        self.0.into_iter().flatten()
    }

    fn get(self, register: Register) -> Option<Value> {
        self.all().find(|known| known.0 == register).map(|known| known.1)
    }

    /// The same variables, for walks that differ in their values alone.
    pub fn without_values(self) -> Known {
        let none = Value::from_u32(0);
        Known(self.0.map(|known| known.map(|(register, _)| (register, none))))
    }

    /// The place for a register: its own, or the first free one.
    fn place(&self, register: Register) -> Option<usize> {
        let is_free = |known: &Option<(Register, Value)>| match known {
            Some((other, _)) => *other == register,
            None => true,
        };
        self.0.iter().position(is_free)
    }

    fn has_room(&self, register: Register) -> bool {
        self.place(register).is_some()
    }

    pub fn set(&mut self, register: Register, value: Value) {
        if let Some(place) = self.place(register) {
            self.0[place] = Some((register, value));
        }
    }
}

/// Parts of the memory that have no address in common. Cranelift keeps the value of an address until
/// code writes to the same part.
#[derive(Clone, Copy)]
pub(super) enum Region {
    /// The context of a search.
    Context,
    /// The entries of variables that are maps.
    Maps,
    /// The entries of constants, and tables. Code only reads them. It must not read them earlier
    /// than it says, because a comparison before may tell that there is such an entry.
    Constants,
    /// The lists that code appends to, and the marks of checks.
    Lists,
    /// A register that no entry of a map has.
    Register(Register),
}

/// The registers that code reads and writes by their numbers alone.
pub(super) struct Kinds {
    /// By register: whether no entry of a map has its number.
    alone: Vec<bool>,
    /// By register: whether nothing assigns to it.
    constant: Vec<bool>,
    /// By register: whether it is a temporary.
    temporary: Vec<bool>,
}

impl Kinds {
    pub fn of(program: &Program) -> Kinds {
        let count = program.registers.len();
        let (alone, constant, temporary) =
            (vec![false; count], vec![true; count], vec![false; count]);
        let mut kinds = Kinds { alone, constant, temporary };
        kinds.constant[..program.variables].fill(false);
        for scalar in &program.scalars {
            kinds.alone[scalar.register as usize] = true;
        }
        for &register in &program.temporaries {
            kinds.temporary[register as usize] = true;
            kinds.constant[register as usize] = false;
        }
        for op in &program.code {
            if let Op::Locate { base, .. } = *op
                && let Some(alone) = kinds.alone.get_mut(base as usize)
            {
                *alone = false;
            }
        }
        kinds
    }

    pub fn is_alone(&self, register: Register) -> bool {
        self.alone[register as usize]
    }

    fn is_temporary(&self, register: Register) -> bool {
        self.temporary[register as usize]
    }

    pub fn is_constant(&self, register: Register) -> bool {
        self.constant[register as usize]
    }
}

impl Function<'_, '_> {
    /// The flags of an access to a part of the memory.
    pub(super) fn flags(&mut self, region: Region) -> MemFlagsData {
        let id = match region {
            Region::Context => 0,
            Region::Maps => 1,
            Region::Constants => 2,
            Region::Lists => 3,
            Region::Register(register) => register + 4,
        };
        let data = AliasRegionData { user_id: id, description: "".into() };
        let region = self.ir.dfg.alias_regions.insert(data);
        MemFlagsData::trusted().with_alias_region(Some(region))
    }

    /// The part of the memory that a register is in.
    fn region(&self, place: RegisterIndex) -> Region {
        match place {
            RegisterIndex::Constant(register) if self.all.parts.kinds.is_alone(register) => {
                Region::Register(register)
            }
            RegisterIndex::Computed(Location { is_constant: true, .. }) => Region::Constants,
            _ => Region::Maps,
        }
    }

    /// The entry with the number `base` plus the symbol in `key`.
    pub(super) fn behind(&mut self, block: Block, base: Register, key: Value) -> RegisterIndex {
        let is_constant = self.all.parts.program.constant_bases.contains(&base);
        let mut cursor = self.at(block);
        let base = cursor.ins().iconst(I32, i64::from(base as i32));
        RegisterIndex::Computed(Location { number: cursor.ins().iadd(base, key), is_constant })
    }

    pub(super) fn further(&mut self, block: Block, location: Location, by: u32) -> RegisterIndex {
        let mut cursor = self.at(block);
        let by = cursor.ins().iconst(I32, i64::from(by));
        let number = cursor.ins().iadd(location.number, by);
        RegisterIndex::Computed(Location { number, ..location })
    }

    /// An address, and the distance from it in bytes.
    pub(super) fn address(&mut self, block: Block, place: RegisterIndex) -> (Value, i32) {
        match place {
            RegisterIndex::Constant(register) => (self.registers, register as i32 * 4),
            RegisterIndex::Computed(Location { number, .. }) => {
                let registers = self.registers;
                let mut cursor = self.at(block);
                let wide = cursor.ins().uextend(I64, number);
                let two = cursor.ins().iconst(I64, 2);
                let bytes = cursor.ins().ishl(wide, two);
                (cursor.ins().iadd(registers, bytes), 0)
            }
        }
    }

    /// The value of a register, or of an entry of a map.
    pub(super) fn load(&mut self, block: Block, place: RegisterIndex) -> Value {
        if let RegisterIndex::Constant(register) = place {
            if self.all.parts.kinds.is_constant(register) {
                let symbol = self.all.parts.program.registers[register as usize];
                return self.at(block).ins().iconst(I32, i64::from(symbol));
            }
            if self.all.parts.kinds.is_temporary(register) {
                let value = self.temporaries.get(&register).copied();
                self.lost |= value.is_none();
                return value.unwrap_or_else(|| self.fetch(block, register));
            }
            if let Some(value) = self.known.get(register) {
                return value;
            }
        }
        self.fetch_from(block, place)
    }

    /// Loads an entry to a temporary.
    pub(super) fn load_temporary(&mut self, block: Block, op: Op) {
        let (to, symbol) = match op {
            Op::Load { to, entry } => (to, self.entry(block, entry)),
            Op::LoadPair { to, base, first, stride, second } => {
                let first = self.load(block, RegisterIndex::Constant(first));
                let second = self.load(block, RegisterIndex::Constant(second));
                let mut cursor = self.at(block);
                let stride = cursor.ins().iconst(I32, i64::from(stride as i32));
                let row = cursor.ins().imul(first, stride);
                let key = cursor.ins().iadd(row, second);
                let place = self.behind(block, base, key);
                (to, self.load(block, place))
            }
            _ => return,
        };
        self.temporaries.insert(to, symbol);
    }

    /// The value in a register.
    pub(super) fn fetch(&mut self, block: Block, register: Register) -> Value {
        self.fetch_from(block, RegisterIndex::Constant(register))
    }

    fn fetch_from(&mut self, block: Block, place: RegisterIndex) -> Value {
        let flags = self.flags(self.region(place));
        let (address, distance) = self.address(block, place);
        self.at(block).ins().load(I32, flags, address, distance)
    }

    /// Stores values in their registers.
    pub(super) fn store_all(&mut self, block: Block, values: Vec<(Register, Value)>) {
        for (register, value) in values {
            self.store(block, RegisterIndex::Constant(register), value);
        }
    }

    /// Whether an assignment to a register keeps the value in a register of the processor. The
    /// registers of the program then hold the values at the beginning of the function, so that
    /// nothing has to be restored.
    pub(super) fn is_kept_back(&self, place: RegisterIndex, task: Task) -> bool {
        match place {
            RegisterIndex::Constant(register) => {
                task != Task::Moves
                    && self.all.parts.kinds.is_alone(register)
                    && self.known.has_room(register)
            }
            RegisterIndex::Computed(_) => false,
        }
    }

    pub(super) fn store(&mut self, block: Block, place: RegisterIndex, symbol: Value) {
        let flags = self.flags(self.region(place));
        let (address, distance) = self.address(block, place);
        self.at(block).ins().store(flags, symbol, address, distance);
    }

    pub(super) fn entry(&mut self, block: Block, Entry { base, key }: Entry) -> Value {
        let key = self.load(block, RegisterIndex::Constant(key));
        let place = self.behind(block, base, key);
        self.load(block, place)
    }

    /// Appends a number to a list. Returns the new end of the list.
    pub(super) fn append(&mut self, block: Block, end: Value, number: Value) -> Value {
        self.appended += 1;
        let flags = self.flags(Region::Lists);
        let mut cursor = self.at(block);
        cursor.ins().store(flags, number, end, 0);
        let four = cursor.ins().iconst(I64, 4);
        cursor.ins().iadd(end, four)
    }

    /// Records an assignment in a search for moves.
    pub(super) fn log(&mut self, block: Block, place: RegisterIndex, way: &mut Way) {
        if way.task == Task::Moves {
            let number = match place {
                RegisterIndex::Constant(register) => {
                    self.at(block).ins().iconst(I32, i64::from(register as i32))
                }
                RegisterIndex::Computed(location) => location.number,
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
        if let Task::Reach(_) = way.task {
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
        if let RegisterIndex::Constant(register) = place
            && self.is_kept_back(place, way.task)
        {
            way.known.set(register, symbol);
            self.known = way.known;
            return;
        }
        let old = self.load(block, place);
        self.store(block, place, symbol);
        self.log(block, place, way);
        self.tell(block, place, way.task);
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
