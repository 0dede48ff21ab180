//! Values that are known before play, and their comparison.

use super::ast::Game;
use crate::rg::{Name, Names};
use std::cmp::Ordering;
use std::rc::Rc;

/// A value. Shared parts never change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    /// A symbol that is no number.
    Symbol(Name),
    /// A number. A name in the form of a number is one.
    Number(i64),
    /// `P(…)`
    Constructed(Rc<Constructed>),
    /// A map.
    Map(Rc<ValueMap>),
}

/// A value of a constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Constructed {
    pub constructor: Name,
    pub arguments: Vec<Value>,
    /// The number of its parts; a part that occurs twice counts twice.
    size: usize,
}

/// A map by its entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ValueMap {
    pub default: Option<Value>,
    pub entries: Vec<(Value, Value)>,
    /// The number of its parts; a part that occurs twice counts twice.
    size: usize,
}

impl Value {
    /// The value that a name stands for by itself.
    pub fn of_name(name: Name, names: &Names) -> Value {
        match number(names.text(name)) {
            Some(number) => Value::Number(number),
            None => Value::Symbol(name),
        }
    }

    pub fn constructed(constructor: Name, arguments: Vec<Value>) -> Value {
        let size = arguments.iter().fold(1, |size: usize, it| size.saturating_add(it.size()));
        Value::Constructed(Rc::new(Constructed { constructor, arguments, size }))
    }

    pub fn map(default: Option<Value>, entries: Vec<(Value, Value)>) -> Value {
        let values = entries.iter().flat_map(|(key, value)| [key, value]).chain(&default);
        let size = values.fold(1, |size: usize, it| size.saturating_add(it.size()));
        Value::Map(Rc::new(ValueMap { default, entries, size }))
    }

    /// The number of parts of the value, which is the cost of a comparison.
    pub fn size(&self) -> usize {
        match self {
            Value::Symbol(_) | Value::Number(_) => 1,
            Value::Constructed(constructed) => constructed.size,
            Value::Map(map) => map.size,
        }
    }

    /// The value as people write it.
    pub fn text(&self, game: &Game) -> String {
        match self {
            Value::Symbol(name) => game.names.text(*name).to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Constructed(constructed) => {
                format!(
                    "{}({})",
                    game.names.text(constructed.constructor),
                    list(&constructed.arguments, game)
                )
            }
            Value::Map(_) => "a map".to_owned(),
        }
    }

    /// The order of two values: numbers by size, symbols in natural order, values of one
    /// constructor by their arguments. `None` if they are of different kinds.
    pub fn compare(&self, other: &Value, names: &Names) -> Option<Ordering> {
        match (self, other) {
            (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
            (Value::Symbol(left), Value::Symbol(right)) => {
                Some(natural(names.text(*left), names.text(*right)))
            }
            (Value::Number(left), Value::Symbol(right)) => {
                Some(natural(&left.to_string(), names.text(*right)))
            }
            (Value::Symbol(left), Value::Number(right)) => {
                Some(natural(names.text(*left), &right.to_string()))
            }
            (Value::Constructed(left), Value::Constructed(right)) => {
                let constructors =
                    natural(names.text(left.constructor), names.text(right.constructor));
                let mut order = constructors.then(left.arguments.len().cmp(&right.arguments.len()));
                for (left, right) in left.arguments.iter().zip(&right.arguments) {
                    order = order.then(left.compare(right, names)?);
                }
                Some(order)
            }
            _ => None,
        }
    }
}

/// Values as a text, with commas in between.
pub(super) fn list(values: &[Value], game: &Game) -> String {
    values.iter().map(|value| value.text(game)).collect::<Vec<_>>().join(", ")
}

/// The number that a text is, if it is in canonical form.
fn number(text: &str) -> Option<i64> {
    let canonical = text == "0" || text.starts_with(|c: char| ('1'..='9').contains(&c));
    if canonical && text.len() <= 18 { text.parse().ok() } else { None }
}

/// The natural order of two texts: `a2` comes before `a10`.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (left, right);
    loop {
        let (a, b) = (piece(left), piece(right));
        if a.is_empty() || b.is_empty() {
            return a.len().cmp(&b.len());
        }
        let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        let order = match (is_number(a), is_number(b)) {
            (true, true) => {
                let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
                a.len().cmp(&b.len()).then_with(|| a.cmp(b))
            }
            _ => a.cmp(b),
        };
        if order != Ordering::Equal {
            return order;
        }
        (left, right) = (&left[a.len()..], &right[b.len()..]);
    }
}

/// The digits at the beginning of a text, or else its first character.
fn piece(text: &str) -> &str {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let length = match digits {
        0 => text.chars().next().map_or(0, char::len_utf8),
        _ => digits,
    };
    &text[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_people_do() {
        for texts in [["a2", "a10"], ["a", "ab"], ["9", "a"], ["a1b2", "a1b10"], ["-1", "0"]] {
            assert_eq!(natural(texts[0], texts[1]), Ordering::Less, "{texts:?}");
            assert_eq!(natural(texts[1], texts[0]), Ordering::Greater, "{texts:?}");
        }
        assert_eq!(natural("a01", "a1"), Ordering::Equal);
    }

    #[test]
    fn only_what_is_printed_so_is_a_number() {
        assert_eq!(number("10"), Some(10));
        for text in ["", "01", "1a", "-1", "1234567890123456789", "½"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
