//! The values of constants and variables: of the right type, and defined without a cycle.
//!
//! A name in a value is a constant or a symbol; a key is always a symbol. The order of constants is
//! arbitrary, and none may need itself (RG, 2.1). Programs that read them one after the other want
//! a constant before its uses.
//!
//! A constant may have another type than its place needs, if the two agree. Then its symbols under
//! keys of the needed type must be symbols of the needed type.

use super::scope::Scope;
use crate::rg::ast::{Ident, Value};
use crate::rg::constants::in_order;
use crate::rg::name::Name;
use crate::rg::types::Ty;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use hashbrown::{HashMap, HashSet};

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    let constants = &scope.description.constants;
    let cycles: HashSet<(usize, usize)> = in_order(constants).cycles.into_iter().collect();
    let mut check = Check { scope, findings, cycles, own: 0, strays: HashMap::new() };
    for (index, constant) in constants.iter().enumerate() {
        // Of two constants with one name, the first counts.
        if let Some(&(first, ty)) = scope.constants.get(&constant.name.name)
            && first == index
        {
            check.own = index;
            check.value(&constant.value, ty);
        }
    }
    check.own = constants.len();
    for variable in &scope.description.variables {
        if let Some(&ty) = scope.variables.get(&variable.name.name) {
            check.value(&variable.initial, ty);
        }
    }
}

struct Check<'c, 'd> {
    scope: &'c Scope<'d>,
    findings: &'c mut Findings,
    /// The constants that close a cycle, each with the constant that it names.
    cycles: HashSet<(usize, usize)>,
    /// The index of the constant that has the value; the number of constants if it is a variable's.
    own: usize,
    /// Memoised: by constant and type, a symbol of the constant that the type does not have.
    strays: HashMap<(Name, Ty), Option<Name>>,
}

impl Check<'_, '_> {
    fn value(&mut self, value: &Value, ty: Ty) {
        let map = match value {
            Value::Name(name) => return self.name(*name, ty),
            Value::Map(map) => map,
        };
        let (key, value) = match ty {
            Ty::Map(map) => self.scope.types.map(map),
            Ty::Unknown => (Ty::Unknown, Ty::Unknown),
            Ty::Symbol(_) | Ty::Set(_) => {
                let message = format!("a map where one of {} is needed", self.scope.describe(ty));
                let span = map.place.0;
                return self
                    .findings
                    .report(Code::RgValue, || Diagnostic::new(Code::RgValue, span, message));
            }
        };
        for entry in &map.entries {
            if let Some(entry_key) = entry.key {
                self.symbol(entry_key, key, Ty::Symbol(entry_key.name));
            }
            self.value(&entry.value, value);
        }
    }

    fn name(&mut self, name: Ident, ty: Ty) {
        let scope = self.scope;
        let Some(&(index, given)) = scope.constants.get(&name.name) else {
            return self.symbol(name, ty, Ty::Symbol(name.name));
        };
        let text = scope.text(name.name);
        if self.cycles.contains(&(self.own, index)) {
            return self.findings.report(Code::RgRecursiveConstant, || {
                let message = format!("the constant `{text}` is defined by itself");
                Diagnostic::new(Code::RgRecursiveConstant, name.place.0, message)
                    .with_label(format!("needed to define `{text}`"))
                    .with_related(scope.description.constants[index].name.place.0, "defined here")
            });
        }
        if index > self.own {
            self.findings.report(Code::RgForwardConstant, || {
                let message = format!("the constant `{text}` is used before it is defined");
                Diagnostic::new(Code::RgForwardConstant, name.place.0, message)
                    .with_help("move its definition up: other programs expect it there")
                    .with_related(scope.description.constants[index].name.place.0, "defined here")
            });
        }
        if !scope.types.agree(ty, given) {
            return self.symbol(name, ty, given);
        }
        if let Some(stray) = self.stray(name.name, ty) {
            self.findings.report(Code::RgValue, || {
                let message =
                    format!("`{text}` is not of its type: it has `{}`", scope.text(stray));
                Diagnostic::new(Code::RgValue, name.place.0, message)
                    .with_label(format!("{} is needed", scope.describe(ty)))
            });
        }
    }

    /// A symbol of a constant that a type does not have. The constant is on no cycle, and its type
    /// agrees with the given one.
    fn stray(&mut self, name: Name, ty: Ty) -> Option<Name> {
        let scope = self.scope;
        let &(index, given) = scope.constants.get(&name)?;
        if scope.types.contains(ty, given) {
            return None;
        }
        if let Some(&memoised) = self.strays.get(&(name, ty)) {
            return memoised;
        }
        // A cycle is an error of its own.
        self.strays.insert((name, ty), None);
        let stray = self.stray_in(&scope.description.constants[index].value, ty);
        self.strays.insert((name, ty), stray);
        stray
    }

    fn stray_in(&mut self, value: &Value, ty: Ty) -> Option<Name> {
        let types = &self.scope.types;
        match (value, ty) {
            (Value::Name(name), _) if self.scope.constants.contains_key(&name.name) => {
                self.stray(name.name, ty)
            }
            (Value::Name(name), Ty::Set(_)) => {
                (!types.agree(ty, Ty::Symbol(name.name))).then_some(name.name)
            }
            (Value::Map(map), Ty::Map(map_type)) => {
                let (keys, values) = types.map(map_type);
                let mut entries = map.entries.iter();
                entries.find_map(|entry| match entry.key {
                    Some(key) if !types.agree(keys, Ty::Symbol(key.name)) => None,
                    _ => self.stray_in(&entry.value, values),
                })
            }
            _ => None,
        }
    }

    /// Reports a symbol that is not of its type.
    fn symbol(&mut self, name: Ident, ty: Ty, given: Ty) {
        let scope = self.scope;
        if scope.types.agree(ty, given) {
            return;
        }
        self.findings.report(Code::RgValue, || {
            let message = format!("`{}` is not of its type", scope.text(name.name));
            let label = match ty {
                Ty::Map(_) => format!("a map {} is needed", scope.describe(ty)),
                _ => format!("one of {} is needed", scope.describe(ty)),
            };
            Diagnostic::new(Code::RgValue, name.place.0, message).with_label(label)
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn values_are_of_their_type() {
        let text = "type A = { 0, 1 }; type B = { x }; type M = A -> B; type N = A -> M;
            const a: A = 2; const b: M = { 2: x, :y }; const c: N = { 0: b, 1: { :x }, :x };
            var d: A = { :0 }; var e: M = b; var f: N = { :b, 1: a }; var g: A = player;";
        assert_eq!(marked(text, Code::RgValue), ["2", "2", "y", "x", "{ :0 }", "a", "player"]);
    }

    #[test]
    fn constants_of_another_type() {
        let text = "type A = { 0, 1 }; type B = { 1, 2 }; type M = A -> A; type N = B -> B;
            const one: B = 1; const two: B = 2; const m: M = { :1 }; const n: N = { 1: 1, :2 };
            const k: N = { 2: 2, :1 }; const l: M = { 0: 0, :1 };
            var a: A = one; var b: A = two; var c: N = m; var d: M = n; var e: M = k; var f: N = l;
            const g: A -> M = { :n };";
        assert_eq!(marked(text, Code::RgValue), ["two", "n", "n"]);
    }

    #[test]
    fn the_order_of_constants_is_arbitrary() {
        let text = "type A = { 0, 1 }; const a: A = c; const b: A = c; const c: A = 0;
            const d: A = c; const e: A -> A = { :f }; const f: A = 1; var g: A = c;";
        assert_eq!(marked(text, Code::RgForwardConstant), ["c", "c", "f"]);
        assert!(marked(text, Code::RgRecursiveConstant).is_empty());
        assert!(marked(text, Code::RgValue).is_empty());
    }

    #[test]
    fn constants_are_not_defined_by_themselves() {
        let text = "type A = { 0, a }; const a: A = a; const b: A -> A = { :c }; const c: A = d;
            const d: A = b; const e: A = a; var f: A = d; const g: A -> A = { 0: 0, :g };";
        assert_eq!(marked(text, Code::RgRecursiveConstant), ["a", "b", "g"]);
    }
}
