//! Which constants can stand in a place of a sentence: in the column of `(legal red (drop 3))` those
//! that some rule could put there.
//!
//! It is a bound from above: the least sets such that each rule puts into a place of its head
//! what can stand in all places of its conditions that have the same variable. What is true comes
//! from `init` and `next`, and what is done from `legal`. A place that a variable fills which no
//! condition has can hold anything.

use crate::gdl::{Game, LiteralKind, Rule, Symbol, Term, Variable};
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// The most places that are followed.
const MAX_PLACES: usize = 500;

/// How deep a place may be.
const MAX_DEPTH: usize = 8;

/// A relation or function, its number of arguments, and which of them it is.
type Step = (Symbol, usize, usize);

/// An argument of an argument, and so on.
type Path = Vec<Step>;

/// The values that can stand in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Domain {
    Any,
    Of(BTreeSet<Symbol>),
}

/// The values that a rule puts into a place.
enum Given {
    Constant(Symbol),
    /// The values that can stand in all of these.
    Common(Vec<usize>),
    Anything,
}

/// The constants that can stand in the place of an argument of a sentence, and the variable that
/// a rule has there; `None` if anything can, or if it takes too much to know.
pub(super) fn domain(game: &Game, path: &[Step]) -> Option<(Vec<Symbol>, Option<Box<str>>)> {
    let mut places = Places { numbers: HashMap::new(), paths: Vec::new(), too_many: false };
    let asked = places.number(path.to_vec())?;
    let mut given: Vec<Vec<Given>> = Vec::new();
    while let Some(path) = places.paths.get(given.len()).cloned() {
        let rules = game.rules.iter().filter(|rule| source(rule.head.relation) == path[0].0);
        given.push(rules.filter_map(|rule| gives(rule, &path, &mut places)).collect());
    }
    if places.too_many {
        return None;
    }
    let mut domains = vec![Domain::Of(BTreeSet::new()); given.len()];
    loop {
        let next: Vec<Domain> = given.iter().map(|given| of(given, &domains)).collect();
        if next == domains {
            break;
        }
        domains = next;
    }
    let variable = game.rules.iter().find_map(|rule| {
        match walk(&rule.head.args, source(rule.head.relation), path)? {
            (Term::Variable(variable), []) => Some(rule.variables[usize::from(variable.0)].clone()),
            _ => None,
        }
    });
    match domains.swap_remove(asked) {
        Domain::Any => None,
        Domain::Of(constants) => Some((constants.into_iter().collect(), variable)),
    }
}

struct Places {
    numbers: HashMap<Path, usize>,
    paths: Vec<Path>,
    too_many: bool,
}

impl Places {
    fn number(&mut self, path: Path) -> Option<usize> {
        if let Some(&known) = self.numbers.get(&path) {
            return Some(known);
        }
        if self.paths.len() == MAX_PLACES || path.len() > MAX_DEPTH {
            self.too_many = true;
            return None;
        }
        self.numbers.insert(path.clone(), self.paths.len());
        self.paths.push(path);
        Some(self.paths.len() - 1)
    }
}

/// Where the sentences of a relation come from.
pub(super) fn source(relation: Symbol) -> Symbol {
    match relation {
        Symbol::INIT | Symbol::NEXT => Symbol::TRUE,
        Symbol::DOES => Symbol::LEGAL,
        other => other,
    }
}

/// The term that stands in a place, or the variable above it, with the rest of the path then.
fn walk<'t, 'p>(
    args: &'t [Term],
    relation: Symbol,
    path: &'p [Step],
) -> Option<(&'t Term, &'p [Step])> {
    let (&(name, arity, index), rest) = path.split_first()?;
    if name != relation || arity != args.len() {
        return None;
    }
    match (&args[index], rest) {
        (Term::Function(function, args), [_, ..]) => walk(args, *function, rest),
        (Term::Constant(_), [_, ..]) => None,
        (term, _) => Some((term, rest)),
    }
}

fn gives(rule: &Rule, path: &[Step], places: &mut Places) -> Option<Given> {
    let (term, rest) = walk(&rule.head.args, source(rule.head.relation), path)?;
    Some(match term {
        Term::Constant(constant) => Given::Constant(*constant),
        Term::Function(..) => return None,
        Term::Variable(variable) => {
            let mut paths = Vec::new();
            for literal in &rule.body {
                if let LiteralKind::Sentence(sentence) = &literal.kind {
                    let path = &mut Vec::new();
                    occurrences(
                        source(sentence.relation),
                        &sentence.args,
                        *variable,
                        path,
                        &mut paths,
                    );
                }
            }
            let numbers = paths.into_iter().map(|path| places.number([&path, rest].concat()));
            match numbers.collect::<Option<Vec<_>>>() {
                Some(numbers) if !numbers.is_empty() => Given::Common(numbers),
                _ => Given::Anything,
            }
        }
    })
}

/// The places in which a variable stands.
fn occurrences(
    name: Symbol,
    args: &[Term],
    variable: Variable,
    path: &mut Path,
    found: &mut Vec<Path>,
) {
    for (index, arg) in args.iter().enumerate() {
        path.push((name, args.len(), index));
        match arg {
            Term::Variable(other) if *other == variable => found.push(path.clone()),
            Term::Function(function, args) => occurrences(*function, args, variable, path, found),
            _ => {}
        }
        path.pop();
    }
}

fn of(given: &[Given], domains: &[Domain]) -> Domain {
    let mut all = BTreeSet::new();
    for given in given {
        match given {
            Given::Anything => return Domain::Any,
            Given::Constant(constant) => {
                all.insert(*constant);
            }
            Given::Common(places) => {
                let sets = places.iter().filter_map(|&place| match &domains[place] {
                    Domain::Any => None,
                    Domain::Of(set) => Some(set),
                });
                let mut sets: Vec<_> = sets.collect();
                sets.sort_by_key(|set| set.len());
                let Some((first, others)) = sets.split_first() else { return Domain::Any };
                all.extend(
                    first
                        .iter()
                        .filter(|constant| others.iter().all(|set| set.contains(*constant))),
                );
            }
        }
    }
    Domain::Of(all)
}
