//! Sets of symbols, each with a type of its own, and the variables that have these types.

use super::Writer;
use crate::export::naming::{capital, plain};
use crate::export::slots::Slot;
use gdlr_rg::rg::{Name, Place, SimpleType, SymbolSet, TypeAlias, Value, Variable};
use gdlr_rules::gdl::{Symbol, natural_order};
use hashbrown::{HashMap, HashSet};

/// A set of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SetId(u32);

/// A variable of a set type that is no part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Register(u32);

/// A symbol, or what a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operand {
    Symbol(Symbol),
    Register(Register),
}

#[derive(Debug)]
struct RegisterInfo {
    slot: Slot,
    set: SetId,
}

/// Sets, types and registers.
#[derive(Debug, Default)]
pub(super) struct Sets {
    /// The members of each, in natural order.
    members: Vec<Vec<Symbol>>,
    index: HashMap<Vec<Symbol>, SetId>,
    /// By set and whether `none` is a member, too.
    types: HashMap<(SetId, bool), Name>,
    registers: Vec<RegisterInfo>,
    /// By wanted name and set.
    pool: HashMap<(String, SetId), Vec<Register>>,
}

impl Sets {
    pub fn members(&self, set: SetId) -> &[Symbol] {
        &self.members[set.0 as usize]
    }

    pub fn has(&self, set: SetId, symbol: Symbol) -> bool {
        self.members(set).contains(&symbol)
    }

    /// Whether all members of a set are members of another.
    pub fn within(&self, set: SetId, other: SetId) -> bool {
        set == other || self.members(set).iter().all(|&symbol| self.has(other, symbol))
    }

    /// Whether two sets have a member in common.
    pub fn overlap(&self, set: SetId, other: SetId) -> bool {
        set == other || self.members(set).iter().any(|&symbol| self.has(other, symbol))
    }

    pub fn slot(&self, register: Register) -> Slot {
        self.registers[register.0 as usize].slot
    }

    /// The slot of what a register holds.
    pub fn slot_of(&self, operand: Operand) -> Option<Slot> {
        match operand {
            Operand::Symbol(_) => None,
            Operand::Register(register) => Some(self.slot(register)),
        }
    }

    pub fn set_of(&self, register: Register) -> SetId {
        self.registers[register.0 as usize].set
    }
}

impl Writer<'_> {
    /// The set with these members.
    pub(super) fn set(&mut self, symbols: impl IntoIterator<Item = Symbol>) -> SetId {
        let mut members: Vec<Symbol> = symbols.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        members.sort_by_cached_key(|&symbol| natural_order(&self.text_of(symbol)));
        if let Some(&set) = self.sets.index.get(&members) {
            return set;
        }
        let set = SetId(self.sets.members.len() as u32);
        self.sets.index.insert(members.clone(), set);
        self.sets.members.push(members);
        set
    }

    /// The smallest set with a type that has all members of a set of pairs, if it is not much
    /// larger; or else the set itself.
    pub(super) fn widened(&mut self, set: SetId) -> SetId {
        let members = self.sets.members(set);
        if members.len() < 2 || members.iter().any(|&s| self.pairs.parts(s).is_none()) {
            return set;
        }
        let most = 2 * members.len();
        let fits = |&&(other, with_none): &&(SetId, bool)| {
            !with_none && self.sets.members(other).len() <= most && self.sets.within(set, other)
        };
        let fitting = self.sets.types.keys().filter(fits).map(|(other, _)| *other);
        fitting.min_by_key(|&other| (self.sets.members(other).len(), other)).unwrap_or(set)
    }

    /// A symbol as text: a pair has both.
    pub(super) fn text_of(&self, symbol: Symbol) -> String {
        match (self.pairs.parts(symbol), self.pairs.name(symbol)) {
            (Some((first, second)), _) => {
                format!("{} {}", self.text_of(first), self.text_of(second))
            }
            (None, Some(name)) => name.to_owned(),
            (None, None) => self.input.normal.symbol_text(symbol),
        }
    }

    /// The symbol of the automaton that a symbol of the rules is.
    pub(super) fn name_of(&mut self, symbol: Symbol) -> Name {
        let text = self.text_of(symbol);
        self.naming.symbol(&text, &plain(&text))
    }

    /// The symbol for no value.
    pub(super) fn none(&mut self) -> Name {
        self.naming.symbol("", "none")
    }

    /// The names of the members, `none` perhaps the last.
    pub(super) fn names_of(&mut self, set: SetId, with_none: bool) -> Vec<Name> {
        let members = self.sets.members(set).to_vec();
        let mut names: Vec<Name> = members.into_iter().map(|s| self.name_of(s)).collect();
        if with_none {
            names.push(self.none());
        }
        names
    }

    /// The type of a set, named after what its first use wants.
    pub(super) fn type_of(&mut self, set: SetId, with_none: bool, wanted: &str) -> Name {
        if let Some(&name) = self.sets.types.get(&(set, with_none)) {
            return name;
        }
        if !with_none && self.are_players(set) {
            self.sets.types.insert((set, with_none), Name::PLAYER_TYPE);
            return Name::PLAYER_TYPE;
        }
        let wanted = capital(wanted);
        let text = if with_none { format!("{wanted}OrNone") } else { wanted };
        let name = self.naming.define(&text);
        self.sets.types.insert((set, with_none), name);
        let members = self.names_of(set, with_none).into_iter().map(Into::into).collect();
        let members = SymbolSet { members, place: Place::default() };
        let type_ = SimpleType::Set(members).into();
        let place = Place::default();
        self.description.types.push(TypeAlias { name: name.into(), type_, place });
        name
    }

    /// Whether a set has all players as its members and nothing else.
    fn are_players(&self, set: SetId) -> bool {
        let members = self.sets.members(set);
        let is_member = |&role: &usize| match self.roles.rows[role][..] {
            [symbol] => self.roles.chance != Some(role) && members.contains(&symbol),
            _ => false,
        };
        members.len() == self.roles.players.len() && self.roles.players.iter().all(is_member)
    }

    /// A register for values of a set which is none of `used`, and is from now on.
    pub(super) fn register(
        &mut self,
        wanted: &str,
        set: SetId,
        used: &mut HashSet<Register>,
    ) -> Register {
        let key = (wanted.to_owned(), set);
        let known = self
            .sets
            .pool
            .get(&key)
            .and_then(|known| known.iter().copied().find(|register| !used.contains(register)));
        let register = known.unwrap_or_else(|| {
            let register = self.new_register(wanted, set);
            self.sets.pool.entry(key).or_default().push(register);
            register
        });
        used.insert(register);
        register
    }

    /// A register for values of a set that is used for nothing else.
    pub(super) fn new_register(&mut self, wanted: &str, set: SetId) -> Register {
        let type_ = self.type_of(set, false, wanted);
        let name = self.naming.define(wanted);
        let slot = self.program.slots.slot(name, &[]);
        let first = match self.sets.members(set).first().copied() {
            Some(first) => self.name_of(first),
            None => {
                self.flaw = Some("a register that can hold nothing");
                self.none()
            }
        };
        let initial = Value::Name(first.into());
        let type_ = SimpleType::Named(type_.into()).into();
        let place = Place::default();
        self.registers.push(Variable { name: name.into(), type_, initial, place });
        let register = Register(self.sets.registers.len() as u32);
        self.sets.registers.push(RegisterInfo { slot, set });
        register
    }
}
