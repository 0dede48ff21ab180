//! The facts that goals are asked by, made after all others.

use super::super::facts::{FactId, Ground, Value};
use super::super::instantiate::Instances;
use super::super::program::{Program, RelationIndex};
use super::super::rows::Rows;
use super::super::simplify::Truth;
use super::super::sizes::Sizes;
use super::Wide;
use super::join::Join;
use super::known::{Apart, Known};
use gdlr_rules::gdl::Symbol;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use hashbrown::HashSet;

/// Facts and ground rules that are added to a game. A literal is twice the number of a fact, odd if negated. Facts that are
/// added have numbers after all others.
pub(super) struct Late<'g> {
    ground: &'g Ground,
    /// By relation: the rows that are added, and their numbers.
    rows: Vec<Rows>,
    numbers: Vec<Vec<u32>>,
    /// By number, from that of the first fact that is added.
    facts: Vec<AddedFact>,
    /// Heads and bodies.
    rules: HashSet<(u32, Vec<u32>)>,
    bytes: usize,
}

/// A fact that is added.
struct AddedFact {
    relation: RelationIndex,
    row: u32,
    /// Whether it is true in every state.
    always: bool,
}

impl<'g> Late<'g> {
    fn new(ground: &'g Ground) -> Late<'g> {
        Late {
            ground,
            rows: ground.facts.iter().map(|rows| Rows::new(rows.width())).collect(),
            numbers: vec![Vec::new(); ground.facts.len()],
            facts: Vec::new(),
            rules: HashSet::new(),
            bytes: 0,
        }
    }

    /// How many rows a relation has.
    pub fn rows_of(&self, relation: RelationIndex) -> usize {
        self.ground.facts[relation.index()].len() + self.rows[relation.index()].len()
    }

    /// A row of a relation, with the number of its fact.
    pub fn row(&self, relation: RelationIndex, number: usize) -> (FactId, &[Symbol]) {
        let before = &self.ground.facts[relation.index()];
        match number.checked_sub(before.len()) {
            None => {
                let fact = self.ground.first[relation.index()] + number as u32;
                (FactId(fact), before.row(number as u32))
            }
            Some(added) => {
                let fact = self.numbers[relation.index()][added];
                (FactId(fact), self.rows[relation.index()].row(added as u32))
            }
        }
    }

    /// The fact with a row, if there is one.
    pub fn find(&self, relation: RelationIndex, row: &[Symbol]) -> Option<FactId> {
        let before = self.ground.facts[relation.index()].get(row);
        let before = before.map(|number| self.ground.first[relation.index()] + number);
        let added = || {
            let number = self.rows[relation.index()].get(row)?;
            Some(self.numbers[relation.index()][number as usize])
        };
        before.or_else(added).map(FactId)
    }

    /// The value of a fact over all states, if it has one.
    pub fn value(&self, fact: FactId) -> Value {
        match fact.index().checked_sub(self.ground.fact_count()) {
            None => self.ground.value(fact),
            Some(added) if self.facts[added].always => Value::Constant(true),
            Some(_) => Value::Varies,
        }
    }

    /// Adds a ground rule.
    pub fn add(
        &mut self,
        relation: RelationIndex,
        row: &[Symbol],
        body: Vec<u32>,
        meter: &Meter<'_>,
    ) {
        let (number, is_new) = self.rows[relation.index()].insert(row);
        if is_new {
            self.numbers[relation.index()]
                .push((self.ground.fact_count() + self.facts.len()) as u32);
            self.facts.push(AddedFact { relation, row: number, always: false });
        }
        let fact = self.numbers[relation.index()][number as usize];
        self.facts[fact as usize - self.ground.fact_count()].always |= body.is_empty();
        let bytes = 4 * body.len() + size_of::<(u32, Vec<u32>)>();
        if self.rules.insert((fact, body)) {
            self.bytes += bytes;
            meter.hold(Memory::Scratch, self.bytes);
        }
    }
}

impl Ground {
    /// Adds what was set aside to a game that was grounded without it.
    pub(in crate::ground) fn with_wide(
        self,
        wide: &Wide,
        program: &Program,
        sizes: &Sizes,
        meter: &Meter<'_>,
    ) -> Result<Ground, Exhausted> {
        let apart = Apart::of(&self, meter)?;
        let mut known = Known::new(&self, &apart);
        let mut late = Late::new(&self);
        for rule in &wide.rules {
            Join::new(rule, program, sizes, &mut known, &mut late, meter)?.run()?;
        }
        let Late { rows, facts, rules, .. } = late;
        let mut rules = Vec::from_iter(rules);
        rules.sort_unstable();
        self.with(rows, &facts, &rules, meter)
    }

    /// The same game with more facts, each of a relation that had none, and with more rules.
    fn with(
        mut self,
        rows: Vec<Rows>,
        added: &[AddedFact],
        rules: &[(u32, Vec<u32>)],
        meter: &Meter<'_>,
    ) -> Result<Ground, Exhausted> {
        let before = self.fact_count();
        let mut first = vec![0];
        for (relation, rows) in rows.into_iter().enumerate() {
            if rows.len() > 0 {
                self.facts[relation] = rows;
            }
            first.push(first[relation] + self.facts[relation].len() as u32);
        }
        // By old number: the new one.
        let mut numbers = Vec::with_capacity(before + added.len());
        for (range, &start) in self.first.windows(2).zip(&first) {
            numbers.extend((range[0]..range[1]).map(|fact| fact - range[0] + start));
        }
        numbers.extend(added.iter().map(|fact| first[fact.relation.index()] + fact.row));
        let mut truth = vec![Truth::Varies; numbers.len()];
        for (&number, &before) in numbers.iter().zip(&self.truth) {
            truth[number as usize] = before;
        }
        for (&number, fact) in numbers[before..].iter().zip(added) {
            truth[number as usize] = if fact.always { Truth::Always } else { Truth::Varies };
        }
        let literal = |&literal: &u32| numbers[(literal >> 1) as usize] << 1 | literal & 1;
        let mut all = Instances::default();
        for rule in 0..self.rules.len() {
            meter.spend(1 + self.rules.body(rule).len())?;
            let head = numbers[self.rules.heads[rule] as usize];
            all.push(head, self.rules.body(rule).iter().map(literal));
        }
        for (head, body) in rules {
            meter.spend(1 + body.len())?;
            let head = numbers[*head as usize];
            if truth[head as usize] == Truth::Varies {
                all.push(head, body.iter().map(literal));
            }
        }
        Ok(Ground { first, truth, rules: all, ..self })
    }
}
