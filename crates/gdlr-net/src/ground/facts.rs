//! A game as facts and ground rules.

use super::instantiate::Instances;
use super::rows::Rows;
use super::simplify::{Link, LinkKind, Truth};
use gdlr_rules::gdl::{Game, Symbol, Term};
use gdlr_rules::normal::{FluentRelations, Normal, RelationId};
use gdlr_text::budget::{Exhausted, Meter, Spent};
use gdlr_text::decisions::Decisions;
use std::sync::Arc;

/// The number of a reachable fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub u32);

impl FactId {
    /// The place of the fact among all reachable facts.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A condition of a ground rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroundLiteral {
    /// The fact.
    pub fact: FactId,
    /// Whether it must be false.
    pub negated: bool,
}

/// The value of a fact over all states, if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The same in every state.
    Constant(bool),
    /// True in some states, as far as is known.
    Varies,
}

/// A game as facts and ground rules.
#[derive(Clone, Debug)]
pub struct Ground {
    pub(super) normal: Normal,
    pub(super) facts: Vec<Rows>,
    /// By relation: the number of its first fact; and one more, the number of all facts.
    pub(super) first: Vec<u32>,
    pub(super) truth: Vec<Truth>,
    pub(super) rules: Instances,
    pub(super) spent: Spent,
    pub(super) decisions: Decisions,
    pub(super) unfolded: Vec<RelationId>,
}

impl Ground {
    /// The decisions of grounding.
    pub fn decisions(&self) -> &Decisions {
        &self.decisions
    }

    /// The rulesheet.
    pub fn game(&self) -> &Arc<Game> {
        self.normal.game()
    }

    /// The normal form that was grounded.
    pub fn normal(&self) -> &Normal {
        &self.normal
    }

    /// The cost of grounding. Facts are all that were found reachable, rules those that
    /// remain.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// The relations that have no facts here, since they would have too many. The rules of goals, which alone ask them, are
    /// written without them.
    pub fn unfolded(&self) -> &[RelationId] {
        &self.unfolded
    }

    /// The number of reachable facts, those of auxiliary relations and constant ones included.
    pub fn fact_count(&self) -> usize {
        self.truth.len()
    }

    /// The number of ground rules.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// All ground rules: head and conditions.
    pub fn rules(
        &self,
    ) -> impl Iterator<Item = (FactId, impl Iterator<Item = GroundLiteral> + '_)> {
        (0..self.rules.len()).map(|rule| (FactId(self.rules.heads[rule]), self.body(rule)))
    }

    /// The head of a rule.
    pub(crate) fn head(&self, rule: usize) -> FactId {
        FactId(self.rules.heads[rule])
    }

    /// The conditions of a rule.
    pub(crate) fn body(&self, rule: usize) -> impl Iterator<Item = GroundLiteral> + '_ {
        let literals = self.rules.body(rule).iter();
        literals.map(|&l| GroundLiteral { fact: FactId(l >> 1), negated: l & 1 == 1 })
    }

    /// The value of a fact over all states, if it has one.
    pub fn value(&self, fact: FactId) -> Value {
        match self.truth[fact.index()] {
            Truth::Never => Value::Constant(false),
            Truth::Always => Value::Constant(true),
            Truth::Varies => Value::Varies,
        }
    }

    /// The reachable facts of a relation, in no particular order.
    pub fn facts_of(&self, relation: RelationId) -> impl Iterator<Item = FactId> + use<> {
        (self.first[relation.index()]..self.first[relation.index() + 1]).map(FactId)
    }

    /// All facts that a state may have, as terms, in no particular order. Linear in them.
    pub fn fluents(&self) -> Vec<Term> {
        let of = |fluent: &FluentRelations| {
            let (kind, base) = (fluent.fluent, fluent.base);
            let possible = self.facts_of(base);
            let possible = possible.filter(|&fact| self.value(fact) != Value::Constant(false));
            let term = |fact| self.normal.decode_fact(kind, base, self.row(fact));
            possible.map(term).collect::<Vec<_>>()
        };
        self.normal.fluents.iter().flat_map(of).collect()
    }

    /// The relation of a fact; `None` if it is auxiliary.
    pub fn relation_of(&self, fact: FactId) -> Option<RelationId> {
        let relation = self.relation_index(fact);
        (relation < self.normal.relations.len()).then_some(RelationId(relation as u32))
    }

    /// The row of a fact.
    pub fn row(&self, fact: FactId) -> &[Symbol] {
        let relation = self.relation_index(fact);
        self.facts[relation].row(fact.0 - self.first[relation])
    }

    /// The fact of a relation with this row, if it can be reached.
    pub fn find(&self, relation: RelationId, row: &[Symbol]) -> Option<FactId> {
        let number = self.facts[relation.index()].get(row)?;
        Some(FactId(self.first[relation.index()] + number))
    }

    fn relation_index(&self, fact: FactId) -> usize {
        self.first.partition_point(|&first| first <= fact.0) - 1
    }

    pub(super) fn relations_by_fact(&self) -> Vec<u32> {
        let relations = self.facts.iter().enumerate();
        relations.flat_map(|(r, rows)| std::iter::repeat_n(r as u32, rows.len())).collect()
    }

    /// Which facts follow from which in another state.
    pub(super) fn links(&self, meter: &Meter<'_>) -> Result<Vec<Link>, Exhausted> {
        let mut links = Vec::new();
        let mut link = |from: RelationId, to: RelationId, kind| -> Result<(), Exhausted> {
            for fact in self.facts_of(from) {
                meter.spend(1)?;
                if let Some(target) = self.find(to, self.row_of(from, fact)) {
                    links.push(Link { to: target.0, from: fact.0, kind });
                }
            }
            Ok(())
        };
        for fluent in &self.normal.fluents {
            link(fluent.init, fluent.base, LinkKind::Init)?;
            link(fluent.next, fluent.base, LinkKind::Next)?;
        }
        link(self.normal.legal, self.normal.does, LinkKind::Legal)?;
        Ok(links)
    }

    /// The row of a fact whose relation is known.
    pub(crate) fn row_of(&self, relation: RelationId, fact: FactId) -> &[Symbol] {
        self.facts[relation.index()].row(fact.0 - self.first[relation.index()])
    }
}
