//! The meanings of the names of a game, for all checks.

use crate::hrg::ast::{
    Action, Domain, Element, Function, Game, Graph, RangeValues, is_pattern_variable,
};
use crate::hrg::calls::for_each_statement;
use crate::rg::{Ident, Name, SimpleType, Type};
use gdlr_text::diagnostic::{Code, Diagnostic, counted};
use gdlr_text::findings::Findings;
use gdlr_text::nearest::nearest_name;
use hashbrown::{HashMap, HashSet};

/// A game that is being checked.
pub(super) struct Checker<'g> {
    pub game: &'g Game,
    pub findings: Findings,
    pub domains: HashMap<Name, &'g Domain>,
    pub functions: HashMap<Name, &'g Function>,
    pub variables: HashSet<Name>,
    pub graphs: HashMap<Name, &'g Graph>,
    /// Symbols of domains and of types.
    pub symbols: HashSet<Name>,
    /// The constructors, each with the numbers of arguments that it may have.
    pub constructors: HashMap<Name, Vec<usize>>,
    /// The names that are used: of domains, of functions and variables, of graphs.
    pub used: [HashSet<Name>; 3],
}

/// The indices of [`Checker::used`].
pub(super) const DOMAIN: usize = 0;
pub(super) const DEFINITION: usize = 1;
pub(super) const GRAPH: usize = 2;

/// The types that every game has.
const BUILT_IN_TYPES: [Name; 4] =
    [Name::BOOL_TYPE, Name::GOALS_TYPE, Name::VISIBILITY_TYPE, Name::PLAYER_OR_SYSTEM_TYPE];

impl<'g> Checker<'g> {
    pub fn new(game: &'g Game) -> Self {
        let mut checker = Checker {
            game,
            findings: Findings::default(),
            domains: game.domains.iter().map(|domain| (domain.name.name, domain)).collect(),
            functions: game.functions.iter().map(|it| (it.name.name, it)).collect(),
            variables: game.variables.iter().map(|variable| variable.name.name).collect(),
            graphs: game.graphs.iter().map(|graph| (graph.name.name, graph)).collect(),
            symbols: [Name::KEEPER, Name::RANDOM, Name::ZERO, Name::ONE].into_iter().collect(),
            constructors: HashMap::new(),
            used: Default::default(),
        };
        checker.variables.extend([Name::PLAYER, Name::GOALS, Name::VISIBLE]);
        checker.collect_symbols();
        checker
    }

    fn collect_symbols(&mut self) {
        let game = self.game;
        for element in game.domains.iter().flat_map(|domain| &domain.elements) {
            match element {
                Element::Name(name) if self.domains.contains_key(&name.name) => {}
                Element::Name(name) => drop(self.symbols.insert(name.name)),
                Element::Generator(generator) => {
                    let arities = self.constructors.entry(generator.constructor.name).or_default();
                    if !arities.contains(&generator.arguments.len()) {
                        arities.push(generator.arguments.len());
                    }
                    self.symbols.extend(generator.arguments.iter().map(|name| name.name));
                    for range in &generator.ranges {
                        if let RangeValues::Symbols(names) = &range.values {
                            self.symbols.extend(names.iter().map(|name| name.name));
                        }
                    }
                }
            }
        }
        let mut types: Vec<&Type> = Vec::new();
        types.extend(game.functions.iter().map(|function| &function.type_));
        types.extend(game.variables.iter().map(|variable| &variable.type_));
        for graph in &game.graphs {
            types.extend(graph.parameters.iter().map(|parameter| &parameter.type_));
            for_each_statement(&graph.body, &mut |statement| {
                // The values of a loop may be names of anything.
                if let Action::AssignAny { values, .. } = &statement.action {
                    types.push(values);
                }
            });
        }
        for type_ in types {
            for simple in type_.keys.iter().chain([&type_.value]) {
                if let SimpleType::Set(set) = simple {
                    self.symbols.extend(set.members.iter().map(|name| name.name));
                }
            }
        }
    }

    pub fn text(&self, name: Name) -> &'g str {
        self.game.names.text(name)
    }

    pub fn report(&mut self, code: Code, ident: Ident, message: String) {
        self.findings.report(code, || Diagnostic::new(code, ident.place.0, message));
    }

    /// Reports an unknown name, with a similar known one.
    pub fn unknown(&mut self, code: Code, ident: Ident, what: &str) {
        let names = &self.game.names;
        let Checker {
            findings, domains, functions, variables, graphs, symbols, constructors, ..
        } = self;
        let text = names.text(ident.name);
        findings.report(code, || {
            let candidates: Vec<Name> = match code {
                Code::HrgUnknownType => domains.keys().copied().chain(BUILT_IN_TYPES).collect(),
                Code::HrgUnknownGraph => graphs.keys().copied().collect(),
                Code::HrgUnknownConstructor => constructors.keys().copied().collect(),
                _ => variables.iter().chain(functions.keys()).chain(&*symbols).copied().collect(),
            };
            let message = format!("there is no {what} `{text}`");
            let error = Diagnostic::new(code, ident.place.0, message);
            let mut texts: Vec<&str> = candidates.iter().map(|name| names.text(*name)).collect();
            texts.sort_unstable();
            match nearest_name(text, texts) {
                Some(near) => error.with_help(format!("there is `{near}`")),
                None => error,
            }
        });
    }

    /// Checks the names of a type, and that its lists have symbols.
    pub fn type_(&mut self, type_: &Type) {
        for simple in type_.keys.iter().chain([&type_.value]) {
            match simple {
                SimpleType::Named(name) => self.domain_name(*name),
                SimpleType::Set(set) if set.members.is_empty() => {
                    self.findings.report(Code::HrgType, || {
                        let message = "a type has at least one value";
                        Diagnostic::new(Code::HrgType, set.place.0, message)
                    });
                }
                SimpleType::Set(_) => {}
            }
        }
    }

    pub fn domain_name(&mut self, name: Ident) {
        self.used[DOMAIN].insert(name.name);
        if !self.domains.contains_key(&name.name) && !BUILT_IN_TYPES.contains(&name.name) {
            self.unknown(Code::HrgUnknownType, name, "domain");
        }
    }

    /// Whether a name is a symbol or a number.
    pub fn is_symbol(&self, name: Name) -> bool {
        self.symbols.contains(&name) || self.text(name).bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Checks a constructor, and its number of arguments.
    pub fn constructor(&mut self, name: Ident, given: usize) {
        match self.constructors.get(&name.name) {
            // An unknown constructor may be in a question whose answer is no.
            None => self.unknown(Code::HrgUnknownConstructor, name, "constructor"),
            Some(arities) if !arities.contains(&given) => {
                let wanted = arities[0];
                let text = self.text(name.name);
                let message =
                    format!("`{text}` takes {}, and has {given} here", counted(wanted, "argument"));
                self.report(Code::HrgArity, name, message);
            }
            Some(_) => {}
        }
    }

    /// Whether a name is a variable of patterns.
    pub fn is_upper(&self, name: Name) -> bool {
        is_pattern_variable(self.text(name))
    }
}
