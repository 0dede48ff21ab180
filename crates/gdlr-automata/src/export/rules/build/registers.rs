//! Registers: variables that are no part of the state.

use crate::export::rules::analysis::SetId;
use crate::export::slots::Slot;
use gdlr_rg::rg::{Name, Variable};
use gdlr_rules::gdl::Symbol;
use hashbrown::{HashMap, HashSet};

/// A variable with a set of symbols as its type, which is no part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(u32);

/// A symbol, or the value of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    Symbol(Symbol),
    Register(Register),
}

impl Operand {
    /// The register of the operand, if it is one.
    pub fn register(self) -> Option<Register> {
        match self {
            Operand::Symbol(_) => None,
            Operand::Register(register) => Some(register),
        }
    }
}

#[derive(Debug)]
struct RegisterInfo {
    slot: Slot,
    set: SetId,
}

/// The registers of an automaton.
#[derive(Debug, Default)]
pub struct Registers {
    infos: Vec<RegisterInfo>,
    /// By wanted name and set: the registers that may be shared.
    pool: HashMap<(String, SetId), Vec<Register>>,
    /// The declarations of the registers.
    pub declared: Vec<Variable>,
}

impl Registers {
    pub fn slot(&self, register: Register) -> Slot {
        self.infos[register.0 as usize].slot
    }

    /// The slot of an operand that is a register.
    pub fn slot_of(&self, operand: Operand) -> Option<Slot> {
        operand.register().map(|register| self.slot(register))
    }

    /// The set of symbols that a register may hold.
    pub fn set_of(&self, register: Register) -> SetId {
        self.infos[register.0 as usize].set
    }

    /// A shared register with this wanted name and set that is not in `used`.
    pub fn free(&self, wanted: &str, set: SetId, used: &HashSet<Register>) -> Option<Register> {
        let shared = self.pool.get(&(wanted.to_owned(), set))?;
        shared.iter().copied().find(|register| !used.contains(register))
    }

    /// Lets a register be shared.
    pub fn share(&mut self, register: Register, wanted: &str, set: SetId) {
        self.pool.entry((wanted.to_owned(), set)).or_default().push(register);
    }

    /// Adds a register.
    pub fn add(&mut self, slot: Slot, set: SetId, variable: Variable) -> Register {
        let register = Register(self.infos.len() as u32);
        self.infos.push(RegisterInfo { slot, set });
        self.declared.push(variable);
        register
    }

    /// Whether a register has this name.
    pub fn has_name(&self, name: Name) -> bool {
        self.declared.iter().any(|own| own.name.name == name)
    }
}
