//! Bodies with separable parts are divided (by elimination of variables, as in a tree
//! decomposition of the rule).
//!
//! A rule has as many ground instances as its variables have joint values. A variable that
//! the head does not mention can be taken out: the conditions that mention it become the
//! body of a relation of their own over the other variables that they mention, and the rule
//! asks that relation. So
//!
//! ```text
//! (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?p (move ?u ?v)) (apart ?x ?y ?u ?v))
//! ```
//!
//! has cells times contents times players times moves instances, but divided,
//!
//! ```text
//! (<= (aux1 ?u ?v)           (does ?p (move ?u ?v)))
//! (<= (aux2 ?x ?y)           (aux1 ?u ?v) (apart ?x ?y ?u ?v))
//! (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (aux2 ?x ?y))
//! ```
//!
//! has players times moves, plus cells times moves, plus cells times contents. A division is
//! made where the estimate of instances says that it pays.

use super::order::joined;
use super::program::{Atom, Program, Rule};
use super::sizes::{Join, Sizes};
use crate::tuning::Tuning;
use gdlr_rules::gdl::Variable;
use gdlr_text::budget::{Exhausted, Meter};

/// Divides the rules of a program. Returns how often.
pub(super) fn split(
    program: &mut Program,
    sizes: &mut Sizes,
    tuning: &Tuning,
    meter: &Meter<'_>,
) -> Result<usize, Exhausted> {
    let end = meter.work() + tuning.division_work;
    let mut divisions = 0;
    let mut open = std::mem::take(&mut program.rules);
    while let Some(mut rule) = open.pop() {
        if !rule.link {
            while let Some(component) = best_component(&rule, sizes, tuning, end, meter) {
                divisions += 1;
                open.push(divide(program, sizes, &mut rule, &component));
            }
        }
        program.rules.push(rule);
        meter.check()?;
    }
    program.order();
    Ok(divisions)
}

/// Conditions that can be taken out together.
struct Component {
    /// Places of positive conditions.
    atoms: Vec<usize>,
    /// The variables that stay.
    kept: Vec<Variable>,
    /// By variable: whether the component binds it.
    bound: Vec<bool>,
}

/// The component whose removal saves most instances, as far as the effort goes.
fn best_component(
    rule: &Rule,
    sizes: &Sizes,
    tuning: &Tuning,
    end: u64,
    meter: &Meter<'_>,
) -> Option<Component> {
    if rule.positive.len() < 2 {
        return None;
    }
    let all: Vec<&Atom> = rule.positive.iter().collect();
    let whole = joined(sizes, &all, Join::new(rule.variables), meter).rows;
    if whole < tuning.fewest_divided {
        return None;
    }
    let length = rule.positive.len() + rule.negative.len() + rule.tests.len() + rule.variables;
    let mut best: Option<(f64, Component)> = None;
    for v in (0..rule.variables as u16).map(Variable) {
        if meter.work() > end || !meter.has(length) {
            return None;
        }
        if rule.head.variables().any(|w| w == v) {
            continue;
        }
        let Some(component) = component_of(rule, v) else { continue };
        let total = divided_instances(rule, &component, sizes, meter);
        if total < tuning.division_gain * whole
            && best.as_ref().is_none_or(|(least, _)| total < *least)
        {
            best = Some((total, component));
        }
    }
    best.map(|(_, component)| component)
}

/// The instances of the rule of a component and of the rule that asks it.
fn divided_instances(rule: &Rule, component: &Component, sizes: &Sizes, meter: &Meter<'_>) -> f64 {
    let mut is_inside = vec![false; rule.positive.len()];
    component.atoms.iter().for_each(|&place| is_inside[place] = true);
    let side = |inside: bool| -> Vec<&Atom> {
        let places = rule.positive.iter().zip(&is_inside);
        places.filter(|&(_, &here)| here == inside).map(|(atom, _)| atom).collect()
    };
    let (inside, outside) = (side(true), side(false));
    let cost = joined(sizes, &inside, Join::new(rule.variables), meter).rows;
    let begun = asking(sizes, &inside, &component.kept, rule.variables);
    cost + joined(sizes, &outside, begun, meter).rows
}

/// The join of a component, and how many rows the component leaves.
fn part_rows(sizes: &Sizes, inside: &[&Atom], kept: &[Variable], variables: usize) -> (Join, f64) {
    let mut join = Join::new(variables);
    inside.iter().for_each(|atom| join.add(sizes, atom));
    let different: f64 =
        kept.iter().map(|v| join.distinct[usize::from(v.0)].unwrap_or(1.0)).product();
    let rows = join.rows.min(different);
    (join, rows)
}

/// The join that the rule which asks a component begins with.
fn asking(sizes: &Sizes, inside: &[&Atom], kept: &[Variable], variables: usize) -> Join {
    let (bound, rows) = part_rows(sizes, inside, kept, variables);
    let mut join = Join::new(variables);
    join.rows = rows;
    for v in kept {
        join.distinct[usize::from(v.0)] = bound.distinct[usize::from(v.0)];
    }
    join
}

/// The component that takes out a variable; `None` if nothing would be left.
fn component_of(rule: &Rule, v: Variable) -> Option<Component> {
    let mut bound = vec![false; rule.variables];
    let mut atoms: Vec<usize> = (0..rule.positive.len())
        .filter(|&place| rule.positive[place].variables().any(|w| w == v))
        .collect();
    for &place in &atoms {
        rule.positive[place].variables().for_each(|w| bound[usize::from(w.0)] = true);
    }
    // Tests and negative conditions that mention the variable come along, with what binds
    // their other variables.
    let mut needed: Vec<Variable> = Vec::new();
    let tests = rule.tests.iter().map(|test| test.variables().collect::<Vec<_>>());
    let negatives = rule.negative.iter().map(|atom| atom.variables().collect::<Vec<_>>());
    for mentioned in tests.chain(negatives).filter(|mentioned| mentioned.contains(&v)) {
        needed.extend(mentioned);
    }
    for w in needed {
        if !bound[usize::from(w.0)] {
            let binder = (0..rule.positive.len())
                .filter(|&place| rule.positive[place].variables().any(|x| x == w))
                .min_by_key(|&place| rule.positive[place].args.len())?;
            atoms.push(binder);
            rule.positive[binder].variables().for_each(|x| bound[usize::from(x.0)] = true);
        }
    }
    atoms.sort_unstable();
    atoms.dedup();
    if atoms.len() == rule.positive.len() {
        return None;
    }
    // A condition on bound variables alone comes along; other variables stay if anything
    // outside mentions them.
    let inside = |w: Variable| bound[usize::from(w.0)];
    let mut kept = vec![false; rule.variables];
    let mut keep = |w: Variable| kept[usize::from(w.0)] = bound[usize::from(w.0)];
    rule.head.variables().for_each(&mut keep);
    for (place, atom) in rule.positive.iter().enumerate() {
        if atoms.binary_search(&place).is_err() {
            atom.variables().for_each(&mut keep);
        }
    }
    for atom in &rule.negative {
        if !atom.variables().all(inside) {
            atom.variables().for_each(&mut keep);
        }
    }
    for test in &rule.tests {
        if !test.variables().all(inside) {
            test.variables().for_each(&mut keep);
        }
    }
    let kept =
        (0..rule.variables as u16).map(Variable).filter(|w| kept[usize::from(w.0)]).collect();
    Some(Component { atoms, kept, bound })
}

/// Takes a component out of a rule; the rule of the component.
fn divide(
    program: &mut Program,
    sizes: &mut Sizes,
    rule: &mut Rule,
    component: &Component,
) -> Rule {
    let head = program.atom_of(&component.kept);
    let inside = |w: Variable| component.bound[usize::from(w.0)];
    let mut positive = Vec::new();
    for &place in component.atoms.iter().rev() {
        positive.push(rule.positive.remove(place));
    }
    // A condition without variables may go either way: it stays.
    let (negative, outside) = std::mem::take(&mut rule.negative)
        .into_iter()
        .partition(|atom: &Atom| atom.variables().next().is_some() && atom.variables().all(inside));
    rule.negative = outside;
    let (tests, outside) =
        std::mem::take(&mut rule.tests).into_iter().partition(|test| test.variables().all(inside));
    rule.tests = outside;
    let within: Vec<&Atom> = positive.iter().collect();
    let (join, rows) = part_rows(sizes, &within, &component.kept, rule.variables);
    sizes.rows.push(rows);
    sizes.distinct.push(
        component.kept.iter().map(|v| join.distinct[usize::from(v.0)].unwrap_or(1.0)).collect(),
    );
    rule.positive.push(head.clone());
    let (variables, source) = (rule.variables, rule.source);
    Rule { head, positive, negative, tests, variables, link: false, source }
}
