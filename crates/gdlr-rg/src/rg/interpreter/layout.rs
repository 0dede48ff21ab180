//! Assigns numbers to symbols, and registers to variables and constants.

use super::program::{ABSENT, Register, Symbol, Table};
use crate::rg::ast::{Description, Type, Value};
use crate::rg::constants::in_order;
use crate::rg::name::Name;
use crate::rg::types::{SetId, Ty, Types};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::HashMap;
use std::cmp::Reverse;

/// The greatest number of registers.
pub(crate) const MAX_REGISTERS: usize = 1 << 22;

/// The greatest number of offsets of symbols in sets.
const MAX_OFFSETS: usize = 1 << 24;

/// A variable or constant: its first register, and its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub base: Register,
    pub ty: Ty,
}

/// Symbols, types and registers of a description.
pub(super) struct RegisterLayout {
    pub types: Types,
    /// The names of the symbols, by number.
    pub symbols: Vec<Name>,
    numbers: HashMap<Name, Symbol>,
    pub constants: HashMap<Name, Item>,
    pub variables: HashMap<Name, Item>,
    /// The content of the registers at the beginning.
    pub registers: Vec<Symbol>,
    /// The number of registers that belong to variables.
    pub state: usize,
    pub offsets: Vec<u32>,
    tables: HashMap<(SetId, usize), Table>,
    literals: HashMap<Symbol, Register>,
    defaults: HashMap<Name, Register>,
    /// The registers that [`RegisterLayout::row`] has made, by base and first offset of the table.
    rows: HashMap<(Register, u32), Register>,
    /// The tables that [`RegisterLayout::loose_table`] has made, by set, stride, type of the key, and
    /// default.
    loose: HashMap<(SetId, usize, SetId, u32), Table>,
    /// The edge that is being compiled.
    pub place: Span,
    pub problems: Vec<Diagnostic>,
}

impl RegisterLayout {
    /// The layout of a description in which the checks find no error.
    pub fn new(description: &Description) -> RegisterLayout {
        let (missing_types, missing_variables) =
            (description.missing_types(), description.missing_variables());
        let mut unsound = Vec::new();
        let types = Types::new(&description.types, &missing_types, &mut unsound);
        let mut layout = RegisterLayout {
            types,
            symbols: Vec::new(),
            numbers: HashMap::new(),
            constants: HashMap::new(),
            variables: HashMap::new(),
            registers: Vec::new(),
            state: 0,
            offsets: Vec::new(),
            tables: HashMap::new(),
            literals: HashMap::new(),
            defaults: HashMap::new(),
            rows: HashMap::new(),
            loose: HashMap::new(),
            place: Span::default(),
            problems: Vec::new(),
        };
        layout.number(description.types.iter().chain(&missing_types).map(|alias| alias.name.name));
        let mut variables: Vec<_> =
            description.variables.iter().chain(&missing_variables).collect();
        // Three variables have fixed places: `player` is the first register.
        variables.sort_by_key(|variable| match variable.name.name {
            Name::PLAYER => 0,
            Name::GOALS => 1,
            Name::VISIBLE => 2,
            _ => 3,
        });
        for variable in &variables {
            let item = layout.reserve(&variable.type_, variable.place.0);
            layout.variables.entry(variable.name.name).or_insert(item);
        }
        layout.state = layout.registers.len();
        for place in in_order(&description.constants).sorted {
            let constant = &description.constants[place];
            let item = layout.reserve(&constant.type_, constant.place.0);
            layout.fill(description, &constant.value, item);
            layout.constants.entry(constant.name.name).or_insert(item);
        }
        for variable in &variables {
            let item = layout.variables[&variable.name.name];
            layout.fill(description, &variable.initial, item);
        }
        layout
    }

    /// Numbers the symbols of types. Those of large sets come first: a set whose symbols have
    /// numbers in a row needs no table of offsets.
    fn number(&mut self, types: impl Iterator<Item = Name>) {
        let sets = types.filter_map(|name| match self.types.named(name) {
            Some(Ty::Set(set)) => Some(set),
            _ => None,
        });
        let mut sets: Vec<SetId> = sets.collect();
        sets.sort_by_key(|&set| Reverse(self.types.symbols(set).len()));
        for set in sets {
            for symbol in self.types.symbols(set).to_vec() {
                self.symbol(symbol);
            }
        }
    }

    /// The variables that are no maps.
    #[cfg(feature = "native")]
    pub fn scalars(&self) -> Vec<super::program::Scalar> {
        let scalar = |&Item { base, ty }: &Item| {
            let Ty::Set(set) = ty else { return None };
            let symbols = self.types.symbols(set).iter();
            let numbers = symbols.map(|name| self.numbers.get(name).copied());
            let numbers: Vec<Symbol> = numbers.collect::<Option<_>>()?;
            let (least, greatest) = (*numbers.iter().min()?, *numbers.iter().max()?);
            let span = greatest - least;
            Some(super::program::Scalar { register: base, least, span })
        };
        let mut scalars: Vec<_> = self.variables.values().filter_map(scalar).collect();
        scalars.sort_unstable_by_key(|scalar| scalar.register);
        scalars
    }

    /// Records an error that prevents play.
    pub fn problem(&mut self, code: Code, span: Span, message: impl Into<String>) {
        // Code that is written twice has its problems twice.
        let is_known = |other: &Diagnostic| (other.code, other.span) == (code, span);
        if self.problems.len() < gdlr_text::findings::MAX_PER_CODE
            && !self.problems.iter().any(is_known)
        {
            self.problems.push(Diagnostic::new(code, span, message));
        }
    }

    /// The number of a symbol, which is added if it is new.
    pub fn symbol(&mut self, name: Name) -> Symbol {
        let symbols = &mut self.symbols;
        *self.numbers.entry(name).or_insert_with(|| {
            symbols.push(name);
            symbols.len() as Symbol - 1
        })
    }

    /// The number of registers that a value of a type takes.
    pub fn size(&self, mut ty: Ty) -> Option<usize> {
        let mut size: usize = 1;
        while let Ty::Map(map) = ty {
            let (key, value) = self.types.map(map);
            let Ty::Set(key) = key else { return None };
            size = size.checked_mul(self.types.symbols(key).len())?;
            ty = value;
        }
        (ty != Ty::Unknown && size <= MAX_REGISTERS).then_some(size)
    }

    fn reserve(&mut self, type_: &Type, span: Span) -> Item {
        let ty = self.types.resolve(type_, &mut Vec::new());
        let base = self.registers.len();
        match self.size(ty) {
            Some(size) if base + size <= MAX_REGISTERS => {
                self.registers.resize(base + size, 0);
                Item { base: base as Register, ty }
            }
            _ => {
                self.problem(Code::RgTooLarge, span, "maps with too many entries to play with");
                self.registers.push(0);
                Item { base: base as Register, ty: Ty::Unknown }
            }
        }
    }

    /// Writes a value to the registers of an item.
    fn fill(&mut self, description: &Description, value: &Value, item: Item) {
        let Item { base, ty } = item;
        match (value, ty) {
            (_, Ty::Unknown) => {}
            (Value::Name(name), _) => match self.constants.get(&name.name) {
                Some(&constant) if self.types.same_keys(constant.ty, ty) => {
                    self.copy(constant, item, name.place.0);
                }
                // The default of the constant gives the values under all other keys.
                Some(_) => {
                    let mut constants = description.constants.iter();
                    if let Some(constant) = constants.find(|other| other.name.name == name.name) {
                        self.fill(description, &constant.value, item);
                    }
                }
                None => {
                    let symbol = self.symbol(name.name);
                    let holds = match ty {
                        Ty::Set(set) => self.types.symbols(set).binary_search(&name.name).is_ok(),
                        _ => false,
                    };
                    if !holds {
                        self.problem(Code::RgValue, name.place.0, "this is not of its type");
                    }
                    self.registers[base as usize] = symbol;
                }
            },
            (Value::Map(map), Ty::Map(map_type)) => {
                let (Ty::Set(keys), ty) = self.types.map(map_type) else { return };
                let Some(size) = self.size(ty) else { return };
                let mut has_entry = vec![false; self.types.symbols(keys).len()];
                let mut default = None;
                for entry in &map.entries {
                    let Some(key) = entry.key else {
                        default = Some(&entry.value);
                        continue;
                    };
                    // A constant may have keys that are not in the type of its cast.
                    let Ok(index) = self.types.symbols(keys).binary_search(&key.name) else {
                        continue;
                    };
                    has_entry[index] = true;
                    let base = base + (index * size) as Register;
                    self.fill(description, &entry.value, Item { base, ty });
                }
                let mut others = (0..has_entry.len()).filter(|&index| !has_entry[index]);
                let Some(first) = others.next() else { return };
                let Some(default) = default else {
                    return self.problem(Code::RgNoDefault, map.place.0, "a map without a default");
                };
                let start = base as usize + first * size;
                self.fill(description, default, Item { base: start as Register, ty });
                for index in others {
                    self.registers.copy_within(start..start + size, base as usize + index * size);
                }
            }
            (Value::Map(map), _) => {
                self.problem(Code::RgValue, map.place.0, "a map where a symbol is needed");
            }
        }
    }

    fn copy(&mut self, from: Item, to: Item, span: Span) {
        if from.ty == Ty::Unknown {
            return;
        }
        let Some(size) = self.size(to.ty) else { return };
        let start = from.base as usize;
        if let Ty::Set(leaf) = self.leaf(to.ty) {
            let fits = self.registers[start..start + size].iter().all(|&symbol| {
                let name = self.symbols[symbol as usize];
                self.types.symbols(leaf).binary_search(&name).is_ok()
            });
            if !fits {
                self.problem(Code::RgValue, span, "this is not of its type");
            }
        }
        self.registers.copy_within(start..start + size, to.base as usize);
    }

    /// The type of the values in the innermost map of a type.
    pub fn leaf(&self, mut ty: Ty) -> Ty {
        while let Ty::Map(map) = ty {
            ty = self.types.map(map).1;
        }
        ty
    }

    /// The register of the default of a variable or constant that is a map. The default is the
    /// value for symbols that are no keys of its type. It is written when it is first needed.
    pub fn default(&mut self, name: Name, description: &Description) -> Option<Register> {
        if let Some(&default) = self.defaults.get(&name) {
            return Some(default);
        }
        let constant = |name: Name| {
            let mut constants = description.constants.iter();
            constants.find(|constant| constant.name.name == name)
        };
        let (item, mut value) = match self.constants.get(&name) {
            Some(&item) => (item, &constant(name)?.value),
            None => {
                let mut variables = description.variables.iter();
                let variable = variables.find(|variable| variable.name.name == name)?;
                (*self.variables.get(&name)?, &variable.initial)
            }
        };
        // No constant uses itself.
        while let Value::Name(other) = value {
            value = &constant(other.name)?.value;
        }
        let (Value::Map(map), Ty::Map(map_type)) = (value, item.ty) else { return None };
        let ty = self.types.map(map_type).1;
        let default = &map.entries.iter().find(|entry| entry.key.is_none())?.value;
        let base = self.registers.len();
        self.registers.resize(base + self.size(ty)?, 0);
        self.fill(description, default, Item { base: base as Register, ty });
        self.defaults.insert(name, base as Register);
        Some(base as Register)
    }

    /// As [`RegisterLayout::table`], but every other symbol of `given` has the offset `other`.
    pub fn loose_table(&mut self, set: SetId, stride: usize, given: SetId, other: u32) -> Table {
        let key = (set, stride, given, other);
        if let Some(&table) = self.loose.get(&key) {
            return table;
        }
        let keys = self.types.symbols(set).to_vec();
        let mut offsets: Vec<(Symbol, u32)> = Vec::new();
        for name in self.types.symbols(given).to_vec() {
            let offset = match keys.binary_search(&name) {
                Ok(index) => (index * stride) as u32,
                Err(_) => other,
            };
            offsets.push((self.symbol(name), offset));
        }
        let table = self.write_table(&offsets);
        self.loose.insert(key, table);
        table
    }

    /// The offsets of the symbols of a set, `stride` apart.
    pub fn table(&mut self, set: SetId, stride: usize) -> Table {
        if let Some(&table) = self.tables.get(&(set, stride)) {
            return table;
        }
        let names = self.types.symbols(set).to_vec();
        let symbols: Vec<Symbol> = names.into_iter().map(|name| self.symbol(name)).collect();
        let offsets: Vec<(Symbol, u32)> = (symbols.into_iter().enumerate())
            .map(|(index, symbol)| (symbol, (index * stride) as u32))
            .collect();
        let table = self.write_table(&offsets);
        self.tables.insert((set, stride), table);
        table
    }

    fn write_table(&mut self, offsets: &[(Symbol, u32)]) -> Table {
        let symbols = || offsets.iter().map(|&(symbol, _)| symbol);
        let least = symbols().min().unwrap_or(0);
        let span = symbols().max().unwrap_or(0) - least;
        let first = self.offsets.len();
        if first + span as usize >= MAX_OFFSETS {
            let message = "more sets of symbols than can be played with";
            self.problem(Code::RgTooLarge, self.place, message);
            return Table { first: 0, least: 0, span: 0, dense: false };
        }
        self.offsets.resize(first + span as usize + 1, ABSENT);
        for &(symbol, offset) in offsets {
            self.offsets[first + (symbol - least) as usize] = offset;
        }
        let dense = self.offsets[first..].iter().copied().eq(0..=span);
        Table { first: first as u32, least, span, dense }
    }

    /// The offset of the symbol that a register holds now.
    pub fn offset(&self, table: Table, register: Register) -> u32 {
        let distance = self.registers[register as usize].wrapping_sub(table.least);
        match distance <= table.span {
            true => self.offsets[table.first as usize + distance as usize],
            false => ABSENT,
        }
    }

    /// The entries of a constant in the order of the numbers of symbols, from the least symbol of a
    /// table on. Their keys need no table of offsets. `None` if that takes too many registers.
    /// Written when first needed.
    pub fn row(&mut self, base: Register, table: Table) -> Option<Register> {
        let offsets = table.first as usize..table.first as usize + table.span as usize + 1;
        let present = self.offsets[offsets.clone()].iter().filter(|&&offset| offset != ABSENT);
        if offsets.len() > 4 * present.count()
            || self.registers.len() + offsets.len() > MAX_REGISTERS
        {
            return None;
        }
        if let Some(&row) = self.rows.get(&(base, table.first)) {
            return Some(row);
        }
        let row = self.registers.len() as Register;
        for &offset in &self.offsets[offsets] {
            let symbol = match offset {
                ABSENT => 0,
                offset => self.registers[base.wrapping_add(offset) as usize],
            };
            self.registers.push(symbol);
        }
        self.rows.insert((base, table.first), row);
        Some(row)
    }

    /// A register that always holds a given symbol.
    pub fn literal(&mut self, symbol: Symbol) -> Register {
        let registers = &mut self.registers;
        *self.literals.entry(symbol).or_insert_with(|| {
            registers.push(symbol);
            registers.len() as Register - 1
        })
    }

    /// A new register.
    pub fn temporary(&mut self) -> Register {
        self.registers.push(0);
        self.registers.len() as Register - 1
    }
}
