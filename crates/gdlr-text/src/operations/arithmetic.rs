//! Tables of the built-in relations: facts for each condition that computes or counts.
//!
//! The values of an argument are found by going through the rules until nothing is new: each argument of a
//! relation, and of the facts of the state, has a [`Domain`]. A condition such as `plus(X,1,Y)` is then
//! a table over the values of `X`. Facts that `base` declares have no other values than declared; where
//! none are declared, numbers that grow without an end are an error.
//!
//! Variables of heads that no condition binds get their values on the way ([`Open`]).
//!
//! `countofall(T,P,N)` becomes rules that go through all terms `T` in an order, and count those with `P`.

use super::builtin;
use super::domain::{Domain, Values, rows};
use super::open::Open;
use super::sheet::{Functor, arguments, atom, functor, sentence};
use super::translate::{Rule, Tally, Translated};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::kif::Expr;
use hashbrown::{HashMap, HashSet};
use std::collections::VecDeque;

/// The most values of an argument that is computed.
const MAX_VALUES: usize = 1_024;

/// The most rows of a table, and the most terms of a count.
const MAX_ROWS: usize = 100_000;

/// The most times that rules are looked at again, in all.
const MAX_ROUNDS: usize = 200_000;

/// Adds the tables that rules ask for. Rules without built-in relations stay as they are.
///
/// # Errors
///
/// A number that nothing bounds, and a table that is too large.
pub(super) fn with_tables(translated: Translated) -> Result<Vec<Rule>, Vec<Diagnostic>> {
    let Translated { mut rules, tallies, mut names } = translated;
    let open = Open::of(&rules);
    let (mut tables, open) = tables(&rules, &tallies, open)?;
    open.bind(&mut rules, &mut names);
    rules.append(&mut tables);
    Ok(rules)
}

/// The tables that rules ask for, and the values that `open` variables are asked with.
///
/// # Errors
///
/// As [`with_tables`].
pub(super) fn tables(
    rules: &[Rule],
    tallies: &[Tally],
    open: Open,
) -> Result<(Vec<Rule>, Open), Vec<Diagnostic>> {
    let computes = |rule: &Rule| rule.body.iter().any(|condition| is_built_in(inner(condition)));
    if tallies.is_empty() && open.is_empty() && !rules.iter().any(computes) {
        return Ok((Vec::new(), open));
    }
    let mut analysis =
        Analysis { known: HashMap::new(), tallies, open, visits: vec![0; rules.len()] };
    analysis.run(rules).map_err(|error| vec![error])?;
    let mut tables = Vec::new();
    let mut written = HashSet::new();
    for rule in rules {
        let Some(values) = analysis.values(rule)? else { continue };
        for condition in &rule.body {
            let condition = inner(condition);
            if is_built_in(condition) {
                for fact in table(condition, &values).map_err(|error| vec![error])? {
                    if written.insert(fact.to_string()) {
                        let span = Span { start: rule.span.start, end: rule.span.start };
                        tables.push(Rule { head: fact, body: Vec::new(), span });
                    }
                }
            }
        }
    }
    for tally in tallies {
        analysis.count(tally, &mut tables).map_err(|error| vec![error])?;
    }
    Ok((tables, analysis.open))
}

/// The condition that `not` negates, or the condition itself.
pub(super) fn inner(condition: &Expr) -> &Expr {
    super::sheet::parts(condition, "not").and_then(<[Expr]>::first).unwrap_or(condition)
}

pub(super) fn is_built_in(condition: &Expr) -> bool {
    functor(condition)
        .is_some_and(|(name, _)| builtin::is_function(&name) || builtin::is_comparison(&name))
}

/// The relation that a sentence is about: `next`, `init` and `true` are one, and so are `legal` and
/// `does`.
pub(super) fn relation(sentence: &Expr) -> Option<Functor> {
    let (name, arity) = functor(sentence)?;
    let name = match &*name {
        "next" | "init" => "true".into(),
        "legal" => "does".into(),
        _ => name,
    };
    Some((name, arity))
}

struct Analysis<'a> {
    /// The values of each argument of a relation.
    known: HashMap<Functor, Vec<Domain>>,
    tallies: &'a [Tally],
    open: Open,
    /// How often each rule was looked at.
    visits: Vec<usize>,
}

impl Analysis<'_> {
    fn run(&mut self, rules: &[Rule]) -> Result<(), Diagnostic> {
        let mut users: HashMap<Functor, Vec<usize>> = HashMap::new();
        for (index, rule) in rules.iter().enumerate() {
            for condition in &rule.body {
                if let Some(name) = relation(condition) {
                    users.entry(name).or_default().push(index);
                }
            }
        }
        // A fact that `base` declares bounds the state: all of these first.
        let is_base = |rule: &Rule| relation(&rule.head).is_some_and(|name| &*name.0 == "base");
        let mut queue: VecDeque<usize> = (0..rules.len()).collect();
        let mut waits = vec![true; rules.len()];
        let mut rounds = 0;
        while let Some(index) = queue.pop_front() {
            waits[index] = false;
            rounds += 1;
            let rule = &rules[index];
            self.visits[index] += 1;
            let computes = rule.body.iter().any(is_built_in);
            let too_often = computes && self.visits[index] > 2 * MAX_VALUES;
            if too_often || rounds > rules.len() + MAX_ROUNDS {
                return Err(unbounded(rule, &rule.head));
            }
            for asked in self.ask(rule)? {
                for &index in &self.open.rules[&asked] {
                    if !std::mem::replace(&mut waits[index], true) {
                        queue.push_back(index);
                    }
                }
            }
            for changed in self.derive(rule)? {
                let also = if is_base(rule) { Some(("true".into(), 1)) } else { None };
                for changed in also.into_iter().chain([changed]) {
                    for &user in users.get(&changed).into_iter().flatten() {
                        if !std::mem::replace(&mut waits[user], true) {
                            queue.push_back(user);
                        }
                    }
                    if &*changed.0 == "true" && is_base(rule) {
                        // Values that were left out before may be declared now.
                        for (user, rule) in rules.iter().enumerate() {
                            let is_state = relation(&rule.head).is_some_and(|name| name == changed);
                            if is_state && !std::mem::replace(&mut waits[user], true) {
                                queue.push_back(user);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Notes what a rule asks of relations with open arguments; those that are asked anything new.
    fn ask(&mut self, rule: &Rule) -> Result<Vec<Functor>, Diagnostic> {
        if !rule.body.iter().any(|condition| self.open.is_asked_by(condition)) {
            return Ok(Vec::new());
        }
        let given = |condition: &&Expr| !self.open.is_asked_by(condition);
        let body = rule.body.iter().filter(given).cloned().collect();
        let others = Rule { head: rule.head.clone(), body, span: rule.span };
        let values = self.values_of(&others)?;
        Ok(values.map_or(Vec::new(), |values| self.open.note(rule, &values)))
    }

    /// Adds what a rule derives; the relations that have new values.
    fn derive(&mut self, rule: &Rule) -> Result<Vec<Functor>, Diagnostic> {
        let Some(values) = self.values_of(rule)? else { return Ok(Vec::new()) };
        let Some(name) = relation(&rule.head) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for arg in arguments(&rule.head) {
            // A variable that nothing binds is an error elsewhere.
            found.push(Domain::of(arg, &values).unwrap_or_default());
        }
        if &*name.0 == "true"
            && let Some([declared]) = self.known.get(&("base".into(), 1)).map(Vec::as_slice)
        {
            found[0] = found[0].within(declared);
        }
        let known =
            self.known.entry(name.clone()).or_insert_with(|| vec![Domain::default(); name.1]);
        let mut changed = false;
        for (known, found) in known.iter_mut().zip(&found) {
            changed |= known.add(found);
        }
        let mut all: Vec<Functor> = Vec::new();
        if changed || name.1 == 0 && self.visits.len() > 1 {
            all.push(name.clone());
        }
        for tally in self.tallies {
            if changed && *tally.counted == *name.0 {
                let args = &self.known[&name];
                let (outer, inner) = args.split_at(tally.outer.len());
                let total = inner.iter().fold(1_usize, |size, arg| size.saturating_mul(arg.size()));
                let total = Domain::up_to(total.min(MAX_ROWS));
                let counts = outer.iter().cloned().chain([total]).collect();
                let relation = (tally.relation.clone(), tally.outer.len() + 1);
                self.known.insert(relation.clone(), counts);
                all.push(relation);
            }
        }
        Ok(if name.1 == 0 && !changed { Vec::new() } else { all })
    }

    /// The values of a rule's variables, where the tables are written.
    fn values(&self, rule: &Rule) -> Result<Option<Values>, Vec<Diagnostic>> {
        self.values_of(rule).map_err(|error| vec![error])
    }

    /// The values that the variables of a rule can have; `None` if its conditions never hold.
    fn values_of(&self, rule: &Rule) -> Result<Option<Values>, Diagnostic> {
        let mut values = Values::new();
        self.open.values(rule, &mut values);
        for condition in &rule.body {
            if is_built_in(condition) || is_other(condition) {
                continue;
            }
            let Some(name) = relation(condition) else { continue };
            if name.1 == 0 {
                continue;
            }
            let Some(args) = self.known.get(&name) else { return Ok(None) };
            if !args
                .iter()
                .zip(arguments(condition))
                .all(|(arg, item)| arg.matches(item, &mut values))
            {
                return Ok(None);
            }
        }
        let computing: Vec<&Expr> =
            rule.body.iter().filter(|condition| is_built_in(condition)).collect();
        for _ in 0..=computing.len() {
            for condition in &computing {
                match compute(condition, &mut values) {
                    Ok(true) => {}
                    Ok(false) => return Ok(None),
                    Err(TooMany) => return Err(unbounded(rule, condition)),
                }
            }
        }
        Ok(Some(values))
    }

    /// Adds the rules of a count.
    fn count(&self, tally: &Tally, rules: &mut Vec<Rule>) -> Result<(), Diagnostic> {
        let arity = tally.outer.len() + tally.inner.len();
        let none = vec![Domain::default(); arity];
        let args = self.known.get(&(tally.counted.clone(), arity)).unwrap_or(&none);
        let (outer, inner) = args.split_at(tally.outer.len());
        let size = |domains: &[Domain]| {
            domains.iter().fold(1_usize, |size, domain| size.saturating_mul(domain.size()))
        };
        let (total, given) = (size(inner), size(outer));
        if total.saturating_mul(total).saturating_mul(given) > MAX_ROWS * 100 {
            let message = format!("{total} terms to count, for each of {given} cases");
            return Err(Diagnostic::new(Code::OperationsUnbounded, tally.span, message)
                .with_help("count among fewer terms: give the condition more that bounds them"));
        }
        let span = tally.span;
        let word = |name: &str| atom(name, span);
        let number = |number: usize| atom(&number.to_string(), span);
        let variables =
            |names: &[Box<str>]| names.iter().map(|name| word(name)).collect::<Vec<_>>();
        let (outer_names, inner_names) = (variables(&tally.outer), variables(&tally.inner));
        let with = |name: &str, parts: &[&[Expr]]| sentence(name, parts.concat(), span);
        let mut add = |head: Expr, body: Vec<Expr>| rules.push(Rule { head, body, span });
        for (index, row) in rows(inner, span).into_iter().enumerate() {
            let numbers = [number(index), number(index + 1)];
            add(with(&tally.item, &[&numbers, &row]), Vec::new());
            add(with(&tally.next, &[&numbers]), Vec::new());
        }
        for row in rows(outer, span) {
            add(with(&tally.given, &[&row]), Vec::new());
        }
        let [from, to, count, more] = ["?from", "?to", "?count", "?more"].map(|name| {
            let taken = tally.outer.iter().chain(&tally.inner).any(|known| **known == *name);
            word(&if taken { format!("{name}_of_items") } else { name.to_owned() })
        });
        let up_to = |at: Expr, count: Expr| with(&tally.up_to, &[&outer_names, &[at, count]]);
        let given = with(&tally.given, &[&outer_names]);
        add(up_to(number(0), number(0)), vec![given]);
        let item = with(&tally.item, &[&[from.clone(), to.clone()], &inner_names]);
        let holds = with(&tally.counted, &[&outer_names, &inner_names]);
        let before = up_to(from, count.clone());
        let next = with(&tally.next, &[&[count.clone(), more.clone()]]);
        if total > 0 {
            add(up_to(to.clone(), more), vec![item.clone(), before.clone(), holds.clone(), next]);
            let not = sentence("not", vec![holds], span);
            add(up_to(to, count.clone()), vec![item, before, not]);
        }
        let result = with(&tally.relation, &[&outer_names, std::slice::from_ref(&count)]);
        add(result, vec![up_to(number(total), count)]);
        Ok(())
    }
}

/// Whether a condition says nothing about the values of variables.
pub(super) fn is_other(condition: &Expr) -> bool {
    functor(condition).is_none_or(|(name, _)| matches!(&*name, "not" | "or" | "distinct"))
}

/// More values than there may be.
struct TooMany;

/// Gives the variables of a condition that computes the values that it leaves; whether there are any.
fn compute(condition: &Expr, values: &mut Values) -> Result<bool, TooMany> {
    let Some((name, _)) = functor(condition) else { return Ok(true) };
    let args = arguments(condition);
    if builtin::is_comparison(&name) {
        let [left, right] = args else { return Ok(true) };
        let (Some(of_left), Some(of_right)) = (Domain::of(left, values), Domain::of(right, values))
        else {
            return Ok(true);
        };
        let numbers = |domain: &Domain| {
            domain.names.iter().filter_map(|name| builtin::number(name)).collect::<Vec<_>>()
        };
        let (lefts, rights) = (numbers(&of_left), numbers(&of_right));
        let most = rights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = lefts.iter().copied().fold(f64::INFINITY, f64::min);
        let kept = |domain: &Domain, keeps: &dyn Fn(f64) -> bool| {
            let mut kept = Domain::default();
            kept.names.extend(
                domain
                    .names
                    .iter()
                    .filter(|name| builtin::number(name).is_some_and(keeps))
                    .cloned(),
            );
            kept
        };
        let left_kept = kept(&of_left, &|number| builtin::compares(&name, number, most));
        let right_kept = kept(&of_right, &|number| builtin::compares(&name, least, number));
        return Ok(left_kept.matches(left, values) && right_kept.matches(right, values));
    }
    let Some((result, args)) = args.split_last() else { return Ok(true) };
    let domains: Option<Vec<Domain>> = args.iter().map(|arg| Domain::of(arg, values)).collect();
    let Some(domains) = domains else { return Ok(true) };
    let mut found = Domain::default();
    for row in numbers(&domains).ok_or(TooMany)? {
        if let Some(result) = builtin::computed(&name, &row) {
            found.names.insert(result.into());
        }
    }
    if found.names.len() > MAX_VALUES {
        return Err(TooMany);
    }
    Ok(found.matches(result, values))
}

/// All rows of numbers of some domains; `None` if there are too many.
fn numbers(domains: &[Domain]) -> Option<Vec<Vec<f64>>> {
    let mut rows = vec![Vec::new()];
    for domain in domains {
        let values: Vec<f64> =
            domain.names.iter().filter_map(|name| builtin::number(name)).collect();
        if rows.len().saturating_mul(values.len()) > MAX_ROWS {
            return None;
        }
        let longer = |row: &Vec<f64>| {
            let row = row.clone();
            values.clone().into_iter().map(move |value| [&row[..], &[value]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    Some(rows)
}

/// The facts of a condition that computes.
fn table(condition: &Expr, values: &Values) -> Result<Vec<Expr>, Diagnostic> {
    let Some((name, _)) = functor(condition) else { return Ok(Vec::new()) };
    let args = arguments(condition);
    let Some((_, without_result)) = args.split_last() else { return Ok(Vec::new()) };
    let given = if builtin::is_comparison(&name) { args } else { without_result };
    let span = Span { start: condition.span.start, end: condition.span.start };
    let mut domains = Vec::new();
    for arg in given {
        let Some(domain) = Domain::of(arg, values) else {
            let message =
                format!("`{name}` is asked where nothing says what one of its arguments can be");
            return Err(Diagnostic::new(Code::OperationsUnbounded, arg.span, message)
                .with_label("no other condition of this rule has this variable")
                .with_help(
                    "give the variable a condition that bounds it: `number(X)`, with facts for it",
                ));
        };
        domains.push(domain);
    }
    let size = domains.iter().fold(1_usize, |size, domain| size.saturating_mul(domain.names.len()));
    if size > MAX_ROWS {
        let message = format!("a table of {size} rows for `{name}`, more than {MAX_ROWS}");
        return Err(Diagnostic::new(Code::OperationsUnbounded, condition.span, message)
            .with_help("give the arguments fewer values"));
    }
    let mut found = Vec::new();
    let domains: Vec<Domain> = domains.iter().map(Domain::without_terms).collect();
    for mut row in rows(&domains, span) {
        let numbers: Option<Vec<f64>> =
            row.iter().map(|term| builtin::number(term.atom()?)).collect();
        let Some(numbers) = numbers else { continue };
        if let [left, right] = numbers[..]
            && builtin::is_comparison(&name)
        {
            if builtin::compares(&name, left, right) {
                found.push(sentence(&name, row, span));
            }
        } else if let Some(result) = builtin::computed(&name, &numbers) {
            row.push(atom(&result, span));
            found.push(sentence(&name, row, span));
        }
    }
    Ok(found)
}

fn unbounded(rule: &Rule, at: &Expr) -> Diagnostic {
    let what = functor(at).map(|(name, _)| name).unwrap_or_default();
    let message =
        format!("the numbers of `{what}` have no bound, or more than {MAX_VALUES} values");
    Diagnostic::new(Code::OperationsUnbounded, at.span, message)
        .with_related(rule.span, "in this statement")
        .with_help(
            "declare the facts of the state that hold numbers: `base(step(N)) :- number(N)`, with facts for `number`",
        )
}
