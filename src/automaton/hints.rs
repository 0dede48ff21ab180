//! What the types of a description say of its values, as rules.
//!
//! Whoever looks for boards in facts ([`crate::board`]) reads in the rules of a game which
//! arguments speak of the same things, which of them moves name, and what stands next to what. An
//! automaton has types for that. They are written down here as rules that say as much: the keys of
//! one type are of one sort, those that are tags are parts of moves, and a constant that maps
//! symbols to symbols of their type says which are neighbours. Nobody plays these rules.
//!
//! | in the description | as a rule |
//! |---|---|
//! | `var board: Row -> Piece = …;` | `(<= (next (board ?row ?piece)) (true (:Row ?row)) (true (:Piece ?piece)))` |
//! | `$$ row` | `(<= (legal ?player (:tag ?row)) (role ?player) (true (:Row ?row)))` |
//! | `const up: Row -> Row = { 1: 2, … };` | `(up 1 2)` and `(<= (next (:Row ?row)) (true (:Row ?other)) (up ?row ?other))` |
//!
//! `:Row` is a symbol that no name of the description is.

use crate::diagnostic::Span;
use crate::gdl::{Literal, LiteralKind, Rule, Sentence, Symbol, Term, Variable};
use crate::rg::{Description, Label, Name, SimpleType, Type, Value};
use hashbrown::{HashMap, HashSet};

/// The most entries of a constant that are written down.
const MOST_ENTRIES: usize = 4096;

/// The most keys of a variable; no board has as many.
const MOST_KEYS: usize = 8;

/// What a symbol of a type is called, which no name of a description can be.
pub(super) fn of_type(name: &str) -> String {
    format!(":{name}")
}

/// What a tag is a part of.
pub(super) const TAG: &str = ":tag";

/// The rules, given the symbols of names and of types.
pub(super) fn rules(
    description: &Description,
    symbol: impl Fn(Name) -> Option<Symbol>,
    types: &HashMap<Name, Symbol>,
    tag: Symbol,
) -> Vec<Rule> {
    let writer = Writer { description, types };
    let mut rules = Vec::new();
    let mut named: HashMap<Name, Name> = HashMap::new();
    for variable in &description.variables {
        let Some(function) = symbol(variable.name.name) else { continue };
        if let (SimpleType::Named(of), []) = (&variable.type_.value, &variable.type_.keys[..]) {
            named.insert(variable.name.name, of.name);
        }
        let flat = flat(description, &variable.type_);
        if flat.len() <= MOST_KEYS {
            rules.push(writer.facts(function, &flat));
        }
    }
    let tags = description.edges.iter().filter_map(|edge| match &edge.label {
        Label::TagVariable(variable) => named.get(&variable.name).copied(),
        _ => None,
    });
    let tags: HashSet<Name> = tags.collect();
    let mut tags: Vec<Name> = tags.into_iter().collect();
    tags.sort_unstable();
    for of in tags {
        rules.push(writer.tags(of, tag));
    }
    for constant in &description.constants {
        let (SimpleType::Named(to), [SimpleType::Named(from)]) =
            (&constant.type_.value, &constant.type_.keys[..])
        else {
            continue;
        };
        let (Some(relation), Value::Map(map)) = (symbol(constant.name.name), &constant.value)
        else {
            continue;
        };
        if from.name != to.name || map.entries.len() > MOST_ENTRIES {
            continue;
        }
        for entry in &map.entries {
            if let (Some(key), Value::Name(value)) = (&entry.key, &entry.value)
                && let (Some(key), Some(value)) = (symbol(key.name), symbol(value.name))
            {
                let args = vec![Term::Constant(key), Term::Constant(value)];
                rules.push(rule(sentence(relation, args), Vec::new(), &[]));
            }
        }
        rules.extend(writer.neighbours(from.name, relation));
    }
    if let Some(&players) = types.get(&Name::PLAYER_TYPE) {
        let player = || vec![variable(0)];
        let head = sentence(Symbol::NEXT, vec![Term::Function(players, player())]);
        rules.push(rule(head, vec![sentence(Symbol::ROLE, player())], &["player"]));
    }
    rules
}

/// The types of keys and of the value in a row, where aliases of maps stand for theirs.
fn flat<'d>(description: &'d Description, type_: &'d Type) -> Vec<&'d SimpleType> {
    let mut flat: Vec<&SimpleType> = Vec::new();
    let mut type_ = type_;
    // An alias of an alias and so on: as deep as any board is.
    for _ in 0..MOST_KEYS {
        flat.extend(&type_.keys);
        let alias = match &type_.value {
            SimpleType::Named(name) => {
                let mut aliases = description.types.iter();
                aliases.find(|alias| alias.name.name == name.name)
            }
            SimpleType::Set(_) => None,
        };
        match alias {
            Some(alias) if !alias.type_.keys.is_empty() => type_ = &alias.type_,
            _ => {
                flat.push(&type_.value);
                break;
            }
        }
    }
    flat
}

struct Writer<'d> {
    description: &'d Description,
    types: &'d HashMap<Name, Symbol>,
}

impl Writer<'_> {
    /// The facts of a variable have values of these types.
    fn facts(&self, function: Symbol, types: &[&SimpleType]) -> Rule {
        let variables: Vec<Term> = (0..types.len() as u16).map(variable).collect();
        let mut names = Vec::new();
        let mut body = Vec::new();
        for (type_, place) in types.iter().zip(0u16..) {
            let name = match type_ {
                SimpleType::Named(name) => Some(name.name),
                SimpleType::Set(_) => None,
            };
            names.push(name.map_or("value", |name| self.description.names.text(name)));
            body.extend(name.and_then(|name| self.is(name, place)));
        }
        let head = sentence(Symbol::NEXT, vec![Term::Function(function, variables)]);
        rule(head, body, &names)
    }

    /// Values of this type are tags.
    fn tags(&self, of: Name, tag: Symbol) -> Rule {
        let head = vec![variable(0), Term::Function(tag, vec![variable(1)])];
        let is_role = sentence(Symbol::ROLE, vec![variable(0)]);
        let body = std::iter::once(is_role).chain(self.is(of, 1)).collect();
        let names = ["player", self.description.names.text(of)];
        rule(sentence(Symbol::LEGAL, head), body, &names)
    }

    /// A relation that never changes has pairs of values of this type.
    fn neighbours(&self, of: Name, relation: Symbol) -> Option<Rule> {
        let name = self.description.names.text(of);
        let related = sentence(relation, vec![variable(0), variable(1)]);
        let Sentence { args, .. } = self.is(of, 0)?;
        let body = vec![self.is(of, 1)?, related];
        Some(rule(sentence(Symbol::NEXT, args), body, &[name, name]))
    }

    /// A variable has a value of this type.
    fn is(&self, of: Name, number: u16) -> Option<Sentence> {
        let known = *self.types.get(&of)?;
        Some(sentence(Symbol::TRUE, vec![Term::Function(known, vec![variable(number)])]))
    }
}

fn variable(number: u16) -> Term {
    Term::Variable(Variable(number))
}

fn sentence(relation: Symbol, args: Vec<Term>) -> Sentence {
    Sentence { relation, args, span: Span::default() }
}

fn rule(head: Sentence, body: Vec<Sentence>, variables: &[&str]) -> Rule {
    let literal =
        |sentence| Literal { span: Span::default(), kind: LiteralKind::Sentence(sentence) };
    Rule {
        head,
        body: body.into_iter().map(literal).collect(),
        span: Span::default(),
        variables: variables.iter().map(|name| format!("?{name}").into()).collect(),
    }
}
