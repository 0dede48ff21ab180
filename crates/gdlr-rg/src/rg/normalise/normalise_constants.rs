//! Normalise constants (RG, figures 43, 44): the value of a variable is a name, and so is each
//! value in a map.
//!
//! ```text
//! var x: Bool -> Bool -> Bool = { :{ :0 } };
//!
//! const map1: Bool -> Bool = { :0 };
//! const map2: Bool -> Bool -> Bool = { :map1 };
//! var x: Bool -> Bool -> Bool = map2;
//! ```

use super::fresh::Fresh;
use super::too_large::TooLarge;
use crate::rg::ast::{Constant, Description, Place, SimpleType, Type, TypeAlias, Value};
use crate::rg::name::{Name, Names};
use hashbrown::HashMap;

pub(super) fn run(description: &mut Description) -> Result<(), TooLarge> {
    let Description { names, types, constants, variables, .. } = description;
    let mut hoist = Hoist {
        names,
        aliases: types.iter().rev().map(|alias| (alias.name.name, alias)).collect(),
        fresh: Fresh::new(),
        by_value: HashMap::new(),
        constants: Vec::with_capacity(constants.len()),
    };
    for mut constant in std::mem::take(constants) {
        hoist.within(&mut constant.value, &constant.type_);
        hoist.constants.push(constant);
    }
    // The built-in variables may have values of their own.
    for variable in variables.iter_mut() {
        hoist.value(&mut variable.initial, &variable.type_);
    }
    *constants = hoist.constants;
    Ok(())
}

struct Hoist<'d> {
    names: &'d mut Names,
    aliases: HashMap<Name, &'d TypeAlias>,
    fresh: Fresh,
    /// The constants, by type and value.
    by_value: HashMap<(Type, Value), Name>,
    constants: Vec<Constant>,
}

impl Hoist<'_> {
    /// Replaces a value that is a map by a constant. Maps nest as deep as a reader accepts.
    fn value(&mut self, value: &mut Value, type_: &Type) {
        self.within(value, type_);
        if let Value::Name(_) = value {
            return;
        }
        let key = (type_.clone(), value.clone());
        let name = match self.by_value.get(&key) {
            Some(&existing) => existing,
            None => {
                let name = self.fresh.name(self.names, "map");
                self.constants.push(Constant {
                    name: name.into(),
                    type_: type_.clone(),
                    value: value.clone(),
                    place: Place::default(),
                });
                self.by_value.insert(key, name);
                name
            }
        };
        *value = Value::Name(name.into());
    }

    /// Replaces the maps within a map by constants.
    fn within(&mut self, value: &mut Value, type_: &Type) {
        let Value::Map(map) = value else { return };
        let Some(inner) = self.inner(type_) else { return };
        for entry in &mut map.entries {
            self.value(&mut entry.value, &inner);
        }
    }

    /// The type of the values of a map.
    fn inner(&self, type_: &Type) -> Option<Type> {
        let mut at = type_;
        // Aliases have no cycles.
        while at.keys.is_empty() {
            let SimpleType::Named(name) = &at.value else { return None };
            at = &self.aliases.get(&name.name)?.type_;
        }
        Some(Type { keys: at.keys[1..].to_vec(), value: at.value.clone() })
    }
}
