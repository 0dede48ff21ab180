//! Labels that cast maps to other keys, and the types, keys and definitions of their sides.

use crate::rg::ast::{Base, Description, Expr, Ident, Label, Value};
use crate::rg::name::Name;
use crate::rg::types::{Ty, Types};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// The relation between the two sides of a label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Assign,
    Equal,
    Differ,
}

/// An assignment or comparison of maps whose keys differ.
#[derive(Clone)]
pub(super) struct Sides {
    pub kind: Kind,
    pub left: Flat,
    pub right: Flat,
}

/// A flat expression: a name, its keys, and its casts, each with the number of keys before it.
#[derive(Clone)]
pub(super) struct Flat {
    pub root: Ident,
    pub keys: Vec<Expr>,
    pub casts: Vec<(usize, Ty)>,
}

/// A key that must be known before an entry is: whether it is of the left side, and its index.
pub(super) struct Unknown(pub bool, pub usize);

/// The meanings of names.
pub(super) struct Scope<'d> {
    pub types: Types,
    /// The constants and variables: the type and the definition of each.
    pub items: HashMap<Name, (Ty, Cow<'d, Value>)>,
    pub constants: HashSet<Name>,
    pub description: &'d Description,
}

impl<'d> Scope<'d> {
    pub fn new(description: &'d Description) -> Scope<'d> {
        let mut types =
            Types::new(&description.types, &description.missing_types(), &mut Vec::new());
        let mut items = HashMap::new();
        let mut constants = HashSet::new();
        for constant in &description.constants {
            let ty = types.resolve(&constant.type_, &mut Vec::new());
            items.entry(constant.name.name).or_insert((ty, Cow::Borrowed(&constant.value)));
            constants.insert(constant.name.name);
        }
        let missing = description.missing_variables().into_iter();
        let missing = missing.map(|it| (it.name.name, it.type_, Cow::Owned(it.initial)));
        let written = description.variables.iter();
        let written =
            written.map(|it| (it.name.name, it.type_.clone(), Cow::Borrowed(&it.initial)));
        for (name, type_, initial) in written.chain(missing) {
            let ty = types.resolve(&type_, &mut Vec::new());
            items.entry(name).or_insert((ty, initial));
        }
        Scope { types, items, constants, description }
    }

    /// The sides of a label, if they are maps whose keys differ, or are cast to other keys.
    pub fn sides(&self, label: &Label) -> Option<Sides> {
        let (kind, left, right) = match label {
            Label::Assign { target, value } => (Kind::Assign, target, value),
            Label::Compare { left, right, equal: true } => (Kind::Equal, left, right),
            Label::Compare { left, right, equal: false } => (Kind::Differ, left, right),
            _ => return None,
        };
        let first = self.type_of(left)?;
        if !matches!(first, Ty::Map(_)) {
            return None;
        }
        let (left, right) = (self.flat(left), self.flat(right));
        let mut types = self.types_of(&left).into_iter().chain(self.types_of(&right));
        let alike = types.all(|ty| self.types.same_keys(ty, first));
        (!alike).then_some(Sides { kind, left, right })
    }

    /// The type of an expression that is not a symbol.
    pub fn type_of(&self, expr: &Expr) -> Option<Ty> {
        let base = match &expr.base {
            Base::Name(name) => self.items.get(&name.name)?.0,
            Base::Cast(name, _) => self.types.named(name.name)?,
        };
        Some(self.descend(base, expr.keys.len()))
    }

    /// The type after so many accesses.
    pub fn descend(&self, mut ty: Ty, keys: usize) -> Ty {
        for _ in 0..keys {
            let Ty::Map(map) = ty else { return Ty::Unknown };
            ty = self.types.map(map).1;
        }
        ty
    }

    fn flat(&self, expr: &Expr) -> Flat {
        let mut flat = match &expr.base {
            Base::Name(name) => Flat { root: *name, keys: Vec::new(), casts: Vec::new() },
            Base::Cast(name, inner) => {
                let mut flat = self.flat(inner);
                let ty = self.types.named(name.name).unwrap_or(Ty::Unknown);
                flat.casts.push((flat.keys.len(), ty));
                flat
            }
        };
        flat.keys.extend(expr.keys.iter().cloned());
        flat
    }

    /// The types of an expression, in order: its own, then those of its casts.
    pub fn types_of(&self, flat: &Flat) -> Vec<Ty> {
        let root = self.items.get(&flat.root.name).map_or(Ty::Symbol(flat.root.name), |it| it.0);
        let all = [(0, root)].into_iter().chain(flat.casts.iter().copied());
        all.map(|(depth, ty)| self.descend(ty, flat.keys.len() - depth)).collect()
    }

    /// The sets of symbols of a map type: those of its keys, then the one of its values.
    pub fn sets(&self, mut ty: Ty) -> Vec<&[Name]> {
        let mut sets = Vec::new();
        while let Ty::Map(map) = ty {
            sets.push(self.keys(ty));
            ty = self.types.map(map).1;
        }
        if let Ty::Set(set) = ty {
            sets.push(self.types.symbols(set));
        }
        sets
    }

    pub fn keys(&self, ty: Ty) -> &[Name] {
        match ty {
            Ty::Map(map) => match self.types.map(map).0 {
                Ty::Set(set) => self.types.symbols(set),
                _ => &[],
            },
            _ => &[],
        }
    }

    /// The symbol that an expression is in every state; `None` if it is no symbol.
    pub fn constant_symbol(&self, expr: &Expr) -> Option<Name> {
        expr.as_name().map(|name| name.name).filter(|name| !self.items.contains_key(name))
    }

    /// The value that a name in a value stands for, if it is a constant.
    pub fn definition<'v>(&'v self, mut value: &'v Value) -> &'v Value {
        // No constant is defined by itself.
        while let Value::Name(name) = value
            && let Some((_, next)) =
                self.items.get(&name.name).filter(|_| self.constants.contains(&name.name))
        {
            value = next;
        }
        value
    }

    /// The label in which the default replaces each access to a cast variable or constant by a
    /// symbol that is no key of it. Without the cast, such an access could not be written.
    pub fn without_strays(&self, label: &Label) -> Option<Label> {
        let (first, second) = match label {
            Label::Assign { target, value } => (target, Some(value)),
            Label::AssignAny { target, .. } => (target, None),
            Label::Compare { left, right, .. } => (left, Some(right)),
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => {
                return None;
            }
        };
        if !has_access_to_cast(first) && !second.is_some_and(has_access_to_cast) {
            return None;
        }
        let mut label = label.clone();
        let mut changed = false;
        match &mut label {
            Label::Assign { target, value } => {
                target.keys.iter_mut().for_each(|key| changed |= self.replace_strays(key));
                changed |= self.replace_strays(value);
            }
            Label::AssignAny { target, .. } => {
                target.keys.iter_mut().for_each(|key| changed |= self.replace_strays(key));
            }
            Label::Compare { left, right, .. } => {
                changed = self.replace_strays(left) | self.replace_strays(right);
            }
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => {}
        }
        changed.then_some(label)
    }

    /// Expressions nest as deep as a reader accepts.
    fn replace_strays(&self, expr: &mut Expr) -> bool {
        let mut changed = false;
        expr.keys.iter_mut().for_each(|key| changed |= self.replace_strays(key));
        if let Base::Cast(_, inner) = &mut expr.base {
            changed |= self.replace_strays(inner);
        }
        let Some(symbol) = self.stray(expr) else { return changed };
        *expr = Expr::from(Ident { name: symbol, place: expr.place });
        true
    }

    /// The default that an access to a cast variable or constant gives, if its key never is one.
    fn stray(&self, expr: &Expr) -> Option<Name> {
        if !matches!(expr.base, Base::Cast(..)) || expr.keys.is_empty() {
            return None;
        }
        let flat = self.flat(expr);
        let (root, definition) = self.items.get(&flat.root.name)?;
        let Ty::Map(map) = *root else { return None };
        let key = match self.constant_symbol(&flat.keys[0]) {
            Some(symbol) => Ty::Symbol(symbol),
            None => self.type_of(&flat.keys[0])?,
        };
        if flat.casts.iter().any(|&(depth, _)| depth > 0)
            || self.types.agree(self.types.map(map).0, key)
        {
            return None;
        }
        let mut value = self.entry(definition, None);
        for key in &flat.keys[1..] {
            value = self.entry(value, Some(self.constant_symbol(key)?));
        }
        match self.definition(value) {
            Value::Name(name) => Some(name.name),
            Value::Map(_) => None,
        }
    }

    /// The default of a map after some keys, some of them unknown. It must be the same for all
    /// unknown keys.
    ///
    /// # Errors
    ///
    /// The index of the key that must be known.
    pub fn default<'v>(
        &'v self,
        value: &'v Value,
        keys: &[Option<Name>],
        at: usize,
    ) -> Result<&'v Value, usize> {
        match keys.split_first() {
            None => Ok(self.entry(value, None)),
            Some((Some(key), rest)) => self.default(self.entry(value, Some(*key)), rest, at + 1),
            Some((None, rest)) => {
                let Value::Map(map) = self.definition(value) else { return Ok(value) };
                let mut entries = map.entries.iter();
                let first = entries
                    .next()
                    .map_or(Err(at), |first| self.default(&first.value, rest, at + 1))?;
                for entry in entries {
                    if self.default(&entry.value, rest, at + 1)? != first {
                        return Err(at);
                    }
                }
                Ok(first)
            }
        }
    }

    /// The value of a map for a key, by its definition.
    pub fn entry<'v>(&'v self, value: &'v Value, key: Option<Name>) -> &'v Value {
        let Value::Map(map) = self.definition(value) else { return value };
        let of = |key: Option<Name>| {
            map.entries.iter().find(|entry| entry.key.map(|key| key.name) == key)
        };
        of(key).or_else(|| of(None)).map_or(value, |entry| &entry.value)
    }
}

/// Whether an expression has an access to a cast. Expressions nest as deep as a reader accepts.
fn has_access_to_cast(expr: &Expr) -> bool {
    let in_base = match &expr.base {
        Base::Name(_) => false,
        Base::Cast(_, inner) => !expr.keys.is_empty() || has_access_to_cast(inner),
    };
    in_base || expr.keys.iter().any(has_access_to_cast)
}
