//! The values of constants, and the initial values of variables.

use super::expressions::{ExprId, Expressions, Kind, Shape};
use crate::rg::ast::{Constant, Description, Value};
use crate::rg::name::Name;
use crate::rg::types::{Ty, Types};
use hashbrown::HashMap;
use std::rc::Rc;

/// A value: a symbol, or a map with all its keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Val {
    /// A symbol.
    Symbol(Name),
    /// A map.
    Map(Rc<MapVal>),
}

/// A map with all its keys.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct MapVal {
    /// The keys, in order.
    pub keys: Rc<[Name]>,
    /// The values, in the order of the keys.
    pub values: Vec<Val>,
    /// The value for a symbol that is no key; `None` if the map is within another one.
    pub default: Option<Val>,
}

impl MapVal {
    /// The value of a key.
    pub fn get(&self, key: Name) -> Option<&Val> {
        self.keys.binary_search(&key).ok().map(|index| &self.values[index])
    }
}

/// The values of a description.
#[derive(Debug, Default)]
pub struct Values {
    constants: HashMap<Name, Val>,
    initial: HashMap<Name, Val>,
    /// The variables, in the order of the description.
    variables: Vec<Name>,
    keys: HashMap<Ty, Rc<[Name]>>,
}

impl Values {
    /// Evaluates all definitions. A definition with a defect of its own has no value.
    pub fn new(description: &Description, types: &Types, expressions: &Expressions) -> Values {
        let mut values = Values::default();
        let mut definitions = HashMap::new();
        for Constant { name, value, .. } in &description.constants {
            definitions.entry(name.name).or_insert(value);
        }
        let scope = Scope { definitions, types, expressions };
        for constant in &description.constants {
            let name = constant.name.name;
            if let Kind::Constant(ty) = expressions.kind(name)
                && let Some(value) = values.value(&constant.value, ty, &scope)
            {
                values.constants.entry(name).or_insert(value);
            }
        }
        for variable in &description.variables {
            let name = variable.name.name;
            let Kind::Variable(ty) = expressions.kind(name) else { continue };
            if let Some(value) = values.value(&variable.initial, ty, &scope)
                && values.initial.insert(name, value).is_none()
            {
                values.variables.push(name);
            }
        }
        values
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, name: Name, value: Val) {
        self.constants.insert(name, value);
    }

    /// Turns a variable into a constant.
    pub fn freeze(&mut self, name: Name) {
        self.variables.retain(|&other| other != name);
        if let Some(value) = self.initial.remove(&name) {
            self.constants.insert(name, value);
        }
    }

    /// Removes a variable.
    pub fn remove_variable(&mut self, name: Name) {
        self.variables.retain(|&other| other != name);
        self.initial.remove(&name);
    }

    /// The value of a constant.
    pub fn constant(&self, name: Name) -> Option<&Val> {
        self.constants.get(&name)
    }

    /// The initial value of a variable.
    pub fn initial(&self, name: Name) -> Option<&Val> {
        self.initial.get(&name)
    }

    /// All variables with an initial value.
    pub fn variables(&self) -> impl Iterator<Item = Name> + '_ {
        self.variables.iter().copied()
    }

    /// The value of an expression without variables.
    pub fn evaluate(&self, expressions: &Expressions, expr: ExprId) -> Option<Val> {
        match expressions.shape(expr) {
            Shape::Name(name) => match expressions.kind(name) {
                Kind::Symbol => Some(Val::Symbol(name)),
                Kind::Constant(_) => self.constants.get(&name).cloned(),
                Kind::Variable(_) => None,
            },
            Shape::Access { map, key } => {
                let Some(Val::Symbol(key)) = self.evaluate(expressions, key) else { return None };
                let Some(Val::Map(value)) = self.evaluate(expressions, map) else { return None };
                match value.get(key) {
                    Some(value) => Some(value.clone()),
                    None => value.default.clone(),
                }
            }
        }
    }

    fn keys(&mut self, ty: Ty, types: &Types) -> Option<Rc<[Name]>> {
        let Ty::Set(set) = ty else { return None };
        let keys = self.keys.entry(ty).or_insert_with(|| types.symbols(set).into());
        Some(Rc::clone(keys))
    }

    /// Maps nest as deep as a reader accepts.
    fn value(&mut self, value: &Value, ty: Ty, scope: &Scope) -> Option<Val> {
        let (map, map_type) = match (value, ty) {
            (Value::Name(name), _) => return self.named(name.name, ty, scope),
            (Value::Map(map), Ty::Map(map_type)) => (map, map_type),
            _ => return None,
        };
        let (key_type, ty) = scope.types.map(map_type);
        let keys = self.keys(key_type, scope.types)?;
        let default = map.entries.iter().find(|entry| entry.key.is_none())?;
        let default = self.value(&default.value, ty, scope)?.within();
        let mut values = vec![default.clone(); keys.len()];
        for entry in &map.entries {
            let Some(key) = entry.key else { continue };
            // A constant may have keys that are not in the type of its cast.
            let Ok(index) = keys.binary_search(&key.name) else { continue };
            values[index] = self.value(&entry.value, ty, scope)?.within();
        }
        Some(Val::Map(Rc::new(MapVal { keys, values, default: Some(default) })))
    }

    /// The meaning of a name in a value of a type.
    fn named(&mut self, name: Name, ty: Ty, scope: &Scope) -> Option<Val> {
        let Some(constant) = self.constants.get(&name) else { return Some(Val::Symbol(name)) };
        match (scope.expressions.kind(name), scope.definitions.get(&name)) {
            // The definition of the constant gives the values under all other keys.
            (Kind::Constant(own), Some(&written)) if !scope.types.same_keys(own, ty) => {
                self.value(written, ty, scope)
            }
            _ => Some(constant.clone()),
        }
    }
}

/// The meanings of names in values.
struct Scope<'d> {
    /// The values of constants, as written.
    definitions: HashMap<Name, &'d Value>,
    types: &'d Types,
    expressions: &'d Expressions,
}

impl Val {
    /// The value as part of a map, where it has no default.
    fn within(self) -> Val {
        match self {
            Val::Map(map) if map.default.is_some() => Val::Map(Rc::new(MapVal {
                keys: Rc::clone(&map.keys),
                values: map.values.clone(),
                default: None,
            })),
            other => other,
        }
    }

    /// Visits the symbols of all entries, in the order of their keys.
    pub fn for_each_entry(&self, visit: &mut impl FnMut(Name)) {
        match self {
            Val::Symbol(symbol) => visit(*symbol),
            Val::Map(map) => map.values.iter().for_each(|value| value.for_each_entry(visit)),
        }
    }

    /// Visits every symbol anywhere in the value.
    pub fn for_each_symbol(&self, visit: &mut impl FnMut(Name)) {
        match self {
            Val::Symbol(symbol) => visit(*symbol),
            Val::Map(map) => {
                let mut last: Option<&Val> = None;
                for value in &map.values {
                    let shared = match (last, value) {
                        (Some(Val::Map(last)), Val::Map(this)) => Rc::ptr_eq(last, this),
                        (Some(last), this) => last == this,
                        (None, _) => false,
                    };
                    if !shared {
                        value.for_each_symbol(visit);
                    }
                    last = Some(value);
                }
                if let Some(default) = &map.default {
                    default.for_each_symbol(visit);
                }
            }
        }
    }
}
