//! Grounding: from rules with variables to rules about facts (RG, appendix D.2).
//!
//! 1. [`program`] turns the normal form into rules with sorted conditions, and adds that
//!    `true` follows from `init` and `next`, and `does` from `legal`.
//! 2. [`estimate`] guesses how large relations will be, and [`split`] divides bodies with
//!    separable parts, so that the ground size stays near the width of the join tree.
//!    [`order`] says in which order to join the conditions of a body.
//! 3. [`reach`] computes the facts that can be reached, on datafrog. Negation is exact on
//!    what cannot change during play and ignored elsewhere: more may seem reachable than is,
//!    never less.
//! 4. [`instantiate`] makes the ground rules, and [`simplify`] shrinks them with what turns
//!    out to be never or always true.
//!
//! [`kif`] writes the result as a rulesheet.
//!
//! Invariants of a [`Ground`]: a fact that is true in some state that play can reach is
//! among its facts, and in every such state the rules give it its exact value.

mod estimate;
mod instantiate;
mod kif;
mod order;
mod program;
mod reach;
mod rows;
mod simplify;
mod split;

pub use crate::budget::{Budget, Exhausted, Limit, Spent};

use crate::budget::{Memory, Meter};
use crate::diagnostic::Diagnostic;
use crate::gdl::{Game, Symbol};
use crate::normal::{Normal, NormalOptions, RelationId};
use instantiate::Instances;
use program::Program;
use rows::Rows;
use simplify::{Link, LinkKind, Truth};
use std::fmt;
use std::sync::Arc;

/// The number of a relation of the grounder: those of the normal form, then auxiliary ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct RelationIndex(u32);

impl RelationIndex {
    fn index(self) -> usize {
        self.0 as usize
    }
}

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

/// What is known of a fact over all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The same in every state.
    Constant(bool),
    /// True in some states, as far as is known.
    Varies,
}

/// Why there is no ground game.
#[derive(Clone, Debug)]
pub enum GroundError {
    /// The rulesheet cannot be brought into normal form.
    Refused(Box<Diagnostic>),
    /// The budget ran out.
    Exhausted(Exhausted),
}

impl From<Diagnostic> for GroundError {
    fn from(diagnostic: Diagnostic) -> Self {
        GroundError::Refused(Box::new(diagnostic))
    }
}

impl From<Exhausted> for GroundError {
    fn from(exhausted: Exhausted) -> Self {
        GroundError::Exhausted(exhausted)
    }
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GroundError::Refused(diagnostic) => f.write_str(&diagnostic.message),
            GroundError::Exhausted(exhausted) => exhausted.fmt(f),
        }
    }
}

impl std::error::Error for GroundError {}

/// A game as facts and ground rules.
#[derive(Clone, Debug)]
pub struct Ground {
    normal: Normal,
    facts: Vec<Rows>,
    /// By relation: the number of its first fact; and one more, the number of all facts.
    first: Vec<u32>,
    truth: Vec<Truth>,
    rules: Instances,
    spent: Spent,
}

impl Ground {
    /// Grounds a game.
    ///
    /// # Errors
    ///
    /// When the rulesheet is refused (see [`Normal::new`]) or the budget runs out.
    pub fn new(game: impl Into<Arc<Game>>, budget: &Budget<'_>) -> Result<Ground, GroundError> {
        Ground::within(game, &budget.start())
    }

    /// The same, with a budget that is spent on other things, too.
    ///
    /// # Errors
    ///
    /// As [`Ground::new`].
    pub fn within(game: impl Into<Arc<Game>>, meter: &Meter<'_>) -> Result<Ground, GroundError> {
        Ground::of(game.into(), meter)
    }

    fn of(game: Arc<Game>, meter: &Meter<'_>) -> Result<Ground, GroundError> {
        let normal = Normal::new(game, &NormalOptions::default())?;
        let mut program = Program::new(&normal, meter)?;
        let mut sizes = estimate::Sizes::of_rules(&program, meter)?;
        split::split(&mut program, &mut sizes, meter)?;
        let facts = reach::reach(&program, &mut sizes, meter)?;
        let mut first = vec![0u32];
        for rows in &facts {
            first.push(first[first.len() - 1] + rows.len() as u32);
        }
        let rules = instantiate::instantiate(&program, &sizes, &facts, &first, meter)?;
        let count = first[facts.len()] as usize;
        let mut ground = Ground {
            normal,
            facts,
            first,
            truth: vec![Truth::Varies; count],
            rules: Instances::default(),
            spent: Spent::default(),
        };
        let relation_of = ground.relations_by_fact();
        let is_static = |fact: u32| !program.dynamic[relation_of[fact as usize] as usize];
        (ground.rules, ground.truth) =
            simplify::simplify(rules, count, is_static, &ground.links(meter)?, meter)?;
        meter.set_rules(ground.rules.len());
        meter.hold(Memory::Facts, ground.facts.iter().map(Rows::bytes).sum());
        meter.hold(Memory::Rules, ground.rules.bytes() + ground.truth.len());
        meter.hold(Memory::Scratch, 0);
        meter.check()?;
        ground.spent = meter.spent();
        Ok(ground)
    }

    /// The rulesheet.
    pub fn game(&self) -> &Arc<Game> {
        self.normal.game()
    }

    /// The normal form that was grounded.
    pub fn normal(&self) -> &Normal {
        &self.normal
    }

    /// What grounding has cost. Facts are all that were found reachable, rules those that
    /// remain.
    pub fn spent(&self) -> Spent {
        self.spent
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

    /// What is known of a fact.
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

    fn relations_by_fact(&self) -> Vec<u32> {
        let relations = self.facts.iter().enumerate();
        relations.flat_map(|(r, rows)| std::iter::repeat_n(r as u32, rows.len())).collect()
    }

    /// Which facts follow from which in another state.
    fn links(&self, meter: &Meter<'_>) -> Result<Vec<Link>, Exhausted> {
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
