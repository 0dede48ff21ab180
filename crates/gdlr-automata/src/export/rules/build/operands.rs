//! Symbols and registers as expressions, and comparisons of them.

use super::builder::Builder;
use super::registers::{Operand, Register};
use crate::export::program::{Act, Body, Statement, Test};
use crate::export::rules::analysis::SetId;
use crate::export::slots::Slot;
use gdlr_rg::rg::{Base, Expr, Ident, Name, Place};
use gdlr_rules::gdl::Symbol;

/// A condition that has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Always,
    Never,
    Test(Test),
}

impl Condition {
    /// The condition that holds if and only if this one does not.
    pub fn opposite(self) -> Condition {
        match self {
            Condition::Always => Condition::Never,
            Condition::Never => Condition::Always,
            Condition::Test(test) => Condition::Test(test.opposite()),
        }
    }
}

/// Adds a condition to a body. `false` if it never holds.
pub fn demand(ops: &mut Body, condition: Condition) -> bool {
    if let Condition::Test(test) = condition {
        ops.push(Statement::Test(test));
    }
    condition != Condition::Never
}

impl Builder<'_> {
    /// The condition that one of several bodies can be gone through.
    pub fn any_of(&mut self, ways: Vec<Body>) -> Condition {
        if ways.iter().any(Vec::is_empty) {
            return Condition::Always;
        }
        match &ways[..] {
            [] => return Condition::Never,
            [way] => match way[..] {
                [Statement::Test(test)] => return Condition::Test(test),
                [Statement::Never] => return Condition::Never,
                _ => {}
            },
            _ => {}
        }
        Condition::Test(Test::Check(self.program.check(ways), true))
    }

    pub fn expr(&mut self, variable: Name, keys: Vec<Expr>) -> Slot {
        let base = Base::Name(variable.into());
        self.program.slots.of(Expr { base, keys, place: Place::default() })
    }

    pub fn operand(&mut self, operand: Operand) -> Expr {
        match operand {
            Operand::Symbol(symbol) => Expr::from(Ident::from(self.symbols.name_of(symbol))),
            Operand::Register(register) => {
                self.program.slots.expr(self.registers.slot(register)).clone()
            }
        }
    }

    pub fn operand_slot(&mut self, operand: Operand) -> Slot {
        let expr = self.operand(operand);
        self.program.slots.of(expr)
    }

    pub fn set_of(&mut self, operand: Operand) -> SetId {
        match operand {
            Operand::Symbol(symbol) => self.symbols.set([symbol]),
            Operand::Register(register) => self.registers.set_of(register),
        }
    }

    /// The condition that two operands are equal, or that they differ.
    pub fn compare(&mut self, left: Operand, right: Operand, equal: bool) -> Condition {
        let constant = |holds: bool| if holds { Condition::Always } else { Condition::Never };
        match (left, right) {
            _ if left == right => constant(equal),
            (Operand::Symbol(_), Operand::Symbol(_)) => constant(!equal),
            (Operand::Register(register), Operand::Symbol(symbol))
            | (Operand::Symbol(symbol), Operand::Register(register)) => {
                if !self.symbols.sets.has(self.registers.set_of(register), symbol) {
                    return constant(!equal);
                }
                let name = self.symbols.name_of(symbol);
                Condition::Test(Test::Is(self.registers.slot(register), name, equal))
            }
            (Operand::Register(one), Operand::Register(other)) => {
                if !self
                    .symbols
                    .sets
                    .overlap(self.registers.set_of(one), self.registers.set_of(other))
                {
                    return constant(!equal);
                }
                let (one, other) = (self.registers.slot(one), self.registers.slot(other));
                Condition::Test(Test::Same(one, other, equal))
            }
        }
    }

    /// The condition that the value of an expression, a member of `from`, is a member of `to`.
    pub fn guard(&mut self, expr: Expr, from: SetId, to: SetId) -> Condition {
        if self.symbols.sets.within(from, to) {
            return Condition::Always;
        }
        if !self.symbols.sets.overlap(from, to) {
            return Condition::Never;
        }
        let slot = self.program.slots.of(expr.clone());
        let common: Vec<Symbol> = self.symbols.sets.members(from).to_vec();
        let common: Vec<Symbol> =
            common.into_iter().filter(|&symbol| self.symbols.sets.has(to, symbol)).collect();
        if let [only] = common[..] {
            let name = self.symbols.name_of(only);
            return Condition::Test(Test::Is(slot, name, true));
        }
        let entries = common.into_iter().map(|symbol| (vec![symbol], Name::ONE)).collect();
        let map = self.constant("among", &[from], entries, Name::ZERO, Name::BOOL_TYPE);
        let slot = self.expr(map, vec![expr]);
        Condition::Test(Test::Is(slot, Name::ONE, true))
    }

    /// The condition that an operand is a member of a set.
    pub fn is_in(&mut self, operand: Operand, set: SetId) -> Condition {
        let (expr, from) = (self.operand(operand), self.set_of(operand));
        self.guard(expr, from, set)
    }

    /// Assigns to a register, with a cast if its type lacks a value of the expression.
    pub fn assign(
        &mut self,
        register: Register,
        expr: Expr,
        (from, has_none): (SetId, bool),
    ) -> Act {
        let to = self.registers.set_of(register);
        let expr = match has_none || !self.symbols.sets.within(from, to) {
            true => self.cast(expr, to),
            false => expr,
        };
        let from = self.program.slots.of(expr);
        Act::Copy(self.registers.slot(register), from)
    }

    /// The expression, cast to the type of a set.
    pub fn cast(&mut self, expr: Expr, to: SetId) -> Expr {
        let type_ = self.symbols.type_of(to, false, "value");
        let base = Base::Cast(type_.into(), Box::new(expr));
        Expr { base, keys: Vec::new(), place: Place::default() }
    }

    /// An operand that is in a set, as an expression of the type of the set.
    pub fn of_set(&mut self, operand: Operand, set: SetId) -> Expr {
        let (expr, from) = (self.operand(operand), self.set_of(operand));
        match self.symbols.sets.within(from, set) {
            true => expr,
            false => self.cast(expr, set),
        }
    }

    /// Adds the test that an operand is in a set. `false` if it never is.
    pub fn demand_in(&mut self, operand: Operand, set: SetId, ops: &mut Body) -> bool {
        let condition = self.is_in(operand, set);
        demand(ops, condition)
    }

    /// Copies operands to registers as if all copies were made at once.
    pub fn copy_all(&mut self, mut copies: Vec<(Register, Operand)>, ops: &mut Body) {
        while !copies.is_empty() {
            let free = copies.iter().position(|&(target, _)| {
                copies
                    .iter()
                    .all(|&(other, from)| other == target || from != Operand::Register(target))
            });
            let Some(free) = free else {
                // The copies form a cycle: one register is set aside.
                let (target, _) = copies[0];
                let set = self.registers.set_of(target);
                let mut used = copies.iter().map(|&(register, _)| register).collect();
                let aside = self.register("aside", set, &mut used);
                let slot = self.operand_slot(Operand::Register(target));
                ops.push(Statement::Do(Act::Copy(self.registers.slot(aside), slot)));
                for (_, operand) in &mut copies {
                    if *operand == Operand::Register(target) {
                        *operand = Operand::Register(aside);
                    }
                }
                continue;
            };
            let (target, operand) = copies.swap_remove(free);
            let (expr, set) = (self.operand(operand), self.set_of(operand));
            ops.push(Statement::Do(self.assign(target, expr, (set, false))));
        }
    }

    /// An entry of a variable.
    pub fn entry_slot(&mut self, variable: Name, keys: &[Name]) -> Slot {
        let keys = keys.iter().map(|&key| gdlr_rg::rg::Expr::from(gdlr_rg::rg::Ident::from(key)));
        let keys = keys.collect();
        self.expr(variable, keys)
    }
}
