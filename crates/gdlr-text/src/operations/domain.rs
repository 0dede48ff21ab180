//! The values that an argument can have: names, and terms of such values.

use super::sheet::{Functor, atom, functor, sentence};
use crate::diagnostic::Span;
use crate::kif::{Expr, ExprKind};
use hashbrown::HashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The deepest terms.
const MAX_DEPTH: usize = 16;

/// A set of values. Arguments of a function vary by themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Domain {
    pub names: BTreeSet<Rc<str>>,
    functions: BTreeMap<Functor, Vec<Domain>>,
}

/// The values of variables, by name.
pub(super) type Values = HashMap<Box<str>, Domain>;

impl Domain {
    /// The set of one name.
    pub(super) fn name(name: &str) -> Domain {
        Domain { names: [name.into()].into(), functions: BTreeMap::new() }
    }

    /// The names of a domain.
    pub(super) fn without_terms(&self) -> Domain {
        Domain { names: self.names.clone(), functions: BTreeMap::new() }
    }

    /// The numbers up to `most`.
    pub(super) fn up_to(most: usize) -> Domain {
        let names = (0..=most).map(|number| number.to_string().into()).collect();
        Domain { names, functions: BTreeMap::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.functions.is_empty()
    }

    /// Adds values; whether that is anything new.
    pub(super) fn add(&mut self, other: &Domain) -> bool {
        let mut changed = false;
        for name in &other.names {
            if !self.names.contains(name) {
                changed |= self.names.insert(name.clone());
            }
        }
        for (function, args) in &other.functions {
            match self.functions.get_mut(function) {
                Some(known) => {
                    for (known, arg) in known.iter_mut().zip(args) {
                        changed |= known.add(arg);
                    }
                }
                None => {
                    self.functions.insert(function.clone(), args.clone());
                    changed = true;
                }
            }
        }
        changed
    }

    /// The values of both.
    pub(super) fn common(&self, other: &Domain) -> Domain {
        let names = self.names.intersection(&other.names).cloned().collect();
        let functions = self.functions.iter().filter_map(|(function, args)| {
            let others = other.functions.get(function)?;
            let args: Vec<_> = args.iter().zip(others).map(|(a, b)| a.common(b)).collect();
            (!args.iter().any(Domain::is_empty)).then(|| (function.clone(), args))
        });
        Domain { names, functions: functions.collect() }
    }

    /// The values that functions of `known` have only as these have them; other values stay.
    pub(super) fn within(&self, known: &Domain) -> Domain {
        let mut found = self.clone();
        for (function, args) in &known.functions {
            if let Some(own) = found.functions.get_mut(function) {
                let common: Vec<_> = own.iter().zip(args).map(|(a, b)| a.common(b)).collect();
                if common.iter().any(Domain::is_empty) {
                    found.functions.remove(function);
                } else {
                    *own = common;
                }
            }
        }
        found
    }

    /// How many terms there are.
    pub(super) fn size(&self) -> usize {
        let product = |args: &Vec<Domain>| {
            args.iter().fold(1_usize, |size, arg| size.saturating_mul(arg.size()))
        };
        self.functions
            .values()
            .map(product)
            .fold(self.names.len(), |size, more| size.saturating_add(more))
    }

    /// All terms, in order, with a place.
    pub(super) fn terms(&self, span: Span) -> Vec<Expr> {
        let mut found: Vec<Expr> = self.names.iter().map(|name| atom(name, span)).collect();
        // Numbers in their order, not in that of their digits.
        found.sort_by(|a, b| {
            let number = |expr: &Expr| super::builtin::number(expr.atom().unwrap_or(""));
            number(a).partial_cmp(&number(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        for ((name, _), args) in &self.functions {
            for args in rows(args, span) {
                found.push(sentence(name, args, span));
            }
        }
        found
    }

    /// Gives the variables of a pattern the values that match; whether there are any.
    pub(super) fn matches(&self, pattern: &Expr, values: &mut Values) -> bool {
        match &pattern.kind {
            ExprKind::Atom(variable) if variable.starts_with('?') => {
                let common = match values.get(&**variable) {
                    Some(known) => known.common(self),
                    None => self.clone(),
                };
                let found = !common.is_empty();
                values.insert(variable.clone(), common);
                found
            }
            ExprKind::Atom(name) => self.names.iter().any(|known| known.eq_ignore_ascii_case(name)),
            ExprKind::List(items) => {
                let args = functor(pattern).and_then(|name| self.functions.get(&name));
                args.is_some_and(|args| {
                    args.iter().zip(&items[1..]).all(|(arg, item)| arg.matches(item, values))
                })
            }
        }
    }

    /// The values of a pattern; `None` if a variable of it has none.
    pub(super) fn of(pattern: &Expr, values: &Values) -> Option<Domain> {
        Domain::of_term(pattern, values, MAX_DEPTH)
    }

    fn of_term(pattern: &Expr, values: &Values, depth: usize) -> Option<Domain> {
        match &pattern.kind {
            ExprKind::Atom(variable) if variable.starts_with('?') => {
                let known = values.get(&**variable)?;
                (known.depth() <= depth).then(|| known.clone())
            }
            ExprKind::Atom(name) => Some(Domain::name(&name.to_lowercase())),
            ExprKind::List(items) => {
                let depth = depth.checked_sub(1)?;
                let args = items[1..].iter().map(|item| Domain::of_term(item, values, depth));
                let args = args.collect::<Option<Vec<_>>>()?;
                Some(Domain {
                    names: BTreeSet::new(),
                    functions: [(functor(pattern)?, args)].into(),
                })
            }
        }
    }

    fn depth(&self) -> usize {
        let deepest = |args: &Vec<Domain>| args.iter().map(Domain::depth).max().unwrap_or(0) + 1;
        self.functions.values().map(deepest).max().unwrap_or(0)
    }
}

/// All rows of values of some domains.
pub(super) fn rows(domains: &[Domain], span: Span) -> Vec<Vec<Expr>> {
    domains.iter().fold(vec![Vec::new()], |rows, domain| {
        let terms = domain.terms(span);
        let longer = |row: &Vec<Expr>| {
            let row = row.clone();
            terms.iter().map(move |term| row.iter().cloned().chain([term.clone()]).collect())
        };
        rows.iter().flat_map(longer).collect()
    })
}
