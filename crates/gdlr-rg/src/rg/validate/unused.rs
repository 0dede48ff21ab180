//! Definitions without a use. Definitions that every game has are never reported.

use super::scope::Scope;
use super::scope::{expressions, for_each_expression};
use crate::rg::ast::{AppliedTag, Base, Description, Hint, Ident, Label, SimpleType, Type, Value};
use crate::rg::built_in::is_special;
use crate::rg::name::Name;
use gdlr_text::budget::Meter;
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use hashbrown::HashSet;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    let uses = Uses::of(scope);
    let description = scope.description;
    let mut report = |kind: &str, name: Ident| {
        if is_special(name.name) {
            return;
        }
        findings.report(Code::RgUnused, || {
            let message = format!("the {kind} `{}` is never used", scope.text(name.name));
            Diagnostic::new(Code::RgUnused, name.place.0, message)
        });
    };
    for alias in description.types.iter().filter(|alias| !uses.types.contains(&alias.name.name)) {
        report("type", alias.name);
    }
    for constant in &description.constants {
        if !uses.names.contains(&constant.name.name) {
            report("constant", constant.name);
        }
    }
    for variable in &description.variables {
        let name = variable.name;
        // A constant of the same name is used in its place.
        let hidden = scope.constants.contains_key(&name.name);
        if !uses.tags.contains(&name.name) && (hidden || !uses.names.contains(&name.name)) {
            report("variable", name);
        }
    }
}

/// Drops the types without a use, and then the types that only they used.
pub(in crate::rg) fn drop_types(description: &mut Description) {
    let (types, variables) = (description.missing_types(), description.missing_variables());
    loop {
        let meter = Meter::unlimited();
        let uses = Uses::of(&Scope::new(description, (&types, &variables), &meter));
        let before = description.types.len();
        let is_used = |name: Name| is_special(name) || uses.types.contains(&name);
        description.types.retain(|alias| is_used(alias.name.name));
        if description.types.len() == before {
            return;
        }
    }
}

#[derive(Default)]
struct Uses {
    types: HashSet<Name>,
    /// Names in expressions and values.
    names: HashSet<Name>,
    /// Variables as tags.
    tags: HashSet<Name>,
}

impl Uses {
    fn of(scope: &Scope) -> Uses {
        let mut uses = Uses::default();
        uses.collect(scope);
        uses
    }

    fn collect(&mut self, scope: &Scope) {
        let description = scope.description;
        scope.written_types().for_each(|type_| self.type_(type_));
        let constants = description.constants.iter().map(|constant| &constant.value);
        let variables = description.variables.iter().map(|variable| &variable.initial);
        let mut values: Vec<&Value> = constants.chain(variables).collect();
        while let Some(value) = values.pop() {
            match value {
                Value::Name(name) => drop(self.names.insert(name.name)),
                Value::Map(map) => values.extend(map.entries.iter().map(|entry| &entry.value)),
            }
        }
        for edge in scope.edges() {
            for expr in expressions(edge).into_iter().flatten() {
                for_each_expression(expr, &mut |expr| match &expr.base {
                    Base::Name(name) => drop(self.names.insert(name.name)),
                    Base::Cast(type_, _) => drop(self.types.insert(type_.name)),
                });
            }
            if let Label::TagVariable(variable) = edge.label {
                self.tags.insert(variable.name);
            }
        }
        for pragma in &description.pragmas {
            if let Hint::SimpleApply { tags, .. } = &pragma.hint {
                for tag in tags {
                    if let AppliedTag::Any { type_, .. } = tag {
                        self.type_(type_);
                    }
                }
            }
        }
    }

    fn type_(&mut self, type_: &Type) {
        for simple in type_.keys.iter().chain([&type_.value]) {
            if let SimpleType::Named(name) = simple {
                self.types.insert(name.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn definitions_without_a_use() {
        let text = "type Player = { x }; type A = { 0 }; type B = A; type C = A; type D = A;
            type E = A; type F = A; @simpleApply a b [t: F];
            const a: A = 0; const b: A = 0; const c: C = 0; const d: A = b; var goals: Goals = { :0 };
            var v: A = a; var w: A = 0; var x: A = 0; var y: A = 0; var c: A = 0;
            p, q: v = D(c); p, q: z[x] = E(*); p, q: $$ y; p, q: $ w;";
        assert_eq!(marked(text, Code::RgUnused), ["B", "d", "w", "c"]);
    }
}
