//! Domains, functions and variables: duplicate names, ranges, patterns.

use super::scope::{Checker, DEFINITION, DOMAIN};
use crate::hrg::ast::{
    Domain, Element, Function, Generator, Pattern, Range, RangeValues, Variable,
};
use crate::rg::{Ident, Name};
use gdlr_text::diagnostic::{Code, Diagnostic, counted};
use hashbrown::HashMap;

impl<'g> Checker<'g> {
    pub fn declarations(&mut self) {
        let game = self.game;
        self.duplicates("domain", game.domains.iter().map(|domain| domain.name));
        let functions = game.functions.iter().map(|function| function.name);
        let variables = game.variables.iter().map(|variable| variable.name);
        self.duplicates("function or variable", functions.chain(variables));
        self.duplicates("graph", game.graphs.iter().map(|graph| graph.name));
        game.domains.iter().for_each(|domain| self.domain(domain));
        self.recursive_domains();
        game.functions.iter().for_each(|function| self.function(function));
        game.variables.iter().for_each(|variable| self.variable(variable));
    }

    /// Reports names with two declarations.
    pub fn duplicates(&mut self, what: &str, names: impl Iterator<Item = Ident>) {
        let mut seen: HashMap<Name, Ident> = HashMap::new();
        for name in names {
            let Some(first) = seen.insert(name.name, name) else { continue };
            let text = self.text(name.name);
            self.findings.report(Code::HrgDuplicate, || {
                let message = format!("there is a {what} `{text}` already");
                Diagnostic::new(Code::HrgDuplicate, name.place.0, message)
                    .with_related(first.place.0, "the other one")
            });
        }
    }

    fn domain(&mut self, domain: &'g Domain) {
        for element in &domain.elements {
            match element {
                Element::Name(name) if self.domains.contains_key(&name.name) => {
                    // A use of a domain by itself does not count.
                    if name.name != domain.name.name {
                        self.used[DOMAIN].insert(name.name);
                    }
                }
                Element::Name(_) => {}
                Element::Generator(generator) => self.generator(generator),
            }
        }
    }

    fn generator(&mut self, generator: &'g Generator) {
        self.ranges(&generator.ranges);
        for argument in &generator.arguments {
            let has_range =
                generator.ranges.iter().any(|range| range.variable.name == argument.name);
            if self.is_upper(argument.name) && !has_range {
                let text = self.text(argument.name);
                let message = format!("nothing says which values `{text}` has");
                self.findings.report(Code::HrgPatternVariable, || {
                    Diagnostic::new(Code::HrgPatternVariable, argument.place.0, message)
                        .with_help(format!("add `where {text} in 0..9`, or the like"))
                });
            }
        }
        for range in &generator.ranges {
            let is_argument =
                generator.arguments.iter().any(|argument| argument.name == range.variable.name);
            if !is_argument {
                let text = self.text(range.variable.name);
                let message = format!("`{text}` is no argument of this element");
                self.report(Code::HrgPatternVariable, range.variable, message);
            }
        }
    }

    /// Checks the ranges of a generator or of a part of a map.
    pub fn ranges(&mut self, ranges: &'g [Range]) {
        for (index, range) in ranges.iter().enumerate() {
            let name = range.variable;
            let text = self.text(name.name);
            if ranges[..index].iter().any(|other| other.variable.name == name.name) {
                let message = format!("`{text}` has values already");
                self.report(Code::HrgPatternVariable, name, message);
            }
            if !self.is_upper(name.name) {
                let message =
                    format!("`{text}` is a symbol, for it begins with no upper-case letter");
                self.report(Code::HrgPatternVariable, name, message);
            }
            let is_empty = match &range.values {
                RangeValues::Numbers { first, last } => first > last,
                RangeValues::Symbols(symbols) => symbols.is_empty(),
            };
            if is_empty {
                self.findings.report(Code::HrgType, || {
                    Diagnostic::new(Code::HrgType, range.place.0, "this range has no values")
                });
            }
        }
    }

    /// Reports domains that are defined by themselves.
    fn recursive_domains(&mut self) {
        let game = self.game;
        let numbers: HashMap<Name, usize> =
            game.domains.iter().enumerate().map(|(at, domain)| (domain.name.name, at)).collect();
        let named = |domain: &Domain| -> Vec<u32> {
            let names = domain.elements.iter().filter_map(|element| match element {
                Element::Name(name) => numbers.get(&name.name).map(|&at| at as u32),
                Element::Generator(_) => None,
            });
            names.collect()
        };
        let graph: Vec<Vec<u32>> = game.domains.iter().map(named).collect();
        for at in super::recursion::on_cycles(&graph) {
            let name = game.domains[at].name;
            let message = format!("the domain `{}` is defined by itself", self.text(name.name));
            self.report(Code::HrgRecursiveDomain, name, message);
        }
    }

    fn function(&mut self, function: &'g Function) {
        self.type_(&function.type_);
        let wanted = function.type_.keys.len();
        for case in &function.cases {
            let given = case.patterns.len();
            if given != function.cases[0].patterns.len() {
                self.findings.report(Code::HrgArity, || {
                    let message = "the cases of a function have the same number of arguments";
                    Diagnostic::new(Code::HrgArity, case.place.0, message)
                });
            } else if wanted > 0 && given > wanted {
                self.findings.report(Code::HrgArity, || {
                    let message =
                        format!("the type of the function takes {}", counted(wanted, "argument"));
                    Diagnostic::new(Code::HrgArity, case.place.0, message)
                        .with_related(function.type_.span(), "the type")
                });
            }
            let mut bound = Vec::new();
            case.patterns.iter().for_each(|pattern| self.pattern(pattern, &mut bound));
            self.constant_expr(&case.body, &mut bound);
        }
        if function.type_.keys.is_empty() {
            self.findings.report(Code::HrgType, || {
                let message = "the type of a function has an arrow";
                Diagnostic::new(Code::HrgType, function.type_.span(), message)
            });
        }
    }

    /// Checks a pattern, and adds its variables to `bound`.
    fn pattern(&mut self, pattern: &'g Pattern, bound: &mut Vec<Name>) {
        match pattern {
            Pattern::Any(_) => {}
            Pattern::Name(name) if self.is_upper(name.name) => {
                if bound.contains(&name.name) {
                    let text = self.text(name.name);
                    let message = format!("`{text}` stands twice in the patterns of a case");
                    self.findings.report(Code::HrgPatternVariable, || {
                        Diagnostic::new(Code::HrgPatternVariable, name.place.0, message)
                            .with_help("give them two names, and compare them behind `=`")
                    });
                }
                bound.push(name.name);
            }
            Pattern::Name(name) => {
                if !self.is_symbol(name.name) {
                    self.unknown(Code::HrgUnknownName, *name, "symbol");
                }
            }
            Pattern::Constructor { constructor, arguments, .. } => {
                self.constructor(*constructor, arguments.len());
                arguments.iter().for_each(|argument| self.pattern(argument, bound));
            }
        }
    }

    fn variable(&mut self, variable: &'g Variable) {
        self.type_(&variable.type_);
        if let Some(initial) = &variable.initial {
            self.constant_expr(initial, &mut Vec::new());
        }
        // The language itself uses these variables.
        if [Name::PLAYER, Name::GOALS, Name::VISIBLE].contains(&variable.name.name) {
            self.used[DEFINITION].insert(variable.name.name);
        }
    }
}
