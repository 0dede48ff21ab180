//! What is taken away: facts that no rule for staying keeps.

use super::super::sheet::{Functor, arguments, for_each_variable, functor, parts, sentence};
use super::super::translate::{replaced, same, unify};
use super::source::Rule;
use super::steps::stays;
use super::{Writing, general};
use crate::diagnostic::{Diagnostic, Span};
use crate::kif::Expr;

/// A rule for staying.
struct Stay {
    /// The fact that stays.
    fact: Expr,
    /// The move that is made then, if a condition names it.
    action: Option<Expr>,
    /// The other conditions, as operations have them.
    body: Vec<Expr>,
    /// Whether they ask for the move.
    needs_move: bool,
}

impl Writing<'_> {
    /// The operations that take away facts of one kind.
    pub(super) fn frame(&mut self, name: &Functor, span: Span) -> Result<(), Diagnostic> {
        let mut all = Vec::new();
        for rule in self.rules.iter().filter(|rule| &*rule.relation.0 == "next") {
            if functor(&arguments(&rule.head)[0]).as_ref() == Some(name) {
                all.extend(self.stay(rule)?);
            }
        }
        if all.is_empty() {
            let fact = self.names.fact(&general(&name.0, name.1));
            let effect = sentence("not", vec![fact.clone()], span);
            let head = self.tick(false);
            self.operation(head, vec![fact], effect, span);
            return Ok(());
        }
        // No rule has these variables.
        let items = (0..name.1).map(|_| self.names.variable("?x")).collect();
        let fact = self.names.fact(&sentence(&name.0, items, span));
        let mut groups: Vec<Vec<Stay>> = Vec::new();
        for stay in all {
            let like =
                groups.iter_mut().find(|group| variant(&group[0].fact, &stay.fact).is_some());
            match like {
                Some(group) => group.push(stay),
                None => groups.push(vec![stay]),
            }
        }
        if self.overlap(&groups) {
            let all = groups.into_iter().flatten().map(|stay| widened(stay, &fact)).collect();
            groups = vec![all];
        }
        let patterns: Vec<Expr> = groups.iter().map(|group| group[0].fact.clone()).collect();
        for group in groups {
            self.group(group, span);
        }
        self.remainder(name, &fact, &patterns, span);
        Ok(())
    }

    fn stay(&self, rule: &Rule) -> Result<Option<Stay>, Diagnostic> {
        let Some(at) = stays(rule) else { return Ok(None) };
        let mut body = rule.body.clone();
        body.remove(at);
        let asked = self.asked(&body, rule)?;
        let action = asked.action.clone();
        let needs_move = action.is_none() && asked.body.iter().any(|it| self.needs_move(it));
        let known = action.as_ref().unwrap_or(&self.names.action);
        let body = self.conditions(&asked.body, Some(known))?;
        let fact = self.names.fact(&arguments(&rule.head)[0]);
        Ok(Some(Stay { fact, action, body, needs_move }))
    }

    /// Whether a fact can be one of two groups.
    fn overlap(&mut self, groups: &[Vec<Stay>]) -> bool {
        for (index, group) in groups.iter().enumerate() {
            for other in &groups[..index] {
                let mut other = other[0].fact.clone();
                self.names.apart(&mut [&mut other], &[]);
                if unify(&group[0].fact, &other).is_some() {
                    return true;
                }
            }
        }
        false
    }

    /// The operations that take away facts of a group, whose rules are about the same facts.
    fn group(&mut self, mut group: Vec<Stay>, span: Span) {
        let fact = group[0].fact.clone();
        let mut kept = Vec::new();
        for_each_variable(&fact, &mut |variable| kept.push(Box::from(variable)));
        kept.extend(self.names.action.atom().map(Box::from));
        for (index, stay) in group.iter_mut().enumerate() {
            let values = variant(&stay.fact, &fact).unwrap_or_default();
            if index > 0 {
                // The variables of the fact are those of the first rule, and the others are new.
                let own: Vec<Box<str>> = values.iter().map(|(name, _)| name.clone()).collect();
                let action = self.names.action.atom().map(Box::from);
                let own: Vec<Box<str>> = own.into_iter().chain(action).collect();
                let mut parts: Vec<&mut Expr> =
                    stay.action.iter_mut().chain(&mut stay.body).collect();
                self.names.apart(&mut parts, &own);
                parts.into_iter().for_each(|part| *part = replaced(part, &values));
            }
        }
        if group.iter().all(|stay| stay.action.is_none()) {
            let with_move = group.iter().any(|stay| stay.needs_move);
            let head = self.tick(with_move);
            let stays = group.iter().map(|stay| stay.body.clone()).collect();
            return self.removal(head, &fact, stays, span);
        }
        for (name, arity) in self.turn.moves().to_vec() {
            let is_move = |action: &Expr| functor(action) == Some((name.clone(), arity));
            // The first rule for the move gives it the names of its variables, if it can.
            let named = group.iter().filter_map(|stay| stay.action.as_ref());
            let mut named = named.filter(|action| is_move(action) && is_general(action, &kept));
            let head = named.next().cloned().unwrap_or_else(|| {
                let items = (0..arity).map(|_| self.names.variable("?m")).collect();
                sentence(&name, items, span)
            });
            let mut stays = Vec::new();
            for stay in &group {
                match &stay.action {
                    Some(action) if !is_move(action) => {}
                    Some(action) => {
                        let pairs = arguments(&head).iter().zip(arguments(action));
                        let equal = pairs.filter(|(left, right)| !same(&left.kind, &right.kind));
                        let equal = equal.map(|(left, right)| {
                            sentence("same", vec![left.clone(), right.clone()], span)
                        });
                        stays.push(equal.chain(stay.body.iter().cloned()).collect());
                    }
                    None => {
                        let variable = self.names.action.atom().unwrap_or_default().into();
                        let made = [(variable, head.clone())];
                        stays.push(stay.body.iter().map(|it| replaced(it, &made)).collect());
                    }
                }
            }
            self.removal(head, &fact, stays, span);
        }
    }

    /// An operation that takes a fact away, unless one of the conditions holds.
    fn removal(&mut self, head: Expr, fact: &Expr, stays: Vec<Vec<Expr>>, span: Span) {
        let mut conditions = vec![fact.clone()];
        for stay in stays {
            let Some(fails) = negation(stay, span) else { return };
            conditions.extend(fails);
        }
        let mut head = head;
        while let Some(at) = conditions.iter().position(|it| parts(it, "same").is_some()) {
            let equality = conditions.remove(at);
            let [left, right] = arguments(&equality) else { return };
            let Some(values) = unify(left, right) else { return };
            head = replaced(&head, &values);
            conditions.iter_mut().for_each(|it| *it = replaced(it, &values));
        }
        let effect = sentence("not", vec![conditions[0].clone()], span);
        self.operation(head, conditions, effect, span);
    }

    /// Facts that are of no group do not stay. If all facts are of one, that need not be said.
    fn remainder(&mut self, name: &Functor, fact: &Expr, patterns: &[Expr], span: Span) {
        let can_be = self.rules.iter().filter(|rule| matches!(&*rule.relation.0, "init" | "next"));
        let mut facts = can_be.map(|rule| &arguments(&rule.head)[0]);
        let is_covered = |fact: &Expr| {
            let fact = self.names.fact(fact);
            patterns.iter().any(|pattern| instance(pattern, &fact))
        };
        if facts.all(|fact| functor(fact).as_ref() != Some(name) || is_covered(fact)) {
            return;
        }
        let stays = patterns.iter().map(|pattern| {
            let stay =
                Stay { fact: pattern.clone(), action: None, body: Vec::new(), needs_move: false };
            widened(stay, fact).body
        });
        let (head, stays) = (self.tick(false), stays.collect());
        self.removal(head, fact, stays, span);
    }
}

/// The rule about all facts of its kind, with conditions for its own.
fn widened(mut stay: Stay, fact: &Expr) -> Stay {
    let pairs = arguments(fact).iter().zip(arguments(&stay.fact));
    let mut body: Vec<Expr> = pairs
        .map(|(left, right)| sentence("same", vec![left.clone(), right.clone()], fact.span))
        .collect();
    body.append(&mut stay.body);
    // Variables of the fact are names for its arguments.
    while let Some((at, values)) = body.iter().enumerate().find_map(|(at, condition)| {
        let [variable, right] = parts(condition, "same")? else { return None };
        let named = right.atom().filter(|name| name.starts_with('?'))?;
        Some((at, [(Box::from(named), variable.clone())]))
    }) {
        body.remove(at);
        body.iter_mut().for_each(|it| *it = replaced(it, &values));
        stay.action = stay.action.map(|action| replaced(&action, &values));
    }
    Stay { fact: fact.clone(), body, ..stay }
}

/// The values of the variables of `other` that make it `expr`, if the two differ in these names alone.
fn variant(other: &Expr, expr: &Expr) -> Option<Vec<(Box<str>, Expr)>> {
    let mut values: Vec<(Box<str>, Expr)> = Vec::new();
    let mut open = vec![(other, expr)];
    while let Some((left, right)) = open.pop() {
        match (left.atom(), right.atom()) {
            (Some(left), Some(name)) if left.starts_with('?') && name.starts_with('?') => {
                let known = values
                    .iter()
                    .find(|(known, value)| **known == *left || value.atom() == Some(name));
                match known {
                    Some((known, value)) if **known != *left || value.atom() != Some(name) => {
                        return None;
                    }
                    Some(_) => {}
                    None => values.push((left.into(), right.clone())),
                }
            }
            (Some(left), Some(right)) if left == right => {}
            (None, None) => {
                let (left, right) = (left.list()?, right.list()?);
                if left.len() != right.len() {
                    return None;
                }
                open.extend(left.iter().zip(right));
            }
            _ => return None,
        }
    }
    Some(values)
}

/// Whether a fact is one of a pattern: values for the variables of the pattern alone make it that.
fn instance(pattern: &Expr, fact: &Expr) -> bool {
    let mut values: Vec<(&str, &Expr)> = Vec::new();
    let mut open = vec![(pattern, fact)];
    while let Some((left, right)) = open.pop() {
        match (left.atom(), right.atom()) {
            (Some(name), _) if name.starts_with('?') => {
                match values.iter().find(|(known, _)| *known == name) {
                    Some((_, value)) if !same(&value.kind, &right.kind) => return false,
                    Some(_) => {}
                    None => values.push((name, right)),
                }
            }
            (Some(left), Some(right)) if left == right => {}
            (None, None) => match (left.list(), right.list()) {
                (Some(left), Some(right)) if left.len() == right.len() => {
                    open.extend(left.iter().zip(right));
                }
                _ => return false,
            },
            _ => return false,
        }
    }
    true
}

/// Whether a move has variables alone, each once, and none of `taken`.
fn is_general(action: &Expr, taken: &[Box<str>]) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    arguments(action).iter().all(|item| {
        let name = item.atom().filter(|name| name.starts_with('?') && !seen.contains(name));
        seen.extend(name);
        name.is_some_and(|name| !taken.iter().any(|taken| **taken == *name))
    })
}

/// Conditions that hold if not all of these do; `None` if these always hold.
fn negation(mut all: Vec<Expr>, span: Span) -> Option<Vec<Expr>> {
    let not = |expr: Expr| vec![sentence("not", vec![expr], span)];
    match all.len() {
        0 => None,
        1 => {
            let only = all.remove(0);
            let items = arguments(&only).to_vec();
            Some(match functor(&only) {
                Some((name, 1)) if &*name == "not" => {
                    parts(&items[0], "and").map_or(items.clone(), <[Expr]>::to_vec)
                }
                Some((name, 2)) if &*name == "distinct" => vec![sentence("same", items, span)],
                Some((name, 2)) if &*name == "same" => vec![sentence("distinct", items, span)],
                Some((name, _)) if &*name == "or" => {
                    let mut fails = Vec::new();
                    for item in items {
                        fails.extend(negation(vec![item], span)?);
                    }
                    fails
                }
                _ => not(only),
            })
        }
        _ => Some(not(sentence("and", all, span))),
    }
}
