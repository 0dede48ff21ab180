//! Values of constants and variables: of their type, and of nothing that is not there yet.
//!
//! A name in a value is a constant or a symbol. A constant may use those before it, the value
//! of a variable any constant. A key is always a symbol.

use super::scope::Scope;
use crate::diagnostic::{Code, Diagnostic};
use crate::findings::Findings;
use crate::rg::ast::{Ident, Value};
use crate::rg::types::Ty;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    for (index, constant) in scope.description.constants.iter().enumerate() {
        // Of two with one name the first counts.
        if let Some(&(first, ty)) = scope.constants.get(&constant.name.name)
            && first == index
        {
            Check { scope, findings, before: index }.value(&constant.value, ty);
        }
    }
    for variable in &scope.description.variables {
        if let Some(&ty) = scope.variables.get(&variable.name.name) {
            let before = scope.description.constants.len();
            Check { scope, findings, before }.value(&variable.initial, ty);
        }
    }
}

struct Check<'c, 'd> {
    scope: &'c Scope<'d>,
    findings: &'c mut Findings,
    /// How many constants may be used.
    before: usize,
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
        let given = match self.scope.constants.get(&name.name) {
            None => Ty::Symbol(name.name),
            Some(&(index, given)) if index < self.before => given,
            Some(_) => {
                let text = self.scope.text(name.name);
                return self.findings.report(Code::RgConstantOrder, || {
                    let message = format!("the constant `{text}` is not defined before this one");
                    Diagnostic::new(Code::RgConstantOrder, name.place.0, message)
                        .with_help("a constant may use those before it; move it up")
                });
            }
        };
        self.symbol(name, ty, given);
    }

    /// Reports what is not of its type.
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
    use crate::diagnostic::Code;
    use crate::rg::validate::tests::marked;

    #[test]
    fn values_are_of_their_type() {
        let text = "type A = { 0, 1 }; type B = { x }; type M = A -> B; type N = A -> M;
            const a: A = 2; const b: M = { 2: x, :y }; const c: N = { 0: b, 1: { :x }, :x };
            var d: A = { :0 }; var e: M = b; var f: N = { :b, 1: a }; var g: A = player;";
        assert_eq!(marked(text, Code::RgValue), ["2", "2", "y", "x", "{ :0 }", "a", "player"]);
    }

    #[test]
    fn constants_use_those_before_them() {
        let text = "type A = { 0, a }; const a: A = a; const b: A = c; const c: A = 0;
            const d: A = c; var e: A = c;";
        assert_eq!(marked(text, Code::RgConstantOrder), ["a", "c"]);
        assert!(marked(text, Code::RgValue).is_empty());
    }
}
