//! From actions to operations: expressions that are read, keys that are looked up, what is
//! assigned.

use super::compile::Compiler;
use super::layout::Item;
use super::program::{ABSENT, Address, FAIL, Key, Op, Register};
use crate::diagnostic::{Code, Span};
use crate::rg::ast::{Base, Edge, Expr, Label};
use crate::rg::name::Name;
use crate::rg::types::Ty;

/// An expression, compiled as far as where its value is.
pub(super) struct Place {
    base: Register,
    /// Keys that are not known before play.
    keys: Vec<Key>,
    pub ty: Ty,
    /// What the value is cast to, from the first cast on.
    casts: Vec<Ty>,
}

/// A symbol in a register.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub register: Register,
    /// Which symbols it may be.
    ty: Ty,
}

impl<'d> Compiler<'d, '_> {
    /// Writes the code of one action, which goes on with what is written next; says whether
    /// anything can follow it.
    pub(super) fn action(&mut self, edge: u32) -> bool {
        self.in_use = 0;
        self.at(edge);
        let edge = self.edge_of(edge);
        match &edge.label {
            Label::Skip => {}
            Label::Tag(tag) => self.emit(Op::Tag(tag.name)),
            Label::TagVariable(variable) => match self.layout.variables.get(&variable.name) {
                Some(&Item { base, ty: Ty::Set(_) }) => self.emit(Op::TagVariable(base)),
                _ => {
                    let message = "this is no variable of a set type";
                    self.layout.problem(Code::RgNotASet, variable.place.0, message);
                }
            },
            Label::Reach { from, to, negated } => {
                let (from, to) = (self.nodes.number(from.name), self.nodes.number(to.name));
                let check = self.check(from, to);
                let next = self.label();
                let (found, missing) = if *negated { (FAIL, next) } else { (next, FAIL) };
                self.emit(Op::Check { check, found, missing });
                self.labels[next as usize] = self.program.code.len() as Address;
            }
            Label::Compare { left, right, equal } => return self.compare(left, right, *equal),
            Label::Assign { target, value } => self.assign(edge, target, value),
            Label::AssignAny { target, .. } => self.assign_any(edge, target),
        }
        true
    }

    fn compare(&mut self, left: &'d Expr, right: &'d Expr, equal: bool) -> bool {
        if let (Some(left), Some(right)) = (self.known(left), self.known(right)) {
            if (left == right) != equal {
                self.emit(Op::Fail);
            }
            return (left == right) == equal;
        }
        let span = right.place.0;
        let (left, right) = (self.place(left), self.place(right));
        if let (Ty::Map(_), _) | (_, Ty::Map(_)) = (left.ty, right.ty) {
            let length = self.row(&left, &right, span);
            self.locate(0, &left);
            self.locate(1, &right);
            self.emit(Op::CompareRow { length, equal });
            return true;
        }
        let (entry, other) = match (&left.keys[..], &right.keys[..]) {
            ([_], _) if left.casts.is_empty() => (left, right),
            (_, [_]) if right.casts.is_empty() => (right, left),
            _ => {
                let (left, right) = (self.load(left).register, self.load(right).register);
                self.emit(Op::Compare { left, right, equal });
                return true;
            }
        };
        let with = self.load(other).register;
        self.emit(Op::CompareEntry { base: entry.base, key: entry.keys[0], with, equal });
        true
    }

    /// How many registers a map takes that is compared with another or assigned to it.
    fn row(&mut self, left: &Place, right: &Place, span: Span) -> u32 {
        let casts = left.casts.iter().chain(&right.casts);
        let mut types = casts.chain([&left.ty, &right.ty]);
        let alike = types.all(|&ty| self.layout.same_keys(ty, left.ty));
        match self.layout.size(left.ty) {
            Some(size) if alike => size as u32,
            _ => {
                let message = "maps with different keys can be neither compared nor assigned";
                self.layout.problem(Code::RgMismatch, span, message);
                0
            }
        }
    }

    fn assign(&mut self, edge: &Edge, target: &'d Expr, value: &'d Expr) {
        let source = self.place(value);
        let target_place = self.place_of(target, false);
        self.conceals |= target.root() == Name::VISIBLE;
        if target_place.base as usize >= self.layout.state {
            let message = "this is no variable";
            return self.layout.problem(Code::RgNotAVariable, target.place.0, message);
        }
        if let (Ty::Map(_), _) | (_, Ty::Map(_)) = (source.ty, target_place.ty) {
            let length = self.row(&target_place, &source, value.place.0);
            self.locate(0, &target_place);
            self.locate(1, &source);
            let mut given = self.layout.leaf(source.ty);
            let needed = source.casts.iter().chain([&target_place.ty]).chain(&target_place.casts);
            for &needed in needed {
                given = self.member_row(given, self.layout.leaf(needed), length);
            }
            return self.emit(Op::CopyRow { length });
        }
        let mut operand = self.load(source);
        for &needed in [&target_place.ty].into_iter().chain(&target_place.casts) {
            operand = self.member(operand, needed);
        }
        let from = operand.register;
        let base = target_place.base;
        match target_place.keys[..] {
            [] if target.root() == Name::PLAYER => {
                let node = self.nodes.number(edge.to.name);
                self.emit(Op::Finish { from, node });
            }
            [] => self.emit(Op::Move { to: base, from }),
            [key] => self.emit(Op::Store { base, key, from }),
            [ref keys @ .., key] => {
                self.emit(Op::Locate { which: 0, base });
                keys.iter().for_each(|&key| self.emit(Op::Advance { which: 0, key }));
                self.emit(Op::StoreThere { key, from });
            }
        }
    }

    fn assign_any(&mut self, edge: &'d Edge, target: &'d Expr) {
        let Label::AssignAny { values, .. } = &edge.label else { return };
        let drawn = self.layout.types.resolve(values, &mut Vec::new());
        let place = self.place_of(target, false);
        self.conceals |= target.root() == Name::VISIBLE;
        let fits = [place.ty]
            .iter()
            .chain(&place.casts)
            .all(|&ty| matches!(ty, Ty::Set(_)) && self.layout.types.contains(ty, drawn));
        let (Ty::Set(drawn), true) = (drawn, fits) else {
            let message = "the variable cannot have all values of this type";
            return self.layout.problem(Code::RgMismatch, values.span(), message);
        };
        if place.base as usize >= self.layout.state || target.root() == Name::PLAYER {
            let message = "this is no variable that can have any value";
            return self.layout.problem(Code::RgNotAVariable, target.place.0, message);
        }
        let first = self.program.choices.len() as u32;
        for name in self.layout.types.symbols(drawn).to_vec() {
            let symbol = self.layout.symbol(name);
            self.program.choices.push(symbol);
        }
        self.locate(0, &place);
        self.emit(Op::Any { first, end: self.program.choices.len() as u32 });
    }

    fn locate(&mut self, which: u8, place: &Place) {
        self.emit(Op::Locate { which, base: place.base });
        place.keys.iter().for_each(|&key| self.emit(Op::Advance { which, key }));
    }

    fn temporary(&mut self) -> Register {
        if self.in_use == self.temporaries.len() {
            let register = self.layout.temporary();
            self.temporaries.push(register);
        }
        self.in_use += 1;
        self.temporaries[self.in_use - 1]
    }

    /// Writes the code that loads the keys of an expression that is read.
    ///
    /// A map has its default for every key that it does not list (RG, 2.1), also for one that
    /// is not of its type, as long as it is the key of a variable or constant and not of a map
    /// in it. Nothing can be assigned there.
    pub(super) fn place(&mut self, expr: &'d Expr) -> Place {
        self.place_of(expr, true)
    }

    fn place_of(&mut self, expr: &'d Expr, read: bool) -> Place {
        let mut place = match &expr.base {
            Base::Name(name) => {
                let constant = self.layout.constants.get(&name.name);
                let (base, ty) = match constant.or_else(|| self.layout.variables.get(&name.name)) {
                    Some(&Item { base, ty }) => (base, ty),
                    None => {
                        let symbol = self.layout.symbol(name.name);
                        (self.layout.literal(symbol), Ty::Symbol(name.name))
                    }
                };
                Place { base, keys: Vec::new(), ty, casts: Vec::new() }
            }
            Base::Cast(name, inner) => {
                let mut place = self.place(inner);
                match self.layout.types.named(name.name) {
                    Some(ty) => place.casts.push(ty),
                    None => {
                        let message = "there is no such type";
                        self.layout.problem(Code::RgUnknownType, name.place.0, message);
                    }
                }
                place
            }
        };
        for (number, key) in expr.keys.iter().enumerate() {
            let inner = self.place(key);
            let operand = self.load(inner);
            let whole = match expr.base {
                Base::Name(name) if read && number == 0 => Some(name.name),
                _ => None,
            };
            self.access(&mut place, operand, key, whole);
        }
        place
    }

    /// `whole` is the variable or constant that the key is of, if its default may be meant.
    fn access(&mut self, place: &mut Place, operand: Operand, key: &Expr, whole: Option<Name>) {
        let not_a_map = "this is the key of something that is no map";
        let mut casts = std::mem::take(&mut place.casts);
        for cast in &mut casts {
            let Ty::Map(map) = *cast else {
                return self.layout.problem(Code::RgNotAMap, key.place.0, not_a_map);
            };
            let (keys, values) = self.layout.types.map(map);
            self.member(operand, keys);
            *cast = values;
        }
        let Ty::Map(map) = place.ty else {
            return self.layout.problem(Code::RgNotAMap, key.place.0, not_a_map);
        };
        let (Ty::Set(keys), values) = self.layout.types.map(map) else { return };
        let Some(stride) = self.layout.size(values) else { return };
        let default = whole
            .filter(|_| !self.surely(Ty::Set(keys), operand.ty))
            .and_then(|whole| self.layout.default(whole, self.description));
        let table = match (default, operand.ty) {
            (Some(default), Ty::Set(given)) => {
                self.layout.loose_table(keys, stride, given, default - place.base)
            }
            _ => self.layout.table(keys, stride),
        };
        let Operand { register, .. } = operand;
        if self.is_fixed(register) {
            let symbol = self.layout.registers[register as usize];
            let distance = symbol.wrapping_sub(table.least);
            let offset = match distance <= table.span {
                true => self.layout.offsets[table.first as usize + distance as usize],
                false => ABSENT,
            };
            if offset != ABSENT {
                place.base += offset;
            } else {
                // Found out when the action is taken.
                place.keys.push(Key { register, table });
            }
        } else {
            place.keys.push(Key { register, table });
        }
        place.ty = values;
        place.casts = casts;
    }

    /// Whether a register holds the same symbol always.
    fn is_fixed(&self, register: Register) -> bool {
        register as usize >= self.layout.state && !self.temporaries.contains(&register)
    }

    /// Writes the code that puts the value of an expression into a register.
    pub(super) fn load(&mut self, place: Place) -> Operand {
        let base = place.base;
        let register = match place.keys[..] {
            [] => base,
            [key] => {
                let to = self.temporary();
                self.emit(Op::Load { to, base, key });
                to
            }
            [ref keys @ .., key] => {
                let to = self.temporary();
                self.emit(Op::Locate { which: 0, base });
                keys.iter().for_each(|&key| self.emit(Op::Advance { which: 0, key }));
                self.emit(Op::LoadThere { to, key });
                to
            }
        };
        if let Ty::Map(_) | Ty::Unknown = place.ty {
            let edge = self.edge_of(self.edge);
            let message = "there is a map where a symbol is needed";
            self.layout.problem(Code::RgNotASet, edge.place.0, message);
        }
        let operand = Operand { register, ty: place.ty };
        place.casts.into_iter().fold(operand, |operand, cast| self.member(operand, cast))
    }

    /// Makes sure that a symbol is of a type.
    fn member(&mut self, operand: Operand, needed: Ty) -> Operand {
        match needed {
            Ty::Set(set) if !self.surely(needed, operand.ty) => {
                let table = self.layout.table(set, 1);
                self.emit(Op::Member { register: operand.register, table });
                Operand { ty: needed, ..operand }
            }
            _ => operand,
        }
    }

    fn member_row(&mut self, given: Ty, needed: Ty, length: u32) -> Ty {
        match needed {
            Ty::Set(set) if !self.surely(needed, given) => {
                let table = self.layout.table(set, 1);
                self.emit(Op::MemberRow { length, table });
                needed
            }
            _ => given,
        }
    }

    /// Whether a set has all symbols of another type.
    fn surely(&self, needed: Ty, given: Ty) -> bool {
        match given {
            Ty::Set(_) | Ty::Symbol(_) => self.layout.types.contains(needed, given),
            Ty::Map(_) | Ty::Unknown => false,
        }
    }
}
