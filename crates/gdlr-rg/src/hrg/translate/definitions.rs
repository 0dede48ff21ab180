//! Domains as types, functions as constants, variables.

use super::expansion::Expansion;
use crate::hrg::ast::{Domain, Element, Function, RangeValues, Variable};
use crate::hrg::domains::{Set, Shape};
use crate::hrg::evaluate::Evaluated;
use crate::hrg::value::{Value, list};
use crate::rg::{
    self, Constant, Entry, Hint, Ident, Map, Name, Place, Pragma, SimpleType, SymbolSet, TypeAlias,
};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

impl Expansion<'_> {
    /// Makes all definitions but those that calls need.
    pub fn definitions(&mut self) -> Evaluated<()> {
        let game = self.game;
        let domains: Vec<(&Domain, Rc<Set>)> =
            self.evaluator.domains.declared().map(|(domain, set)| (domain, set.clone())).collect();
        for (domain, set) in domains {
            self.domain(domain, &set);
        }
        for function in &game.functions {
            let result = self.function(function);
            self.survive(result)?;
        }
        for variable in &game.variables {
            let result = self.variable(variable);
            self.survive(result)?;
        }
        Ok(())
    }

    /// Reports an error, so that the expansion goes on, unless the game is too large.
    pub fn survive(&mut self, result: Evaluated<()>) -> Evaluated<()> {
        match result {
            Err(error) if error.code != Code::HrgGrowth => self.report(*error),
            result => return result,
        }
        Ok(())
    }

    fn domain(&mut self, domain: &Domain, set: &Set) {
        let symbols = set.values.iter().map(|value| self.naming.add_symbol(value));
        let symbols: Vec<Ident> = symbols.map(|name| Ident { name, place: domain.place }).collect();
        if let Some(first) = first_number(domain) {
            let hint = Hint::Integer { first, symbols: symbols.clone() };
            self.description.pragmas.push(Pragma { hint, place: domain.place });
        }
        let set = SymbolSet { members: symbols, place: domain.place };
        let type_ = SimpleType::Set(set).into();
        self.description.types.push(TypeAlias { name: domain.name, type_, place: domain.place });
    }

    fn function(&mut self, function: &Function) -> Evaluated<()> {
        let shape = self.evaluator.domains.shape(&function.type_)?;
        let arity = function.cases[0].patterns.len();
        if shape.keys.len() < arity {
            let message = format!(
                "the cases have {arity} arguments, and the type takes {}",
                shape.keys.len()
            );
            let span = function.type_.span();
            return Err(Box::new(Diagnostic::new(Code::HrgType, span, message)));
        }
        let mut arguments = Vec::new();
        let value = self.table(function, &shape, arity, &mut arguments)?;
        let Function { name, type_, place, .. } = function;
        let constant = Constant { name: *name, type_: type_.clone(), value, place: *place };
        self.description.constants.push(constant);
        Ok(())
    }

    /// The table of a function for its remaining arguments.
    fn table(
        &mut self,
        function: &Function,
        shape: &Shape,
        arity: usize,
        arguments: &mut Vec<Value>,
    ) -> Evaluated<rg::Value> {
        let at = arguments.len();
        if at < arity {
            let keys = shape.keys[at].clone();
            self.evaluator.hold_entries(keys.values.len(), function.name.place.0)?;
            let mut entries = Vec::new();
            for key in &keys.values {
                arguments.push(key.clone());
                let value = self.table(function, shape, arity, arguments);
                arguments.pop();
                entries.push((self.symbol(key, function.name.place.0)?, value?));
            }
            return Ok(map(entries, None, function.place));
        }
        let span = function.name.place.0;
        let declared =
            self.evaluator.function(function.name.name).unwrap_or_else(|| unreachable!());
        let value = self.evaluator.call(declared, arguments, span)?;
        let text = self.game.names.text(function.name.name);
        let what = || format!("`{text}({})`", list(arguments, self.game));
        if shape.keys[at..].is_empty() && !shape.value.contains(&value) {
            let value = value.text(self.game);
            let message = format!("{} is `{value}`, which its type does not have", what());
            return Err(Box::new(Diagnostic::new(Code::HrgOutOfDomain, span, message)));
        }
        self.value_of_shape(&value, &shape.keys[at..], &shape.value, function.place)
    }

    fn variable(&mut self, variable: &Variable) -> Evaluated<()> {
        let shape = self.evaluator.domains.shape(&variable.type_)?;
        let initial = match &variable.initial {
            Some(expr) => {
                let value = self.evaluator.value(expr)?;
                self.value_of_shape(&value, &shape.keys, &shape.value, expr.place)?
            }
            None => self.first_value(&shape, variable.place)?,
        };
        let Variable { name, type_, place, .. } = variable;
        let variable = rg::Variable { name: *name, type_: type_.clone(), initial, place: *place };
        self.description.variables.push(variable);
        Ok(())
    }

    /// The first value of a type; for a map type, the map that has it for all keys.
    pub fn first_value(&mut self, shape: &Shape, place: Place) -> Evaluated<rg::Value> {
        let name = self.symbol(&shape.value.values[0], place.0)?;
        let symbol = rg::Value::Name(Ident { name, place });
        Ok(shape.keys.iter().fold(symbol, |value, _| map(Vec::new(), Some(value), place)))
    }

    /// A value in the form of a type with these keys.
    fn value_of_shape(
        &mut self,
        value: &Value,
        keys: &[Rc<Set>],
        set: &Set,
        place: Place,
    ) -> Evaluated<rg::Value> {
        let span = place.0;
        let (key_set, deeper) = match (keys.split_first(), value) {
            // A function as a map. The checks of the automaton see whether it is of the type.
            (Some(_), Value::Symbol(name)) if self.evaluator.function(*name).is_some() => {
                return Ok(rg::Value::Name(Ident { name: *name, place }));
            }
            (None, _) if set.contains(value) => {
                let name = self.symbol(value, span)?;
                return Ok(rg::Value::Name(Ident { name, place }));
            }
            (None, _) => return Err(self.not_of(value, set, span)),
            (Some(split), Value::Map(_)) => split,
            (Some(_), _) => {
                let text = value.text(self.game);
                let message = format!("the type is one of maps, and `{text}` is none");
                return Err(Box::new(Diagnostic::new(Code::HrgType, span, message)));
            }
        };
        let Value::Map(given) = value else { unreachable!("the key is that of a map") };
        let default = match &given.default {
            Some(default) => Some(self.value_of_shape(default, deeper, set, place)?),
            None => None,
        };
        let (mut entries, mut strays) = (Vec::new(), Vec::new());
        for (key, value) in &given.entries {
            let converted = self.value_of_shape(value, deeper, set, place)?;
            if key_set.contains(key) {
                entries.push((self.symbol(key, span)?, converted));
            } else {
                let text = key.text(self.game);
                let message = format!("the type of this map has no key `{text}`");
                self.warn(Diagnostic::new(Code::HrgStrayKey, span, message));
                strays.push((Name::ZERO, converted));
            }
        }
        if default.is_some() {
            return Ok(map(entries, default, place));
        }
        let mapped: HashSet<&Value> = given.entries.iter().map(|(key, _)| key).collect();
        if let Some(missing) = key_set.values.iter().find(|key| !mapped.contains(key)) {
            let missing = missing.text(self.game);
            let message = format!("this map says nothing of the key `{missing}`");
            let help = "say what all other keys are mapped to, `{ :value; … }`: now it is the \
                        value that most keys have";
            self.warn(Diagnostic::new(Code::HrgMissingKey, span, message).with_help(help));
        }
        let default = most_frequent(&entries).or_else(|| most_frequent(&strays));
        Ok(map(entries, default, place))
    }

    fn not_of(&self, value: &Value, set: &Set, span: Span) -> Box<Diagnostic> {
        const SHOWN: usize = 6;
        let shown = &set.values[..set.values.len().min(SHOWN)];
        let more = if set.values.len() > SHOWN { ", …" } else { "" };
        let message = format!(
            "`{}` is none of the values that may stand here: {}{more}",
            value.text(self.game),
            list(shown, self.game)
        );
        Box::new(Diagnostic::new(Code::HrgOutOfDomain, span, message))
    }
}

/// A map with a default: the given one, otherwise the most frequent value.
fn map(entries: Vec<(Name, rg::Value)>, default: Option<rg::Value>, place: Place) -> rg::Value {
    let default = default.or_else(|| most_frequent(&entries));
    let others = entries
        .into_iter()
        .filter(|(_, value)| Some(value) != default.as_ref())
        .map(|(name, value)| Entry { key: Some(Ident { name, place }), value, place });
    let first = default.clone().map(|value| Entry { key: None, value, place });
    rg::Value::Map(Map { entries: first.into_iter().chain(others).collect(), place })
}

/// The most frequent value of the entries; of several, the first.
fn most_frequent(entries: &[(Name, rg::Value)]) -> Option<rg::Value> {
    let mut counts: HashMap<&rg::Value, usize> = HashMap::new();
    for (_, value) in entries {
        *counts.entry(value).or_insert(0) += 1;
    }
    let most = counts.values().copied().max()?;
    entries.iter().map(|(_, value)| value).find(|value| counts[value] == most).cloned()
}

/// The first number of a domain `D(N) where N in first..last`.
fn first_number(domain: &Domain) -> Option<u64> {
    let [Element::Generator(generator)] = &domain.elements[..] else { return None };
    let ([argument], [range]) = (&generator.arguments[..], &generator.ranges[..]) else {
        return None;
    };
    match range.values {
        RangeValues::Numbers { first, .. } if argument.name == range.variable.name => {
            u64::try_from(first).ok()
        }
        _ => None,
    }
}
