//! The order of a rule's conditions (join order).
//!
//! FI keeps the order of the text. Here a condition comes the earlier the fewer rows it is
//! likely to leave, going by how large the relations were in states of sample play, and
//! tests come as soon as their variables are bound.

use super::sizes::Sizes;
use gdlr_rules::gdl::Variable;
use gdlr_rules::normal::{FlatLiteral, FlatRule, FlatTerm, RelationId};

/// The most conditions to choose among. A longer body keeps the order of the text, tests
/// behind the others: choosing takes quadratic time.
const MAX_CHOICES: usize = 500;

/// The variables of a literal.
pub(super) fn variables(literal: &FlatLiteral, visit: &mut impl FnMut(Variable)) {
    let mut term = |term: &FlatTerm| {
        if let FlatTerm::Variable(v) = term {
            visit(*v);
        }
    };
    match literal {
        FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
            atom.args.iter().for_each(term);
        }
        FlatLiteral::Distinct(pairs) | FlatLiteral::Same(pairs) => {
            for (a, b) in pairs {
                term(a);
                term(b);
            }
        }
        FlatLiteral::Any(branches) => {
            branches.iter().flatten().for_each(|literal| variables(literal, visit));
        }
    }
}

/// The places of a rule's conditions in the order to prove them, given the variables that
/// are bound to begin with. `proved` says of a relation whether it has rules to prove;
/// `first` is the condition to begin with, if that has been chosen already.
///
/// Taking the best condition each time can end in a bad order where the first one leads
/// astray, so every beginning is tried and the order with the least rows overall wins.
pub(super) fn order(
    rule: &FlatRule,
    bound: &[bool],
    sizes: &Sizes,
    proved: &dyn Fn(RelationId) -> bool,
    first: Option<u32>,
) -> Vec<usize> {
    if rule.body.len() > MAX_CHOICES {
        let mut order: Vec<usize> = (0..rule.body.len()).collect();
        order.sort_by_key(|&place| !binds(&rule.body[place]));
        return order;
    }
    let ordering = Ordering { rule, sizes, proved };
    if let Some(first) = first {
        return ordering.greedy(bound.to_vec(), Some(first as usize)).0;
    }
    let (mut best, mut least) = ordering.greedy(bound.to_vec(), None);
    if rule.body.len() <= MAX_TRIED {
        for first in 0..rule.body.len() {
            if binds(&rule.body[first]) && best[0] != first {
                let (order, cost) = ordering.greedy(bound.to_vec(), Some(first));
                if cost < least {
                    (best, least) = (order, cost);
                }
            }
        }
    }
    best
}

/// Longer rules are ordered from one beginning only.
const MAX_TRIED: usize = 40;

fn binds(literal: &FlatLiteral) -> bool {
    matches!(literal, FlatLiteral::Positive(_))
}

struct Ordering<'a> {
    rule: &'a FlatRule,
    sizes: &'a Sizes,
    proved: &'a dyn Fn(RelationId) -> bool,
}

impl Ordering<'_> {
    /// An order that takes the best condition each time, and the rows that it is likely to
    /// look at.
    fn greedy(&self, mut bound: Vec<bool>, first: Option<usize>) -> (Vec<usize>, f64) {
        let body = &self.rule.body;
        // Variables that some positive condition binds, now or later.
        let mut bindable = bound.clone();
        for literal in body.iter().filter(|literal| binds(literal)) {
            variables(literal, &mut |v| bindable[usize::from(v.0)] = true);
        }
        let mut left: Vec<usize> = (0..body.len()).collect();
        let mut order = Vec::with_capacity(left.len());
        let (mut rows, mut cost) = (1.0f64, 0.0f64);
        if let Some(first) = first {
            left.retain(|&place| place != first);
            self.take(first, &mut bound, &mut rows, &mut cost);
            order.push(first);
        }
        while !left.is_empty() {
            let next = self.next(&left, &bound, &bindable);
            let place = left.remove(next);
            self.take(place, &mut bound, &mut rows, &mut cost);
            order.push(place);
        }
        (order, cost)
    }

    /// Accounts for a condition.
    fn take(&self, place: usize, bound: &mut [bool], rows: &mut f64, cost: &mut f64) {
        let literal = &self.rule.body[place];
        let each = if is_cheap(literal, self.proved) { 1.0 } else { 3.0 };
        *cost += *rows * each + 1.0;
        match literal {
            FlatLiteral::Positive(atom) => {
                *rows *= self.sizes.matches(atom, bound);
                *cost += *rows;
                variables(literal, &mut |v| bound[usize::from(v.0)] = true);
            }
            _ => *rows *= 0.7,
        }
    }

    /// The place in `left` of the condition to take next.
    fn next(&self, left: &[usize], bound: &[bool], bindable: &[bool]) -> usize {
        let body = &self.rule.body;
        let ready = |place: usize| {
            let mut ready = true;
            variables(&body[place], &mut |v| {
                let v = usize::from(v.0);
                ready &= bound[v] || !bindable[v];
            });
            ready
        };
        // Tests that cost little come at once.
        if let Some(found) = left.iter().position(|&place| {
            !binds(&body[place]) && is_cheap(&body[place], self.proved) && ready(place)
        }) {
            return found;
        }
        let best = left
            .iter()
            .enumerate()
            .filter_map(|(at, &place)| match &body[place] {
                FlatLiteral::Positive(atom) => {
                    let mut matches = self.sizes.matches(atom, bound);
                    if (self.proved)(atom.relation) {
                        matches = matches * 1.5 + 0.5;
                    }
                    Some((matches, at))
                }
                _ => None,
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        // Tests that cost something come before rows are multiplied.
        let test = left.iter().position(|&place| !binds(&body[place]) && ready(place));
        match (best, test) {
            (Some((matches, at)), Some(_)) if matches < 1.0 => at,
            (_, Some(test)) => test,
            (Some((_, at)), None) => at,
            (None, None) => 0,
        }
    }
}

/// Whether a test only looks at rows that are there anyway.
fn is_cheap(literal: &FlatLiteral, proved: &dyn Fn(RelationId) -> bool) -> bool {
    match literal {
        FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => !proved(atom.relation),
        FlatLiteral::Distinct(_) | FlatLiteral::Same(_) => true,
        FlatLiteral::Any(branches) => branches.iter().flatten().all(|l| is_cheap(l, proved)),
    }
}
