//! Maps by themselves: each has exactly one default, and at most one entry for a key (RG, 2.1,
//! values).

use super::scope::Scope;
use crate::rg::ast::{Map, Value};
use gdlr_text::diagnostic::{Code, Diagnostic};
use gdlr_text::findings::Findings;
use hashbrown::HashMap;

pub(super) fn check(scope: &Scope, findings: &mut Findings) {
    let constants = scope.description.constants.iter().map(|constant| &constant.value);
    let variables = scope.description.variables.iter().map(|variable| &variable.initial);
    let mut values: Vec<&Value> = constants.chain(variables).collect();
    while let Some(value) = values.pop() {
        if let Value::Map(map) = value {
            check_map(scope, findings, map);
            values.extend(map.entries.iter().map(|entry| &entry.value));
        }
    }
}

fn check_map(scope: &Scope, findings: &mut Findings, map: &Map) {
    let mut first = HashMap::new();
    for entry in &map.entries {
        let key = entry.key.map(|key| key.name);
        let span = entry.key.map_or(entry.place.0, |key| key.place.0);
        let earlier = *first.entry(key).or_insert(span);
        if earlier == span {
            continue;
        }
        findings.report(Code::RgDuplicateKey, || {
            let message = match key {
                Some(key) => format!("the key `{}` has two entries", scope.text(key)),
                None => "a map has two defaults".to_owned(),
            };
            Diagnostic::new(Code::RgDuplicateKey, span, message)
                .with_label("given again")
                .with_related(earlier, "given here first")
        });
    }
    if !first.contains_key(&None) {
        findings.report(Code::RgNoDefault, || {
            Diagnostic::new(Code::RgNoDefault, map.place.0, "this map has no default")
                .with_help("add `:value`, even if every key has an entry")
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rg::validate::tests::marked;
    use gdlr_text::diagnostic::Code;

    #[test]
    fn keys_and_defaults() {
        let text = "const c: T = { a: x, :y, a: z, :{ b: x } }; var v: T = {}; var w: T = { :x };";
        assert_eq!(marked(text, Code::RgDuplicateKey), ["a", ":{ b: x }"]);
        assert_eq!(marked(text, Code::RgNoDefault), ["{ b: x }", "{}"]);
    }
}
