//! Expressions and names of all lanes: those that are the same in all, and those that the variable
//! determines.

use super::{Declared, MOST_MAPS, Said, Uniting, each, same};
use crate::export::slots::Slot;
use gdlr_rg::rg::{Base, Constant, Entry, Expr, Ident, Map, Name, Place, SimpleType, Type, Value};

impl Uniting<'_> {
    pub(super) fn slot(&mut self, lanes: &[Slot]) -> Option<Slot> {
        if let Some(&only) = same(lanes) {
            return Some(only);
        }
        let exprs: Vec<Expr> =
            lanes.iter().map(|&slot| self.program.slots.expr(slot).clone()).collect();
        let expr = self.expr(&exprs.iter().collect::<Vec<_>>(), None)?;
        Some(self.program.slots.of(expr))
    }

    /// An expression whose value in each lane is that of the lane's expression.
    pub(super) fn expr(&mut self, lanes: &[&Expr], type_: Option<&SimpleType>) -> Option<Expr> {
        if let Some(&only) = same(lanes) {
            return Some(only.clone());
        }
        let count = *same(&lanes.iter().map(|expr| expr.keys.len()).collect::<Vec<_>>())?;
        let mut expr = match &lanes[0].base {
            Base::Name(_) => {
                let names = each(lanes, |expr| match &expr.base {
                    Base::Name(name) => Some(name.name),
                    Base::Cast(..) => None,
                })?;
                self.base(&names, type_.filter(|_| count == 0))?
            }
            Base::Cast(type_, _) => {
                let inner = each(lanes, |expr| match &expr.base {
                    Base::Cast(own, inner) if own.name == type_.name => Some(&**inner),
                    _ => None,
                })?;
                let inner = Box::new(self.expr(&inner, None)?);
                Expr { base: Base::Cast(*type_, inner), keys: Vec::new(), place: Place::default() }
            }
        };
        let key_types = match &lanes[0].base {
            Base::Name(name) => self.type_of_name(name.name).map(|type_| type_.keys),
            Base::Cast(..) => None,
        };
        for number in 0..count {
            let keys: Vec<&Expr> = lanes.iter().map(|expr| &expr.keys[number]).collect();
            let type_ = key_types.as_ref().and_then(|types| types.get(number));
            let key = self.expr(&keys, type_)?;
            expr.keys.push(key);
        }
        Some(expr)
    }

    /// The names at the beginning of expressions: symbols, or constant maps of one type.
    fn base(&mut self, names: &[Name], type_: Option<&SimpleType>) -> Option<Expr> {
        if let Some(&only) = same(names) {
            return Some(Ident::from(only).into());
        }
        if names.iter().any(|&name| self.is_declared(name)) {
            return self.one_of_maps(names);
        }
        Some(match self.name(names, type_)? {
            Said::Name(name) => Ident::from(name).into(),
            Said::Slot(slot) => self.program.slots.expr(slot).clone(),
        })
    }

    pub(super) fn is_declared(&self, name: Name) -> bool {
        self.type_of_name(name).is_some()
    }

    pub(super) fn type_of_name(&self, name: Name) -> Option<Type> {
        let Declared { variables, constants, .. } = &self.declared;
        let own = |constant: &&Constant| constant.name.name == name;
        let constant = || constants.iter().find(own).map(|constant| &constant.type_);
        variables.get(&name).or_else(constant).cloned()
    }

    /// The type of a slot, if it is a variable or an entry of a variable.
    pub(super) fn type_of(&self, slot: Slot) -> Option<SimpleType> {
        let Expr { base: Base::Name(name), keys, .. } = self.program.slots.expr(slot) else {
            return None;
        };
        let type_ = self.type_of_name(name.name)?;
        (type_.keys.len() == keys.len()).then_some(type_.value)
    }

    /// Symbols of a type, one for each lane.
    pub(super) fn name(&mut self, names: &[Name], type_: Option<&SimpleType>) -> Option<Said> {
        if let Some(&only) = same(names) {
            return Some(Said::Name(only));
        }
        if names == self.values {
            return Some(Said::Slot(self.lane_slot));
        }
        let are_values = names.iter().all(|name| self.values.contains(name));
        let type_ = if are_values { self.type_.clone() } else { type_?.clone() };
        let wanted = match names.len() {
            2 if are_values => "opponent".to_owned(),
            _ if are_values => "next_player".to_owned(),
            _ => self.texts(names).join("_or_"),
        };
        let values = names.iter().map(|&name| Value::Name(name.into())).collect();
        let map = self.map(&wanted, Type { keys: Vec::new(), value: type_ }, values)?;
        Some(Said::Slot(self.program.slots.of(self.asked_of(map))))
    }

    /// One expression for constant maps of the same type, one for each lane.
    fn one_of_maps(&mut self, names: &[Name]) -> Option<Expr> {
        let constants = &self.declared.constants;
        let of = |name: &Name| constants.iter().find(|constant| constant.name.name == *name);
        let of: Vec<Constant> =
            names.iter().map(|name| of(name).cloned()).collect::<Option<_>>()?;
        let type_ = same(&of.iter().map(|one| &one.type_).collect::<Vec<_>>()).copied()?.clone();
        let texts = self.texts(names);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let wanted = match in_common(&texts) {
            Some(common) => format!("{common}_of"),
            None => texts.join("_or_"),
        };
        let map = self.map(&wanted, type_, of.into_iter().map(|one| one.value).collect())?;
        Some(self.asked_of(map))
    }

    fn texts(&self, names: &[Name]) -> Vec<String> {
        names.iter().map(|&name| self.declared.naming.names.text(name).to_owned()).collect()
    }

    /// The entry of a map for the value of the variable.
    fn asked_of(&self, map: Name) -> Expr {
        let keys = vec![self.program.slots.expr(self.lane_slot).clone()];
        Expr { base: Base::Name(map.into()), keys, place: Place::default() }
    }

    /// A constant map from the values of the variable to values of a type.
    fn map(&mut self, wanted: &str, of: Type, values: Vec<Value>) -> Option<Name> {
        let keys = [self.type_.clone()].into_iter().chain(of.keys).collect();
        let type_ = Type { keys, value: of.value };
        let constants = &mut self.declared.constants;
        let is_it = |one: &&Constant| {
            let own = self.values.iter().map(|&key| value_of(&one.value, key));
            one.type_ == type_ && own.eq(values.iter().map(Some))
        };
        if let Some(known) = constants.iter().find(is_it) {
            return Some(known.name.name);
        }
        let place = Place::default();
        let mut entries: Vec<Entry> = (self.values.iter().zip(values))
            .map(|(&key, value)| Entry { key: Some(key.into()), value, place })
            .collect();
        // The last entry becomes the value for all other keys.
        if let Some(last) = entries.last_mut() {
            last.key = None;
        }
        let value = Value::Map(Map { entries, place });
        self.maps += 1;
        if self.maps > MOST_MAPS {
            return None;
        }
        let name = self.declared.naming.define(wanted);
        constants.push(Constant { name: name.into(), type_, value, place });
        Some(name)
    }
}

/// The value of a map for a key.
fn value_of(map: &Value, key: Name) -> Option<&Value> {
    let Value::Map(Map { entries, .. }) = map else { return None };
    let own = entries.iter().find(|entry| entry.key.is_some_and(|own| own.name == key));
    own.or_else(|| entries.iter().find(|entry| entry.key.is_none())).map(|entry| &entry.value)
}

/// The words with which all texts begin. `None` if they are a single letter.
pub(super) fn in_common<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let first = *texts.first()?;
    let is_common = |length: &usize| {
        let start = first.get(..*length);
        start.is_some_and(|start| {
            texts.iter().all(|text| {
                text.strip_prefix(start)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            })
        })
    };
    let length = (2..=first.len()).rev().find(is_common)?;
    Some(&first[..length])
}
