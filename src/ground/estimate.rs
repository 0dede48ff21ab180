//! How large relations and joins will be, guessed before anything is computed.
//!
//! Every column gets the set of symbols that can stand in it: a least fixpoint over the
//! rules that looks at one column at a time. A relation has at most as many rows as the
//! product of its columns' sets, and about as many as its rules' joins are estimated to give.

use super::RelationIndex;
use super::order::Greedy;
use super::program::{Atom, Program, Rule, variable};
use super::rows::Rows;
use crate::budget::{Exhausted, Memory, Meter};
use crate::normal::FlatTerm;
use fixedbitset::FixedBitSet;

/// How much work it is to look at a condition's columns: sets of up to 1,024 words.
const WORK_OF_DOMAIN: usize = 64;

/// What is known of the relations' sizes.
#[derive(Debug)]
pub(super) struct Sizes {
    /// By relation: how many rows.
    pub rows: Vec<f64>,
    /// By relation and column: how many different symbols.
    pub distinct: Vec<Vec<f64>>,
}

impl Sizes {
    /// An estimate from the rules alone.
    pub fn of_rules(program: &Program, meter: &Meter<'_>) -> Result<Sizes, Exhausted> {
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
                .map(|&rule| sizes.head_rows(&program.rules[rule], meter))
                .sum();
            meter.check()?;
            let rows = &mut sizes.rows[relation.index()];
            *rows = rows.min(by_rules);
        }
        Ok(sizes)
    }

    fn head_rows(&self, rule: &Rule, meter: &Meter<'_>) -> f64 {
        let body: Vec<&Atom> = rule.positive.iter().collect();
        let join = self.joined(&body, Join::new(rule.variables), meter);
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

    /// What a join becomes when these atoms are added, in the order of [`Greedy`].
    pub fn joined(&self, atoms: &[&Atom], join: Join, meter: &Meter<'_>) -> Join {
        let mut order = Greedy::new(self, atoms, join, meter);
        order.by_ref().for_each(drop);
        order.join
    }

    /// Takes in what is known exactly of a relation.
    pub fn know(
        &mut self,
        relation: RelationIndex,
        rows: &Rows,
        width: usize,
        meter: &Meter<'_>,
    ) -> Result<(), Exhausted> {
        self.rows[relation.index()] = rows.len() as f64;
        for column in 0..width {
            let mut seen = FixedBitSet::with_capacity(1 << 16);
            rows.iter().for_each(|row| seen.insert(usize::from(row[column].index())));
            self.distinct[relation.index()][column] = seen.count_ones(..) as f64;
            meter.spend(rows.len())?;
        }
        Ok(())
    }
}

/// A join under way.
#[derive(Clone, Debug)]
pub(super) struct Join {
    pub rows: f64,
    /// By variable: how many different values, once it is bound.
    pub distinct: Vec<Option<f64>>,
}

impl Join {
    pub fn new(variables: usize) -> Join {
        Join { rows: 1.0, distinct: vec![None; variables] }
    }

    /// How many times as many rows there are once an atom is joined.
    pub fn factor(&self, sizes: &Sizes, atom: &Atom) -> f64 {
        let columns = &sizes.distinct[atom.relation.index()];
        let mut rows = sizes.rows[atom.relation.index()];
        for (place, (&arg, &here)) in atom.args.iter().zip(columns).enumerate() {
            let repeated = atom.args[..place].contains(&arg);
            rows /= match variable(arg) {
                None => here,
                Some(_) if repeated => here,
                Some(v) => match self.distinct[usize::from(v.0)] {
                    Some(there) => here.max(there),
                    None => 1.0,
                },
            }
            .max(1.0);
        }
        rows
    }

    pub fn add(&mut self, sizes: &Sizes, atom: &Atom) {
        self.rows *= self.factor(sizes, atom);
        let columns = &sizes.distinct[atom.relation.index()];
        for (&arg, &here) in atom.args.iter().zip(columns) {
            if let Some(v) = variable(arg) {
                let value = &mut self.distinct[usize::from(v.0)];
                *value = Some(value.map_or(here, |there| there.min(here)));
            }
        }
    }
}

/// By relation and column: the symbols that can stand there.
fn domains(program: &Program, meter: &Meter<'_>) -> Result<Vec<Vec<FixedBitSet>>, Exhausted> {
    let mut domains: Vec<Vec<FixedBitSet>> =
        program.widths.iter().map(|&width| vec![FixedBitSet::new(); width]).collect();
    let mut readers = vec![Vec::new(); program.widths.len()];
    for (number, rule) in program.rules.iter().enumerate() {
        for atom in &rule.positive {
            readers[atom.relation.index()].push(number);
        }
    }
    let mut queued = vec![true; program.rules.len()];
    let mut queue: std::collections::VecDeque<usize> = (0..program.rules.len()).collect();
    let mut held = 0;
    while let Some(number) = queue.pop_front() {
        queued[number] = false;
        let rule = &program.rules[number];
        let before = bytes(&domains[rule.head.relation.index()]);
        let new = widen(rule, &mut domains);
        held += bytes(&domains[rule.head.relation.index()]) - before;
        meter.hold(Memory::Scratch, held);
        meter.spend(WORK_OF_DOMAIN * rule.positive.len())?;
        if !new {
            continue;
        }
        for &reader in &readers[rule.head.relation.index()] {
            if !std::mem::replace(&mut queued[reader], true) {
                queue.push_back(reader);
            }
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
