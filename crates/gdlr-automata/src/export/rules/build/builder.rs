//! The program under construction, with what it declares on demand.
//!
//! Nothing here knows of rules. A builder has symbols and sets of them, registers, constant maps
//! and blocks.

use super::constants::{Constants, nested};
use super::registers::{Register, Registers};
use crate::export::program::Program;
use crate::export::rules::analysis::{SetId, Symbols};
use gdlr_rg::rg::{Constant, Name, Place, SimpleType, Type, Value, Variable};
use gdlr_rules::gdl::Symbol;
use hashbrown::HashSet;

/// By key: the values of the columns that the key determines.
pub type Groups = [(Vec<Symbol>, Vec<Vec<Symbol>>)];

/// A program under construction.
pub struct Builder<'a> {
    pub symbols: Symbols<'a>,
    pub registers: Registers,
    pub constants: Constants,
    pub program: Program,
    node_names: HashSet<String>,
    /// A broken invariant, found where no error could be returned.
    pub flaw: Option<&'static str>,
}

impl<'a> Builder<'a> {
    /// A program that has symbols and types only.
    pub fn new(symbols: Symbols<'a>) -> Builder<'a> {
        Builder {
            symbols,
            registers: Registers::default(),
            constants: Constants::default(),
            program: Program::new(),
            node_names: HashSet::new(),
            flaw: None,
        }
    }

    /// A register for the symbols of a set. It is not in `used`, and is added to it.
    pub fn register(&mut self, wanted: &str, set: SetId, used: &mut HashSet<Register>) -> Register {
        let register = self.registers.free(wanted, set, used).unwrap_or_else(|| {
            let register = self.new_register(wanted, set);
            self.registers.share(register, wanted, set);
            register
        });
        used.insert(register);
        register
    }

    /// A register for the symbols of a set that is never shared.
    pub fn new_register(&mut self, wanted: &str, set: SetId) -> Register {
        let type_ = self.symbols.type_of(set, false, wanted);
        let name = self.symbols.naming.define(wanted);
        let slot = self.program.slots.slot(name, &[]);
        let first = match self.symbols.sets.members(set).first().copied() {
            Some(first) => self.symbols.name_of(first),
            None => {
                self.flaw = Some("a register that can hold nothing");
                self.symbols.none()
            }
        };
        let initial = Value::Name(first.into());
        let type_ = SimpleType::Named(type_.into()).into();
        let place = Place::default();
        self.registers.add(slot, set, Variable { name: name.into(), type_, initial, place })
    }

    /// A constant map with these entries, and a default for all other keys. The same entries give
    /// the same map.
    pub fn constant(
        &mut self,
        wanted: &str,
        keys: &[SetId],
        entries: Vec<(Vec<Symbol>, Name)>,
        default: Name,
        type_: Name,
    ) -> Name {
        let mut named = Vec::new();
        for (key, value) in entries {
            if value != default {
                named.push((key.into_iter().map(|s| self.symbols.name_of(s)).collect(), value));
            }
        }
        let value = nested(keys.len(), &named, default);
        let content = (keys.to_vec(), value.clone(), type_);
        if let Some(name) = self.constants.known(&content) {
            return name;
        }
        self.constants.count(self.symbols.sets.combinations(keys));
        let name = self.symbols.naming.define(wanted);
        let key_types: Vec<SimpleType> = keys
            .iter()
            .map(|&set| SimpleType::Named(self.symbols.type_of(set, false, wanted).into()))
            .collect();
        let type_ = Type { keys: key_types, value: SimpleType::Named(type_.into()) };
        let place = Place::default();
        self.constants.add(content, Constant { name: name.into(), type_, value, place });
        name
    }

    /// The constant map from keys to one of the columns that they determine.
    pub fn function(
        &mut self,
        wanted: &str,
        keys: &[SetId],
        groups: &Groups,
        (place, set): (usize, SetId),
        partial: bool,
        hint: &str,
    ) -> Name {
        let mut entries = Vec::new();
        for (key, values) in groups {
            entries.push((key.clone(), self.symbols.name_of(values[0][place])));
        }
        let default = match partial {
            true => self.symbols.none(),
            false => entries[0].1,
        };
        let type_ = self.symbols.type_of(set, partial, hint);
        self.constant(wanted, keys, entries, default, type_)
    }

    /// A unique name for a node, like `wanted`.
    pub fn node_name(&mut self, wanted: &str) -> String {
        let mut text = wanted.to_owned();
        let mut number = 1;
        while !self.node_names.insert(text.clone()) {
            number += 1;
            text = format!("{wanted}_{number}");
        }
        text
    }
}
