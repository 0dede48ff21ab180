//! The types of a description as rules.
//!
//! The search for boards in facts (`gdlr_board::board`) reads the rules of a game. The rules tell
//! which arguments have the same kind of values, which arguments moves name, and which values are
//! neighbours. An automaton has types instead. This file writes rules that say the same. Keys of
//! the same type are of the same sort. Types of tags are parts of moves. A constant map from
//! symbols to symbols of the same type gives neighbours. Nobody plays these rules.
//!
//! | in the description | as a rule |
//! |---|---|
//! | `var board: Row -> Piece = …;` | `(<= (next (board ?row ?piece)) (true (:Row ?row)) (true (:Piece ?piece)))` |
//! | `$$ row` | `(<= (legal ?player (:tag ?row)) (role ?player) (true (:Row ?row)))` |
//! | `const up: Row -> Row = { 1: 2, … };` | `(up 1 2)` and `(<= (next (:Row ?row)) (true (:Row ?other)) (up ?row ?other))` |
//!
//! `:Row` is a symbol that no name of a description can be.

use gdlr_rg::rg::{Constant, Description, Entry, Label, Name, SimpleType, Type, Value};
use gdlr_rules::gdl::{Literal, LiteralKind, Rule, Sentence, Symbol, Term, Variable};
use gdlr_text::diagnostic::Span;
use hashbrown::HashMap;

/// The most entries of a constant map that becomes a rule.
const MOST_ENTRIES: usize = 4096;

/// The most keys of a variable. No board has as many.
const MOST_KEYS: usize = 8;

/// The text of the symbol of a type. No name of a description can be this text.
pub(super) fn of_type(name: &str) -> String {
    format!(":{name}")
}

/// The function whose argument is a tag.
pub(super) const TAG: &str = ":tag";

/// The rules of a description. `symbol` gives the symbols of names, and `types` those of types.
pub(super) fn rules(
    description: &Description,
    symbol: impl Fn(Name) -> Option<Symbol>,
    types: &HashMap<Name, Symbol>,
    tag: Symbol,
) -> Vec<Rule> {
    let aliases = description.types.iter().map(|alias| (alias.name.name, &alias.type_));
    let writer = Writer { description, types, aliases: aliases.collect() };
    let mut rules = Vec::new();
    for declared in &description.variables {
        let flat = writer.flat(&declared.type_);
        if let (Some(function), true) = (symbol(declared.name.name), flat.len() <= MOST_KEYS) {
            rules.push(writer.facts(function, &flat));
        }
    }
    rules.extend(writer.types_of_tags().into_iter().map(|of| writer.tags(of, tag)));
    for constant in &description.constants {
        rules.extend(writer.constant(constant, &symbol));
    }
    if let Some(&players) = types.get(&Name::PLAYER_TYPE) {
        let player = || vec![variable(0)];
        let head = sentence(Symbol::NEXT, vec![Term::Function(players, player())]);
        rules.push(rule(head, vec![sentence(Symbol::ROLE, player())], &["player"]));
    }
    rules
}

struct Writer<'d> {
    description: &'d Description,
    types: &'d HashMap<Name, Symbol>,
    aliases: HashMap<Name, &'d Type>,
}

impl<'d> Writer<'d> {
    /// The types of all keys and of the value. An alias of a map is replaced by its keys and value.
    fn flat(&self, mut type_: &'d Type) -> Vec<&'d SimpleType> {
        let mut flat: Vec<&SimpleType> = Vec::new();
        // Chains of aliases are followed as deep as any board has keys.
        for _ in 0..MOST_KEYS {
            flat.extend(&type_.keys);
            let alias = match &type_.value {
                SimpleType::Named(name) => self.aliases.get(&name.name),
                SimpleType::Set(_) => None,
            };
            match alias {
                Some(alias) if !alias.keys.is_empty() => type_ = alias,
                _ => {
                    flat.push(&type_.value);
                    break;
                }
            }
        }
        flat
    }

    /// The types of variables whose values are tags, in the order of their names.
    fn types_of_tags(&self) -> Vec<Name> {
        let variables = self.description.variables.iter();
        let named = variables.filter_map(|variable| match &variable.type_ {
            Type { keys, value: SimpleType::Named(of) } if keys.is_empty() => {
                Some((variable.name.name, of.name))
            }
            _ => None,
        });
        let named: HashMap<Name, Name> = named.collect();
        let tags = self.description.edges.iter().filter_map(|edge| match &edge.label {
            Label::TagVariable(variable) => named.get(&variable.name).copied(),
            _ => None,
        });
        let mut tags: Vec<Name> = tags.collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }

    /// The rules for the neighbours that a constant map gives. Empty if it gives none.
    fn constant(&self, constant: &Constant, symbol: &impl Fn(Name) -> Option<Symbol>) -> Vec<Rule> {
        let (SimpleType::Named(to), [SimpleType::Named(from)], Value::Map(map)) =
            (&constant.type_.value, &constant.type_.keys[..], &constant.value)
        else {
            return Vec::new();
        };
        let Some(relation) = symbol(constant.name.name) else { return Vec::new() };
        if from.name != to.name || map.entries.len() > MOST_ENTRIES {
            return Vec::new();
        }
        let pair = |entry: &Entry| match (&entry.key, &entry.value) {
            (Some(key), Value::Name(value)) => Some([symbol(key.name)?, symbol(value.name)?]),
            _ => None,
        };
        let fact = |pair: [Symbol; 2]| {
            rule(sentence(relation, pair.map(Term::Constant).to_vec()), Vec::new(), &[])
        };
        let facts = map.entries.iter().filter_map(pair).map(fact);
        facts.chain(self.neighbours(from.name, relation)).collect()
    }

    /// The rule that facts of a variable have values of these types.
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

    /// The rule that values of this type are tags.
    fn tags(&self, of: Name, tag: Symbol) -> Rule {
        let head = vec![variable(0), Term::Function(tag, vec![variable(1)])];
        let is_role = sentence(Symbol::ROLE, vec![variable(0)]);
        let body = std::iter::once(is_role).chain(self.is(of, 1)).collect();
        let names = ["player", self.description.names.text(of)];
        rule(sentence(Symbol::LEGAL, head), body, &names)
    }

    /// The rule that a static relation has pairs of values of this type.
    fn neighbours(&self, of: Name, relation: Symbol) -> Option<Rule> {
        let name = self.description.names.text(of);
        let related = sentence(relation, vec![variable(0), variable(1)]);
        let Sentence { args, .. } = self.is(of, 0)?;
        let body = vec![self.is(of, 1)?, related];
        Some(rule(sentence(Symbol::NEXT, args), body, &[name, name]))
    }

    /// The condition that a variable has a value of this type.
    fn is(&self, of: Name, number: u16) -> Option<Sentence> {
        let function = *self.types.get(&of)?;
        Some(sentence(Symbol::TRUE, vec![Term::Function(function, vec![variable(number)])]))
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
