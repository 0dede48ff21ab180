//! Normalise types (RG, figures 45, 46): every set and every arrow has a name.
//!
//! ```text
//! type X = { x } -> { y };
//! var v: X -> Bool …             (X is a set here)
//!
//! type Type1 = { x };
//! type Type2 = { y };
//! type X = Type1 -> Type2;
//! ```

use super::fresh::Fresh;
use super::too_large::TooLarge;
use crate::rg::ast::{Description, Label, Place, SimpleType, Type, TypeAlias};
use crate::rg::name::{Name, Names};
use hashbrown::HashMap;

pub(super) fn run(description: &mut Description) -> Result<(), TooLarge> {
    let Description { names, types, constants, variables, edges, .. } = description;
    let mut naming =
        Naming { names, fresh: Fresh::new(), by_type: HashMap::new(), types: Vec::new() };
    for mut alias in std::mem::take(types) {
        match alias.type_.keys.is_empty() {
            // A set, or another name.
            true => {}
            false => alias.type_ = naming.arrow(&alias.type_),
        }
        naming.types.push(alias);
    }
    for constant in constants.iter_mut() {
        constant.type_ = naming.named(&constant.type_).into();
    }
    for variable in variables.iter_mut() {
        variable.type_ = naming.named(&variable.type_).into();
    }
    for edge in edges.iter_mut() {
        if let Label::AssignAny { values, .. } = &mut edge.label {
            *values = naming.named(values).into();
        }
    }
    *types = naming.types;
    Ok(())
}

struct Naming<'d> {
    names: &'d mut Names,
    fresh: Fresh,
    /// The new names of types.
    by_type: HashMap<Type, Name>,
    types: Vec<TypeAlias>,
}

impl Naming<'_> {
    /// The name of a type, which is added if it is new.
    fn named(&mut self, type_: &Type) -> SimpleType {
        if let (true, SimpleType::Named(name)) = (type_.keys.is_empty(), &type_.value) {
            return SimpleType::Named(*name);
        }
        let own = match type_.keys.is_empty() {
            true => type_.clone(),
            false => self.arrow(type_),
        };
        let name = match self.by_type.get(&own) {
            Some(&existing) => existing,
            None => {
                let name = self.fresh.name(self.names, "Type");
                self.types.push(TypeAlias {
                    name: name.into(),
                    type_: own.clone(),
                    place: Place::default(),
                });
                self.by_type.insert(own, name);
                name
            }
        };
        SimpleType::Named(name.into())
    }

    /// A type of one arrow between names. A reader bounds the number of arrows.
    fn arrow(&mut self, type_: &Type) -> Type {
        let (first, others) = type_.keys.split_first().expect("an arrow");
        let rest = Type { keys: others.to_vec(), value: type_.value.clone() };
        let value = self.named(&rest);
        let key = self.named(&Type::from(first.clone()));
        Type { keys: vec![key], value }
    }
}
