//! Compiles the actions of edges: expressions, keys of maps, assignments.

use super::compile::{Compiler, LabelId};
use super::layout::Item;
use super::location::{Location, Operand};
use super::program::{ABSENT, Address, Entry, FAIL, Op, Register, Symbol, Table};
use crate::rg::ast::{Base, Edge, Expr, Label};
use crate::rg::name::Name;
use crate::rg::types::Ty;
use gdlr_text::diagnostic::{Code, Span};

impl<'d> Compiler<'d, '_> {
    /// Writes the code of one action. The code that is written next follows it. Returns whether
    /// anything can follow.
    pub(super) fn action(&mut self, edge: u32) -> bool {
        self.in_use = 0;
        self.at(edge);
        let edge = self.edge_of(edge);
        match &edge.label {
            Label::Skip => {}
            Label::Tag(tag) => {
                self.keep_others();
                self.emit(Op::Tag(tag.name));
            }
            Label::TagVariable(variable) => match self.layout.variables.get(&variable.name) {
                Some(&Item { base, ty: Ty::Set(_) }) => {
                    self.keep_others();
                    self.emit(Op::TagVariable(base));
                }
                _ => {
                    let message = "this is no variable of a set type";
                    self.layout.problem(Code::RgNotASet, variable.place.0, message);
                }
            },
            Label::Reach { from, to, negated } => {
                let (from, to) = (self.nodes.number(from.name), self.nodes.number(to.name));
                let check = self.check(from, to);
                let (next, others) = (self.label(), self.otherwise);
                let (found, missing) = if *negated { (others, next) } else { (next, others) };
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
        if let (Some(left), Some(right)) = (self.constant_symbol(left), self.constant_symbol(right))
        {
            if (left == right) != equal {
                self.give_up();
            }
            return (left == right) == equal;
        }
        let span = right.place.0;
        let (left, right) = (self.location(left), self.location(right));
        if let (Ty::Map(_), _) | (_, Ty::Map(_)) = (left.ty, right.ty) {
            let length = self.row(&left, &right, span);
            self.locate(0, &left);
            self.locate(1, &right);
            let [next, equal, different] = self.sides_of(equal);
            self.emit(Op::CompareRow { length, equal, different });
            self.labels[next as usize] = self.program.code.len() as Address;
        } else {
            let [next, equal, different] = self.sides_of(equal);
            self.ask(left, right, equal, different);
            self.labels[next as usize] = self.program.code.len() as Address;
        }
        true
    }

    /// A label for the code that comes next, and the targets of a comparison that must hold: of one
    /// that finds the symbols equal, and of one that finds them different.
    fn sides_of(&mut self, equal: bool) -> [LabelId; 3] {
        let (next, others) = (self.label(), self.otherwise);
        if equal { [next, next, others] } else { [next, others, next] }
    }

    /// Writes the code that compares two symbols.
    pub(super) fn ask(
        &mut self,
        left: Location,
        right: Location,
        equal: LabelId,
        different: LabelId,
    ) {
        // An operand that is the entry of a map is loaded last.
        let is_entry =
            |location: &Location| location.entry().is_some() && location.casts.is_empty();
        let (one, other) = match (is_entry(&left), is_entry(&right)) {
            (false, true) => (right, left),
            _ => (left, right),
        };
        let with = self.load(other).register;
        if let Some(entry) = one.entry().filter(|_| one.casts.is_empty()) {
            match self.program.code.last() {
                Some(&Op::Load { to, entry: inner }) if to == entry.key && to != with => {
                    self.take_back();
                    let base = entry.base;
                    self.emit(Op::CompareNested { base, entry: inner, with, equal, different });
                }
                _ => self.emit(Op::CompareEntry { entry, with, equal, different }),
            }
        } else {
            let left = self.load(one).register;
            self.emit(Op::Compare { left, right: with, equal, different });
        }
        // The any-assignment before the comparison tries its symbols by itself.
        let [.., before, _] = &mut self.program.code[..] else { return };
        if let Op::Any { filtered, .. } = before
            && (equal == FAIL || different == FAIL)
        {
            *filtered = true;
        }
    }

    /// The registers that a map takes which is compared with another, or assigned to it.
    fn row(&mut self, left: &Location, right: &Location, span: Span) -> u32 {
        let casts = left.casts.iter().chain(&right.casts);
        let mut types = casts.chain([&left.ty, &right.ty]);
        let alike = types.all(|&ty| self.layout.types.same_keys(ty, left.ty));
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
        self.keep_others();
        let source = self.location(value);
        let target_location = self.location_of(target, false);
        self.conceals |= target.root() == Name::VISIBLE;
        if target_location.root as usize >= self.layout.state {
            let message = "this is no variable";
            return self.layout.problem(Code::RgNotAVariable, target.place.0, message);
        }
        if let (Ty::Map(_), _) | (_, Ty::Map(_)) = (source.ty, target_location.ty) {
            let length = self.row(&target_location, &source, value.place.0);
            self.locate(0, &target_location);
            self.locate(1, &source);
            let mut given = self.layout.leaf(source.ty);
            let needed =
                source.casts.iter().chain([&target_location.ty]).chain(&target_location.casts);
            for &needed in needed {
                given = self.member_row(given, self.layout.leaf(needed), length);
            }
            return self.emit(Op::CopyRow { length });
        }
        let mut operand = self.load(source);
        for &needed in [&target_location.ty].into_iter().chain(&target_location.casts) {
            operand = self.member(operand, needed);
        }
        let from = operand.register;
        let base = target_location.base;
        match target_location.keys[..] {
            [] if target.root() == Name::PLAYER => {
                let node = self.nodes.number(edge.to.name);
                self.emit(Op::Finish { from, node });
                self.mark_named();
            }
            [] => self.emit(Op::Move { to: base, from }),
            [(key, 1)] => self.emit(Op::Store { entry: Entry { base, key }, from }),
            _ => {
                self.locate(0, &target_location);
                self.emit(Op::StoreThere { from });
            }
        }
    }

    /// Marks the any-assignment whose symbol is the last tag of the move that has just ended.
    fn mark_named(&mut self) {
        let [head @ .., Op::TagVariable(tagged), Op::Finish { from, .. }] =
            &mut self.program.code[..]
        else {
            return;
        };
        let (head, compared) = match *head {
            [ref mut head @ .., Op::Compare { .. }]
            | [ref mut head @ .., Op::CompareEntry { .. }]
            | [ref mut head @ .., Op::CompareNested { .. }] => (head, true),
            ref mut head => (head, false),
        };
        if let [.., Op::Any { register, filtered, named, .. }] = head {
            *named = *filtered == compared && *register == *tagged && *register != *from;
        }
    }

    fn assign_any(&mut self, edge: &'d Edge, target: &'d Expr) {
        let Label::AssignAny { values, .. } = &edge.label else { return };
        let drawn = self.layout.types.resolve(values, &mut Vec::new());
        let location = self.location_of(target, false);
        self.conceals |= target.root() == Name::VISIBLE;
        let fits = [location.ty]
            .iter()
            .chain(&location.casts)
            .all(|&ty| matches!(ty, Ty::Set(_)) && self.layout.types.contains(ty, drawn));
        let (Ty::Set(drawn), true) = (drawn, fits) else {
            let message = "the variable cannot have all values of this type";
            return self.layout.problem(Code::RgMismatch, values.span(), message);
        };
        if location.root as usize >= self.layout.state || target.root() == Name::PLAYER {
            let message = "this is no variable that can have any value";
            return self.layout.problem(Code::RgNotAVariable, target.place.0, message);
        }
        let first = self.program.choices.len() as u32;
        for name in self.layout.types.symbols(drawn).to_vec() {
            let symbol = self.layout.symbol(name);
            self.program.choices.push(symbol);
        }
        let end = self.program.choices.len() as u32;
        self.keep_others();
        if location.keys.is_empty() {
            return self.emit(Op::Any {
                register: location.base,
                first,
                end,
                filtered: false,
                named: false,
            });
        }
        self.locate(0, &location);
        self.emit(Op::AnyThere { first, end });
    }

    fn locate(&mut self, which: u8, location: &Location) {
        self.emit(Op::Locate { which, base: location.base });
        for &(key, stride) in &location.keys {
            self.emit(Op::Advance { which, key, stride });
        }
    }

    /// The location of a symbol.
    pub(super) fn location_of_symbol(&mut self, symbol: Symbol) -> Location {
        let name = self.layout.symbols[symbol as usize];
        Location::new(self.layout.literal(symbol), Ty::Symbol(name))
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
    /// A map has its default for every key that it does not list (RG, 2.1). A variable or constant
    /// has it also for a key that is not of its type; a map within it does not. Nothing can be
    /// assigned to the default.
    pub(super) fn location(&mut self, expr: &'d Expr) -> Location {
        self.location_of(expr, true)
    }

    fn location_of(&mut self, expr: &'d Expr, read: bool) -> Location {
        let mut location = match &expr.base {
            Base::Name(name) => {
                let constant = self.layout.constants.get(&name.name);
                match constant.or_else(|| self.layout.variables.get(&name.name)) {
                    Some(&Item { base, ty }) => Location::new(base, ty),
                    None => {
                        let symbol = self.layout.symbol(name.name);
                        self.location_of_symbol(symbol)
                    }
                }
            }
            Base::Cast(name, inner) => {
                let mut location = self.location(inner);
                match self.layout.types.named(name.name) {
                    Some(ty) => location.casts.push(ty),
                    None => {
                        let message = "there is no such type";
                        self.layout.problem(Code::RgUnknownType, name.place.0, message);
                    }
                }
                location
            }
        };
        for (number, key) in expr.keys.iter().enumerate() {
            let inner = self.location(key);
            let operand = self.load(inner);
            let whole = match expr.base {
                Base::Name(name) if read && number == 0 => Some(name.name),
                Base::Cast(_, ref inner) if read && number == 0 => whole_name(inner),
                _ => None,
            };
            self.access(&mut location, operand, key, whole);
        }
        #[cfg(feature = "native")]
        self.roots.insert((location.base, location.root));
        location
    }

    /// `whole` is the variable or constant that the key belongs to, if the key may mean its
    /// default.
    fn access(
        &mut self,
        location: &mut Location,
        operand: Operand,
        key: &Expr,
        whole: Option<Name>,
    ) {
        let not_a_map = "this is the key of something that is no map";
        let mut casts = std::mem::take(&mut location.casts);
        for cast in &mut casts {
            let Ty::Map(map) = *cast else {
                return self.layout.problem(Code::RgNotAMap, key.place.0, not_a_map);
            };
            let (keys, values) = self.layout.types.map(map);
            self.member(operand, keys);
            *cast = values;
        }
        let Ty::Map(map) = location.ty else {
            return self.layout.problem(Code::RgNotAMap, key.place.0, not_a_map);
        };
        let (Ty::Set(keys), values) = self.layout.types.map(map) else { return };
        let Some(stride) = self.layout.size(values) else { return };
        let default = whole
            .filter(|_| !self.surely(Ty::Set(keys), operand.ty))
            .and_then(|whole| self.layout.default(whole, self.description));
        let loose = match (default, operand.ty) {
            (Some(default), Ty::Set(given)) => {
                Some(self.layout.loose_table(keys, stride, given, default - location.base))
            }
            _ => None,
        };
        let (table, stride) = match loose {
            Some(table) => (table, 1),
            None => (self.layout.table(keys, 1), stride as u32),
        };
        let Operand { register, .. } = operand;
        let fixed = self.is_fixed(register).then(|| self.layout.offset(table, register));
        match fixed {
            // A key without an offset is an error only when the action is taken.
            Some(offset) if offset != ABSENT => {
                location.base = location.base.wrapping_add(offset * stride)
            }
            _ => {
                let surely = loose.is_some() || self.surely(Ty::Set(keys), operand.ty);
                self.key(location, table, stride, register, surely && fixed.is_none());
            }
        }
        location.ty = values;
        location.casts = casts;
    }

    /// Adds a key that is not known before play. `surely` says that the key is always in the table.
    fn key(
        &mut self,
        location: &mut Location,
        table: Table,
        stride: u32,
        register: Register,
        surely: bool,
    ) {
        let least = table.least.wrapping_mul(stride);
        if surely && table.dense {
            location.base = location.base.wrapping_sub(least);
            return location.keys.push((register, stride));
        }
        let constant = location.base as usize >= self.layout.state && location.keys.is_empty();
        let is_last = match location.ty {
            Ty::Map(map) => matches!(self.layout.types.map(map).1, Ty::Set(_)),
            _ => false,
        };
        if surely
            && constant
            && is_last
            && let Some(row) = self.layout.row(location.base, table)
        {
            location.base = row.wrapping_sub(least);
            return location.keys.push((register, 1));
        }
        let to = self.temporary();
        self.emit(Op::Offset { to, key: register, table });
        location.keys.push((to, stride));
    }

    /// Whether a register always holds the same symbol.
    fn is_fixed(&self, register: Register) -> bool {
        register as usize >= self.layout.state && !self.temporaries.contains(&register)
    }

    /// Writes the code that puts the value of an expression into a register.
    pub(super) fn load(&mut self, location: Location) -> Operand {
        let register = match (&location.keys[..], location.entry()) {
            ([], _) => location.base,
            (_, Some(entry)) => {
                let to = self.temporary();
                self.emit(Op::Load { to, entry });
                to
            }
            (&[(first, stride), (second, 1)], _) => {
                let (to, base) = (self.temporary(), location.base);
                self.emit(Op::LoadPair { to, base, first, stride, second });
                to
            }
            _ => {
                let to = self.temporary();
                self.locate(0, &location);
                self.emit(Op::LoadThere { to });
                to
            }
        };
        if let Ty::Map(_) | Ty::Unknown = location.ty {
            let edge = self.edge_of(self.edge);
            let message = "there is a map where a symbol is needed";
            self.layout.problem(Code::RgNotASet, edge.place.0, message);
        }
        let operand = Operand { register, ty: location.ty };
        location.casts.into_iter().fold(operand, |operand, cast| self.member(operand, cast))
    }

    /// Writes the code that checks whether a symbol is of a type.
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

/// The name of a whole variable or constant, without its casts.
fn whole_name(expr: &Expr) -> Option<Name> {
    match &expr.base {
        _ if !expr.keys.is_empty() => None,
        Base::Name(name) => Some(name.name),
        Base::Cast(_, inner) => whole_name(inner),
    }
}
