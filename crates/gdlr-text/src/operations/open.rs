//! Variables of a head that no condition of the rule binds.
//!
//! The course's interpreter proves `same_row(X,Y,Z,Y) :- row(X)` wherever it is asked with values for `Y`. A
//! rule of GDL needs a condition for the variable: here it is a list of the values that the relation is asked
//! with.

use super::arithmetic::{inner, is_built_in, is_other, relation};
use super::domain::{Domain, Values};
use super::sheet::{Functor, arguments, atom, for_each_variable, sentence};
use super::translate::{Names, Rule};
use crate::diagnostic::Span;
use crate::kif::Expr;
use hashbrown::{HashMap, HashSet};

/// The most values of such a variable.
const MAX_VALUES: usize = 10_000;

/// The arguments of relations in whose place a head has such a variable.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// The arguments, by relation.
    places: HashMap<Functor, Vec<usize>>,
    /// The values that each argument is asked with.
    asked: HashMap<(Functor, usize), Domain>,
    /// The rules of each relation.
    pub rules: HashMap<Functor, Vec<usize>>,
}

impl Open {
    /// The open variables of some rules.
    pub(super) fn of(rules: &[Rule]) -> Open {
        let mut open = Open::default();
        for (index, rule) in rules.iter().enumerate() {
            let Some(name) = relation(&rule.head) else { continue };
            let of_gdl = ["true", "does", "goal", "role", "base", "input"];
            if of_gdl.contains(&&*name.0) {
                continue;
            }
            for (place, _) in variables(rule) {
                let places = open.places.entry(name.clone()).or_default();
                if !places.contains(&place) {
                    places.push(place);
                }
                let rules = open.rules.entry(name.clone()).or_default();
                if rules.last() != Some(&index) {
                    rules.push(index);
                }
            }
        }
        open
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether a condition asks for a relation that has open arguments.
    pub(super) fn is_asked_by(&self, condition: &Expr) -> bool {
        relation(inner(condition)).is_some_and(|name| self.places.contains_key(&name))
    }

    /// Notes with which values a rule asks for such relations, if its variables have these; the relations
    /// that are asked with new ones.
    pub(super) fn note(&mut self, rule: &Rule, values: &Values) -> Vec<Functor> {
        let mut changed = Vec::new();
        for condition in &rule.body {
            let condition = inner(condition);
            let Some(name) = relation(condition) else { continue };
            for &place in self.places.get(&name).into_iter().flatten() {
                let Some(values) = Domain::of(&arguments(condition)[place], values) else {
                    continue;
                };
                let known = self.asked.entry((name.clone(), place)).or_default();
                if known.add(&values) && known.size() <= MAX_VALUES && !changed.contains(&name) {
                    changed.push(name.clone());
                }
            }
        }
        changed
    }

    /// The values of the open variables of a rule, which it has besides its conditions.
    pub(super) fn values(&self, rule: &Rule, values: &mut Values) {
        let Some(name) = relation(&rule.head).filter(|name| self.places.contains_key(name)) else {
            return;
        };
        for (place, variable) in variables(rule) {
            if let Some(asked) = self.asked.get(&(name.clone(), place)) {
                values.insert(variable, asked.clone());
            }
        }
    }

    /// Gives each rule conditions for its open variables, and adds the facts for these.
    pub(super) fn bind(&self, rules: &mut Vec<Rule>, names: &mut Names) {
        let mut lists: HashMap<(Functor, usize), Box<str>> = HashMap::new();
        let mut facts = Vec::new();
        let mut indices: Vec<usize> = self.rules.values().flatten().copied().collect();
        indices.sort_unstable();
        for index in indices {
            let rule = &mut rules[index];
            let span = Span { start: rule.span.start, end: rule.span.start };
            let Some(name) = relation(&rule.head) else { continue };
            for (place, variable) in variables(rule) {
                let key = (name.clone(), place);
                let Some(asked) = self.asked.get(&key).filter(|asked| asked.size() <= MAX_VALUES)
                else {
                    continue;
                };
                let list = lists.entry(key).or_insert_with(|| {
                    let list = names.fresh(&format!("asked_of_{}", name.0));
                    facts.extend(asked.terms(span).into_iter().map(|value| Rule {
                        head: sentence(&list, vec![value], span),
                        body: Vec::new(),
                        span,
                    }));
                    list
                });
                rule.body.push(sentence(list, vec![atom(&variable, span)], span));
            }
        }
        rules.append(&mut facts);
    }
}

/// The arguments of a head that are variables which no condition binds.
fn variables(rule: &Rule) -> Vec<(usize, Box<str>)> {
    let mut bound: HashSet<&str> = HashSet::new();
    for condition in &rule.body {
        if is_built_in(condition) {
            // Its last argument may be a result.
            if let Some(last) = arguments(condition).last() {
                for_each_variable(last, &mut |variable| _ = bound.insert(variable));
            }
        } else if !is_other(condition) {
            for_each_variable(condition, &mut |variable| _ = bound.insert(variable));
        }
    }
    let open = |(place, arg): (usize, &Expr)| {
        let variable = arg.atom().filter(|name| name.starts_with('?') && !bound.contains(name))?;
        Some((place, variable.into()))
    };
    let mut found: Vec<(usize, Box<str>)> =
        arguments(&rule.head).iter().enumerate().filter_map(open).collect();
    // A variable that stands in several places is listed once.
    let mut known = HashSet::new();
    found.retain(|(_, variable)| known.insert(variable.clone()));
    found
}
