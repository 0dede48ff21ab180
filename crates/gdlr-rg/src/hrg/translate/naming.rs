//! New names, for elements that have none in the text.
//!
//! No new name is in the text, and no two elements have the same name. If two values would get the
//! same name, such as `P(a_b)` and `P(a, b)`, the second gets a number.

use crate::hrg::value::Value;
use crate::rg::{Name, Names};
use hashbrown::HashMap;

pub(super) struct Naming {
    pub names: Names,
    /// The symbols of constructed values.
    symbols: HashMap<Value, Name>,
    /// By text: the number of times that it was wanted.
    wanted: HashMap<String, u32>,
    /// By graph: the number of its nodes.
    nodes: HashMap<Name, u32>,
}

impl Naming {
    pub fn new(names: Names) -> Self {
        Naming { names, symbols: HashMap::new(), wanted: HashMap::new(), nodes: HashMap::new() }
    }

    /// A new name: the text, or one like it.
    pub fn fresh(&mut self, text: &str) -> Name {
        let count = self.wanted.entry(text.to_owned()).or_insert(0);
        loop {
            *count += 1;
            let text = if *count == 1 { text.to_owned() } else { format!("{text}_{count}") };
            if self.names.get(&text).is_none() {
                return self.names.intern(&text).expect("letters, digits and underscores");
            }
        }
    }

    /// A new node of a graph. The number of the node follows the last underscore, so nodes of
    /// different graphs differ.
    pub fn node(&mut self, graph: Name) -> Name {
        let number = self.nodes.entry(graph).or_insert(0);
        *number += 1;
        let text = format!("{}_{number}", self.names.text(graph));
        self.names.intern(&text).expect("letters, digits and underscores")
    }

    /// The symbol of a constructed value, which is added if it is new.
    pub fn add_symbol(&mut self, value: &Value) -> Name {
        match value {
            Value::Symbol(name) => *name,
            Value::Number(number) => {
                self.names.intern(&number.to_string()).expect("a number without a sign")
            }
            _ => {
                if let Some(name) = self.symbols.get(value) {
                    return *name;
                }
                let text = self.text(value);
                let name = self.fresh(&text);
                self.symbols.insert(value.clone(), name);
                name
            }
        }
    }

    /// The symbol of a value; `None` if no domain has it.
    pub fn symbol(&mut self, value: &Value) -> Option<Name> {
        match value {
            Value::Symbol(name) => Some(*name),
            Value::Number(number) => self.names.intern(&number.to_string()).ok(),
            _ => self.symbols.get(value).copied(),
        }
    }

    /// `P(1, a)` as `P__1_a`
    fn text(&self, value: &Value) -> String {
        match value {
            Value::Symbol(name) => self.names.text(*name).to_owned(),
            Value::Constructed(constructed) => {
                let arguments: Vec<String> =
                    constructed.arguments.iter().map(|argument| self.text(argument)).collect();
                format!("{}__{}", self.names.text(constructed.constructor), arguments.join("_"))
            }
            Value::Number(number) => number.to_string(),
            Value::Map(_) => "map".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_new() {
        let mut names = Names::default();
        let [p, a, b, a_b] = ["P", "a", "b", "a_b"].map(|text| names.intern(text).unwrap());
        names.intern("P__a").unwrap();
        let mut naming = Naming::new(names);
        let constructed = |arguments: &[Name]| {
            Value::constructed(p, arguments.iter().map(|name| Value::Symbol(*name)).collect())
        };
        let mut text = |value: &Value| {
            let name = naming.add_symbol(value);
            naming.names.text(name).to_owned()
        };
        assert_eq!(text(&constructed(&[a, b])), "P__a_b");
        assert_eq!(text(&constructed(&[a_b])), "P__a_b_2");
        assert_eq!(text(&constructed(&[a, b])), "P__a_b");
        assert_eq!(text(&constructed(&[a])), "P__a_2");
        assert_eq!(naming.symbol(&constructed(&[b])), None);
        assert_ne!(naming.fresh("x"), naming.fresh("x"));
    }
}
