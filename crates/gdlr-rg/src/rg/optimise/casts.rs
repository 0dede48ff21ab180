//! Casts: adds them where an expression may have a value that its place does not allow.
//!
//! Transformations drop all casts, since in a proper game a cast changes nothing. But a
//! transformation may replace a variable by an expression of a larger type. The cast to the smaller
//! type must then be written.
//!
//! ```text
//! xy = Square(next[xy]); board[xy] == e;      board[Square(next[xy])] == e;
//! ```
//!
//! Only an automaton that writes all its casts itself gets new ones. In any other, a cast could
//! refuse a value that was accepted before.

use crate::rg::ast::{Base, Description, Expr, Label};
use crate::rg::name::Name;
use crate::rg::types::{Ty, Types};
use hashbrown::HashMap;

/// Whether a description has all the casts that [`add`] would add, and no cast of a map. A map may
/// be cast to a map with other keys, which are then no values of the type of its own keys.
pub(super) fn are_said(description: &Description) -> bool {
    let casts = Casts::of(description);
    description.edges.iter().all(|edge| {
        let mut label = edge.label.clone();
        casts.add_to(&mut label);
        label == edge.label && !casts.casts_maps(&label)
    })
}

/// Casts assigned values and keys whose types have values that their place does not allow. The
/// needed type must have a name.
pub(super) fn add(description: &mut Description) {
    let casts = Casts::of(description);
    description.edges.iter_mut().for_each(|edge| casts.add_to(&mut edge.label));
}

struct Casts {
    types: Types,
    /// The first name of each type.
    names: HashMap<Ty, Name>,
    /// The types of constants and variables.
    declared: HashMap<Name, Ty>,
}

impl Casts {
    fn of(description: &Description) -> Casts {
        let (built_in, missing) = (description.missing_types(), description.missing_variables());
        // A description without errors has no problems.
        let mut problems = Vec::new();
        let mut types = Types::new(&description.types, &built_in, &mut problems);
        let mut names: HashMap<Ty, Name> = HashMap::new();
        for alias in description.types.iter().chain(&built_in) {
            if let Some(ty) = types.named(alias.name.name) {
                names.entry(ty).or_insert(alias.name.name);
            }
        }
        let constants =
            description.constants.iter().map(|constant| (constant.name, &constant.type_));
        let variables = description.variables.iter().chain(&missing);
        let variables = variables.map(|variable| (variable.name, &variable.type_));
        let mut declared: HashMap<Name, Ty> = HashMap::new();
        for (name, type_) in constants.chain(variables) {
            let ty = types.resolve(type_, &mut problems);
            declared.entry(name.name).or_insert(ty);
        }
        Casts { types, names, declared }
    }

    fn add_to(&self, label: &mut Label) {
        match label {
            Label::Assign { target, value } => {
                let needed = self.keys(target);
                self.cast(value, needed);
            }
            Label::AssignAny { target, .. } => drop(self.keys(target)),
            Label::Compare { left, right, .. } => {
                self.keys(left);
                self.keys(right);
            }
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => {}
        }
    }

    fn casts_maps(&self, label: &Label) -> bool {
        match label {
            Label::Assign { target: one, value: other }
            | Label::Compare { left: one, right: other, .. } => {
                self.is_cast_map(one) || self.is_cast_map(other)
            }
            Label::AssignAny { target, .. } => self.is_cast_map(target),
            Label::Skip | Label::Reach { .. } | Label::Tag(_) | Label::TagVariable(_) => false,
        }
    }

    /// Whether an expression, or a part of it, is a map with a cast.
    fn is_cast_map(&self, expr: &Expr) -> bool {
        let is_cast = match &expr.base {
            Base::Name(_) => false,
            Base::Cast(name, inner) => {
                matches!(self.types.named(name.name), Some(Ty::Map(_))) || self.is_cast_map(inner)
            }
        };
        is_cast || expr.keys.iter().any(|key| self.is_cast_map(key))
    }

    /// Casts the keys of an expression. Returns the type of the whole expression. Expressions nest
    /// as deep as a reader accepts.
    fn keys(&self, expr: &mut Expr) -> Ty {
        let mut ty = match &mut expr.base {
            Base::Name(name) => {
                self.declared.get(&name.name).copied().unwrap_or(Ty::Symbol(name.name))
            }
            Base::Cast(name, inner) => {
                self.keys(inner);
                self.types.named(name.name).unwrap_or(Ty::Unknown)
            }
        };
        for key in &mut expr.keys {
            let parts = match ty {
                Ty::Map(map) => self.types.map(map),
                _ => (Ty::Unknown, Ty::Unknown),
            };
            self.cast(key, parts.0);
            ty = parts.1;
        }
        ty
    }

    /// Casts an expression and its keys, if the needed type does not have all their values.
    fn cast(&self, expr: &mut Expr, needed: Ty) {
        let own = self.keys(expr);
        if self.types.contains(needed, own) || !self.types.agree(needed, own) {
            return;
        }
        if let Some(&name) = self.names.get(&needed) {
            let inner = std::mem::replace(expr, Expr::from(crate::rg::Ident::from(name)));
            let place = inner.place;
            *expr =
                Expr { base: Base::Cast(name.into(), Box::new(inner)), keys: Vec::new(), place };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{add, are_said};
    use crate::rg::{print, read, validate};

    #[test]
    fn who_says_no_casts_or_casts_maps_is_left_alone() {
        let said = |edge: &str| {
            let text = format!(
                "type Player = {{ x }}; type Score = {{ 0 }}; type A = {{ 0, 1 }}; type B = {{ 1, 2 }};
                type M = A -> A; type N = B -> B; var a: A = 0; var n: N = {{ :1 }};
                begin, p: {edge}; p, end: player = keeper;"
            );
            are_said(&read(&text).expect("an automaton"))
        };
        assert!(said("n[B(a)] == 1"));
        assert!(!said("n[a] == 1"));
        assert!(!said("M(n)[a] == 1"));
    }

    #[test]
    fn what_may_not_be_allowed_is_cast() {
        let text = "type Player = { x };\ntype Score = { 0 };\ntype A = { 1, 2 };\n\
            type N = { 1, 2, none };\nconst up: A -> N = { 1: 2, :none };\n\
            var on: A -> N = { :none };\nvar a: A = 1;\nvar n: N = none;\n";
        let edges = "begin, p: player = x;\np, q: on[up[a]] == up[a];\nq, r: a = on[on[n]];\n\
            r, s: n = up[a];\ns, t: up[a] != none;\nt, end: player = keeper;\n\n";
        let cast = "begin, p: player = x;\np, q: on[A(up[a])] == up[a];\n\
            q, r: a = A(on[A(on[A(n)])]);\n\
            r, s: n = up[a];\ns, t: up[a] != none;\nt, end: player = keeper;\n\n";
        let mut description = read(&format!("{text}{edges}")).expect("an automaton");
        add(&mut description);
        let once = print(&description).expect("printable");
        assert_eq!(once, format!("{text}{cast}"));
        assert!(validate(&read(&once).expect("an automaton")).is_empty());
        add(&mut description);
        assert_eq!(print(&description).expect("printable"), once);
    }
}
