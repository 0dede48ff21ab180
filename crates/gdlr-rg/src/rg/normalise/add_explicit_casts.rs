//! Add explicit casts (RG, figures 35, 36): every expression gets a cast to its type, if the type
//! has a name.
//!
//! ```text
//! var t: T = 1;
//! a, b: t == 1;        a, b: T(t) == T(1);
//! ```
//!
//! The target of an assignment cannot have a cast; its keys can.

use super::too_large::TooLarge;
use crate::rg::ast::{Base, Description, Expr, Ident, Label, SimpleType, Type, TypeAlias};
use crate::rg::name::Name;
use hashbrown::HashMap;

pub(super) fn run(description: &mut Description) -> Result<(), TooLarge> {
    let built_in = description.built_in_types();
    let missing = description.missing_variables();
    let Description { types, constants, variables, edges, .. } = description;
    let mut declared: HashMap<Name, Type> = HashMap::new();
    for constant in constants.iter() {
        declared.entry(constant.name.name).or_insert_with(|| constant.type_.clone());
    }
    for variable in variables.iter().chain(&missing) {
        declared.entry(variable.name.name).or_insert_with(|| variable.type_.clone());
    }
    let aliases = types.iter().chain(&built_in).rev();
    let casts = Casts { declared, aliases: aliases.map(|one| (one.name.name, one)).collect() };
    for edge in edges.iter_mut() {
        match &mut edge.label {
            Label::Assign { target, value } => {
                let of_target = casts.keys(target);
                casts.cast(value, of_target.as_ref());
            }
            Label::AssignAny { target, .. } => drop(casts.keys(target)),
            Label::Compare { left, right, .. } => {
                // A symbol gets the type of the other side.
                let of_left = casts.type_of(left);
                let of_right = casts.type_of(right);
                casts.cast(left, of_right.as_ref());
                casts.cast(right, of_left.as_ref());
            }
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => {}
        }
    }
    Ok(())
}

struct Casts<'d> {
    declared: HashMap<Name, Type>,
    aliases: HashMap<Name, &'d TypeAlias>,
}

impl Casts<'_> {
    /// The type of an expression; `None` for a symbol.
    fn type_of(&self, expr: &Expr) -> Option<Type> {
        let mut type_ = match &expr.base {
            Base::Name(name) => self.declared.get(&name.name)?.clone(),
            Base::Cast(name, _) => SimpleType::Named(*name).into(),
        };
        for _ in &expr.keys {
            type_ = self.parts(&type_)?.1;
        }
        Some(type_)
    }

    /// The types of the keys and of the values of a map type.
    fn parts(&self, type_: &Type) -> Option<(SimpleType, Type)> {
        let mut at = type_;
        // Aliases have no cycles.
        while at.keys.is_empty() {
            let SimpleType::Named(name) = &at.value else { return None };
            at = &self.aliases.get(&name.name)?.type_;
        }
        let value = Type { keys: at.keys[1..].to_vec(), value: at.value.clone() };
        Some((at.keys[0].clone(), value))
    }

    /// Casts the keys of an expression. Returns the type of the whole expression. Expressions nest
    /// as deep as a reader accepts.
    fn keys(&self, expr: &mut Expr) -> Option<Type> {
        let mut type_ = match &mut expr.base {
            Base::Name(name) => self.declared.get(&name.name).cloned(),
            Base::Cast(name, inner) => {
                self.keys(inner);
                Some(SimpleType::Named(*name).into())
            }
        };
        for key in &mut expr.keys {
            let parts = type_.as_ref().and_then(|type_| self.parts(type_));
            let of_key = parts.as_ref().map(|(key, _)| Type::from(key.clone()));
            self.cast(key, of_key.as_ref());
            type_ = parts.map(|(_, value)| value);
        }
        type_
    }

    /// Casts an expression to its own type, and a symbol to the type of the other side.
    fn cast(&self, expr: &mut Expr, opposite: Option<&Type>) {
        let own = self.keys(expr);
        if let (Base::Cast(..), []) = (&expr.base, &expr.keys[..]) {
            return;
        }
        if let Some(name) = own.as_ref().or(opposite).and_then(alias) {
            let inner = std::mem::replace(expr, Expr::from(name));
            let place = inner.place;
            *expr = Expr { base: Base::Cast(name, Box::new(inner)), keys: Vec::new(), place };
        }
    }
}

/// The name of a type that is only a name.
fn alias(type_: &Type) -> Option<Ident> {
    match (&type_.keys[..], &type_.value) {
        ([], SimpleType::Named(name)) => Some(*name),
        _ => None,
    }
}
