//! How large relations and joins will be, guessed before anything is computed.
//!
//! Every column gets the set of symbols that can stand in it: a least fixpoint over the
//! rules that looks at one column at a time. A relation has at most as many rows as the
//! product of its columns' sets, and about as many as its rules' joins are estimated to give.

use super::order::joined;
use super::program::{Atom, Program, RelationIndex, Rule, variable};
use super::sizes::{Join, Sizes};
use fixedbitset::FixedBitSet;
use gdlr_rules::normal::FlatTerm;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use gdlr_text::graph::Agenda;

/// How much work it is to look at a condition's columns: sets of up to 1,024 words.
const WORK_OF_DOMAIN: usize = 64;

/// An estimate from the rules alone.
pub(super) fn estimate(program: &Program, meter: &Meter<'_>) -> Result<Sizes, Exhausted> {
    let domains = domains(program, meter)?;
    let distinct: Vec<Vec<f64>> = domains
        .iter()
        .map(|columns| columns.iter().map(|set| set.count_ones(..) as f64).collect())
        .collect();
    let rows = distinct.iter().map(|columns: &Vec<f64>| columns.iter().product()).collect();
    let mut sizes = Sizes { rows, distinct };
    let mut rules_of = vec![Vec::new(); program.widths.len()];
    for (number, rule) in program.rules.iter().enumerate() {
        rules_of[rule.head.relation.index()].push(number);
    }
    for &relation in program.components.iter().flatten() {
        let by_rules: f64 = rules_of[relation.index()]
            .iter()
            .map(|&rule| head_rows(&sizes, &program.rules[rule], meter))
            .sum();
        meter.check()?;
        let rows = &mut sizes.rows[relation.index()];
        *rows = rows.min(by_rules);
    }
    Ok(sizes)
}

/// How many rows the head of a rule gets.
fn head_rows(sizes: &Sizes, rule: &Rule, meter: &Meter<'_>) -> f64 {
    let body: Vec<&Atom> = rule.positive.iter().collect();
    let join = joined(sizes, &body, Join::new(rule.variables), meter);
    let mut different = 1.0;
    let mut seen = Vec::new();
    for v in rule.head.variables() {
        if !seen.contains(&v) {
            seen.push(v);
            different *= join.distinct[usize::from(v.0)].unwrap_or(1.0);
        }
    }
    join.rows.min(different)
}

/// By relation and column: the symbols that can stand there.
pub(super) fn domains(
    program: &Program,
    meter: &Meter<'_>,
) -> Result<Vec<Vec<FixedBitSet>>, Exhausted> {
    let mut domains: Vec<Vec<FixedBitSet>> =
        program.widths.iter().map(|&width| vec![FixedBitSet::new(); width]).collect();
    let mut readers = vec![Vec::new(); program.widths.len()];
    for (number, rule) in program.rules.iter().enumerate() {
        for atom in &rule.positive {
            readers[atom.relation.index()].push(number);
        }
    }
    let mut agenda = Agenda::of_all(program.rules.len());
    let mut held = 0;
    while let Some(number) = agenda.pop() {
        let rule = &program.rules[number];
        let before = bytes(&domains[rule.head.relation.index()]);
        let new = widen(rule, &mut domains);
        held += bytes(&domains[rule.head.relation.index()]) - before;
        meter.hold(Memory::Scratch, held);
        meter.spend(WORK_OF_DOMAIN * rule.positive.len())?;
        if new {
            readers[rule.head.relation.index()].iter().for_each(|&reader| agenda.push(reader));
        }
    }
    Ok(domains)
}

/// How much memory the sets of a relation's columns take.
fn bytes(columns: &[FixedBitSet]) -> usize {
    columns.iter().map(|set| set.len() / 8).sum()
}

/// Adds to the head's columns what the conditions allow; whether that was anything new.
fn widen(rule: &Rule, domains: &mut [Vec<FixedBitSet>]) -> bool {
    let mut values: Vec<Option<FixedBitSet>> = vec![None; rule.variables];
    for atom in &rule.positive {
        for (&arg, domain) in atom.args.iter().zip(&domains[atom.relation.index()]) {
            match arg {
                FlatTerm::Constant(symbol) => {
                    if !domain.contains(usize::from(symbol.index())) {
                        return false;
                    }
                }
                FlatTerm::Variable(v) => match &mut values[usize::from(v.0)] {
                    Some(set) => {
                        set.intersect_with(domain);
                        if set.is_clear() {
                            return false;
                        }
                    }
                    empty => *empty = Some(domain.clone()),
                },
            }
        }
        if atom
            .args
            .iter()
            .any(|&a| variable(a).is_some_and(|v| is_empty(&values[usize::from(v.0)])))
        {
            return false;
        }
    }
    let mut new = false;
    let RelationIndex(head) = rule.head.relation;
    for (&arg, domain) in rule.head.args.iter().zip(&mut domains[head as usize]) {
        match arg {
            FlatTerm::Constant(symbol) => {
                let place = usize::from(symbol.index());
                domain.grow(place + 1);
                new |= !domain.put(place);
            }
            FlatTerm::Variable(v) => {
                if let Some(set) = &values[usize::from(v.0)]
                    && !set.is_subset(domain)
                {
                    domain.union_with(set);
                    new = true;
                }
            }
        }
    }
    // A relation without columns is not seen to change: its readers look once it is there.
    new
}

fn is_empty(set: &Option<FixedBitSet>) -> bool {
    set.as_ref().is_some_and(FixedBitSet::is_clear)
}
