//! The domains and types of a game as ordered sets of values.

use super::ast::{Domain, Element, Game, Generator, RangeValues, is_pattern_variable};
use super::limits::Limits;
use super::value::Value;
use crate::rg::{Ident, Name, SimpleType, Type};
use gdlr_text::diagnostic::{Code, Diagnostic, Span};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// The greatest number of arrows of a type.
const MAX_ARROWS: usize = 64;

/// The values of a domain, each once.
#[derive(Debug, Default)]
pub(super) struct Set {
    pub values: Vec<Value>,
    members: HashSet<Value>,
}

impl Set {
    fn add(&mut self, value: Value) {
        if self.members.insert(value.clone()) {
            self.values.push(value);
        }
    }

    pub fn contains(&self, value: &Value) -> bool {
        self.members.contains(value)
    }
}

/// A type, with its names looked up.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// The keys, from the outermost map inwards.
    pub keys: Vec<Rc<Set>>,
    /// The values of the innermost map.
    pub value: Rc<Set>,
}

/// All domains of a game, with the built-in ones.
pub(super) struct Domains<'g> {
    game: &'g Game,
    sets: HashMap<Name, Rc<Set>>,
    /// By built-in name of a map type: its keys and values.
    maps: HashMap<Name, (Rc<Set>, Rc<Set>)>,
}

impl<'g> Domains<'g> {
    /// The domains of a game that has passed the checks of names.
    ///
    /// # Errors
    ///
    /// When the domains exceed the limits.
    pub fn new(game: &'g Game, limits: &Limits) -> Result<Self, Diagnostic> {
        let mut domains = Domains { game, sets: HashMap::new(), maps: HashMap::new() };
        let by_name: HashMap<Name, &Domain> =
            game.domains.iter().map(|domain| (domain.name.name, domain)).collect();
        let mut left = limits.values;
        for domain in in_order(&game.domains, &by_name) {
            let mut set = Set::default();
            for element in &domain.elements {
                // Values that the domain already has count as well, since they take time.
                let cost = match element {
                    Element::Name(name) => match domains.sets.get(&name.name) {
                        Some(other) => {
                            let cost = other.values.len();
                            if cost <= left {
                                other.values.iter().for_each(|value| set.add(value.clone()));
                            }
                            cost
                        }
                        None => {
                            set.add(Value::of_name(name.name, &game.names));
                            1
                        }
                    },
                    Element::Generator(generator) => generate(game, generator, left, &mut set)
                        .ok_or_else(|| too_many(game, domain, generator.place.0, limits))?,
                };
                left = left
                    .checked_sub(cost)
                    .ok_or_else(|| too_many(game, domain, domain.place.0, limits))?;
            }
            domains.sets.insert(domain.name.name, Rc::new(set));
        }
        domains.add_built_ins();
        Ok(domains)
    }

    fn add_built_ins(&mut self) {
        let names = &self.game.names;
        let given = |domains: &Self, name| domains.sets.get(&name).cloned().unwrap_or_default();
        let (players, scores) = (given(self, Name::PLAYER_TYPE), given(self, Name::SCORE_TYPE));
        let set = |values: &mut dyn Iterator<Item = Value>| {
            let mut set = Set::default();
            values.for_each(|value| set.add(value));
            Rc::new(set)
        };
        let named = |list: [Name; 2]| list.map(|name| Value::of_name(name, names)).into_iter();
        let bits = set(&mut named([Name::ZERO, Name::ONE]));
        let system = named([Name::KEEPER, Name::RANDOM]);
        let everybody = set(&mut players.values.iter().cloned().chain(system));
        self.sets.entry(Name::BOOL_TYPE).or_insert_with(|| bits.clone());
        self.sets.entry(Name::PLAYER_OR_SYSTEM_TYPE).or_insert(everybody);
        self.maps.insert(Name::GOALS_TYPE, (players.clone(), scores));
        self.maps.insert(Name::VISIBILITY_TYPE, (players, bits));
    }

    /// The domain of a name.
    pub fn get(&self, name: Name) -> Option<&Rc<Set>> {
        self.sets.get(&name)
    }

    /// All domains that the game declares, in order.
    pub fn declared(&self) -> impl Iterator<Item = (&'g Domain, &Rc<Set>)> {
        let game = self.game;
        game.domains.iter().filter_map(|domain| Some((domain, self.sets.get(&domain.name.name)?)))
    }

    /// The sets of a type.
    pub fn shape(&self, type_: &Type) -> Result<Shape, Diagnostic> {
        if type_.keys.len() > MAX_ARROWS {
            let message = format!("a type has at most {MAX_ARROWS} arrows");
            return Err(Diagnostic::new(Code::HrgType, type_.span(), message));
        }
        let mut keys = Vec::new();
        for key in &type_.keys {
            keys.push(self.set(key)?);
        }
        if let SimpleType::Named(name) = type_.value
            && !self.sets.contains_key(&name.name)
            && let Some((key, value)) = self.maps.get(&name.name)
        {
            keys.push(key.clone());
            return Ok(Shape { keys, value: value.clone() });
        }
        Ok(Shape { keys, value: self.set(&type_.value)? })
    }

    /// The set of a type without arrows.
    pub fn set(&self, type_: &SimpleType) -> Result<Rc<Set>, Diagnostic> {
        let set = match type_ {
            SimpleType::Named(name) => match self.sets.get(&name.name) {
                Some(set) => set.clone(),
                None => {
                    let text = self.game.names.text(name.name);
                    let message = match self.maps.contains_key(&name.name) {
                        true => format!("`{text}` is a type of maps, and a domain is needed"),
                        false => format!("there is no domain `{text}`"),
                    };
                    return Err(Diagnostic::new(Code::HrgType, name.place.0, message));
                }
            },
            SimpleType::Set(members) => {
                let mut set = Set::default();
                for member in &members.members {
                    set.add(Value::of_name(member.name, &self.game.names));
                }
                Rc::new(set)
            }
        };
        match set.values.is_empty() {
            true => {
                let message = "a type has at least one value";
                Err(Diagnostic::new(Code::HrgType, type_.span(), message))
            }
            false => Ok(set),
        }
    }
}

fn too_many(game: &Game, domain: &Domain, span: Span, limits: &Limits) -> Diagnostic {
    let name = game.names.text(domain.name.name);
    let message = format!("with `{name}` there are more than {} values of domains", limits.values);
    Diagnostic::new(Code::HrgGrowth, span, message)
        .with_help("the values of a generator are the product of its ranges")
}

/// The domains in topological order: each after the domains that it names. Recursive domains are
/// left out.
fn in_order<'g>(domains: &'g [Domain], by_name: &HashMap<Name, &'g Domain>) -> Vec<&'g Domain> {
    #[derive(PartialEq)]
    enum Visit {
        Open,
        Done,
    }
    let mut visits: HashMap<Name, Visit> = HashMap::new();
    let mut ordered = Vec::new();
    for first in domains {
        let mut stack = vec![(first, 0)];
        while let Some((domain, at)) = stack.pop() {
            if at == 0 && visits.contains_key(&domain.name.name) {
                continue;
            }
            visits.insert(domain.name.name, Visit::Open);
            let named = domain.elements[at..].iter().enumerate().find_map(|(index, element)| {
                let Element::Name(name) = element else { return None };
                let other = by_name.get(&name.name)?;
                (!visits.contains_key(&name.name)).then_some((at + index, *other))
            });
            match named {
                Some((at, other)) => {
                    stack.push((domain, at + 1));
                    stack.push((other, 0));
                }
                None => {
                    visits.insert(domain.name.name, Visit::Done);
                    ordered.push(domain);
                }
            }
        }
    }
    ordered
}

/// Adds the values of a generator, unless there are more than `most`. Returns their number.
fn generate(game: &Game, generator: &Generator, most: usize, set: &mut Set) -> Option<usize> {
    let mut choices = Vec::new();
    let mut count = 1usize;
    for argument in &generator.arguments {
        let values = argument_values(game, generator, *argument, most)?;
        count = count.checked_mul(values.len()).filter(|&count| count <= most)?;
        choices.push(values);
    }
    // An odometer: its last digit turns fastest.
    let mut digits = vec![0; choices.len()];
    for _ in 0..count {
        let arguments = digits.iter().zip(&choices).map(|(&at, values)| values[at].clone());
        set.add(Value::constructed(generator.constructor.name, arguments.collect()));
        for (digit, values) in digits.iter_mut().zip(&choices).rev() {
            *digit += 1;
            if *digit < values.len() {
                break;
            }
            *digit = 0;
        }
    }
    Some(count)
}

fn argument_values(
    game: &Game,
    generator: &Generator,
    argument: Ident,
    most: usize,
) -> Option<Vec<Value>> {
    let range = generator.ranges.iter().find(|range| range.variable.name == argument.name);
    Some(match range {
        Some(range) if is_pattern_variable(game.names.text(argument.name)) => {
            range_values(game, &range.values, most)?
        }
        _ => vec![Value::of_name(argument.name, &game.names)],
    })
}

/// The values of a range, unless there are more than `most`.
pub(super) fn range_values(game: &Game, values: &RangeValues, most: usize) -> Option<Vec<Value>> {
    match values {
        RangeValues::Numbers { first, last } => {
            let count = usize::try_from(last - first + 1).unwrap_or(0);
            (count <= most).then(|| (*first..=*last).map(Value::Number).collect())
        }
        RangeValues::Symbols(names) => {
            Some(names.iter().map(|name| Value::of_name(name.name, &game.names)).collect())
        }
    }
}
