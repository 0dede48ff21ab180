//! The join order of the conditions of a rule, and when its tests can be made.
//!
//! The next condition is always the one by which the join grows least. A condition becomes
//! cheaper or dearer only when one of its variables is bound or has fewer values than
//! before, so that only those are looked at again; the others wait in a heap. Bodies of
//! thousands of conditions are ordered in no time.

use super::program::{Atom, Rule, Test};
use super::sizes::{Join, Sizes};
use gdlr_rules::gdl::Variable;
use gdlr_text::budget::{Exhausted, Meter};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

/// Whether the condition shares no variable with what is joined, and the bits of the factor
/// by which the join grows: they are ordered as positive numbers are.
///
/// One that shares no variable has to wait: estimates of recursive relations are far too
/// high, and a product of two others would look small beside them.
type Cost = (bool, u64);

/// Joins conditions one after the other, and gives their places. Ends early when the budget
/// runs out.
pub(super) struct Greedy<'a, 'w, 'b> {
    sizes: &'a Sizes,
    atoms: &'a [&'a Atom],
    meter: &'w Meter<'b>,
    /// The atoms that are joined.
    pub join: Join,
    /// Whether any variable is bound.
    begun: bool,
    /// Who mentions a variable.
    mentions: Vec<(Variable, usize)>,
    /// By condition; nothing once it is joined.
    costs: Vec<Option<Cost>>,
    /// Those to be joined. Costs that have changed since are left in.
    heap: BinaryHeap<Reverse<(Cost, usize)>>,
}

impl<'a, 'w, 'b> Greedy<'a, 'w, 'b> {
    pub fn new(sizes: &'a Sizes, atoms: &'a [&'a Atom], join: Join, meter: &'w Meter<'b>) -> Self {
        let mut mentions: Vec<(Variable, usize)> = (atoms.iter().enumerate())
            .flat_map(|(place, atom)| atom.variables().map(move |v| (v, place)))
            .collect();
        mentions.sort_unstable();
        let mut greedy = Greedy {
            sizes,
            atoms,
            meter,
            begun: join.distinct.iter().any(Option::is_some),
            join,
            mentions,
            costs: vec![Some((false, 0)); atoms.len()],
            heap: BinaryHeap::with_capacity(atoms.len()),
        };
        (0..atoms.len()).for_each(|place| greedy.look_at(place));
        greedy
    }

    /// Takes a condition into the heap at what it costs now.
    fn look_at(&mut self, place: usize) {
        if self.costs[place].is_none() {
            return;
        }
        let atom = self.atoms[place];
        let mut variables = atom.variables().peekable();
        let apart = self.begun
            && variables.peek().is_some()
            && variables.all(|v| self.join.distinct[usize::from(v.0)].is_none());
        let cost = (apart, self.join.factor(self.sizes, atom).to_bits());
        self.costs[place] = Some(cost);
        self.heap.push(Reverse((cost, place)));
        // Who takes the next one sees that the budget is exhausted.
        self.meter.has(1);
    }

    fn take(&mut self, place: usize) {
        self.costs[place] = None;
        let atom = self.atoms[place];
        let value = |join: &Join, v: Variable| join.distinct[usize::from(v.0)];
        let before: Vec<Option<f64>> = atom.variables().map(|v| value(&self.join, v)).collect();
        self.join.add(self.sizes, atom);
        if !self.begun && !before.is_empty() {
            self.begun = true;
            (0..self.atoms.len()).for_each(|place| self.look_at(place));
            return;
        }
        for (v, before) in atom.variables().zip(before) {
            if value(&self.join, v) != before {
                let mut at = self.mentions.partition_point(|&(w, _)| w < v);
                while let Some(&(w, place)) = self.mentions.get(at)
                    && w == v
                {
                    self.look_at(place);
                    at += 1;
                }
            }
        }
    }
}

impl Iterator for Greedy<'_, '_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.meter.has(1)
            && let Some(Reverse((cost, place))) = self.heap.pop()
        {
            if self.costs[place] == Some(cost) {
                self.take(place);
                return Some(place);
            }
        }
        None
    }
}

/// The size of a join after these atoms are added, in the order of [`Greedy`].
pub(super) fn joined(sizes: &Sizes, atoms: &[&Atom], join: Join, meter: &Meter<'_>) -> Join {
    let mut order = Greedy::new(sizes, atoms, join, meter);
    order.by_ref().for_each(drop);
    order.join
}

/// A rule as it is run.
pub(super) struct Plan<'p> {
    /// The positive conditions, in the order in which they are joined.
    pub atoms: Vec<&'p Atom>,
    /// By condition: the tests that can be made once it is joined, and not before.
    pub tests: Vec<Vec<&'p Test>>,
    /// The same of some negative conditions.
    pub negative: Vec<Vec<&'p Atom>>,
}

impl<'p> Plan<'p> {
    /// Plans a rule that has positive conditions, with these of its negative ones.
    pub fn new(
        rule: &'p Rule,
        negative: impl IntoIterator<Item = &'p Atom>,
        sizes: &Sizes,
        meter: &Meter<'_>,
    ) -> Result<Plan<'p>, Exhausted> {
        let body: Vec<&'p Atom> = rule.positive.iter().collect();
        let order = Greedy::new(sizes, &body, Join::new(rule.variables), meter);
        let atoms: Vec<&'p Atom> = order.map(|place| body[place]).collect();
        meter.check()?;
        let mut bound_at = vec![None; rule.variables];
        for (place, atom) in atoms.iter().enumerate() {
            for v in atom.variables() {
                bound_at[usize::from(v.0)].get_or_insert(place);
            }
        }
        // The place where the last of some variables is bound.
        let last = |variables: &mut dyn Iterator<Item = Variable>| -> Option<usize> {
            let mut places = variables.map(|v| bound_at[usize::from(v.0)]);
            places.try_fold(0, |last, place| Some(last.max(place?)))
        };
        let mut tests = vec![Vec::new(); atoms.len()];
        for test in &rule.tests {
            if let Some(place) = last(&mut test.variables()) {
                tests[place].push(test);
            }
        }
        let mut absent = vec![Vec::new(); atoms.len()];
        for atom in negative {
            if let Some(place) = last(&mut atom.variables()) {
                absent[place].push(atom);
            }
        }
        Ok(Plan { atoms, tests, negative: absent })
    }

    /// Hands out the tests and the negative conditions of some places.
    pub fn take_tests(&mut self, places: RangeInclusive<usize>) -> (Vec<&'p Test>, Vec<&'p Atom>) {
        let (mut tests, mut negative) = (Vec::new(), Vec::new());
        for place in places {
            tests.append(&mut self.tests[place]);
            negative.append(&mut self.negative[place]);
        }
        (tests, negative)
    }

    /// By variable: the last place where something reads it. What the head reads is read
    /// after all places.
    pub fn last_read(&self, rule: &Rule) -> Vec<usize> {
        let mut last = vec![0; rule.variables];
        for place in 0..self.atoms.len() {
            let negative = self.negative[place].iter().copied();
            let atoms = negative.chain([self.atoms[place]]).flat_map(Atom::variables);
            let tests = self.tests[place].iter().flat_map(|test| test.variables());
            atoms.chain(tests).for_each(|v| last[usize::from(v.0)] = place);
        }
        rule.head.variables().for_each(|v| last[usize::from(v.0)] = self.atoms.len());
        last
    }
}
